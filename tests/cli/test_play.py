"""The command in a real terminal, driven by tmux."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from mars_logic.play import certificate
from tests.cli.conftest import Run
from tests.paths import REPOSITORY

PAGE = REPOSITORY / "docs" / "play.md"
BLOCKS = "\n".join(re.findall(r"```bash\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
COMMAND, CHECK = (line.replace("-", "_", 1) for line in BLOCKS.splitlines() if line)
"""The commands of the page, as modules are called."""
PATIENCE = 60
"""Seconds: kernels may have to be compiled."""


class Terminal:
    """A terminal of its own, with a shell command in it."""

    def __init__(self, folder: Path, name: str = "play") -> None:
        self.folder, self.socket = folder, f"mars-logic-{name}-{uuid.uuid4().hex[:8]}"

    def tmux(self, *arguments: str) -> str:
        command = ["tmux", "-L", self.socket, "-f", "/dev/null", *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, check=True, encoding="utf-8"
        ).stdout

    def start(self, options: str = "", what: str = COMMAND, seen: str = "step ") -> None:
        self.tmux("new-session", "-d", "-x", "80", "-y", "24", *self._command(f"{what} {options}"))
        self.see(seen)

    def again(self, what: str, seen: str) -> str:
        """Start a command in place of the one that has ended."""
        self.tmux("respawn-pane", "-k", *self._command(what))
        return self.see(seen)

    def _command(self, what: str) -> tuple[str, ...]:
        command = f"{sys.executable} -m {what}; echo status=$?; exec sleep 1000"
        return "-c", str(self.folder), command

    def keys(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def see(self, wanted: str) -> str:
        """Wait until this is on the screen; return the screen."""
        end = time.monotonic() + PATIENCE
        while wanted not in (shown := self.tmux("capture-pane", "-p")):
            assert time.monotonic() < end, f"no {wanted!r} in\n{shown}"
            time.sleep(0.05)
        return shown

    def close(self) -> None:
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    if not shutil.which("tmux"):
        pytest.skip("tmux is not installed")
    made = Terminal(tmp_path)
    yield made
    made.close()


def wait_for(path: Path) -> None:
    end = time.monotonic() + PATIENCE
    while not path.exists():
        assert time.monotonic() < end, path
        time.sleep(0.05)


@pytest.mark.slow
def test_a_person_plays(terminal: Terminal, tmp_path: Path, run: Run) -> None:
    terminal.start("--json > result.json")
    terminal.keys("w", "Up", "Space")
    terminal.see("do: sapling +1, unlocked collect_sapling")
    terminal.keys("C-z", "p")  # which does not suspend it
    assert "step 4 of 1000" in terminal.see("* place_plant")
    terminal.keys("u")
    terminal.see("Undo? y/n")
    terminal.keys("y")
    shown = terminal.see("Undone; you are at step 3.")
    assert "step 3 of 1000" in shown and "* place_plant" not in shown and "practice" in shown
    terminal.keys("p", "m")
    terminal.see("Read it? y/n")
    terminal.keys("y")
    terminal.see("What is always so")
    terminal.keys("PageDown")
    terminal.see("22 to ")
    terminal.keys("q")
    terminal.see("* place_plant")
    terminal.tmux("resize-window", "-x", "60", "-y", "18")
    terminal.see("2 of 22 unlocked")
    terminal.tmux("resize-window", "-x", "90", "-y", "26")
    assert terminal.see("* place_plant").startswith("default, seed 3   step 4 of 1000")
    terminal.keys("q")
    terminal.see("Stop?")
    terminal.keys("y")
    assert re.search(r"^plays/\S+: \d+ steps? of ", terminal.see("status=0"), re.MULTILINE)
    files = sorted((tmp_path / "plays").iterdir())
    name = "default__human_with_manual_and_undo__s3"
    assert [file.name for file in files] == [f"{name}.json", f"{name}.parquet"]
    assert subprocess.run(f"{sys.executable} -m {CHECK}", shell=True, cwd=tmp_path).returncode == 0
    assert certificate.load(files[0]).actions == (3, 3, 5, 10)
    assert run("check", "default", files[1]).status == 0
    result = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert result["schema"] == "mars-logic run 1" and result["agent"] == name.split("__")[1]
    (row,) = result["worlds"]["default"]["episodes"]
    assert row["unlocked"] == {"collect_sapling": 3, "place_plant": 4}
    assert (row["ended"], row["steps"], row["reward"]) == ("stopped", 4, 2.0)


@pytest.mark.slow
def test_nothing_is_lost(terminal: Terminal, tmp_path: Path) -> None:
    """Neither when the terminal is closed, nor by Ctrl-C; and it is gone on with."""
    kept = tmp_path / "plays" / "default__human__s3.json"
    terminal.start()
    terminal.keys("w", "w")
    terminal.see("step 2 of 1000")
    terminal.close()
    wait_for(kept)
    assert certificate.load(kept).actions == (3, 3)
    terminal.start()
    terminal.see("step 2 of 1000")
    terminal.keys("Space")
    terminal.see("step 3 of 1000")
    terminal.keys("C-c")
    assert "interrupted" in terminal.see("status=130")
    assert certificate.load(kept).actions == (3, 3, 5)


@pytest.mark.slow
def test_a_person_plays_a_game(terminal: Terminal, tmp_path: Path, run: Run) -> None:
    game = "mars_logic play Hanoi3Disk --out plays"
    terminal.start(what=game, seen="1 to 6, or q to stop:")
    terminal.keys("2", "Enter")
    terminal.see("- C: |bottom, [0], top|")
    terminal.keys("9", "Enter")
    terminal.see("'9' is no action; allowed: 1 to 6, q")
    terminal.keys("C-c")
    assert "interrupted" in terminal.see("status=130")
    (kept,) = (tmp_path / "plays").iterdir()
    assert kept.name == "Hanoi3Disk__human__s0.json"
    assert json.loads(kept.read_text(encoding="utf-8"))["actions"] == [1]
    assert run("verify", kept).status == 0
    terminal.again(f"{game} --json > result.json", "- C: |bottom, [0], top|")
    for action in (1, 6, 2, 3, 4, 2):
        terminal.keys(str(action), "Enter")
    assert "The episode is over." in terminal.see("status=0")
    result = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert result["agent"] == "human" and result["kept"] == ["plays/Hanoi3Disk__human__s0.json"]
    (row,) = result["games"]["Hanoi3Disk"]["episodes"]
    assert (row["steps"], row["score"], row["completed"]) == (7, 3, True)
    assert "this episode has been played to its" in terminal.again(game, "status=2")


@pytest.mark.slow
def test_a_game_is_kept_at_the_players_wish(terminal: Terminal, tmp_path: Path) -> None:
    game = "mars_logic play BanditTwoArmedHighLowFixed"
    terminal.start(what=game, seen="1 to 2, or q to stop:")
    terminal.keys("1", "Enter", "q", "Enter")
    terminal.see("Keep the episode in plays? y or n:")
    terminal.keys("y", "Enter")
    assert re.search(r"^plays/\S+: \d+ steps? of ", terminal.see("status=0"), re.MULTILINE)
    assert [path.suffix for path in (tmp_path / "plays").iterdir()] == [".json"]


def test_elsewhere_it_is_refused(run: Run) -> None:
    found = run("play", "default")
    assert (found.status, found.out) == (2, "")
    assert found.err == "play: standard input is no terminal; allowed: a terminal with a keyboard\n"
