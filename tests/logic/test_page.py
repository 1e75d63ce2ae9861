"""What docs/logic.md and docs/step.md show happens."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mars_logic import load_world
from mars_logic.logic import facts, prove
from mars_logic.system import resources
from tests.logic.test_encodings import ADDITION, ROOTS, compositions, documented, place
from tests.paths import REPOSITORY

PAGE = (REPOSITORY / "docs" / "logic.md").read_text(encoding="utf-8")
PUZZLES_PAGE = (REPOSITORY / "docs" / "rulearn_sampling.md").read_text(encoding="utf-8")
MORE_PAGES = "".join(
    (REPOSITORY / "docs" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("messenger", "smartplay", "conan")
)
GAMES_PAGE = (REPOSITORY / "docs" / "games.md").read_text(encoding="utf-8")
STEP_PAGE = (REPOSITORY / "docs" / "step.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "encodings").symlink_to(resources.folder("encodings"))
    return folder


@pytest.mark.parametrize(("page", "commands"), [(PAGE, 8), (STEP_PAGE, 7)], ids=["logic", "step"])
def test_transcripts(page: str, commands: int, folder: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    shown = 0
    for block in re.findall(r"^```shell\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, expected = split(part)
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=folder,
                env=os.environ | {"PATH": path},
                capture_output=True,
                text=True,
                encoding="utf-8",
            )
            assert done.stdout == expected, command
            shown += 1
    assert shown == commands


def split(part: str) -> tuple[str, str]:
    """A command, with the lines up to END that it reads, and what it prints."""
    end = part.find("\nEND\n") + len("\nEND") if "<<'END'" in part else part.find("\n")
    return part[:end], part[end + 1 :]


def test_the_python_example() -> None:
    verdict = prove(load_world("default")).achievements["collect_diamond"]
    assert f"# {(verdict.certainty, verdict.interactions)}" in PAGE


def test_the_python_example_of_a_step() -> None:
    code = re.search(r"^```python\n(.*?)^len\(found\)  # (\d)", STEP_PAGE, re.MULTILINE | re.DOTALL)
    assert code
    names: dict[str, object] = {}
    exec(code[1], names)
    assert len(names["found"]) == int(code[2])  # type: ignore[arg-type]


def test_every_file_and_every_fact_is_listed() -> None:
    own = {
        path
        for files in compositions()
        for path in files
        if ADDITION not in path.read_text(encoding="utf-8")
    }
    for name in {place(path) for path in own} | set(ROOTS):
        assert f"`{name}`" in PAGE + STEP_PAGE or re.search(
            rf"`(encodings/)?(rulearn/)?{re.escape(name)}`", GAMES_PAGE + PUZZLES_PAGE + MORE_PAGES
        )
    for page, description in ((PAGE, "facts/facts.lp"), (STEP_PAGE, "step/state.lp")):
        told = {(name, int(arity)) for name, arity in re.findall(r"`(\w+)/(\d)`", page)}
        assert told == set(documented(resources.folder("encodings") / description))


def test_only_described_facts_are_made() -> None:
    told = {name for name, _ in documented(resources.folder("encodings") / "facts/facts.lp")}
    made = {line.partition("(")[0] for line in facts(load_world("surv_task")).splitlines()}
    assert made <= told
