"""The documentation says what happens: its worlds load, and its transcripts are run."""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from mars_logic.cli.main import main
from tests.paths import REPOSITORY

PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
ELISION = "…"


def blocks(page: Path, language: str) -> list[str]:
    return [
        text for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")) if kind == language
    ]


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
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A folder for each page, with every world that the pages show, under its name, and with
    other files that are shown with their names on top; the commands of a page follow each other.
    """
    return {page.name: shown_files(tmp_path_factory.mktemp(page.stem)) for page in PAGES}


def shown_files(tmp_path: Path) -> Path:
    for page in PAGES:
        for text in blocks(page, "yaml"):
            if name := re.match(r"name: (\w+)\n", text):
                (tmp_path / f"{name[1]}.yaml").write_text(text, encoding="utf-8")
        for text in (*blocks(page, "lp"), *blocks(page, "text")):
            if name := re.match(r"[%#] (\w+\.\w+)\n", text):
                (tmp_path / name[1]).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("page", "command", "expected"),
    [(page.name, *case) for page, *case in CASES],
    ids=[f"{page.name}: {command}" for page, command, _ in CASES],
)
def test_transcripts(
    page: str,
    command: str,
    expected: str,
    folders: dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In this process: starting one for each command would take longer than the commands."""
    monkeypatch.chdir(folders[page])
    status, printed = run_here(shlex.split(command), monkeypatch)
    if "; allowed: " not in expected:
        assert status in (0, 1), printed
    pattern = re.escape(expected.strip()).replace(re.escape(ELISION), ".*")
    assert re.fullmatch(pattern, printed.strip(), re.DOTALL), printed


def run_here(words: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """The status of a command, and what it printed to both streams, in the order of printing."""
    printed = io.BytesIO()
    stream = io.TextIOWrapper(printed, encoding="utf-8", write_through=True)
    for name, value in (("argv", words), ("stdout", stream), ("stderr", stream)):
        monkeypatch.setattr(sys, name, value)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)  # main replaces it
    with warnings.catch_warnings(), pytest.raises(SystemExit) as ended:
        main()
    code = ended.value.code
    return (
        code if isinstance(code, int) else 0 if code is None else 1
    ), printed.getvalue().decode()


