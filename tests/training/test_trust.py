"""A stranger's folder runs no code: files hold no pickles, and old ones need ``--trust``."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra rl is not installed")
pytest.importorskip("sb3_contrib", reason="the extra rl is not installed")

from mars_logic.training import curve, earlier_format  # noqa: E402
from tests.cli.conftest import run  # noqa: E402, F401  # a fixture

from .earlier import STATED, poison, unpack  # noqa: E402

ALGORITHMS = ("simple_ppo", "ppo", "maskable_ppo", "recurrent_ppo", "dqn")
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")


def player(algorithm, folder):
    return f"{'masked_' if algorithm == 'maskable_ppo' else ''}policy:{folder}"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(outcome, folder):
    assert outcome.status == 2
    (line,) = outcome.err.splitlines()
    assert line.startswith(f"{folder}/")
    assert "pickle" in line
    assert "allowed: --trust" in line


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_old_folders_of_strangers_run_no_code(run, here, algorithm):  # noqa: F811
    folder, mark = unpack(here, algorithm), here / "created"
    poison(folder, mark)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    play = ["default", "--episodes", "1", "--length", "5"]
    refused(run("run", player(algorithm, folder), *play), folder)
    assert not mark.exists()
    refused(run("train", "default", "--agent", algorithm, *STATED, "-o", folder), folder)
    assert not mark.exists()
    spec = f"agents: ['{player(algorithm, folder)}']\nworlds: [default]\nseeds: 0\nlength: 5\n"
    (here / "spec.yaml").write_text(spec, encoding="utf-8")
    refused(run("experiment", "spec.yaml", "-o", "e", "--workers", "1"), folder)
    assert not mark.exists()
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_old_folders_go_on_where_they_are_trusted(run, here, algorithm):  # noqa: F811
    folder = unpack(here, algorithm)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    play = ["run", player(algorithm, folder), "default", "--episodes", "1", "--length", "9"]
    trusted = run(*play, "--live-on", "--trust", "--json")
    assert trusted.status == 0, trusted.err
    train = ["train", "default", "--agent", algorithm, *STATED, "-o", folder, "--json"]
    done = run(*train, "--trust")
    assert done.status == 0, done.err
    assert "continued after 96 steps" in done.err
    assert curve.read(folder / "curve.csv")[-1].steps == 96
    assert {path: path.read_bytes() for path in before if path.suffix == ".pt"} == {
        path: content for path, content in before.items() if path.suffix == ".pt"
    }
    longer = run(*train, "--steps", "192")
    assert longer.status == 0, longer.err
    steps = [row["steps"] for row in longer.json["curve"]]
    assert steps == sorted(set(steps))
    assert steps[-1] == 192
    converted = unpack(here / "again", algorithm)
    assert earlier_format.convert(converted, trust=True)
    same = run("run", player(algorithm, converted), *play[2:], "--live-on", "--json")
    worlds = [each.json["worlds"] for each in (trusted, same)]
    assert worlds[0] == worlds[1]


def test_an_experiment_plays_old_models_that_are_trusted(run, here):  # noqa: F811
    folder = unpack(here, "ppo")
    spec = f"agents: ['policy:{folder}', random]\nworlds: [default]\nseeds: 0\nlength: 5\n"
    (here / "spec.yaml").write_text(spec, encoding="utf-8")
    found = run("experiment", "spec.yaml", "-o", "e", "--workers", "1", "--trust", "--json")
    assert found.json["units"] == {"asked": 2, "done": 2, "now": 2}, found.err


def test_only_the_command_line_grants_trust(run, here):  # noqa: F811
    folder = unpack(here, "ppo")
    options = f"{{folder: '{folder}', trust: true}}"
    spec = f"agents: [{{name: policy, options: {options}}}]\nworlds: [default]\nseeds: 0\n"
    (here / "spec.yaml").write_text(spec, encoding="utf-8")
    outcome = run("experiment", "spec.yaml", "-o", "e")
    assert (outcome.status, "has no option 'trust'" in outcome.err) == (2, True)
    stated = run("run", f"policy:{folder}", "default", "--option", "trust=true")
    assert (stated.status, "--option: 'trust=true' is no option" in stated.err) == (2, True)
    other = run("run", "random", "default", "--trust")
    assert other.status == 2
    assert "--trust: the agent 'random' reads no files that could run code" in other.err


def test_new_files_hold_no_pickles(run, here):  # noqa: F811
    for algorithm in ALGORITHMS:
        folder = here / algorithm
        assert run("train", "default", "--agent", algorithm, *STATED, "-o", folder).status == 0
        for path in folder.glob("*.npz"):
            with np.load(path, allow_pickle=False) as arrays:
                assert all(arrays[name].dtype.hasobject is False for name in arrays.files)
        assert {path.suffix for path in folder.iterdir() if path.is_file()} == {
            *("", ".csv", ".json", ".npz", ".yaml"),
        }
