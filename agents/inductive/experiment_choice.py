"""Selection of experiments by expected information gain, cost and risk.

All three are expressed in expected achievements, see :mod:`.prices`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from mars_logic.plan.belief_state import BeliefState, Mask
from mars_logic.plan.routes import DIRECTIONS, FAR, STEP
from mars_logic.plan.skills import Skill
from mars_logic.plan.world_model import DO
from mars_logic.theory.signatures import Held, held_of
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

Choice = Literal["informative", "random", "none"]
LEAST: Final = 0.1
"""Deeds that are expected to tell less, in bits, are no experiments."""
LEAST_AMONG_MANY: Final = 0.02
"""The same in worlds that add names: among many possible values each deed tells little."""
_STEADY: Final = 3.0
"""By how many steps something else must be better to be tried first."""
_TEDIUM: Final = 0.9
"""Factor on an experiment's information gain after each attempt without an effect."""
_FEW: Final = 2
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
            posterior: The posterior over rules.
            prices: Of a life, a bit and a step.
            idle: Whether the plan has nothing to do now.
            random: For choices at random.
        """
        if self._choice == "none":
            return None
        ways = Ways(here, posterior)
        prospects = self._at_random(ways, idle, random)
        if self._choice == "informative":
            prospects = self._worthwhile(ways)
        return self._best(ways, prospects, prices)

    def _worthwhile(self, ways: Ways) -> list[InformationGain]:
        """Experiments with information to gain, whatever the way there."""
        held, _ = _state(ways.here)
        settings = promising(ways.posterior, ways.settings(), held)
        found = (self._promises(ways.posterior, setting) for setting in settings)
        least = LEAST_AMONG_MANY if ways.posterior.words.wide else LEAST
        return [each for each in found if each.bits >= least]

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

    def _at_random(self, ways: Ways, idle: bool, random: Random) -> list[InformationGain]:
        """Now and then some deed that can be tried here, whatever it tells."""
        if self._choice != "random":
            return []
        possible = list(ways.settings())
        if self._current not in possible:
            if not idle and random.random() > _RANDOM:
                return []
            self._current = random.choice(possible)
        deadly = information_gain(ways.posterior, self._current).deadly
        chosen = self._current
        return [InformationGain(chosen, 1.0, 0.5, deadly)]

    def _best(
        self, ways: Ways, prospects: list[InformationGain], prices: AchievementPrices
    ) -> Attempt | None:
        """The experiment whose information is worth most beyond its steps and its risk."""
        here, posterior, current = ways.here, ways.posterior, self._current
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
        if walks or not setting.material or here.model.walkable[here.code[setting.material]]:
            return None
        return self._step_onto(here, posterior, setting.material)

    def _tread(
        self, here: BeliefState, posterior: Posterior, action: int
    ) -> InformationGain | None:
        """The experiment that an action on the way is, if it leads onto a material."""
        if not 1 <= action <= len(DIRECTIONS):
            return None
        (x, y), (dx, dy) = here.seen.position, DIRECTIONS[action - 1]
        material = here.model.words.materials[here.seen.material_at((x + dx, y + dy))]
        return self._step_onto(here, posterior, material)

    def _step_onto(
        self, here: BeliefState, posterior: Posterior, material: str
    ) -> InformationGain | None:
        """What a step onto a material tells and risks; None if that is known."""
        rule = f"walk.{material}"
        if material not in here.model.words.subjects["walk"] or not posterior.open(rule):
            return None
        _, vitals = _state(here)
        return self._promises(posterior, ExperimentSetting(rule, material, Held(), (), vitals))


def _state(here: BeliefState) -> tuple[Held, Vitals]:
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
        held, vitals = _state(self.here)
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
                    codes |= self._near(material).astype(np.int64) << place
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
            cost = int(self._to_face[mask].min())
        else:
            cost = int(self.here.routes.nearest_cell[mask].min())
        return cost / STEP if cost < FAR else math.inf

    @property
    def _to_face(self) -> NDArray[np.int32]:
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
                near = self._near(material)
                mask = mask & (near if material in setting.stations else ~near)
        return mask

    def _near(self, material: str) -> Mask:
        if material not in self._beside:
            self._beside[material] = self.here.near(material)
        return self._beside[material]
