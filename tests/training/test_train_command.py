"""The command ``train``, and what it trained as an agent of the other commands."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="the extra rl is not installed")

from tests.cli.conftest import run  # noqa: E402, F401  # a fixture

SMALL = "--steps 2k --envs 16 --length 20 --set n_steps=8 --set batch_size=64 --set width=16"
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_policy_is_trained_and_plays_like_other_agents(run, here):  # noqa: F811
    done = run("train", "default", *SMALL.split(), "-o", "p", "--json")
    assert done.status == 0, done.err
    assert done.json["finished"]
    assert done.json["curve"][-1]["steps"] == 2048
    names = {path.name for path in (here / "p").iterdir()}
    assert {"training.json", "curve.csv", "checkpoint.npz", "last.npz", "world.yaml"} <= names
    again = run("train", "default", *SMALL.split(), "-o", "p", "--json")
    assert again.json["curve"] == done.json["curve"]
    assert "continued after 2048 steps" in again.err

    told = "default terrain --episodes 2 --length 40 --live-on --out c --record t"
    options = told.split()
    played = run("run", "policy:p", *options, "--json")
    assert played.status == 0, played.err
    assert played.json["worlds"]["default"]["reward"] is not None
    kept = {path.name: path.read_bytes() for path in (here / "c").iterdir()}
    assert len(kept) == 4
    assert all("__policy_with_model_" in name for name in kept)
    assert run("run", "policy:p", *options, "--json").json["worlds"] == played.json["worlds"]
    assert run("verify", *sorted((here / "c").iterdir())).status == 0
    assert run("check", "default", *(here / "t").glob("default*")).status == 0
    assert run("report", "c", "-o", "r.html").status == 0

    last = "{name: policy, label: last, options: {folder: p, which: last}}"
    spec = f"agents: [random, 'policy:p', {last}]\nworlds: [default]\nseeds: 0..1\nlength: 30\n"
    (here / "spec.yaml").write_text(spec, encoding="utf-8")
    found = run("experiment", "spec.yaml", "-o", "e", "--workers", "1", "--json")
    assert found.json["units"] == {"asked": 6, "done": 6, "now": 6}, found.err
    told = run("summarise", "e")
    assert "policy_p" in told.out
    assert (
        run("experiment", "spec.yaml", "-o", "e", "--workers", "1", "--json").json["units"]["now"]
        == 0
    )


@pytest.mark.usefixtures("here")
def test_masks_are_told_to_a_policy_that_was_trained_with_them(run):  # noqa: F811
    pytest.importorskip("sb3_contrib")
    small = [*SMALL.split(), "--agent", "maskable_ppo", "-o", "p"]
    assert run("train", "default", *small).status == 0
    refused = run("run", "policy:p", "default")
    assert (refused.status, "allowed: masked_policy:" in refused.err) == (2, True)
    played = run("run", "masked_policy:p", "default", "--episodes", 1, "--length", 20)
    assert played.status == 0, played.err
    assert "given rules, whole map, future" in played.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("default --steps 0", "--steps: '0'; allowed: a number from 1"),
        ("default --steps 1.5", "--steps: '1.5'"),
        ("default --device tpu9", "--device: 'tpu9' is not there"),
        ("default --reward laws", "--laws: the reward 'laws' needs laws"),
        ("default --shuffle-laws 1", "--shuffle-laws: there are no laws"),
        ("nowhere", "nowhere"),
        ("default --reward laws --laws absent.json", "absent.json:1: file: there is no such file"),
        ("default --reward shaped --laws true", "true laws have no conditions"),
        ("default --set gama=1", "there is no 'gama'"),
    ],
)
def test_bad_input(run, here, arguments, message):  # noqa: F811
    outcome = run("train", *arguments.split(), "-o", "p")
    assert outcome.status == 2
    assert message in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert not (here / "p" / "training.json").exists()


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("agent", ["policy:absent", "policy:.", "policy:"])
def test_no_model(run, agent):  # noqa: F811
    outcome = run("run", agent, "default")
    assert outcome.status == 2
    assert "there is no model of a training run; allowed: a folder" in outcome.err


def test_a_damaged_model(run, here):  # noqa: F811
    (here / "p").mkdir()
    (here / "p" / "best.npz").write_bytes(b"\x80\x04.")
    outcome = run("run", "policy:p", "default")
    assert outcome.status == 2
    assert "p/best.npz:1: file: not a readable .npz file" in outcome.err


@pytest.mark.usefixtures("here")
def test_a_run_in_another_dialect_goes_on(run):  # noqa: F811
    small = [*SMALL.split(), "--observation", "image", "--set", "n_steps=4", "-o", "p", "--json"]
    assert run("train", "conan", *small, "--steps", "64").status == 0
    longer = run("train", "conan", *small, "--steps", "128")
    assert longer.status == 0, longer.err
    assert "continued after 64 steps" in longer.err


def test_force_begins_anew_and_removes_nothing_else(run, here):  # noqa: F811
    small = [*SMALL.split(), "-o", "p"]
    assert run("train", "default", *small).status == 0
    (here / "p" / "mine.txt").write_text("mine", encoding="utf-8")
    other = run("train", "default", *small, "--reward", "health")
    assert (other.status, "another training run" in other.err) == (2, True)
    assert run("train", "default", *small, "--reward", "health", "--force").status == 0
    assert (here / "p" / "mine.txt").read_text(encoding="utf-8") == "mine"
