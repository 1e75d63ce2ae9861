"""JSON values from text: what is no JSON is one message with the line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic.errors import InputError
from mars_logic.system.json_files import read_json, read_json_lines, value_of

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.slow
@given(VALUES)
def test_every_value_comes_back(value: object) -> None:
    assert value_of(json.dumps(value), "x.json:1", "a value") == value


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": 1,\n"b": }', "x.json:2: file: no JSON: Expecting value in column 6"),
        ("[" * 200_000, "nested too deeply"),
        ('{"a": 1, "a": 2}', "the key 'a' stands there twice"),
        ("NaN", "NaN is no number"),
        ("-Infinity", "-Infinity is no number"),
        ("1e999", "1e999 is too large a number"),
        ("9" * 5_000, "a number of 5,000 digits"),
        ("", "Expecting value"),
        (b"\xff\xfe\x80", "not text"),
    ],
)
def test_no_json(text: str | bytes, told: str) -> None:
    with pytest.raises(InputError) as caught:
        value_of(text, "x.json:1", "a value")
    assert told in str(caught.value)
    assert str(caught.value).endswith("; allowed: a value")
    assert "\n" not in str(caught.value)


def test_a_wrong_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text('{"a": 1}\n\n[1, 2]\n{"a":\n', encoding="utf-8")
    found = read_json_lines(path, "a line", 1_000)
    assert [next(found), next(found)] == [(1, {"a": 1}), (3, [1, 2])]
    with pytest.raises(InputError, match=r"lines\.jsonl:4: file: no JSON"):
        next(found)


def test_a_file_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    path.write_text("[" + "1," * 100 + "1]", encoding="utf-8")
    assert len(read_json(path, "numbers", 1_000)) == 101
    with pytest.raises(InputError, match="too large"):
        read_json(path, "numbers", 100)
