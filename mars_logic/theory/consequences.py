"""Certain and open fields: the cautious and brave consequences of evidence.

A theory is consistent with evidence if it explains as much of it as any theory does. Values common
to all consistent theories are certain (cautious consequences), values of some are open (brave
consequences), and values of none are excluded. The same holds among the shortest of them, whose
difference from the belief has the least description length; ``revise`` chooses one of these.

All statements are relative to candidate values (theory/candidates.py) and, for chances, to a level.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, replace
from typing import Any

from mars_logic.data.trajectory import Trajectory
from mars_logic.logic.solve import CONFLICTS
from mars_logic.system.display import number
from mars_logic.theory import rate_tests
from mars_logic.theory.candidates import believed
from mars_logic.theory.claims import Field
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.problem import Component, RevisionProblem, met
from mars_logic.world.theory import Theory


@dataclass(frozen=True)
class Remaining:
    """The values of a field that remain.

    Attributes:
        candidates: All candidate values, the believed ones first.
        possible: The values in some theory consistent with the evidence.
        shortest: The values in some consistent theory of least description length.
    """

    candidates: tuple[Any, ...]
    possible: tuple[Any, ...]
    shortest: tuple[Any, ...]

    @property
    def certain(self) -> bool:
        """Whether every consistent theory has the same value."""
        return len(self.possible) == 1

    @property
    def excluded(self) -> tuple[Any, ...]:
        """The values that no consistent theory has."""
        return tuple(value for value in self.candidates if value not in self.possible)


@dataclass(frozen=True, repr=False)
class Consequences:
    """The consequences of evidence for fields.

    Attributes:
        belief: The reference of description lengths.
        fields: What remains of each field that the evidence bears on and that has more than one
            candidate value, in the order of rules.
    """

    belief: Theory
    fields: Mapping[Field, Remaining]

    def __repr__(self) -> str:
        return (
            f"<Consequences: {number(len(self.certain), 'field')} certain, {len(self.open)} open>"
        )

    @property
    def certain(self) -> dict[Field, Any]:
        """The fields that have the same value in every consistent theory, with that value."""
        return {name: each.possible[0] for name, each in self.fields.items() if each.certain}

    @property
    def open(self) -> dict[Field, Remaining]:
        """The other fields."""
        return {name: each for name, each in self.fields.items() if not each.certain}

    def to_json(self) -> dict[str, Any]:
        """Plain data, by the names of fields (``collect.tree.leaves``)."""

        def plain(name: Field, values: Iterable[Any]) -> list[Any]:
            rule = self.belief[name[0]]
            stated = (rule.model_copy(update={name[1]: value}) for value in values)
            return [each.model_dump(mode="json")[name[1]] for each in stated]

        return {
            "certain": {
                ".".join(name): plain(name, [value])[0] for name, value in self.certain.items()
            },
            "open": {
                ".".join(name): {
                    "possible": plain(name, each.possible),
                    "shortest": plain(name, each.shortest),
                    "excluded": plain(name, each.excluded),
                }
                for name, each in self.open.items()
            },
        }


def consequences(
    belief: Theory,
    trajectories: Iterable[Trajectory] | Evidence,
    *,
    level: float = rate_tests.LEVEL,
    conflicts: int = CONFLICTS,
) -> Consequences:
    """The certain and open fields, given evidence.

    Args:
        belief: The reference of description lengths; its values are candidates too. Its
            rules are read under the dialect of the trajectories.
        trajectories: Recorded episodes of one dialect, or the evidence already taken from them.
        level: A true probability is given up with at most this probability.
        conflicts: The limit of each search, in conflicts, and so the same on every machine.

    Raises:
        InputError: There is no trajectory, or their dialects differ.
        LimitReachedError: A search was given up.
    """
    evidence = trajectories if isinstance(trajectories, Evidence) else Evidence.of(trajectories)
    belief = replace(belief, dynamics=evidence.dynamics).adding(evidence.adds)
    problem = RevisionProblem(belief, evidence, level)
    possible = {name: set(range(len(values))) for name, values in problem.values.items()}
    shortest = {name: set(range(len(believed(problem.belief, name)))) for name in problem.values}
    for component in problem.components():
        possible |= component.remaining(None, conflicts)
        if any(len(shortest[name]) > 1 for name in component.fields) or not _kept(component):
            shortest |= component.remaining(problem.length, conflicts)

    def chosen(name: Field, numbers: Set[int]) -> tuple[Any, ...]:
        return tuple(v for k, v in enumerate(problem.values[name]) if k in numbers)

    return Consequences(
        problem.belief,
        {
            name: Remaining(
                tuple(values), chosen(name, possible[name]), chosen(name, shortest[name])
            )
            for name, values in problem.values.items()
            if len(values) > 1
        },
    )


def _kept(component: Component) -> bool:
    """Whether what is believed explains everything."""
    return met(component.claims, dict.fromkeys(component.fields, 0))
