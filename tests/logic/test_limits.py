"""Limits of time and memory: past them nothing is claimed."""

from __future__ import annotations

import time
from multiprocessing import Pipe

import pytest

from mars_logic import load_world
from mars_logic.errors import InputError
from mars_logic.experiments.proving import ask, explain, prove
from mars_logic.logic import sandbox
from mars_logic.logic.sandbox import run_program
from mars_logic.logic.solve import OutOfTimeError, Session
from tests.logic.mutants import changed

DEFAULT = load_world("default")
PIGEONS = "1 { in(P, H) : H = 1..11 } 1 :- P = 1..12. :- in(P, H), in(Q, H), P < Q."
EXPLODING = "p(1..100000).\nq(X, Y) :- p(X), p(Y).\n"


def test_a_search_ends_at_its_deadline() -> None:
    session = Session([], PIGEONS, conflicts=10**9, deadline=time.monotonic() + 0.3)
    with pytest.raises(OutOfTimeError, match="time limit"):
        session.solve(["in"], [])
    with pytest.raises(OutOfTimeError):
        Session([], PIGEONS, deadline=time.monotonic() - 1)


def test_past_the_time_limit_all_is_unknown() -> None:
    found = prove(DEFAULT, time_limit=1e-9)
    assert all(v.verdict == "unknown" for v in found.achievements.values())
    assert {v.reason for v in found.achievements.values()} == {
        "the search was given up at its time limit"
    }
    assert found.upkeep.verdict == "unknown"
    assert set(found.rules.values()) == {"unknown"}
    with pytest.raises(OutOfTimeError):
        explain(DEFAULT, "collect_diamond", time_limit=1e-9)


@pytest.mark.slow
def test_a_limit_that_is_not_reached_changes_nothing() -> None:
    world = changed(DEFAULT, "collect.tree", requires={"wood_pickaxe": 1})
    assert prove(world, time_limit=600) == prove(world)
    assert explain(world, "collect_wood", time_limit=600) == explain(world, "collect_wood")


@pytest.mark.slow
def test_maps_past_the_time_limit_are_left_out() -> None:
    world = load_world("task_dep")
    found = prove(world, maps=1000, time_limit=3).achievements["collect_sapling"]
    if found.estimate is not None:
        assert found.estimate.maps < 1000


@pytest.mark.slow
def test_a_program_of_ones_own() -> None:
    program = "#show doubt(A) : unlock(finite_chance, A), not unlock(almost_sure, A)."
    found = ask(load_world("task_dep"), program)
    sapling = ("doubt(collect_sapling)", "doubt(eat_plant)", "doubt(place_plant)")
    assert found.models == (sapling,)
    on_map = ask(load_world("task_dep"), program, 2)
    assert on_map.models == (sapling,)


@pytest.mark.slow
def test_several_models_and_the_best() -> None:
    both = run_program("1 { a; b } 1. #show a/0. #show b/0.", "", models=0)
    assert set(both.models) == {("a",), ("b",)} and both.complete
    best = run_program("1 { a(1..3) }. #minimize { X : a(X) }. #show a/1.", "", models=0)
    assert best.models == (("a(1)",),) and best.complete
    assert run_program("a. :- a.", "").models == ()


@pytest.mark.slow
def test_an_exploding_program_is_stopped_at_its_memory_limit() -> None:
    with pytest.raises(InputError, match=r"^mine\.lp:1: program: .* 64 MB of memory") as stopped:
        run_program(EXPLODING, "", name="mine.lp", megabytes=64)
    assert "\n" not in str(stopped.value)


@pytest.mark.slow
def test_an_exploding_program_is_stopped_at_its_time_limit() -> None:
    with pytest.raises(InputError, match=r"more than 1\.5 seconds") as stopped:
        run_program(EXPLODING, "", megabytes=100_000, seconds=1.5)
    assert "\n" not in str(stopped.value)


@pytest.mark.parametrize(
    ("program", "line", "told"),
    [("a.\nb :- c(X.\n", 2, "syntax error"), ("a(1).\n\nb(X) :- not a(X).", 3, "unsafe")],
)
def test_a_wrong_program_is_told_with_its_line(program: str, line: int, told: str) -> None:
    with pytest.raises(InputError, match=rf"^mine\.lp:{line}: program: .*{told}"):
        run_program(program, "", name="mine.lp")


@pytest.mark.parametrize("program", ["a. #show a/0.", "a :- ."])
def test_a_child_ends_quietly_whose_asker_is_gone(
    program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the asker is killed: whatever it found, there is nobody to tell."""
    for limit in ("_confine", "close_files"):  # they would hold for all tests
        monkeypatch.setattr(sandbox, limit, lambda *_: None)
    ours, theirs = Pipe(duplex=False)
    ours.close()
    with theirs:
        source = sandbox.Source.of(program, "mine.lp")
        sandbox._run(theirs, sandbox.MEGABYTES, sandbox.SECONDS, sandbox.solve, (source, "", (), 1))
