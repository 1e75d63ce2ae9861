from __future__ import annotations

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.sim import OBJECTS, Simulator
from mars_logic.sim.tables import compile_rules
from mars_logic.world import names


def rules_of(world):
    return compile_rules(world)[0]


def materials_in(mask):
    return {name for code, name in enumerate(names.MATERIALS) if int(mask) >> code & 1}


def test_who_walks_where():
    crafter = rules_of(load_world("crafter"))["walkable"]
    assert materials_in(crafter[OBJECTS.index("player")]) == {"grass", "sand", "path", "lava"}
    assert materials_in(crafter[OBJECTS.index("cow")]) == {"grass", "sand", "path"}
    assert materials_in(crafter[OBJECTS.index("arrow")]) == {
        *("grass", "sand", "path", "lava", "water")
    }
    world = load_world("all_three")
    walkable = {name for name, rule in world.walk.items() if rule.walkable}
    mars = rules_of(world)["walkable"]
    assert materials_in(mars[OBJECTS.index("player")]) == walkable
    assert materials_in(mars[OBJECTS.index("zombie")]) == walkable
    assert materials_in(mars[OBJECTS.index("skeleton")]) == walkable | {"path"}
    assert materials_in(mars[OBJECTS.index("cow")]) == walkable | {
        str(world.neighbour["tree"].material)
    }


def test_chances_follow_one_another_in_mars():
    world = load_world("all_three")
    rules = rules_of(world)
    stone = names.MATERIALS.index("stone")
    assert [names.ITEMS[item] for item in rules["yield_item"][stone][:2]] == ["wood", "stone"]
    assert rules["yield_above"][stone][:2].tolist() == [0, 0.5]
    assert rules["yield_up_to"][stone][:2].tolist() == [0.5, 1]


def test_one_chance_for_everything_in_crafter():
    world = load_world("crafter")
    grass = world.collect["grass"]
    yields = dict.fromkeys(("sapling", "wood"), grass.yields["sapling"])
    rules = rules_of(world.with_rules(grass.model_copy(update={"yields": yields})))
    row = names.MATERIALS.index("grass")
    assert rules["yield_up_to"][row][:2].tolist() == [0.1, 0.1]
    assert np.isneginf(rules["yield_above"][row][:2]).all()


def test_tables_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        compile_rules(load_world("crafter"))["length"] = 5


@pytest.mark.parametrize(
    ("rule_id", "field", "value"),
    [
        ("creature.cow", "attacks", True),
        ("neighbour.water", "material", "grass"),
        ("rename.coal", "material", "iron"),
        ("drink.water", "food", 1),
    ],
)
def test_what_crafter_fixes_cannot_be_changed(rule_id, field, value):
    world = load_world("crafter")
    changed = world.with_rules(world[rule_id].model_copy(update={field: value}))
    with pytest.raises(ValueError, match=f"dynamics crafter fixes the rule {rule_id}"):
        Simulator(changed)
    mars = load_world("default")
    Simulator(mars.with_rules(mars[rule_id].model_copy(update={field: value})))


def test_an_episodes_length():
    assert Simulator(load_world("crafter")).length == 10_000
    assert Simulator(load_world("all_three")).length == 1_000
