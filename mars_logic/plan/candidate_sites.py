"""Sites: the cells worth going to for a plan, few enough to price the ways between all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.itinerary_state import MOST_SITES
from mars_logic.plan.observed_map import Cell
from mars_logic.plan.task_plan import Task
from mars_logic.plan.travel_costs import footing
from mars_logic.plan.world_model import WorldModel
from mars_logic.world.rules import Collect, Make

BEING: Final = 128
"""Added to the kind of a creature, this is what its site is made of."""
_RARE, _NEAREST, _BESIDE = 8, 4, 2
"""Cells of a material if all are sites; else, so many near the player, and near other sites."""
_CENTRES: Final = 24
"""So many sites are those near which cells of other materials are sites."""


class CandidateSites:
    """The cells worth going to.

    Attributes:
        cells: The cells; the first is the player's.
        made_of: What each is made of: a material's code, or a creature's kind after ``BEING``; -1
            for nothing to be taken.
    """

    def __init__(
        self,
        here: BeliefState,
        targets: list[Task],
        counts: list[int],
        known: Iterable[Cell | None] = (),
    ):
        """Choose them.

        Args:
            here: The situation.
            targets: What is to be done, each once.
            counts: How often each is to be done.
            known: Cells that were worth going to until now.
        """
        self.cells: list[Cell] = [here.seen.position]
        self.made_of: list[int] = [-1]
        self._taken: set[Cell] = set()
        self._here = here
        self._far = footing(here).nearest
        wanted = dict.fromkeys(_wanted(here.model, targets), 0)
        for target, count in zip(targets, counts, strict=True):
            family, _, subject = target.rule.partition(".")
            if family == "collect":
                wanted[subject] += count
        codes = {here.code[name] for name in wanted}
        for kind, being in enumerate(here.model.kinds):
            if any(target.rule == f"creature.{being}" for target in targets):
                found = [(thing.x, thing.y) for thing in here.creatures if thing.kind == kind]
                for cell in sorted(found, key=lambda cell: int(self._far[cell]))[:_NEAREST]:
                    self._add(cell, BEING + kind)
        for place in known:
            if place is not None and (code := here.seen.material_at(place)) in codes:
                self._add(place, code)
        there = {name: np.argwhere(here.of_material(name)) for name in wanted}
        rarest = sorted(wanted, key=lambda name: (len(there[name]), name))
        for name in rarest:
            self._add_nearest(here.code[name], there[name], wanted[name])
        plants = here.seen.of_kind("plant", "ripe_plant")
        for plant in plants[:1]:
            self._add((plant.x, plant.y), -1)
        centres = self.cells[1:_CENTRES]
        for name in rarest:
            self._add_beside(centres, here.code[name], there[name])

    def index_of(self, target: Task, cell: Cell | None) -> int:
        """The number of the site where a target was to be done; a creature may have moved on."""
        if cell is None:
            return 0
        if not target.rule.startswith("creature."):
            return self.cells.index(cell) if cell in self._taken else 0
        x, y = cell
        return min(
            self.beings(target),
            key=lambda n: (abs(self.cells[n][0] - x) + abs(self.cells[n][1] - y), n),
            default=0,
        )

    def beings(self, target: Task) -> list[int]:
        """The numbers of the sites where creatures are that a target is about."""
        family, _, subject = target.rule.partition(".")
        if family != "creature" or subject not in self._here.model.kinds:
            return []
        made_of = BEING + self._here.model.kinds.index(subject)
        return [place for place, made in enumerate(self.made_of) if made == made_of]

    def _add(self, cell: Cell, made_of: int) -> None:
        if cell not in self._taken and len(self.cells) < MOST_SITES:
            self._taken.add(cell)
            self.cells.append(cell)
            self.made_of.append(made_of)

    def _add_nearest(self, code: int, there: NDArray[Any], count: int) -> None:
        """All cells of a rare material; of others those that are nearest to the player."""
        far = self._far[there[:, 0], there[:, 1]]
        most = _RARE if len(there) <= _RARE else _NEAREST + count
        for index in np.argsort(far, kind="stable")[:most].tolist():
            self._add((int(there[index][0]), int(there[index][1])), code)

    def _add_beside(self, centres: list[Cell], code: int, there: NDArray[Any]) -> None:
        """The cells of a material that are nearest to some sites."""
        for x, y in centres:
            away = np.abs(there[:, 0] - x) + np.abs(there[:, 1] - y)
            for index in np.argsort(away, kind="stable")[:_BESIDE].tolist():
                self._add((int(there[index][0]), int(there[index][1])), code)


def _wanted(model: WorldModel, targets: list[Task]) -> Iterator[str]:
    """The materials that some target needs to be somewhere."""
    for target in targets:
        rule = model.world[target.rule] if "." in target.rule else None
        if isinstance(rule, Collect):
            yield rule.subject
        elif isinstance(rule, Make):
            yield from rule.nearby
