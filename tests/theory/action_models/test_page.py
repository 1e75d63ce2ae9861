"""The Python on the page about laws runs, and its functions are those that are written."""

from __future__ import annotations

import re

import pytest

from mars_logic.theory.action_models import ActionModels, Records, python_source, write
from tests.paths import REPOSITORY

PAGE = (REPOSITORY / "docs" / "laws.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_page(chosen: Records, laws: ActionModels, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "records.json").write_text(write(chosen), encoding="utf-8")
    names: dict = {}
    for block in re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        exec(block, names)
    assert names["predicates"](names["laws"]).valid(names["states"]).shape == (1, 22)
    (shown,) = re.findall(r"^```\n(def .*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert shown in python_source(laws)
