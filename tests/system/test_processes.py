"""Processes that the package starts, in scripts that have no ``if __name__ == "__main__":``."""

from __future__ import annotations

import subprocess
import sys
import threading
from multiprocessing import spawn
from pathlib import Path

import pytest

from mars_logic.system.processes import CONTEXT, pool

SCRIPT = """
print("begun")
from mars_logic.logic.sandbox import run_program
print(run_program("a. #show a/0.", "").models)
"""
LEARNING = f"""{SCRIPT}
import mars_logic
print(repr(mars_logic.learn("terrain", episodes=1, length=5)))
"""


def told(*words: str | Path, text: str = "") -> list[str]:
    done = subprocess.run(
        [sys.executable, *words], input=text, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_a_script_without_a_guard_learns(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(LEARNING, encoding="utf-8")
    learned = "<Learned terrain: 2 rules in 1 episode>"
    assert told(script) == ["begun", "(('a',),)", learned]


@pytest.mark.slow
def test_a_script_on_standard_input_has_processes() -> None:
    assert told("-", text=SCRIPT) == ["begun", "(('a',),)"]


def test_a_pool_does_the_work_of_modules() -> None:
    with pool(1) as workers:
        assert workers.submit(int, "7").result(60) == 7


def test_processes_of_the_caller_are_told_of_the_main_file(monkeypatch: pytest.MonkeyPatch) -> None:
    main = sys.modules["__main__"]
    monkeypatch.setattr(main, "__spec__", None, raising=False)
    monkeypatch.setattr(main, "__file__", __file__, raising=False)
    before = spawn.get_preparation_data("x")
    assert before["init_main_from_path"] == __file__
    started = threading.Event()
    found: list[set[str]] = []

    def ask() -> None:
        started.wait(60)
        found.append(set(spawn.get_preparation_data("x")))

    class Pickled:
        """Lets another thread ask while the process is being started."""

        def __reduce__(self) -> tuple[type, tuple[()]]:
            started.set()
            other.join(60)
            return int, ()

    other = threading.Thread(target=ask)
    other.start()
    process = CONTEXT.Process(target=abs, args=(Pickled(),))
    process.start()
    process.join(60)
    assert process.exitcode == 0
    assert found == [set(before)]
    assert set(spawn.get_preparation_data("x")) == set(before)
