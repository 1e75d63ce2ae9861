"""``NUMBA_DISABLE_JIT``, which debuggers and measures of coverage set."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.cli.conftest import Run
from tests.paths import DATA

COMMANDS = {
    "run": ("run", "random", "default", "--episodes", 1, "--json"),
    "plan": ("plan", "default", "--seed", 2, "--length", 60, "--json"),
    "prove": ("prove", "default", "--map", 2, "--json"),
    "conform": ("conform", min((DATA / "golden").glob("*.npz"))),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(each, id=name, marks=pytest.mark.long if name == "plan" else ())
        for name, each in COMMANDS.items()
    ],
)
def test_commands_do_the_same(command: tuple[object, ...], run: Run) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "mars_logic", *map(str, command)],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        encoding="utf-8",
    )
    expected = run(*command)
    assert (told.returncode, told.stdout) == (expected.status, expected.out)
    assert expected.status in (0, 1) and expected.out
    if command[0] != "prove":
        (line,) = told.stderr.splitlines()
        assert line.startswith("warning: NUMBA_DISABLE_JIT: it has no effect on the kernels")


def test_functions_of_others_are_left_as_they_are() -> None:
    code = (
        "import numba, mars_logic\n"
        "from mars_logic.sim import Simulator\n"
        "simulator = Simulator(mars_logic.load_world('crafter'))\n"
        "simulator.reset(1)\n"
        "@numba.njit\ndef mine(): return numba.config.DISABLE_JIT\n"
        "assert type(mine) is type(lambda: 0) and mine() == 1\n"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], env=environment, check=True)


def test_a_package_that_was_imported_before_is_compiled_all_the_same() -> None:
    code = (
        "import opensimplex\n"
        "from mars_logic.sim.noise import noise, permutation\n"
        "assert abs(noise(permutation(3), 0.5, 0.5, 0.5, 1.0)) < 1\n"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], env=environment, check=True)
