"""The numbers of the games stand in one place: proofs state the same, nothing else states them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import clingo
import pytest

from mars_logic.resources import folder
from mars_logic.world import dialect, names
from mars_logic.world.dialect import (
    ACTIVE_DISTANCE,
    APPROACH_DISTANCE,
    ARROW_POINTS,
    ATTACK_DISTANCE,
    ATTACK_PAUSE,
    ATTACK_POINTS,
    DECLINE_ASLEEP,
    DECLINE_AWAKE,
    EATEN_POINTS,
    FATIGUE,
    HEALTH_AT_FIRST,
    HUNGER,
    RECOVERY,
    RETREAT_DISTANCE,
    SHOT_DISTANCE,
    SHOT_PAUSE,
    SWORD_DAMAGE,
    THIRST,
)
from mars_logic.world.vocabulary import dialects, vocabulary
from tests.paths import REPOSITORY

NEEDS = {"hunger": HUNGER, "thirst": THIRST, "fatigue": FATIGUE, "recover": RECOVERY}
COMPARED = (
    *("rate", "above", "below", "strength", "eaten_points", "attack_points", "arrow_points"),
    *("ripe_age", "begins", "within", "pause", "retreats", "stills"),
)


def stated(dynamics: str) -> set[str]:
    """What the encoding states of the predicates that are compared."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], f"dynamics({dynamics}).")
    control.load(str(folder("encodings") / "constants.lp"))
    control.ground([("base", [])])
    return {str(each.symbol) for each in control.symbolic_atoms if each.symbol.name in COMPARED}


def described(dynamics: str) -> Iterator[str]:
    """The same of the description."""
    own = vocabulary(dynamics)
    rates = {name: (need.awake, need.asleep) for name, need in NEEDS.items()}
    for name, (awake, asleep) in (rates | {"decline": (DECLINE_AWAKE, DECLINE_ASLEEP)}).items():
        yield f"rate({name},awake,{2 * awake:.0f})"
        yield f"rate({name},asleep,{2 * asleep:.0f})"
    for name, need in NEEDS.items():
        yield f"above({name},{2 * need.above.value},{need.vital},{need.above.change})"
        if need.below:
            yield f"below({name},{2 * need.below.value},{need.vital},{need.below.change})"
    yield from (f"stills(hunger,kill({being}))" for being in own.stilling_hunger)
    yield from (f"stills(thirst,use({material}))" for material in own.stilling_thirst)
    yield from (f"strength({sword},{damage})" for sword, damage in SWORD_DAMAGE.items())
    for being in names.BEINGS:
        group = "plant" if being == "plant" else "creature"
        for vital, points in EATEN_POINTS[group].items():
            yield f"eaten_points({being},{vital},{points})"
        for state, points in ATTACK_POINTS[group].items():
            yield f"attack_points({being},{state},{points})"
        pause = 0 if being == "zombie" else own.attack_pause_at_first
        yield f"begins({being},health,{HEALTH_AT_FIRST[being]})"
        yield f"begins({being},cooldown,{pause})"
        yield f"begins({being},reload,0)"
    yield "begins(plant,age,0)"
    yield "begins(arrow,health,0)"
    yield f"arrow_points({ARROW_POINTS})"
    yield f"ripe_age({own.ripe_age})"
    for deed, distance in (
        ("act", ACTIVE_DISTANCE),
        ("retreat", RETREAT_DISTANCE),
        ("shoot", SHOT_DISTANCE),
        ("approach", APPROACH_DISTANCE),
        ("attack", ATTACK_DISTANCE),
    ):
        yield f"within({deed},{distance})"
    yield f"pause(attack,{ATTACK_PAUSE})"
    yield f"pause(shoot,{SHOT_PAUSE})"
    yield from (f"retreats({being})" for being in own.retreating)


@pytest.mark.parametrize("dynamics", names.DYNAMICS)
def test_the_encoding_states_what_the_description_says(dynamics: str) -> None:
    assert stated(dynamics) == set(described(dynamics))


def test_needs_and_lengths_are_those_of_the_dialects() -> None:
    """Numbers that kernels know as constants stand in the files of dialects as well."""
    for name, need in vocabulary("crafter").need.items():
        (own,) = (each for each in NEEDS.values() if each.vital == name)
        assert (own.lasts, own.asleep) == (need["every"], need["asleep"])
        assert need["loss"] == -(own.below or own.above if name == "health" else own.above).change
    assert max(vocabulary(name).length for name in dialects()) == dialect.LONGEST_EPISODE


# --- No other copies ------------------------------------------------------------------------------

_COUNTERS = {"hunger", "thirst", "fatigue", "recover", "recovery"}
_TELLING = {
    **dict.fromkeys(("MOST", "MAXIMUM", "FULL"), dialect.MAXIMUM),
    **dict.fromkeys(("DAY", "PERIOD"), dialect.DAY),
    **dict.fromkeys(("BALANCE_PERIOD", "PERIOD"), dialect.BALANCE_PERIOD),
    "AREA": dialect.AREA,
    "CHUNK": dialect.CHUNK,
}
"""Names under which such numbers stood once, and the numbers."""
_SOURCES = [
    path
    for folder in ("mars_logic", "agents")
    for path in sorted((REPOSITORY / folder).rglob("*.py"))
    if path != Path(dialect.__file__)
]


def copies(source: str) -> Iterator[str]:
    """Places where source text states a number that the description has."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare(left=ast.Attribute(attr=name), comparators=[right]):
                if name in _COUNTERS and _is_number(right):
                    yield f"{node.lineno}: a limit of {name}"
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=number))
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=number))
            ):
                if number is not None and _TELLING.get(name.strip("_")) == number:
                    yield f"{node.lineno}: {name}"
            case ast.Dict(keys=keys, values=values):
                told = {k.value for k in keys if isinstance(k, ast.Constant)}
                numbers = all(map(_is_number, values))
                of_the_game = (set(SWORD_DAMAGE), set(names.CREATURES), set(names.DYNAMICS))
                if numbers and any(each <= told for each in of_the_game):
                    yield f"{node.lineno}: numbers for {sorted(told)}"
            case ast.Tuple(elts=[ast.Constant(value=str(sword)), number]):
                if sword in SWORD_DAMAGE and _is_number(number):
                    yield f"{node.lineno}: the damage of {sword}"


def _is_number(node: ast.expr | None) -> bool:
    match node:
        case ast.UnaryOp(operand=inner):
            return _is_number(inner)
        case ast.Constant(value=value):
            return isinstance(value, int | float) and not isinstance(value, bool)
    return False


def test_no_other_module_states_such_a_number() -> None:
    found = {
        str(path.relative_to(REPOSITORY)): [*copies(path.read_text(encoding="utf-8"))]
        for path in _SOURCES
    }
    assert {name: places for name, places in found.items() if places} == {}


@pytest.mark.parametrize(
    "copy",
    [
        "if player.hunger > 25: pass",
        "_RIPE_AGE = {'crafter': 300, 'mars': 30}",
        "MOST: Final = 9",
        "SWORDS = (('iron_sword', 5), ('wood_sword', 2))",
        "HEALTH = {'cow': 3, 'zombie': 5, 'skeleton': 3}",
    ],
)
def test_a_copy_would_be_found(copy: str) -> None:
    assert [*copies(copy)]
