from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mars_logic.play import certificate, learning
from mars_logic.world.load import load_theory
from tests.cli.conftest import Run


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Episodes of 40 steps, unless a test wants otherwise."""
    full = learning.study

    def study(*arguments: Any, limit: int | None, **options: Any) -> learning.Study:
        return full(*arguments, limit=limit or 40, **options)

    monkeypatch.setattr(learning, "study", study)


def test_learn_writes_a_theory_and_a_journal(run: Run, tmp_path: Path) -> None:
    theory, journal = tmp_path / "t.yaml", tmp_path / "j.md"
    options = ("--episodes", 1, "--evaluate", 1, "-o", theory, "--journal", journal)
    found = run("learn", "terrain", *options)
    assert found.status == 0 and "afterwards, 1 episode:" in found.out
    assert load_theory(theory).name == "t"
    assert journal.read_text(encoding="utf-8").startswith("# Learning terrain, seed 0")
    again = run("learn", "terrain", *options)
    assert again.status == 2 and "exists already" in again.err


@pytest.mark.slow
def test_learn_json(run: Run) -> None:
    found = run("learn", "terrain", "--episodes", 1, "--evaluate", 1, "--json").json
    assert found["schema"] == "mars-logic learn 1" and found["seed"] == 0
    (episode,) = found["episodes"]
    told = {"steps", "reward", "ended", "death", "unlocked", "precision", "recall"}
    assert set(episode) == told and (episode["death"] is None) == (episode["ended"] != "death")
    assert set(found["scores"]) >= {"precision", "recall", "f1", "by_kind"}
    assert found["evaluation"]["episodes"] == 1 and "score" in found["evaluation"]
    assert found["theory"]["collect"]
    for revision in found["revisions"]:
        assert revision["rule"] and len(revision["words"]) == 2


@pytest.mark.slow
def test_each_episode_is_kept_as_a_certificate(run: Run, tmp_path: Path) -> None:
    kept, page = tmp_path / "kept", tmp_path / "page.html"
    options = ("--episodes", 2, "--evaluate", 1, "--certificates", kept)
    learned = run("learn", "terrain", *options, "--json").json
    paths = [kept / f"terrain__inductive__s{name}.json" for name in ("0", "0e2", "1000000")]
    assert sorted(kept.iterdir()) == sorted(paths)
    assert run("verify", *paths).status == 0
    steps = [certificate.load(path).steps for path in paths[:2]]
    assert steps == [episode["steps"] for episode in learned["episodes"]]
    assert run("report", kept, "-o", page).status == 0 and page.exists()
    before = [path.read_bytes() for path in paths]
    paths[0].unlink()
    again = run("learn", "terrain", *options)
    assert again.status == 2 and "exists already" in again.err, "what was kept is not replaced"
    assert not paths[0].exists() and before[1:] == [path.read_bytes() for path in paths[1:]]
    assert run("learn", "terrain", *options, "--force").status == 0
    assert run("learn", "rulearn/reactor/01", "--certificates", kept).status == 2


def after_the_first_episode(happens: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let something happen between two episodes of learning."""
    study = learning.study

    def interrupted(*arguments: Any, done: Callable[[Any], None], **options: Any) -> learning.Study:
        def told(each: Any) -> None:
            done(each)
            happens()

        return study(*arguments, done=told, **options)

    monkeypatch.setattr(learning, "study", interrupted)


@pytest.mark.slow
def test_an_interruption_leaves_what_was_learned(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    after_the_first_episode(partial(signal.raise_signal, signal.SIGINT), monkeypatch)
    theory = tmp_path / "t.yaml"
    found = run("learn", "terrain", "--length", 20, "--episodes", 3, "-o", theory)
    assert found.status == 130 and found.out == ""
    assert (
        f"1 of 3 episodes of learning are done; what was learned in them is in {theory}"
        in found.err
    )
    assert load_theory(theory).name == "t"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no masks of signals")
def test_an_agent_that_is_starting_leaves_interruptions_to_the_command() -> None:
    """A terminal interrupts both."""
    command = [sys.executable, "-m", "mars_logic", "learn", "terrain", "--episodes", "1"]
    for wait in (0.0, 0.3):
        process = subprocess.Popen(
            command,
            text=True,
            stderr=subprocess.PIPE,
            start_new_session=True,
            encoding="utf-8",
        )
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        if not children.exists():
            pytest.skip("no list of children")
        while "spawn_main" not in commands(children.read_text(encoding="utf-8").split()):
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(wait)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 130 and "Traceback" not in err, err


def commands(processes: list[str]) -> str:
    """The command lines of those that are still there."""
    with contextlib.suppress(OSError):
        return "".join(
            Path(f"/proc/{each}/cmdline").read_text(encoding="utf-8") for each in processes
        )
    return ""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="no such signal")
def test_an_agent_that_dies_is_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kill() -> None:
        (agent,) = multiprocessing.active_children()
        agent.kill()
        agent.join()

    after_the_first_episode(kill, monkeypatch)
    theory = tmp_path / "t.yaml"
    before = signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as the command line has it
    try:
        found = run("learn", "terrain", "--length", 20, "--episodes", 2, "-o", theory)
    finally:
        signal.signal(signal.SIGPIPE, before)
    assert found.status == 1 and "Traceback" not in found.err
    assert "the agent's process was ended" in found.err and "1 of 2 episodes" in found.err
    assert load_theory(theory).name == "t"


@pytest.mark.slow
def test_episodes_may_be_short(run: Run) -> None:
    found = run("learn", "terrain", "--length", 7, "--episodes", 1, "--json").json
    assert [(each["steps"], each["ended"]) for each in found["episodes"]] == [(7, "length")]


def test_the_learner_finds_timers(run: Run, tmp_path: Path) -> None:
    world, learned = tmp_path / "ticking.yaml", tmp_path / "learned.yaml"
    world.write_text(
        "name: ticking\nbase: default\nlength: 60\n"
        "map:\n  drawn: |\n    ######\n    #@..g#\n    #.g..#\n    #..g.#\n    ######\n"
        "  legend: {g: {material: mud}}\n"
        "adds: {materials: {mud: {}, pit: {}}}\n"
        "timer: {mud: {becomes: pit, after: 6}, pit: {becomes: mud, after: 9}}\n"
    )
    options = ("--episodes", 1, "--length", 60, "-o", learned)
    assert run("learn", world, *options).status == 0
    theory = load_theory(str(learned))
    for subject, becomes, after in (("mud", "pit", 6), ("pit", "mud", 9)):
        rule = theory[f"timer.{subject}"]
        assert (rule.becomes, rule.after, rule.chance) == (becomes, after, 1.0)
