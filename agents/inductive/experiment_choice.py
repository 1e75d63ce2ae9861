"""Selection of experiments by expected information gain, cost and risk.

All three are expressed in expected achievements, see :mod:`.prices`.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from random import Random
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.route import DIRECTIONS, FAR, STEP
from mars_logic.plan.skills import Skill
from mars_logic.plan.surroundings import Mask
from mars_logic.plan.world_model import ACTION, CODE, DO
from mars_logic.theory.signatures import Held
from mars_logic.world import names

from .information_gain import (
    ExperimentSetting,
    InformationGain,
    Vitals,
    candidate_settings,
    information_gain,
    promising,
)
from .posterior import Posterior
from .prices import AchievementPrices, Appraisal
from .sites import STATIONS

Choice = Literal["informative", "random", "none"]
LEAST: Final = 0.1
"""Deeds that are expected to tell less, in bits, are no experiments."""
_STEADY: Final = 3.0
"""By how many steps something else must be better to be tried first."""
_TEDIUM: Final = 0.9
"""Factor on an experiment's information gain after each attempt without an effect."""
_REMEMBERED: Final = 1 << 14
_RANDOM: Final = 0.05
"""Probability per step of starting a random experiment."""
_MOVES = {(-1, 0): "move_left", (1, 0): "move_right", (0, -1): "move_up", (0, 1): "move_down"}


@dataclass(frozen=True)
class Attempt:
    """The experiment that is under way.

    Attributes:
        prospect: What it promises.
        action: What to do now.
        at_once: Whether that is the deed itself, and not the way there.
    """

    information_gain: InformationGain
    action: int
    at_once: bool


class Experiments:
    """Chooses experiments by information gain, cost and risk."""

    def __init__(self, choice: Choice = "informative") -> None:
        """Begin.

        Args:
            choice: By expected information; at random among all deeds; or never.
        """
        self._choice = choice
        self._current: ExperimentSetting | None = None
        self._prospects: dict[ExperimentSetting, tuple[int, InformationGain]] = {}
        self._in_vain: Counter[tuple[str, str]] = Counter()

    def note(self, setting: ExperimentSetting, *, in_vain: bool) -> None:
        """An experiment was made; what it is expected to tell falls whenever nothing happens."""
        tried = setting.rule, setting.material
        self._in_vain[tried] = self._in_vain[tried] + 1 if in_vain else 0

    def next(
        self,
        here: BeliefState,
        posterior: Posterior,
        *,
        prices: AchievementPrices,
        idle: bool,
        random: Random,
    ) -> Attempt | None:
        """The experiment to make now, if one is worth it.

        Args:
            here: The situation.
            posterior: What is known.
            prices: Of a life, a bit and a step.
            idle: Whether the plan has nothing to do now.
            random: For choices at random.
        """
        if self._choice == "none":
            return None
        prospects = self._at_random(here, posterior, idle, random)
        if self._choice == "informative":
            prospects = self._worthwhile(here, posterior)
        return self._best(here, posterior, prospects, prices)

    def _worthwhile(self, here: BeliefState, posterior: Posterior) -> list[InformationGain]:
        """Experiments with information to gain, whatever the way there."""
        found = (
            self._promises(posterior, setting) for setting in promising(posterior, *_state(here))
        )
        return [each for each in found if each.bits >= LEAST]

    def _promises(self, posterior: Posterior, setting: ExperimentSetting) -> InformationGain:
        version = posterior.versions[setting.rule]
        if setting.material in names.LIQUIDS:
            version += posterior.versions[f"drink.{setting.material}"]
        known = self._prospects.get(setting)
        if known is None or known[0] != version:
            if len(self._prospects) > _REMEMBERED:
                self._prospects.clear()
            known = self._prospects[setting] = version, information_gain(posterior, setting)
        times = self._in_vain[setting.rule, setting.material]
        return replace(known[1], bits=known[1].bits * _TEDIUM**times) if times else known[1]

    def _at_random(
        self, here: BeliefState, posterior: Posterior, idle: bool, random: Random
    ) -> list[InformationGain]:
        """Now and then some deed that can be tried here, whatever it tells."""
        if self._choice != "random":
            return []
        possible = list(candidate_settings(*_state(here)))
        if self._current not in possible:
            if not idle and random.random() > _RANDOM:
                return []
            self._current = random.choice(possible)
        deadly = information_gain(posterior, self._current).deadly
        chosen = self._current
        return [InformationGain(chosen, 1.0, 0.5, deadly)]

    def _best(
        self,
        here: BeliefState,
        posterior: Posterior,
        prospects: list[InformationGain],
        prices: AchievementPrices,
    ) -> Attempt | None:
        """The experiment whose information is worth most beyond its steps and its risk."""
        ways, current = _Ways(here), self._current
        self._current = None
        found = [(each, ways.steps(each.setting)) for each in prospects]
        reached = [(each, steps) for each, steps in found if steps < prices.left]
        appraisal = Appraisal(prices, (each for each, _ in reached))
        ranked: list[tuple[float, InformationGain, InformationGain | None]] = []
        for each, steps in reached:
            turn = self._turn(here, posterior, each.setting) if steps else None
            steady = _STEADY if each.setting == current else 0
            gain = appraisal.gain(each, steps - steady)
            gain += appraisal.stake(turn, steps) if turn is not None else 0.0
            if gain > 0:
                ranked.append((gain, each, turn))
        for gain, each, turn in sorted(ranked, key=lambda option: -option[0]):
            task = ways.task(each.setting)
            way = task.way(here)
            if way.cost >= FAR:
                continue
            _, there, *_ = here.routes.reach(task.facing, task.standing)
            tread = self._tread(here, posterior, way.first) if there >= 0 else None
            priced = tread is None or tread.setting in (each.setting, turn and turn.setting)
            if there >= 0 and here.kills(way.first):
                continue
            if tread is not None and not priced and gain + appraisal.stake(tread, 0) <= 0:
                continue
            self._current = each.setting
            if tread is not None and tread.bits >= LEAST:
                return Attempt(tread, way.first, True)
            return Attempt(each, way.first, there < 0)
        return None

    def _turn(
        self, here: BeliefState, posterior: Posterior, setting: ExperimentSetting
    ) -> InformationGain | None:
        """The experiment that turning to a material is: if it can be walked on, that is a step."""
        walks = setting.rule.startswith("walk.")
        if walks or not setting.material or here.model.walkable[CODE[setting.material]]:
            return None
        return self._step_onto(here, posterior, setting.material)

    def _tread(
        self, here: BeliefState, posterior: Posterior, action: int
    ) -> InformationGain | None:
        """The experiment that an action on the way is, if it leads onto a material."""
        if not 1 <= action <= len(DIRECTIONS):
            return None
        (x, y), (dx, dy) = here.seen.position, DIRECTIONS[action - 1]
        material = names.MATERIALS[here.seen.material_at((x + dx, y + dy))]
        return self._step_onto(here, posterior, material)

    def _step_onto(
        self, here: BeliefState, posterior: Posterior, material: str
    ) -> InformationGain | None:
        """What a step onto a material tells and risks; None if that is known."""
        rule = f"walk.{material}"
        if material not in names.NATURAL or not posterior.open(rule):
            return None
        _, vitals = _state(here)
        return self._promises(posterior, ExperimentSetting(rule, material, Held(), (), vitals))


