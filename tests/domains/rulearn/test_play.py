"""Puzzles that are played: chance, saved states, doors, typed numbers, dialects, materials."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.domains.chance import Seeded
from mars_logic.domains.library import collected_games
from mars_logic.domains.load import load_game
from mars_logic.domains.protocol import ActionError
from mars_logic.domains.rulearn.domain import puzzle_simulator
from mars_logic.domains.rulearn.door import judged
from mars_logic.domains.rulearn.episode import DrawnChance, PuzzleAction
from mars_logic.domains.rulearn.escape_room.rules import paintings
from mars_logic.domains.rulearn.function_operator.rules import number_typed
from mars_logic.domains.rulearn.telling import outcome_text, painting_text, puzzle_manual
from mars_logic.errors import InputError

PUZZLES = st.sampled_from(tuple(collected_games()))
TEXTS = ("2.3", "-0.7", "pi", "0", "x", "11", "a=3", "999")


def chance(seed=0):
    return DrawnChance(Seeded(seed))


def actions(simulator, choose):
    """A random action that is on offer."""
    offer = choose(simulator.available())
    if offer["do"] == "evaluate":
        return PuzzleAction("evaluate", function=offer["function"], input=choose(TEXTS))
    if offer["do"] == "enter_code":
        return PuzzleAction("enter_code", code=choose(TEXTS))
    if offer["do"] == "react":
        stored = simulator.snapshot().storage
        return PuzzleAction("react", materials=tuple(choose(stored) for _ in range(choose((1, 2)))))
    return PuzzleAction.read(offer)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(tuple(collected_games())), st.integers(0, 99), st.randoms(use_true_random=False)
)
def test_a_state_is_saved_and_branched(name, seed, random):
    simulator = puzzle_simulator(load_game(name))
    source = chance(seed)
    trail = []
    while not simulator.snapshot().done:
        before = simulator.snapshot()
        action = actions(simulator, random.choice)
        state = source._chance.snapshot()
        trail.append((before, action, state, simulator.step(action, source)))
    assert sum(outcome.steps > 0 for *_, outcome in trail) <= 15
    last = simulator.snapshot()
    for before, action, state, outcome in reversed(trail):
        simulator.restore(before)
        source._chance.restore(state)
        assert simulator.step(action, source) == outcome
    simulator.restore(last)
    with pytest.raises(ActionError, match="the episode is over"):
        simulator.step(PuzzleAction("malformed"), source)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", 2),
        (" -1e-3 ", -0.001),
        ("+.5", 0.5),
        ("1.", 1),
        ("pi", math.pi),
        ("PI", math.pi),
        ("2pi", 2 * math.pi),
        ("-1 * Pi", -math.pi),
        ("pi*2", 2 * math.pi),
        ("0.3π", 0.3 * math.pi),
        ("-pi", None),
        ("pi/2", None),
        ("1/2", None),
        ("--2", None),
        ("1+1", None),
        ("0x10", None),
        ("2 3", None),
        ("", None),
        ("e5", None),
        ("nan", None),
        ("1e999", None),
        ("٣", None),
        ("__import__('os')", None),
    ],
)
def test_typed_numbers(text, value):
    assert number_typed(text) == value


def test_numbers_too_large_are_invalid():
    simulator = puzzle_simulator(load_game("rulearn/fo_r1_20"))
    for function in range(1, 4):
        found = simulator.step(
            PuzzleAction("evaluate", function=function, input="1e300"), chance()
        ).shown
        assert (found["value"] is None) == (found["error"] is not None)


def test_a_door_reads_digits_alone():
    assert judged("a=3 b=1", "31").correct
    assert judged("41", "31").digits == (False, True)
    assert judged("", "31").digits is None
    assert judged("٣1", "31").digits is None


def test_values_change_after_four_codes_within_their_range():
    puzzle = load_game("rulearn/fo_r1_19")
    seen = set()
    for seed in range(40):
        simulator = puzzle_simulator(puzzle)
        for left in (3, 2, 1, 4):
            found = simulator.step(PuzzleAction("enter_code", code="0"), chance(seed))
            assert found.shown["attempts_left"] == left
        values = tuple(found.hidden["params"].values())
        assert len(set(values)) == len(values) and all(1 <= each <= 9 for each in values)
        seen.add(values)
    assert len(seen) > 30


def hammered(dialect, code):
    """The last outcome after eleven wrong codes and this one."""
    puzzle = load_game("rulearn/er_r2_07").model_copy(update={"dialect": dialect})
    simulator = puzzle_simulator(puzzle)
    for _ in range(11):
        assert not simulator.step(PuzzleAction("enter_code", code=""), chance()).done
    return simulator.step(
        PuzzleAction("enter_code", code=code or puzzle.password("green")), chance()
    )


def test_the_twelfth_code():
    found = hammered("faithful", None)
    assert found.done and not found.success and found.shown["correct"] and found.steps == 11
    assert hammered("mended", None).success
    assert not hammered("mended", "x").success and hammered("mended", "x").done


def test_brute_force_is_a_decoy_of_the_reference():
    puzzle = load_game("rulearn/er_r1_01")
    assert {"do": "brute_force"} in puzzle_simulator(puzzle).available()
    mended = puzzle.model_copy(update={"dialect": "mended"})
    assert {"do": "brute_force"} not in puzzle_simulator(mended).available()


def test_a_hypothesis_comes_first_and_not_twice():
    simulator = puzzle_simulator(load_game("rulearn/er_r1_01"), hypotheses="required")
    with pytest.raises(ActionError, match="allowed: hypothesise"):
        simulator.step(PuzzleAction("enter_code", code="1"), chance())
    simulator.step(PuzzleAction("hypothesise"), chance())
    with pytest.raises(ActionError, match="hypothesise is not on offer"):
        simulator.step(PuzzleAction("hypothesise"), chance())


@pytest.mark.parametrize(
    "data",
    [
        {"do": "react"},
        {"do": "react", "materials": "A"},
        {"do": "react", "materials": [1]},
        {"do": "evaluate", "function": "1", "input": "2"},
        {"do": "submit", "code": "1"},
        {},
    ],
)
def test_what_is_no_action(data):
    with pytest.raises(ActionError):
        PuzzleAction.read(data)


def test_told_hints():
    def told(name, mode):
        puzzle = load_game(name).model_copy(update={"hints": mode})
        return [(each.inputs, each.products) for each in puzzle.told]

    assert told("rulearn/re_r1_06", "told") == [(("C", "A"), ("CA",)), (("CA", "B"), ("BCA",))]
    assert told("rulearn/re_r1_06", "mended")[0] == (("C", "A"), ("AC",))
    assert told("rulearn/re_r1_16", "schematic") == [(("XY", "Z"), ("XZ", "Y"))]
    assert told("rulearn/re_r1_01", "none") == []


def test_an_open_rule_is_not_played():
    puzzle = load_game("rulearn/re_r1_01")
    theory = type(puzzle).model_validate({"target": "AB", "rule": "unknown"})
    with pytest.raises(InputError, match="rule: a game that is played must be fully known"):
        puzzle_simulator(theory)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(tuple(collected_games())), st.integers(0, 99), st.randoms(use_true_random=False)
)
def test_outcomes_in_words_tell_what_is_shown(name, seed, random):
    simulator = puzzle_simulator(load_game(name))
    source = chance(seed)
    assert "You have 15 steps." in puzzle_manual(simulator.game)
    while not simulator.snapshot().done:
        action = actions(simulator, random.choice)
        outcome = simulator.step(action, source)
        text = outcome_text(action, outcome)
        for product in outcome.shown.get("products", ()):
            assert product in text
        if outcome.shown.get("value") is not None:
            assert repr(outcome.shown["value"]) in text
        if not outcome.done:
            assert all(f"Painting {each}," in text for each in outcome.shown.get("paintings", ()))
            assert f"{outcome.steps} step" in text
        assert ("solved" in text) == bool(outcome.success)


def test_manuals_tell_what_is_visible():
    assert puzzle_manual(load_game("rulearn/fo_r5_20")).splitlines() == [
        "There are 3 functions of x that you can evaluate at a number of your choice.",
        "Each term is a parameter times a function of x: 1 or one of x, 1/x, -x and sin(x); "
        "all of these occur.",
        "Function 1 is a sum of 1 term, with a in this order.",
        "Function 2 is a sum of 3 terms, with b, b and c in this order.",
        "Function 3 is a sum of 2 terms, with d and c in this order.",
        "The values of the parameters are whole numbers from 1 to 9, and no two are equal.",
        "The door takes a code of 4 digits: the values of a, b, c and d. "
        "After 4 wrong codes all values change.",
        "You have 15 steps.",
    ]
    told = puzzle_manual(load_game("rulearn/re_r1_06"))
    assert "It is said that C + A gives CA." in told and "rule" not in told


def test_black_paintings_are_told_as_dark():
    told = [painting_text(each) for each in paintings().values() if each.color == "black"]
    assert len(told) == 2 and all("mainly dark" in each for each in told)
