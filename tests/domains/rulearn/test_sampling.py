"""New puzzles: what is said of each is checked by other means."""

from __future__ import annotations

import itertools
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.domains import domain, games_of, load_game
from mars_logic.domains.chance import Seeded
from mars_logic.domains.rulearn.domain import puzzle_simulator
from mars_logic.domains.rulearn.episode import DrawnChance, PuzzleAction
from mars_logic.domains.rulearn.escape_room.rules import EscapeRoom, paintings
from mars_logic.domains.rulearn.escape_room.terms import wide_terms
from mars_logic.domains.rulearn.function_operator.rules import RELEASED
from mars_logic.domains.rulearn.function_operator.space import OperatorSpace
from mars_logic.domains.rulearn.reactor.rules import RELEASED_PROGRAMS
from mars_logic.domains.rulearn.sampling import PuzzleFolder, PuzzleRequest, draw_puzzle
from mars_logic.domains.rulearn.sampling.materials import MOST_CHANCE, upper_bound
from mars_logic.domains.rulearn.sampling.rooms import attempts, needed_bits, rooms_proof
from mars_logic.errors import InputError

FAMILIES = ("function_operator", "escape_room", "reactor")


def sampled(family, number=0, rules="released", size="released", seed=0):
    request = PuzzleRequest.of(f"rulearn/{family}", rules, size)
    return draw_puzzle(request, seed, number), request.shape(number)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 40),
    st.sampled_from(("released", "new")),
    st.sampled_from(("released", "larger")),
    st.integers(0, 9),
)
def test_functions_are_identified_up_to_two_codes(number, rules, size, seed):
    sample, shape = sampled("function_operator", number, rules, size, seed)
    puzzle = sample.puzzle
    terms = [term for function in puzzle.functions for term in function]
    bases = {term.basis for term in terms}
    found = (len(puzzle.functions), len(puzzle.letters), len(terms), len(bases))
    assert found == tuple(shape.values())
    assert rules == "new" or bases <= set(RELEASED)
    order = dict.fromkeys(term.param for term in terms)
    assert tuple(order) == puzzle.letters == tuple("abcdefgh"[: len(order)])
    simulator = puzzle_simulator(puzzle)
    space = OperatorSpace(simulator.start)
    for each in sample.proof["evaluations"]:
        action = PuzzleAction("evaluate", function=each["function"], input=each["input"])
        simulator.reset()
        space.observe(action, simulator.step(action, DrawnChance(Seeded(0))).shown)
    codes = {"".join(map(str, code)) for code in space.codes()}
    assert codes == set(sample.proof["codes"]) and len(codes) <= 2
    assert "".join(map(str, puzzle.values.values())) in codes


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 40),
    st.sampled_from(("released", "new")),
    st.sampled_from(("released", "larger")),
    st.integers(0, 9),
)
def test_every_gallery_is_needed(number, rules, size, seed):
    sample, shape = sampled("escape_room", number, rules, size, seed)
    puzzle = sample.puzzle
    assert max(sample.proof["bits"]) <= sample.proof["answers"] < 12
    numbers = [each for room in puzzle.rooms for each in room.paintings]
    assert (len(puzzle.rooms), len(numbers), len(puzzle.rule.digits)) == tuple(shape.values())
    assert len(set(numbers)) == len(numbers)
    focus = puzzle.rule.focus_order[0]
    assert sample.proof["password"] == puzzle.password(focus)
    for room in puzzle.rooms if len(puzzle.rooms) > 1 else ():
        others = [each for each in numbers if each not in room.paintings]
        hall = {"name": "Hall", "paintings": others}
        smaller = puzzle.model_copy(
            update={"rooms": type(puzzle).model_validate({"rooms": [hall], "door": "Hall"}).rooms}
        )
        assert sample.proof["without"][room.name] == smaller.password(focus)
        assert smaller.password(focus) != puzzle.password(focus)


def test_bits_of_a_digit():
    """A term that all others of the language agree with takes no bit, a rare one takes many."""
    hall = {"name": "Hall", "paintings": [44]}
    stated = {"focus": "medium", "focus_order": ["oil", "acrylic", "watercolor"]}
    rule = stated | {"digits": [{"count": {}}, {"count": {"medium": "$focus"}}]}
    puzzle = EscapeRoom.model_validate({"rooms": [hall], "door": "Hall", "rule": rule})
    assert attempts(puzzle) == 8  # of nine codes, the last one never opens
    assert attempts(puzzle.model_copy(update={"dialect": "mended"})) == 9
    assert attempts(puzzle.model_copy(update={"length": 5})) == 5
    language = wide_terms("medium")
    seen = [paintings()[44]]
    weights = 2.0**-language.bits
    for term, bits in zip(puzzle.rule.digits, needed_bits(puzzle), strict=True):
        same = [
            weight
            for other, weight in zip(language.terms, weights, strict=True)
            if all(other.value(seen, f) == term.value(seen, f) for f in puzzle.rule.focus_order)
        ]
        assert bits == pytest.approx(math.log2(sum(weights) / sum(same)))
    difficult = {"sum": [{"count": {"color": "green"}}, {"sum": [{"count": {}}, {"count": {}}]}]}
    three = puzzle.model_copy(
        update={
            "rule": EscapeRoom.model_validate(
                {
                    "rooms": [hall],
                    "door": "Hall",
                    "rule": stated
                    | {"digits": [{"sum": [{"sum": [{"count": {}}, {"count": {}}]}, difficult]}]},
                }
            ).rule
        }
    )
    assert needed_bits(three) == [math.inf] and rooms_proof(three) is None


