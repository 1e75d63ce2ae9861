"""Draws hostile cases by a seed, runs them, and tells how many commands failed to bear them.

``python -m tests.hostile.fresh --cases 2000 --seed 7``; ``--only N`` runs the case of that number
alone. A case is a command with one input damaged, or one text or number of no use.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from tests.hostile import judge, material, numbers, values
from tests.hostile.damage import draw
from tests.hostile.formats import damages, format_of
from tests.hostile.kinds import ANY, REFUSED
from tests.hostile.server import Server
from tests.hostile.table import FOLDER_READERS, READERS, TEXTS, Reader

_SHARES: Final = {"file": 8, "number": 1, "text": 1}
"""How often each sort of case is drawn."""


@dataclass(frozen=True)
class Case:
    """A command with a hostile input.

    Attributes:
        kind: What is hostile, for the table.
        name: What was done in particular.
        words: Of the command line.
        allowed: Statuses with which it may end.
        target: The file that is damaged.
        content: What it holds then; None: nothing is written.
    """

    kind: str
    name: str
    words: list[str]
    allowed: frozenset[int]
    target: Path | None = None
    content: bytes | None = None


def drawn(random: Random, place: Path) -> Case:
    """A case, in a folder of valid inputs."""
    sort = random.choices([*_SHARES], [*_SHARES.values()])[0]
    return _DRAWS[sort](random, place)


def damaged(reader: Reader, part: str, random: Random, place: Path) -> Case:
    """A reader's case of a part of its input."""
    path, valid = material.content(place, part)
    form = format_of(path.name)
    damage = draw(damages(form, valid), random)
    return Case(
        f"{form}: {damage.what}",
        f"{reader} {part}: {damage}",
        judge.words(reader, place / material.INPUTS[reader.kind], place),
        ANY,
        material.target(place, reader.kind, path),
        damage.make(random),
    )


def possible(readers: Sequence[Reader], place: Path) -> list[Reader]:
    """The readers of kinds that this installation can make."""
    return [each for each in readers if (place / material.INPUTS[each.kind]).exists()]


def _file(random: Random, place: Path) -> Case:
    readers = possible((*READERS, *FOLDER_READERS), place)
    name = random.choice(sorted({each.name for each in readers}))  # each command as often
    reader = random.choice([each for each in readers if each.name == name])
    return damaged(reader, random.choice(material.parts(reader.kind)), random, place)


def _number(random: Random, place: Path) -> Case:
    option = random.choice(numbers.options())
    return number(option, random.choice(option.beyond()), place)


def number(option: numbers.NumberOption, value: str, place: Path) -> Case:
    """The case of an option with a number of no use."""
    row = numbers.base(option.command)
    assert row, f"{option.command} has no row"
    given = material.INPUTS.get(row.kind, "terrain")
    words = [*judge.words(row, given, place), f"{option.name}={value}"]
    return Case("number", f"{option} {value[:50]}", words, REFUSED)


def _text(random: Random, place: Path) -> Case:
    reader, text = random.choice(TEXTS), values.text(random)
    return Case("text", f"{reader} {text[:50]!r}", judge.words(reader, text, place), ANY)


_DRAWS: Final[dict[str, Callable[[Random, Path], Case]]] = {
    "file": _file,
    "number": _number,
    "text": _text,
}


def run(case: Case, server: Server, place: Path) -> None:
    """Run a case in its own folder of inputs.

    Raises:
        AssertionError: What must be true of all commands is not.
    """
    if case.target and case.content is not None:
        case.target.write_bytes(case.content)
    judge.run(server, place, case.words, case.allowed)
    assert not (place / "run").exists(), "a stranger's program was run"


def main() -> int:
    """Run the cases that the command line asks for; the status is 1 if any failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="Run this case alone, and keep its folder.")
    asked = parser.parse_args()
    tried: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    chosen = range(asked.cases) if asked.only is None else [asked.only]
    with tempfile.TemporaryDirectory() as base, Server() as server:
        valid = Path(base) / "valid"
        material.make(valid)
        for case_number in chosen:
            place = Path(base) / f"case{case_number}"
            shutil.copytree(valid, place)
            case = drawn(Random(f"{asked.seed}.{case_number}"), place)
            tried[case.kind] += 1
            try:
                run(case, server, place)
            except AssertionError as error:
                failed[case.kind] += 1
                print(f"--- case {case_number} of seed {asked.seed}: {case.name}\n{error}\n")
                sys.stdout.flush()
            if asked.only is None:
                shutil.rmtree(place)
            else:
                kept = Path(tempfile.mkdtemp()) / "case"
                shutil.copytree(place, kept)
                print(f"{kept}: mars-logic {' '.join(case.words)[:2000]}")
    _print_table(tried, failed)
    return int(bool(failed))


def _print_table(tried: Counter[str], failed: Counter[str]) -> None:
    print(f"| {'kind':50} | tried | failed |\n| --- | --- | --- |")
    for kind in sorted(tried):
        print(f"| {kind:50} | {tried[kind]:5} | {failed[kind]:6} |")
    print(f"| {'all':50} | {tried.total():5} | {failed.total():6} |")


if __name__ == "__main__":
    sys.exit(main())
