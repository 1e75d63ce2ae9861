"""Runs commands on hostile inputs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Set
from pathlib import Path

import pytest

from tests.hostile import judge, material
from tests.hostile.kinds import ANY
from tests.hostile.server import Outcome, Server
from tests.hostile.table import Reader

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
        return judge.run(server, place, judge.words(reader, path, place), allowed)

    return run
