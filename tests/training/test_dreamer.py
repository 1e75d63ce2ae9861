"""DreamerV3 of sheeprl in a world: that a first update is made."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sheeprl", reason="the extra dreamer is not installed")

SEARCH_PATH = "pkg://sheeprl.configs;pkg://mars_logic.training.dreamer"


@pytest.mark.slow
def test_dreamer_trains(tmp_path: Path) -> None:
    small = ["dry_run=True", "env.sync_env=True", "fabric.accelerator=cpu", "metric.log_level=0"]
    command = [sys.executable, "-m", "sheeprl", "exp=mars_logic_dreamer_v3", "env.id=all_three"]
    done = subprocess.run(
        [*command, "algo=dreamer_v3_XS", *small, f"root_dir={tmp_path}"],
        env=os.environ | {"SHEEPRL_SEARCH_PATH": SEARCH_PATH, "OMP_NUM_THREADS": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Test - Reward: " in done.stdout
    assert list(tmp_path.rglob("*.ckpt")), "the model is kept"
