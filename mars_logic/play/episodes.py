"""Plays episodes with an agent and sums them up as the Mars paper does."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, runtime_checkable

from mars_logic.compiled.compilation import clock
from mars_logic.play.agent import Agent, Episode, Seen, knowledge, own_seed
from mars_logic.sim import Observation, Simulator
from mars_logic.system.display import html_table, number
from mars_logic.world.words import manual

Ended = Literal["length", "death", "complete", "stopped"]
"""End of an episode; ``stopped`` if a human player left before it was over."""


@dataclass(frozen=True, repr=False)
class Played:
    """A played episode.

    ``print`` shows its achievements with their steps; a notebook shows them as a table.

    Attributes:
        seed: The environment's seed.
        episode: Which episode of that seed.
        actions: The code of every action, in order.
        unlocked: The step (from 1) at which each achievement was first reached.
        reward: The sum of the rewards of all steps.
        ended: By its length, by death, because nothing was left to achieve, or because the player
            left.
        seconds: The agent's time for each step in seconds, for its decision and its learning; the
            first includes its start. Excluded from comparison, since it depends on the machine.
    """

    seed: int
    episode: int
    actions: tuple[int, ...]
    unlocked: dict[str, int]
    reward: float
    ended: Ended
    seconds: tuple[float, ...] = field(default=(), compare=False)

    @property
    def steps(self) -> int:
        """Number of steps."""
        return len(self.actions)

    def __repr__(self) -> str:
        return f"<Played {self._summary()}>"

    def __str__(self) -> str:
        steps = (f"  {step:>5}  {name}" for name, step in self._by_step())
        return "\n".join((self._summary(), *steps))

    def _repr_html_(self) -> str:
        rows = ((name, str(step)) for name, step in self._by_step())
        return html_table(rows, ("achievement", "step"), self._summary())

    def _summary(self) -> str:
        reached = number(len(self.unlocked), "achievement")
        steps, reward = number(self.steps, "step"), f"reward {self.reward:.1f}"
        return f"seed {self.seed}: {reached} in {steps}, {reward}, ended: {self.ended}"

    def _by_step(self) -> list[tuple[str, int]]:
        return sorted(self.unlocked.items(), key=lambda pair: pair[1])


class Tally:
    """Records the step at which each achievement is first reached."""

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        self._names = simulator.world.vocabulary.achievements
        self.reached: dict[str, int] = {}

    @property
    def unlocked(self) -> dict[str, int]:
        """Of the achievements that count in this world."""
        world = self._simulator.world
        if not world.goals:
            return self.reached
        counted = set(world.achievements)
        return {name: step for name, step in self.reached.items() if name in counted}

    def note(self, step: int) -> None:
        """Look at the counters after a step."""
        for name, count in zip(self._names, self._simulator.counters[0], strict=True):
            if count > 0:
                self.reached.setdefault(name, step)


@runtime_checkable
class Learner(Protocol):
    """A recipient of the result of each action; agents with this method receive it too."""

    def note(
        self, action: int, reward: float, unlocked: Iterable[str], done: bool, after: Observation
    ) -> None:
        """One step was taken: what it gave, what it unlocked, and what is seen now."""


class Observer(Protocol):
    """Observes an episode without influence on it.

    It has to copy arrays that it keeps, since the agent gets the same ones.
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
    *,
    live_on: bool = False,
) -> Played:
    """Play one episode until it is over or, unless the player is to live on, all goals are reached.

    Args:
        agent: Who plays.
        simulator: One environment (n = 1); it is reset.
        seed: The environment's seed; the agent's own choices are seeded with it too.
        goals: The achievements after which nothing is left to do.
        episode: Which episode of that seed.
        observer: Who watches.
        limit: Steps after which to stop, if that is before the episode's length.
        live_on: Whether the episode goes on after the last goal, to death or its length.
    """
    wanted = set(goals)
    shown = Seen()
    told = replace(_told(agent, simulator, seed, wanted, limit), observation=shown)
    simulator.reset(seed, episode)
    seen = shown.now = simulator.observe()
    seconds: list[float] = []
    asked = clock()
    agent.begin(told)
    tally = Tally(simulator)
    actions: list[int] = []
    rewards: list[float] = []
    ended: Ended | None = None
    if observer:
        observer.begin(seen)
    while ended is None:
        actions.append(agent.act(seen))
        seconds.append(clock() - asked)
        reward, done = simulator.step(actions[-1])
        rewards.append(float(reward[0]))
        tally.note(len(actions))
        seen = shown.now = simulator.observe()
        new = [name for name, step in tally.reached.items() if step == len(actions)]
        came = actions[-1], rewards[-1], new, bool(done[0]), seen
        if isinstance(agent, Learner):
            asked = clock()
            agent.note(*came)
            seconds[-1] += clock() - asked
        if observer:
            observer.note(*came)
        if not live_on and wanted <= tally.reached.keys():
            ended = "complete"
        elif done[0]:
            ended = "death" if seen.status[0, 0] <= 0 else "length"
        elif len(actions) == limit:
            ended = "length"
        asked = clock()
    agent.end(told)
    total = math.fsum(rewards)
    times = tuple(seconds)
    return Played(seed, episode, tuple(actions), tally.unlocked, total, ended, times)


