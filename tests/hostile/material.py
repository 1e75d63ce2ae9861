"""Valid inputs of every kind, made once by the commands that make them."""

from __future__ import annotations

import fcntl
import importlib.resources
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pyarrow.parquet as pq

from mars_logic.domains.messenger.rules import MOTIONS, NAMES, ROLES
from mars_logic.system import resources
from tests import others
from tests.paths import DATA

INPUTS: Final = {
    "world": "mine.yaml",
    "game": "game.yaml",
    "sentences": "rules.txt",
    "document": "rules.md",
    "rules": "known.json",
    "proposals": "means.yaml",
    "program": "rules.lp",
    "spec": "spec.yaml",
    "language": "language.yaml",
    "script": "script.yaml",
    "laws": "laws.txt",
    "certificate": "plays/default__random__s0.json",
    "trajectory": "play/default__random__s0.parquet",
    "plain table": "plain.parquet",
    "game certificate": "games/Hanoi3Disk__random__s0.json",
    "records": "records.json",
    "recording": "recording.npz",
    "recorder's episode": "recorder.npz",
    "recorder's totals": "stats.jsonl",
    "result table": "results.csv",
    "log": "log.jsonl",
    "trace": "wood.traj",
    "clauses": "found.pl",
    "learned domain": "learned.pddl",
    "plan": "wood.pddl",
    "crafter rules": "data.yaml",
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
    "library": "library",
    "samples": "sampled",
    "solved puzzles": "solved",
    "measurements": "measured",
    "policy": "policy",
}
"""Where in the folder of valid inputs each kind lies; those without an ending are folders."""

NEEDS: Final = {"policy": "torch"}
"""Kinds that only some installations can make, by the module that it takes."""

_UNIT: Final = "experiment/units/default__random__s0"
_PARTS: Final[dict[str, tuple[str, ...]]] = {
    "world": ("mine.yaml", "whole.yaml"),
    "game": ("game.yaml", "hanoi.yaml", "puzzle.yaml"),
    "spec": ("spec.yaml", "whole_spec.yaml"),
    "language": ("language.yaml", "whole_language.yaml"),
    "corpus": tuple(
        f"corpus/{n}.{e}" for n in ("scenes", "questions") for e in ("json", "parquet")
    ),
    "detections": ("detected/detections.json", "detected/detections.parquet"),
    "experiment": (
        "experiment/results.parquet",
        "experiment/spec.yaml",
        f"{_UNIT}/unit.json",
        f"{_UNIT}/episodes.parquet",
        f"{_UNIT}/certificates/e1.json",
    ),
    "exchanges": ("talk/default__react__*.jsonl", "talk/spent.jsonl"),
    "certificates": ("plays/default__random__s0.json",),
    "game certificates": ("games/Hanoi3Disk__random__s0.json",),
    "trajectories": ("play/default__random__s0.parquet",),
    "library": ("library/rules.txt", "library/rules.md"),
    "samples": ("sampled/request.json", "sampled/sample_0_0.json", "sampled/sample_0_0.yaml"),
    "solved puzzles": ("solved/episodes.jsonl", "solved/made_from.json"),
    "measurements": ("measured/images.json",),
    "policy": tuple(
        f"policy/{name}" for name in ("training.json", "checkpoint.npz", "last.npz", "curve.csv")
    ),
}
_WRITTEN_ONLY: Final = ("*.png", "README.md", "policy/world.yaml", "policy/tensorboard/*", "task/*")
"""What commands make and no command reads."""


def parts(kind: str) -> tuple[str, ...]:
    """Patterns of the files of a kind: those in its folder, or itself and more examples."""
    return _PARTS.get(kind, (INPUTS[kind],))


def content(folder: Path, part: str) -> tuple[Path, bytes]:
    """The file of a part in a folder of valid inputs, and what it holds."""
    path = min(folder.glob(part))
    return path, path.read_bytes()


def target(folder: Path, kind: str, file: Path) -> Path:
    """Where a damaged content of a file goes: into its folder, or in place of the input."""
    given = folder / INPUTS[kind]
    return file if given.is_dir() else given


def unknown(folder: Path) -> list[str]:
    """Files in the folder of valid inputs that are part of no kind."""
    known = [
        *INPUTS.values(),
        "generous.yaml",
        "notes.txt",
        *(each for some in _PARTS.values() for each in some),
    ]
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not path.name.startswith(".")
        and not any(path.relative_to(folder).match(each) for each in (*known, *_WRITTEN_ONLY))
        and "units/default__random__s1" not in str(path)
    ]


