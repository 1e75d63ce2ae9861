"""Text of others never steers a terminal, and stays legible."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic.system.printable import MOST, escaped, escaped_in_json, in_one_line, shortened

ANY = st.text(st.characters(codec=None, exclude_categories=()))
STEERING = "\x1b\x07\r\x00\x7f\x80\x9b\u2028\u2029\u202a\u202e\u2066\u2069\ud800\udc80\udfff"


def steers(character: str) -> bool:
    """By what Unicode says of a character, not by its number."""
    if character in "\n\t":
        return False
    reorders = unicodedata.bidirectional(character) in (
        "LRE",
        "RLE",
        "LRO",
        "RLO",
        "PDF",
        "LRI",
        "RLI",
        "FSI",
        "PDI",
    )
    return reorders or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")


@given(ANY)
def test_what_steers_is_escaped_and_all_else_stays(text: str) -> None:
    shown = escaped(text)
    assert not any(map(steers, shown))
    if not any(map(steers, text)):
        assert shown == text


@pytest.mark.parametrize("character", STEERING)
def test_escapes_are_as_python_writes_them(character: str) -> None:
    assert steers(character)
    assert escaped(f"a{character}b").startswith("a\\")


def test_bytes_of_a_name_are_told_as_bytes() -> None:
    assert escaped(b"a\xff\xe9.yaml".decode("utf-8", "surrogateescape")) == "a\\xff\\xe9.yaml"


def test_ordinary_text_stays() -> None:
    text = "naïve – “quoted” ± 3 × 日本語 🙂 שלום\tnext\nline"
    assert escaped(text) is text or escaped(text) == text


@given(st.recursive(ANY, lambda inner: st.lists(inner) | st.dictionaries(ANY, inner)))
def test_json_says_the_same(document: object) -> None:
    shown = escaped_in_json(json.dumps(document, ensure_ascii=False))
    assert not any(map(steers, shown))
    assert json.loads(shown) == json.loads(json.dumps(document))


@given(ANY)
def test_one_line_is_one_line(text: str) -> None:
    assert in_one_line(text).isprintable()


@given(st.text(), st.integers(0, 5000), st.text("ab \n", max_size=40))
def test_messages_are_not_overlong(text: str, times: int, rest: str) -> None:
    shown = shortened(text * times + rest)
    assert all(len(line) <= 10 * MOST for line in shown.split("\n"))
    assert all(len(word) <= MOST for word in shown.split())


def test_a_message_about_a_long_name_says_what_is_wrong() -> None:
    message = f"{'name' * 100_000}.yaml:1: file: file name too long; allowed: another"
    shown = shortened(message)
    assert len(shown) < 2 * MOST and shown.startswith("namename")
    assert shown.endswith(".yaml:1: file: file name too long; allowed: another")
