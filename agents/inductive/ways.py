"""The deeds that can be done in a situation, and how far they are."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.plan.belief_state import BeliefState, Mask
from mars_logic.plan.routes import DIRECTIONS, FAR, STEP
from mars_logic.plan.skills import Skill
from mars_logic.plan.world_model import DO
from mars_logic.theory.signatures import Held, held_of

from .information_gain import ExperimentSetting, Vitals, candidate_settings
from .posterior import Posterior

_FEW: Final = 2
_MOVES = {(-1, 0): "move_left", (1, 0): "move_right", (0, -1): "move_up", (0, 1): "move_down"}


def state(here: BeliefState) -> tuple[Held, Vitals]:
    """The items held, and the levels of health, food and drink."""
    items = here.model.words.holdable
    held = held_of(items)(here.held.get(item, 0) for item in items)
    amount = here.status.amount
    return held, (amount("health"), amount("food"), amount("drink"))


class Ways:
    """The deeds that can be done, and how far they are from here.

    Attributes:
        here: The situation.
        posterior: The posterior over rules.
    """

    def __init__(self, here: BeliefState, posterior: Posterior) -> None:
        self.here, self.posterior = here, posterior
        self._facing: NDArray[np.int32] | None = None
        self._beside: dict[str, Mask] = {}
        self._known_sites: dict[tuple[str, ...], list[tuple[str, ...]]] = {}

    def settings(self) -> Iterator[ExperimentSetting]:
        """All available interactions with the inventory."""
        words = self.here.model.words
        held, vitals = state(self.here)
        yield from candidate_settings(held, vitals, words)
        for item in words.subjects["make"] if any(held) else ():
            rule = f"make.{item}"
            for stations in self._sites(self.posterior.beside(rule)):
                yield ExperimentSetting(rule, "", held, stations)

    def _sites(self, materials: tuple[str, ...]) -> list[tuple[str, ...]]:
        """The sets of some materials that are nearby somewhere; of few materials, every set."""
        if materials not in self._known_sites:
            found = range(1 << len(materials))
            if len(materials) > _FEW:
                there = self.here.routes.nearest_cell < FAR
                codes = np.zeros(there.shape, np.int64)
                for place, material in enumerate(materials):
                    codes |= self.near(material).astype(np.int64) << place
                found = np.unique(codes[there]).tolist()
            self._known_sites[materials] = [
                tuple(m for place, m in enumerate(materials) if code >> place & 1) for code in found
            ]
        return self._known_sites[materials]

    def steps(self, setting: ExperimentSetting) -> float:
        """The steps to where a deed can be done; infinite if that is nowhere."""
        mask = self._mask(setting)
        if not mask.any():
            return math.inf
        if setting.material:
            cost = int(self.to_face[mask].min())
        else:
            cost = int(self.here.routes.nearest_cell[mask].min())
        return cost / STEP if cost < FAR else math.inf

    @property
    def to_face(self) -> NDArray[np.int32]:
        """int32[64, 64]: the cost of getting to face each cell."""
        if self._facing is None:
            cost = self.here.routes.cost
            found = np.full(cost.shape[1:], FAR, np.int32)
            width, height = found.shape
            for direction, (dx, dy) in enumerate(DIRECTIONS):
                part = found[max(0, dx) : width - max(0, -dx), max(0, dy) : height - max(0, -dy)]
                other = cost[direction][
                    max(0, -dx) : width - max(0, dx), max(0, -dy) : height - max(0, dy)
                ]
                np.minimum(part, other, out=part)
            self._facing = found
        return self._facing

    def task(self, setting: ExperimentSetting) -> Skill:
        """A deed as a task."""
        family = setting.rule.partition(".")[0]
        mask, actions = self._mask(setting), self.here.actions
        if family == "walk":
            # To face it is to move towards it; who faces it already moves on.
            return Skill(setting.rule, actions[_MOVES[self.here.seen.facing]], mask)
        action = DO if family == "collect" else actions[setting.rule.replace(".", "_")]
        return Skill(setting.rule, action, *((mask,) if setting.material else (None, mask)))

    def _mask(self, setting: ExperimentSetting) -> Mask:
        """bool[64, 64]: the cells to face; or, to make something, to stand on."""
        here = self.here
        if setting.material:
            return here.of_material(setting.material) & ~here.fences
        mask = here.routes.nearest_cell < FAR
        if setting.rule in self.posterior.recipes:
            for material in self.posterior.beside(setting.rule):
                near = self.near(material)
                mask = mask & (near if material in setting.stations else ~near)
        return mask

    def near(self, material: str) -> Mask:
        """bool[64, 64]: cells from which a material is among the 3 x 3 cells around."""
        if material not in self._beside:
            self._beside[material] = self.here.near(material)
        return self._beside[material]
