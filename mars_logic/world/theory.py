"""Theory: the rules of one game, with uncertain fields; World: a theory without such fields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from mars_logic.world import names, settle
from mars_logic.world.adds import NOTHING, Adds
from mars_logic.world.constants import Constants
from mars_logic.world.digest import digest
from mars_logic.world.maps import GENERATED, WorldMap
from mars_logic.world.rule_set import RuleSet
from mars_logic.world.rules import Rule
from mars_logic.world.vocabulary import WorldGoal


@dataclass(frozen=True, repr=False)
class Theory(RuleSet):
    """A set of rules under one dialect, any field of which may be unknown or uncertain.

    A field holds a value, :data:`~mars_logic.world.uncertain.UNKNOWN`, or
    :class:`~mars_logic.world.uncertain.Alternatives`; a theory in which every field holds a value
    is a :class:`World`. ``base`` is the theory from which files and texts state the
    differences (None: they state everything). Comparison and digest ignore base, name, title and
    path.
    """

    name: str = field(default="unnamed", compare=False)
    title: str = field(default="", compare=False)
    base: Theory | None = field(default=None, compare=False, repr=False)
    path: str | None = field(default=None, compare=False, repr=False)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {self.dynamics}, digest {self.digest[:12]}>"

    @classmethod
    def from_world(cls, world: Theory) -> Theory:
        """The world as a theory, which accepts uncertain rules."""
        about: dict[str, Any] = {"name": world.name, "title": world.title}
        about |= {"base": world.base, "path": world.path, **world.own}
        return Theory.from_rules(world.dynamics, world.rules(), **about)

    @classmethod
    def unknown(
        cls,
        dynamics: names.Dynamics,
        adds: Adds = NOTHING,
        length: int | None = None,
        map: WorldMap = GENERATED,
        goals: tuple[WorldGoal, ...] = (),
        constants: Constants = (),
    ) -> Theory:
        """The theory in which only the rules common to all worlds of a dialect are known.

        Args:
            dynamics: The dialect.
            adds: Names that are added to the dialect's.
            length: Steps of an episode; None for the dialect's own.
            map: Where maps come from.
            goals: What counts in place of all achievements.
            constants: Constants that are not the dialect's.
        """
        about: dict[str, Any] = {"name": "unknown", "title": "nothing is known"}
        about |= {"adds": adds, "length": length, "map": map, "goals": goals}
        about["constants"] = constants
        return Theory.from_rules(dynamics, settle.unknown(dynamics, adds), **about)

    def with_rules(self, *rules: Rule, name: str | None = None) -> Self:
        """A copy with some rules replaced, and this theory as its base.

        Raises:
            ValueError: This is a world, and a rule is uncertain; see :meth:`from_world`.
        """
        changed = self._by_id | {rule.id: rule for rule in rules}
        title = f"{self.name}, changed"
        return self.from_rules(
            self.dynamics,
            changed.values(),
            name=name or title,
            title=title,
            base=self,
            **self.own,
        )

    def adding(self, adds: Adds) -> Theory:
        """This theory with more names, of which nothing is known; itself if it has them all."""
        return self._stating({**self.own, "adds": self.adds.joined(adds)})

    def within(self, world: RuleSet) -> Theory:
        """These rules in a world's setting: its names in their order, its length and its maps."""
        return self._stating({**world.own, "adds": world.adds.joined(self.adds)})

    def pursuing(self, goals: Iterable[str]) -> Theory:
        """The same rules with other goals, with a reward of 1 each; none for all achievements."""
        return self._stating({**self.own, "goals": tuple(map(WorldGoal, goals))})

    def _stating(self, own: dict[str, Any]) -> Theory:
        """The same rules beside other names, of which nothing is known, length and maps."""
        if own == self.own:
            return self
        blank = settle.unknown(self.dynamics, own["adds"])
        rules = [self.rule(rule.id) or rule for rule in blank]
        kind = Theory if any(rule.uncertain_fields for rule in rules) else type(self)
        about: dict[str, Any] = {"name": self.name, "title": self.title, "base": self.base}
        return kind.from_rules(self.dynamics, rules, path=self.path, **about, **own)

    def named(self, name: str) -> Self:
        """A copy under another name."""
        return replace(self, name=name)

    def most_likely(self, prior: Theory | None = None) -> World:
        """The world with the likeliest value of each field.

        Args:
            prior: Source of the values of unknown fields; by default Crafter's rules.
        """
        return self._settled(settle.most_likely(self, prior))

    def to_world(self, prior: Theory | None = None) -> World:
        """This theory as a world; see :meth:`most_likely` for uncertain fields."""
        return self.most_likely(prior)

    def sample(self, seed: int) -> World:
        """A world drawn at random: alternatives by weight, unknown fields from their domains.

        The same seed gives the same world; the draw for a field is independent of the other
        uncertain fields.
        """
        return self._settled(settle.sample(self, seed))

    def _settled(self, rules: list[Rule]) -> World:
        base = self.base if isinstance(self.base, World) else None
        about: dict[str, Any] = {"name": self.name, "title": self.title, "base": base}
        about |= self.own
        return World.from_rules(self.dynamics, rules, **about)

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hexadecimal) of the dynamics and of every rule field that has an effect."""
        return digest(self)


@dataclass(frozen=True, repr=False)
class World(Theory):
    """A fully known set of rules under one dialect; made by ``load_world`` or ``with_rules``.

    Only a world can be simulated. ``world.collect["stone"].leaves`` is the value itself.
    """

    def __post_init__(self) -> None:
        """Refuse uncertain rules."""
        if self.uncertain:
            rule, name = self.uncertain[0]
            raise ValueError(f"{rule}.{name} is uncertain; a world is fully known")
