"""Without the undocumented parts of numba, all results are the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PLAY = """
import hashlib
import numpy as np
import mars_logic
from mars_logic.compiled import kernel
from mars_logic.sim import Simulator

digest, dice = hashlib.sha256(), np.random.default_rng(0)
for name in ("crafter", "all_three", "worlds/gallery/copper.yaml"):
    simulator = Simulator(mars_logic.load_world(name), 2)
    simulator.reset(3)
    for step in range(400):
        simulator.step(dice.integers(17, size=2))
        state = simulator.state(0)
        parts = state.materials, state.objects, state.inventory, simulator.semantic()
        for part in parts:
            digest.update(np.ascontiguousarray(part).tobytes())
print(kernel.parts.__name__.rpartition(".")[2], digest.hexdigest())
"""
ROOT = Path(__file__).parents[2]


def outcome(**setting: str) -> list[str]:
    """The part of the package that compiles, and a digest of play."""
    found = subprocess.run(
        [sys.executable, "-c", PLAY],
        env=os.environ | setting,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    return found.stdout.split()


@pytest.mark.slow
def test_plain_kernels_play_the_same(tmp_path: Path) -> None:
    usual = outcome()
    plain = outcome(MARS_LOGIC_PLAIN_NUMBA="1", NUMBA_CACHE_DIR=str(tmp_path))
    assert usual[0] == "numba_parts" and plain[0] == "plain_numba"
    assert usual[1] == plain[1]
    again = outcome(MARS_LOGIC_PLAIN_NUMBA="1", NUMBA_CACHE_DIR=str(tmp_path))
    assert again == plain


def test_plain_kernels_are_not_interpreted() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "mars_logic", "run", "random", "default", "--episodes", "1"],
        env=os.environ | {"MARS_LOGIC_PLAIN_NUMBA": "1", "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 2
    assert found.stderr.startswith("environment: NUMBA_DISABLE_JIT: ")
    assert "Traceback" not in found.stderr and "; allowed: " in found.stderr
