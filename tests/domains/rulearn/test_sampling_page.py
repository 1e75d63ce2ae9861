"""The Python of the page about new puzzles prints what it says."""

from __future__ import annotations

import re

import pytest

from tests.paths import REPOSITORY

PAGE = REPOSITORY / "docs" / "rulearn_sampling.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_it_prints_what_it_says(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block, "rulearn_sampling.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"print\(.*\)  # (.*)", block)
