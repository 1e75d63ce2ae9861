"""Local search for a better play: simulate to the end, go back, insert a detour, continue.

A play is what the oracle makes of an episode, with detours: at some step it takes a few other
actions, or goes for one missing achievement alone; from then on the oracle, begun anew, plays on.
Each detour is made in the best play so far, and kept if it is no worse. Where that play ended in
death, detours begin shortly before, and then ever earlier. Everything random comes from the
episode's seed, and the budget counts simulated steps, so that the same episode gives the same play
everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from mars_logic.plan.planner import Planner
from mars_logic.plan.world_model import NOOP

from .oracle import OracleAgent

if TYPE_CHECKING:
    from mars_logic.play.agent import Episode
    from mars_logic.sim import Simulator, Snapshot
    from mars_logic.world.theory import World

_SPACING = 25
"""Steps between two snapshots."""
_NEAR, _TRIES = 8, 4
"""Detours begin in the last so many steps; after so many in vain, in the last twice as many."""
_LONGEST = 12
"""Other actions in a detour, at most."""
_ALONE = 150
"""Steps for which one achievement is gone for alone, at most."""
_MOVES = (1, 2, 3, 4)


@dataclass(frozen=True)
class Play:
    """An episode played ahead.

    Attributes:
        actions: The code of every action.
        unlocked: The step (from 1) at which each goal was reached.
        complete: Whether all goals were.
        died: Whether it ended in death.
        snapshots: The simulator after 0, 25, 50… steps.
    """

    actions: tuple[int, ...]
    unlocked: dict[str, int]
    complete: bool
    died: bool
    snapshots: tuple[Snapshot, ...]

    @property
    def steps(self) -> int:
        """How many steps it took."""
        return len(self.actions)

    @property
    def value(self) -> tuple[int, int]:
        """The larger, the better: goals, then fewer steps for all of them, or a longer life."""
        return len(self.unlocked), -self.steps if self.complete else self.steps


class SimulatorForesight:
    """Plays of one episode, in a simulator of its own."""

    def __init__(self, episode: Episode) -> None:
        """Begin where the episode is.

        Args:
            episode: What is told about it: also the world and the simulator.
        """
        assert episode.world is not None and episode.simulator is not None
        self._simulator = episode.simulator()
        self._goals = episode.goals or episode.world.achievements
        self._told = replace(
            episode, state=self._simulator.state, goals=self._goals, simulator=None
        )
        self._random = Random(f"mars-logic clairvoyant {episode.seed}")
        self._beginning = self._simulator.snapshot()

    def search(self, budget: int, *, shorten: bool) -> Play:
        """The best play found; never worse than the oracle's own.

        Args:
            budget: Steps to simulate, beside those of the oracle's own play; a play that is begun
                is finished.
            shorten: Whether to go on when all goals are reached.
        """
        path = _Path(self._simulator, self._told, self._beginning)
        path.lead(OracleAgent(), self._told.length)
        best, in_vain = path.play(), 0
        while budget > 0 and (shorten or not best.complete):
            path = self._detour(best, in_vain)
            # No play is of use that reaches everything later than the best.
            path.lead(OracleAgent(), best.steps if best.complete else self._told.length)
            budget -= path.simulated
            other = path.play()
            in_vain = 0 if other.value > best.value else in_vain + 1
            best = other if other.value >= best.value else best
        return best

    def _detour(self, best: Play, in_vain: int) -> _Path:
        """A play up to some step, and then something else for a while."""
        path = _Path(self._simulator, self._told, self._beginning)
        missing = [goal for goal in self._goals if goal not in best.unlocked]
        if not best.died and in_vain < len(missing):
            # What there was time enough for might have been there at the beginning.
            goal: str | None = missing[in_vain]
            begin = 0
        else:
            goal = self._random.choice(missing) if missing and self._random.random() < 0.5 else None
            reach = _NEAR << min(20, in_vain // _TRIES) if best.died else best.steps
            begin = best.steps - self._random.randint(1, min(best.steps, reach))
        path.follow(best, begin)
        if goal:
            path.lead(_Single(goal), begin + _ALONE, goal)
        else:
            path.take(self._other_actions())
        return path

    def _other_actions(self) -> list[int]:
        """Waiting, walking one way, or walking about."""
        length = self._random.randint(1, _LONGEST)
        match self._random.randrange(3):
            case 0:
                return [NOOP] * length
            case 1:
                return [self._random.choice(_MOVES)] * length
        return self._random.choices(_MOVES, k=length)


class _Single(OracleAgent):
    """An oracle that wants one achievement."""

    def __init__(self, goal: str) -> None:
        super().__init__()
        self._goal = goal

    def make_planner(self, world: World, length: int) -> Planner:
        """A planner for it."""
        return Planner(world, (self._goal,), length=length)


class _Path:
    """A play in the making."""

    def __init__(self, simulator: Simulator, told: Episode, beginning: Snapshot) -> None:
        self.simulated = 0
        self.unlocked: dict[str, int] = {}
        self._simulator = simulator
        self._told = told
        names = simulator.world.achievements
        self._counters = [(goal, names.index(goal)) for goal in told.goals]
        self._actions: list[int] = []
        self._snapshots = [beginning]
        self._over = False
        simulator.restore(beginning)

    def follow(self, play: Play, steps: int) -> None:
        """Take the first steps of a play again."""
        number = steps // _SPACING
        done = number * _SPACING
        self._simulator.restore(play.snapshots[number])
        self._snapshots = [*play.snapshots[: number + 1]]
        self._actions = [*play.actions[:done]]
        self.unlocked = {goal: at for goal, at in play.unlocked.items() if at <= done}
        self.take(play.actions[done:steps])
        self.simulated = 0

    def take(self, actions: Iterable[int]) -> None:
        """Carry out actions, until the episode is over."""
        for action in actions:
            if self._over or len(self._actions) >= self._told.length:
                return
            self._step(action)

    def lead(self, agent: OracleAgent, limit: int, goal: str | None = None) -> None:
        """Let an agent play up to some step, until the episode is over or a goal is reached."""
        agent.begin(self._told)
        limit = min(limit, self._told.length)
        while not (self._over or len(self._actions) >= limit or goal in self.unlocked):
            self._step(agent.act(self._simulator.observe()))

    def play(self) -> Play:
        """The outcome so far."""
        died = bool(self._simulator.observe().status[0, 0] <= 0)
        complete = len(self.unlocked) == len(self._counters)
        actions, snapshots = tuple(self._actions), tuple(self._snapshots)
        return Play(actions, self.unlocked, complete, died, snapshots)

    def _step(self, action: int) -> None:
        _, done = self._simulator.step(action)
        self.simulated += 1
        self._actions.append(action)
        counters = self._simulator.achievements[0]
        for goal, index in self._counters:
            if counters[index] > 0:
                self.unlocked.setdefault(goal, len(self._actions))
        if len(self._actions) % _SPACING == 0:
            self._snapshots.append(self._simulator.snapshot())
        self._over = bool(done[0]) or len(self.unlocked) == len(self._counters)