def _state(here: BeliefState) -> tuple[Held, Vitals]:
    held = Held(here.held.get(item, 0) for item in names.HOLDABLE)
    amount = here.status.amount
    return held, (amount("health"), amount("food"), amount("drink"))


class _Ways:
    """How far deeds are from here."""

    def __init__(self, here: BeliefState) -> None:
        self._here = here
        self._facing: NDArray[np.int32] | None = None

    def steps(self, setting: ExperimentSetting) -> float:
        """The steps to where a deed can be done; infinite if that is nowhere."""
        mask = self._mask(setting)
        if not mask.any():
            return math.inf
        if setting.material:
            cost = int(self._to_face[mask].min())
        else:
            cost = int(self._here.routes.nearest_cell[mask].min())
        return cost / STEP if cost < FAR else math.inf

    @property
    def _to_face(self) -> NDArray[np.int32]:
        """int32[64, 64]: the cost of getting to face each cell."""
        if self._facing is None:
            cost = self._here.routes.cost
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
        family, _, subject = setting.rule.partition(".")
        mask = self._mask(setting)
        if family == "make":
            return Skill(setting.rule, ACTION[f"make_{subject}"], None, mask)
        if family == "walk":
            # To face it is to move towards it; who faces it already moves on.
            return Skill(setting.rule, ACTION[_MOVES[self._here.seen.facing]], mask)
        action = DO if family == "collect" else ACTION[f"place_{subject}"]
        return Skill(setting.rule, action, mask)

    def _mask(self, setting: ExperimentSetting) -> Mask:
        """bool[64, 64]: the cells to face; or, to make something, to stand on."""
        here = self._here
        if setting.material:
            mask = here.of_material(setting.material) & ~here.fences
            if here.trap is not None:
                mask[here.trap] = False
            return mask
        mask = here.routes.nearest_cell < FAR
        for station in STATIONS:
            near = here.near(station)
            mask = mask & (near if station in setting.stations else ~near)
        return mask
