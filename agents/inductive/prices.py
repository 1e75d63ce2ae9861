"""Prices of a life, a bit of information and a step, all in expected achievements.

The rates come from the learner's own play, by the rule of succession: beforehand, one episode
counts in which an achievement was reached, one in which it was not, and one death in the steps of
an episode.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property

from .information_gain import InformationGain


@dataclass
class Experience:
    """The episodes that the learner has played so far.

    Attributes:
        length: The steps of an episode that lasts to its end.
        unknown: The bits of the rules of tasks that were unknown before the first.
        steps: The steps of all.
        deaths: How many ended in death.
        reached: In how many each achievement was reached.
        failed: In how many it was not, each counted as the share of its length that it lasted.
    """

    length: int
    unknown: float
    steps: int = 0
    deaths: int = 0
    reached: Counter[str] = field(default_factory=Counter)
    failed: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, steps: int, unlocked: Set[str], goals: Iterable[str], *, died: bool) -> None:
        """Count an episode."""
        self.steps += steps
        self.deaths += died
        self.reached.update(unlocked)
        for goal in set(goals) - unlocked:
            self.failed[goal] += steps / self.length

    def chance(self, achievement: str) -> float:
        """The probability that an episode reaches an achievement."""
        reached = self.reached[achievement] + 1
        return reached / (reached + self.failed[achievement] + 1)

    @property
    def lifetime(self) -> float:
        """The mean number of steps until death."""
        return (self.steps + self.length) / (self.deaths + 1)


@dataclass(frozen=True)
class AchievementPrices:
    """The prices at a step of an episode.

    Attributes:
        experience: What the rates are estimated from.
        left: The steps that the episode has left.
        waited: The steps since its last achievement.
        expected: By achievement that is still to be reached in it, the probability that it will be
            without new knowledge, if time suffices.
        planned: The achievements that the plan reaches by itself.
        reached: How many achievements a later episode is expected to reach.
        missed: How many it is expected to miss.
        later: How many episodes follow in which the knowledge can be used.
        trodden: The materials that the plan walks on, since they are believed to be harmless.
        enclosed: Whether the player is shut in, so that it needs other ground to walk on.
    """

    experience: Experience
    left: int
    waited: int
    expected: Mapping[str, float]
    planned: Set[str]
    reached: float
    missed: float
    later: int
    trodden: Set[str] = frozenset()
    enclosed: bool = False

    def steps(self, left: int) -> float:
        """The steps that it is expected to live when so many are left."""
        lifetime = self.experience.lifetime
        return lifetime * -math.expm1(-max(0, left) / lifetime)

    @cached_property
    def hoped(self) -> float:
        """How many achievements are expected without new knowledge, if time suffices."""
        return math.fsum(self.expected.values())

    def in_time(self, left: int) -> float:
        """How probable it is that the next achievement comes in the steps that are left.

        Of something that has lasted for some steps at a moment that nothing singles out, the end
        comes within as many steps again with a probability of one half.
        """
        steps = self.steps(left)
        return steps / (steps + self.waited) if steps else 0.0

    @cached_property
    def now(self) -> float:
        """The price of a bit in this episode: its part of what is missed in the steps left."""
        in_time = self.in_time(self.left)
        return self._part((len(self.expected) - self.hoped * in_time) * in_time)

    @cached_property
    def afterwards(self) -> float:
        """The price of a bit in later episodes: its part of what is missed in them."""
        return self.later * self._part(self.missed)

    def _part(self, missed: float) -> float:
        """The part of one bit, of all that were unknown at first, in missed achievements."""
        return missed / self.experience.unknown if self.experience.unknown else 0.0

    def told(self, found: InformationGain, steps: float) -> float:
        """The price of what an experiment tells, now rather than never.

        What serves later episodes can be found out later in this one, too, if the player lives to
        its end, and if what is left at a later step, whichever, is enough for the way. So only the
        rest of that price is gained by doing it now. Achievements hinge on the rules of tasks;
        ground is of use to a player that is shut in, and otherwise spares a later episode a death,
        if the plan would walk on it.

        Args:
            found: The experiment.
            steps: The steps that it takes.
        """
        waits = math.exp(-self.left / self.experience.lifetime) * max(0.0, 1 - steps / self.left)
        setting = found.setting
        if not setting.rule.startswith("walk.") or self.enclosed:
            return found.bits * (self.now + self.afterwards * (1 - waits))
        spared = found.deadly * self.reached if setting.material in self.trodden else 0.0
        return spared * (1 - waits) if self.later else 0.0

    def life(self, left: int, bits: float) -> float:
        """The price of a life when so many steps are left.

        Args:
            left: The steps.
            bits: What the experiments in reach would tell. After a death that is found out one
                episode later, so that one episode does without.
        """
        bit = (self.now + self.afterwards) / (self.later + 1)
        return self.hoped * self.in_time(left) + bits * bit

    def step(self, bits: float) -> float:
        """The price of a step: what life is worth less after it, and the risk of death in it."""
        now, after = (self.life(left, bits) for left in (self.left, self.left - 1))
        return now - after + now / self.experience.lifetime

    def unlocked(self, chances: Mapping[str, float]) -> float:
        """The price of achievements that come with some probability, without those of the plan."""
        in_time = self.in_time(self.left)
        return math.fsum(
            chances.get(goal, 0.0) * (1 - chance * in_time)
            for goal, chance in self.expected.items()
            if goal not in self.planned
        )


class Appraisal:
    """The gain of each of some experiments, in expected achievements."""

    def __init__(self, prices: AchievementPrices, found: Iterable[InformationGain]) -> None:
        """Begin.

        Args:
            prices: Of a life, a bit and a step.
            found: The experiments that can be made in the steps left.
        """
        self._prices = prices
        self._told: dict[str, float] = {}
        for each in found:
            told = each.bits * (1 - each.deadly)
            self._told[each.setting.rule] = max(told, self._told.get(each.setting.rule, 0.0))
        self._total = math.fsum(self._told.values())
        self._step = prices.step(self._total)

    def gain(self, found: InformationGain, steps: float) -> float:
        """What an experiment tells and unlocks, less its risk and its steps.

        Args:
            found: The experiment.
            steps: The steps to where it is made.
        """
        unlocked = self._prices.unlocked(found.unlocks)
        return self.stake(found, steps) + unlocked - self._step * (steps + found.cost)

    def stake(self, found: InformationGain, steps: float) -> float:
        """What an experiment tells, less its risk; see :meth:`gain`."""
        others = self._total - self._told.get(found.setting.rule, 0.0)
        life = self._prices.life(self._prices.left - math.ceil(steps), others)
        return self._prices.told(found, steps + 1) - life * found.deadly
