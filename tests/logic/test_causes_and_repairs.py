"""Explanations in depth: chains of causes, repairs that really mend, and what took it away."""

from __future__ import annotations

from itertools import combinations

import pytest

from mars_logic import World, load_world
from mars_logic.logic import Explanation, explain, prove
from mars_logic.logic.explain import Explanations
from mars_logic.logic.prove import _certainty
from mars_logic.logic.reachability_model import OPTIMISTIC, ReachabilityModel
from mars_logic.logic.repairs import Repairs, _edited, _edits
from tests.logic.mutants import changed, mutant

DEFAULT = load_world("default")
CIRCLE = changed(DEFAULT, "collect.tree", requires={"wood_pickaxe": 1})
TWO = DEFAULT.with_rules(
    changed(DEFAULT, "walk.grass", walkable=False)["walk.grass"],
    changed(DEFAULT, "collect.diamond", yields={"coal": 1})["collect.diamond"],
)
MUTANTS = [mutant(seed) for seed in range(12)]


def told(world: World, achievement: str, most: int = 3) -> Explanation:
    found = explain(world, achievement, most=most)
    assert found is not None
    return found


def possible(world: World) -> set[str]:
    return ReachabilityModel(world).at(OPTIMISTIC, "unlock")


def broken() -> list[tuple[World, str]]:
    """Achievements that are unreachable in mutated worlds, one of each world."""
    cases = []
    for world in MUTANTS:
        lost = [name for name in world.achievements if name not in possible(world)]
        cases += [(world, lost[-1])] if lost else []
    assert len(cases) >= 4
    return cases


def test_what_is_reachable_needs_no_explanation() -> None:
    assert explain(DEFAULT, "collect_diamond") is None
    with pytest.raises(ValueError, match="achievement must be one of"):
        explain(DEFAULT, "collect_gold")


def test_a_chain_goes_from_the_achievement_to_the_rule_that_fails() -> None:
    found = told(CIRCLE, "place_furnace")
    rules = [sentence.partition(":")[0] for sentence in found.chain]
    assert rules == ["place.furnace", "collect.stone", "make.wood_pickaxe", "collect.tree"]
    assert found.chain[-1].endswith("That needs make.wood_pickaxe again.")
    assert found.contrast == ("collect.tree",)


def test_a_chain_names_every_rule_to_blame() -> None:
    found = told(TWO, "collect_diamond")
    assert found.contrast == ("collect.diamond", "walk.grass")
    assert {sentence.partition(":")[0] for sentence in found.chain} >= set(found.contrast)
    assert [repair.changes for repair in found.repairs if repair] == [
        ("let collecting from diamond yield diamond again", "let grass be walkable")
    ]


def rules_of(found: Explanation) -> list[str]:
    return [sentence.partition(":")[0] for sentence in found.chain]


def test_a_chain_tells_an_item_from_the_material_of_its_name() -> None:
    found = told(changed(DEFAULT, "rename.iron", material="stone"), "collect_diamond")
    assert rules_of(found) == [
        "collect.diamond",
        "make.iron_pickaxe",
        "collect.iron",
        "rename.iron",
    ]
    assert found.chain[-2].endswith("but no iron is ever within reach.")
    assert found.chain[-1].endswith("it has stone, so no iron is ever within reach.")


def test_a_chain_leads_to_each_rule_to_blame() -> None:
    swapped = DEFAULT.with_rules(
        changed(DEFAULT, "collect.iron", yields={"coal": 1})["collect.iron"],
        changed(DEFAULT, "collect.coal", yields={"iron": 1}, requires={"iron_pickaxe": 1})[
            "collect.coal"
        ],
        changed(DEFAULT, "collect.tree", yields={"sapling": 1})["collect.tree"],
    )
    found = told(swapped, "collect_stone")
    assert found.contrast == ("collect.tree",)
    assert rules_of(found) == ["collect.stone", "make.wood_pickaxe", "collect.tree"]
    both = told(swapped, "collect_iron")
    assert both.contrast == ("collect.iron", "collect.tree")
    assert rules_of(both)[0] == "collect.iron" and rules_of(both)[-1] == "collect.tree"
    assert len(rules_of(both)) > 2, "what leads from the one to the other is told"


@pytest.mark.parametrize("creature", ["cow", "zombie", "skeleton"])
def test_a_chain_begins_at_the_creature_that_is_never_met(creature: str) -> None:
    found = told(changed(DEFAULT, "neighbour.player", material="water"), f"kill_{creature}")
    assert rules_of(found) == [f"creature.{creature}", "neighbour.player"]
    assert found.chain[0].endswith(", but none is ever met.")
    assert found.chain[1].endswith("an area of water, which the player cannot cross.")


def test_a_repair_need_not_restore_what_would_get_in_its_way() -> None:
    """Iron leaves diamond here, of which the map has none; had it a path, as before, none came."""
    world = DEFAULT.with_rules(
        changed(DEFAULT, "rename.diamond", material="stone")["rename.diamond"],
        changed(
            DEFAULT, "collect.iron", leaves="diamond", requires={"diamond": 1, "wood_pickaxe": 1}
        )["collect.iron"],
    )
    found = told(world, "collect_diamond")
    (repair,) = found.repairs
    assert repair and repair.words == "let collecting from iron need no diamond"
    assert repair.certainty == "sure"


