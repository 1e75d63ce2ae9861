"""A training run that is killed again and again: the curve is that of one that never was."""

from __future__ import annotations

import signal
import sys

import pytest

torch = pytest.importorskip("torch", reason="the extra rl is not installed")

from mars_logic.training import checkpoint, curve  # noqa: E402

from .killing import finish, kill_after, killed, start  # noqa: E402
from .test_run import flat  # noqa: E402

if sys.platform == "win32":  # pragma: no cover
    pytest.skip("there are no such signals", allow_module_level=True)

OPTIONS = ["--envs=4", "--length=20", "--set=n_steps=8", "--set=batch_size=32", "--set=width=16"]


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_same_curve(tmp_path):
    options = [*OPTIONS, "--steps=16k"]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    finish(whole, options)
    steps = list(killed(parts, options, times=3, seed=0))
    assert steps == sorted(steps)
    (parts / ".checkpoint.npz.unfinished").write_bytes(b"what a kill leaves behind")
    finish(parts, options)
    assert {path.name for path in parts.glob(".*")} == {".lock"}
    assert curve.read(parts / "curve.csv") == curve.read(whole / "curve.csv")
    one, other = (flat(checkpoint.load(each / "checkpoint.npz")) for each in (whole, parts))
    assert one.keys() == other.keys()
    assert all((one[name] == other[name]).all() for name in one)


@pytest.mark.slow
def test_a_folder_is_trained_in_by_one_process(tmp_path):
    options = [*OPTIONS, "--steps=100M"]
    first = start(tmp_path, options)
    try:
        while not (tmp_path / checkpoint.CHECKPOINT).exists():
            assert first.poll() is None
        second = start(tmp_path, options)
        error = second.communicate()[1]
        assert second.returncode == 2
        assert "another mars-logic train runs in this folder; allowed: another folder" in error
    finally:
        assert kill_after(first, tmp_path, 0, 0)
    assert first.returncode == -signal.SIGKILL
