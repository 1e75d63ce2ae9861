"""Explanations give the fewest rules that stand in the way, and nothing fewer would do."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import pytest

from mars_logic import World, load_world
from mars_logic.logic import prove
from mars_logic.logic.reachability_model import OPTIMISTIC, ReachabilityModel
from mars_logic.world import names
from mars_logic.world.rules import Collect, Make, Place, Rule, Walk
from tests.logic.mutants import changed, mutant

DEFAULT = load_world("default")


def given_up(rule: Rule, base: World) -> Rule:
    """The rule without its demands, and with what the base's rule yields."""
    match rule:
        case Collect():
            was = base.collect[rule.subject]
            yields = {gain: y.amount for gain, y in rule.yields.items() if rule.collectable}
            yields |= {gain: y.amount for gain, y in was.yields.items() if was.collectable}
            return Collect(
                subject=rule.subject,
                collectable=rule.collectable or was.collectable,
                yields=yields,
                leaves=rule.leaves if rule.collectable else rule.subject,
                spawns=dict(rule.spawns) if rule.collectable else {},
            )
        case Place():
            return Place(subject=rule.subject, uses={}, where=names.MATERIALS[1:])
        case Make():
            return Make(subject=rule.subject, uses={}, nearby=(), gives=rule.gives)
        case Walk():
            return Walk(subject=rule.subject, walkable=True)
    return rule


def possible(world: World) -> set[str]:
    return ReachabilityModel(world).at(OPTIMISTIC, "unlock")


def without(world: World, rules: Iterable[str]) -> World:
    base = world.base if isinstance(world.base, World) else world
    return world.with_rules(*(given_up(world[rule], base) for rule in rules))


CASES = {
    "cycle": changed(DEFAULT, "collect.tree", requires={"wood_pickaxe": 1}),
    "no trees": changed(DEFAULT, "collect.tree", collectable=False),
    "table of diamonds": changed(DEFAULT, "place.table", uses={"diamond": 1}),
    "nowhere to put a table": changed(DEFAULT, "place.table", where=()),
    "stuck": changed(DEFAULT, "neighbour.player", material="water"),
    "nearby": changed(DEFAULT, "make.wood_sword", nearby=("table", "furnace", "lava")),
    "two": DEFAULT.with_rules(
        changed(DEFAULT, "collect.coal", requires={"iron_sword": 1})["collect.coal"],
        changed(DEFAULT, "make.iron_sword", uses={"coal": 1})["make.iron_sword"],
        changed(DEFAULT, "collect.iron", requires={"iron_sword": 1})["collect.iron"],
    ),
} | {str(seed): mutant(seed) for seed in (7, 12, 20, 33)}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_an_explanation_is_the_first_of_the_smallest(case: str) -> None:
    world = CASES[case]
    base = world.base
    assert isinstance(base, World)
    repaired = {}
    ids = sorted(r.id for r in world.rules() if r.family in ("collect", "place", "make", "walk"))
    singles = sorted(ids, key=lambda rule: world[rule] == base[rule])  # the changed ones first
    for rule in singles:
        repaired[rule] = possible(without(world, [rule]))
    for achievement, verdict in prove(world).achievements.items():
        if verdict.verdict != "unreachable":
            continue
        helpful = [rule for rule in singles if achievement in repaired[rule]]
        explanation = verdict.explanation
        if helpful:
            assert explanation == (helpful[0],)
        elif explanation and all(rule in repaired for rule in explanation):
            assert len(explanation) > 1
            assert achievement in possible(without(world, explanation))
            for smaller in combinations(explanation, len(explanation) - 1):
                assert achievement not in possible(without(world, smaller))


def test_two_rules_at_once() -> None:
    world = DEFAULT.with_rules(
        changed(DEFAULT, "neighbour.player", material="water")["neighbour.player"],
        changed(DEFAULT, "collect.diamond", yields={"coal": 1})["collect.diamond"],
    )
    verdicts = prove(world).achievements
    assert verdicts["collect_coal"].explanation == ("walk.water",)
    assert verdicts["collect_diamond"].explanation == ("collect.diamond", "walk.water")
    assert len(verdicts["collect_diamond"].words) == 2


