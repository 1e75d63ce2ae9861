"""Games as Gymnasium environments: the same episodes as anywhere else, in the spaces stated."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from mars_logic import WorldError
from mars_logic.domains import bundled_games, domain_of, load_game
from mars_logic.domains.chance import Seeded
from mars_logic.domains.playing import play
from mars_logic.envs import environment_id
from mars_logic.errors import InputError

OBSERVATIONS = ("symbolic", "text")
GAMES = bundled_games()


@pytest.mark.parametrize("observation", OBSERVATIONS)
@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_finds_nothing_to_complain_about(game, observation):
    env = gymnasium.make(environment_id(game), observation=observation)
    check_env(env.unwrapped)  # warnings are errors


@pytest.mark.slow
@pytest.mark.parametrize("observation", OBSERVATIONS)
@pytest.mark.parametrize("game", GAMES)
def test_observations_are_in_the_space_to_the_end(game, observation, make):
    env = make(game, observation=observation)
    env.action_space.seed(1)
    for seed in range(5):
        seen, info = env.reset(seed=seed)
        over, steps = False, 0
        while not over:
            assert env.observation_space.contains(seen)
            seen, reward, terminated, truncated, info = env.step(env.action_space.sample())
            assert (type(reward), type(terminated), type(truncated)) == (float, bool, bool)
            over, steps = terminated or truncated, steps + 1
        assert env.observation_space.contains(seen)
        assert truncated == (not terminated)
        assert truncated <= (steps == load_game(game).length)
        assert info["score"] == env.simulator.score


@pytest.mark.parametrize("game", GAMES)
def test_a_seed_means_the_same_episode_as_anywhere_else(game, make):
    rules = load_game(game)
    domain = domain_of(rules)
    env = make(game, observation="text")
    for seed in (0, 7, 2**40):
        player = domain.player("random", rules)
        played = play(domain.simulator(rules), player, seed, rules.length, texts=True)
        text, info = env.reset(seed=seed)
        assert info["seed"] == seed
        texts, rewards = [text], []
        for action in played.actions:
            text, reward, *_, info = env.step(action)
            texts.append(text)
            rewards.append(reward)
        assert tuple(texts) == played.texts
        assert tuple(rewards) == played.rewards
        assert info["score"] == played.score


def test_without_a_seed_other_episodes_follow_and_they_are_the_same_again(make):
    def seeds():
        env = make("BanditTwoArmedHighLowFixed")
        found = [env.reset(seed=3)[1]["seed"]]
        return found + [env.reset()[1]["seed"] for _ in range(5)]

    assert seeds() == seeds()
    assert len(set(seeds())) == 6


def test_manual_and_names_of_actions(make):
    env = make("RockPaperScissorBasic")
    with pytest.raises(RuntimeError, match="call reset"):
        _ = env.manual
    _, info = env.reset(seed=4)
    simulator = domain_of(env.game).simulator(env.game)
    simulator.reset(Seeded(4))
    assert env.actions == simulator.actions
    assert info["manual"] == env.manual == simulator.manual
    assert "completed" not in info


def test_a_tower_is_terminated_when_it_is_complete_and_stays_so(make):
    env = make("Hanoi3Disk")
    _, info = env.reset(seed=1)
    assert info["score"] == 0
    names = list(env.actions)
    moves = ["AC", "AB", "CB", "AC", "BA", "BC", "AC"]
    for a, b in moves:
        name = f"move the top disk of rod {a} to rod {b}"
        seen, reward, terminated, truncated, info = env.step(names.index(name))
    assert (reward, terminated, truncated) == (100.0, True, False)
    assert info["completed"] and info["score"] == 3
    again = env.step(0)
    assert again[1:] == (0.0, True, False, info)
    assert {name: np.asarray(each).tolist() for name, each in again[0].items()} == {
        name: np.asarray(each).tolist() for name, each in seen.items()
    }


@pytest.mark.parametrize("action", [6, -1, 2.0, "do", [1, 2], None, True])
def test_what_is_no_action_is_refused_and_changes_nothing(action, make):
    env = make("Hanoi3Disk")
    env.reset(seed=1)
    before = env.simulator.snapshot()
    with pytest.raises(InputError, match="is not an action; allowed: 0 to 5"):
        env.step(action)
    assert env.simulator.snapshot() == before


def test_any_game_by_file_name_or_itself(make, tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("domain: hanoi\ndisks: 2\nlength: 9\n", encoding="utf-8")
    assert make("Game", game=file).game.name == "mine"
    assert make("Game", game=str(file)).game == make("Game", game=load_game(file)).game
    assert make("Game", game="Hanoi4Disk").game == load_game("Hanoi4Disk")


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("Game", {}, "game: there is no None; allowed: .*name of a bundled one.*file"),
        ("Game", {"game": 3}, "game: there is no 3; allowed: "),
        ("Hanoi3Disk", {"game": "Hanoi4Disk"}, "that of Hanoi3Disk; allowed: .*Game-v0"),
        ("Hanoi3Disk", {"observation": "image"}, "observation: .*allowed: symbolic, text"),
        ("Hanoi3Disk", {"length": 3}, "options: unknown 'length'.*; allowed: observation"),
    ],
)
def test_what_is_refused(name, given, message, make):
    with pytest.raises(InputError, match=message):
        make(name, **given)


def test_other_modes_of_rendering_are_refused():
    with pytest.warns(UserWarning), pytest.raises(InputError, match="allowed: ansi"):
        gymnasium.make("mars_logic/Hanoi3Disk-v0", render_mode="rgb_array")


def test_theories_and_games_that_are_not_there_are_refused(make, tmp_path):
    with pytest.raises(WorldError, match="did you mean"):
        make("Game", game="Hanoi3Disc")
    file = tmp_path / "open.yaml"
    file.write_text("domain: hanoi\ndisks: 2\nlength: 9\ngoal: unknown\n", encoding="utf-8")
    with pytest.raises(WorldError, match="4: goal: a game must be fully known"):
        make("Game", game=file)


def test_rendering_is_the_text(make):
    env = make("Hanoi3Disk", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.simulator.text()
    plain = make("Hanoi3Disk")
    plain.reset(seed=1)
    with pytest.warns(UserWarning, match="no render_mode was given"):
        assert plain.render() is None


def test_options_of_a_reset_are_refused(make):
    with pytest.raises(InputError, match="options"):
        make("Hanoi3Disk").reset(seed=1, options={"episode": 2})


def test_a_batch_by_gymnasium_is_the_single_ones():
    envs = gymnasium.make_vec("mars_logic/BanditTwoArmedHighLowFixed-v0", num_envs=3)
    envs.reset(seed=5)
    rewards = np.sum([envs.step(np.zeros(3, np.int64))[1] for _ in range(50)], axis=0)
    for number, total in enumerate(rewards):
        env = gymnasium.make("mars_logic/BanditTwoArmedHighLowFixed-v0")
        env.reset(seed=5 + number)
        assert sum(float(env.step(0)[1]) for _ in range(50)) == total
