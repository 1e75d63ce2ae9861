"""The justfile, the README, .ci/run and the hooks before a commit use the same commands."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
import yaml

from tests.paths import REPOSITORY

RECIPE = re.compile(r"^# (.+)\n(\w+):\n((?: {4}.+\n?)+)", re.MULTILINE)
RECIPES = {"setup", "test", "lint", "types", "docs", "bench"}


def text(name: str) -> str:
    return (REPOSITORY / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def recipes() -> dict[str, list[str]]:
    """The commands of each recipe; each has one line of comment above it."""
    found = RECIPE.findall(text("justfile"))
    return {name: [line.strip() for line in body.splitlines()] for _, name, body in found}


def test_every_recipe_has_a_comment(recipes: dict[str, list[str]]) -> None:
    assert set(recipes) == RECIPES
    assert set(re.findall(r"^(\w+):", text("justfile"), re.MULTILINE)) == RECIPES


def test_setup_and_test_are_the_test_command_of_the_readme(recipes: dict[str, list[str]]) -> None:
    command = re.search(r"<!-- test -->\n```bash\n(.+?)\n```", text("README.md"), re.DOTALL)
    assert command
    steps = re.sub(r" \\\n *", " ", command[1])  # a long line is continued
    assert " && ".join(recipes["setup"] + recipes["test"]) == steps


def test_lint_and_types_are_those_of_the_build(recipes: dict[str, list[str]]) -> None:
    build = text(".ci/run")
    steps = build.partition('stage "format, lint, types"\n')[2].partition("stage")[0]
    assert recipes["lint"] + recipes["types"] == steps.split("\n")[:-1]
    assert recipes["docs"][-1] in [line.strip() for line in build.splitlines()]


def test_hooks_run_the_tools_of_the_project(recipes: dict[str, list[str]]) -> None:
    (repository,) = yaml.safe_load(text(".pre-commit-config.yaml"))["repos"]
    assert repository["repo"] == "local"
    entries = [hook["entry"] for hook in repository["hooks"]]
    assert all(hook["language"] == "system" for hook in repository["hooks"])
    for command, entry in zip(recipes["lint"] + recipes["types"], entries, strict=True):
        words = [word for word in entry.split() if word != "--force-exclude"]
        assert command.split()[: len(words)] == words


@pytest.mark.skipif(shutil.which("just") is None, reason="just is not installed")
def test_just_reads_the_file(recipes: dict[str, list[str]]) -> None:
    done = subprocess.run(
        ["just", "--summary"],
        cwd=REPOSITORY,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert set(done.stdout.split()) == set(recipes)