_TEXTS: Final = {
    "mine.yaml": "base: default\nwalk: {sand: {health: 1}}\n",
    "game.yaml": "domain: bandits\nlength: 9\narms: [{probability: 0.5}, {probability: 0.2}]\n",
    "rules.txt": "Collecting from iron needs a stone pickaxe.\nCows do not attack.\n",
    "rules.md": (
        "# Rules\n\n- Cows do not attack.\n\n```lp\nviolated(T) :- position(T,X,Y), X < 0.\n```\n"
    ),
    "rules.lp": "violated(T) :- position(T,X,Y), X < 0.\n#show violated/1.\n",
    "notes.txt": "Table recipe: wood x2.\n",
    "means.yaml": (
        "lines:\n- line: 1\n  text: 'Table recipe: wood x2.'\n"
        "  means: [Placing a table uses 2 wood.]\n"
    ),
    "results.csv": others.RESULTS,
    "log.jsonl": others.LOG,
    "wood.traj": others.TRACE,
    "found.pl": others.CLAUSES,
    "learned.pddl": others.DOMAIN,
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
    "laws.txt": "collect_wood needs a tree that is near.\n",
    "library/rules.txt": "Collecting from iron needs a stone pickaxe.\nCows do not attack.\n",
    "library/rules.md": "# Rules\n\n- Cows do not attack.\n",
    "script.yaml": "answers:\n- say: [move_left, do]\n",
    "spec.yaml": "agents: [random]\nworlds: [default]\nseeds: 0..1\nlength: 5\n",
    "whole_spec.yaml": """\
agents:
- random
- {name: oracle, label: knowing, options: {map_known: true}, belief: mine.yaml, seeds: [1]}
worlds: [default, mine.yaml]
seeds: [0]
length: 5
live_on: false
keep: {certificates: all, thoughts: none}
""",
    "whole_language.yaml": """\
model: scripted:script.yaml
temperature: 0.7
seed: 0
answer_tokens: 512
history_tokens: 3896
history_steps: 10
timeout: 60
retries: 3
concurrency: 4
schema_mode: true
stream: false
budget: {requests: 9, tokens: 100000, money: 1.5}
prices: {prompt: 1, completion: 2.5}
exchanges: told
session: here
""",
}
SMALL: Final = (
    "--steps 4 --envs 1 --length 3 --set n_steps=2 --set batch_size=2 --set width=4 --device cpu"
)
"""Options of a training that takes a second."""
_COMMANDS: Final = (
    "run random default --episodes 1 --length 40 --record play --out plays",
    "laws records default --per 1 --episodes 1 -o records.json",
    "check rules.txt play -o known.json",
    "run random Hanoi3Disk --episodes 1 --out games",
    "experiment spec.yaml -o experiment --workers 1",
    "conan scenes conan --scenes 2 -o corpus",
    "conan questions corpus",
    "conan detect corpus --explorer all -o detected",
    "run react default --episodes 1 --length 3 --language language.yaml --exchanges talk",
    "show Hanoi3Disk --as yaml -o hanoi.yaml",
    "show rulearn/er_r1_01 --as yaml -o puzzle.yaml",
    "sample --count 1 --change terrain --difficulty 1 -o sampled",
    "scoreboard rulearn --puzzles rulearn/er_r1_01 --players baseline --workers 1 -o solved",
    "bench --quick --alone --out measured images",
    "export default --to pddl --goal collect_wood --map 1 --plan wood.pddl -o task",
)
_WITH_TORCH: Final = (f"train default {SMALL} -o policy",)
_MORE: Final = (
    "check default play",
    "laws learn play",
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
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        (folder / "whole.yaml").write_bytes(
            (resources.folder("worlds") / "mars" / "crafter.yaml").read_bytes()
        )
        rules = importlib.resources.files("crafter") / "data.yaml"
        (folder / "data.yaml").write_bytes(rules.read_bytes())
        golden = min((DATA / "golden").glob("mars*.npz"), key=lambda path: path.stat().st_size)
        (folder / "recording.npz").write_bytes(golden.read_bytes())
        episodes = (DATA / "smartplay" / "hanoi.jsonl").read_text(encoding="utf-8")
        (folder / "recording.jsonl").write_text(episodes.splitlines()[0] + "\n", encoding="utf-8")
        others.recorded(folder, seed=1, length=30).rename(folder / "recorder.npz")
        torch = importlib.util.find_spec("torch") is not None
        for command in (*_COMMANDS, *_MORE, *(_WITH_TORCH if torch else ())):
            arguments = [sys.executable, "-m", "mars_logic", *command.split()]
            subprocess.run(arguments, cwd=folder, check=True, capture_output=True)
        (folder / "film.gif").unlink()
        table = pq.read_table(folder / "play" / "default__random__s0.parquet")
        pq.write_table(table.replace_schema_metadata({}), folder / "plain.parquet")
        (folder / ".made").touch()
