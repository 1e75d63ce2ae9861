"""Memory of environments that are used for long."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

SCRIPT = """
import gc, sys
from pathlib import Path
import gymnasium
import mars_logic.envs

def kilobytes():
    gc.collect()
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))

steps, observation = int(sys.argv[1]), sys.argv[2]
envs = gymnasium.make_vec("mars_logic/AllThree-v0", num_envs=8, observation=observation)
envs.action_space.seed(0)
envs.reset(seed=0)
held = []
for step in range(-5000, steps):
    if step >= 0 and step % (steps // 4) == 0:
        held.append(kilobytes())
    envs.step(envs.action_space.sample())
print(*held, kilobytes())
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no account of memory")
@pytest.mark.parametrize("observation", ["symbolic", "image"])
@pytest.mark.parametrize(
    "steps", [10_000, pytest.param(200_000, marks=[pytest.mark.slow, pytest.mark.long])]
)
def test_steps_and_resets_leave_nothing_behind(steps: int, observation: str) -> None:
    """Episodes end and begin again all the while; what is left per step is less than a pointer.

    In one quarter of the steps there may be more: where room for creatures runs out, environments
    get wider records, once.
    """
    command = [sys.executable, "-W", "ignore", "-c", SCRIPT, str(steps), observation]
    told = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=600, encoding="utf-8"
    )
    held = [1024 * int(word) for word in told.stdout.split()]
    grown = sorted(after - before for before, after in pairwise(held))
    assert len(grown) == 4 and grown[-2] < 200_000 + 8 * steps // 4, held
