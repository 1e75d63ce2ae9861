"""Plays reduced to numbers: how often each rule is applied, and from how many cells at least.

What must be so of the numbers in any play is written in ``encodings/bound.lp``. Numbers for which
it is so need not come from a play, so that the fewest steps they take are a lower bound for any.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

from mars_logic.logic.enough import MOST, enough
from mars_logic.logic.facts import facts, term
from mars_logic.logic.solve import Assumption, LimitReachedError, Relations, Session
from mars_logic.world.world import World

FILES: Final = ("facts.lp", "constants.lp", "bound.lp")
_CONFLICTS = 20_000
"""The limit of each search; past it, nothing is known."""
_TOLD = 20
"""More cells of a material than these are not told apart."""


@dataclass(frozen=True)
class Goal:
    """What a play is asked for.

    Attributes:
        wanted: Achievements that it unlocks.
        least: How many it unlocks, at least.
        without: Achievements that it does not unlock.
    """

    wanted: Collection[str] = ()
    least: int = 0
    without: Collection[str] = ()


@dataclass(frozen=True)
class Numbers:
    """Numbers that satisfy the conditions.

    Attributes:
        interactions: Steps that apply a rule, and those that are slept through.
        moves: Steps that are spent on moving.
        taken: By material: how many cells are collected from that were of it in the beginning.
        beyond: Whether something is supplied more often than can be told, so that nothing is known
            of what is taken before what.
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
    """The numbers of plays in one world, on maps with some numbers of cells.

    Attributes:
        files: The encodings.
    """

    files: ClassVar[tuple[str, ...]] = FILES

    def __init__(self, world: World, cells: Mapping[str, int], farthest: int):
        """Prepare; nothing is solved yet.

        Args:
            world: The world.
            cells: By material: how many cells the map has in the beginning.
            farthest: More moves than these are not told apart.
        """
        self.world = world
        self._cells = cells
        self._farthest = farthest

    @cached_property
    def told(self) -> dict[str, int]:
        """By material that may be taken: the largest number of cells that is told apart."""
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

    def fewest(self, goal: Goal) -> Numbers | None:
        """Numbers with the fewest steps that reach a goal; None if no numbers do.

        Raises:
            LimitReachedError: The search was given up.
        """
        names = ["times", "moves", "taken", "beyond", "sleeps"]
        model = self._session.solve(names, self._assumptions(goal))
        return None if model is None else _numbers(model)

    def before(self, material: str, other: str, most: int) -> int:
        """How many cells of another material must be taken before one of this can be.

        Args:
            material: What is to be collected from.
            other: Another material.
            most: Count no farther than this.
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
        body = [f"taken({material}, {number})" for material, number in taken.items() if number]
        body.append("not beyond")
        if moves is not None:
            body.append(f"not moves({min(moves, self._farthest)})")
        self._session.add(f":- {', '.join(body)}.")

    @cached_property
    def earliest(self) -> dict[str, int]:
        """By achievement: a step before which it cannot be unlocked."""
        return {row[0]: int(row[1]) for row in self._session.atoms("earliest")}

    @cached_property
    def ripens(self) -> int:
        """So many steps lie between placing a plant and eating it, the last one included."""
        return int(self._session.atoms("ripens")[0][0])

    @cached_property
    def _enough(self) -> dict[tuple[str, str], int]:
        return enough(self.world)

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

    def _assumptions(self, goal: Goal) -> Iterator[Assumption]:
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