def test_galleries_by_medium_as_in_the_released_rooms():
    sample, _ = sampled("escape_room", 12)
    mediums = [
        {paintings()[each].medium for each in room.paintings} for room in sample.puzzle.rooms
    ]
    assert mediums == [{"oil"}, {"acrylic"}, {"watercolor"}]


@pytest.mark.parametrize("rules", ["released", "new"])
@pytest.mark.parametrize("number", [0, 7, 16])
def test_targets_are_made_but_hardly_by_chance(rules, number):
    sample, shape = sampled("reactor", number, rules)
    puzzle, proof = sample.puzzle, sample.proof
    assert len(puzzle.target) == shape["letters"]
    simulator = puzzle_simulator(puzzle)
    for pair in proof["reactions"]:
        action = PuzzleAction("react", materials=tuple(pair))
        shown = simulator.step(action, DrawnChance(Seeded(0))).shown
        assert shown["error"] is None
    assert {"do": "submit"} in shown["available"]
    assert 2 <= len(proof["reactions"]) <= 10
    assert proof["random_play"]["at_most"] <= MOST_CHANCE
    number = list(RELEASED_PROGRAMS.values()).index(puzzle.rule) + 1 if rules == "released" else 0
    assert number == {"released": 1 + sample_number(sample) // 5 % 4, "new": 0}[rules]


def sample_number(sample):
    return int(sample.puzzle.name.rpartition("_")[2])


def test_random_play_of_the_proof_is_as_rare_in_the_simulator():
    """The same share within chance, with another player, other numbers, and the simulator."""
    sample, _ = sampled("reactor", 0)
    solved = 0
    for seed in range(400):
        simulator, chance = puzzle_simulator(sample.puzzle), Seeded(seed, "test")
        while not simulator.snapshot().done:
            stored = simulator.snapshot().storage
            two = tuple(stored[int(chance.uniform("") * len(stored))] for _ in range(2))
            offers = simulator.step(PuzzleAction("react", materials=two), DrawnChance(chance)).shown
            if {"do": "submit"} in offers.get("available", ()):
                simulator.step(PuzzleAction("submit"), DrawnChance(chance))
        solved += simulator.snapshot().success
    told = sample.proof["random_play"]
    expected = told["solved"] / told["episodes"]
    assert abs(solved / 400 - expected) < 4 * (expected / 400) ** 0.5 + 0.005


def test_the_bound_of_a_chance():
    """With no success in n trials, the bound is that of which (1 - p)^n is 5 %."""
    assert upper_bound(0, 1000) == pytest.approx(1 - 0.05 ** (1 / 1000))
    assert upper_bound(10, 10) == 1
    bounds = [upper_bound(each, 200) for each in (0, 1, 5, 20)]
    assert bounds == sorted(bounds) and all(a < b for a, b in itertools.pairwise(bounds))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_seed_gives_the_same_files(family, tmp_path):
    request = PuzzleRequest.of(f"rulearn/{family}", "new")
    one, other = tmp_path / "one", tmp_path / "other"
    folder = PuzzleFolder(one, request, 3)
    proofs = [folder.add(number) for number in (0, 1)]
    PuzzleFolder(other, request, 3).add(1)
    names = sorted(path.name for path in one.iterdir())
    assert len(names) == 4
    for path in other.iterdir():
        assert path.read_bytes() == (one / path.name).read_bytes()
    assert PuzzleFolder(one, request, 3).add(0) == proofs[0]
    for proof in proofs:
        puzzle = load_game(one / proof.file)
        assert puzzle.digest == proof.digest and puzzle.name == proof.puzzle
        assert isinstance(puzzle, domain(family).kind)
    different = draw_puzzle(request, 4, 0).puzzle
    assert different.digest != proofs[0].digest


def test_nothing_is_overwritten(tmp_path):
    request = PuzzleRequest.of("rulearn/escape_room")
    proof = PuzzleFolder(tmp_path, request, 0).add(0)
    beside = tmp_path / proof.file.replace("yaml", "json")
    other = PuzzleFolder(tmp_path, PuzzleRequest.of("rulearn/escape_room", "new"), 0)
    with pytest.raises(InputError, match="another file than the one to be written here"):
        other.add(0)
    file = tmp_path / proof.file
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("length: 15", "length: 14"), encoding="utf-8")
    with pytest.raises(InputError, match="another file than the one to be written here"):
        PuzzleFolder(tmp_path, request, 0).add(0)
    file.unlink()
    assert PuzzleFolder(tmp_path, request, 0).add(0) == proof
    beside.unlink()
    with pytest.raises(InputError, match=r"yaml:1: file: this is another file"):
        PuzzleFolder(tmp_path, request, 0).add(0)
    beside.write_text("[1]", encoding="utf-8")
    with pytest.raises(InputError, match=r"json:1: file: "):
        PuzzleFolder(tmp_path, request, 0).add(0)
    stated = proof.model_dump(mode="json", by_alias=True)
    beside.write_text(json.dumps(stated | {"proof": {}}), encoding="utf-8")
    with pytest.raises(InputError, match=r"json:1: proof\.words: "):
        PuzzleFolder(tmp_path, request, 0).add(0)
    beside.write_text(json.dumps(stated | {"seed": 1}), encoding="utf-8")
    with pytest.raises(InputError, match=r"json:1: file: this is another file"):
        PuzzleFolder(tmp_path, request, 0).add(0)