def _told(
    agent: Agent, simulator: Simulator, seed: int, wanted: set[str], limit: int | None
) -> Episode:
    """The information about an episode for this agent."""
    world, knows = simulator.world, knowledge(agent)
    told = Episode(
        seed=seed,
        dynamics=world.dynamics,
        length=min(simulator.length, limit or simulator.length),
        actions=world.vocabulary.actions,
        start=world.map.start(seed),
        own_map=bool(world.map),
        adds=world.adds,
        own_length=world.length,
        own_goals=world.goals,
    )
    if knows == "nothing":
        return told
    told = replace(told, world=world, manual=manual(world))
    if knows == "rules":
        return replace(told, seed=own_seed(seed))
    goals = tuple(name for name in world.achievements if name in wanted)
    told = replace(told, state=simulator.state, goals=goals)
    return told if knows != "simulator" else replace(told, simulator=lambda: _copy(simulator))


def _copy(simulator: Simulator) -> Simulator:
    copy = Simulator(simulator.world, length=simulator.length)
    copy.restore(simulator.snapshot())
    return copy


@dataclass(frozen=True)
class Summary:
    """Episodes of one world summed up; see Section 3.1 of the Mars paper.

    Attributes:
        reward_mean: The mean reward of an episode.
        reward_std: The sample standard deviation (0 for a single episode).
        success: For each achievement, the share of episodes that reached it, of those in which it
            was not known to be unreachable; None if there are none.
        score: The geometric mean of the success rates as percentages, with 1 added to each rate
            before and taken off after: exp(mean(ln(1 + rate))) - 1.
    """

    reward_mean: float
    reward_std: float
    success: dict[str, float | None]
    score: float


def summarise(
    rewards: Sequence[float],
    unlocked: Sequence[Iterable[str]],
    achievements: Sequence[str],
    unreachable: Sequence[Iterable[str]] | None = None,
) -> Summary:
    """Sum up episodes, given what each was rewarded and what it reached.

    Args:
        rewards: Of each episode.
        unlocked: What each reached.
        achievements: All that there are.
        unreachable: What none could have reached in each, which does not count against the rates;
            by default nothing.

    Raises:
        ValueError: There is no episode, or the numbers of episodes differ.
    """
    if not rewards or len(rewards) != len(unlocked):
        raise ValueError(f"{len(rewards)} rewards and {len(unlocked)} episodes")
    reached = [set(names) for names in unlocked]
    barred = [set(names) for names in unreachable or [()] * len(reached)]
    success: dict[str, float | None] = {}
    for name in achievements:
        open_to = [of for of, out in zip(reached, barred, strict=True) if name not in out]
        success[name] = sum(name in of for of in open_to) / len(open_to) if open_to else None
    rates = [rate for rate in success.values() if rate is not None]
    score = math.expm1(statistics.fmean(math.log1p(100 * rate) for rate in rates or [0.0]))
    spread = statistics.stdev(rewards) if len(rewards) > 1 else 0.0
    return Summary(statistics.fmean(rewards), spread, success, score)
