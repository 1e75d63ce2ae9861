"""One step has one meaning: what clingo derives is what the simulator does."""

from __future__ import annotations

import random
import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.logic.step import outcomes
from mars_logic.sim import Simulator
from mars_logic.sim.layout import STREAM_DTYPE
from mars_logic.sim.stream import below, uniform
from mars_logic.sim.tables import compile_rules
from mars_logic.system import resources
from mars_logic.world import names
from tests.agreement import phases
from tests.agreement.compare import THINGS, Case, compare, judge
from tests.agreement.renaming import labels, renamed
from tests.agreement.sampling import between
from tests.agreement.worlds import any_world, own_world
from tests.logic.mutants import NINE, PAPER
from tests.paths import REPOSITORY
from tests.theory.own_kinds import own_kinds_world


def agree(world, seed, states=4):
    tally = compare(world, random.Random(seed), states)
    assert not tally.disagreements, tally.disagreements[0]
    return tally


def _disagrees(worlds, states=4):
    """Whether any case tells clingo and the simulator apart."""
    tallies = (compare(world, random.Random(n), states) for n, world in enumerate(worlds))
    return any(tally.disagreements for tally in tallies)


@pytest.mark.parametrize("name", NINE + PAPER)
def test_bundled_worlds(name):
    tally = agree(load_world(name), 1, states=2)
    assert set(tally.cases) == {"player", *THINGS}
    assert tally.uncertain > 10


@pytest.mark.parametrize("name", ["crafter", "all_three"])
def test_phases_make_up_a_step(name):
    """The phases that are compared are those that a step consists of, in its order."""
    simulator = Simulator(load_world(name))
    simulator.reset(5)
    rules = compile_rules(load_world(name))
    dice = random.Random(5)
    compared = 0
    while compared < 100:
        action = dice.randrange(len(names.ACTIONS))
        envs = simulator.snapshot().envs.copy()
        if simulator.step(action).done[0]:
            simulator.reset(dice.randrange(1000))
        after = simulator.snapshot().envs[0]
        if after["step"] != envs[0]["step"] + 1 or after["step"] % 10 == 0:
            continue
        phases.step_by_phases(envs, rules, action)
        number = after["num_things"]
        assert envs[0]["num_things"] == number
        for field in ("things", "thing_x", "thing_y"):
            assert envs[0][field][:number].tolist() == after[field][:number].tolist()
        for field in ("player", "stream"):
            assert str(envs[0][field]) == str(after[field])
        assert np.array_equal(envs[0]["stream"]["words"], after["stream"]["words"])
        assert np.array_equal(envs[0]["cells"], after["cells"])
        compared += 1


@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_any_world(seed):
    agree(any_world(random.Random(seed)), seed)


@settings(max_examples=10)
@given(st.integers(0, 2**32))
def test_any_world_that_adds_names(seed):
    agree(own_world(random.Random(seed)), seed)


@settings(max_examples=10)
@given(st.integers(0, 2**32))
def test_any_world_under_other_names(seed):
    dice = random.Random(seed)
    agree(renamed(any_world(dice), dice), seed)


def test_a_world_under_other_names():
    dice = random.Random(7)
    agree(renamed(any_world(dice), dice), 7, states=2)


def test_names_have_no_meaning():
    """Two labellings of one world have the same states, step by step."""
    world = any_world(random.Random(3))
    ones, others = (labels(random.Random(seed), 30) for seed in (1, 2))
    one, other = (renamed(world, random.Random(5), words) for words in (ones, others))
    simulators = [Simulator(each) for each in (one, other)]
    dice = random.Random(3)
    for simulator in simulators:
        simulator.reset(seed=3)
    for _ in range(200):
        action = dice.randrange(len(one.vocabulary.actions))
        (reward, done), (same, ended) = (simulator.step(action) for simulator in simulators)
        assert (reward, done) == (same, ended)
        first, second = (simulator.snapshot().envs for simulator in simulators)
        assert first.tobytes() == second.tobytes()
        if done[0]:
            break


def test_a_world_that_adds_names():
    tally = agree(load_world(REPOSITORY / "worlds" / "gallery" / "copper.yaml"), 1, states=2)
    assert set(tally.cases) == {"player", *THINGS}


