import pytest
from pydantic import ValidationError

from mars_logic.world import names
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.rules import FAMILIES, Collect, Place, Walk
from mars_logic.world.vocabulary import achievement_aliases, vocabulary


def test_ids_join_family_and_subject() -> None:
    assert Collect(subject="stone").id == "collect.stone"


def test_a_collect_rule_leaves_the_material_as_it_is_unless_told() -> None:
    assert Collect(subject="iron").leaves == "iron"
    assert Collect(subject="iron", leaves="path").leaves == "path"


def test_order_of_requirements_means_nothing() -> None:
    one = Collect(subject="iron", requires={"iron": 1, "wood": 2})
    other = Collect(subject="iron", requires={"wood": 2, "iron": 1})
    assert one == other and hash(one) == hash(other)


def test_order_of_chances_counts_but_not_that_of_certain_yields() -> None:
    half = {"amount": 1, "probability": 0.5}
    one = Collect(subject="iron", yields={"wood": half, "stone": half})
    other = Collect(subject="iron", yields={"stone": half, "wood": half})
    assert one != other
    one = Collect(subject="iron", yields={"stone": 1, "wood": half, "coal": 2})
    other = Collect(subject="iron", yields={"coal": 2, "stone": 1, "wood": half})
    assert one == other


def test_order_of_places_means_nothing() -> None:
    one = Place(subject="table", uses={"wood": 1}, where=["sand", "grass"])
    assert one.where == ("grass", "sand")


def test_rules_cannot_change() -> None:
    rule = Walk(subject="lava", walkable=True)
    with pytest.raises(ValidationError):
        rule.walkable = False  # type: ignore[misc]
    with pytest.raises(TypeError):
        Collect(subject="iron").requires["wood"] = 1  # type: ignore[index]


def test_frozen_maps_compare_with_any_mapping_in_order() -> None:
    assert FrozenMap({"a": 1, "b": 2}) == {"a": 1, "b": 2}
    assert FrozenMap({"a": 1, "b": 2}) != {"b": 2, "a": 1}
    assert FrozenMap({}) != 3
    assert repr(FrozenMap({"a": 1})) == "{'a': 1}"


def test_fifty_two_rules() -> None:
    assert sum(len(kind.subjects) for kind in FAMILIES) == 52


@pytest.mark.parametrize("dynamics", names.DYNAMICS)
def test_twenty_two_achievements(dynamics: str) -> None:
    found = vocabulary(dynamics).achievements
    assert len(found) == len(set(found)) == 22


def test_aliases_lead_from_one_dialect_to_the_other() -> None:
    renamed = tuple(achievement_aliases().get(a, a) for a in vocabulary("crafter").achievements)
    assert renamed == vocabulary("mars").achievements
    assert achievement_aliases()["eat_cow"] == "kill_cow"
    assert achievement_aliases()["defeat_zombie"] == "kill_zombie"


def test_codes_are_those_of_the_reference() -> None:
    assert (
        len(names.ACTIONS) == 17 and names.ACTIONS[5] == "do" and names.ACTIONS[10] == "place_plant"
    )
    assert (
        len(names.ITEMS) == 16 and names.ITEMS[4] == "sapling" and names.ITEMS[15] == "iron_sword"
    )
    assert len(names.MATERIALS) == 13 and names.MATERIALS[11] == "table"
