"""Released puzzles, sets of them, files of one's own, and what is wrong with others."""

from __future__ import annotations

import re
import warnings
from collections import Counter

import pytest

from mars_logic.domains.library import collected_games, games_of
from mars_logic.domains.load import load_game, load_game_theory
from mars_logic.errors import InputError
from mars_logic.world.problems import WorldError
from tests.domains.texts import parse_game_theory

FUNCTIONS = "domain: function_operator\n"
ROOM = "domain: escape_room\ndoor: Hall\n"
REACTOR = "domain: reactor\ntarget: ACB\n"


def test_released_puzzles():
    names = tuple(collected_games())
    assert len(names) == 300
    puzzles = [load_game(name) for name in names]
    assert [each.name for each in puzzles] == list(names)
    assert Counter(each.domain for each in puzzles) == {
        "function_operator": 100,
        "escape_room": 100,
        "reactor": 100,
    }
    assert not any(each.uncertain for each in puzzles)


def test_some_of_them():
    assert load_game("rulearn/fo_r5_20").values == {"a": 7, "b": 6, "c": 8, "d": 1}
    room = load_game("rulearn/er_r5_20")
    assert [room.password(color) for color in room.rule.focus_order] == ["313", "110", "110", "110"]
    slip = load_game("rulearn/er_r1_05")
    assert slip.password("blue") == "014"
    assert slip.model_copy(update={"dialect": "mended"}).password("blue") == "113"
    assert load_game("rulearn/re_r1_02").raw == ("A", "B", "C", "D")


def test_sets():
    assert games_of("rulearn/all") == tuple(collected_games())
    assert len(games_of("rulearn/reactor")) == 100
    assert len(games_of("rulearn/all@round=2")) == 60
    rooms = games_of("rulearn/escape_room@round=3")
    assert rooms == tuple(f"rulearn/er_r3_{at:02}" for at in range(1, 21))
    assert games_of("rulearn/fo_r1_20") == ("rulearn/fo_r1_20",)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("rulearn/reactors", "did you mean 'rulearn/reactor'?; allowed: rulearn/function_operator"),
        ("rulearn/fo_r1_00", "there is no such game, did you mean 'rulearn/fo_r1_"),
        ("rulearn/reactor", "this is a set of games; allowed: the name of one of them"),
        ("rulearn/fo_r1_20@round=1", "there is no variant by 'round'; allowed: dialect"),
        ("rulearn/fo_r1_20@hints=none", "there is no variant by 'hints'; allowed: dialect"),
        (
            "rulearn/re_r1_20@hints=nothing",
            "hints: there is no 'nothing'; allowed: told, mended, schematic, none",
        ),
    ],
)
def test_games_that_do_not_exist(name, told):
    with pytest.raises(InputError, match=re.escape(told)) as error:
        load_game(name)
    assert name.partition("@")[0] in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("rulearn/all@round=6", "round: there is no round '6'; allowed: 1, 2, 3, 4, 5"),
        ("rulearn/escape_room@hints=none", "there is no variant by 'hints'; allowed: dialect"),
        ("rulearn/all@dialect=new", "dialect: there is no 'new'; allowed: faithful, mended"),
    ],
)
def test_sets_that_do_not_exist(name, told):
    with pytest.raises(InputError, match=re.escape(told)):
        games_of(name)


def test_variants():
    assert load_game("rulearn/re_r1_06@hints=none").told == ()
    mended = load_game("rulearn/er_r1_05@dialect=mended")
    assert mended.password("blue") == "113" and mended.name == "rulearn/er_r1_05@dialect=mended"
    names = games_of("rulearn/all@round=1@hints=none@dialect=mended")
    assert len(names) == 60
    assert names[0] == "rulearn/fo_r1_01@dialect=mended"
    assert names[-1] == "rulearn/re_r1_20@hints=none@dialect=mended"
    assert load_game(names[-1]).dialect == "mended" and load_game(names[-1]).hints == "none"


@pytest.mark.parametrize("name", ["rulearn/fo_r5_19", "rulearn/er_r1_05", "rulearn/re_r2_17"])
def test_a_puzzle_as_a_file_is_read_back(name, tmp_path):
    puzzle = load_game(name)
    path = tmp_path / "own.yaml"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        path.write_text(puzzle.to_yaml(), encoding="utf-8")
    found = load_game(path)
    assert found == puzzle and found.digest == puzzle.digest


def test_theories():
    text = FUNCTIONS + 'functions: [[{param: a, coef: unknown, basis: {one_of: [{value: "1"}, '
    theory = parse_game_theory(text + "{value: x}]}}]]\n", "x.yaml")
    assert theory.uncertain == ("functions[0][0].coef", "functions[0][0].basis")
    assert parse_game_theory(theory.to_yaml(), "x.yaml") == theory
    text = ROOM + "rooms: [{name: Hall, paintings: [44]}]\nrule: {focus: color, focus_order: "
    theory = parse_game_theory(
        text + "[blue], digits: [unknown, {count: {medium: oil, color: {not: $focus}}}]}", "x.yaml"
    )
    assert theory.uncertain == ("rule.digits[0]",)
    assert parse_game_theory(theory.to_yaml(), "x.yaml") == theory
    text = REACTOR + "rule: {one_of: [{value: 1}, {value: [{products: [{join: [{of: longer, from: "
    theory = parse_game_theory(text + "1}], then: [reverse]}]}]}]}\n", "x.yaml")
    assert theory.uncertain == ("rule",)
    assert parse_game_theory(theory.to_yaml(), "x.yaml") == theory


