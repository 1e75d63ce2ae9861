"""Plays episodes with an agent and sums them up as the Mars paper does."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from mars_logic.agent import Agent, Episode, knowledge
from mars_logic.sim import Observation, Simulator

Ended = Literal["length", "death", "complete"]


@dataclass(frozen=True)
class Played:
    """One episode as it was played.

    Attributes:
        seed: The environment's seed.
        episode: Which episode of that seed.
        actions: The code of every action, in order.
        unlocked: The step (from 1) at which each achievement was first reached.
        reward: The sum of the rewards of all steps.
        ended: By its length, by death, or because nothing was left to achieve.
    """

    seed: int
    episode: int
    actions: tuple[int, ...]
    unlocked: dict[str, int]
    reward: float
    ended: Ended

    @property
    def steps(self) -> int:
        """How many steps it took."""
        return len(self.actions)


class Tally:
    """Notes, step by step, which achievements are reached for the first time."""

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        self.unlocked: dict[str, int] = {}

    def note(self, step: int) -> None:
        """Look at the counters after a step."""
        counters = self._simulator.achievements[0]
        for name, count in zip(self._simulator.world.achievements, counters, strict=True):
            if count > 0:
                self.unlocked.setdefault(name, step)


class Observer(Protocol):
    """Watches an episode being played, without any influence on it.

    It has to copy what it wants to keep: the agent gets the same arrays.
    """

    def begin(self, observation: Observation) -> None:
        """The episode begins with this view, which the agent has not got yet."""

    def note(
        self, action: int, reward: float, unlocked: Iterable[str], done: bool, after: Observation
    ) -> None:
        """One step was taken: what it gave, what it unlocked, and what is seen now."""


def play(
    agent: Agent,
    simulator: Simulator,
    seed: int,
    goals: Iterable[str],
    episode: int = 1,
    observer: Observer | None = None,
    limit: int | None = None,
) -> Played:
    """Play one episode until it is over or all goals are reached.

    Args:
        agent: Who plays.
        simulator: One environment (n = 1); it is reset.
        seed: The environment's seed; the agent's own choices are seeded with it too.
        goals: The achievements after which nothing is left to do.
        episode: Which episode of that seed.
        observer: Who watches.
        limit: Steps after which to stop, if that is before the episode's length.
    """
    wanted = set(goals)
    told = _told(agent, simulator, seed)
    simulator.reset(seed, episode)
    agent.begin(told)
    tally = Tally(simulator)
    actions: list[int] = []
    rewards: list[float] = []
    ended: Ended | None = None
    seen = simulator.observe()
    if observer:
        observer.begin(seen)
    while ended is None:
        actions.append(agent.act(seen))
        reward, done = simulator.step(actions[-1])
        rewards.append(float(reward[0]))
        tally.note(len(actions))
        seen = simulator.observe()
        if observer:
            new = [name for name, step in tally.unlocked.items() if step == len(actions)]
            observer.note(actions[-1], rewards[-1], new, bool(done[0]), seen)
        if wanted <= set(tally.unlocked):
            ended = "complete"
        elif done[0]:
            ended = "death" if seen.status[0, 0] <= 0 else "length"
        elif len(actions) == limit:
            ended = "length"
    agent.end(told)
    total = math.fsum(rewards)
    return Played(seed, episode, tuple(actions), tally.unlocked, total, ended)


def _told(agent: Agent, simulator: Simulator, seed: int) -> Episode:
    """What this agent may know about an episode."""
    world = simulator.world
    if knowledge(agent) == "rules and state":
        return Episode(seed, world.dynamics, simulator.length, world, simulator.state)
    return Episode(seed, world.dynamics, simulator.length)


@dataclass(frozen=True)
class Summary:
    """Episodes of one world summed up; see Section 3.1 of the Mars paper.

    Attributes:
        reward_mean: The mean reward of an episode.
        reward_std: The sample standard deviation (0 for a single episode).
        success: For each achievement, the share of episodes that reached it.
        score: The geometric mean of the success rates as percentages, with 1 added to each rate
            before and taken off after: exp(mean(ln(1 + rate))) - 1.
    """

    reward_mean: float
    reward_std: float
    success: dict[str, float]
    score: float


def summarise(
    rewards: Sequence[float], unlocked: Sequence[Iterable[str]], achievements: Sequence[str]
) -> Summary:
    """Sum up episodes, given what each was rewarded and what it reached.

    Raises:
        ValueError: There is no episode, or the two differ in number.
    """
    if not rewards or len(rewards) != len(unlocked):
        raise ValueError(f"{len(rewards)} rewards and {len(unlocked)} episodes")
    reached = [set(names) for names in unlocked]
    success = {
        name: sum(name in names for names in reached) / len(reached) for name in achievements
    }
    score = math.expm1(statistics.fmean(math.log1p(100 * rate) for rate in success.values()))
    spread = statistics.stdev(rewards) if len(rewards) > 1 else 0.0
    return Summary(statistics.fmean(rewards), spread, success, score)