def test_released_puzzles_are_not_sampled():
    """Of functions with one term there are 63, and 25 of them are released."""
    released = {
        json.dumps(load_game(name).model_dump(mode="json")["functions"])
        for name in games_of("rulearn/function_operator")
    }
    request = PuzzleRequest.of("rulearn/function_operator", size="functions=1,terms=1")
    samples = [draw_puzzle(request, 0, number) for number in range(60)]
    found = {json.dumps(each.puzzle.model_dump(mode="json")["functions"]) for each in samples}
    assert not found & released and len(found) > 20
    assert any(each.draws > 1 for each in samples)


def test_sizes_by_name():
    request = PuzzleRequest.of("rulearn/function_operator", "new", "functions=4,terms=8,bases=6")
    assert request.shape(0) == {"functions": 4, "parameters": 4, "terms": 8, "bases": 6}
    request = PuzzleRequest.of("rulearn/escape_room", "new", "digits=5,galleries=4")
    assert request.shape(0) == {"galleries": 4, "paintings": 4, "digits": 5}
    assert request.shape(5) == {"galleries": 4, "paintings": 9, "digits": 5}
    request = PuzzleRequest.of("rulearn/reactor", size="letters=7")
    assert request.shape(9) == {"letters": 7, "materials": 6}


@pytest.mark.parametrize(
    ("name", "rules", "size", "told"),
    [
        ("rulearn/reactr", "new", "larger", "did you mean 'rulearn/reactor'"),
        ("reactor", "new", "larger", "'reactor': there is no such family of puzzles"),
        ("rulearn/reactor", "old", "larger", "--rules: unknown rules 'old'; allowed: released, n"),
        ("rulearn/reactor", "new", "huge", "--size: 'huge' is no size; allowed: released, larger"),
        ("rulearn/reactor", "new", "letters=2", "--size: letters=2 is out of range; allowed: a n"),
        ("rulearn/reactor", "new", "letters=5,letters=6", "is no size; allowed: "),
        ("rulearn/escape_room", "new", "paintings=20", "out of range; allowed: a number from 1 to"),
        ("rulearn/escape_room", "released", "digits=4", "digits=4 and galleries=1"),
        (
            "rulearn/escape_room",
            "new",
            "paintings=2,galleries=3",
            "allowed: paintings from 3 to 19",
        ),
        ("rulearn/function_operator", "new", "terms=2,bases=3", "allowed: bases from 1 to 2"),
        ("rulearn/function_operator", "released", "bases=8,terms=9", "bases from 1 to 7"),
        ("rulearn/function_operator", "new", "functions=2,terms=7", "terms from 2 to 6"),
        ("rulearn/function_operator", "new", "parameters=5,functions=2", "parameters from 1 to 3"),
    ],
)
def test_what_is_not_possible_is_told(name, rules, size, told):
    with pytest.raises(InputError) as error:
        PuzzleRequest.of(name, rules, size)
    assert told in str(error.value) and "; allowed: " in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.slow
def test_where_there_is_no_new_puzzle_it_says_so():
    """A room with one painting in each of three galleries, and one digit: none counts them all."""
    request = PuzzleRequest.of("rulearn/escape_room", size="paintings=3,galleries=3,digits=1")
    with pytest.raises(InputError, match="none of 1000 random puzzles with galleries=3, paintings"):
        draw_puzzle(request, 0, 0)
