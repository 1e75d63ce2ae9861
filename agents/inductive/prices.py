"""Prices of a life, a bit of information and a step, all in expected achievements.

The rates come from the learner's own play, by the rule of succession: beforehand, one episode
counts in which an achievement was reached, one in which it was not, and one in which the player
learned all and died at the end.
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
        unknown: The bits that were unknown before the first.
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

    def learns(self, unknown: float, steps: float) -> float:
        """The bits that are expected to be learned in some steps, of those still unknown."""
        learned = self.unknown - unknown
        return min(unknown, (self.unknown + learned) / (self.length + self.steps) * steps)


@dataclass(frozen=True)
class Prices:
    """The prices at a step of an episode.

    Attributes:
        experience: What the rates are estimated from.
        left: The steps that the episode has left.
        waited: The steps since its last achievement.
        expected: By achievement that is still to be reached in it, the probability that it will be
            without new knowledge, if time suffices.
        missed: How many achievements a later episode is expected to miss.
        later: How many episodes follow in which the knowledge can be used.
        unknown: The bits that are unknown.
    """

    experience: Experience
    left: int
    waited: int
    expected: Mapping[str, float]
    missed: float
    later: int
    unknown: float

    def steps(self, left: int) -> float:
        """The steps that it is expected to live when so many are left."""
        lifetime = self.experience.lifetime
        return lifetime * -math.expm1(-max(0, left) / lifetime)

    @cached_property
    def hoped(self) -> float:
        """How many achievements are expected without new knowledge, if time suffices."""
        return math.fsum(self.expected.values())

    def in_time(self, left: int) -> float:
        """How probable it is that time suffices; after a wait, as long a time is expected again."""
        return min(1.0, self.steps(left) / max(1, self.waited))

    @cached_property
    def now(self) -> float:
        """The price of a bit in this episode: its part of what is missed in the steps left."""
        missed = len(self.expected) - self.hoped * self.in_time(self.left)
        return self._part(missed * self.steps(self.left) / self.experience.length)

    @cached_property
    def bit(self) -> float:
        """The price of a bit: its part of what is missed in this episode and the later ones."""
        return self.now + self.later * self._part(self.missed)

    def _part(self, missed: float) -> float:
        """The part of one bit, of all that were unknown at first, in missed achievements."""
        return missed / self.experience.unknown if self.experience.unknown else 0.0

    def life(self, left: int) -> float:
        """The price of a life when so many steps are left.

        These are the achievements to come, and what is learned on the way. After a death that is
        learned one episode later, so that one episode does without.
        """
        learned = self.experience.learns(self.unknown, self.steps(left))
        return self.hoped * self.in_time(left) + learned * self.bit / (self.later + 1)

    @cached_property
    def step(self) -> float:
        """The price of a step: living on is worth as much in each step that is to come."""
        return self.life(self.left) / max(1.0, self.steps(self.left))

    def gain(self, found: InformationGain, steps: float) -> float:
        """What an experiment tells and unlocks, less its steps and its risk.

        Args:
            found: The experiment.
            steps: The steps to where it is made.
        """
        life = self.life(self.left - math.ceil(steps))
        told = self.bit * found.bits + self._unlocks(found)
        return told - self.step * (steps + found.cost) - life * found.deadly

    def _unlocks(self, found: InformationGain) -> float:
        """The achievements that an experiment itself unlocks, of those not expected anyway."""
        in_time = self.in_time(self.left)
        return math.fsum(
            found.unlocks.get(goal, 0.0) * (1 - chance * in_time)
            for goal, chance in self.expected.items()
        )
