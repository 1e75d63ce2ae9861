"""A wheel holds the agents, the encodings and the worlds, and works in another folder."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

from mars_logic.system import resources
from tests.paths import REPOSITORY

PARTS = (
    "mars_logic",
    "agents",
    "benchmarks",
    "encodings",
    "worlds",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)


def test_encodings_hides_no_standard_library() -> None:
    assert not (REPOSITORY / "encodings" / "__init__.py").exists()
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    subprocess.run([sys.executable, "-c", "import encodings.utf_8"], env=environment, check=True)


def test_every_package_is_listed() -> None:
    listed = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "setuptools"
    ]
    folders = {path.parent for path in (REPOSITORY / "mars_logic").rglob("*.py")}
    found = {str(path.relative_to(REPOSITORY)).replace(os.sep, ".") for path in folders}
    data = {
        "mars_logic.agents",
        "mars_logic.agents.inductive",
        "mars_logic.agents.language",
        "mars_logic.benchmarks",
        "mars_logic.encodings",
        "mars_logic.encodings.explain",
        "mars_logic.encodings.facts",
        "mars_logic.encodings.games",
        "mars_logic.encodings.living",
        "mars_logic.encodings.plan",
        "mars_logic.encodings.reach",
        "mars_logic.encodings.revise",
        "mars_logic.encodings.sampling",
        "mars_logic.encodings.step",
        "mars_logic.encodings.rulearn",
        "mars_logic.worlds",
        "mars_logic.worlds.conan",
        "mars_logic.worlds.dialects",
        "mars_logic.worlds.gallery",
        "mars_logic.worlds.mars",
        "mars_logic.worlds.rulearn",
        "mars_logic.worlds.smartplay",
    }
    assert found | data == set(listed["packages"])


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the checkout, built from a copy so that nothing is left behind in it."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    ignore = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for part in PARTS:
        path = REPOSITORY / part
        if path.is_dir():
            shutil.copytree(path, source / part, ignore=ignore)
        else:
            shutil.copy(path, source / part)
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", str(folder), str(source)], check=True)
    (found,) = folder.glob("*.whl")
    return found


@pytest.mark.slow
def test_the_wheel_holds_everything(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        files = set(archive.namelist())
    for name in ("encodings", "worlds"):
        for path in (REPOSITORY / name).rglob("*.*"):
            assert f"mars_logic/{path.relative_to(REPOSITORY).as_posix()}" in files
    assert {"mars_logic/agents/random.py", "mars_logic/benchmarks/steps.py"} <= files
    assert {"mars_logic/py.typed", "mars_logic/views/art/palette.txt"} <= files
    assert {
        "mars_logic/views/report/page/report.html",
        "mars_logic/views/report/page/page.js",
    } <= files
    assert "mars_logic/encodings/__init__.py" not in files
    assert not any(
        file.startswith(("agents/", "benchmarks/", "encodings/", "worlds/", "tests/"))
        for file in files
    )


def test_the_wheel_works_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    binaries = environment / ("Scripts" if os.name == "nt" else "bin")
    install = [str(binaries / "python"), "-m", "pip", "install", "--quiet", "--no-deps", str(wheel)]
    subprocess.run(install, check=True)
    # The dependencies are those of this environment: a plain path, so that an editable install of
    # this very package, which a .pth file of its own makes importable, stays out of reach.
    site = next((environment / "lib").glob("python*/site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")

    def run(*arguments: str) -> str:
        clean = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        command = [str(binaries / arguments[0]), *arguments[1:]]
        return subprocess.run(
            command,
            check=True,
            cwd=tmp_path,
            env=clean,
            capture_output=True,
            text=True,
            encoding="utf-8",
        ).stdout

    where = run("python", "-c", "import mars_logic.agents; print(mars_logic.__file__)")
    assert Path(where.strip()).is_relative_to(environment)
    assert "all_three" in run("mars-logic", "worlds")
    assert "22 of 22" in run("mars-logic", "prove", "default")
    names = run(
        "python", "-c", "from mars_logic.play.agent import agent_names; print(agent_names())"
    )
    assert "random" in names


def test_data_is_found() -> None:
    assert (resources.folder("worlds") / "mars" / "crafter.yaml").is_file()
    assert list(resources.folder("encodings").glob("*.lp"))


def test_a_release_links_to_the_repository() -> None:
    prepared = runpy.run_path(str(REPOSITORY / ".github" / "prepare_release.py"))
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    there = prepared["absolute"](readme, "https://example.org/mars", "v1")
    targets = re.findall(r"\]\(([^)\s]+)\)", there)
    assert targets and all(each.startswith(("https://", "#")) for each in targets)
    assert "](https://example.org/mars/raw/v1/docs/pictures/report-phone.png)" in there
    told = tomllib.loads(
        prepared["with_urls"](
            (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"), "https://example.org", "v1"
        )
    )
    assert told["project"]["urls"]["Source"] == "https://example.org"


def test_the_citations_name_the_same_version() -> None:
    version = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "version"
    ]
    assert f"\nversion: {version}\n" in (REPOSITORY / "CITATION.cff").read_text(encoding="utf-8")
    assert f"{{{version}}}" in (REPOSITORY / "CITATION.bib").read_text(encoding="utf-8")


@pytest.mark.long
def test_the_wheel_does_its_main_job_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    """As pipx or uvx would: the dependencies come from the registry, and nothing else is there."""
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    binaries = environment / ("Scripts" if os.name == "nt" else "bin")
    pip = [str(binaries / "python"), "-m", "pip", "install", "--quiet", str(wheel)]
    subprocess.run(pip, check=True)
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "NUMBA"))}
    clean["XDG_CACHE_HOME"] = str(tmp_path / "cache")

    def run(*words: str) -> str:
        command = [str(binaries / "mars-logic"), *words]
        return subprocess.run(
            command, cwd=tmp_path, env=clean, check=True, stdout=subprocess.PIPE, encoding="utf-8"
        ).stdout

    assert re.search(r"^ all_three +22 of 22", run("prove"), re.MULTILINE)
    (tmp_path / "runs").mkdir()
    files = "-o", "runs/plan.json", "--film", "runs/plan.gif"
    planned = run("plan", "all_three", "--seed", "2", *files)
    assert "22 of 22 achievements" in planned
    assert (tmp_path / "runs" / "plan.gif").read_bytes().startswith(b"GIF")
    assert "1 episode" in run("report", "runs", "-o", "report.html")
