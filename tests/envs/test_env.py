from __future__ import annotations

import copy

import gymnasium
import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.errors import InputError
from mars_logic.sim import Scene, Simulator
from mars_logic.world.names import ACTIONS, ITEMS


def script(steps, seed=0, number=17):
    return np.random.default_rng(seed).integers(0, number, steps).tolist()


# Seeds and episodes


def test_a_seed_begins_with_its_first_episode_and_goes_on_with_the_next(make):
    env = make()
    for seed, options, expected in (
        (7, None, (7, 1)),
        (None, None, (7, 2)),
        (None, {}, (7, 3)),
        (7, None, (7, 1)),
        (None, {"episode": 5}, (7, 5)),
        (None, None, (7, 6)),
        (8, {"episode": 2}, (8, 2)),
        (None, None, (8, 3)),
    ):
        env.reset(seed=seed, options=options)
        simulator = env.game.simulator
        assert (int(simulator.seeds[0]), int(simulator.episodes[0])) == expected


@pytest.mark.parametrize("episode", [1, 2, 9])
def test_an_episode_is_that_of_the_simulator(make, episode):
    env = make("AllThree")
    env.reset(seed=11, options={"episode": episode})
    simulator = Simulator(load_world("all_three"))
    simulator.reset(11, episode)
    np.testing.assert_array_equal(env.game.simulator.state().materials, simulator.state().materials)
    for action in script(200):
        reward, done = simulator.step(action)
        _, own, terminated, truncated, _ = env.step(action)
        assert (own, terminated or truncated) == (reward[0], done[0])
    assert (env.game.simulator.snapshot().envs == simulator.snapshot().envs).all()


def test_without_a_seed_one_is_drawn_as_gymnasium_does(make):
    first, second = make(), make()
    first.reset()
    second.reset()
    assert first.game.simulator.seeds != second.game.simulator.seeds
    for env in (first, second):
        assert env.np_random_seed is not None
        expected = np.random.Generator(np.random.PCG64(env.np_random_seed)).integers(2**31 - 1)
        assert env.game.simulator.seeds.tolist() == [expected]


def test_the_same_seed_gives_the_same(make):
    def play(env):
        env.reset(seed=3)
        return [env.step(action) for action in script(100)]

    one, other = make(), make()
    other.reset(seed=99)
    np.testing.assert_equal(play(one), play(other))
    np.testing.assert_equal(play(one), play(other))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"episodes": 2}, "unknown 'episodes', did you mean 'episode'.*; allowed: episode"),
        ({"episode": 0}, "episode must be a positive integer, not 0"),
        ({"episode": "2"}, "episode must be an integer"),
        ([1], r"options must be a dictionary, not \[1\]"),
        ("episode", "options must be a dictionary, not 'episode'"),
    ],
)
def test_other_options_are_refused(make, options, message):
    with pytest.raises(ValueError, match=message):
        make().reset(seed=1, options=options)


def test_a_reset_does_not_change_its_options(make):
    options = {"episode": 2}
    make().reset(seed=1, options=options)
    assert options == {"episode": 2}


# The end of an episode


def test_the_length_truncates(make):
    env = make("TaskDep", length=20)
    env.reset(seed=1)
    ends = [env.step(0)[2:4] for _ in range(20)]
    assert ends == [(False, False)] * 19 + [(False, True)]


@pytest.mark.parametrize(("world", "length"), [("Crafter", 10_000), ("TaskDep", 1000)])
def test_the_length_is_by_default_that_of_the_games(make, world, length):
    assert make(world).game.simulator.length == length
    assert make(world, length=3000).game.simulator.length == 3000


@pytest.mark.parametrize("length", [None, 1])
def test_death_terminates_even_in_the_last_step(make, length):
    env = make("Default", length=length)
    env.reset(seed=1)
    simulator = env.game.simulator
    x, y = simulator.positions[0].tolist()
    scene = Scene(simulator.snapshot()).clear("grass").fill("lava", x + 1, y)
    simulator.restore(scene.snapshot())
    _, reward, terminated, truncated, info = env.step(ACTIONS.index("move_right"))
    assert (terminated, truncated, info["discount"]) == (True, False, 0.0)
    assert reward == pytest.approx(-0.9)
    # What is over stays as it is.
    _, reward, terminated, truncated, _ = env.step(0)
    assert (reward, terminated, truncated) == (0.0, True, False)


# Info


