"""What must be true of every command on every input."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import Final

from tests.hostile.kinds import ANY
from tests.hostile.server import Outcome, Server
from tests.hostile.table import Reader

_RAW: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_MESSAGE: Final = re.compile(r"^.+?: .+; (allowed|the nearest form|do you mean): .+", re.MULTILINE)
_MEGABYTES: Final = 1000
_RENEWED: Final = (
    "experiment/results.parquet",  # made anew from the units
    "experiment/spec.yaml",  # as it is asked for now; it says in its first line whose it is
    "measured/images.json",  # of the benchmark that is run again
    "measured/README.md",  # a page of results, which says in its first line whose it is
    "solved/README.md",
    "talk/spent.jsonl",  # what sessions of language models have spent, which grows
    *("policy/checkpoint.npz", "policy/last.npz", "policy/curve.csv"),  # a training that goes on
)
"""What commands write again where they go on with a folder."""
_LONGEST: Final = 4000
"""Characters of a line of a message."""


def run(server: Server, place: Path, words: list[str], allowed: Set[int] = ANY) -> Outcome:
    """Run a command in a folder.

    Raises:
        AssertionError: What must be true of all commands is not, or the status is not allowed.
    """
    before, grows = kept(place), _growing(place)
    outcome = server.run(place, *words)
    wrong = [*_wrong(outcome, allowed), *_lost(before, kept(place), grows)]
    told = f"{' '.join(words)[:1000]}\n{outcome.out[-1500:]}\n{outcome.err[-3000:]}\n{outcome}"
    # xdist hands a report on as UTF-8.
    told = told[:6000].encode("utf-8", "backslashreplace").decode()
    assert not wrong, f"{'; '.join(wrong)}: {told}"
    return outcome


def _wrong(outcome: Outcome, allowed: Set[int]) -> Iterator[str]:
    if outcome.late:
        yield "it takes too long"
    if outcome.signal is not None:
        yield f"signal {outcome.signal} ends it"
    elif outcome.status not in allowed:
        yield f"status {outcome.status}, not of {sorted(allowed)}"
    for text in (outcome.out, outcome.err):
        if "Traceback (most" in text or "Aborted" in text:
            yield "a traceback"
        if _RAW.search(text):
            yield "control characters"
    if outcome.megabytes >= _MEGABYTES:
        yield f"{outcome.megabytes:.0f} MB"
    if outcome.status == 2:
        if max(map(len, outcome.err.splitlines()), default=0) >= _LONGEST:
            yield "a message without end"
        if not _MESSAGE.search(outcome.err):
            yield "a message that does not say what is allowed"


def _lost(
    before: Mapping[Path, str], after: Mapping[Path, str], grows: Mapping[Path, bytes]
) -> Iterator[str]:
    left = {*after.values()}
    for path, digest in before.items():
        if digest in left or any(map(path.match, _RENEWED)):
            continue
        if not (path in grows and path in after and path.read_bytes().startswith(grows[path])):
            yield f"{path.name!r} is lost"


def _growing(folder: Path) -> dict[Path, bytes]:
    """The files to which lines are added, and what they hold."""
    return {path: path.read_bytes() for path in folder.rglob("*.jsonl") if _is_regular(path)}


def words(reader: Reader, path: Path | str, place: Path) -> list[str]:
    """A command's words; the input is named as it is seen from the folder of the command."""
    inside = isinstance(path, Path) and path.is_relative_to(place)
    name = str(path.relative_to(place)) if inside else str(path)
    return [word.replace("@", name) for word in reader.command.split()]


def kept(folder: Path) -> dict[Path, str]:
    """The regular files in a folder, with their digests."""
    return {
        path: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if _is_regular(path)
    }


def _is_regular(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and path.stat().st_size < 10**8
