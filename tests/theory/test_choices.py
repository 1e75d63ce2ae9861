"""Facts of a theory: its models are the worlds that it allows."""

from __future__ import annotations

import clingo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import bundled_worlds, load_world
from mars_logic.logic import facts
from mars_logic.logic.choices import theory_facts, values
from mars_logic.world.rules import Collect, Creature
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from tests.theory.worlds import fields, with_field

DEFAULT = load_world("default")


def models(theory: Theory) -> list[set[str]]:
    control = clingo.Control(["0", "--warn=none"])
    control.add("base", [], theory_facts(theory))
    control.ground([("base", [])])
    found: list[set[str]] = []
    control.solve(on_model=lambda m: found.append({str(a) for a in m.symbols(atoms=True)}))
    return found


def plain(world: Theory) -> set[str]:
    found = models(world)
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("name", bundled_worlds())
def test_those_of_a_world_are_its_facts(name: str) -> None:
    assert theory_facts(load_world(name)) == facts(load_world(name))


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_models_are_the_worlds_that_a_theory_allows(data: st.DataObject) -> None:
    theory: Theory = Theory.from_world(DEFAULT)
    chosen = data.draw(st.lists(st.sampled_from(fields(DEFAULT)), max_size=2, unique=True))
    possible = 1
    for field in chosen:
        theory = with_field(theory, field, UNKNOWN)
        possible *= len(values(theory[field[0]], field[1]))
    if possible > 400:
        return
    found = models(theory)
    assert len(found) == possible
    expected = set()
    for seed in range(12):
        world = theory.sample(seed)
        expected.add(frozenset(plain(world)))
    told = {
        frozenset(a for a in model if not a.startswith(("holds(", "weight("))) for model in found
    }
    assert expected <= told


def test_alternatives_have_weights() -> None:
    stone = DEFAULT.collect["stone"].model_dump()
    options = Alternatives.of([("path", 0.75), ("sand", 0.25)])
    theory = Theory.from_world(DEFAULT).with_rules(Collect(**stone | {"leaves": options}))
    text = theory_facts(theory)
    assert "1 { holds(collect(stone), leaves, 1..2) } 1." in text
    assert "weight(collect(stone), leaves, 1, 750000)." in text
    assert "leaves(stone, sand) :- holds(collect(stone), leaves, 2)." in text
    assert len(models(theory)) == 2


def test_whether_anything_can_be_collected_may_be_open_too() -> None:
    stone = DEFAULT.collect["stone"].model_dump()
    theory = Theory.from_world(DEFAULT).with_rules(
        Collect(**stone | {"collectable": UNKNOWN, "leaves": UNKNOWN}),
        Creature(subject="cow", eatable=UNKNOWN, eaten_food_factor=1),
    )
    for model in models(theory):
        open_ = "collectable(stone)" in model
        assert open_ == any(atom.startswith("leaves(stone,") for atom in model)
        assert open_ == ("requires(collect(stone),wood_pickaxe,1)" in model)
