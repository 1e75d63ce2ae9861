"""How true next states are ranked."""

from __future__ import annotations

import copy
import json
import math
from functools import cache
from random import Random
from typing import Any

import jsonpatch
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.experiments.state_ranking import ranking
from mars_logic.experiments.state_ranking.documents import edit_distance, factors, leaves
from mars_logic.experiments.state_ranking.models import in_dialect, onelife
from mars_logic.experiments.state_ranking.mutators import distractors
from mars_logic.experiments.state_ranking.ranking import StateRankingTest, ranked
from mars_logic.experiments.state_ranking.scenarios import (
    StateTransition,
    scenarios,
    transitions,
)
from mars_logic.experiments.state_ranking.simulated import SimulatedModel, StatePrediction
from mars_logic.world.theory import Theory


@cache
def played(name: str) -> list[StateTransition]:
    return transitions(load_world("crafter"), name, 3, seed=0)


@given(st.sampled_from([*scenarios()]), st.integers(0, 2), st.integers(0, 10), st.randoms())
@settings(max_examples=80, deadline=None)
def test_distractors_are_wrong_distinct_and_few(
    name: str, number: int, most: int, random: Random
) -> None:
    each = played(name)[number]
    kept = copy.deepcopy((each.last, each.after))
    action = load_world("crafter").vocabulary.actions[each.action]
    found = distractors(each.last, each.after, action, most, random)
    assert (each.last, each.after) == kept
    assert len(found) <= most and each.after not in found
    assert len({json.dumps(state, sort_keys=True) for state in found}) == len(found)
    assert most < 3 or len(found) >= 3


@given(st.sampled_from([*scenarios()]), st.integers(0, 2), st.randoms())
@settings(max_examples=30, deadline=None)
def test_an_edit_distance_counts_a_patch_that_makes_the_true_state(
    name: str, number: int, random: Random
) -> None:
    each = played(name)[number]
    assert edit_distance(each.after, each.after) == (0, 0)
    size = sum(1 for _ in leaves(each.after))
    assert size == 81 + 3 + 9 + 16 + 22 + 10 * len(each.after["objects"])
    for wrong in distractors(each.last, each.after, "do", 10, random):
        found = edit_distance(wrong, each.after)
        patch = jsonpatch.make_patch(wrong, each.after)
        assert patch.apply(wrong) == each.after and len(patch.patch) == found.raw > 0
        assert found.normalised == pytest.approx(found.raw / size)


def state(x: int = 0, **more: Any) -> dict[str, Any]:
    player = {"x": x, "y": 0, "facing_x": 1, "facing_y": 0}
    rest = {"daylight": 1.0, "done": False, "map": [], "inventory": {}, "achievements": {}}
    return {"player": player, "objects": [], "step": 1} | rest | more


def test_the_probability_of_a_state_is_that_of_its_factors() -> None:
    prediction = StatePrediction([(state(), 3), (state(x=1), 1)])
    assert factors(state())["player", "place"] == (0, 0, 1, 0) and len(factors(state())) == 4
    sure = 3 * math.log(4.5 / 5)
    assert prediction.log_likelihood(state()) == pytest.approx(sure + math.log(3.5 / 5))
    assert prediction.log_likelihood(state(x=1)) == pytest.approx(sure + math.log(1.5 / 5))
    assert prediction.log_likelihood(state(x=7)) == pytest.approx(sure + math.log(0.5 / 5))
    new = state(objects=[{"kind": "cow"}])  # no future has an object
    assert prediction.log_likelihood(new) < prediction.log_likelihood(state())


def test_ranks() -> None:
    prediction = StatePrediction([(state(), 3), (state(x=1), 1)])
    best = ranked(state(), prediction, [state(x=7)], Random(0))
    assert (best.mrr, best.rank_1) == (1, 1)
    draws = [ranked(state(x=1), prediction, [state(), state(x=7)], Random(n)) for n in range(20)]
    assert {each.mrr for each in draws} <= {1 / 2, 1 / 3}  # the sample may be the better one, too
    nothing = StatePrediction([(state(step=9, x=5), 1)])
    assert ranked(state(), nothing, [], Random(0)).mrr == 0.5
    equal = [ranked(state(x=3), prediction, [state(x=4)], Random(n)).mrr for n in range(40)]
    assert len({*equal}) > 1  # equally unlikely states are in random order


def test_a_sample_that_is_the_true_state_counts_as_it() -> None:
    sure = StatePrediction([(state(), 1)])
    for n in range(10):
        found = ranked(state(), sure, [], Random(n))
        assert (found.mrr, found.rank_1, found.raw) == (1, 1, 0)


def test_true_rules_rank_better_than_wrong_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {n: scenarios()[n] for n in ("collect_stone", "collect_wood", "place_table", "wake_up")}
    monkeypatch.setattr(ranking, "scenarios_of", lambda _: few)
    world = load_world("all_three")
    test = StateRankingTest(world, transitions=4, trials=2)
    truth = test.rank(world)
    wrong = test.rank(in_dialect(load_world("crafter"), world))
    nothing = test.rank(Theory.unknown("mars"))
    assert truth.mean.mrr > 0.9 > wrong.mean.mrr and truth.mean.mrr > nothing.mean.mrr
    assert truth.mean.raw < wrong.mean.raw
    assert truth.scenarios["place_table"].mean.rank_1 == 1
    assert wrong.scenarios["collect_wood"].mean.rank_1 == 0
    assert StateRankingTest(world, transitions=4, trials=2).rank(world) == truth


def test_a_model_does_not_know_the_true_random_stream() -> None:
    world = load_world("crafter")
    found = transitions(world, "cow_movement", 30, seed=0)
    model = SimulatedModel(world)
    places = [model.predict(each.before, each.action).sample(Random(0)) for each in found]
    assert [each.after for each in found] != places


def test_the_comparison_names_what_there_is() -> None:
    spec = onelife()
    named = {model for models in spec.worlds.values() for model in models}
    assert named == {*spec.models}
    assert (spec.transitions, spec.trials) == (30, 5)
    for world in spec.worlds:
        load_world(world)
