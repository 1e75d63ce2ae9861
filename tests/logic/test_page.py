"""What docs/logic.md shows happens."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mars_logic import load_world, resources
from mars_logic.logic import facts, prove
from tests.logic.test_encodings import ADDITION, ROOTS, compositions, documented
from tests.paths import REPOSITORY

PAGE = (REPOSITORY / "docs" / "logic.md").read_text()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "encodings").symlink_to(resources.folder("encodings"))
    return folder


def test_transcripts(folder: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    shown = 0
    for block in re.findall(r"^```shell\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=folder,
                env=os.environ | {"PATH": path},
                capture_output=True,
                text=True,
            )
            assert done.stdout == expected, command
            shown += 1
    assert shown == 8


def test_the_python_example() -> None:
    verdict = prove(load_world("default")).achievements["collect_diamond"]
    assert f"# {(verdict.certainty, verdict.interactions)}" in PAGE


def test_every_file_and_every_fact_is_listed() -> None:
    own = {path for files in compositions() for path in files if ADDITION not in path.read_text()}
    for name in {path.name for path in own} | set(ROOTS):
        assert f"`{name}`" in PAGE
    told = {(name, int(arity)) for name, arity in re.findall(r"`(\w+)/(\d)`", PAGE)}
    assert told == set(documented(resources.folder("encodings") / "facts.lp"))


def test_only_described_facts_are_made() -> None:
    told = {name for name, _ in documented(resources.folder("encodings") / "facts.lp")}
    made = {line.partition("(")[0] for line in facts(load_world("surv_task")).splitlines()}
    assert made <= told
