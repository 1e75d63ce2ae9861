from __future__ import annotations

import importlib
import pickle
import subprocess
import sys

import gymnasium
import numpy as np
import pytest

import mars_logic.envs
from mars_logic import WorldError, bundled_worlds, load_world
from mars_logic.domains import bundled_games
from mars_logic.envs import environment_id
from mars_logic.envs.registration import PUZZLE_FAMILIES
from mars_logic.errors import InputError
from mars_logic.world.load import all_bundled_worlds

IDS = [environment_id(name) for name in (*bundled_worlds(), *bundled_games())]


def test_names():
    assert environment_id("task_dep") == "mars_logic/TaskDep-v0"
    assert environment_id("terr_surv_paper") == "mars_logic/TerrSurvPaper-v0"
    assert environment_id("Hanoi3Disk") == "mars_logic/Hanoi3Disk-v0"
    assert len(set(IDS)) == len(bundled_worlds()) + len(bundled_games())


def test_every_bundled_world_and_game_is_registered():
    families = map(environment_id, PUZZLE_FAMILIES)
    traced = [environment_id(name) for name in all_bundled_worlds()]
    others = [f"mars_logic/{name}-v0" for name in ("World", "Game", "ConanDetective")]
    assert {*IDS, *families, *traced, *others} == {
        name for name in gymnasium.registry if name.startswith("mars_logic/")
    }
    shown = gymnasium.pprint_registry(disable_print=True)
    assert "===== mars_logic =====" in shown
    assert all(name in shown for name in IDS)


def test_registering_again_changes_nothing():
    before = dict(gymnasium.registry)
    importlib.reload(mars_logic.envs)  # a warning would be an error here
    assert gymnasium.registry == before


@pytest.mark.parametrize("world", bundled_worlds())
def test_a_name_means_its_world(world, make):
    assert make(environment_id(world)[11:-3]).game.simulator.world == load_world(world)


def run(code):
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_registering_imports_no_simulator():
    out = run("import sys, mars_logic.envs; print({'numba', 'mars_logic.sim'} & set(sys.modules))")
    assert out.strip() == "set()"


def test_the_module_can_be_named_in_the_id():
    out = run(
        "import gymnasium; env = gymnasium.make('mars_logic.envs:mars_logic/TaskDep-v0');"
        "print(env.reset(seed=1)[1]['player_pos'].tolist())"
    )
    assert out.strip() == "[32, 32]"


def test_any_world_by_file_name_or_itself(make, tmp_path):
    file = tmp_path / "generous.yaml"
    file.write_text(
        "name: generous\nbase: default\ncollect:\n  diamond: {yields: {coal: 1}}\n",
        encoding="utf-8",
    )
    by_path = make("World", world=file)
    assert by_path.game.simulator.world.name == "generous"
    assert make("World", world=str(file)).game.simulator.world == by_path.game.simulator.world
    assert make("World", world="terrain").game.simulator.world == load_world("terrain")
    changed = load_world("crafter").named("other")
    assert make("World", world=changed).game.simulator.world.name == "other"


def test_a_world_that_is_not_there(make):
    with pytest.raises(WorldError, match="did you mean"):
        make("World", world="task_deb")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"observation": "pixels"}, "observation: .*allowed: symbolic, codes, image, text"),
        ({"observation": "imagw"}, "did you mean 'image'"),
        ({"observation": "text", "style": "maars"}, "style: .*allowed: mars, smartplay"),
        ({"actions": "27"}, "actions: .*allowed: plain, split"),
        ({"observation": "image", "size": 64}, "size must be"),
        ({"observation": "image", "size": (8, 64)}, "size must be 9 to 4096"),
        ({"size": (8, 64)}, "size must be 9 to 4096"),
        ({"style": "maars"}, "style: .*allowed: mars, smartplay"),
        ({"length": 0}, "length must be 1 to 10000"),
        (
            {"lenght": 5},
            "options: unknown 'lenght', did you mean 'length'.*; allowed: .*render_size",
        ),
        ({"render_size": (1, 2, 3)}, "render_size must be"),
    ],
)
def test_what_is_refused(given, message):
    for make in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises(ValueError, match=message):
            make("mars_logic/Default-v0", **given)


def test_what_is_refused_of_vector_environments_alone():
    with pytest.raises(InputError, match="allowed: NextStep, SameStep, Disabled"):
        gymnasium.make_vec("mars_logic/Default-v0", autoreset_mode="never")
    with pytest.raises(InputError, match="extras: unknown 'semantik', did you mean 'semantic'"):
        gymnasium.make_vec("mars_logic/Default-v0", extras=("semantik",))
    with pytest.raises(InputError, match="extras must be a sequence of names, not 'semantic'"):
        gymnasium.make_vec("mars_logic/Default-v0", extras="semantic")
    with pytest.raises(InputError, match="extras must be a sequence of names, not None"):
        gymnasium.make_vec("mars_logic/Default-v0", extras=None)
    with pytest.raises(InputError, match="unknown 'thread', did you mean 'threads'"):
        gymnasium.make_vec("mars_logic/Default-v0", thread=2)
    with pytest.raises(ValueError, match="num_envs must be a positive integer, not 0"):
        gymnasium.make_vec("mars_logic/Default-v0", num_envs=0)


@pytest.mark.parametrize("given", [{}, {"world": None}, {"world": 3}])
def test_the_environment_of_any_world_needs_one(given):
    for make in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises(InputError, match=r"world: .*allowed: .*name of a bundled one.*file"):
            make("mars_logic/World-v0", **given)


def test_the_environment_of_a_bundled_world_takes_no_other():
    for make in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises(InputError, match=r"world: .*that of default; allowed: .*World-v0"):
            make("mars_logic/Default-v0", world="terrain")


def play(env, steps=40):
    env.reset(seed=5)
    rng = np.random.default_rng(5)
    return [env.step(int(rng.integers(17)))[1] for _ in range(steps)]


def test_a_spec_makes_the_same_again():
    env = gymnasium.make("mars_logic/TaskDep-v0", observation="image", length=30, size=(32, 48))
    again = gymnasium.make(env.spec)
    assert again.spec == env.spec
    assert again.observation_space == env.observation_space
    assert play(again) == play(env)
    from_json = gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json())
    assert play(gymnasium.make(from_json)) == play(env)
    assert "id=mars_logic/TaskDep-v0" in env.spec.pprint(disable_print=True)


def test_a_spec_of_many_makes_the_same_again():
    envs = gymnasium.make_vec("mars_logic/TaskDep-v0", 3, length=30, autoreset_mode="SameStep")
    again = gymnasium.make_vec(envs.spec)
    assert (again.num_envs, again.metadata) == (3, envs.metadata)
    assert repr(again) == repr(envs) == "WorldVectorEnv(mars_logic/TaskDep-v0, num_envs=3)"


def test_environments_can_be_pickled(make):
    env = make("TaskDep")
    env.reset(seed=1)
    env.step(5)
    copied = pickle.loads(pickle.dumps(env))
    for action in [1, 5, 2, 5]:
        one, other = env.step(action), copied.step(action)
        np.testing.assert_equal(one, other)
