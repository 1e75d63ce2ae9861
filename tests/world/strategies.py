"""Hypothesis strategies for rules and worlds: anything that validation would let through."""

from typing import Any

from hypothesis import strategies as st

from mars_logic.world import names
from mars_logic.world.rules import (
    FAMILIES,
    Collect,
    Creature,
    Drink,
    Make,
    Neighbour,
    Place,
    Rename,
    Rule,
    Walk,
)
from mars_logic.world.theory import World

FACTORS = st.integers(-9, 9)
PROBABILITIES = st.one_of(st.sampled_from([0.0, 0.1, 0.5, 1.0]), st.floats(0, 1))
NATURAL = st.sampled_from(names.NATURAL)
MATERIALS = st.lists(st.sampled_from(names.MATERIALS[1:]), unique=True, max_size=5)
AMOUNTS = st.dictionaries(st.sampled_from(names.HOLDABLE), st.integers(1, 9), max_size=4)


@st.composite
def yields(draw: st.DrawFn) -> dict[str, Any]:
    """Certain yields and chances in any order; the chances sum to 1 at most."""
    left = 1.0
    given: dict[str, Any] = {}
    for item in draw(st.lists(st.sampled_from(names.GAINS), unique=True, max_size=5)):
        amount = draw(st.integers(1, 9))
        chance = draw(st.none() | st.just(left / 2) | st.floats(0, left))
        left -= chance or 0
        given[item] = {"amount": amount, "probability": chance}
    return given


def _spawns() -> st.SearchStrategy[dict[str, float]]:
    return st.dictionaries(st.sampled_from(names.CREATURES), PROBABILITIES, max_size=1)


def _fields(kind: type[Rule], subject: str) -> st.SearchStrategy[dict[str, Any]]:
    """Any fields that a rule of this family and subject may have."""
    if kind is Neighbour:
        none = st.nothing() if subject in ("player", "water", "tree") else st.none()
        return st.fixed_dictionaries({"material": none | NATURAL})
    fields: dict[type[Rule], dict[str, st.SearchStrategy[Any]]] = {
        Rename: {"material": NATURAL},
        Walk: {"walkable": st.booleans(), "health": FACTORS, "deadly": st.booleans()},
        Creature: {
            name: FACTORS if name.endswith("_factor") else st.booleans()
            for name in Creature.model_fields
            if name != "subject"
        },
        Drink: {"drink": FACTORS, "food": FACTORS, "health": FACTORS},
        Collect: {
            "collectable": st.booleans(),
            "requires": AMOUNTS,
            "yields": yields(),
            "leaves": NATURAL,
            "spawns": _spawns(),
        },
        Place: {"uses": AMOUNTS, "where": MATERIALS},
        Make: {"uses": AMOUNTS, "nearby": MATERIALS, "gives": st.integers(1, 9)},
    }
    return st.fixed_dictionaries(fields[kind])


def rules_of(kind: type[Rule], subject: str) -> st.SearchStrategy[Rule]:
    """Any valid rule of a family and subject."""
    return _fields(kind, subject).map(lambda fields: kind(subject=subject, **fields))


def rules(*kinds: type[Rule]) -> st.SearchStrategy[Rule]:
    """Any valid rule of some families, or of all."""
    return st.one_of(
        rules_of(kind, subject) for kind in kinds or FAMILIES for subject in kind.subjects
    )


@st.composite
def worlds(draw: st.DrawFn, dynamics: str = "mars") -> World:
    """Any valid world of a dialect: a rule for each subject of each family."""
    subjects = [(kind, subject) for kind in FAMILIES for subject in kind.subjects]
    drawn = [draw(rules_of(kind, subject)) for kind, subject in subjects]
    return World.from_rules(dynamics, drawn, name="any")
