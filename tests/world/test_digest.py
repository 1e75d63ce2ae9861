import pytest

from mars_logic import load_world
from mars_logic.world.digest import effective
from mars_logic.world.rules import Collect, Drink, Neighbour, Rename, Rule, Walk

DEFAULT = load_world("default")


def changed(rule: Rule, **fields: object) -> Rule:
    return type(rule).model_validate(rule.model_dump() | fields)


NO_EFFECT = {
    "damage of a creature that never attacks": changed(
        DEFAULT["creature.cow"], attack_health_factor=-1
    ),
    "arrows of a creature that never shoots": changed(
        DEFAULT["creature.cow"], arrow_health_factor=-1
    ),
    "food of a creature that is not eaten": changed(
        DEFAULT["creature.zombie"], eaten_food_factor=1
    ),
    "walking of a creature that approaches": changed(DEFAULT["creature.zombie"], walks=False),
    "approach of a creature that shoots": changed(DEFAULT["creature.skeleton"], approaches=True),
    "whether plants are eatable": changed(DEFAULT["creature.plant"], eatable=False),
    "health of what is not walked on": changed(DEFAULT["walk.tree"], health=1),
    "health of what kills": changed(DEFAULT["walk.lava"], health=1),
}


@pytest.mark.parametrize("case", NO_EFFECT)
def test_fields_without_effect_do_not_count(case: str) -> None:
    rule = NO_EFFECT[case]
    assert rule != DEFAULT[rule.id]
    assert DEFAULT.with_rules(rule).digest == DEFAULT.digest


WITH_EFFECT: list[Rule] = [
    Walk(subject="sand", walkable=True, health=1),
    Walk(subject="grass", walkable=True, deadly=True),
    changed(DEFAULT["creature.zombie"], attack_health_factor=-2),
    changed(DEFAULT["creature.plant"], walks=True),
    Drink(subject="water", drink=2),
    Rename(subject="grass", material="sand"),
    Neighbour(subject="coal", material=None),
    Collect(subject="sand", collectable=False),
]


@pytest.mark.parametrize("rule", WITH_EFFECT, ids=lambda rule: rule.id)
def test_fields_with_effect_count(rule: Rule) -> None:
    assert DEFAULT.with_rules(rule).digest != DEFAULT.digest


def test_names_do_not_count() -> None:
    assert DEFAULT.named("something else").digest == DEFAULT.digest


def test_dynamics_count() -> None:
    assert effective(load_world("crafter"))["dynamics"] == "crafter"


def test_what_lies_under_the_start_counts_even_if_it_cannot_be_entered() -> None:
    start = DEFAULT.with_rules(Neighbour(subject="player", material="tree"))
    hurt = start.with_rules(Walk(subject="tree", walkable=False, health=-1))
    assert hurt.digest != start.digest


def test_a_name_for_grass_counts_only_where_grass_is_asked_for() -> None:
    bare = DEFAULT.with_rules(
        Neighbour(subject="player", material="path"), Neighbour(subject="tree", material="path")
    )
    assert bare.with_rules(Rename(subject="grass", material="iron")).digest == bare.digest


def test_drinking_effects_mean_nothing_where_nothing_is_collected() -> None:
    dry = DEFAULT.with_rules(Collect(subject="lava", collectable=False))
    assert dry.with_rules(Drink(subject="lava", health=-1)).digest == dry.digest


def test_fields_of_what_cannot_be_collected_mean_nothing() -> None:
    dry = DEFAULT.with_rules(Collect(subject="lava", collectable=False))
    other = Collect(subject="lava", collectable=False, yields={"wood": 1})
    assert dry.with_rules(other).digest == dry.digest


def test_the_order_of_chances_counts() -> None:
    half = {"amount": 1, "probability": 0.5}
    one = DEFAULT.with_rules(Collect(subject="tree", yields={"wood": half, "coal": half}))
    other = DEFAULT.with_rules(Collect(subject="tree", yields={"coal": half, "wood": half}))
    assert one.digest != other.digest
