"""Training runs: an interrupted one goes on to the same curve; another is not touched."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra rl is not installed")

import mars_logic  # noqa: E402
from mars_logic.errors import InputError  # noqa: E402
from mars_logic.system import array_files as archive  # noqa: E402
from mars_logic.training import checkpoint, curve  # noqa: E402
from mars_logic.training import laws as sources  # noqa: E402
from mars_logic.training.run import TrainingRun  # noqa: E402
from mars_logic.training.settings import NEED_LAWS, Settings, hyperparameters  # noqa: E402

WORLD = mars_logic.load_world("default")
STEPS = 640


def settings(algorithm="simple_ppo", observation="symbolic", reward="crafter", **changed):
    tuned = {"n_steps": 8, "batch_size": 32, "epochs": 1, "width": 16}
    if algorithm == "dqn":
        tuned |= {"n_steps": 4, "starts": 100, "buffer": 500}
    laws = ("printed",) if reward in NEED_LAWS else None
    found = sources.clauses_of(laws, WORLD, None) if laws else None
    about = {
        "world": "default",
        "digest": WORLD.digest,
        "algorithm": algorithm,
        "observation": observation,
        "reward": reward,
        "laws": laws,
        "laws_digest": sources.digest(found) if laws else None,
        "shuffled": None,
        "envs": 4,
        "seed": 1,
        "length": 25,
        "hyperparameters": hyperparameters(algorithm, tuned),
    }
    return Settings(**about | changed), found


def trained(folder, made, until=STEPS, seconds=1e9):
    """Train, and stop after so many steps; the session."""
    chosen, laws = made
    folder.mkdir(exist_ok=True)
    session = TrainingRun(folder, chosen, WORLD, laws, STEPS, seconds=seconds)
    reached = [0]

    def watch(steps, _):
        reached[0] = steps

    finished = session.train(watch, lambda: reached[0] >= until)
    assert finished == (until >= STEPS)
    return session


@pytest.mark.parametrize(
    ("algorithm", "observation", "reward"),
    [
        ("simple_ppo", "symbolic", "laws+penalty"),
        ("simple_ppo", "symbolic", "shaped"),
        ("ppo", "symbolic", "crafter"),
        ("maskable_ppo", "symbolic", "achievements"),
        ("recurrent_ppo", "symbolic", "health"),
        ("dqn", "symbolic", "crafter"),
        pytest.param("simple_ppo", "image", "crafter", marks=pytest.mark.long),
        pytest.param("ppo", "image", "laws", marks=pytest.mark.long),
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
def test_an_interrupted_run_goes_on_to_the_same_curve(tmp_path, algorithm, observation, reward):
    if algorithm != "simple_ppo":
        pytest.importorskip("sb3_contrib")
    made = settings(algorithm, observation, reward)
    whole = trained(tmp_path / "whole", made)
    parts = tmp_path / "parts"
    trained(parts, made, until=200)
    second = trained(parts, made, until=400, seconds=0.0)
    assert 200 <= second.resumed < STEPS
    resumed = trained(parts, made)
    assert len(whole.points) >= 5
    assert resumed.points == whole.points
    assert curve.read(parts / "curve.csv") == whole.points
    one, other = (
        flat(checkpoint.load(each / "last.npz")["model"]) for each in (tmp_path / "whole", parts)
    )
    assert one.keys() == other.keys()
    for name, weights in one.items():
        assert np.array_equal(weights, other[name]), name


def flat(content, inside=""):
    """The arrays in nested dictionaries, by their places."""
    found = {}
    for name, value in content.items():
        if isinstance(value, dict):
            found |= flat(value, f"{inside}{name}/")
        elif isinstance(value, np.ndarray):
            found[inside + name] = value
    return found


def test_a_run_of_other_settings_is_refused_and_kept(tmp_path):
    trained(tmp_path / "run", settings(), until=100)
    before = {path: path.read_bytes() for path in (tmp_path / "run").glob("*.*")}
    with pytest.raises(InputError, match=r"training.json:1: .*reward crafter / health"):
        TrainingRun(tmp_path / "run", settings(reward="health")[0], WORLD, None, STEPS)
    other = mars_logic.load_world("terrain")
    moved = settings(world="terrain", digest=other.digest)[0]
    with pytest.raises(InputError, match="world default / terrain"):
        TrainingRun(tmp_path / "run", moved, other, None, STEPS)
    assert {path: path.read_bytes() for path in (tmp_path / "run").glob("*.*")} == before
    renamed = settings(world="./default.yaml")[0]
    assert TrainingRun(tmp_path / "run", renamed, WORLD, None, STEPS).resumed >= 100


@pytest.mark.parametrize("damage", ["half", "other", "version", "parts"])
def test_a_damaged_checkpoint_is_told(tmp_path, damage):
    run = tmp_path / "run"
    trained(run, settings(), until=100)
    path = run / "checkpoint.npz"
    content = path.read_bytes()
    if damage == "half":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "other":
        path.write_bytes(b"nothing of the kind")
    elif damage == "version":
        found = checkpoint.load(path)
        checkpoint.save(path, found | {"schema": "mars-logic training 0"})
    else:
        found = checkpoint.load(path)
        del found["learner"]["optimiser"]
        checkpoint.save(path, found)
    with pytest.raises(InputError, match=r"checkpoint.npz:1: .*; allowed: "):
        TrainingRun(run, settings()[0], WORLD, None, STEPS)


def test_without_room_the_last_checkpoint_stays(tmp_path, monkeypatch):
    run = tmp_path / "run"
    session = trained(run, settings(), until=100)
    content = (run / "checkpoint.npz").read_bytes()

    def full(path, _):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(archive, "write_atomically", full)
    with pytest.raises(OSError, match="No space left"):
        session.save()
    assert (run / "checkpoint.npz").read_bytes() == content
