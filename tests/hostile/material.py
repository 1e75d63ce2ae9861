"""Valid inputs of every kind, made once by the commands that make them."""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from mars_logic.domains.messenger.rules import MOTIONS, NAMES, ROLES
from tests.paths import DATA

INPUTS: Final = {
    "world": "mine.yaml",
    "game": "game.yaml",
    "sentences": "rules.txt",
    "document": "rules.md",
    "program": "rules.lp",
    "spec": "spec.yaml",
    "language": "language.yaml",
    "script": "script.yaml",
    "certificate": "plays/default__random__s0.json",
    "trajectory": "play/default__random__s0.parquet",
    "game certificate": "games/Hanoi3Disk__random__s0.json",
    "records": "records.json",
    "recording": "recording.npz",
    "game recording": "recording.jsonl",
    "scenes": "corpus/scenes.parquet",
    "corpus": "corpus",
    "detections": "detected",
    "experiment": "experiment",
    "manual": "manual.txt",
    "lexicon": "lexicon.yaml",
    "labelled sentences": "labelled.json",
    "exchanges": "talk",
    "certificates": "plays",
    "game certificates": "games",
    "trajectories": "play",
}
"""Where in the folder of valid inputs each kind lies; those without an ending are folders."""

_TEXTS: Final = {
    "mine.yaml": "base: default\nwalk: {sand: {health: 1}}\n",
    "game.yaml": "domain: bandits\nlength: 9\narms: [{probability: 0.5}, {probability: 0.2}]\n",
    "rules.txt": "Collecting from iron needs a stone pickaxe.\nCows do not attack.\n",
    "rules.md": (
        "# Rules\n\n- Cows do not attack.\n\n```lp\nviolated(T) :- position(T,X,Y), X < 0.\n```\n"
    ),
    "rules.lp": "violated(T) :- position(T,X,Y), X < 0.\n#show violated/1.\n",
    "manual.txt": "the hound that flees is the goal\nthe wizard is the enemy\na boat is the memo\n",
    "lexicon.yaml": "roles: {enemy: [baddie, {thing that hurts: 2}]}\n",
    "labelled.json": json.dumps(
        {
            "columns": ["entity", "role", "motion", "sentence"],
            "test": [
                [name, role, motion, f"the {name} is the {role}, {motion}"]
                for name in NAMES
                for role in ROLES
                for motion in (*MOTIONS, "unknown")
            ],
        }
    ),
    "language.yaml": "model: scripted:script.yaml\nbudget: {requests: 9}\n",
    "generous.yaml": "model: scripted:script.yaml\n",
    "script.yaml": "answers:\n- say: [move_left, do]\n",
    "spec.yaml": "agents: [random]\nworlds: [default]\nseeds: 0..1\nlength: 5\n",
}
_COMMANDS: Final = (
    "run random default --episodes 1 --length 40 --record play --out plays",
    "action-records default --per 1 --episodes 1 -o records.json",
    "run random Hanoi3Disk --episodes 1 --out games",
    "experiment spec.yaml -o experiment --workers 1",
    "scenes conan --scenes 2 -o corpus",
    "questions corpus",
    "detect corpus --explorer all -o detected",
    "run react default --episodes 1 --length 3 --language language.yaml --exchanges talk",
)
_MORE: Final = (
    "check default play",
    "learn-action-models play",
    "render play/default__random__s0.parquet -o film.gif --size 64 --to 3",
    "conform recording.npz",
)
"""Commands that compile what no limit of time should be spent on."""


def make(folder: Path) -> None:
    """Make all of them in a folder, unless another process has."""
    folder.mkdir(exist_ok=True)
    with (folder / ".lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (folder / ".made").exists():
            return
        for name, text in _TEXTS.items():
            (folder / name).write_text(text, encoding="utf-8")
        golden = min((DATA / "golden").glob("mars*.npz"), key=lambda path: path.stat().st_size)
        (folder / "recording.npz").write_bytes(golden.read_bytes())
        episodes = (DATA / "smartplay" / "hanoi.jsonl").read_text(encoding="utf-8")
        (folder / "recording.jsonl").write_text(episodes.splitlines()[0] + "\n", encoding="utf-8")
        for command in (*_COMMANDS, *_MORE):
            arguments = [sys.executable, "-m", "mars_logic", *command.split()]
            subprocess.run(arguments, cwd=folder, check=True, capture_output=True)
        (folder / "film.gif").unlink()
        (folder / ".made").touch()