def test_info_is_what_the_state_says(make):
    env = make("AllThree")
    env.action_space.seed(2)
    _, info = env.reset(seed=2)
    names = env.game.simulator.world.achievements
    reached = set()
    for _ in range(1200):
        state = env.game.simulator.state()
        assert info["inventory"] == dict(zip(ITEMS, state.inventory.tolist(), strict=True))
        assert info["achievements"] == dict(zip(names, state.achievements.tolist(), strict=True))
        assert info["player_pos"].tolist() == [state.x, state.y]
        semantic = info["semantic"].copy()
        assert semantic[state.x, state.y] == 13
        for thing in state.objects:
            assert semantic[thing["x"], thing["y"]] == 12 + thing["kind"]
        plain = semantic <= 12
        np.testing.assert_array_equal(semantic[plain], state.materials[plain])
        now = {name for name, count in info["achievements"].items() if count}
        assert set(info["unlocked"]) == now - reached
        reached = now
        _, reward, terminated, truncated, info = env.step(env.action_space.sample())
        assert info["reward"] == reward
        assert info["discount"] == float(not terminated)
        if terminated or truncated:
            _, info = env.reset()
            reached = set()
            assert (info["reward"], info["discount"], info["unlocked"]) == (0.0, 1.0, [])


def test_info_goes_along_with_wrappers_that_write_into_it():
    env = gymnasium.make("mars_logic/Crafter-v0", length=10)
    env = gymnasium.wrappers.RecordEpisodeStatistics(env)
    env.reset(seed=1)
    infos = [env.step(0)[4] for _ in range(10)]
    assert infos[-1]["episode"]["l"] == 10


# Actions


def test_actions_by_name(make):
    env = make()
    assert env.actions == ACTIONS
    env.reset(seed=1)
    env.step(env.actions.index("move_left"))
    assert env.game.seen.facing[0].tolist() == [-1, 0]


@pytest.mark.parametrize("action", [17, -1, 2.0, "do", [1, 2], None])
def test_other_actions_are_refused(make, action):
    env = make()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="actions must"):
        env.step(action)


@pytest.mark.parametrize("variant", ["plain", "split"])
def test_masks_are_those_of_the_simulator(make, variant):
    env = make("TaskDep", actions=variant)
    _, info = env.reset(seed=4)
    for action in script(300, number=len(env.actions)):
        mask = env.action_masks()
        assert mask.dtype == bool
        assert mask.shape == (env.action_space.n,)
        assert info["action_mask"].tolist() == mask.tolist()
        assert env.action_space.sample(info["action_mask"]) in np.flatnonzero(mask)
        plain = env.game.simulator.action_mask()[0]
        for name, allowed in zip(env.actions, mask, strict=True):
            if name in ACTIONS:
                assert allowed == plain[ACTIONS.index(name)]
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            _, info = env.reset()


def test_do_split_by_its_effect(make):
    env, plain = make("Default", actions="split"), make("Default")
    assert len(env.actions) == 27
    assert "do" not in env.actions
    for each in (env, plain):
        each.reset(seed=1)
        simulator = each.game.simulator
        x, y = simulator.positions[0].tolist()
        scene = Scene(simulator.snapshot()).clear("grass").fill("tree", x + 1, y)
        simulator.restore(scene.player(facing=(1, 0)).snapshot())
    only = [name for name, can in zip(env.actions, env.action_masks(), strict=True) if can]
    assert [name for name in only if name not in ACTIONS] == ["collect_wood"]
    in_vain = copy.deepcopy(env)
    assert in_vain.step(env.actions.index("collect_stone"))[4]["inventory"]["wood"] == 0
    assert env.step(env.actions.index("collect_wood"))[4]["inventory"]["wood"] == 1
    plain.step(ACTIONS.index("do"))
    assert (env.game.simulator.snapshot().envs == plain.game.simulator.snapshot().envs).all()


# Rendering


def test_rendering_never_touches_the_stream(make):
    watched, alone = make(render_mode="rgb_array", observation="image"), make()
    for env in (watched, alone):
        env.reset(seed=6)
    for action in script(250):  # into the night
        watched.render()
        watched.render()
        watched.step(action)
        alone.step(action)
    assert (watched.game.simulator.snapshot().envs == alone.game.simulator.snapshot().envs).all()


def test_pictures_and_text(make):
    env = make(render_mode="rgb_array")
    env.reset(seed=6)
    assert (env.render().shape, env.render().dtype) == ((600, 600, 3), np.uint8)
    small = make(render_mode="rgb_array", render_size=(90, 45))
    small.reset(seed=6)
    assert small.render().shape == (45, 90, 3)
    text = make(render_mode="ansi")
    text.reset(seed=6)
    assert isinstance(text.render(), str)


def test_lists_of_pictures():
    env = gymnasium.make("mars_logic/Default-v0", render_mode="rgb_array_list")
    env.reset(seed=1)
    for _ in range(3):
        env.step(0)
    assert [frame.shape for frame in env.render()] == [(600, 600, 3)] * 4


def test_rendering_without_a_mode_says_so(make):
    env = make()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="no render_mode was given"):
        assert env.render() is None
    with pytest.raises(InputError, match="allowed: rgb_array, ansi"), pytest.warns(UserWarning):
        make(render_mode="human_array")


def test_nothing_before_the_first_reset(make):
    env = make()
    for use in (lambda: env.step(0), env.action_masks, env.render):
        with pytest.raises(RuntimeError, match="call reset"):
            use()
