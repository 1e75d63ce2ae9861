"""The protocol: how a model ranks true next states, and how far its own samples are from them."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple

from mars_logic.experiments.state_ranking.documents import StateDocument, edit_distance
from mars_logic.experiments.state_ranking.mutators import distractors
from mars_logic.experiments.state_ranking.scenarios import (
    StateTransition,
    applies,
    scenarios_of,
    transitions,
)
from mars_logic.experiments.state_ranking.simulated import SimulatedModel, StatePrediction
from mars_logic.world.theory import Theory, World

DISTRACTORS: Final = 10
"""Mutated states among the candidates, at most."""


class StateMetrics(NamedTuple):
    """Means over transitions.

    Attributes:
        mrr: Mean reciprocal rank of the true next state.
        rank_1: How often it is ranked first.
        raw: Edit distance of the model's sample, in operations.
        normalised: The same by the number of leaves of the true state.
    """

    mrr: float
    rank_1: float
    raw: float
    normalised: float


@dataclass(frozen=True)
class ScenarioResult:
    """What a model achieves in one scenario.

    Attributes:
        mean: Of the means of the trials.
        std: Standard deviation of the means of the trials.
    """

    mean: StateMetrics
    std: StateMetrics


@dataclass(frozen=True)
class StateRanking:
    """What a model achieves in all scenarios.

    Attributes:
        scenarios: By the name of the scenario.
        left_out: Scenarios that the true world has no case of.
        transitions: Of each scenario.
        trials: Of each transition.
    """

    scenarios: Mapping[str, ScenarioResult]
    left_out: tuple[str, ...]
    transitions: int
    trials: int

    @property
    def mean(self) -> StateMetrics:
        """Over scenarios, each of the same weight."""
        return _mean(each.mean for each in self.scenarios.values())

    @property
    def std(self) -> StateMetrics:
        """Mean of the scenarios' standard deviations over trials."""
        return _mean(each.std for each in self.scenarios.values())

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "mean": self.mean._asdict(),
            "std": self.std._asdict(),
            "transitions": self.transitions,
            "trials": self.trials,
            "left_out": list(self.left_out),
            "scenarios": {
                name: {"mean": each.mean._asdict(), "std": each.std._asdict()}
                for name, each in self.scenarios.items()
            },
        }


class StateRankingTest:
    """Transitions of a true world, by which any number of theories can be ranked.

    Args:
        truth: The true world.
        transitions: Of each scenario.
        trials: How often each is ranked, with other distractors and another sample.
        seed: Of all that is drawn.
    """

    def __init__(self, truth: World, transitions: int = 30, trials: int = 5, seed: int = 0) -> None:
        self.truth = truth
        self._number, self._trials, self._seed = transitions, trials, seed
        self._played: dict[str, list[StateTransition]] = {}

    @property
    def names(self) -> list[str]:
        """The scenarios that the true world has."""
        return [
            name for name, each in scenarios_of(self.truth).items() if applies(each, self.truth)
        ]

    def rank(self, theory: Theory, done: Callable[[str], None] = lambda _: None) -> StateRanking:
        """Rank the true next states by a theory.

        Args:
            theory: The theory, of the true world's dialect.
            done: Called after each scenario with its name.
        """
        model = SimulatedModel(theory, self._seed)
        found = {}
        for name in self.names:
            found[name] = self._result(name, model)
            done(name)
        left_out = tuple(name for name in scenarios_of(self.truth) if name not in found)
        return StateRanking(found, left_out, self._number, self._trials)

    def _result(self, name: str, model: SimulatedModel) -> ScenarioResult:
        if name not in self._played:
            self._played[name] = transitions(self.truth, name, self._number, self._seed)
        actions = self.truth.vocabulary.actions
        trials: list[list[StateMetrics]] = [[] for _ in range(self._trials)]
        for number, each in enumerate(self._played[name]):
            prediction = model.predict(each.before, each.action)
            for trial, found in enumerate(trials):
                random = Random(f"{self._seed} {name} {number} {trial}")
                wrong = distractors(
                    each.last, each.after, actions[each.action], DISTRACTORS, random
                )
                found.append(ranked(each.after, prediction, wrong, random))
        means = [_mean(found) for found in trials]
        spread = StateMetrics(*map(statistics.pstdev, zip(*means, strict=True)))
        return ScenarioResult(_mean(means), spread)


def ranked(
    true: StateDocument,
    prediction: StatePrediction,
    wrong: Sequence[StateDocument],
    random: Random,
) -> StateMetrics:
    """How one prediction ranks the true next state among others.

    The candidates are the true state, a sample of the prediction, and the wrong ones. A sample
    that equals the true state counts as it; other states of the same likelihood are in random
    order.

    Args:
        true: The true next state.
        prediction: What the model predicts.
        wrong: Mutated states.
        random: Draws the sample and the order.
    """
    sample = prediction.sample(random)
    candidates = [true, sample, *wrong]
    random.shuffle(candidates)
    ordered = sorted(candidates, key=prediction.log_likelihood, reverse=True)
    rank = 1 + ordered.index(true)
    return StateMetrics(1 / rank, float(rank == 1), *edit_distance(sample, true))


def _mean(found: Iterable[StateMetrics]) -> StateMetrics:
    return StateMetrics(*map(statistics.fmean, zip(*found, strict=True)))
