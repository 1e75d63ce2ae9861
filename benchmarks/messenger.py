"""Steps per second of Messenger's level 2 in a batch, beside py-vgdl, where that can be imported.

py-vgdl (the fork of ahjwang on GitHub) is on no package registry: put a checkout of it on
PYTHONPATH, and install pygame. Without it, only our numbers are taken. Its ticks are timed without
observations, as ours are; levels that are built anew are not timed.
"""

from __future__ import annotations

import importlib.util
import os
import time
from typing import Any

import numpy as np

from mars_logic.domains import load_game
from mars_logic.domains.messenger.many import MessengerBatch
from mars_logic.domains.messenger.rules import Messenger
from mars_logic.experiments.measurement import (
    Bench,
    BenchmarkResult,
    BenchmarkRow,
    Goal,
    Spread,
    compared,
)

BATCHES = (256, 1024)
_SLOTS = 5
_DESCRIPTION = """
BasicGame block_size=2
    SpriteSet
        floor > Immovable hidden=True
        enemy > Chaser stype=avatar speed=0.5
        message > Fleeing stype=avatar speed=0.5
        goal > Immovable
        avatar > MovingAvatar
            empty >
            laden >
    InteractionSet
        enemy EOS > stepBack
        message EOS > stepBack
        avatar EOS > stepBack
        avatar enemy > killSprite scoreChange=-1
        empty goal > killSprite scoreChange=-1
        empty message > transformTo stype=laden scoreChange=0.5
        message avatar > killSprite
        goal laden > killSprite scoreChange=1
    TerminationSet
        SpriteCounter stype=avatar limit=0 win=False
        SpriteCounter stype=goal limit=0 win=True
    LevelMapping
        . > floor
        E > floor enemy
        M > floor message
        G > floor goal
        X > floor empty
"""
"""Level 2 with a chasing enemy, a fleeing message and a goal that stays."""
_ROWS = {2: "..G....X..", 7: "..M....E.."}
_LEVEL = "\n".join(_ROWS.get(y, "." * 10) for y in range(10))


def measure(bench: Bench) -> BenchmarkResult:
    """Random actions; a game that is over begins anew."""
    batches = {n: _Ours(n) for n in bench.size(BATCHES, (4, 8))}
    has_peer = bench.peer and importlib.util.find_spec("vgdl") is not None
    peer = _Vgdl() if has_peer else None
    ticks = bench.size(2000, 20)
    found = bench.interleave(
        "messenger",
        {
            "py-vgdl": (lambda: peer.steps(ticks)) if peer else None,
            **{f"batch {n}": _turn(batch, bench.size(400, 5)) for n, batch in batches.items()},
        },
    )
    rows = []
    for n in batches:
        what, mine = f"steps of Messenger, level 2, n = {n:,}", found[f"batch {n}"]
        if peer:
            theirs = found["py-vgdl"]
            goal = Goal(500, 2000)
            rows.append(compared(what, "1/s", mine, theirs, peer_name="py-vgdl", goal=goal))
        else:
            rows.append(BenchmarkRow(what, "1/s", Spread.of(mine)))
    notes = () if has_peer else ("py-vgdl could not be imported, so it was not compared",)
    return BenchmarkResult(tuple(rows), notes=notes)


class _Ours:
    """A batch; environments that are over go back to their beginning."""

    def __init__(self, n: int) -> None:
        game = load_game("MessengerL2")
        assert isinstance(game, Messenger)
        still = {"enemy_motion": "chaser", "message_motion": "fleeing", "goal_motion": "immovable"}
        self._batch = MessengerBatch(game.model_copy(update=still), n)
        self._batch.reset(np.arange(n))
        self._first = self._batch.states.copy()
        self._random = np.random.default_rng(0)

    def steps(self, rounds: int) -> float:
        """Steps a second of processor time, with draws, but without what begins anew."""
        batch, taken = self._batch, 0.0
        for _ in range(rounds):
            actions = self._random.integers(0, _SLOTS, batch.n)
            begun = time.process_time()
            _, done = batch.step(actions)
            taken += time.process_time() - begun
            batch.states[done] = self._first[done]
        return rounds * batch.n / taken


class _Vgdl:
    """The reference engine."""

    def __init__(self) -> None:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
        vgdl: Any = importlib.import_module("vgdl")
        self._domain = vgdl.VGDLParser().parse_game(_DESCRIPTION, block_size=2)
        self._game = self._domain.build_level(_LEVEL)
        self._actions = [*self._game.get_possible_actions().values()]
        self._random = np.random.default_rng(0)

    def steps(self, ticks: int) -> float:
        """Ticks a second of processor time."""
        taken = 0.0
        for _ in range(ticks):
            if self._game.ended:
                self._game = self._domain.build_level(_LEVEL)
            action = self._actions[int(self._random.integers(len(self._actions)))]
            begun = time.process_time()
            self._game.tick(action)
            taken += time.process_time() - begun
        return ticks / taken


def _turn(batch: _Ours, rounds: int) -> Any:
    return lambda: batch.steps(rounds)


if __name__ == "__main__":
    from mars_logic.cli.bench import alone

    alone(__file__)
