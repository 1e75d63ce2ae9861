"""Shortages: achievements that are unreachable because a map has too few cells of a material.

The numbers of any play satisfy ``encodings/plan/bound.lp``: what is used is brought, what is held
was brought, and cells that are used up were there or were laid. Where no numbers unlock an
achievement, no play does. Only rules that apply at the optimistic level are counted on, and only
cells that the player gets to there, so that everything that supplies anything is: cells that come
again or that collecting leaves, things that are placed and collected again, and the best luck each
time. What killing a creature brings is not limited. docs/bounds.md has the proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

from mars_logic.logic.base_facts import ranked
from mars_logic.logic.relaxation import FILES as BOUND
from mars_logic.logic.relaxation import Relaxation, RelaxedGoal
from mars_logic.logic.rule_atoms import APPLIED, rule_id, term
from mars_logic.logic.solve import Assumption, LimitReachedError, Relations
from mars_logic.world.theory import World

FILES: Final = (*BOUND, "explain/shortage.lp")
_KINDS: Final = ("rules", "cells")
_UNLIMITED: Final = 64 * 64
"""Maximum number of cells of a material on a map."""


@dataclass(frozen=True)
class Shortage:
    """A material of which an achievement takes more cells than exist.

    Attributes:
        material: The material.
        cells: Number of cells within reach.
        needed: Minimum number needed.
        more: Whether more may be needed than the counted maximum.
    """

    material: str
    cells: int
    needed: int
    more: bool


class Shortages(Relaxation):
    """Relaxed plays in one world with limited cells."""

    files: ClassVar[tuple[str, ...]] = FILES

    def __init__(self, world: World, cells: Mapping[str, int], barred: Collection[str]):
        """Prepare; nothing is solved yet.

        Args:
            world: The world.
            cells: By material on the map: upper bound on its cells within reach.
            barred: The ids of rules that can never be applied.
        """
        super().__init__(world, cells, farthest=1)
        self._barred = barred

    @classmethod
    def of(cls, world: World, relations: Relations, level: str) -> Shortages:
        """The supply by a judgement, at its optimistic level."""
        applied = {rule_id(row[1]) for row in relations["act"] if row[0] == level}
        reached = {row[1] for row in relations["reach"] if row[0] == level}
        cells: Counter[str] = Counter()
        extents = {zone: int(number) for zone, number in relations["extent"]}
        for zone, material in relations["made_of"]:
            cells[material] += extents.get(zone, _UNLIMITED) * (zone in reached)
        barred = {rule.id for rule in world.rules() if rule.family in APPLIED} - applied
        return cls(world, {m: min(_UNLIMITED, n) for m, n in cells.items()}, barred)

    def refutes(self, achievement: str) -> bool:
        """Whether no counts unlock the achievement; false if the search reaches its limit."""
        try:
            return not self._session.satisfiable(self._literals(achievement))
        except LimitReachedError:
            return False

    def rules(self, achievement: str) -> tuple[str, ...]:
        """The fewest rules that exceed the available cells, by their ids, sorted.

        Raises:
            LimitReachedError: The search was given up.
        """
        return tuple(sorted(map(rule_id, self._fewest(achievement, "rules", "waived"))))

    def repairs(self, achievement: str, most: int) -> tuple[tuple[tuple[str, ...], ...], bool]:
        """The smallest sets of such rules, up to a number; they are not found again after this.

        Returns:
            The sets, each as sorted ids; and whether there are no others of their size.

        Raises:
            LimitReachedError: The search was given up.
        """
        found: list[tuple[str, ...]] = []
        while len(found) <= most:  # one more, to know whether there are any
            rules = self.rules(achievement)
            if not rules or (found and len(rules) > len(found[0])):
                return tuple(found), True
            self._session.exclude(Assumption("waived", (term(rule),), True) for rule in rules)
            found.append(rules)
        return tuple(found[:most]), False

    def shortages(self, achievement: str) -> list[Shortage]:
        """The fewest materials of which there are too few cells, in the order of their names.

        None, if more cells would not help.

        Raises:
            LimitReachedError: The search was given up.
        """
        short = sorted(self._fewest(achievement, "cells", "unlimited"))
        return [self._shortage(achievement, material, short) for material in short]

    def _shortage(self, achievement: str, material: str, short: Collection[str]) -> Shortage:
        taken = {int(row[1]): n for row, n in self._session.literals("taken") if row[0] == material}
        fixed = self._literals(achievement, short)
        number = self._cells[material] + 1
        while number + 1 in taken and not self._session.satisfiable([*fixed, -taken[number + 1]]):
            number += 1
        return Shortage(material, self._cells[material], number, number + 1 not in taken)

    def _fewest(self, achievement: str, kind: str, name: str) -> list[str]:
        goal = self._assumptions(RelaxedGoal({achievement}))
        chosen = (Assumption("blamed", (some,), some == kind) for some in _KINDS)
        model = self._session.solve([name], [*goal, *chosen])
        return [] if model is None else [row[0] for row in model[name]]

    def _literals(self, achievement: str, short: Collection[str] = ()) -> list[int]:
        """The assumptions: the goal, and the materials with sufficient cells."""
        chosen = {("wanted", achievement), *(("unlimited", material) for material in short)}
        if short:
            chosen.add(("blamed", "cells"))
        return [
            literal if (name, row[0]) in chosen else -literal
            for name in ("wanted", "least", "aim", "blamed", "unlimited", "waived")
            for row, literal in self._session.literals(name)
        ]

    @cached_property
    def told(self) -> dict[str, int]:
        """By material: the largest useful number of cells."""
        total: Counter[str] = Counter()
        for (rule, _), times in self._enough.items():
            total[rule] += times
        return {
            material: 1 if rule.leaves == material else total[rule.id]
            for material, rule in self.world.collect.items()
            if rule.collectable and material in self._cells
        }

    def _atoms(self) -> Iterator[str]:
        yield from super()._atoms()
        yield from (f"barred({term(rule)})" for rule in self._barred)
        yield from (f"rank({term(rule)}, {rank})" for rank, rule in enumerate(ranked(self.world)))
