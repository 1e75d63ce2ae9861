"""What a cold start compiles before the first step stays within a budget, whatever the machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUDGET = {
    "reset": {"forms": 96, "instructions": 11_000},
    "step": {"forms": 162, "instructions": 13_700},
}
"""As measured with numba 0.68.1, and 5 % more; a cold start spends most of its time on forms."""


@pytest.mark.slow
@pytest.mark.parametrize("part", BUDGET)
def test_a_cold_start_compiles_no_more_than_its_budget(part: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.sim.compile_counts", part]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    found = json.loads(done.stdout)
    assert found["forms"] > 0 < found["instructions"], "nothing was compiled: no cold start"
    assert all(found[what] <= most for what, most in BUDGET[part].items()), found
