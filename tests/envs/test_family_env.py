"""Puzzles as Gymnasium environments: any puzzle in the same spaces, texts or numbers as actions."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from mars_logic.domains import domain_of, games_of, load_game
from mars_logic.domains.playing import play
from mars_logic.domains.protocol import ActionError
from mars_logic.envs.registration import PUZZLE_FAMILIES, environment_id
from mars_logic.errors import InputError

NAMES = {family: environment_id(family).split("/")[1][:-3] for family in PUZZLE_FAMILIES}
FAMILIES = pytest.mark.parametrize("family", PUZZLE_FAMILIES)
OBSERVATIONS = pytest.mark.parametrize("observation", ["symbolic", "text"])
ACTIONS = pytest.mark.parametrize("actions", ["text", "choices"])


def test_names():
    assert list(NAMES.values()) == ["FunctionOperator", "EscapeRoom", "Reactor"]


@FAMILIES
@OBSERVATIONS
@ACTIONS
def test_gymnasium_finds_nothing_to_complain_about(family, observation, actions):
    env = gymnasium.make(environment_id(family), observation=observation, actions=actions)
    check_env(env.unwrapped)  # warnings are errors


def test_environments_without_warnings_are_made():
    for family in PUZZLE_FAMILIES:
        env = gymnasium.make(environment_id(family))
        env.reset(seed=1, options={"puzzle": games_of(f"rulearn/{family}")[7]})


@FAMILIES
@OBSERVATIONS
@pytest.mark.parametrize("masked", [True, False])
def test_observations_are_in_the_space_to_the_end(family, observation, masked, make):
    env = make(NAMES[family], observation=observation, actions="choices")
    env.action_space.seed(1)
    for seed, puzzle in enumerate(games_of(f"rulearn/{family}@round=3")):
        seen, info = env.reset(seed=seed, options={"puzzle": puzzle})
        assert info["puzzle"] == puzzle and not info["completed"] if "completed" in info else True
        over, total = False, 0
        while not over:
            assert env.observation_space.contains(seen)
            mask = info["action_mask"]
            action = env.action_space.sample(mask if masked else None)
            seen, reward, terminated, truncated, info = env.step(action)
            assert (type(reward), type(terminated), type(truncated)) == (float, bool, bool)
            over, total = terminated or truncated, total + reward
            if masked:
                assert env.simulator.snapshot().action.do != "malformed"
        assert env.observation_space.contains(seen)
        assert total == info["score"] == float(info["completed"])
        assert truncated == (not terminated) and (not truncated or info["steps"] == 15)


@FAMILIES
def test_a_seed_means_the_same_episode_as_anywhere_else(family, make):
    env = make(NAMES[family], observation="text")
    for seed, name in enumerate(games_of(f"rulearn/{family}@round=2")[::4]):
        puzzle = load_game(name)
        domain = domain_of(puzzle)
        player = domain.player("random", puzzle)
        played = play(domain.simulator(puzzle), player, seed, puzzle.length, texts=True)
        text, info = env.reset(seed=seed, options={"puzzle": name})
        texts = [text]
        for action in played.actions:
            text, *_, info = env.step(domain.action_text(action))
            texts.append(text)
        assert tuple(texts) == played.texts and info["steps"] == played.steps


SOLUTIONS = {
    "function_operator": ("rulearn/fo_r1_03", ["evaluate function 1 at 2.3", "enter code 2"]),
    "escape_room": ("rulearn/er_r1_15", ["go to Watercolour Gallery", "enter code 113"]),
    "reactor": ("rulearn/re_r1_01", ["react A + C", "react AC + B", "submit the target"]),
}


@FAMILIES
def test_a_solution_is_rewarded_and_terminates(family, make):
    name, (*others, last) = SOLUTIONS[family]
    env = make(NAMES[family])
    _, info = env.reset(seed=0, options={"puzzle": name})
    assert "completed" not in info and info["manual"] == env.manual
    for action in others:
        assert env.step(action)[1:4] == (0.0, False, False)
    _, reward, terminated, truncated, info = env.step(last)
    assert (reward, terminated, truncated) == (1.0, True, False) and info["completed"]
    assert info["steps"] == len(others)
    assert env.step("anything")[1:] == (0.0, True, False, info)


@pytest.mark.parametrize(
    "typed", ["", "open sesame", "__import__('os').system('true')", "evaluate 9 at 1", "react A"]
)
def test_what_is_not_on_offer_costs_a_step_and_does_nothing(typed, make):
    env = make("FunctionOperator", observation="text")
    env.reset(seed=0, options={"puzzle": "rulearn/fo_r1_20"})
    text, reward, *over, info = env.step(typed)
    assert text.startswith("The answer could not be read.")
    assert (reward, over, info["steps"]) == (0.0, [False, False], 1)


def test_odd_inputs_of_a_player_are_read_and_never_evaluated(make):
    env = make("FunctionOperator", observation="text")
    env.reset(seed=0, options={"puzzle": "rulearn/fo_r1_10"})
    for typed in ("1/2", "--2", "2**3", "x", "__import__('os')"):
        assert "The input is not valid" in env.step(f"evaluate function 1 at {typed}")[0]
    assert "wrong" in env.step("enter code a=3 b=1")[0]


@pytest.mark.parametrize("action", [None, 3, ["react A"], np.zeros(3)])
def test_what_is_no_text_is_refused(action, make):
    env = make("Reactor")
    env.reset(seed=0)
    before = env.simulator.snapshot()
    with pytest.raises(ActionError, match="is not an action; allowed: a text"):
        env.step(action)
    assert env.simulator.snapshot() == before


@pytest.mark.parametrize("action", [None, "react A", [0, 0], [3, 0, 0], [0.5, 0, 0]])
def test_what_is_no_choice_is_refused(action, make):
    env = make("Reactor", actions="choices")
    env.reset(seed=0)
    with pytest.raises(ActionError, match="is not an action; allowed: MultiDiscrete"):
        env.step(action)


def test_without_an_option_the_seed_draws_a_puzzle(make):
    env = make("Reactor")
    drawn = [env.reset(seed=seed)[1]["puzzle"] for seed in range(5)]
    assert drawn == [env.reset(seed=seed)[1]["puzzle"] for seed in range(5)]
    assert len(set(drawn)) == 5
    fixed = make("Reactor", puzzle="rulearn/re_r1_06@hints=none")
    assert fixed.reset(seed=3)[1]["puzzle"] == "rulearn/re_r1_06@hints=none"
    some = make("Reactor", puzzle="rulearn/reactor@round=2")
    assert all(some.reset(seed=seed)[1]["puzzle"].startswith("rulearn/re_r2") for seed in range(9))


def test_a_puzzle_of_ones_own(make, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("domain: reactor\ntarget: AB\nrule: 2\nlength: 3\n", encoding="utf-8")
    env = make("Reactor", observation="text")
    _, info = env.reset(seed=0, options={"puzzle": path})
    assert info["puzzle"] == "mine" and "You have 3 steps." in info["manual"]
    for typed in ("react A + A", "react A + A"):
        assert env.step(typed)[2:4] == (False, False)
    assert env.step("react B + A")[2:4] == (False, True)


@pytest.mark.parametrize(
    ("name", "given", "options", "message"),
    [
        ("Reactor", {"observation": "image"}, None, "observation: .*allowed: symbolic, text"),
        ("Reactor", {"actions": "codes"}, None, "actions: .*allowed: text, choices"),
        ("Reactor", {"length": 3}, None, "options: unknown 'length'.*; allowed: puzzle, obs"),
        ("Reactor", {"puzzle": 3}, None, "puzzle: there is no 3; allowed: a Puzzle, "),
        ("Reactor", {"puzzle": "rulearn/fo_r1_01"}, None, "is of function_operator; allowed: "),
        ("Reactor", {}, {"puzzle": "rulearn/re_r1_21"}, "did you mean 'rulearn/re_r"),
        ("Reactor", {}, {"puzzle": "Hanoi3Disk"}, "is of hanoi; allowed: a puzzle of reactor"),
        ("Reactor", {}, {"episode": 2}, "options: unknown 'episode'; allowed: puzzle"),
        ("Game", {"game": "rulearn/re_r1_01"}, None, "the actions of reactor are no numbers"),
    ],
)
def test_what_is_refused(name, given, options, message, make):
    with pytest.raises(InputError, match=message):
        make(name, **given).reset(seed=0, options=options)


def test_a_puzzle_too_large_for_the_spaces_is_refused(make, tmp_path):
    path = tmp_path / "large.yaml"
    terms = "[{param: a, coef: 1, basis: x}]"
    text = f"domain: function_operator\nfunctions: [{', '.join([terms] * 9)}]\n"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="9 functions do not fit the spaces; allowed: 8"):
        make("FunctionOperator").reset(seed=0, options={"puzzle": path})


def test_rendering_is_the_text(make):
    env = make("EscapeRoom", render_mode="ansi", puzzle="rulearn/er_r1_01")
    env.reset(seed=1)
    assert env.render() == env.simulator.text()
