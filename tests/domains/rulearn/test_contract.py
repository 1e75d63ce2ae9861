"""Every word of a sentence about a puzzle is read, or the sentence is unread."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.domains import domain_of, load_game
from mars_logic.domains.rulearn.escape_room.rules import EscapeRoom
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator
from mars_logic.domains.rulearn.language import SentenceError
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.reactor.rules import Reactor
from mars_logic.domains.rulearn.reading import forms, read_rule, rule_reading
from tests.cli.conftest import Run, run
from tests.domains.rulearn.strategies import functions, opened, passwords, programs

__all__ = ["run"]
DATA = Path(__file__).parents[2] / "data" / "rulearn"
OPERATOR, TWO_FUNCTIONS = "rulearn/fo_r1_05", "rulearn/fo_r1_14"
ROOM, REACTOR = "rulearn/er_r1_05", "rulearn/re_r1_05"
HALL = {"door": "Hall", "rooms": [{"name": "Hall", "paintings": [44, 45, 56, 60, 61]}]}
INSERTED = (
    *("not", "never", "only if it is longer than three", "nobody knows whether", "maybe"),
    *("I think", "probably", "I will try", "put any two", "cannot", "or", "unless", "is it true"),
)
"""Negations, conditions, hedges, plans and questions."""
TRAILING = (
    "The result is turned around when it has more than three letters.",
    "It is wrong.",
    "Is it?",
    "I will try A and B next.",
    "But not always.",
)
FREE = {
    OPERATOR: (
        "F1(x) = 3*x",
        "Function 1 is 3x, so a = 3.",
        "f1 = a*x²",
        "F1(x) = -5x",
        "Function 1 equals sin x times 3",
        "Function 1 is a times sqrt(abs(x)) and the value of a is 4.",
        "a = 7",
    ),
    ROOM: (
        "Digit 1 is the number of blue oil paintings.",
        "Digit 2: number of acrylic paintings in the hinted colour",
        "digit 3 counts the watercolours whose colour the note mentions",
        "The first digit is the number of oil paintings and the second digit is the number of "
        "acrylics",
        "The code is the number of oil, acrylic and watercolor paintings of the color named by "
        "the hint.",
        "Digit 1 is how many paintings that are not blue there are",
    ),
    REACTOR: (
        "The reactor concatenates the two inputs.",
        "The second material is put in front of the first.",
        "Both inputs are joined in reverse order",
        "The first input, then the second input.",
        "The shorter one is inserted into the middle of the longer one",
        "If both have the same length, the second goes into the middle of the first; otherwise "
        "the shorter one is inserted into the middle of the longer one.",
    ),
}


def untold(name: str) -> Any:
    game = load_game(name)
    return domain_of(game).untold(game)


def told(theory: Puzzle) -> list[str]:
    return domain_of(theory).rules(theory)


def read(text: str, about: Puzzle) -> list[str] | None:
    """What a text states about a puzzle; None if not all of it is read."""
    try:
        return told(read_rule(text, about))
    except SentenceError:
        return None


def with_words(text: str, place: int, words: str) -> str:
    """A text with some words before its word at a place."""
    found = text.split(" ")
    return " ".join((*found[:place], words, *found[place:]))


def assert_not_read_alike(text: str, mutant: str, about: Puzzle) -> None:
    was, now = read(text, about), read(mutant, about)
    assert was is not None, text
    assert now != was, mutant
    # A negated value of an attribute is the only statement that a negation may lead to.
    negations = [" ".join(each or ()).count(" is not ") for each in (now, was)]
    assert now is None or (" not " in mutant and negations[0] == negations[1] + 1), (mutant, now)


@pytest.mark.parametrize("name", FREE)
def test_words_anywhere_in_a_free_sentence_make_it_unread(name: str) -> None:
    about = untold(name)
    for text in (*FREE[name], *forms(about)):
        for words in (*INSERTED, "qwrtz"):
            for place in range(len(text.split(" ")) + 1):
                assert_not_read_alike(text, with_words(text, place, words), about)


@pytest.mark.parametrize("name", FREE)
@pytest.mark.parametrize("more", TRAILING)
def test_an_unread_sentence_is_reported_and_no_other_is(name: str, more: str) -> None:
    about = untold(name)
    for text in FREE[name]:
        ended = text if text.endswith(".") else f"{text}."
        for both in (f"{ended} {more}", f"{more}\n{ended}"):
            found = rule_reading(both, about)
            assert [each.text for each in found.unread] == [more], both
            assert found.unread[0].line == 1 and found.unread[0].unread, both
            assert found.read == 1
            if name == REACTOR:
                assert told(found.theory) == told(about), "a case may be missing"
            else:
                assert told(found.theory) == read(text, about)


def operator(stated: Any) -> tuple[FunctionOperator, FunctionOperator]:
    """A theory with these functions, and one in which they are open."""
    opened = [[term | {"coef": "unknown", "basis": "unknown"} for term in each] for each in stated]
    one, other = (
        FunctionOperator.model_validate({"functions": each, "params_distinct": False})
        for each in (stated, opened)
    )
    return one, other


def room(rule: Any) -> tuple[EscapeRoom, EscapeRoom]:
    """A theory with this password, and one in which its digits are open."""
    digits = ["unknown"] * len(rule["digits"])
    opened = {**rule, "focus_order": rule["focus_order"][:1], "digits": digits}
    one, other = (EscapeRoom.model_validate({**HALL, "rule": each}) for each in (rule, opened))
    return one, other


def reactor(rule: Any) -> tuple[Reactor, Reactor]:
    """A theory with this rule, and one in which it is open."""
    one, other = (
        Reactor.model_validate({"target": "AB", "rule": each}) for each in (rule, "unknown")
    )
    return one, other


theories = st.one_of(
    functions().map(operator), passwords().map(room), opened(programs()).map(reactor)
)


@pytest.mark.slow
@settings(max_examples=150)
@given(theories)
def test_all_sentences_that_are_told_are_read(pair: tuple[Puzzle, Puzzle]) -> None:
    theory, about = pair
    assert read(" ".join(told(theory)), about) == told(theory)
    assert read("\n".join(f"- {each}" for each in told(theory)), about) == told(theory)


@pytest.mark.slow
@settings(max_examples=300)
@given(
    theories,
    st.one_of(st.sampled_from(INSERTED), st.text("bcdfghjklmnpqrtvwz", min_size=4, max_size=9)),
    st.data(),
)
def test_words_anywhere_in_a_told_sentence_make_it_unread(
    pair: tuple[Puzzle, Puzzle], words: str, data: st.DataObject
) -> None:
    theory, about = pair
    text = " ".join(told(theory))
    place = data.draw(st.integers(0, len(text.split(" "))))
    assert_not_read_alike(text, with_words(text, place, words), about)


def test_statements_that_differ_are_not_both_read() -> None:
    for name, first, second in (
        (OPERATOR, "F1(x) = a*x.", "F1(x) = a*sin(x)."),
        (OPERATOR, "a = 3.", "Parameter a is 4."),
        (ROOM, "Digit 1 is the number of oil paintings.", "Digit 1 is the number of acrylics."),
        (REACTOR, "The first one, then the second one.", "The second one, then the first one."),
    ):
        found = rule_reading(f"{first} {second}", untold(name))
        assert [each.text for each in found.unread] == [second]
        assert rule_reading(f"{first} {first}", untold(name)).unread == () or name == REACTOR


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Otherwise: the first input followed by the second input.", "no case is before"),
        ("If both inputs are equally long: the first input.", "its last case has a condition"),
        ("Always: the first input. Otherwise: the second input.", "it states two rules"),
        ("The first input followed by the first input", "names the first input twice"),
    ],
)
def test_cases_that_are_no_rule_together(text: str, problem: str) -> None:
    with pytest.raises(SentenceError, match=problem):
        read_rule(text, untold(REACTOR))


@pytest.mark.parametrize("text", ["Function 1 is a times", "Function 1 is a times x +", "f1 = +"])
def test_formulas_that_end_too_early(text: str) -> None:
    assert read(text, untold(OPERATOR)) is None


# --- Commands ---------------------------------------------------------------------------------


def test_check_reports_lines_that_are_unread(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "line.txt"
    for line in (DATA / "unread_lines.txt").read_text(encoding="utf-8").splitlines():
        file.write_text(f"{line}\n", encoding="utf-8")
        found = run("check", file, DATA / "reactor.jsonl", "--all")
        assert found.status == 2, line
        assert f'{file}:1: sentence: cannot read "' in found.err
        document = run("check", file, DATA / "reactor.jsonl", "--json")
        assert document.status == 2
        unread = document.json["unreadable"]
        assert " ".join(each["text"] for each in unread) == line
        assert all(each["problem"] and each["nearest"] for each in unread)
        assert [each["verdict"] for each in document.json["rules"]] == ["untested"]


def test_check_judges_what_is_read_and_reports_the_rest(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    recorded = DATA / "escape_room.jsonl"
    right = "Digit 1 is the number of oil paintings whose color the hint names."
    file.write_text(f"# mine\n{right}\nI am not sure.\n", encoding="utf-8")
    found = run("check", file, recorded)
    assert found.status == 2 and "supported" in found.out and "1 unread sentence" in found.out
    assert f'{file}:3: sentence: cannot read "I" in "I am not sure."' in found.err
    file.write_text("Digit 1 is the number of green paintings.\nHm.\n", encoding="utf-8")
    assert run("check", file, recorded).status == 1, "a contradiction goes first"


def test_a_partial_theory_of_functions(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    for text in ("F1(x) = a*x", "Function 1 is a times x."):
        file.write_text(text, encoding="utf-8")
        checked = run("check", file, DATA / "function_operator.jsonl", "--json").json
        assert [each["verdict"] for each in checked["rules"]] == ["contradicted", "untested"]
        scored = run("score", file, OPERATOR)
        assert scored.status == 2
        assert f"{file}: parameter a: the theory leaves it open" in scored.err
        assert "[0]" not in scored.err
    file.write_text("F1(x) = a*x. Perhaps.", encoding="utf-8")
    refused = run("score", file, OPERATOR)
    assert refused.status == 2 and f'{file}:1: sentence: cannot read "perhaps"' in refused.err
    file.write_text("# nothing\n", encoding="utf-8")
    for command in (("score", file, OPERATOR), ("check", file, DATA / "reactor.jsonl")):
        found = run(*command)
        assert found.status == 2 and f"{file}:1: file: there is no sentence" in found.err


def test_unread_lines_are_data(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "line.txt"
    file.write_text("\x1b[2J{{ 7 * 7 }}", encoding="utf-8")
    found = run("check", file, DATA / "reactor.jsonl", "--json")
    assert found.status == 2 and "\x1b" not in json.dumps(found.json)
