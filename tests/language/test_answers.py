"""Answers are read as JSON, else from the text; they are data of bounded length."""

from __future__ import annotations

import doctest
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic.agents.language.skills import best_matches
from mars_logic.language.answers import (
    LONGEST_LINE,
    MOST_LINES,
    ActionAnswer,
    ControllerAnswer,
    PlanAnswer,
    RulesAnswer,
    TextAnswer,
    UnreadableAnswerError,
    read_answer,
    task_answer,
)
from mars_logic.language.tokens import estimated_tokens, newest, safe
from mars_logic.world.vocabulary import vocabulary
from tests.paths import REPOSITORY

FORMS = (ActionAnswer, ControllerAnswer, PlanAnswer, RulesAnswer, TextAnswer)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ('{"thought": "x", "action": "move_left"}', "move_left"),
        ('Sure!\n```json\n{"thought": "x", "action": "Move Left"}\n```', "move_left"),
        ('Answer: {"action": "sleep"}', "sleep"),
        ('{"wrong": 1}\n{"action": "sleep"}', "sleep"),
        ('{"action": "do"}\n{"action": "sleep"}', "sleep"),
        ("THINK: I could move up. ACTION: move right", "move_right"),
        ("I see a tree, so not sleep.\n\n**Action:** `do`.", "do"),
        ("Final answer: place-table", "place_table"),
        ("make_wood_pickaxe", "make_wood_pickaxe"),
        ('"Do".', "do"),
        ('<think>{"action": "sleep"}\nAction: sleep</think>\ndo', "do"),
        ("so I sleep.</think>Action: do", "do"),
    ],
)
def test_actions_are_found(text: str, action: str) -> None:
    assert read_answer(ActionAnswer, text).action == action


@pytest.mark.parametrize(
    "text",
    [
        *("", "nothing", '{"action": "fly"}', '{"action": 3}', "redo it", "I would do it"),
        *("Never do sleep.", "make_wood_pickaxe, then do", '{"action": "do"', "do or sleep"),
        *('I never answer {"action": "do"}', '{"action": "do"} is wrong', "not Action: do"),
        *('{"action": "do"}\nNo, never.', "Action: do\nNo, never.", "Action: do not sleep"),
        *("Action: do\nAction: sleep", '{"action": "do not sleep"}', "Action: do, if it is near"),
    ],
)
def test_an_answer_without_an_action_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableAnswerError, match=r"there is no action in it.*the actions are"):
        read_answer(ActionAnswer, text)


@pytest.mark.parametrize(
    "text",
    [
        "<think>\u2026 Action: place_stone needs stone. Let me consider",
        '<think>{"action": "do"}',
        "<think>a</think> Action: do <think>",
        "<Thinking>\nAction: do",
    ],
)
@pytest.mark.parametrize("form", FORMS)
def test_an_answer_that_ends_while_it_thinks_is_unreadable(
    form: type[ActionAnswer], text: str
) -> None:
    with pytest.raises(UnreadableAnswerError, match="thinking is not finished"):
        read_answer(form, text)


def test_thinking_is_no_part_of_an_answer() -> None:
    thought = "<think>\n- Water is wet.\n{}\n</think>\n"
    assert read_answer(TextAnswer, f"{thought}Look.").text == "Look."
    assert read_answer(RulesAnswer, f"{thought}- Trees give wood").rules == ["Trees give wood"]
    assert read_answer(PlanAnswer, f"{thought}place(table)").subgoals == ["place(table)"]
    with pytest.raises(UnreadableAnswerError):
        read_answer(PlanAnswer, thought)


ACTED = st.sampled_from(
    [
        *("do", "Action: sleep", "**Action:** `move_left`.", "Final answer: place stone"),
        *('{"thought": "x", "action": "do"}', '```json\n{"action": "sleep"}\n```'),
    ]
)
WORDS = st.text("abcdefghijklmnopqrstuvwxyz ,", min_size=1, max_size=30).filter(str.strip)
"""Words without the end of a sentence."""
UNDONE = (
    *("I will never say {}", "Never {}", "{} is what I would not do", "{}\nNo, not that."),
    *("<think>{}", "<think>x</think>{}<think>", "<think>{}</think>", "{}, but only at night"),
    *("Not {}", "Should I say {}?", "Let me consider {}", "do or {}"),
)


@given(ACTED, st.sampled_from(UNDONE), WORDS, WORDS)
def test_negated_and_unfinished_thoughts_give_no_action(
    acted: str, undone: str, before: str, after: str
) -> None:
    plain = read_answer(ActionAnswer, acted).action
    for wrapped in (undone.format(acted), f"{before} {acted} {after}", f"{acted} {after}"):
        if wrapped.strip().lower() == plain:
            continue
        with pytest.raises(UnreadableAnswerError):
            read_answer(ActionAnswer, wrapped)
    spoken = undone.format(acted)
    assert read_answer(ActionAnswer, f"<think>{spoken}</think>\n{acted}").action == plain


