"""Selection of experiments by expected information gain, cost and risk.

All three are expressed in expected achievements, see :mod:`.prices`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from dataclasses import dataclass, replace
from random import Random
from typing import Final, Literal

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.routes import DIRECTIONS, FAR
from mars_logic.theory.signatures import Held
from mars_logic.world import names

from .information_gain import (
    ExperimentSetting,
    InformationGain,
    information_gain,
    promising,
)
from .posterior import Posterior
from .prices import AchievementPrices, Appraisal
from .ways import Ways, state

Choice = Literal["informative", "random", "none"]
LEAST: Final = 0.1
"""Deeds that are expected to tell less, in bits, are no experiments."""
LEAST_AMONG_MANY: Final = 0.02
"""The same in worlds that add names: among many possible values each deed tells little."""
_STEADY: Final = 3.0
"""By how many steps something else must be better to be tried first."""
_TEDIUM: Final = 0.9
"""Factor on an experiment's information gain after each attempt without an effect."""
_PROBABLE: Final = 0.5
_REMEMBERED: Final = 1 << 14
_RANDOM: Final = 0.05
"""Probability per step of starting a random experiment."""


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
        later: Set[str] = frozenset(),
    ) -> Attempt | None:
        """The experiment to make now, if one is worth it.

        Args:
            here: The situation.
            posterior: The posterior over rules.
            prices: Of a life, a bit and a step.
            idle: Whether the plan has nothing to do now.
            random: For choices at random.
            later: Achievements that are to be reached later.
        """
        if self._choice == "none":
            return None
        ways = Ways(here, posterior)
        prospects = self._at_random(ways, idle, random)
        if self._choice == "informative":
            prospects = [each for each in self._worthwhile(ways) if each.setting.rule not in later]
        return self._best(ways, prospects, prices)

    def _worthwhile(self, ways: Ways) -> list[InformationGain]:
        """Experiments with information to gain, whatever the way there."""
        held, _ = state(ways.here)
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
        """Of the experiments that are worth more than their steps and their risk, the next.

        Among many, in worlds that add names, all of these are to be made: first comes what is worth
        most for each of its steps, which is also what the player is on its way to. Else first comes
        what is worth most.
        """
        here, posterior, current = ways.here, ways.posterior, self._current
        self._current = None
        found = [(each, ways.steps(each.setting)) for each in prospects]
        reached = [(each, steps) for each, steps in found if steps < prices.left]
        appraisal = Appraisal(prices, (each for each, _ in reached))
        ranked: list[tuple[float, float, InformationGain, InformationGain | None]] = []
        for each, steps in reached:
            turn = self._turn(here, posterior, each.setting) if steps else None
            steady = _STEADY if each.setting == current else 0
            gain = appraisal.gain(each, steps - steady)
            gain += appraisal.stake(turn, steps) if turn is not None else 0.0
            if gain > 0:
                per = steps + each.cost if posterior.words.wide else 1
                ranked.append((gain / per, gain, each, turn))
        for _, gain, each, turn in sorted(ranked, key=lambda option: -option[0]):
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
        _, vitals = state(here)
        return self._promises(posterior, ExperimentSetting(rule, material, Held(), (), vitals))
