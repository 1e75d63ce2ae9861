"""First states of coming episodes, generated ahead by a thread.

Generating a map takes as long as some hundred steps. The next episode of an environment is known
while the present one is played, so that a thread can generate its first state meanwhile. What an
episode is does not change: a first state depends on the world, the seed and the episode alone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.sim.drawn_map import FirstStates
from mars_logic.sim.sharing import is_crowded, shares_of


class EpisodeOfSeed(NamedTuple):
    """An episode of a seed, as the games count them."""

    seed: int
    number: int


class MapPool:
    """Room for first states, each of the next episode of one environment."""

    def __init__(
        self,
        size: int,
        rules: NDArray[np.void],
        dtype: np.dtype[np.void],
        begin: FirstStates,
    ) -> None:
        """Begin empty.

        Args:
            size: Number of first states that are kept.
            rules: The record of rules of ``tables.compile_rules``.
            dtype: The record of an environment.
            begin: How episodes begin.
        """
        self._rules = rules
        self._records = np.zeros(size, dtype)
        self._bytes = self._records.view(np.uint8).reshape(size, -1)
        self._chosen = np.ones(size, np.bool_)
        self._begin = begin
        self._lock = Lock()
        self._thread = ThreadPoolExecutor(1, "map-pool")
        self._working = False
        self._free = list(range(size))
        self._wanted: OrderedDict[int, EpisodeOfSeed] = OrderedDict()
        self._expected: dict[int, EpisodeOfSeed] = {}
        self._ready: dict[int, int] = {}

    def prepare(self, coming: Iterable[tuple[int, EpisodeOfSeed]]) -> None:
        """Generate the coming episodes of environments when there is room; return at once."""
        with self._lock:
            for env, episode in coming:
                if env in self._ready:
                    self._free.append(self._ready.pop(env))
                self._expected[env] = episode
                self._wanted[env] = episode
                self._wanted.move_to_end(env)
            if not self._working and self._free and self._wanted:
                self._working = True
                self._thread.submit(self._generate)

    def take(self, envs: NDArray[np.void], where: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Copy the prepared first states into environments.

        Args:
            envs: The environments, records whose ``seed`` and ``episode`` are those to begin.
            where: bool[n]: the environments that begin.

        Returns:
            bool[n]: those that begin and were not prepared.
        """
        left = where.copy()
        with self._lock:
            for env in np.flatnonzero(where).tolist():
                episode = EpisodeOfSeed(int(envs["seed"][env]), int(envs["episode"][env]))
                if env in self._ready and self._expected[env] == episode:
                    slot = self._ready.pop(env)
                    envs[env : env + 1].view(np.uint8)[:] = self._bytes[slot]
                    self._free.append(slot)
                    left[env] = False
        return left

    def close(self) -> None:
        """Stop the thread after the map that it is at."""
        with self._lock:
            self._wanted.clear()
        self._thread.shutdown(wait=False)

    def _generate(self) -> None:
        """Work of the thread: generate what is wanted, in the order of asking, while there is room.

        A first state that does not fit into a record is left to the simulator, as is one that
        nobody expects any more when it is ready.
        """
        while True:
            with self._lock:
                if not (self._free and self._wanted):
                    self._working = False
                    return
                env, episode = self._wanted.popitem(last=False)
                slot = self._free.pop()
            self._records["seed"][slot], self._records["episode"][slot] = episode
            shares = shares_of(slot, slot + 1)
            reset, tables = self._begin
            reset(self._records, self._rules, tables, self._chosen, shares, 0)
            with self._lock:
                if (
                    not is_crowded(shares)
                    and self._expected[env] == episode
                    and env not in self._wanted
                ):
                    self._ready[env] = slot
                else:
                    self._free.append(slot)
