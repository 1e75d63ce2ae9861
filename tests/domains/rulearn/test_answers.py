"""Answers about puzzles: a choice and an input count as final answers alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic.domains.rulearn.language_models.answers import (
    HypothesisAnswer,
    InputAnswer,
    choice_answer,
)
from mars_logic.language.answers import ModelAnswer, UnreadableAnswerError, read_answer

THREE = choice_answer(3)


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ('{"thought": "4 is none", "choice": 2}', 2),
        ("[2]", 2),
        ("3.", 3),
        ("There are 3 of them, so I react first.\n**Choice:** [1].", 1),
        ("<think>[2] or [3]?</think>\nChoice: 3", 3),
    ],
)
def test_choices(text: str, choice: int) -> None:
    assert read_answer(THREE, text).choice == choice


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ('{"input": "A + B"}', "A + B"),
        ('{"input": ["CB", "A"]}', "CB + A"),
        ('{"input": 123}', "123"),
        ("[C + B]", "C + B"),
        ("Input: 2*pi", "2*pi"),
        ("-2.5", "-2.5"),
        (".5", ".5"),
        ("2 times pi.", "2 times pi"),
        ("-.5*pi", "-.5*pi"),
        ("a=3 b=1", "a=3 b=1"),
        ("I see.\nInput: `AB, C`", "AB, C"),
    ],
)
def test_inputs(text: str, typed: str) -> None:
    assert read_answer(InputAnswer, text).input == typed


FINAL: dict[type[ModelAnswer], tuple[str, ...]] = {
    THREE: ("[2]", "2", "Choice: 2", '{"choice": 2}', '```json\n{"choice": 2}\n```'),
    InputAnswer: ("[123]", "123", "Input: A + B", '{"input": "123"}', "2*pi"),
}
UNDONE = (
    *("I will not take {}", "Never {}", "{} would be wrong", "{}\nNo, not that.", "Not {} but 1"),
    *("<think>{}", "<think>x</think>{}<think>", "<think>{}</think>", "{} if the rest fails"),
)
WORDS = st.text("abcdefghijklmnopqrstuvwxyz ,", min_size=2, max_size=30).filter(
    lambda text: any(len(word) > 1 for word in text.replace(",", " ").split())
)
"""Words without the end of a sentence, and one of them with two letters at least."""


@given(st.sampled_from([*FINAL]), st.data(), st.sampled_from(UNDONE), WORDS)
def test_negated_and_unfinished_thoughts_give_no_answer(
    form: type[ModelAnswer], data: st.DataObject, undone: str, words: str
) -> None:
    final = data.draw(st.sampled_from(FINAL[form]))
    plain = read_answer(form, final)
    for wrapped in (undone.format(final), f"{words} {final}", f"{final} {words}"):
        with pytest.raises(UnreadableAnswerError):
            read_answer(form, wrapped)
    again = read_answer(form, f"<think>{undone.format(final)}</think>\n{final}")
    assert again.model_dump(exclude={"thought"}) == plain.model_dump(exclude={"thought"})


def test_a_sentence_is_no_input() -> None:
    for text in ('{"input": "never enter 123"}', "Input: do not enter 123", "pi [123]"):
        with pytest.raises(UnreadableAnswerError):
            read_answer(InputAnswer, text)


def test_thinking_is_no_hypothesis() -> None:
    rule = "The second input followed by the first input."
    thought = f"<think>First before second? {rule}"
    assert read_answer(HypothesisAnswer, f"{thought}</think>\n{rule}").hypothesis == rule
    for text in (thought, f"{thought}</think>", '{"hypothesis": "first'):
        with pytest.raises(UnreadableAnswerError):
            read_answer(HypothesisAnswer, text)
