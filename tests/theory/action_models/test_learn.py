"""Laws of the default world from ten successes and ten failures each, and what is made of them."""

from __future__ import annotations

import json

import numpy as np
import pytest
import yaml

from mars_logic import load_world
from mars_logic.play.attempts import STREAMS, streams
from mars_logic.play.model_agreement import verify
from mars_logic.play.recording import record
from mars_logic.sim import Simulator
from mars_logic.sim.stream import uniform
from mars_logic.theory import atoms
from mars_logic.theory.action_models import (
    ActionModels,
    Records,
    States,
    as_theory,
    clauses,
    learn,
    predicates,
    python_source,
    situation,
    tell,
)
from mars_logic.theory.action_models.action_goals import goals
from mars_logic.theory.action_models.choose import choose
from mars_logic.theory.atoms import kind_of
from mars_logic.world.dump import to_yaml
from mars_logic.world.load import load_theory
from tests.theory.action_models.conftest import attempts
from tests.theory.play import Busy


def test_ten_and_ten_of_each(chosen: Records):
    for goal in goals("mars")[:-1]:
        said = chosen.of_goal(goal)
        assert 1 <= (said == 1).sum() <= 10 and (said == 0).sum() == 10, goal


def test_the_task_is_learned_atom_by_atom(laws: ActionModels):
    """All but how likely a sapling is: records picked by their outcome cannot tell that."""
    learned, true = as_theory(laws), atoms(load_world("default"))
    claimed = {atom for atom in atoms(learned) if kind_of(atom) == "task"}
    assert claimed - true <= {"chance(collect(grass), sapling, 1, 100000)"}
    known = {atom for atom in true if kind_of(atom) == "task"}
    assert len(claimed & known) >= 0.9 * len(known)
    for tool in ("wood_pickaxe", "stone_pickaxe", "iron_pickaxe"):
        assert learned[f"make.{tool}"].uses == load_world("default")[f"make.{tool}"].uses
    assert "requires(collect(iron), stone_pickaxe, 1)" in claimed


def test_what_was_not_seen_stays_unknown(laws: ActionModels):
    few = as_theory(learn(laws.records[np.flatnonzero(laws.records.of_goal("collect_wood") == 1)]))
    assert set(atoms(few)) == {
        "leaves(tree, grass)",
        "yields(collect(tree), wood, 1)",
    }
    assert ("collect.stone", "yields") in few.uncertain


def test_a_theory_can_be_loaded(laws: ActionModels, tmp_path):
    path = tmp_path / "learned.yaml"
    path.write_text(to_yaml(as_theory(laws)), encoding="utf-8")
    assert load_theory(path) == as_theory(laws)


@pytest.mark.slow
def test_the_reward_functions_agree_with_the_game(laws: ActionModels):
    """On every state of an episode that gave none of the records, wherever nothing is open."""
    found = verify(laws, attempts("default", 0))
    assert found.states > 200 and found.distinct > 100
    assert not any(each.astray for each in found.by_goal.values())
    assert found.disagreements <= 0.01 * found.states
    assert found.by_goal["make_wood_pickaxe"].possible > 0


def test_the_printed_functions_do_not(laws: ActionModels):
    """Which ones, and whether by errors, by saying yes too often or by asking too much."""
    found = verify(laws, [*attempts("default", 0), *attempts("default", 1, vary=True)]).by_goal
    printed = {goal: each.printed for goal, each in found.items()}
    assert {goal for goal, each in printed.items() if each.errors} == {
        "make_stone_pickaxe",
        "make_stone_sword",
        "make_wood_pickaxe",
    }
    assert printed["eat_plant"].wrong_yes and printed["collect_sapling"].wrong_yes
    right = ("collect_coal", "collect_diamond", "collect_wood", "kill_zombie", "kill_cow")
    assert not any(printed[goal].wrong for goal in (*right, "make_iron_sword", "make_wood_sword"))


