"""The folders use each other as the table in docs/architecture.md says."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest

from tests.paths import REPOSITORY

PACKAGE = REPOSITORY / "mars_logic"
OUTSIDE = ("agents", "benchmarks")
"""Folders of the checkout that are packages inside of mars_logic."""
COMMON = ("world", "system", "compiled")
"""What every folder may use."""
ROW = re.compile(r"^\| (`\w+`(?:, `\w+`)*) \| (.*) \|$", re.MULTILINE)


def allowed() -> dict[str, set[str]]:
    """What each folder may use, as the table says."""
    page = (REPOSITORY / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("| folder | uses |")[2].partition("\n\n")[0]
    rows = {
        name: re.findall(r"`(\w+)`", uses) if uses != "any" else FOLDERS
        for names, uses in ROW.findall(table)
        for name in re.findall(r"\w+", names)
    }
    return {name: {*COMMON, *uses} for name, uses in ({"world": set()} | rows).items()}


def folder(name: str) -> Path:
    return (REPOSITORY if name in OUTSIDE else PACKAGE) / name


FOLDERS = sorted(
    {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()} | {*OUTSIDE}
)


def layer(file: Path, name: str) -> str:
    """The folder whose row holds for a file: a domain's own commands belong to the command line."""
    inside = file.relative_to(folder(name)).parts
    return "cli" if name == "domains" and inside[1:] and inside[1].startswith("commands") else name


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
        for module in imports(ast.parse(file.read_text(encoding="utf-8"))):
            _, _, used = module.partition("mars_logic.")
            used = used.partition(".")[0]
            if used in FOLDERS and used != name:
                assert used in allowed()[layer(file, name)], f"{file.name} imports {module}"


def modules() -> dict[str, Path]:
    """Every module by its name in the installed package."""
    found = {}
    for base, package in (
        (PACKAGE, "mars_logic"),
        *((REPOSITORY / name, f"mars_logic.{name}") for name in OUTSIDE),
    ):
        for file in base.rglob("*.py"):
            parts = file.relative_to(base).with_suffix("").parts
            named = parts[:-1] if parts[-1] == "__init__" else parts
            found[".".join((package, *named))] = file
    return found


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports for type checking and inside of functions count."""
    known = modules()
    graph = nx.DiGraph()
    for name, file in known.items():
        package = name if file.stem == "__init__" else name.rpartition(".")[0]
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            graph.add_edges_from((name, used) for used in _used(node, package, known))
    circles = [sorted(each) for each in nx.strongly_connected_components(graph) if len(each) > 1]
    assert circles == []


def _used(node: ast.AST, package: str, known: dict[str, Path]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in known)
    elif isinstance(node, ast.ImportFrom):
        above = package.split(".")[: len(package.split(".")) - node.level + 1]
        start = ".".join([*above, *filter(None, [node.module])]) if node.level else node.module
        for alias in node.names:
            inner = f"{start}.{alias.name}"
            if inner in known or start in known:
                yield inner if inner in known else str(start)


def test_no_two_public_classes_share_a_name() -> None:
    names = Counter(
        node.name
        for file in modules().values()
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name for name, times in names.items() if times > 1} == set()


def above_the_domains() -> list[Path]:
    """Modules outside of domains, but for the measurements of single ones."""
    own = ("mars_logic.domains.", "mars_logic.benchmarks.")
    return [file for name, file in modules().items() if not name.startswith(own)]


def test_no_layer_is_named_after_a_kind_of_game() -> None:
    kinds = re.compile(r"(game|puzzle|conan|smartplay)_")
    assert [file.name for file in above_the_domains() if kinds.match(file.name)] == []


def test_no_layer_asks_for_a_kind_of_rules() -> None:
    """It asks their family for a property, or a loader that tells worlds and games apart."""
    asking = re.compile(r"isinstance\([^()]*(?:\([^()]*\)[^()]*)*\b(Game|Domain|CodedDomain)\b")
    found = [
        file.name for file in above_the_domains() if asking.search(file.read_text(encoding="utf-8"))
    ]
    assert found == []
