"""Hypothesis strategies for vocabularies with added names, and rules about these names."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from mars_logic.world.added_creatures import LOOKS as CREATURE_LOOKS
from mars_logic.world.added_things import AddedCreature, AddedMaterial, AddedProjectile, Coming
from mars_logic.world.adds import LOOKS, Adds, vocabulary_with
from mars_logic.world.cell_rules import TIMES
from mars_logic.world.creature_rules import DEEDS
from mars_logic.world.families import families_of
from mars_logic.world.rules import Rule
from mars_logic.world.vocabulary import (
    CELL_FAMILIES,
    CREATURE_FAMILIES,
    PROJECTILE_FAMILIES,
    Vocabulary,
    vocabulary,
)
from tests.world.strategies import rules

PLAIN = ("copper", "kiln", "torch", "berry", "knife", "compass", "bricks", "brick", "stone_brick")
"""Names of which players would think."""
NASTY = (
    *("nothing", "needs", "leaves", "nearby", "uses", "a", "the", "and", "or", "never", "you"),
    *("pushing", "turns", "beside", "by_itself", "by_night", "steps", "near", "into", "after"),
    *("one", "wooden", "chance", "player", "it", "would", "of", "hit", "eating", "copper_2"),
    *("wood_leaves", "needs_nothing", "leaves_path", "sand_path", "the_sword", "table_nearby"),
    *("berries", "pickaxe", "saplings", "sapling", "wood_pickaxe", "sand", "tree", "wood", "bed"),
    *("bed_of_the_king", "bed_of_king", "iron_ore", "stone_block", "trees", "works_on", "in_order"),
    *("with_a_10", "give", "cost", "does_not", "is_not", "everything", "never_mind", "s", "x5x"),
)
"""Names that are words of the grammar, borders of its pieces, and other names."""
WORDS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=6)
NAMES = st.one_of(
    st.sampled_from(PLAIN),
    st.sampled_from(NASTY),
    st.lists(WORDS, min_size=1, max_size=3).map("_".join),
    st.lists(st.sampled_from([*PLAIN, *NASTY]), min_size=2, max_size=3).map("_".join),
).filter(lambda name: len(name) <= 32)


@st.composite
def vocabularies(draw: st.DrawFn, dynamics: str = "mars") -> Vocabulary:
    """A vocabulary with up to four added materials and up to five added items."""
    words = vocabulary(dynamics)
    shared = {*words.objects, *words.vitals, *words.marks, "unknown", "ripe_plant", "arrow"}
    some = draw(st.lists(NAMES, unique=True, max_size=4))
    materials = [name for name in some if name not in {*shared, *words.materials}]
    others = draw(st.lists(NAMES, unique=True, max_size=4))
    both = dict.fromkeys((*others, *draw(st.sets(st.sampled_from(some or ["pie"]), max_size=1))))
    items = [name for name in both if name not in {*shared, *words.items}] or ["pie"]
    looks = st.sampled_from(LOOKS)
    any_materials = st.lists(
        st.sampled_from([*words.placed_on, *materials]), unique=True, max_size=4
    )
    living = [] if vocabulary(dynamics).fixed else draw(st.lists(NAMES, unique=True, max_size=5))
    taken = {*shared, *words.materials, *words.items, *materials, *items}
    living = [name for name in living if name not in taken]
    creatures, needs, shots = living[::3], living[1::3], living[2::3]
    some_beings = st.just([])
    if living:
        some_beings = st.lists(st.sampled_from([*words.creatures, *creatures]), unique=True)
    return vocabulary_with(
        dynamics,
        Adds(
            tuple(AddedMaterial(name, draw(looks), "#808080") for name in materials),
            tuple(items),
            tuple(name for name in materials if draw(st.booleans())),
            tuple(name for name in items if draw(st.booleans())),
            tuple(name for name in items if draw(st.booleans())),
            *(tuple(draw(any_materials)) for _ in CELL_FAMILIES),
            creatures=tuple(draw(creatures_named(name, words.placed_on)) for name in creatures),
            behaving=tuple(draw(some_beings)),
            hunted=tuple(draw(some_beings)),
            needs=tuple(needs),
            projectiles=tuple(AddedProjectile(name, "#808080") for name in shots),
            flying=tuple(shots),
            shot=tuple(name for name in shots if draw(st.booleans())),
        ),
    )


@st.composite
def creatures_named(draw: st.DrawFn, name: str, materials: tuple[str, ...]) -> AddedCreature:
    """Any added creature of a name."""
    ground = draw(st.lists(st.sampled_from(materials), unique=True, min_size=1, max_size=3))
    numbers = st.floats(0, 9, width=16)
    coming = st.builds(
        Coming,
        st.sampled_from(materials),
        st.integers(1, 144),
        numbers,
        numbers,
        st.none() | st.integers(0, 9),
        st.sampled_from([0.0, 0.25, 1.0]),
        st.integers(0, 17),
    )
    looks = draw(st.sampled_from(CREATURE_LOOKS))
    health, comes = draw(st.integers(1, 30)), draw(st.none() | coming)
    return AddedCreature(name, looks, "#6b7280", health, tuple(ground), comes)


def any_cases(
    items: st.SearchStrategy[str], projectiles: st.SearchStrategy[str]
) -> st.SearchStrategy[Any]:
    """Any cases of a behaviour, without grazing."""
    near = st.none() | st.integers(1, 17)
    chances = st.sampled_from([0.0, 0.25, 1.0])
    case = st.fixed_dictionaries(
        {"act": st.sampled_from([deed for deed in DEEDS if deed != "graze"])},
        optional={
            "when": st.sampled_from(TIMES),
            "within": near,
            "beyond": near,
            "health": st.none() | st.integers(1, 30),
            "held": st.none() | items,
            "chance": chances,
            "straight": chances,
        },
    )
    shot = st.fixed_dictionaries({"act": st.just("shoot"), "projectile": projectiles})
    case |= shot
    return st.lists(case, min_size=1, max_size=4)


@st.composite
def rules_with(draw: st.DrawFn, words: Vocabulary) -> Rule:
    """Any valid rule of a vocabulary, of its added names as of the others."""
    kinds = {kind.family: kind for kind in families_of(words)}
    mine = ("eat", "need", *CELL_FAMILIES, *CREATURE_FAMILIES, *PROJECTILE_FAMILIES)
    own = (family for family in mine if words.subjects.get(family))
    usual = ("neighbour", "rename", "walk", "drink", "collect", "place", "make")
    families = (*usual, *(["creature"] * bool(words.wide)), *own)
    family = draw(st.sampled_from(families))
    if family in ("neighbour", "rename", "drink"):  # these are about Crafter's names alone
        return draw(rules(kinds[family]))
    subjects = words.subjects[family]
    subject = draw(st.sampled_from(subjects) | st.sampled_from(subjects[-3:]))
    points, amount = st.integers(-9, 9), st.integers(1, 9)
    items = st.sampled_from(words.holdable) | st.sampled_from(words.holdable[-5:])
    amounts = st.dictionaries(items, amount, max_size=4)
    grounds = st.sampled_from(words.placed_on) | st.sampled_from(words.placed_on[-4:])
    materials = st.lists(grounds, unique=True, max_size=5)
    chance = st.none() | st.sampled_from([0.1, 0.25])
    given = st.fixed_dictionaries({"amount": amount, "probability": chance})
    gains = st.sampled_from(words.gains) | st.sampled_from(words.gains[-5:])
    fields: dict[str, dict[str, st.SearchStrategy[Any]]] = {
        "walk": {"walkable": st.booleans(), "health": points, "deadly": st.booleans()},
        "collect": {
            "collectable": st.booleans(),
            "requires": amounts,
            "yields": st.dictionaries(gains, given, max_size=4),
            "leaves": st.sampled_from(words.left) | st.sampled_from(words.left[-4:]),
            "spawns": st.dictionaries(st.sampled_from(words.creatures), st.just(0.5), max_size=1),
        },
        "place": {"uses": amounts, "where": materials},
        "make": {"uses": amounts, "nearby": materials, "gives": amount},
        "push": {
            "onto": materials.map(lambda listed: [*dict.fromkeys((*listed, "grass"))]),
            "leaves": grounds,
            "becomes": st.dictionaries(st.just("grass"), grounds),
        },
        "beside": {
            "becomes": st.dictionaries(grounds, grounds, min_size=1, max_size=4),
            "chance": st.sampled_from([0.0, 0.25, 1.0]),
        },
        "timer": {
            "becomes": grounds,
            "after": st.sampled_from([1, 2, 250]),
            "chance": st.sampled_from([0.5, 1.0]),
            "when": st.sampled_from(["always", "day", "night"]),
            "near": materials,
        },
        "creature": {
            name: points if name.endswith("_factor") else st.booleans()
            for name in kinds["creature"].field_names()
        },
        "behaviour": {"cases": any_cases(items, st.sampled_from(words.projectiles))},
        "grazing": {
            "cases": any_cases(items, st.sampled_from(words.projectiles)).map(
                lambda cases: [*cases, {"act": "graze"}]
            ),
            "grazes": st.dictionaries(grounds, grounds, min_size=1, max_size=3),
        },
        "hunt": {
            "requires": amounts,
            "yields": amounts,
            "damage": st.dictionaries(items, st.integers(1, 100), max_size=3),
            "touch": points,
        },
        "projectile": {
            "speed": st.integers(1, 2),
            "range": st.none() | st.integers(1, 64),
            "harm": st.none() | points,
            "damage": st.integers(0, 100),
            "over": materials,
            "breaks": st.dictionaries(grounds, grounds, max_size=3),
        },
        "shoot": {"requires": amounts, "uses": amounts},
        "need": {
            "every": st.integers(1, 999),
            "loss": st.integers(0, 9),
            "when": st.sampled_from(TIMES),
            "kept_by": st.lists(items, unique=True, max_size=3),
            "rises": st.sampled_from(["never", "day", "night"]),
            "gains_near": st.dictionaries(grounds, amount, max_size=3),
            "gains_on": st.dictionaries(grounds, amount, max_size=3),
            "gains_eating": amounts,
            "empty": points,
        },
        "eat": dict.fromkeys(("food", "health", "drink"), points) | {"leaves": st.none() | items},
    }
    drawn = draw(st.sampled_from(["behaviour", "grazing"])) if family == "behaviour" else family
    stated = draw(st.fixed_dictionaries(fields[drawn]))
    return kinds[family].model_validate({"subject": subject, **stated}, context=words)
