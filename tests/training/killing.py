"""Training runs that are killed again and again, and go on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from mars_logic.training import checkpoint, settings_file

_ALWAYS = (
    "from mars_logic.training.run import TrainingRun\n"
    "TrainingRun.__init__.__kwdefaults__['seconds'] = 0.0\n"
    "from mars_logic.cli.main import main\n"
    "main()\n"
)
"""The command line, with a checkpoint after each update, as far as its share of time allows."""


def start(folder: Path, options: list[str]) -> subprocess.Popen[str]:
    """Begin or continue training."""
    command = [sys.executable, "-c", _ALWAYS, "train", "default", "-o", str(folder), *options]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        command, stdout=quiet, stderr=subprocess.PIPE, encoding="utf-8", start_new_session=True
    )


def kill_after(process: subprocess.Popen[str], folder: Path, written: int, delay: float) -> bool:
    """Kill it some seconds after so many checkpoints; False if it came to its end before."""
    seen, last = 0, _inode(folder)
    while seen < written and process.poll() is None:
        if (now := _inode(folder)) != last:
            seen, last = seen + 1, now
        time.sleep(0.001)
    time.sleep(delay)
    ended = process.poll() is not None
    if not ended:
        process.send_signal(signal.SIGKILL)
    process.communicate()
    return not ended


def killed(folder: Path, options: list[str], times: int, seed: int) -> Iterator[int]:
    """Begin training, and kill it so many times; yields the steps of the checkpoint each time."""
    chance = random.Random(seed)
    for _ in range(times):
        process = start(folder, options)
        if not kill_after(process, folder, chance.randint(0, 3), chance.uniform(0, 0.05)):
            return
        path = folder / checkpoint.CHECKPOINT
        yield int(checkpoint.load(path)["steps"]) if path.exists() else 0
        assert not _members(process.pid), "processes are left"


def _inode(folder: Path) -> int:
    try:
        return (folder / checkpoint.CHECKPOINT).stat().st_ino
    except FileNotFoundError:
        return 0


def _members(group: int) -> list[str]:
    """The living processes of a group, as far as /proc tells."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            found.append(path.parent.name)
    return found


def finish(folder: Path, options: list[str]) -> None:
    """Train to the end."""
    process = start(folder, options)
    error = process.communicate()[1]
    assert process.returncode == 0, error


def main() -> None:
    """By hand: python -m tests.training.killing FOLDER TIMES OPTION..."""
    folder, times, options = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    finish(folder / "whole", options)
    steps = list(killed(folder / "parts", options, times, os.getpid()))
    finish(folder / "parts", options)
    whole, parts = (
        (folder / each / settings_file.CURVE).read_text(encoding="utf-8")
        for each in ("whole", "parts")
    )
    left = sorted(path.name for path in (folder / "parts").glob(".*"))
    rows = len(parts.splitlines()) - 1
    print(f"{len(steps)} kills at {steps}; {rows} rows, the same: {whole == parts}; {left}")


if __name__ == "__main__":
    main()