def mutate_encoding(file, right, wrong, tmp_path, monkeypatch):
    """From now on, an encoding says something else in one place."""
    folder = tmp_path / "encodings"
    shutil.copytree(resources.folder("encodings"), folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert right in text
    (folder / file).write_text(text.replace(right, wrong), encoding="utf-8")
    monkeypatch.setattr(resources, "folder", lambda _: folder)


def cell_world(seed):
    """A world in which cells are pushed, change beside others, and change in time."""
    dice = random.Random(seed)
    while True:
        world = own_world(dice)
        if world.push and world.beside and world.timer:
            return world


def test_worlds_whose_cells_are_pushed_or_change():
    found = [agree(cell_world(seed), seed, states=2) for seed in range(3)]
    assert all(tally.cases["cell"] >= 64 for tally in found)
    file = REPOSITORY / "worlds" / "gallery"
    assert agree(load_world(file / "sokoban.yaml"), 1, states=2).cases["player"] > 100
    assert agree(load_world(file / "fire.yaml"), 1, states=2).cases["cell"] >= 64


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 2**32))
def test_any_world_with_creatures_and_needs_of_its_own(seed):
    agree(own_kinds_world(seed), seed, states=1)


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 2**32))
def test_any_world_with_projectiles_of_its_own(seed):
    agree(own_kinds_world(seed, projectiles=True), seed, states=1)


def test_gallery_worlds_with_creatures_and_needs():
    for name, being in (("winter", "wolf"), ("farm", "goat")):
        tally = agree(load_world(REPOSITORY / "worlds" / "gallery" / f"{name}.yaml"), 1, states=2)
        assert tally.cases[being] >= 16 and tally.cases["player"] > 60


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("step/case.lp", "far(F), F > D", "far(F), F >= D"),
        ("step/case.lp", "case_when(K, N, day), dark", "case_when(K, N, day), not dark"),
        ("step/case.lp", "A > H", "A >= H"),
        ("step/case.lp", "far(F), F <= D", "far(F), F < D"),
        ("step/case.lp", "case_held(K, N, I), not in_hand(I)", "case_held(K, N, I), in_hand(I)"),
        ("step/case.lp", "P <= Q : pasture(Q)", "P >= Q : pasture(Q)"),
        ("step/case.lp", "reached(N + 1) :- behaving(K), failed(N), case(K, N + 1, _).", ""),
        ("step/hit.lp", "in_vain :- hits(_, _, K), lacks(creature(K)).", ""),
        ("step/hit.lp", "S : hits(_, _, K), hurts(I, K, S), item(I, A), A > 0", "0"),
        (
            "step/items.lp",
            "bruised(H), heals(D), N = H + D",
            "item(health, H), heals(D), N = H + D",
        ),
        ("step/added_needs.lp", "S \\ E = 0", "S \\ E < 2"),
        ("step/added_needs.lp", "not rising(W), not spared(W)", "not spared(W)"),
        ("step/added_needs.lp", "N <= 0, added_need", "N < 0, added_need"),
        ("step/added_needs.lp", "|Y - DY| <= 1", "|Y| <= 1"),
        ("step/added_needs.lp", "drained(P - 1, H), drains", "final(health, H), drains"),
    ],
)
def test_wrong_rules_about_creatures_and_needs_are_noticed(
    file, right, wrong, tmp_path, monkeypatch
):
    worlds = [own_kinds_world(seed) for seed in range(200)]  # some rules matter in few of them
    mutate_encoding(file, right, wrong, tmp_path, monkeypatch)
    assert _disagrees(worlds, states=2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("step/arrow.lp", "A + N >= R", "A + N > R"),
        ("step/arrow.lp", "pace(N) :- actor(K), speed(K, N).", "pace(1) :- actor(K), speed(K, N)."),
        ("step/arrow.lp", "arrow_points(P), not harms(_)", "arrow_points(P)"),
        ("step/arrow.lp", "thing(0, 0, cooldown, 1),", ""),
        ("step/arrow.lp", "H > 0, becomes", "becomes"),
        ("step/arrow.lp", "removed(X, Y) :- slays(X, Y, _).", ""),
        ("step/arrow.lp", "dealt(N) :- actor(K), shot_damage(K, N).", ""),
        ("step/move.lp", "stands(K, M)        :- flies_over(K, M).", ""),
        ("step/build.lp", "becomes(X, Y, cooldown, 1)", "becomes(X, Y, cooldown, 0)"),
        ("step/creature.lp", "case_shot(K, N, P)", "case_shot(K, _, P)"),
        ("step/outcome.lp", "wounded(I)      :- slain, change(I, _).", ""),
    ],
)
def test_wrong_rules_about_projectiles_are_noticed(file, right, wrong, tmp_path, monkeypatch):
    worlds = [own_kinds_world(seed, projectiles=True) for seed in range(80)]
    mutate_encoding(file, right, wrong, tmp_path, monkeypatch)
    assert _disagrees(worlds, states=2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("step/push.lp", "not object(2 * X, 2 * Y, _)", "X = X"),
        ("step/push.lp", "now(X, Y, N) :- pushes(X, Y, M, _), push_leaves(M, N).", ""),
        ("step/push.lp", "push_becomes(M, G, N)", "push_becomes(M, _, N)"),
        ("step/build.lp", "|X| <= 1, |Y| <= 1, ", ""),
        ("step/change.lp", "P <= Q : touches(Q)", "P >= Q : touches(Q)"),
        ("step/change.lp", "K >= L", "K > L"),
        ("step/change.lp", "timer_when(M, day), dark", "timer_when(M, day), not dark"),
        ("step/change.lp", "N <= L, cell(0, 0, M)", "N < L, cell(0, 0, M)"),
        ("step/change.lp", "not spreads(_)", "N = N"),
    ],
)
def test_wrong_rules_about_cells_are_noticed(file, right, wrong, tmp_path, monkeypatch):
    worlds = [cell_world(seed) for seed in range(12)]
    mutate_encoding(file, right, wrong, tmp_path, monkeypatch)
    assert _disagrees(worlds)


