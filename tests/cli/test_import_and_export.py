"""Play goes to other formats and comes from them."""

from __future__ import annotations

from importlib import resources
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from mars_logic.agents.random import RandomAgent
from mars_logic.data import file_name, files_in, load, load_all, save
from mars_logic.data.trajectory import columns
from mars_logic.play.recording import record
from mars_logic.sim import Simulator
from mars_logic.world.load import load_world
from tests.cli.conftest import Run
from tests.paths import DATA

GOLDEN = sorted((DATA / "golden").glob("*.npz"))
needs_minari = pytest.mark.skipif(find_spec("minari") is None, reason="Minari is not installed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two recorded episodes."""
    found = tmp_path_factory.mktemp("runs")
    simulator = Simulator(load_world("terr_surv"))
    for seed in range(2):
        _, trajectory = record(RandomAgent(), simulator, seed, agent_name="random")
        save(trajectory, found / file_name(trajectory.about))
    return found


@pytest.mark.slow
def test_golden_traces_are_imported_and_checked(run: Run, tmp_path: Path) -> None:
    chosen = [path for path in GOLDEN if "world_terr_npc_ach" in path.name]
    done = run("import", *chosen, "-o", tmp_path / "new" / "golden")
    assert done.out == f"{tmp_path}/new/golden: 1 episode, 1,000 transitions\n"
    (path,) = files_in(tmp_path / "new" / "golden")
    assert path.name == "all_three__recorded__s9001.parquet"
    assert run("check", "all_three", path).status == 0
    assert run("check", "default", path).status == 1
    again = run("import", *chosen, "-o", path.parent)
    assert again.status == 2 and "it exists already" in again.err
    forced = run("import", *chosen, "-o", path.parent, "--force", "--public", "--json").json
    assert forced["schema"] == "mars-logic import 1"
    assert forced["trajectories"][0]["file"] == str(path)
    assert load(path).privileged is None


def test_what_cannot_be_imported(run: Run, tmp_path: Path, folder: Path) -> None:
    (tmp_path / "bad.npz").write_text("hello", encoding="utf-8")
    for source, message in [
        (tmp_path / "bad.npz", "not a readable .npz file"),
        (tmp_path / "none.npz", "no such file"),
        (folder, "this is no data set"),
    ]:
        done = run("import", source, "-o", tmp_path / "out")
        assert done.status == 2 and message in done.err and not done.out
    assert not [*(tmp_path / "out").iterdir()]


@pytest.mark.slow
def test_many_files_become_one(run: Run, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "all.parquet"
    transitions = len(load_all(folder).action)
    done = run("export", folder, "--to", "parquet", "-o", out)
    assert done.out == f"{out}: 2 episodes, {transitions:,} transitions\n"
    whole = load_all(out)
    for one, other in zip(load_all(folder), whole, strict=True):
        again = columns(other)
        assert all(np.array_equal(array, again[name]) for name, array in columns(one).items())
    assert run("check", "terr_surv", out).err == run("check", "terr_surv", folder).err
    refused = run("export", folder, "--to", "parquet", "-o", out)
    assert refused.status == 2 and "it exists already" in refused.err
    public = run("export", out, "--to", "parquet", "-o", out, "--public", "--force", "--json")
    assert public.json["episodes"] == 2 and load_all(out).privileged is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("default", "terrain", "--to", "pddl"), "SOURCE: not with --to pddl; allowed: one world"),
        (("default", "--to", "pddl", "--public"), "--public: not with --to pddl"),
        (("x", "--to", "parquet", "--goal", "wake_up"), "--goal: not with --to parquet"),
        (("x", "--to", "parquet", "--luck", "sure"), "--luck: not with --to parquet"),
        (("missing", "--to", "parquet"), "missing:1: file: there is no such file"),
    ],
)
def test_options_that_do_not_fit(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = run("export", *arguments, "-o", tmp_path / "out")
    assert done.status == 2 and message in done.err
    assert not (tmp_path / "out").exists()


# --- Minari ---------------------------------------------------------------------------------------


@needs_minari
@pytest.mark.filterwarnings("default")
def test_minari_loads_the_data_set_and_it_comes_back_as_it_was(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import minari

    done = run("export", folder, "--to", "minari", "-o", tmp_path / "random-v0")
    assert done.status == 0, done.err
    assert [path.name for path in tmp_path.iterdir()] == ["random-v0"], "nothing else is left"
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    dataset = minari.load_dataset("random-v0")
    played = load_all(folder)
    assert (dataset.total_episodes, dataset.total_steps) == (2, len(played.action))
    env = dataset.recover_environment()
    assert env.observation_space == dataset.observation_space
    assert env.action_space == dataset.action_space
    for episode, trajectory in zip(dataset.iterate_episodes(), played, strict=True):
        assert np.array_equal(episode.observations["materials"], trajectory.views.materials)
        assert np.array_equal(episode.actions, trajectory.action)
        assert np.array_equal(episode.rewards, trajectory.reward)
        assert np.array_equal(episode.terminations, trajectory.terminated)
        first = {name: array[0] for name, array in episode.observations.items()}
        assert dataset.observation_space.contains(first)
    assert run("import", tmp_path / "random-v0", "-o", tmp_path / "back").status == 0
    for path in files_in(folder):
        assert (tmp_path / "back" / path.name).read_bytes() == path.read_bytes()


@needs_minari
@pytest.mark.filterwarnings("default")
def test_a_public_data_set_in_the_current_folder(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = Path("mine-v1")
    assert run("export", folder, "--to", "minari", "-o", name, "--public").status == 0
    assert run("import", name, "-o", tmp_path / "back").status == 0
    assert load_all(tmp_path / "back").privileged is None
    again = run("export", folder, "--to", "minari", "-o", name)
    assert again.status == 2 and "it exists already" in again.err


@needs_minari
@pytest.mark.filterwarnings("default")
def test_what_is_no_data_set_of_ours(run: Run, folder: Path, tmp_path: Path) -> None:
    done = run("export", folder, "--to", "minari", "-o", tmp_path / "no version")
    assert done.status == 2 and "is no name of a data set" in done.err
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "metadata.json").write_text("{}", encoding="utf-8")
    done = run("import", tmp_path / "other", "-o", tmp_path / "back")
    assert done.status == 2 and "no data set of Minari made from trajectories" in done.err


def test_without_minari_it_is_said_what_to_install(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "minari", None)
    done = run("export", folder, "--to", "minari", "-o", tmp_path / "random-v0")
    assert done.status == 2 and "[minari]" in done.err


def test_a_rules_file_of_crafter_becomes_a_world(run: Run, tmp_path: Path) -> None:
    data = tmp_path / "data.yaml"
    original = resources.files("crafter") / "data.yaml"
    text = original.read_text(encoding="utf-8").replace("probability: 0.1", "probability: 0.5")
    data.write_text(text, encoding="utf-8")
    assert run("validate", data).status == 0
    assert "1 of 52 rules differ" in run("diff", "crafter", data).err
    done = run("import", data, "-o", tmp_path / "mine.yaml")
    assert done.status == 0 and "a world, crafter" in done.out
    assert "base: crafter" in (tmp_path / "mine.yaml").read_text(encoding="utf-8")
    assert "0 of 52 rules differ" in run("diff", data, tmp_path / "mine.yaml").err
    assert run("import", data, "-o", tmp_path / "mine.yaml").status == 2, "it exists already"
    assert run("import", data, data, "-o", tmp_path / "two.yaml").status == 2
    assert run("import", data, "-o", tmp_path / "new").status == 2, "no name of a world"
