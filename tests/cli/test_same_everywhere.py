"""The same commands give the same bytes, whatever hashes, threads and processes there are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

COMMANDS = (
    "run random default --episodes 2 --record play --out kept --json",
    "run oracle all_three --episodes 1 --length 60 --record play --out kept --json",
    "plan default --seed 2 --length 60 -o plan.json --explain",
    "prove default all_three --json",
    "prove default --map 2 --json",
    "explain default kill_zombie --json",
    "show all_three --as words",
    "show all_three --as facts",
    "diff default all_three --json",
    "sample --count 2 --seed 1 -o worlds --json",
    "check all_three play --json",
    "revise default play --truth all_three -o belief.yaml --json",
    "learn terrain --length 30 --episodes 1 -o theory.yaml --journal journal.md --json",
    "score belief.yaml all_three --json",
    "records default --per 2 -o records.json",
    "learn-action-models records.json --truth default --json",
    "export default --to pddl -o pddl",
    "export play --to parquet -o play.parquet",
    "render kept/default__random__s0.json -o film.gif --to 20",
    "render default --seed 3 -o map.png",
    "experiment spec.yaml -o results",
    "report play -o report.html",
)
FEW = ("run", "check", "prove", "render", "export")
"""Those of them that are fast."""

TIMED = ("results.parquet", "episodes.parquet")
"""Results of experiments hold how long agents thought; that their other columns are the same is
tested with experiments."""

SCRIPT = r"""
import json, sys
from mars_logic.cli.main import main
if __name__ == "__main__":
    for command in json.loads(sys.argv[1]):
        sys.argv = ["mars-logic", *command.split()]
        print("== next: " + command, flush=True)
        try:
            main()
        except SystemExit as end:
            print("status", end.code, flush=True)
"""

SPEC = "name: small\nagents: [random, informed]\nworlds: [default]\nseeds: 0..1\nlength: 30\n"

MACHINES = {
    "other hashes and threads": {"PYTHONHASHSEED": "1", "NUMBA_NUM_THREADS": "2"},
    "random hashes, one thread": {"PYTHONHASHSEED": "random", "OMP_NUM_THREADS": "1"},
    "many threads": {"PYTHONHASHSEED": "2", "OMP_NUM_THREADS": "7", "NUMBA_NUM_THREADS": "1"},
    "another place and time": {"TZ": "Asia/Kathmandu", "LC_ALL": "C", "COLUMNS": "17"},
    "one core": {},
}


Outcome = dict[str, bytes]
"""What commands print, and every file that they write."""


def outcome(
    folder: Path, environment: dict[str, str], commands: Sequence[str], cores: int | None = None
) -> Outcome:
    folder.mkdir()
    (folder / "script.py").write_text(SCRIPT, encoding="utf-8")
    (folder / "spec.yaml").write_text(SPEC, encoding="utf-8")
    workers = "" if cores is None else f" --workers {cores}"
    words = [each + workers * each.startswith("experiment") for each in commands]
    done = subprocess.run(
        [sys.executable, "script.py", json.dumps(words)],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        timeout=600,
        preexec_fn=None if cores is None else lambda: os.sched_setaffinity(0, {0}),
    )
    assert done.returncode == 0 and b"Traceback" not in done.stderr, done.stderr.decode()
    printed = (text.split(b"\n", 1)[1] for text in done.stdout.split(b"== next: ")[1:])
    told = dict(zip(commands, printed, strict=True))
    found = (path for path in folder.rglob("*") if path.is_file() and path.name not in TIMED)
    return told | {str(path.relative_to(folder)): path.read_bytes() for path in found}


@pytest.mark.slow
def test_a_few_commands_give_the_same_bytes(tmp_path: Path) -> None:
    few = [each for each in COMMANDS if each.startswith(FEW)]
    one = outcome(tmp_path / "one", {"PYTHONHASHSEED": "0"}, few)
    threads = {"NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "3"}
    other = outcome(tmp_path / "other", {"PYTHONHASHSEED": "random"} | threads, few)
    require_same(one, other)


def require_same(one: Outcome, other: Outcome) -> None:
    assert one.keys() == other.keys()
    assert not [each for each in one if one[each] != other[each]]


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    folder = tmp_path_factory.mktemp("machines") / "usual"
    return outcome(folder, {"PYTHONHASHSEED": "0"}, COMMANDS)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", MACHINES)
def test_all_commands_give_the_same_bytes(name: str, usual: Outcome, tmp_path: Path) -> None:
    one_core = name == "one core"
    if one_core and not hasattr(os, "sched_setaffinity"):
        pytest.skip("no choice of cores")
    cores = 1 if one_core else None
    require_same(usual, outcome(tmp_path / "here", MACHINES[name], COMMANDS, cores))
