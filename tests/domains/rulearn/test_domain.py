"""Puzzles through the interface of all games: actions, observations, outcomes, what is told."""

from __future__ import annotations

import json

import clingo
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mars_logic.domains import domain_of, games_of, load_game
from mars_logic.domains.chance import Seeded
from mars_logic.domains.playing import play
from mars_logic.domains.protocol import ActionError
from mars_logic.domains.rulearn.episode import FORMS, PuzzleAction

PUZZLES = st.sampled_from(games_of("rulearn/all"))


@example("rulearn/er_r1_01", 51088)  # the twelfth code, wrong
@settings(max_examples=40, deadline=None)
@given(PUZZLES, st.integers(0, 2**40))
def test_a_random_player_plays_within_the_rules(name, seed):
    puzzle = load_game(name)
    domain = domain_of(puzzle)
    untold = domain.untold(puzzle)
    played = play(domain.simulator(puzzle), domain.player("random", puzzle), seed, puzzle.length)
    again = play(domain.simulator(puzzle), domain.player("random", untold), seed, puzzle.length)
    assert played == again
    # An action that ends the puzzle, as the right code or the last code do, is not counted.
    ended_by_action = played.steps < puzzle.length
    assert played.steps == len(played.actions) - ended_by_action <= puzzle.length
    assert ended_by_action or not played.last.completed
    assert sum(played.rewards) == played.score == int(played.last.completed)
    for action in played.actions:
        data = json.loads(json.dumps(domain.action_data(action)))
        assert domain.read_action(data) == action
        assert domain.parse_action(domain.action_text(action)) == action


@settings(max_examples=30, deadline=None)
@given(PUZZLES, st.integers(0, 99))
def test_what_is_seen_holds_nothing_hidden(name, seed):
    puzzle = load_game(name)
    domain = domain_of(puzzle)
    simulator, chance, choices = domain.simulator(puzzle), Seeded(seed), Seeded(seed, "choices")
    simulator.reset(chance)
    assert simulator.observe() == simulator.start
    done = False
    while not done:
        action = domain.random_action(puzzle, simulator.observe(), choices)
        before = simulator.snapshot()
        outcome = simulator.step(action, chance)
        seen, text = simulator.observe(), simulator.text()
        assert "params" not in seen and seen["steps"] == outcome.steps
        after = simulator.snapshot()
        simulator.restore(before)
        assert simulator.snapshot() == before
        simulator.restore(after)
        assert (simulator.observe(), simulator.text()) == (seen, text)
        done = outcome.done


@settings(max_examples=30, deadline=None)
@given(PUZZLES)
def test_what_is_told_is_a_theory_without_the_rule(name):
    puzzle = load_game(name)
    domain = domain_of(puzzle)
    untold = domain.untold(puzzle)
    assert type(untold) is type(puzzle) and untold.uncertain
    for theory in (puzzle, untold):
        control = clingo.Control()
        control.add("base", [], domain.facts(theory))
        control.ground([("base", [])])
    facts = set(domain.facts(puzzle).splitlines())
    if puzzle.domain != "function_operator":  # its open bases are told one by one
        assert set(domain.facts(untold).splitlines()) < facts


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("evaluate function 2 at 1/2", {"do": "evaluate", "function": 2, "input": "1/2"}),
        (" Evaluate 1 at --2 ", {"do": "evaluate", "function": 1, "input": "--2"}),
        ("evaluate 1", {"do": "evaluate", "function": 1, "input": ""}),
        ("enter code a=3 b=1", {"do": "enter_code", "code": "a=3 b=1"}),
        ("enter code", {"do": "enter_code", "code": ""}),
        ("go to Oil Painting Gallery", {"do": "pass", "to": "Oil Painting Gallery"}),
        ("react AB+ C", {"do": "react", "materials": ["AB", "C"]}),
        ("react A + + B", {"do": "react", "materials": ["A", "", "B"]}),
        ("react", {"do": "react", "materials": []}),
        ("submit the target", {"do": "submit"}),
    ],
)
def test_typed_actions(text, data):
    domain = domain_of(load_game("rulearn/re_r1_01"))
    assert domain.parse_action(text) == PuzzleAction.read(data)


@pytest.mark.parametrize("text", ["", "1", "__import__('os')", "reactor A", "evaluate x at 2"])
def test_what_is_no_action(text):
    domain = domain_of(load_game("rulearn/re_r1_01"))
    with pytest.raises(ActionError, match="is no action; allowed: ") as error:
        domain.parse_action(text)
    assert all(form in str(error.value) for form in FORMS.values())


def test_the_manual_numbers_the_actions():
    for name in ("rulearn/fo_r1_20", "rulearn/er_r1_20", "rulearn/re_r1_20"):
        simulator = domain_of(load_game(name)).simulator(load_game(name))
        listed = simulator.manual.partition("Actions:\n")[2].splitlines()
        assert listed == [f"{at}. {form}" for at, form in enumerate(simulator.actions, 1)]


def test_a_solution_is_worth_a_reward():
    puzzle = load_game("rulearn/er_r1_01")
    simulator, chance = domain_of(puzzle).simulator(puzzle), Seeded(0)
    simulator.reset(chance)
    wrong = simulator.step(PuzzleAction("enter_code", code=""), chance)
    assert (wrong.reward, wrong.done, wrong.completed, wrong.steps) == (0, False, False, 1)
    right = simulator.step(PuzzleAction("enter_code", code=puzzle.password("blue")), chance)
    assert (right.reward, right.done, right.completed, right.steps) == (1, True, True, 1)
    assert simulator.score == 1