def test_a_repair_is_as_certain_as_what_is_proved_of_the_mended_world() -> None:
    """Nine iron are more than an ordinary map is sure to have, however they are collected."""
    world = DEFAULT.with_rules(
        changed(DEFAULT, "make.iron_pickaxe", uses={"iron": 9})["make.iron_pickaxe"],
        changed(DEFAULT, "collect.iron", requires={"iron": 1})["collect.iron"],
    )
    certainties = {r.words: r.certainty for r in told(world, "make_iron_pickaxe").repairs if r}
    assert certainties == {
        "let making an iron pickaxe use no iron": "sure",
        "let collecting from iron need no iron": None,
    }


def test_where_changes_make_up_for_each_other_all_are_undone() -> None:
    """Diamond was renamed to iron, and iron to lava: to undo the one leaves no iron at all."""
    world = DEFAULT.with_rules(
        changed(DEFAULT, "rename.diamond", material="iron")["rename.diamond"],
        changed(DEFAULT, "rename.iron", material="lava")["rename.iron"],
    )
    found = told(world, "collect_diamond")
    (repair,) = found.repairs
    assert repair and repair.certainty == "sure"
    assert len(repair.changes) == 2 == len(found.contrast)


def test_the_changes_of_a_rule_are_told_together() -> None:
    grass = changed(DEFAULT, "walk.grass", walkable=False)
    told_of = [repair.words for repair in told(grass, "make_iron_pickaxe").repairs if repair]
    assert told_of == [
        "let grass be walkable",
        "let making an iron pickaxe use no wood, no coal and no iron "
        "and need no table nearby and no furnace nearby",
    ]


def test_of_equal_repairs_those_of_changed_rules_come_first() -> None:
    assert told(CIRCLE, "place_furnace").rules[0] == ("collect.tree",)


def test_every_smallest_explanation_is_found_once_and_no_more_than_asked_for() -> None:
    everything = told(CIRCLE, "place_furnace", most=100)
    assert everything.complete
    assert len(set(everything.rules)) == len(everything.rules) > 3
    assert len({len(rules) for rules in everything.rules}) == 1
    some = told(CIRCLE, "place_furnace", most=2)
    assert (len(some.rules), some.complete) == (2, False)
    assert set(some.rules) <= set(everything.rules)
    first = Explanations(ReachabilityModel(CIRCLE)).repair("place_furnace")
    assert first == ("collect.tree",) != min(everything.rules), "what was changed comes first"


@pytest.mark.long
def test_repairs_of_mutants_mend_and_cannot_do_with_less() -> None:
    for world, achievement in broken():
        reachability = ReachabilityModel(world)
        for rules in told(world, achievement).rules:
            repair = Repairs(reachability, _certainty).of(achievement, rules)
            base = world.base
            assert isinstance(base, World)
            edits = [
                edit for rule in rules for edit in _edits(world[rule], base[rule], world.vocabulary)
            ]
            if repair is None:
                assert not edits or achievement not in possible(_edited(world, edits))
                continue
            chosen = [edit for edit in edits if edit.words in repair.changes]
            assert achievement in possible(_edited(world, chosen))
            for fewer in combinations(chosen, len(chosen) - 1):
                assert achievement not in possible(_edited(world, fewer))
            again = prove(_edited(world, chosen)).achievements[achievement]
            assert again.certainty == repair.certainty
            assert again.verdict == ("reachable" if repair.certainty else "unknown")


@pytest.mark.long
def test_what_took_it_away_in_mutants() -> None:
    for world, achievement in broken():
        base = world.base
        assert isinstance(base, World)
        contrast = Repairs(ReachabilityModel(world), _certainty).contrast(achievement)
        if achievement not in possible(base):
            assert contrast == ()
            continue
        assert achievement in possible(world.with_rules(*(base[rule] for rule in contrast)))
        for fewer in combinations(contrast, len(contrast) - 1):
            assert achievement not in possible(world.with_rules(*(base[rule] for rule in fewer)))


def test_repairs_change_what_they_say() -> None:
    words = {
        "collect.tree": changed(DEFAULT, "collect.tree", collectable=False),
        "place.table": changed(DEFAULT, "place.table", where=()),
        "rename.iron": changed(DEFAULT, "rename.iron", material="stone"),
    }
    goals = {
        "collect.tree": "collect_wood",
        "place.table": "place_table",
        "rename.iron": "collect_iron",
    }
    said = {}
    for rule, world in words.items():
        found = told(world, goals[rule])
        said[rule] = [repair.changes for repair in found.repairs if repair]
    assert ("let placing a table be possible on any ground",) in said["place.table"]
    assert ("let the map have iron again, not stone",) in said["rename.iron"]
    assert any(
        "collecting from a tree" in change for changes in said["collect.tree"] for change in changes
    )
