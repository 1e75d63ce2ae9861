r"""Beside a port of Craftax-Classic to C, of which the user has a library; one thread.

The port is at https://github.com/Infatoshi/craftax.cu; nothing of it is part of this project. It is
found by the environment variable ``CRAFTAX_C``, a library that was made by::

    gcc -O3 -march=native -ffast-math -funroll-loops -fopenmp -shared -fPIC -o libcraftax.so \
        craftax_classic.c -lm -lpthread

It plays by rules of its own: other noise and random numbers, at most a few creatures of each kind,
no chunks.
"""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

import numba
import numpy as np

from mars_logic import load_world
from mars_logic.errors import InputError
from mars_logic.experiments.measurement import (
    Bench,
    BenchmarkResult,
    compared,
    seconds_since,
)
from mars_logic.experiments.measurement.players import WINDOW, Ours
from mars_logic.sim import Simulator
from mars_logic.world.names import ACTIONS

LIBRARY = "CRAFTAX_C"
_BYTES = 4864
"""Of the port's record of an environment."""
_LINE = 64
_SPREAD_OUT = 300


def measure(bench: Bench) -> BenchmarkResult:
    """Steps without observations, resets, and random play with auto-reset."""
    path = os.environ.get(LIBRARY)
    if not bench.peer:
        return BenchmarkResult(())
    if not path:
        return BenchmarkResult((), notes=(f"not measured: {LIBRARY} names no library",))
    library = _loaded(path)
    batches, windows, steps = bench.size((256, 1024), (4, 8)), bench.size(4, 1), bench.size(200, 10)
    turns: dict[str, Callable[[], float] | None] = {}
    for n in batches:
        turns[f"port: steps, n = {n:,}"] = partial(Port(library, n).steps, windows)
        turns[f"steps, n = {n:,}"] = partial(Ours(n).steps, windows)
    n = batches[0]
    turns["port: random play with auto-reset"] = partial(Port(library, n).play, steps)
    turns["random play with auto-reset"] = partial(Ours(n).play, steps)
    turns["port: resets"], turns["resets"] = Port(library, n).resets, _resets(n)
    found = bench.interleave("Craftax-Classic in C", turns)
    names = [name for name in turns if f"port: {name}" in turns]
    return BenchmarkResult(
        tuple(
            compared(name, "1/s", found[name], found[f"port: {name}"], peer_name="port to C")
            for name in names
        )
    )


def _loaded(path: str) -> Any:
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise InputError(
            f"{LIBRARY}: {path} cannot be loaded ({error}); allowed: the path of a shared library"
        ) from None


def _resets(n: int) -> Callable[[], float]:
    """A turn gives resets per second."""
    batch, seeds = Simulator(load_world("crafter"), n), count(0, n)

    def turn() -> float:
        begun = time.process_time()
        batch.reset(next(seeds))
        return n / seconds_since(begun)

    return turn


class Port:
    """A batch of the port's environments under random actions."""

    def __init__(self, library: Any, n: int) -> None:
        """Reset the environments, and play until they are at different times of their episodes."""
        room = np.zeros(n * _BYTES + _LINE, np.uint8)
        self._states = room[-room.ctypes.data % _LINE :][: n * _BYTES]
        self._n, self._begun = n, 0
        self._random = np.random.default_rng(0)
        self._dones = np.zeros(n, np.int32)
        self._rewards = np.zeros(n, np.float32)
        self._reset, self._play = _compiled(library)
        self.resets()
        self.play(_SPREAD_OUT)

    def resets(self) -> float:
        """Reset all; resets per second."""
        self._begun += self._n
        begun = time.process_time()
        self._reset(self._states.ctypes.data, self._n, self._begun)
        return self._n / seconds_since(begun)

    def steps(self, windows: int) -> float:
        """Steps per second; resets are not timed, and the dead are stepped on until the next."""
        spent = 0.0
        for _ in range(windows):
            actions = self._actions(WINDOW)
            self._step(actions[0], resetting=True)
            begun = time.process_time()
            for row in actions:
                self._step(row, resetting=False)
            spent += time.process_time() - begun
        return windows * WINDOW * self._n / spent

    def play(self, steps: int) -> float:
        """Steps per second with auto-reset."""
        actions = self._actions(steps)
        begun = time.process_time()
        for row in actions:
            self._step(row, resetting=True)
        return steps * self._n / seconds_since(begun)

    def _step(self, actions: Any, *, resetting: bool) -> None:
        self._begun += 1
        data = [self._states.ctypes.data, self._rewards.ctypes.data, self._dones.ctypes.data]
        self._play(*data, actions, self._dones, resetting, self._begun)

    def _actions(self, steps: int) -> Any:
        return self._random.integers(len(ACTIONS), size=(steps, self._n)).astype(np.int32)


def _compiled(library: Any) -> tuple[Any, Any]:
    """Loops over a batch that call the library; not cached, since its address changes."""
    reset, step = library.craftax_reset, library.craftax_step
    reset.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64]
    step.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
    reset.restype = step.restype = None

    @numba.njit
    def reset_all(states: int, n: int, seed: int) -> None:
        for i in range(n):
            reset(states + i * _BYTES, np.uint64(seed), np.uint64(i))

    @numba.njit
    def play(
        states: int, rewards: int, places: int, actions: Any, dones: Any, resetting: bool, seed: int
    ) -> None:
        for i in range(len(actions)):
            state = states + i * _BYTES
            step(state, actions[i], rewards + 4 * i, places + 4 * i)
            if resetting and dones[i]:
                reset(state, np.uint64(seed), np.uint64(i))

    return reset_all, play


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
