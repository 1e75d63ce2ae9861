"""The documentation says what happens: its worlds load, and its transcripts are run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import REPOSITORY

PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
ELISION = "…"


def blocks(page: Path, language: str) -> list[str]:
    return [text for kind, text in BLOCK.findall(page.read_text()) if kind == language]


def transcripts(page: Path) -> list[tuple[str, str]]:
    """The commands of a page, each with what it is said to print."""
    found = []
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            if command.startswith("mars-logic "):
                found.append((command, output))
    return found


CASES = [(page, *case) for page in PAGES for case in transcripts(page)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every world that the pages show, under its name, and with other files that
    are shown with their names on top; commands follow each other.
    """
    tmp_path = tmp_path_factory.mktemp("docs")
    for page in PAGES:
        for text in blocks(page, "yaml"):
            if name := re.match(r"name: (\w+)\n", text):
                (tmp_path / f"{name[1]}.yaml").write_text(text)
        for text in (*blocks(page, "lp"), *blocks(page, "text")):
            if name := re.match(r"[%#] (\w+\.\w+)\n", text):
                (tmp_path / name[1]).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "expected"),
    [case[1:] for case in CASES],
    ids=[f"{page.name}: {command}" for page, command, _ in CASES],
)
def test_transcripts(command: str, expected: str, folder: Path) -> None:
    arguments = [sys.executable, "-m", "mars_logic", *shlex.split(command)[1:]]
    together = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(arguments, cwd=folder, text=True, **together)  # type: ignore[call-overload]
    if "; allowed: " not in expected:
        assert done.returncode in (0, 1), done.stdout
    assert "Traceback" not in done.stdout, done.stdout[-1500:]
    pattern = re.escape(expected.strip()).replace(re.escape(ELISION), ".*")
    assert re.fullmatch(pattern, done.stdout.strip(), re.DOTALL), done.stdout


NOT_RUN = {
    "README.md": "setting up, with the program and with the tests; a change must pass both",
    "CONTRIBUTING.md": "tools that check the code, not commands of ours",
    "agents.md": "plays hundreds of episodes; tests/benchmarks/test_oracle.py runs it with few",
    "benchmarks.md": "measures for hours; tests/measure and tests/benchmarks run it small",
    "experiments.md": "a cluster, and the full table; tests/experiments runs small ones",
    "play.md": "needs a terminal; tests/cli/test_play.py reads these commands and runs them in one",
    "step.md": "takes an hour; tests/agreement/test_step.py compares some",
    "trajectories.md": "needs traces, and an extra; tests/cli/test_import_and_export.py runs it",
    "worlds.md": "a name of the reader's own; tests/cli/test_worlds.py runs it",
}
"""Pages with commands that are not run as transcripts, and why, or what runs them."""
COMMAND = re.compile(r"^(\$ |mars-logic |python3? |pip |\.venv/)", re.MULTILINE)
RUN_ELSEWHERE = {"shell": "tests/logic/test_page.py", "python": "the tests of each page"}


def test_every_command_is_run_or_there_is_a_reason() -> None:
    unrun = set()
    for page in [*PAGES, REPOSITORY / "CONTRIBUTING.md"]:
        for language, text in re.findall(r"^```(\w*)\n(.*?)^```", page.read_text(), re.M | re.S):
            if language == "console":
                commands = re.findall(r"^\$ (.*)", text, re.MULTILINE)
                assert all(command.startswith("mars-logic ") for command in commands), page
            elif language not in RUN_ELSEWHERE and COMMAND.search(text):
                unrun.add(page.name)
    assert unrun == set(NOT_RUN)


def test_there_are_transcripts() -> None:
    assert any(page.name == "README.md" for page, _, _ in CASES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_nothing_speaks_of_this_machine() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        path = REPOSITORY / name
        if path.suffix in {".md", ".py", ".lp", ".yaml", ".toml", ".cff"} and path.exists():
            assert not re.search(r"(?<![\w.])/(work|root|home)/", path.read_text()), name
