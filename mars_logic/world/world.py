"""The World: every rule of one game, frozen, with a digest of what takes effect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

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


@dataclass(frozen=True)
class World:
    """A fully known set of rules under one dialect; made by ``load_world`` or ``with_rules``.

    Each section maps a subject to its rule, for example ``world.collect["stone"].leaves``, and
    holds all subjects of its family, in the family's order. ``base`` is the world that this one
    is told as a change of (None for a world that states everything); neither it nor the name,
    title and path take part in comparison or in the digest.
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
    base: World | None = field(default=None, compare=False, repr=False)
    path: str | None = field(default=None, compare=False, repr=False)

    @classmethod
    def from_rules(cls, dynamics: str, rules: Iterable[Rule], **about: Any) -> World:
        """The world with exactly these rules.

        Args:
            dynamics: ``crafter`` or ``mars``.
            rules: One rule for each subject of each family, in any order.
            about: ``name``, ``title``, ``base``, ``path``.

        Raises:
            ValueError: A rule is missing or given twice.
        """
        rules = list(rules)
        given = {rule.id: rule for rule in rules}
        wanted = [f"{kind.family}.{subject}" for kind in FAMILIES for subject in kind.subjects]
        if len(given) != len(rules) or set(given) != set(wanted):
            raise ValueError(f"a world needs each of its {len(wanted)} rules exactly once")
        sections: dict[str, Any] = {
            kind.family: FrozenMap({s: given[f"{kind.family}.{s}"] for s in kind.subjects})
            for kind in FAMILIES
        }
        return cls(dynamics=dynamics, **sections, **about)  # type: ignore[arg-type]

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

    def with_rules(self, *rules: Rule, name: str | None = None) -> World:
        """This world with some rules replaced, and this world as its base."""
        changed = self._by_id | {rule.id: rule for rule in rules}
        title = f"{self.name}, changed"
        return World.from_rules(
            self.dynamics, changed.values(), name=name or title, title=title, base=self
        )

    def named(self, name: str) -> World:
        """The same world under another name."""
        return replace(self, name=name)

    @property
    def achievements(self) -> tuple[str, ...]:
        """The names of its 22 achievements, in the order of the game's counters."""
        return names.achievements(self.dynamics)

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hexadecimal) of the dynamics and of every rule field that has an effect."""
        from mars_logic.world.digest import digest

        return digest(self)