def test_a_difference_is_found():
    """What one side alone has is told, whichever side it is."""
    world = load_world("all_three")
    told = frozenset({"object(0,0,player)", "facing(1,0)", "cell(1,0,stone)", "action(do)"})
    (right,) = outcomes(world, [told])
    assert len(right) == 2
    (one, *_) = right
    for wrong, side in (
        (right - {one}, "clingo alone"),
        (right | {one | {"asleep"}}, "simulator alone"),
        (right - {one} | {one - {"cell(1,0,sand)"}}, "simulator alone"),
    ):
        tally = judge(world, [Case("player", told, wrong)])
        assert len(tally.disagreements) == 1
        assert side in tally.disagreements[0]
    assert not judge(world, [Case("player", told, right)]).disagreements


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("step/creature.lp", "distance(approach, L), N <= L", "distance(approach, L), N < L"),
        ("step/needs.lp", "below(recover, L, health, D), N < L", "below(recover, L, _, D), N <= L"),
        ("step/move.lp", "occupied(0, 0) :- object(0, 0, _), not dead.", ""),
        ("step/player.lp", "ends(X, Y), now(X, Y, M)", "cell(0, 0, M)"),
        ("step/hit.lp", "kills(K), eatable(K)", "kills(K)"),
        ("step/collect.lp", "{ put(X, Y, C) }", "put(X, Y, C)"),
        ("step/build.lp", "|Y| <= 1, not at_edge", "|Y| <= 1"),
        ("step/needs.lp", "worn(drink, D), D > 0, dozes", "dozes"),
        ("step/creature.lp", "|X| <= |Y|", "|X| < |Y|"),
        ("step/plant.lp", "N + 1 > R", "N > R"),
        ("step/arrow.lp", "thing(X, Y, health, H)", "object(X, Y, cow), thing(X, Y, health, H)"),
    ],
    ids=lambda value: value.partition("(")[0],
)
def test_wrong_rules_are_noticed(file, right, wrong, tmp_path, monkeypatch):
    mutate_encoding(file, right, wrong, tmp_path, monkeypatch)
    disagreements = (
        compare(any_world(dice), dice).disagreements for dice in map(random.Random, range(30))
    )
    assert any(disagreements)


def test_random_numbers_can_be_chosen():
    dice = np.random.default_rng(1)
    for number in (*dice.random(50), 0.0, 1 - 2**-53):
        words = np.array([*phases.words_of(number), 2], np.uint32)
        stream = np.zeros(1, STREAM_DTYPE)[0]
        stream["words"][:3] = phases.untemper(words)
        assert uniform(stream) == number
        assert below(stream, 4) == 2


def test_representatives_lie_between_thresholds():
    assert between([]) == [0.5]
    assert between([0.5, 0.0, 1.0]) == [0.25, 0.75]
    assert between([0.5, 0.5 + 1e-15]) == [0.25, 0.75]
    assert len(between([0.1, 0.1 + 0.2, 1 - 1e-9])) == 4
    assert len(between([1 - 1e-15])) == 1
