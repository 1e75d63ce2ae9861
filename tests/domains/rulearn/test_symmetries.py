"""What is renamed or put in another order permutes results, and changes nothing else."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.domains import games_of, load_game
from mars_logic.domains.chance import Seeded
from mars_logic.domains.rulearn.domain import puzzle_simulator
from mars_logic.domains.rulearn.episode import DrawnChance, PuzzleAction
from mars_logic.domains.rulearn.escape_room.space import EscapeSpace
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator
from mars_logic.domains.rulearn.function_operator.space import OperatorSpace
from mars_logic.domains.rulearn.reactor.planner import plan_reactions
from mars_logic.domains.rulearn.reactor.rules import OPERATIONS, Reactor, products
from tests.domains.rulearn.strategies import programs

few = settings(max_examples=25, deadline=None)
ONE_ROOM = [each for each in games_of("rulearn/escape_room") if int(each[-2:]) <= 10]
SHARED = [each for each in games_of("rulearn/function_operator") if 6 <= int(each[-2:]) <= 18]


def chance():
    return DrawnChance(Seeded(0))


def shuffled(items, order):
    return type(items)(items[each] for each in order)


def text(items):
    return "".join(map(str, items))


def as_text(codes):
    """Codes with their probabilities, as texts of digits."""
    return {text(code): weight for code, weight in codes.items()}


@pytest.mark.slow
@few
@given(
    st.sampled_from(ONE_ROOM),
    st.permutations(range(3)),
    st.lists(st.from_regex("[0-3]{3}", fullmatch=True), max_size=4),
)
def test_an_order_of_digits_permutes_codes(name, order, codes):
    puzzle = load_game(name)
    rule = puzzle.rule.model_copy(update={"digits": shuffled(puzzle.rule.digits, order)})
    other = puzzle.model_copy(update={"rule": rule})
    simulators = [puzzle_simulator(each) for each in (puzzle, other)]
    spaces = [EscapeSpace(each.start) for each in simulators]
    for focus in puzzle.rule.focus_order:
        assert other.password(focus) == text(shuffled(tuple(puzzle.password(focus)), order))
    for code in codes:
        actions = [
            PuzzleAction("enter_code", code=each)
            for each in (code, text(shuffled(tuple(code), order)))
        ]
        predicted = [space.predict(action) for space, action in zip(spaces, actions, strict=True)]
        moved = {shuffled(right, order): weight for right, weight in predicted[0].items()}
        assert predicted[1] == pytest.approx(moved, abs=1e-9)
        outcomes = [s.step(a, chance()) for s, a in zip(simulators, actions, strict=True)]
        assert [each.steps for each in outcomes] == [outcomes[0].steps] * 2
        assert outcomes[0].done == outcomes[1].done
        if outcomes[0].done:
            return
        shown = [each.shown for each in outcomes]
        assert shown[1]["digits"] == shuffled(shown[0]["digits"], order)
        for space, action, seen in zip(spaces, actions, shown, strict=True):
            space.observe(action, seen)
        assert spaces[0].count == spaces[1].count


@few
@given(
    st.sampled_from(SHARED),
    st.randoms(use_true_random=False),
    st.lists(st.sampled_from(("2.3", "-0.7")), max_size=3),
)
def test_names_of_parameters_permute_codes(name, random, inputs):
    puzzle = load_game(name)
    letters = puzzle.letters
    order = list(range(len(letters)))
    random.shuffle(order)
    new = {letters[old]: letters[at] for at, old in enumerate(order)}
    functions = [
        [term.model_copy(update={"param": new[term.param]}) for term in each]
        for each in puzzle.functions
    ]
    other = FunctionOperator.model_validate(dict(puzzle) | {"functions": functions})
    assert tuple(other.values.values()) == shuffled(tuple(puzzle.values.values()), order)
    simulators = [puzzle_simulator(each) for each in (puzzle, other)]
    spaces = [OperatorSpace(each.start) for each in simulators]
    for at, x in enumerate(inputs):
        action = PuzzleAction("evaluate", function=1 + at % len(functions), input=x)
        predicted = [space.predict(action) for space in spaces]
        assert sorted(predicted[0].values()) == pytest.approx(sorted(predicted[1].values()))
        shown = [each.step(action, chance()).shown for each in simulators]
        assert shown[0] == shown[1]
        for space, seen in zip(spaces, shown, strict=True):
            space.observe(action, seen)
        assert spaces[0].count == spaces[1].count
    moved = {text(shuffled(tuple(c), order)): w for c, w in spaces[0].codes().items()}
    assert as_text(spaces[1].codes()) == pytest.approx(moved)


UNSORTED = tuple(each for each in OPERATIONS if each != "sort")
materials = st.text("ABCD", min_size=1, max_size=6)


def sorts(program):
    return any(
        "sort" in template.get("then", ()) for case in program for template in case["products"]
    )


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(
    programs(open_fields=False).filter(lambda each: not sorts(each)),
    materials,
    materials,
    st.permutations("ABCD"),
)
def test_names_of_materials_permute_products(stated, u, v, names):
    """The operation that sorts letters is the only one that tells them apart."""
    rule = Reactor.model_validate({"target": "A", "rule": stated}).rule
    new = str.maketrans("ABCD", "".join(names))
    made = tuple(each.translate(new) for each in products(rule, u, v))
    assert products(rule, u.translate(new), v.translate(new)) == made


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 3), st.text("ABC", min_size=3, max_size=5), st.permutations("ABC"))
def test_names_of_materials_leave_the_number_of_reactions(rule, target, names):
    new = str.maketrans("ABC", "".join(names))
    found = []
    for each in (target, target.translate(new)):
        puzzle = Reactor.model_validate({"target": each, "materials": list("ABC"), "rule": rule})
        plan = plan_reactions(puzzle.rule, puzzle.target, puzzle.raw)
        found.append((len(plan.reactions), plan.minimal))
    assert found[0] == found[1]


SPACES = {
    "function_operator": lambda simulator: OperatorSpace(simulator.start),
    "escape_room": lambda simulator: EscapeSpace(simulator.start),
}


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from([*games_of("rulearn/function_operator"), *games_of("rulearn/escape_room")]),
    st.randoms(use_true_random=False),
)
def test_the_truth_stays_and_is_predicted(name, random):
    """Whatever is done, what the simulator does has been possible, and the true code stays so."""
    puzzle = load_game(name)
    simulator = puzzle_simulator(puzzle)
    space = SPACES[puzzle.domain](simulator)
    while not simulator.snapshot().done:
        action = _random_action(simulator, space, random)
        predicted = space.predict(action) if action.do != "pass" else None
        outcome = simulator.step(action, chance())
        if outcome.done:
            return
        if predicted is not None and _predicts(simulator):
            assert any(_same(each, _told(outcome.shown)) for each in predicted)
        if action.do != "brute_force":
            space.observe(action, outcome.shown)
        code = _code(puzzle, simulator)
        if _predicts(simulator):
            assert space.count > 0 and as_text(space.codes())[code] > 0


def _random_action(simulator, space, random):
    offers = [each for each in simulator.available() if each["do"] != "brute_force"]
    offer = random.choice(offers)
    if offer["do"] == "evaluate":
        return PuzzleAction(
            "evaluate", function=offer["function"], input=random.choice(("2.3", "-0.7", "0"))
        )
    if offer["do"] == "enter_code":
        size = len(next(iter(space.codes())))
        return PuzzleAction("enter_code", code=text(random.randint(0, 9) for _ in range(size)))
    return PuzzleAction.read(offer)


def _predicts(simulator):
    """Whether all that codes depend on has been seen."""
    rooms = getattr(simulator.game, "rooms", ())
    return not rooms or len(simulator.snapshot().passed) == len(rooms) - 1


def _code(puzzle, simulator):
    state = simulator.snapshot()
    if puzzle.domain == "escape_room":
        return puzzle.password(puzzle.rule.focus_order[state.focus])
    return text(state.values)


def _told(shown):
    if "digits" in shown:
        return tuple(shown["digits"])
    return shown["error"] if shown["value"] is None else shown["value"]


def _same(one, other):
    if isinstance(one, float) and isinstance(other, float | int):
        return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)
    return one == other
