"""Runs commands on hostile inputs, and says what must be true of each."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterator, Set
from pathlib import Path
from typing import Final

import pytest

from tests.hostile import material
from tests.hostile.kinds import ANY
from tests.hostile.server import Outcome, Server
from tests.hostile.table import Reader

_RAW = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_MESSAGE = re.compile(r"^.+?: .+; (allowed|the nearest form): .+", re.MULTILINE)
_MEGABYTES: Final = 1000
_DERIVED: Final = "results.parquet"
"""What an experiment makes anew from its units."""
_LEDGER: Final = "spent.jsonl"
"""What sessions of language models have spent, which grows."""
_LONGEST: Final = 4000
"""Characters of a line of a message."""
Try = Callable[..., Outcome]


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture(scope="session")
def valid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of valid inputs, for all processes that run tests."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    material.make(shared / "valid")
    return shared / "valid"


@pytest.fixture
def place(valid: Path, tmp_path: Path) -> Path:
    """A folder with a copy of all valid inputs."""
    folder = tmp_path / "work"
    shutil.copytree(valid, folder)
    return folder


@pytest.fixture
def attempt(server: Server, place: Path) -> Try:
    """Run a reader's command on an input, and assert what is so of all commands."""

    def run(reader: Reader, path: Path | str, allowed: Set[int] = ANY) -> Outcome:
        before = kept(place)
        outcome = server.run(place, *arguments(reader.command, path, place))
        told = f"{reader.command}\n{outcome.out[-1500:]}\n{outcome.err[-3000:]}\n{outcome}"[:6000]
        assert not outcome.late, told
        assert outcome.signal is None, told
        assert outcome.status in allowed, told
        for text in (outcome.out, outcome.err):
            assert "Traceback (most" not in text and "Aborted" not in text, told
            assert not _RAW.search(text), told
        assert outcome.megabytes < _MEGABYTES, told
        if outcome.status == 2:
            assert max(map(len, outcome.err.splitlines()), default=0) < _LONGEST, told
            assert _MESSAGE.search(outcome.err), told
        after = {*kept(place).values()}
        lost = {
            name
            for name, digest in before.items()
            if digest not in after and name.name not in (_DERIVED, _LEDGER)
        }
        assert not lost, told
        return outcome

    return run


def arguments(command: str, path: Path | str, place: Path) -> list[str]:
    """A command's words; the input is named as it is seen from the folder of the command."""
    inside = isinstance(path, Path) and path.is_relative_to(place)
    name = str(path.relative_to(place)) if inside else str(path)
    return [word.replace("@", name) for word in command.split()]


def kept(folder: Path) -> dict[Path, str]:
    """The regular files in a folder, with their digests."""
    return {
        path: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and path.stat().st_size < 10**8
    }