def test_what_the_map_had_before_is_restored_only_if_nothing_else_helps() -> None:
    world = changed(DEFAULT, "rename.iron", material="stone")
    verdicts = prove(world).achievements
    assert verdicts["collect_iron"].explanation == ("rename.iron",)
    assert verdicts["collect_iron"].words[0].endswith("so no iron is ever within reach.")
    assert verdicts["make_iron_sword"].explanation == ("make.iron_sword",)


def test_what_collecting_left_before_is_restored() -> None:
    base = changed(changed(DEFAULT, "rename.coal", material="stone"), "collect.sand", leaves="coal")
    world = changed(base, "collect.sand", leaves="sand")
    verdict = prove(world).achievements["collect_coal"]
    assert verdict.explanation == ("collect.sand",)
    assert verdict.words[0].endswith("so it no longer leaves coal.")


def test_without_a_base_nothing_is_told_of_what_was() -> None:
    crafter = load_world("crafter")
    world = World.from_rules("crafter", crafter.rules(), name="bare")
    broken = World.from_rules(
        "crafter", changed(world, "collect.diamond", yields={}).rules(), name="broken"
    )
    assert broken.base is None
    verdict = prove(broken).achievements["collect_diamond"]
    assert verdict.verdict == "unreachable"
    assert verdict.explanation == ()
    nothing = "no change of the rules makes it reachable on any map"
    assert verdict.reason == f"no rule gives diamond, so {nothing}"


@pytest.mark.long
def test_open_questions_name_their_doubts() -> None:
    def reason(world: World, achievement: str) -> str:
        verdict = prove(world).achievements[achievement]
        assert verdict.verdict in ("unknown", "depends")
        return verdict.reason or ""

    deadly = changed(DEFAULT, "walk.grass", deadly=True)
    assert "kills" in reason(deadly, "collect_wood")
    assert "regions" in reason(changed(DEFAULT, "neighbour.tree", material="water"), "collect_wood")
    zombie = changed(DEFAULT, "creature.zombie", attack_health_factor=-5)
    assert "strikes hard" in reason(zombie, "kill_zombie")
    archer = changed(DEFAULT, "creature.skeleton", arrow_health_factor=-3)
    assert "strikes hard" in reason(archer, "kill_skeleton")
    near = changed(DEFAULT, "make.wood_sword", nearby=("table", "diamond", "tree"))
    assert "close together" in reason(near, "make_wood_sword")
    no_trees = changed(DEFAULT, "collect.tree", collectable=False)
    told = reason(no_trees, "kill_skeleton")  # either is enough
    assert "creature comes" in told or "regions touch" in told


@pytest.mark.slow
def test_words_say_what_is_missing() -> None:
    def words(world: World, achievement: str) -> str:
        return " ".join(prove(world).achievements[achievement].words)

    cycle = CASES["cycle"]
    assert words(cycle, "collect_coal").endswith("but no wood pickaxe is ever obtained.")
    assert words(CASES["stuck"], "collect_coal").endswith("so the player cannot cross it on foot.")
    assert words(CASES["nowhere to put a table"], "place_table").endswith(
        "so it can never be placed."
    )
    assert words(CASES["no trees"], "collect_wood").endswith("so no wood is ever obtained.")
    far = changed(
        changed(DEFAULT, "rename.lava", material="stone"), "make.wood_sword", nearby=("lava",)
    )
    assert words(far, "make_wood_sword").endswith("but no lava is ever nearby.")


@pytest.mark.slow
def test_ten_things_do_not_fit_around_the_player() -> None:
    crowd = [
        "table",
        "furnace",
        "grass",
        "water",
        "sand",
        "diamond",
        "coal",
        "iron",
        "lava",
        "tree",
    ]
    lost = load_world("default").with_rules(
        Make(subject="wood_pickaxe", uses={"wood": 1}, nearby=crowd)
    )
    assert prove(lost).achievements["make_wood_pickaxe"].verdict == "unreachable"
