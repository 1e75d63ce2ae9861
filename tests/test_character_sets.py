"""Files of text are UTF-8 whatever the locale: every call that opens one says so.

The linter's rule (PLW1514) covers the calls whose type it can tell; the test here all others.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator

import pytest

from tests.paths import REPOSITORY

MODE = re.compile(r"[rwax+bt]{1,3}")
RUN = ("run", "Popen", "check_output", "check_call", "call")


def without_encoding(code: str) -> Iterator[int]:
    """The lines of calls that open a file or a pipe of text by the locale's character set."""
    for call in ast.walk(ast.parse(code)):
        if isinstance(call, ast.Call) and opens_text(call):
            given = {each.arg for each in call.keywords}
            if "encoding" not in given and None not in given:  # ** may hold it
                yield call.lineno


def opens_text(call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(attr="read_text"):
            return not call.args
        case ast.Attribute(attr="write_text"):
            return len(call.args) == 1
        case ast.Name(id="open"):
            return "b" not in mode(call, 1)
        case ast.Attribute(attr="open"):
            return bool(MODE.fullmatch(mode(call, 0))) and "b" not in mode(call, 0)
        case ast.Attribute(value=ast.Name(id="subprocess"), attr=name) if name in RUN:
            return any(each.arg in ("text", "universal_newlines") for each in call.keywords)
    return False


def mode(call: ast.Call, place: int) -> str:
    """How a file is opened; nothing that is a mode where that is no constant."""
    named = [each.value for each in call.keywords if each.arg == "mode"]
    match [*named, *call.args[place:]]:
        case []:
            return "r"
        case [ast.Constant(value=str(text)), *_]:
            return text
    return ""


@pytest.mark.parametrize(
    "code",
    [
        "path.read_text()",
        "path.read_text(errors='replace')",
        "path.write_text(text)",
        "open(path)",
        "open(path, 'w')",
        "path.open()",
        "path.open('a')",
        "subprocess.run(command, text=True)",
    ],
)
def test_calls_without_an_encoding_are_found(code: str) -> None:
    assert [*without_encoding(code)] == [1]


@pytest.mark.parametrize(
    "code",
    [
        "path.read_text('utf-8')",
        "path.read_text(encoding='utf-8')",
        "open(path, 'rb')",
        "open(path, mode='wb')",
        "path.open('rb')",
        "recipe.open(site)",
        "subprocess.run(command)",
    ],
)
def test_other_calls_are_not(code: str) -> None:
    assert not [*without_encoding(code)]


@pytest.mark.slow
def test_all_files_of_text_are_opened_with_an_encoding() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=REPOSITORY, capture_output=True, encoding="utf-8"
    )
    if listed.returncode:
        pytest.skip("this is no checkout")
    found = [
        f"{file}:{line}"
        for file in listed.stdout.split()
        if (REPOSITORY / file).is_file()
        for line in without_encoding((REPOSITORY / file).read_text(encoding="utf-8"))
    ]
    assert not found