def test_an_open_puzzle_is_not_played(tmp_path):
    path = tmp_path / "open.yaml"
    path.write_text(REACTOR + "rule: unknown\n", encoding="utf-8")
    assert load_game_theory(path).uncertain == ("rule",)
    with pytest.raises(WorldError, match="3: rule: a game must be fully known"):
        load_game(path)


CASE = "{products: [{join: [{of: first}]}]}"
WRONG = [
    ("domain: chess\n", "1: domain: unknown domain 'chess'; allowed: bandits, "),
    (FUNCTIONS, "1: functions: this field is missing; allowed: the fields domain, name, title,"),
    (
        FUNCTIONS + "functions:\n  - - {param: a, coef: 3, basis: x^4}\n",
        "3: functions[0][0].basis: unknown basis 'x^4', did you mean 'x^",
    ),
    (
        FUNCTIONS + "functions:\n  - - {param: a, basis: x}\n",
        "3: functions[0][0].coef: this field is missing; allowed: the fields param, coef, basis",
    ),
    (
        FUNCTIONS + "functions:\n  - - {param: a, coef: 3, basis: x, power: 2}\n",
        "functions[0][0].power: unknown field 'power'; allowed: param, coef, basis",
    ),
    (
        FUNCTIONS + "functions: [[{param: a, coef: 3, basis: x}], [{param: a, coef: 4, basis: x}]]",
        "2: functions: parameter a has two values, 3 and 4",
    ),
    (
        FUNCTIONS + "functions: [[{param: a, coef: 3, basis: x}, {param: b, coef: 3, basis: x}]]",
        "2: functions: the parameters a and b both have the value 3; allowed: distinct values",
    ),
    (
        FUNCTIONS + "functions: [[{param: a, coef: 0, basis: x}]]",
        "2: functions: parameter a has the value 0; allowed: the values of param_range, 1 to 9",
    ),
    (FUNCTIONS + "functions: [[{param: ab, coef: 1, basis: x}]]", "'ab' is not a parameter"),
    (FUNCTIONS + "functions: [[]]", "2: functions[0]: a list is not a list with anything in it"),
    ("domain: escape_room\nrooms: []\ndoor: Hall\n", "2: rooms: a list is not a list of rooms"),
    ("domain: escape_room\nrooms: [{name: Hall, paintings: [44]}]\n", "1: door: this field is mi"),
    (
        ROOM + "rooms: [{name: Hall, paintings: [43]}]\n",
        "3: rooms[0].paintings: there is no painting 43; allowed: 44 to 62",
    ),
    (
        ROOM + "rooms: [{name: Attic, paintings: [44]}]\n",
        "2: door: the room 'Hall' is not the one where the player begins; allowed: Attic",
    ),
    (
        ROOM + "rooms: [{name: Hall, paintings: [44]}]\nrule: {focus: color, focus_order: [blue], "
        "digits: [{count: {size: big}}]}\n",
        "4: rule.digits[0].count: unknown attribute 'size'; allowed: medium, color",
    ),
    (
        ROOM + "rooms: [{name: Hall, paintings: [44]}]\nrule: {focus: color, focus_order: [blue], "
        "digits: [{count: {color: red}}]}\n",
        "4: rule.digits[0].count: unknown color 'red'; allowed: $focus, blue, yellow",
    ),
    (
        ROOM + "rooms: [{name: Hall, paintings: [44]}]\nrule: {focus: color, focus_order: [oil], "
        "digits: [{count: {color: blue}}]}\n",
        "4: rule.focus_order: unknown color 'oil'; allowed: blue, yellow, black, green",
    ),
    (REACTOR + "rule: 5\n", "3: rule: there is no rule 5; allowed: 1, 2, 3, 4, a list of cases"),
    (REACTOR, "1: rule: this field is missing"),
    (
        REACTOR + "rule: [{if: [one_letter], products: [{join: [{of: first}]}]}]\n",
        "3: rule: the last case has an 'if'",
    ),
    (
        REACTOR + f"rule: [{CASE}, {CASE}]\n",
        "3: rule: case 1 has no 'if', so those after it never hold",
    ),
    (
        REACTOR
        + f"rule:\n  - {{if: [odd_total], products: [{{join: [{{of: first}}]}}]}}\n  - {CASE}",
        "4: rule[0].if: unknown condition 'odd_total', did you mean 'even_total'?",
    ),
    (
        REACTOR + "rule: [{products: [{join: [{of: third}]}]}]\n",
        "3: rule[0].products[0].join[0].of: unknown input 'third'; allowed: first, second, longer",
    ),
    (REACTOR + "rule: 1\nhints: true\n", "4: hints: unknown kind of hints true; allowed: told, me"),
    (
        REACTOR + "rule: 1\nhints: [{inputs: [A], products: [B]}]\n",
        "4: hints[0].inputs: a list is of no use here; allowed: a list of two materials",
    ),
    (
        REACTOR + "rule: 1\nhints: [{inputs: [A, B], products: [ab]}]\n",
        "4: hints[0].products[0]: 'ab' is not a material; allowed: letters from A to Z",
    ),
    (
        REACTOR + "rule: 1\nmaterials: [A, B]\n",
        "4: materials: no material has the letter C of the target",
    ),
    (
        REACTOR + "rule: 1\ndialect: repaired\n",
        "4: dialect: unknown dialect 'repaired'; allowed: f",
    ),
]


@pytest.mark.parametrize(("text", "told"), WRONG)
def test_what_is_wrong_is_told_in_one_line(text, told):
    with pytest.raises(WorldError) as error:
        parse_game_theory(text, "own.yaml")
    message = str(error.value)
    assert told in message and "\n" not in message and message.startswith("own.yaml:")
    assert "; allowed: " in message