def test_source_says_what_the_predicates_say(laws: ActionModels):
    states = attempts("default", 0)[0].states
    for reading in ("simplest", "strictest"):
        module: dict = {}
        exec(python_source(laws, reading), module)
        compiled = predicates(laws, reading)
        valid, anything = compiled.valid(states), compiled.anything(states)
        assert valid.any() and not valid.all() and (valid <= anything).all()
        for i in range(0, len(states), 3):
            here = situation(states, i)
            assert [module["VALID"][goal](here) for goal in compiled.goals] == valid[i].tolist()
            told = [module["ANYTHING"][goal](here) for goal in compiled.goals]
            assert told == anything[i].tolist()


def test_the_strictest_reading_implies_the_simplest(laws: ActionModels):
    states = attempts("default", 0)[0].states
    assert (predicates(laws, "strictest").valid(states) <= predicates(laws).valid(states)).all()


def test_words(laws: ActionModels):
    assert "collect_coal: facing coal with a wood pickaxe." in tell(laws["collect_coal"])
    assert "It costs 2 wood." in tell(laws["place_table"])
    assert ", by chance (" in tell(laws["collect_sapling"])


def test_more_conditions_leave_more_open(chosen: Records, laws: ActionModels):
    wide = learn(chosen, "all")
    for goal in ("collect_wood", "place_table"):
        narrow = laws[goal].branches[0].bounds.top
        assert (wide[goal].branches[0].bounds.top >= narrow).all()
    assert wide["collect_stone"].branches[0].bounds.top[12:].any()


def test_random_records_are_the_same_for_the_same_seed(tried: Records):
    one, same, other = (choose(tried, 3, "random", seed) for seed in (0, 0, 1))
    assert (one.before.amounts() == same.before.amounts()).all()
    assert not np.array_equal(one.before.amounts(), other.before.amounts())


def test_laws_from_play_alone():
    """Unlabelled transitions, with chances by their frequency, and walking."""
    simulator = Simulator(load_world("default"), length=300)
    parts = [Records.of(record(Busy(), simulator, seed, agent_name="test")[1]) for seed in range(6)]
    laws = learn(Records.join(parts))
    assert laws["collect_sapling"].branches[0].bounds.by_chance
    theory = as_theory(laws)
    assert theory["walk.grass"].walkable is True and theory["walk.water"].walkable is False
    assert theory["collect.tree"].yields == load_world("default")["collect.tree"].yields
    chances = yaml.safe_load(json.dumps(theory["collect.grass"].model_dump(mode="json")))
    options = {o["value"]["sapling"]["probability"] for o in chances["yields"]["one_of"]}
    assert 0.5 in options


def test_streams_leave_no_gap():
    drawn = np.array([[uniform(stream) for _ in range(2)] for stream in streams()])
    assert len(drawn) == STREAMS
    for column in drawn.T:
        assert np.diff(np.concatenate([[0.0], np.sort(column), [1.0]])).max() < 0.08


def test_predicates_know_the_edge_of_the_map(laws: ActionModels):
    """At the left edge nothing is nearby, not even a table that can be seen."""
    states = attempts("default", 0)[0].states[:1]
    materials = np.full((1, 3, 3), 2, np.uint8)
    materials[0, 2, 1] = 11
    inventory = states.inventory.copy()
    inventory[:, 5] = 1
    made = predicates(laws).goals.index("make_wood_pickaxe")
    for edge, valid in ((2, True), (0, False)):
        materials[0, 0, :] = edge
        here = States(
            inventory, states.material, states.object, materials, states.objects, ~states.free
        )
        assert predicates(laws).valid(here)[0, made] == valid


@pytest.mark.parametrize("goal", ["place_stone", "wake_up", "eat_plant"])
def test_clauses_name_what_they_test(laws: ActionModels, goal: str):
    (clause,) = clauses(laws)[goal]
    expected = {
        "place_stone": ("grass", {"stone": 1}),
        "wake_up": (None, {"lack of energy": 1}),
        "eat_plant": ("ripe_plant", {}),
    }[goal]
    assert clause.needs == expected[1]
    assert expected[0] is None or expected[0] in clause.targets
