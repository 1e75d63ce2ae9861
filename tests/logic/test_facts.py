"""The facts of a world."""

from __future__ import annotations

import os
import subprocess
import sys

import clingo
import pytest

from mars_logic import load_world
from mars_logic.logic import facts
from mars_logic.logic.rule_atoms import millionths, term
from tests.logic.mutants import NINE, PAPER, changed


def atoms(text: str) -> set[str]:
    return set(text.replace(".\n", "\n").splitlines())


@pytest.mark.parametrize("name", NINE + PAPER)
def test_every_rule_and_achievement_is_there(name: str) -> None:
    world = load_world(name)
    found = atoms(facts(world))
    assert {f"rule({term(rule.id)})" for rule in world.rules()} <= found
    assert sum(atom.startswith("achievement(") for atom in found) == 22
    assert f"dynamics({world.dynamics})" in found


@pytest.mark.parametrize("name", NINE)
def test_facts_are_facts(name: str) -> None:
    control = clingo.Control()
    control.add("base", [], facts(load_world(name)))
    control.ground([("base", [])])
    assert all(atom.is_fact for atom in control.symbolic_atoms)
    assert len(control.symbolic_atoms) == len(atoms(facts(load_world(name))))


def test_fields_become_atoms() -> None:
    found = atoms(facts(load_world("surv_task")))
    assert {
        "requires(collect(water), sapling, 1)",
        "leaves(water, lava)",
        "spawns(collect(water), skeleton, 100000)",
        "chance(collect(tree), wood, 1, 500000)",
        "yields(collect(sand), sapling, 1)",
        "drink_effect(water, drink, -1)",
        "behaves(cow, approaches)",
        "attack_factor(cow, -1)",
        "eaten_factor(plant, drink, -1)",
        "uses(place(table), coal, 4)",
        "where(plant, water)",
        "nearby(iron_pickaxe, furnace)",
        "gives(wood_sword, 1)",
        "puts(furnace, furnace)",
        "walkable(grass)",
        "deadly(lava)",
        "neighbour(water, sand)",
        "rename(coal, coal)",
        "achievement(kill_cow, apply(creature(cow)))",
        "achievement(eat_plant, apply(creature(plant)))",
        "achievement(collect_drink, gain(drink))",
        "achievement(wake_up, apply(sleep))",
    } <= found


def test_crafter_names_its_own_achievements() -> None:
    found = atoms(facts(load_world("crafter")))
    assert "achievement(eat_cow, apply(creature(cow)))" in found
    assert "achievement(defeat_zombie, apply(creature(zombie)))" in found


def test_an_uncollectable_material_has_no_facts_on_collecting() -> None:
    world = changed(load_world("default"), "collect.coal", collectable=False)
    found = atoms(facts(world))
    assert "rule(collect(coal))" in found
    assert not any(a.startswith(("collectable(coal", "leaves(coal")) for a in found)
    assert not any("collect(coal)" in a for a in found - {"rule(collect(coal))"})


def test_an_absent_neighbour_is_no_fact() -> None:
    world = changed(load_world("default"), "neighbour.coal", material=None)
    assert not any(atom.startswith("neighbour(coal") for atom in atoms(facts(world)))


@pytest.mark.parametrize(
    ("probability", "millionths"),
    [(1e-9, 1), (0.1, 100000), (0.9999999, 999999), (1 - 1e-9, 999999), (1.0, 1000000)],
)
def test_only_what_is_impossible_or_certain_is_told_as_such(
    probability: float, millionths: int
) -> None:
    given = {"sapling": {"amount": 1, "probability": probability}}
    world = changed(load_world("default"), "collect.grass", yields=given)
    assert f"chance(collect(grass), sapling, 1, {millionths})" in atoms(facts(world))


@pytest.mark.parametrize(
    ("probabilities", "expected"),
    [
        ([1 / 3] * 3, [333334, 333333, 333333]),
        ([1 / 6] * 6, [166665, *[166667] * 5]),
        ([0.7, 0.2, 0.1], [700000, 200000, 100000]),
        ([0.5, 0.4999999], [499999, 500000]),
        ([0.9999999, 1e-8], [999998, 1]),
        ([0.9999999, 1e-7], [999999, 1]),
        ([1 / 3] * 2, [333333] * 2),
    ],
)
def test_chances_sum_to_certainty_only_if_they_do(
    probabilities: list[float], expected: list[int]
) -> None:
    assert millionths(probabilities) == expected


def test_what_has_no_probability_is_no_fact() -> None:
    given = {"sapling": {"amount": 1, "probability": 0.0}}
    world = changed(load_world("default"), "collect.grass", yields=given, spawns={"cow": 0.0})
    assert not any("collect(grass)" in a and "rule" not in a for a in atoms(facts(world)))


def test_facts_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "import mars_logic; from mars_logic.logic import facts;"
        "print(facts(mars_logic.load_world('all_three')))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(texts) == 1


def test_rule_ids_are_terms() -> None:
    assert term("collect.stone") == "collect(stone)"
    assert term("sleep") == "sleep"
