"""Worlds on a page: what is proved about them, also if nobody played in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic.errors import InputError
from mars_logic.views.report import page, source

SILVER = """
name: silver <b>age</b>
base: default
collect: {diamond: {yields: {coal: 1}}}
"""


def test_a_world_file_is_a_page_of_its_tree_and_proof(tmp_path: Path) -> None:
    file = tmp_path / "silver.yaml"
    file.write_text(SILVER, encoding="utf-8")
    html = page.report(source.read(file), 9)
    assert "21 of 22 achievements reachable, on all ordinary maps" in html
    assert '<b>collect diamond</b> <span class="verdict unreachable">unreachable</span>' in html
    assert "so no diamond is ever obtained" in html and "<code>collect.tree</code>" in html
    assert html.index("collect diamond</b>") < html.index("collect coal</b>"), "first what fails"
    assert "<b>age</b>" not in html and "silver &lt;b&gt;age" in html
    assert "1 world" in html and 'id="player"' not in html


def test_other_files_of_yaml_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "notes.yaml"
    file.write_text("a: 1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"notes.yaml:1: dynamics: this key is missing"):
        source.read(file)
