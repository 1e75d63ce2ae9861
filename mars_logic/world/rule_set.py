"""The rule set: one rule for each subject of each family, under one dialect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, ClassVar, Self

from mars_logic.system import resources
from mars_logic.world import names
from mars_logic.world.adds import NOTHING, Adds, vocabulary_with
from mars_logic.world.cell_rules import Beside, Push, Timer
from mars_logic.world.constants import Constants
from mars_logic.world.creature_rules import Behaviour, Hunt
from mars_logic.world.families import families_of
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.maps import GENERATED, WorldMap
from mars_logic.world.need_rules import AddedNeed
from mars_logic.world.projectile_rules import Projectile, Shoot
from mars_logic.world.rules import (
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
from mars_logic.world.trace_rules import Eat, NeedRule, OptionRule, TraceRule
from mars_logic.world.vocabulary import Vocabulary, WorldGoal

_NONE: FrozenMap[str, Any] = FrozenMap({})


@dataclass(frozen=True)
class RuleSet:
    """Every rule of one game; the base class of :class:`~mars_logic.world.theory.Theory`.

    Each section maps a subject to its rule, for example ``theory.collect["stone"].leaves``, and
    holds all subjects of its family, in the family's order. A dialect without a family leaves its
    section empty.

    Besides its rules it has names that it ``adds`` to the dialect's, the steps of an episode where
    these are not the dialect's, and where its maps come from. Its ``goals`` are what counts, where
    that is not all achievements, and its ``constants`` those that are not the dialect's. Maps that
    are drawn need no rules of the generator: these are Crafter's then, whatever rules are given.
    """

    domain: ClassVar[str] = "crafter"
    """What files state as the domain of survival worlds; games have others."""

    dynamics: names.Dynamics
    neighbour: Mapping[str, Neighbour]
    rename: Mapping[str, Rename]
    walk: Mapping[str, Walk]
    creature: Mapping[str, Creature]
    drink: Mapping[str, Drink]
    collect: Mapping[str, Collect]
    place: Mapping[str, Place]
    make: Mapping[str, Make]
    eat: Mapping[str, Eat] = _NONE
    push: Mapping[str, Push] = _NONE
    beside: Mapping[str, Beside] = _NONE
    timer: Mapping[str, Timer] = _NONE
    behaviour: Mapping[str, Behaviour] = _NONE
    hunt: Mapping[str, Hunt] = _NONE
    projectile: Mapping[str, Projectile] = _NONE
    shoot: Mapping[str, Shoot] = _NONE
    need: Mapping[str, NeedRule | AddedNeed] = _NONE
    trace: Mapping[str, TraceRule] = _NONE
    option: Mapping[str, OptionRule] = _NONE
    adds: Adds = NOTHING
    length: int | None = None
    map: WorldMap = GENERATED
    goals: tuple[WorldGoal, ...] = ()
    constants: Constants = ()

    @classmethod
    def from_rules(
        cls,
        dynamics: str,
        rules: Iterable[Rule],
        *,
        adds: Adds = NOTHING,
        length: int | None = None,
        map: WorldMap = GENERATED,
        goals: tuple[WorldGoal, ...] = (),
        constants: Constants = (),
        **about: Any,
    ) -> Self:
        """The rule set with exactly these rules.

        Args:
            dynamics: The name of a dialect.
            rules: One rule for each subject of each family, in any order.
            adds: Names that are added to the dialect's.
            length: Steps of an episode; None for the dialect's own.
            map: Where maps come from.
            goals: What counts in place of all achievements; empty for these.
            constants: Constants that are not the dialect's.
            about: More fields of the class: ``name``, ``title``, ``base``, ``path`` of a theory.

        Raises:
            ValueError: A rule is missing or given twice, or one of a world is uncertain.
        """
        rules = list(rules)
        given = {rule.id: rule for rule in rules}
        subjects = vocabulary_with(dynamics, adds).subjects
        wanted = [f"{family}.{subject}" for family in subjects for subject in subjects[family]]
        if len(given) != len(rules) or set(given) != set(wanted):
            raise ValueError(f"it needs each of its {len(wanted)} rules exactly once")
        if map.is_drawn:
            given |= _usual_generator()
        sections: dict[str, Any] = {
            family: FrozenMap({s: given[f"{family}.{s}"] for s in subjects[family]})
            for family in subjects
        }
        own: dict[str, Any] = {"adds": adds, "length": length, "map": map}
        own |= {"goals": goals, "constants": constants}
        return cls(dynamics=dynamics, **own, **sections, **about)

    @property
    def own(self) -> dict[str, Any]:
        """What the world states besides its rules, as :meth:`from_rules` takes it."""
        return {
            "adds": self.adds,
            "length": self.length,
            "map": self.map,
            "goals": self.goals,
            "constants": self.constants,
        }

    def rules(self) -> tuple[Rule, ...]:
        """Every rule, in the order of families and subjects."""
        return tuple(
            rule
            for kind in families_of(self.vocabulary)
            for rule in getattr(self, kind.family).values()
        )

    @property
    def vocabulary(self) -> Vocabulary:
        """The names and constants of the dialect, with the names that are added."""
        return vocabulary_with(self.dynamics, self.adds, self.length, self.goals, self.constants)

    def __getitem__(self, rule_id: str) -> Rule:
        """The rule with this id, for example ``world["collect.stone"]``.

        Raises:
            KeyError: There is no such rule.
        """
        return self._by_id[rule_id]

    def rule(self, rule_id: str) -> Rule | None:
        """The rule with this id; None if there is none."""
        return self._by_id.get(rule_id)

    @cached_property
    def _by_id(self) -> dict[str, Rule]:
        return {rule.id: rule for rule in self.rules()}

    @cached_property
    def uncertain(self) -> tuple[tuple[str, str], ...]:
        """The rule id and the name of every field that is unknown or uncertain."""
        return tuple((rule.id, name) for rule in self.rules() for name in rule.uncertain_fields)

    @property
    def achievements(self) -> tuple[str, ...]:
        """The names of the achievements that count: the world's goals, or else all.

        ``vocabulary.achievements`` has those of all counters, in their order.
        """
        if self.goals:
            return tuple(goal.name for goal in self.goals)
        return self.vocabulary.achievements


@cache
def _usual_generator() -> dict[str, Rule]:
    """Crafter's rules of the families that the generator alone reads."""
    stated = resources.values_at(resources.folder("worlds") / "mars" / "crafter.yaml")
    around = [Neighbour(subject=s, material=m) for s, m in stated["neighbour"].items()]
    kept = [Rename(subject=name, material=name) for name in names.NATURAL]
    return {rule.id: rule for rule in (*around, *kept)}
