"""The Theory: every rule of one game, as far as it is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from mars_logic.world import names
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.rules import (
    FAMILIES,
    Collect,
    Creature,
    Drink,
    Make,
    Neighbour,
    Place,
    Rename,
    Rule,
    Walk,
)

if TYPE_CHECKING:
    from mars_logic.world.world import World


@dataclass(frozen=True)
class Theory:
    """A set of rules under one dialect, any field of which may be unknown or uncertain.

    Each section maps a subject to its rule, for example ``theory.collect["stone"].leaves``, and
    holds all subjects of its family, in the family's order. A field holds a value,
    :data:`~mars_logic.world.uncertain.UNKNOWN`, or
    :class:`~mars_logic.world.uncertain.Alternatives`; a theory in which every field holds a value
    is a :class:`~mars_logic.world.world.World`. ``base`` is what the theory is told as a change of
    (None if it states everything); neither it nor the name, title and path take part in
    comparison or in the digest.
    """

    dynamics: names.Dynamics
    neighbour: Mapping[str, Neighbour]
    rename: Mapping[str, Rename]
    walk: Mapping[str, Walk]
    creature: Mapping[str, Creature]
    drink: Mapping[str, Drink]
    collect: Mapping[str, Collect]
    place: Mapping[str, Place]
    make: Mapping[str, Make]
    name: str = field(default="unnamed", compare=False)
    title: str = field(default="", compare=False)
    base: Theory | None = field(default=None, compare=False, repr=False)
    path: str | None = field(default=None, compare=False, repr=False)

    @classmethod
    def from_rules(cls, dynamics: str, rules: Iterable[Rule], **about: Any) -> Self:
        """The theory, or world, with exactly these rules.

        Args:
            dynamics: ``crafter`` or ``mars``.
            rules: One rule for each subject of each family, in any order.
            about: ``name``, ``title``, ``base``, ``path``.

        Raises:
            ValueError: A rule is missing or given twice, or one of a world is uncertain.
        """
        rules = list(rules)
        given = {rule.id: rule for rule in rules}
        wanted = [f"{kind.family}.{subject}" for kind in FAMILIES for subject in kind.subjects]
        if len(given) != len(rules) or set(given) != set(wanted):
            raise ValueError(f"it needs each of its {len(wanted)} rules exactly once")
        sections: dict[str, Any] = {
            kind.family: FrozenMap({s: given[f"{kind.family}.{s}"] for s in kind.subjects})
            for kind in FAMILIES
        }
        return cls(dynamics=dynamics, **sections, **about)  # type: ignore[arg-type]

    @classmethod
    def from_world(cls, world: Theory) -> Theory:
        """A world as a theory, whose rules may become uncertain."""
        about = {"name": world.name, "title": world.title, "base": world.base, "path": world.path}
        return Theory.from_rules(world.dynamics, world.rules(), **about)

    @classmethod
    def unknown(cls, dynamics: names.Dynamics) -> Theory:
        """The theory that knows nothing but what is so in every world of a dialect."""
        from mars_logic.world.settle import unknown

        return unknown(dynamics)

    def rules(self) -> tuple[Rule, ...]:
        """Every rule, in the order of families and subjects."""
        return tuple(rule for kind in FAMILIES for rule in getattr(self, kind.family).values())

    def __getitem__(self, rule_id: str) -> Rule:
        """The rule with this id, for example ``world["collect.stone"]``.

        Raises:
            KeyError: There is no such rule.
        """
        return self._by_id[rule_id]

    @cached_property
    def _by_id(self) -> dict[str, Rule]:
        return {rule.id: rule for rule in self.rules()}

    def with_rules(self, *rules: Rule, name: str | None = None) -> Self:
        """The same with some rules replaced, and this as its base.

        Raises:
            ValueError: This is a world, and a rule is uncertain; see :meth:`from_world`.
        """
        changed = self._by_id | {rule.id: rule for rule in rules}
        title = f"{self.name}, changed"
        return self.from_rules(
            self.dynamics, changed.values(), name=name or title, title=title, base=self
        )

    def named(self, name: str) -> Self:
        """The same under another name."""
        return replace(self, name=name)

    @cached_property
    def uncertain(self) -> tuple[tuple[str, str], ...]:
        """The rule id and the name of every field that is unknown or uncertain."""
        return tuple((rule.id, name) for rule in self.rules() for name in rule.uncertain_fields)

    def most_likely(self, prior: Theory | None = None) -> World:
        """The world with the likeliest value of each field.

        Args:
            prior: Where a field is unknown, its value here is taken; by default Crafter's.
        """
        from mars_logic.world.settle import most_likely

        return most_likely(self, prior)

    def to_world(self, prior: Theory | None = None) -> World:
        """The world that this theory is, or the likeliest one; see :meth:`most_likely`."""
        return self.most_likely(prior)

    def sample(self, seed: int) -> World:
        """A world drawn at random: alternatives by their weights, what is unknown from all values.

        The same seed gives the same world; what is drawn for a field does not hang on which others
        are open.
        """
        from mars_logic.world.settle import sample

        return sample(self, seed)

    @property
    def achievements(self) -> tuple[str, ...]:
        """The names of the 22 achievements, in the order of the game's counters."""
        return names.achievements(self.dynamics)

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hexadecimal) of the dynamics and of every rule field that has an effect."""
        from mars_logic.world.digest import digest

        return digest(self)
