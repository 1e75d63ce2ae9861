"""Names that a world adds to its dialect's: how they are read, inherited, written and refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from mars_logic import load_world
from mars_logic.world.adds import Adds
from mars_logic.world.dump import to_yaml
from mars_logic.world.field_values import domain, unusual
from mars_logic.world.load import load_theory, parse_theory
from mars_logic.world.problems import WorldError
from mars_logic.world.theory import Theory, World
from mars_logic.world.uncertain import UNKNOWN
from tests.paths import REPOSITORY

COPPER = REPOSITORY / "worlds" / "gallery" / "copper.yaml"


def world_of(text: str) -> Theory:
    return parse_theory(text, "own.yaml")


def problems_of(text: str) -> list[str]:
    with pytest.raises(WorldError) as refused:
        world_of(text)
    return [str(problem) for problem in refused.value.problems]


def test_added_names_follow_those_of_the_dialect() -> None:
    world, default = load_world(COPPER), load_world("default")
    words, usual = world.vocabulary, default.vocabulary
    assert words.materials == (*usual.materials, "copper", "kiln")
    assert words.items == (*usual.items, "copper", "brick", "copper_pickaxe", "pie")
    more = ("place_kiln", "make_brick", "make_copper_pickaxe", "make_pie", "eat_pie")
    assert words.actions == (*usual.actions, *more)
    assert words.achievements == (*usual.achievements, "collect_copper", *more)
    assert words.wide and not usual.wide
    assert world["make.copper_pickaxe"].model_dump()["nearby"] == ["table", "kiln"]


def test_what_is_not_stated_of_an_added_material_is_that_nothing_can_be_done() -> None:
    world = load_world(COPPER)
    assert not world.walk["kiln"].walkable and not world.collect["kiln"].collectable
    assert world.collect["copper"].leaves == "path" and world.collect["kiln"].leaves == "kiln"


def test_a_world_with_added_names_is_written_and_read_as_it_is(tmp_path: Path) -> None:
    world = load_world(COPPER)
    again = world_of(to_yaml(world))
    assert again == world and again.digest == world.digest and again.adds == world.adds
    path = tmp_path / "more.yaml"
    path.write_text(
        f"base: {COPPER}\nadds: {{items: [nugget]}}\n"
        "make: {nugget: {uses: {copper: 1}, nearby: []}}\n",
        encoding="utf-8",
    )
    more = load_world(path)
    assert more.adds.items == (*world.adds.items, "nugget")
    assert more.vocabulary.actions[-2:] == ("make_nugget", "eat_pie")


def test_appearance_has_no_effect_and_names_have() -> None:
    text = COPPER.read_text(encoding="utf-8")
    assert world_of(text.replace("#b87333", "#b87334")).digest == load_world(COPPER).digest
    assert world_of(text.replace("pie", "cake")).digest != load_world(COPPER).digest


def test_theories_take_added_names() -> None:
    adds = load_world(COPPER).adds
    theory = Theory.unknown("mars", adds)
    assert theory.make["pie"].uses is UNKNOWN  # type: ignore[comparison-overlap]
    assert isinstance(theory.most_likely(), World) and isinstance(theory.sample(3), World)
    assert theory.sample(3) == theory.sample(3) != theory.sample(4)
    stated = world_of("base: unknown\ndynamics: mars\nadds: {items: [pie]}\nmake: {pie: unknown}")
    assert stated["make.pie"].uncertain_fields == ("uses", "nearby", "gives")
    assert stated.adds == Adds(items=("pie",), made=("pie",))


def test_values_that_fields_may_have_are_derived_from_the_names() -> None:
    words = load_world(COPPER).vocabulary
    nearby = (*domain("make.pie", "nearby", words), *unusual("make.pie", "nearby", words))
    assert ("kiln",) in nearby and ("table", "kiln") in nearby and () in nearby
    assert {"copper": 1} in domain("make.pie", "uses", words)
    assert "copper" in domain("collect.stone", "leaves", words)
    assert {"pie": 1} in unusual("collect.stone", "requires", words) + domain(
        "collect.stone", "requires", words
    )
    with pytest.raises(KeyError):
        domain("make.pie", "uses")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("adds: [copper]", "adds: a list is not a mapping"),
        ("adds: {things: [copper]}", "adds.things: unknown key 'things'"),
        ("adds: {items: copper}", "adds.items: 'copper' is not a list of names"),
        ("adds: {items: {copper: {}}}", "adds.items: a mapping is not a list of names"),
        ("adds: {items: [Copper]}", "adds.items[0]: 'Copper' is no name"),
        ("adds: {items: [copper ore]}", "adds.items[0]: 'copper ore' is no name"),
        ("adds: {items: [7]}", "adds.items[0]: 7 is no name"),
        ("adds: {items: [pie, pie]}", "adds.items[1]: 'pie' is listed twice"),
        ("adds: {items: [wood]}", "adds.items[0]: 'wood' is a name already"),
        ("adds: {items: [health]}", "adds.items[0]: 'health' is a name already"),
        ("adds: {materials: [cow]}", "adds.materials[0]: 'cow' is a name already"),
        ("adds: {materials: [iron]}", "adds.materials[0]: 'iron' is a name already"),
        ("adds: {materials: [unknown]}", "adds.materials[0]: 'unknown' is a name already"),
        ("adds: {materials: {ash: ore}}", "adds.materials.ash: 'ore' is not a mapping"),
        ("adds: {materials: {ash: {looks: oar}}}", "did you mean 'ore'?"),
        ("adds: {materials: {ash: {colour: red}}}", "adds.materials.ash.colour: 'red' is no"),
        ("adds: {materials: {ash: {color: red}}}", "did you mean 'colour'?"),
        ("make: {pie: {uses: {wood: 1}, nearby: []}}", "make.pie: unknown tool 'pie'"),
        ("adds: {items: [pie]}\nmake: {pie: {nearby: []}}", "make.pie.uses: "),
        ("adds: {items: [pie]}\nmake: {pie: {uses: {pies: 1}, nearby: []}}", "did you mean 'pie'?"),
        ("adds: {items: [pie]}\nplace: {pie: {uses: {wood: 1}, where: [sand]}}", "place.pie: "),
        ("adds: {items: [pie]}\neat: {wood: {food: 1}}", "eat.wood: unknown"),
        ("adds: {materials: [ash]}\nrename: {tree: ash}", "rename.tree: unknown material 'ash'"),
        (f"adds: {{items: {[f'i{n}' for n in range(49)]}}}", "the world has 65 items"),
        (f"adds: {{materials: {[f'm{n}' for n in range(52)]}}}", "the world has 65 materials"),
    ],
)
def test_a_wrong_name_is_one_clear_message(text: str, wanted: str) -> None:
    found = problems_of(f"base: default\n{text}\n")
    assert len(found) == 1 and wanted in found[0] and "; allowed: " in found[0], found


def test_worlds_of_a_dialect_with_traces_add_no_names() -> None:
    assert "adds: worlds of conan add no names" in problems_of("base: conan\nadds: {}\n")[0]


def test_a_base_of_another_dialect_lacks_rules_and_says_so() -> None:
    found = problems_of("base: default\ndynamics: conan\n")
    assert any("this rule is missing" in problem for problem in found)


def test_a_theory_of_own_names_may_stand_on_another() -> None:
    assert load_theory(COPPER) == load_world(COPPER)
