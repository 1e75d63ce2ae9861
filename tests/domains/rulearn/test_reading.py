"""Rules of puzzles in free text: what is read, what is left open, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from mars_logic.domains import domain_of, games_of, load_game
from mars_logic.domains.rulearn.language import SentenceError
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.reading import forms, read_rule
from mars_logic.domains.rulearn.space import contradiction
from mars_logic.domains.scoring import score_game

OPERATOR, TWO_TERMS = "rulearn/fo_r1_05", "rulearn/fo_r1_19"
ROOM, REACTOR = "rulearn/er_r1_05", "rulearn/re_r1_05"


def untold(name: str) -> Any:
    game = load_game(name)
    return domain_of(game).untold(game)


def told(name: str, text: str) -> list[str]:
    theory = untold(name)
    return domain_of(theory).rules(read_rule(text, theory))


@pytest.mark.parametrize("family", ["function_operator", "escape_room", "reactor"])
def test_own_sentences_are_read_back(family: str) -> None:
    for name in games_of(f"rulearn/{family}@round=2"):
        game: Any = load_game(name)
        read = read_rule(" ".join(domain_of(game).rules(game)), untold(name))
        assert score_game(read, game, 2).equal, name


def test_the_forms_that_models_are_shown_are_read() -> None:
    for name in (OPERATOR, TWO_TERMS, ROOM, REACTOR):
        for each in forms(untold(name)):
            assert isinstance(read_rule(each, untold(name)), Puzzle)
    two = {"a": "x^2", "b": "x", "c": "1"}
    stated = " plus ".join(f"{letter} times {basis}" for letter, basis in two.items())
    assert told(TWO_TERMS, f"Function 1 is {stated}.")[0] == f"Function 1 is {stated}."


@pytest.mark.parametrize(
    ("text", "function", "value"),
    [
        ("F1(x) = 3*x", "a times x", "3"),
        ("Function 1 is 3x, so a = 3.", "a times x", "3"),
        ("f1 = a*x²", "a times x^2", "[unknown]"),
        ("function 1 = 2/x", "a times 1/x", "2"),
        ("F1(x) = a·|x|", "a times abs(x)", "[unknown]"),
        ("F1(x) = -5x", "a times (-x)", "5"),
        ("Function 1 equals sin x times 3", "a times sin(x)", "3"),
        ("Hypothesis: function 1 is a sin(x); a is 4", "a times sin(x)", "4"),
        ("F1(x) = 3.", "a times 1", "3"),
    ],
)
def test_functions(text: str, function: str, value: str) -> None:
    assert told(OPERATOR, text) == [f"Function 1 is {function}.", f"Parameter a is {value}."]


_HINTED = "whose color is what the hint names"
_MEDIA = "whose medium is {}"


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        (
            "Digit 1 is the number of blue oil paintings. Digit 2: number of acrylic paintings in "
            "the hinted colour; digit 3 counts the watercolours whose colour the note mentions.",
            ("oil and whose color is blue", f"acrylic and {_HINTED}", f"watercolor and {_HINTED}"),
        ),
        (
            "The first digit is the number of oil paintings, the second digit is the number of "
            "acrylics and the third digit is the number of watercolors.",
            ("oil", "acrylic", "watercolor"),
        ),
        (
            "The code is the number of oil, acrylic and watercolor paintings of the color named "
            "by the hint.",
            (f"oil and {_HINTED}", f"acrylic and {_HINTED}", f"watercolor and {_HINTED}"),
        ),
    ],
)
def test_digits(text: str, conditions: tuple[str, ...]) -> None:
    expected = [
        f"Digit {place} is the number of paintings {_MEDIA.format(each)}."
        for place, each in enumerate(conditions, 1)
    ]
    assert told(ROOM, text)[1:] == expected


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("The reactor concatenates the two inputs.", ["Always: {0} followed by {1}."]),
        ("The second material is put in front of the first.", ["Always: {1} followed by {0}."]),
        ("Both materials are joined in reverse order", ["Always: {1} followed by {0}."]),
        (
            "If both have the same length, the second goes into the middle of the first; otherwise "
            "the shorter one is inserted into the middle of the longer one.",
            [
                "If both inputs are equally long: {1} in the middle of the first one.",
                "Otherwise: the shorter input in the middle of the longer one.",
            ],
        ),
    ],
)
def test_programs(text: str, rule: list[str]) -> None:
    inputs = "the first input", "the second input"
    assert told(REACTOR, text) == [each.format(*inputs) for each in rule]


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        (OPERATOR, "It is a straight line.", 'cannot read "it is a straight line"'),
        (OPERATOR, "F1(x) = a*x + b", 'cannot read "b"'),
        (OPERATOR, "F1(x) = a*x + a", "function 1 has 1 terms, and 2 are stated"),
        (OPERATOR, "F7(x) = a*x", "there is no function 7"),
        (OPERATOR, "F1(x) = a*tan(x)", 'cannot read "a*tan(x)"'),
        (OPERATOR, "F1(x) = a*x because it is odd", 'cannot read "a*x because it is odd"'),
        (OPERATOR, "I think function 1 is a sin(x)", 'cannot read "i think function 1'),
        (OPERATOR, "a is 4 or 5", 'cannot read "a is 4 or 5"'),
        (ROOM, "The password is random.", 'cannot read "random"'),
        (ROOM, "Digit 1 is the number of ugly oil paintings.", 'cannot read "ugly oil paintings"'),
        (ROOM, "Digit 9 is the number of oil paintings.", "there is no digit 9"),
        (ROOM, "Digit 1 is the number of blue green paintings.", 'cannot read "green'),
        (REACTOR, "It reverses things.", 'cannot read "reverses things"'),
        (REACTOR, "If the moon is full: the first input.", 'cannot read "moon is full'),
        (REACTOR, "It does not join the two inputs.", 'cannot read "does not join'),
        (REACTOR, "The first input followed by the second input, or the other way", "or the other"),
        (REACTOR, "A + B gives BA, so they are joined in reverse order", 'cannot read "A + B'),
        (REACTOR, "Hm. I do not know. No.", "and 2 more sentences cannot be read"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(name: str, text: str, reason: str) -> None:
    with pytest.raises(SentenceError, match=re.escape(reason)):
        read_rule(text, untold(name))


def test_a_hypothesis_is_contradicted_by_the_first_observation_against_it() -> None:
    game: Any = load_game("rulearn/re_r1_06")
    simulator, chance = domain_of(game).simulator(game), None
    simulator.reset(chance)  # type: ignore[arg-type]
    start, steps = simulator.observe(), []
    for text in ("react A + A", "react C + B"):
        action = domain_of(game).parse_action(text)
        simulator.step(action, chance)  # type: ignore[arg-type]
        steps.append((action, simulator.observe()))
    theory = untold(game.name)
    joined = read_rule("The reactor joins both inputs.", theory)
    assert contradiction(joined, start, steps) == "react C + B gives BC"
    assert contradiction(joined, start, steps[:1]) is None
    assert contradiction(read_rule("Second before first", theory), start, steps) is None


def test_digits_are_not_judged_before_all_rooms_are_seen() -> None:
    game: Any = load_game("rulearn/er_r1_20")
    simulator = domain_of(game).simulator(game)
    simulator.reset(None)  # type: ignore[arg-type]
    start, steps = simulator.observe(), []
    rooms = [room.name for room in game.rooms[1:]]
    wrong = read_rule("Digit 1 is the number of green paintings.", untold(game.name))
    for text in ("enter code 999", *(f"go to {room}" for room in rooms)):
        assert contradiction(wrong, start, steps) is None
        action = domain_of(game).parse_action(text)
        simulator.step(action, None)  # type: ignore[arg-type]
        steps.append((action, simulator.observe()))
    assert contradiction(wrong, start, steps) is None, "999 is wrong, as the hypothesis says"
    action = domain_of(game).parse_action(f"enter code {game.password('blue')[:2]}0")
    simulator.step(action, None)  # type: ignore[arg-type]
    steps.append((action, simulator.observe()))
    assert "digit 1 is right" in (contradiction(wrong, start, steps) or "")
