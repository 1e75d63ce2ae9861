"""The folders use each other as the table in docs/architecture.md says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import REPOSITORY

PACKAGE = REPOSITORY / "mars_logic"
OUTSIDE = ("agents", "benchmarks")
"""Folders of the checkout that are packages inside of mars_logic."""
ROW = re.compile(r"^\| (`\w+`(?:, `\w+`)*) \| (.*) \|$", re.MULTILINE)


def allowed() -> dict[str, set[str]]:
    """What each folder may use, as the table says."""
    page = (REPOSITORY / "docs" / "architecture.md").read_text()
    table = page.partition("| folder | uses |")[2].partition("\n\n")[0]
    rows = {
        name: re.findall(r"`(\w+)`", uses) if uses != "any" else FOLDERS
        for names, uses in ROW.findall(table)
        for name in re.findall(r"\w+", names)
    }
    return {"world": set()} | {name: {"world", *uses} for name, uses in rows.items()}


def folder(name: str) -> Path:
    return (REPOSITORY if name in OUTSIDE else PACKAGE) / name


FOLDERS = sorted(
    {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()} | {*OUTSIDE}
)


def imports(node: ast.AST) -> Iterator[str]:
    """The names of all modules that are imported, but for type checking alone."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and child.module:
            yield from (f"{child.module}.{alias.name}" for alias in child.names)
        else:
            yield from imports(child)


def test_the_table_lists_every_folder() -> None:
    assert sorted(allowed()) == FOLDERS


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_uses_what_it_may(name: str) -> None:
    files = [*folder(name).rglob("*.py")]
    assert files
    for file in files:
        for module in imports(ast.parse(file.read_text())):
            _, _, used = module.partition("mars_logic.")
            used = used.partition(".")[0]
            if used in FOLDERS and used != name:
                assert used in allowed()[name], f"{file.name} imports {module}"
