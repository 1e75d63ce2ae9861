"""Long work on scenes and scoreboards that is killed or interrupted, and then goes on."""

from __future__ import annotations

import random
import shutil
import signal
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.cli.test_killed import end, finish, processes_of, start, wait_until

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no list of processes")

TURNS: Final = 10


@dataclass(frozen=True)
class Work:
    """A command that goes on with what it finds.

    Attributes:
        command: Its words.
        before: Commands that make what it reads.
        result: The file that has the same bytes in the end, however often it was interrupted;
            empty where times are among what is kept.
        kept: A pattern of the files that are kept on the way.
    """

    command: str
    before: tuple[str, ...]
    result: str
    kept: str


_CORPUS: Final = "conan scenes conan --seed 3 -o corpus --scenes"
WORKS: Final = {
    "scenes": Work(
        f"{_CORPUS} 100 --processes 2", (), "corpus/scenes.parquet", "corpus/.scenes-*.parquet"
    ),
    "questions": Work(
        "conan questions corpus --processes 2",
        (f"{_CORPUS} 500 --mode survival",),
        "corpus/questions.parquet",
        "corpus/.questions-*.parquet",
    ),
    "detect": Work(
        "conan detect corpus --start centre -o found --processes 2",
        (f"{_CORPUS} 20", "conan questions corpus"),
        "found/detections.parquet",
        "found/.detections-*.parquet",
    ),
    "rulearn": Work(
        "scoreboard rulearn --puzzles rulearn/all --players idea --seeds 1 --no-orders -o found",
        (),
        "",
        "found/episodes.jsonl",
    ),
    "smartplay": Work(
        "scoreboard smartplay --agents random,learner --games MessengerL1,Hanoi -o found",
        (),
        "found/README.md",
        "found/episodes/*/*.json",
    ),
}
SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)


def kept(folder: Path, work: Work) -> dict[str, bytes]:
    """What is kept on the way: each file, or each line of a file of lines."""
    found: dict[str, bytes] = {}
    for path in folder.glob(work.kept):
        name = str(path.relative_to(folder))
        content = path.read_bytes()
        if path.suffix == ".jsonl":
            found |= {f"{name} {n}": line for n, line in enumerate(content.splitlines())}
        else:
            found[name] = content
    return found


def lost(folder: Path, work: Work, before: dict[str, bytes]) -> list[str]:
    """What was kept before and is not now, though the result is not there either."""
    after = kept(folder, work)
    if work.result and (folder / work.result).exists():
        return []
    return [name for name, content in before.items() if after.get(name) != content]


def doubled(folder: Path, work: Work) -> int:
    """How many units are kept twice."""
    import json

    if not work.kept.endswith(".jsonl"):
        return 0
    lines = kept(folder, work).values()
    counts = Counter(json.dumps(json.loads(line)["unit"], sort_keys=True) for line in lines)
    return sum(count - 1 for count in counts.values())


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """For each work, a folder with what it reads; made when it is asked for."""
    root = tmp_path_factory.mktemp("works")
    found: dict[str, Path] = {}

    class Made(dict[str, Path]):
        def __missing__(self, name: str) -> Path:
            folder = root / name
            folder.mkdir()
            for command in WORKS[name].before:
                finish(*command.split(), folder=folder)
            self[name] = folder
            return folder

    yield Made(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["scenes", "detect"])
def test_an_interruption_ends_at_once_and_keeps_what_is_done(
    name: str, inputs: dict[str, Path], tmp_path: Path
) -> None:
    """It comes as soon as another block is kept, while others are being made."""
    work = WORKS[name]
    folder = tmp_path / "killed"
    shutil.copytree(inputs[name], folder)
    result = folder / work.result
    interrupted = 0
    for how in SIGNALS:
        before = kept(folder, work)
        process = start(*work.command.split(), folder=folder)
        wait_until(lambda seen={*before}: bool({*kept(folder, work)} - seen) or result.exists())
        was_over = result.exists()
        err = end(process, how, all_of_it=how is signal.SIGINT)
        assert "Traceback" not in err
        assert not lost(folder, work, before)
        if not was_over:
            interrupted += 1
            assert not result.exists()  # the blocks that were left were not computed
            assert process.returncode == (-how if how is signal.SIGKILL else 130), err
            if how is not signal.SIGKILL:
                assert "scenes are done; the same command goes on" in err
    assert interrupted
    finish(*work.command.split(), folder=folder)
    whole = tmp_path / "whole"
    shutil.copytree(inputs[name], whole)
    finish(*work.command.replace(" --processes 2", "").split(), folder=whole)
    assert result.read_bytes() == (whole / work.result).read_bytes()
    assert not kept(folder, work)


@pytest.mark.long
@pytest.mark.parametrize("name", WORKS)
def test_killed_at_random_moments(name: str, inputs: dict[str, Path], tmp_path: Path) -> None:
    """Nothing is lost or doubled, and no process stays, ten times over."""
    work = WORKS[name]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    for folder in (whole, killed):
        shutil.copytree(inputs[name], folder)
    began = time.monotonic()
    finish(*work.command.split(), folder=whole)
    takes = time.monotonic() - began
    chance = random.Random(7)
    losses: list[str] = []
    reached = 0
    for _ in range(TURNS):
        if work.result:  # begin again where it was whole
            (killed / work.result).unlink(missing_ok=True)
        before = kept(killed, work)
        process = start(*work.command.split(), folder=killed)
        time.sleep(chance.uniform(takes / 4, takes))
        end(process, signal.SIGKILL)  # waits until no process of it is left
        losses += lost(killed, work, before)
        assert not processes_of(process.pid)
        reached = max(reached, len(kept(killed, work)))
    finish(*work.command.split(), folder=killed)
    print(f"\n{name}: {takes:.0f} s, {TURNS} kills, lost {len(losses)}, "
          f"doubled {doubled(killed, work)}, most kept on the way {reached}")  # fmt: skip
    assert not losses and not doubled(killed, work)
    if work.result:
        assert (killed / work.result).read_bytes() == (whole / work.result).read_bytes()
    else:
        assert len(kept(killed, work)) == len(kept(whole, work))
