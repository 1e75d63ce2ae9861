"""An episode in a person's hands: steps that can be taken back, and aids that are noted."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from itertools import combinations
from typing import Final, Literal, get_args

from mars_logic.play.action_keys import changes
from mars_logic.play.episodes import Ended, Played, Tally
from mars_logic.sim import Simulator, Snapshot
from mars_logic.world.theory import World

Aid = Literal["manual", "undo"]
"""A person's aids beyond observations: the rules in words; undo of a step."""

AIDS: Final[tuple[Aid, ...]] = get_args(Aid)
UNDOABLE: Final = 500
"""Steps that can be taken back: their snapshots take about 13 KB each."""


def agent_name(aids: Iterable[Aid] = ()) -> str:
    """What a person is called in certificates and trajectories: ``human``, and with which aids.

    Whoever groups episodes by agent thereby compares like with like.

    Example:
        >>> agent_name(), agent_name(["undo", "manual"])
        ('human', 'human_with_manual_and_undo')
    """
    used = [aid for aid in AIDS if aid in set(aids)]
    return "human" + ("_with_" + "_and_".join(used) if used else "")


AGENTS: Final = {
    agent_name(aids): frozenset(aids)
    for n in range(len(AIDS) + 1)
    for aids in combinations(AIDS, n)
}
"""The aids behind each name, from none to all."""


class PlaySession:
    """One episode, step by step, as ``episodes.play`` plays it for agents.

    Attributes:
        simulator: Where it is played (n = 1).
        length: Steps after which it ends, if nothing else ends it.
        seed: The environment's seed.
        seen: What the player sees now.
        actions: The code of every action that counts: those taken back do not.
        rewards: What each of them gave.
        unlocked: The step (from 1) at which each achievement was first reached.
        aids: What was used besides what is seen.
    """

    def __init__(
        self, world: World, seed: int, goals: Iterable[str], limit: int | None = None
    ) -> None:
        """Begin the first episode of a seed.

        Args:
            world: Where to play.
            seed: The environment's seed.
            goals: The achievements after which nothing is left to do.
            limit: Steps after which it ends, if before the world's own length.
        """
        self.simulator = Simulator(world)
        self.simulator.reset(seed)
        self.length = min(self.simulator.length, limit or self.simulator.length)
        self.seed = seed
        self.seen = self.simulator.observe()
        self.actions: list[int] = []
        self.rewards: list[float] = []
        self.unlocked: dict[str, int] = {}
        self.aids: set[Aid] = set()
        self._goals = frozenset(goals)
        self._before: deque[Snapshot] = deque(maxlen=UNDOABLE)
        self._done = False

    @property
    def world(self) -> World:
        """Where it is played."""
        return self.simulator.world

    @property
    def agent(self) -> str:
        """The player's name, aids included."""
        return agent_name(self.aids)

    @property
    def steps(self) -> int:
        """How many actions count."""
        return len(self.actions)

    @property
    def reward(self) -> float:
        """The sum of all rewards."""
        return math.fsum(self.rewards)

    @property
    def ended(self) -> Ended | None:
        """How the episode ended, if it is over."""
        if self._goals <= set(self.unlocked):
            return "complete"
        if not self._done:
            return None
        return "death" if self.seen.status[0, 0] <= 0 else "length"

    @property
    def status(self) -> str:
        """The step, the reward, how much is unlocked and how the episode ended, in a line."""
        ends = {"complete": "all is unlocked", "death": "you died", "length": "the episode is over"}
        parts = [
            f"step {self.steps} of {self.length}",
            f"reward {self.reward:.1f}",
            f"{len(self.unlocked)} of {len(self.world.achievements)} unlocked",
        ]
        return " · ".join(parts + ([ends[self.ended]] if self.ended in ends else []))

    @property
    def can_undo(self) -> bool:
        """Whether a step can be taken back."""
        return bool(self._before)

    def act(self, action: int) -> tuple[str, ...]:
        """Take a step, unless the episode is over; return what it unlocked."""
        if self.ended:
            return ()
        self._before.append(self.simulator.snapshot())
        reward, done = self.simulator.step(action)
        self.actions.append(action)
        self.rewards.append(float(reward[0]))
        self._look(bool(done[0]))
        tally = Tally(self.simulator)
        tally.note(self.steps)
        new = tuple(name for name in tally.unlocked if name not in self.unlocked)
        self.unlocked |= dict.fromkeys(new, self.steps)
        return new

    def act_told(self, action: int) -> str:
        """Take a step; return the action and what it changed: ``do, wood +1``."""
        words, before = self.world.vocabulary, self.seen
        unlocked = self.act(action)
        changed = changes(before, self.seen, words.items)
        return ", ".join(
            (words.actions[action], *changed, *(f"unlocked {name}" for name in unlocked))
        )

    def undo(self) -> None:
        """Take the last step back, luck included: the same step would have the same outcome.

        Raises:
            IndexError: There is no step that can be taken back.
        """
        self.simulator.restore(self._before.pop())
        self.aids.add("undo")
        self.actions.pop()
        self.rewards.pop()
        self.unlocked = {name: at for name, at in self.unlocked.items() if at <= self.steps}
        self._look(done=False)

    def played(self) -> Played:
        """The episode as it counts; ``stopped`` if it is not over."""
        ended: Ended = self.ended or "stopped"
        return Played(self.seed, 1, tuple(self.actions), dict(self.unlocked), self.reward, ended)

    def _look(self, done: bool) -> None:
        self._done = done or self.steps == self.length
        self.seen = self.simulator.observe()
