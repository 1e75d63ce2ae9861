"""Goals that a world states: in the simulator, in proofs, in play and in recordings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mars_logic
from mars_logic.agents.oracle import OracleAgent
from mars_logic.data import store
from mars_logic.envs.vector import WorldVectorEnv
from mars_logic.play import certificate
from mars_logic.play.episodes import play
from mars_logic.play.recording import record
from mars_logic.sim import Simulator
from mars_logic.world.load import parse_theory
from mars_logic.world.theory import World

ROOM = """
name: room
base: default
length: 60
map:
  drawn: |
    #######
    #.@T.:#
    #T....#
    #######
goals: {have_2_wood: 3, reach_sand: 2, reach_1_2: 0.5, survive_20: 0.25, collect_wood: 0}
collect:
  tree: {leaves: grass}
"""


@pytest.fixture(scope="module")
def world() -> World:
    found = parse_theory(ROOM, "room.yaml")
    assert isinstance(found, World)
    return found


def actions_of(world: World, *names: str) -> list[int]:
    return [world.vocabulary.actions.index(name) for name in names]


def test_a_goal_is_rewarded_once_when_its_condition_holds(world: World) -> None:
    simulator = Simulator(world)
    simulator.reset(seed=0)
    gained = []
    for action in actions_of(
        world, "move_right", "do", "move_down", "move_left", "move_left", "do"
    ):
        gained.append(float(simulator.step([action])[0][0]))
    assert gained == [0, 0, 0, 0, 0, 3]  # the second piece of wood; collecting wood has reward 0
    assert simulator.achievements[0].tolist() == [1, 0, 0, 0, 2]
    gained = [float(simulator.step([0])[0][0]) for _ in range(14)]
    assert gained == [0] * 13 + [0.25]
    walk = ["move_up", *["move_right"] * 4, *["move_left"] * 4, "move_down"]
    gained = [float(simulator.step([code])[0][0]) for code in actions_of(world, *walk)]
    assert sum(gained) == pytest.approx(2 + 0.5, abs=0.41)  # health changes by tenths
    assert simulator.unlocked[0].all()


def test_what_is_no_goal_is_counted_without_reward(world: World) -> None:
    simulator = Simulator(world.named("again"))
    simulator.reset(seed=0)
    rewards = [
        float(simulator.step([code])[0][0])
        for code in actions_of(world, "move_right", "do", "sleep", "noop")
    ]
    assert rewards == [0, 0, 0, 0]
    names = world.vocabulary.achievements
    assert simulator.counters[0][names.index("collect_wood")] == 1
    assert simulator.achievements.shape == (1, 5)


def test_goals_count_anew_in_each_episode(world: World) -> None:
    simulator = Simulator(world)
    for _ in range(2):
        simulator.reset(seed=0)
        total = sum(float(simulator.step([0])[0][0]) for _ in range(20))
        assert total == 0.25


def test_environments_tell_health_apart_from_goals(world: World) -> None:
    env = WorldVectorEnv(world, num_envs=2)
    env.reset(seed=0)
    for _ in range(20):
        _, rewards, _, _, infos = env.step(np.zeros(2, np.int64))
        assert not env.game.outcome.health.any()
    assert infos["unlocked"].tolist() == [[False, False, False, True, False]] * 2
    assert rewards.tolist() == [0.25, 0.25]


def test_proofs_judge_conditions_or_say_that_they_do_not(world: World) -> None:
    found = mars_logic.prove(world).achievements
    assert found["have_2_wood"].verdict == found["reach_sand"].verdict == "reachable"
    assert [(step.rule, step.times) for step in found["have_2_wood"].witness] == [
        ("collect.tree", 2)
    ]
    assert found["reach_sand"].witness == ()
    for name in ("reach_1_2", "survive_20"):
        assert found[name].verdict == "unknown"
        assert "not judged by logic" in (found[name].reason or "")


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("reach_water", "so the player cannot cross it on foot"),
        ("reach_lava", "so the player cannot stand there and survive"),
        ("reach_table", "no rule lets the player walk on table"),
        ("have_3_diamond", "no diamond"),
    ],
)
def test_goals_out_of_reach_are_explained(goal: str, said: str) -> None:
    more = "collect: {diamond: {collectable: false}}\n"
    found = parse_theory(f"name: w\nbase: default\ngoals: [{goal}]\n{more}", "w.yaml")
    assert isinstance(found, World)
    verdict = mars_logic.prove(found).achievements[goal]
    assert verdict.verdict == "unreachable"
    assert said in " ".join((verdict.reason or "", *verdict.words))


def test_a_drawing_with_too_few_trees_refutes_having_more() -> None:
    text = ROOM.replace("have_2_wood: 3", "have_3_wood: 3")
    found = parse_theory(text, "room.yaml")
    assert isinstance(found, World)
    verdict = mars_logic.prove(found).achievements["have_3_wood"]
    assert verdict.verdict == "unreachable"


def test_the_oracle_reaches_all_goals_and_its_certificate_holds(
    world: World, tmp_path: Path
) -> None:
    played = play(OracleAgent(), Simulator(world), 0, world.achievements)
    assert played.ended == "complete"
    assert set(played.unlocked) == set(world.achievements)
    made = certificate.certify(played, world, "room", "oracle")
    file = tmp_path / "c.json"
    certificate.save(made, file)
    again = certificate.load(file)
    assert again == made
    assert certificate.verify(again, world).valid
    other = world.with_rules(name="room")
    assert certificate.verify(again, other).valid
    without = parse_theory(ROOM.replace("survive_20: 0.25, ", ""), "room.yaml")
    assert isinstance(without, World)
    assert not certificate.verify(again, without).valid


def test_recordings_hold_all_achievements_and_name_the_goals(world: World, tmp_path: Path) -> None:
    _, recorded = record(OracleAgent(), Simulator(world), 0, agent_name="oracle")
    file = tmp_path / "r.parquet"
    store.save(recorded, file)
    again = store.load(file)
    names = again.about.words.achievements
    assert again.about.goals == world.achievements
    assert names == world.vocabulary.achievements
    assert {names[code] for code in np.flatnonzero(again.unlocked.any(0))} == {*world.achievements}