SET_UP = "sets up from anew, and takes minutes; a change must pass it before it is taken"
CHECKS = "checks the whole code, or serves until it is stopped; it is no command of ours"
CLUSTER = "runs until it is stopped; tests/experiments/test_running.py starts a cluster"
HOURS = "plays or measures for hours; its tests run it small: "
IMPORTED = "tests/cli/test_import_and_export.py runs it: "
OTHERS = "tests/cli/test_other_formats.py runs it with recordings that it makes"
NOT_RUN = {
    "conan_world.md": {
        "python -m mars_logic.benchmarks.playground ": "needs a checkout of another game",
    },
    "README.md": {
        "python3 -m venv .venv && ": SET_UP,
    },
    "rule_learners.md": {
        "python -m mars_logic.benchmarks.action_models ": HOURS + "tests/benchmarks",
    },
    "planning.md": {
        "python -m mars_logic.benchmarks.probabilistic ": HOURS + "tests/benchmarks",
    },
    "tour.md": {
        "mars-logic experiment tour.yaml ": "plays what `learn` plays above it, in ten seconds",
        "mars-logic report found ": "opens a browser; tests/cli/test_report.py",
    },
    "CONTRIBUTING.md": {
        "python3 -m venv ": SET_UP,
        ".venv/bin/pip install ": SET_UP,
        ".venv/bin/pre-commit install": SET_UP,
        ".venv/bin/pytest ": CHECKS,
    },
    "agents.md": {
        "python -m mars_logic.benchmarks.oracle ": HOURS + "tests/benchmarks",
    },
    "benchmarks.md": {
        "python -m mars_logic.benchmarks.results ": HOURS + "tests/benchmarks",
        "pip install ": "changes what is installed",
        "mars-logic bench -o ": HOURS + "tests/cli/test_bench.py",
        "mars-logic bench planners ": HOURS + "tests/cli/test_bench_planners.py",
        "mars-logic bench sight ": HOURS + "tests/cli/test_bench_sight.py",
        "mars-logic bench tasks ": HOURS + "tests/cli/test_bench_tasks.py",
        "mars-logic bench steps --quick": "measures for a minute; tests/cli/test_bench.py runs it",
        "python -m mars_logic.benchmarks.oracle ": HOURS + "tests/benchmarks",
    },
    "conan.md": {
        "mars-logic conan scene corpus 3 --as film": "takes some seconds; tests/cli/test_conan.py",
        "mars-logic conan scene corpus 3 --as report ": "takes seconds; tests/cli/test_conan.py",
    },
    "install.md": {
        "python3 -m venv ": SET_UP,
        ".venv/bin/pip install ": SET_UP,
        ".venv/bin/mars-logic doctor": "tests/hostile/test_valid.py runs it",
    },
    "domains.md": {
        "$ pip install ": "tests/domains/test_added_domain.py does it elsewhere",
        "$ mars-logic ": "needs that package; tests/domains/test_added_domain.py runs all",
    },
    "edit.md": {
        "pip install ": "changes what is installed",
        "mars-logic edit ": "serves a page until it is ended; tests/workbench runs it",
    },
    "experiments.md": {
        "dask scheduler": CLUSTER,
        "dask worker ": CLUSTER,
        "mars-logic experiment spec.yaml -o results --scheduler ": CLUSTER,
        "mars-logic experiment benchmarks/specs/games.yaml ": HOURS + "tests/experiments",
        "mars-logic experiment benchmarks/specs/games_learning.yaml ": HOURS + "tests/experiments",
        "mars-logic experiment benchmarks/specs/results.yaml ": HOURS + "tests/experiments",
        "mars-logic summarise runs/": "reads what the command above it made in hours",
    },
    "play.md": {
        "mars-logic play ": "needs a terminal; tests/cli/test_play.py runs it in one",
        "mars-logic verify ": "needs what was played; tests/cli/test_play.py runs it",
    },
    "step.md": {
        "python -m tests.agreement.fuzz ": "takes an hour; test_step.py compares some",
    },
    "training.md": {
        "pip install ": "changes what is installed",
        "mars-logic ": "needs the extra rl, and trains for minutes; tests/training runs it small",
        "python -m mars_logic.benchmarks.training_": HOURS + "tests/training",
        "python -m mars_logic.envs.openenv ": "serves until it is ended; tests/training runs it",
    },
    "trajectories.md": {
        "$ mars-logic import tests/": IMPORTED + "with some traces",
        "$ mars-logic check all_three golden/": IMPORTED + "with some traces",
        "$ mars-logic export played --to minari ": IMPORTED + "it needs an extra",
        "$ mars-logic import random-v0 ": IMPORTED + "it needs an extra",
        "$ mars-logic import recorded/": OTHERS,
        "$ mars-logic check crafter imported": OTHERS,
        "$ mars-logic summarise recorded/": OTHERS,
    },
    "worlds.md": {
        "mars-logic validate my/": "a name of the reader's own; tests/cli/test_worlds.py"
    },
}
"""How the commands of each page begin that are not run as transcripts, each with the reason."""
COMMAND = re.compile(r"^(?:\$ |mars-logic |python3? |pip |dask |\.venv/).*", re.MULTILINE)
RUN_ELSEWHERE = {"shell": "tests/logic/test_page.py", "python": "the tests of each page"}


def test_every_command_is_run_or_there_is_a_reason() -> None:
    for page in [*PAGES, REPOSITORY / "CONTRIBUTING.md"]:
        unrun = []
        for language, text in re.findall(
            r"^```(\w*)\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S
        ):
            if language == "console":
                commands = re.findall(r"^\$ (.*)", text, re.MULTILINE)
                assert all(command.startswith("mars-logic ") for command in commands), page
            elif language not in RUN_ELSEWHERE:
                unrun += COMMAND.findall(text)
        excused = NOT_RUN.get(page.name, {})
        assert [line for line in unrun if not line.startswith(tuple(excused))] == [], page
        assert all(any(line.startswith(each) for line in unrun) for each in excused), page


def test_there_are_transcripts() -> None:
    assert any(page.name == "README.md" for page, _, _ in CASES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_nothing_speaks_of_this_machine() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, encoding="utf-8"
    )
    for name in listed.stdout.splitlines():
        path = REPOSITORY / name
        if path.suffix in {".md", ".py", ".lp", ".yaml", ".toml", ".cff"} and path.exists():
            assert not re.search(
                r"(?<![\w.])/(work|root|home)/", path.read_text(encoding="utf-8")
            ), name


@pytest.mark.long
def test_excerpts_of_the_journal_are_in_it(tmp_path: Path) -> None:
    page = REPOSITORY / "docs" / "learning.md"
    named = re.search(
        r"`mars-logic (learn [^`]*--journal\s+journal\.md)`", page.read_text(encoding="utf-8")
    )
    assert named, "the page names the command that wrote the journal"
    command = [sys.executable, "-m", "mars_logic", *shlex.split(named[1])]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    journal = (tmp_path / "journal.md").read_text(encoding="utf-8")
    parts = [
        part.strip()
        for text in blocks(page, "markdown")
        for part in re.split(r"^(?=- )|\n\n", text, flags=re.MULTILINE)
        if part.strip()
    ]
    assert parts
    assert [part for part in parts if part not in journal] == []
