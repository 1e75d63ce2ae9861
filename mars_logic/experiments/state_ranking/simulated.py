"""A theory as a model of the game: futures simulated by its rules, and how likely a state is."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from random import Random
from typing import Any, Final

import numpy as np

from mars_logic.experiments.state_ranking.documents import StateDocument, factors, state_document
from mars_logic.experiments.state_ranking.scenarios import CORNER
from mars_logic.sim import Simulator, Snapshot
from mars_logic.sim.imagined_state import stream_table
from mars_logic.world.theory import Theory

FUTURES: Final = 512
"""Simulated futures of each transition."""
WORLDS: Final = 32
"""Worlds drawn from a theory that leaves fields open; each plays a share of the futures."""
_HALF: Final = 0.5
"""Added to every count (Krichevsky and Trofimov), so that nothing is impossible."""


class SimulatedModel:
    """Predicts next states by the rules of a theory.

    The random streams of the futures are the model's own; nothing is known of the true game's.

    Args:
        theory: The rules. Where fields are open, worlds are drawn: alternatives by their weights,
            unknown fields evenly among their usual values.
        seed: Of the draws of worlds.
    """

    def __init__(self, theory: Theory, seed: int = 0) -> None:
        draws = range(seed * WORLDS, (seed + 1) * WORLDS)
        worlds = (
            [theory.sample(draw) for draw in draws] if theory.uncertain else [theory.to_world()]
        )
        self._words = theory.vocabulary
        self._simulators = [Simulator(world, n=FUTURES // len(worlds)) for world in worlds]

    def predict(self, before: Snapshot, action: int) -> StatePrediction:
        """The next states of one state, given an action.

        Args:
            before: The state, of one environment.
            action: The action's code.
        """
        found: list[tuple[StateDocument, int]] = []
        streams = stream_table(FUTURES)
        for number, simulator in enumerate(self._simulators):
            envs = np.repeat(before.envs, simulator.n)
            envs["stream"] = streams[number * simulator.n : (number + 1) * simulator.n]
            simulator.restore(Snapshot(envs))
            simulator.step([action] * simulator.n)
            for env, count in _distinct(simulator.snapshot()):
                found.append((state_document(simulator.state(env), self._words, CORNER), count))
        return StatePrediction(found)


class StatePrediction:
    """Simulated next states.

    The probability of a state is the product of those of its factors
    (:func:`~mars_logic.experiments.state_ranking.documents.factors`), each the share of futures in
    which it has this value.
    """

    def __init__(self, found: list[tuple[StateDocument, int]]) -> None:
        self._found = found
        number = sum(count for _, count in found)
        counts: defaultdict[Any, Counter[Any]] = defaultdict(Counter)
        for document, count in found:
            for name, value in factors(document).items():
                counts[name][value] += count

        def log(times: int) -> float:
            return math.log((times + _HALF) / (number + 2 * _HALF))

        self._seen = {
            name: {value: log(times) for value, times in values.items()}
            for name, values in counts.items()
        }
        self._absent = {name: log(number - values.total()) for name, values in counts.items()}
        self._never = log(0)

    def sample(self, random: Random) -> StateDocument:
        """One of the futures, drawn at random."""
        documents, counts = zip(*self._found, strict=True)
        chosen: StateDocument = random.choices(documents, counts)[0]
        return chosen

    def log_likelihood(self, state: StateDocument) -> float:
        """The logarithm of a state's probability, in nats.

        What a state lacks, such as an object that is gone, is as probable as futures without it.
        """
        held = factors(state)
        there = (self._seen.get(name, {}).get(value, self._never) for name, value in held.items())
        gone = (log for name, log in self._absent.items() if name not in held)
        return sum(there) + sum(gone)


def _distinct(snapshot: Snapshot) -> list[tuple[int, int]]:
    """Environments that differ in more than their random streams, with how many are alike."""
    envs = snapshot.envs
    stream, start = envs.dtype.fields["stream"][:2]  # type: ignore[index]
    rows = np.ascontiguousarray(envs).view(np.uint8).reshape(len(envs), -1)
    end = start + stream.itemsize
    keys = [row[:start].tobytes() + row[end:].tobytes() for row in rows]
    first: dict[bytes, int] = {}
    for number, key in enumerate(keys):
        first.setdefault(key, number)
    counts = Counter(keys)
    return [(number, counts[key]) for key, number in first.items()]
