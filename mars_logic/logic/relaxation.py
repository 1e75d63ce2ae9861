"""Relaxation of plays to counts: applications of each rule, and minimum numbers of cells.

``encodings/plan/bound.lp`` states necessary conditions on the counts of any play. Counts that
satisfy them need not come from a play, so their minimum number of steps is a lower bound for every
play.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

from mars_logic.logic.action_bounds import MOST, action_bounds
from mars_logic.logic.facts import facts
from mars_logic.logic.rule_atoms import term
from mars_logic.logic.solve import Assumption, LimitReachedError, Relations, Session
from mars_logic.world.theory import World

FILES: Final = ("facts/facts.lp", "facts/constants.lp", "plan/bound.lp")
_CONFLICTS = 20_000
"""Conflict limit of each search; beyond it, the result is unknown."""
_TOLD = 20
"""Maximum number of cells of a material that is distinguished."""


@dataclass(frozen=True)
class RelaxedGoal:
    """The goal of a relaxed play.

    Attributes:
        wanted: Achievements that it unlocks.
        least: How many it unlocks, at least.
        without: Achievements that it must not unlock.
    """

    wanted: Collection[str] = ()
    least: int = 0
    without: Collection[str] = ()


@dataclass(frozen=True)
class Numbers:
    """Counts that satisfy the conditions.

    Attributes:
        interactions: Steps that apply a rule, and steps asleep.
        moves: Steps that are spent on moving.
        taken: By material: number of collected cells that were of it in the beginning.
        beyond: Whether a supply exceeds the distinguished numbers, so that the order of
            collections is unconstrained.
    """

    interactions: int
    moves: int
    taken: Mapping[str, int]
    beyond: bool

    @property
    def steps(self) -> int:
        """All steps."""
        return self.interactions + self.moves


class Relaxation:
    """The relaxed plays in one world, on maps with given numbers of cells.

    Attributes:
        files: The encodings.
    """

    files: ClassVar[tuple[str, ...]] = FILES

    def __init__(self, world: World, cells: Mapping[str, int], farthest: int):
        """Prepare; nothing is solved yet.

        Args:
            world: The world.
            cells: By material: number of cells on the initial map.
            farthest: Maximum number of moves that is distinguished.
        """
        self.world = world
        self._cells = cells
        self._farthest = farthest

    @cached_property
    def told(self) -> dict[str, int]:
        """By collectable material: the largest number of cells that is distinguished."""
        total: dict[str, int] = {}
        for (rule, _), times in self._enough.items():
            total[rule] = total.get(rule, 0) + times
        return {
            material: 1
            if rule.leaves == material
            else min(_TOLD, self._cells[material], total[rule.id])
            for material, rule in self.world.collect.items()
            if rule.collectable and self._cells.get(material)
        }

    def fewest(self, goal: RelaxedGoal) -> Numbers | None:
        """Counts with the fewest steps that reach a goal; None if none exist.

        Raises:
            LimitReachedError: The search was given up.
        """
        names = ["times", "moves", "taken", "beyond", "sleeps"]
        model = self._session.solve(names, self._assumptions(goal))
        return None if model is None else _numbers(model)

    def is_needed(self, goal: RelaxedGoal, rule: str) -> bool:
        """Whether no play reaches a goal without applying a rule, given as a term.

        Raises:
            LimitReachedError: The search was given up.
        """
        without = [*self._assumptions(goal), Assumption("act", (rule,), False)]
        return self._session.solve((), without, best=False) is None

    def before(self, material: str, other: str, most: int) -> int:
        """Minimum number of cells of another material to collect before one of this material.

        Args:
            material: The material to collect from.
            other: Another material.
            most: Upper end of the search.
        """
        taken = dict(self._session.literals("taken"))
        aim = f"collect({material})"
        fixed = [
            literal if name == "aim" and row[0] == aim else -literal
            for name in ("wanted", "least", "aim", "beyond")
            for row, literal in self._session.literals(name)
        ]
        for number in range(1, most + 1):
            try:
                if self._session.satisfiable([*fixed, -taken[other, str(number)]]):
                    return number - 1
            except LimitReachedError:
                return number - 1
        return most

    def require_moves(self, taken: Mapping[str, int], moves: int | None) -> None:
        """From now on, taking so many cells (or more) takes so many moves; None if it cannot be.

        This is not asked of numbers beyond what can be told.
        """
        atoms = [Assumption("taken", (m, str(n)), True) for m, n in taken.items() if n]
        atoms.append(Assumption("beyond", (), False))
        if moves is not None:
            atoms.append(Assumption("moves", (str(min(moves, self._farthest)),), False))
        self._session.exclude(atoms)

    @cached_property
    def earliest(self) -> dict[str, int]:
        """By achievement: a step before which it cannot be unlocked."""
        return {row[0]: int(row[1]) for row in self._session.atoms("earliest")}

    @cached_property
    def blows(self) -> dict[str, int]:
        """By creature: the fewest hits that kill it, with the best weapon."""
        rows = sorted(self._session.atoms("blows"), key=lambda row: -int(row[2]))
        return {creature: int(hits) for creature, _, hits in rows}

    @cached_property
    def ripens(self) -> int:
        """Require this number of steps from placing a plant to eating it, the last one included."""
        return int(self._session.atoms("ripens")[0][0])

    @cached_property
    def _enough(self) -> dict[tuple[str, str], int]:
        return action_bounds(self.world)

    @cached_property
    def _session(self) -> Session:
        text = facts(self.world) + "".join(f"{atom}.\n" for atom in self._atoms())
        return Session(self.files, text, _CONFLICTS, strategy="usc", configuration="trendy")

    def _atoms(self) -> Iterator[str]:
        for material, number in self._cells.items():
            yield f"cells({material}, {number})"
        for material, number in self.told.items():
            yield f"told({material}, {number})"
        for (rule, outcome), number in self._enough.items():
            yield f"enough({term(rule)}, {outcome}, {number})"
            if number == MOST:
                yield f"perhaps_more({term(rule)}, {outcome})"
        yield f"farthest({self._farthest})"

    def _assumptions(self, goal: RelaxedGoal) -> Iterator[Assumption]:
        for number, name in enumerate(self.world.achievements, start=1):
            yield Assumption("wanted", (name,), name in goal.wanted)
            yield Assumption("least", (str(number),), number == goal.least)
        for row in self._session.atoms("aim"):
            yield Assumption("aim", row, False)
        for name in goal.without:
            yield Assumption("unlock", (name,), False)


def _numbers(model: Relations) -> Numbers:
    slept = any(rule == "sleep" for rule, _, _ in model["times"])
    asleep = int(model["sleeps"][0][0]) - 1 if slept else 0
    taken: dict[str, int] = {}
    for material, number in model["taken"]:
        taken[material] = max(taken.get(material, 0), int(number))
    return Numbers(len(model["times"]) + asleep, len(model["moves"]), taken, bool(model["beyond"]))