INSERTED = ("not", "never", "only if it is longer than three", "nobody knows whether", "maybe")


@given(ACTED, st.sampled_from(INSERTED), st.integers(0, 9))
def test_words_anywhere_in_a_final_answer_leave_no_action(
    acted: str, words: str, place: int
) -> None:
    said = acted.split(" ")
    place %= len(said) + 1
    with pytest.raises(UnreadableAnswerError):
        read_answer(ActionAnswer, " ".join((*said[:place], words, *said[place:])))


def test_the_end_of_a_subgoal_is_no_action_of_others() -> None:
    assert read_answer(ControllerAnswer, '{"action": "succeeded"}').action == "succeeded"
    with pytest.raises(UnreadableAnswerError):
        read_answer(ActionAnswer, '{"action": "succeeded"}')


def test_lists_lose_their_marks() -> None:
    text = "Rules:\n- Water is wet.\n2. Grass can be walked on\n* Trees give wood"
    assert read_answer(RulesAnswer, text).rules == [
        "Water is wet.",
        "Grass can be walked on",
        "Trees give wood",
    ]
    assert read_answer(PlanAnswer, "mine(tree, 1)\nplace(table)").subgoals == [
        "mine(tree, 1)",
        "place(table)",
    ]
    assert read_answer(RulesAnswer, '{"rules": []}').rules == []
    for wrong in ("\n \n", '{"subgoals": ["cut o', '{"subgoals": []}'):
        with pytest.raises(UnreadableAnswerError):
            read_answer(PlanAnswer, wrong)


def test_a_task_is_an_achievement() -> None:
    form = task_answer(vocabulary("mars").achievements)
    assert read_answer(form, "Task: collect wood").task == "collect_wood"
    with pytest.raises(UnreadableAnswerError, match="there is no task in it"):
        read_answer(form, '{"task": "rule the world"}')
    assert "collect_wood" in form.schema_for_model()["properties"]["task"]["enum"]


def test_the_page_says_what_happens() -> None:
    page = (REPOSITORY / "docs" / "language.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    parsed = doctest.DocTestParser().get_doctest(block, {}, "language.md", None, None)
    found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(parsed)
    assert found.attempted == 3 and not found.failed


@pytest.mark.parametrize("form", FORMS)
def test_schemas_are_as_endpoints_want_them(form: type[ActionAnswer]) -> None:
    schema = form.schema_for_model()
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) == set(schema["properties"]) == set(form.model_fields)


def test_long_answers_are_cut() -> None:
    many = json.dumps({"rules": ["x" * 10_000] * 500})
    rules = read_answer(RulesAnswer, many).rules
    assert len(rules) == MOST_LINES
    assert {len(each) for each in rules} == {LONGEST_LINE}


def test_deep_json_is_no_answer() -> None:
    with pytest.raises(UnreadableAnswerError):
        read_answer(ActionAnswer, '{"a":' * 50_000)


@given(st.text(max_size=300), st.sampled_from(FORMS))
def test_any_text_is_read_or_refused(text: str, form: type[ActionAnswer]) -> None:
    try:
        answer = read_answer(form, text)
    except (UnreadableAnswerError, ValueError):
        return
    told = json.dumps(answer.model_dump())
    assert len(told) < 20_000
    if isinstance(answer, ActionAnswer):
        assert answer.action in form.choices


@given(st.text(max_size=300), st.integers(1, 100))
def test_safe_text_is_short_and_steers_no_terminal(text: str, most: int) -> None:
    made = safe(text, most)
    assert len(made) <= most
    assert all(c.isprintable() or c in "\n\t" for c in made)
    made.encode("utf-8")


@given(st.lists(st.text(max_size=40), max_size=12), st.integers(0, 60))
def test_newest_lines_fit(lines: list[str], tokens: int) -> None:
    kept = newest(lines, tokens)
    assert kept == lines[len(lines) - len(kept) :]
    assert sum(map(estimated_tokens, kept)) <= tokens
    if len(kept) < len(lines):
        more = lines[len(lines) - len(kept) - 1 :]
        assert sum(map(estimated_tokens, more)) > tokens


def test_retrieval_prefers_rare_words_and_short_texts() -> None:
    texts = ["collect wood; sees tree", "collect stone; sees tree", "make iron pickaxe", ""]
    assert best_matches("collect stone", texts, 3) == [1, 0]
    assert best_matches("iron", texts, 3) == [2]
    assert best_matches("unknown", texts, 3) == best_matches("x", [], 3) == []
