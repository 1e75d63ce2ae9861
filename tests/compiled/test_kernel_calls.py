"""Kernels that call kernels, and the pauses of a cold start."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mars_logic.compiled import compilation
from mars_logic.sim import compile_ahead

KERNELS = """
import numpy as np
from mars_logic.compiled.kernel import inline_kernel, kernel

@kernel
def doubled(x):
    if x < 0:
        raise ValueError("negative")
    return 2 * x

@inline_kernel
def added(x, y=0.5):
    return x + y

@kernel
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)

@kernel
def entry(values, n):
    total = 0.0
    for value in values:
        total += added(float(doubled(int(value)))) + added(0.0, y=float(doubled(np.int16(1))))
    return total + factorial(n)

@kernel
def other(x):
    return doubled(x) + 1
"""


def new_kernels(folder: Path) -> SimpleNamespace:
    """The kernels, as if a new process had imported them."""
    source = folder / "kernels.py"
    source.write_text(KERNELS, encoding="utf-8")
    space: dict[str, Any] = {"__name__": __name__}
    exec(compile(KERNELS, str(source), "exec"), space)
    return SimpleNamespace(**space)


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path / "cache"))
    return new_kernels(tmp_path)


def test_kernels_call_kernels_as_python_would(made: SimpleNamespace, tmp_path: Path) -> None:
    values = np.arange(4, dtype=np.int16)
    expected = sum(2 * int(v) + 0.5 + 2 for v in values) + 120
    assert made.entry(values, 5) == expected
    assert made.other(3) == 7
    # Called from Python, a kernel is a function of its own, and its callers stay as they are.
    assert not made.doubled.overloads
    assert made.doubled(4) == 8 and len(made.doubled.overloads) == 1
    assert made.other(4) == 9
    files = sorted(path.name.split("-")[0] for path in tmp_path.rglob("*.nbc"))
    assert [name.rpartition(".")[2] for name in files] == ["doubled", "entry", "other"]
    again = new_kernels(tmp_path)
    assert again.entry(values, 5) == expected
    assert sum(again.entry.stats.cache_hits.values()) == 1


def test_an_error_in_a_called_kernel_arrives(made: SimpleNamespace) -> None:
    with pytest.raises(ValueError, match="negative"):
        made.other(-1)
    assert made.other(1) == 3


def test_garbage_is_not_collected_while_something_is_compiled() -> None:
    seen = []
    compilation.notify(lambda: seen.append(gc.isenabled()), lambda: seen.append(gc.isenabled()))
    try:
        with compilation.compiling(), compilation.compiling():
            pass
        gc.disable()
        with compilation.compiling():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
        compilation.notify(None, None)
    assert seen == [False, True, False, False]


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Any]]:
    """Makes a second process that runs a text."""
    made: list[subprocess.Popen[bytes]] = []

    def make(text: str) -> Any:
        def start() -> subprocess.Popen[bytes]:
            made.append(subprocess.Popen([sys.executable, "-S", "-c", text]))
            return made[-1]

        monkeypatch.setattr(compile_ahead, "_start", start)
        return compile_ahead._Ahead(), made

    yield make
    for process in made:
        process.kill()
        process.wait()


def test_the_first_step_waits_for_the_second_process(
    ahead: Callable[[str], Any], tmp_path: Path
) -> None:
    done = tmp_path / "done"
    second, made = ahead(f"import time; time.sleep(0.2); open({str(done)!r}, 'w').close()")
    second.wait()  # there is none
    second.begin()
    second.begin()
    assert len(made) == 1 and not done.exists()
    second.wait()
    assert done.exists()
    second.wait()


def test_a_process_that_takes_too_long_is_ended(
    ahead: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_ahead, "_MOST_SECONDS", 0.1)
    second, (*_,) = ahead("import time; time.sleep(60)")
    second.begin()
    second.wait()
    assert second._process is None
