"""Proofs about worlds with traces: on ordinary maps, on given ones, and against recordings."""

from __future__ import annotations

from collections import Counter

import pytest

from mars_logic import load_world
from mars_logic.experiments.proving import execute, explain, prove
from mars_logic.logic.certainty import CERTAINTIES
from mars_logic.logic.reachability_model import OPTIMISTIC, ReachabilityModel
from mars_logic.logic.regions import map_facts
from mars_logic.play.certificate import verify
from mars_logic.sim import generate_map, load_trace
from mars_logic.sim.conform import world_of
from tests.conformance.dialect_changes import RULES
from tests.paths import DATA

CONAN = load_world("conan")
RECORDINGS = [
    path for path in sorted((DATA / "conan").glob("*.npz")) if "scripted" not in path.stem
]
"""Those that begin with nothing in hand."""


def changed(rule_id: str):
    rule = CONAN[rule_id]
    fields = rule.model_dump() | RULES[rule_id]
    return CONAN.with_rules(type(rule).model_validate(fields, context=CONAN.vocabulary))


def changed_to(**rules):
    """Conan's world with some fields of rules replaced; a double underscore stands for the dot."""
    made = []
    for name, fields in rules.items():
        rule = CONAN[name.replace("__", ".")]
        stated = rule.model_dump() | fields
        made.append(type(rule).model_validate(stated, context=CONAN.vocabulary))
    return CONAN.with_rules(*made)


@pytest.mark.parametrize("seed", [None, 0])
def test_all_but_what_no_rule_gives_is_reachable(seed):
    proof = prove(CONAN, seed)
    lost = {name: v for name, v in proof.achievements.items() if v.verdict != "reachable"}
    assert list(lost) == ["collect_water"]
    assert lost["collect_water"].verdict == "unreachable"
    assert lost["collect_water"].explanation == ()  # no rule is to blame: there is none
    assert lost["collect_water"].reason.startswith("no rule gives water, so no change")
    assert all(v.witness and v.fewest for v in proof.achievements.values() if v.witness)
    assert len(proof.achievements) == 32


@pytest.mark.parametrize("name", ["conan", "conan_boss", "conan_alone"])
def test_witnesses_hold_what_they_use(name):
    """Every step of a witness has its items, whatever else is done with them in between."""
    world = load_world(name)
    for verdict in prove(world).achievements.values():
        held = Counter()
        for step in verdict.witness:
            rule = None if step.rule == "sleep" else world[step.rule]
            for _ in range(step.times):
                uses = {rule.subject: 1} if step.rule.startswith("eat.") else {}
                uses |= dict(getattr(rule, "uses", {}))
                for item, amount in (uses | dict(getattr(rule, "requires", {}))).items():
                    assert held[item] >= amount, (verdict.achievement, step)
                held.subtract(uses)
                for item, given in dict(getattr(rule, "yields", {})).items():
                    if step.gain is None or item == step.gain:
                        held[item] += getattr(given, "amount", given)
                if step.rule.startswith("make."):
                    held[rule.subject] += rule.gives
                if getattr(rule, "leaves", None) in world.vocabulary.items:
                    held[rule.leaves] += 1


def test_variants_are_explained_by_their_option():
    boss, alone = load_world("conan_boss"), load_world("conan_alone")
    assert prove(boss).achievements["wake_up"].explanation == ("option.boss",)
    found = explain(alone, "defeat_zombie")
    assert found.rules == (("option.other_agents",),) == (found.contrast,)
    assert found.repairs[0].certainty == "almost_sure"
    unreachable = {n for n, v in prove(alone, 3).achievements.items() if v.verdict != "reachable"}
    assert unreachable == {"collect_water", "defeat_zombie", "defeat_skeleton"}


def test_former_loot_is_a_repair():
    found = explain(changed_to(creature__cow={"yields": {}}), "collect_beef")
    assert found.rules == (("creature.cow",),) == (found.contrast,)
    assert found.repairs[0].words == "let killing a cow yield beef again"
    assert found.repairs[0].certainty == "almost_sure"


def test_a_circle_of_rules_is_found():
    world = changed_to(
        collect__iron={"requires": {"iron_pickaxe": 1}},
        make__bucket={"uses": {"diamond": 9}},
    )
    found = explain(world, "collect_lava_bucket")
    assert found.contrast == ("collect.iron",)
    assert found.chain[-1].endswith("That needs make.iron_pickaxe again.")


@pytest.mark.parametrize(
    ("uses", "rule", "times"),
    [
        ({"apple": 9}, "collect.apple_tree", 9),
        ({"steak": 1, "beef": 9}, "creature.cow", 5),
        ({"steak": 1, "bucket": 2}, "collect.iron", 4),
    ],
)
def test_amounts_are_counted(uses, rule, times):
    """Items from trees and from killing are counted like mined ones."""
    verdict = prove(changed_to(place__bed={"uses": uses})).achievements["place_bed"]
    assert verdict.verdict == "reachable"
    assert sum(step.times for step in verdict.witness if step.rule == rule) == times


def test_creatures_that_do_not_come_again_run_out():
    """Nine steaks take five cows; a map with one cow has not so many."""
    world = changed_to(place__bed={"uses": {"steak": 9}})
    area = generate_map(world, 0)
    cow = next(each for each in area.creatures if each[0] == "cow")
    facts = map_facts(area.materials, [cow], world.vocabulary.materials)
    model = ReachabilityModel(world, facts)
    assert "place_bed" in model.certainties  # as far as amounts do not matter
    assert model.fewest("place_bed", "almost_sure") is None
    assert model.fewest("eat_steak", "almost_sure") is not None


@pytest.mark.parametrize("rule_id", list(RULES))
def test_careful_verdicts_are_possible(rule_id):
    model = ReachabilityModel(changed(rule_id))
    careful = set().union(*(model.unlocked(level) for level in CERTAINTIES))
    assert careful <= model.unlocked(OPTIMISTIC)
    assert "collect_water" not in model.unlocked(OPTIMISTIC)


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_what_was_unlocked_is_not_unreachable(path):
    trace = load_trace(path)
    world = world_of(trace)
    found = generate_map(world, trace.seed, trace.episode)
    facts = map_facts(found.materials, found.creatures, world.vocabulary.materials)
    counters = trace.arrays["achievements"][-1]
    done = {name for name, count in zip(world.achievements, counters, strict=True) if count}
    assert done <= ReachabilityModel(world, facts).unlocked(OPTIMISTIC)


def test_witnesses_are_executed():
    proof = prove(CONAN, 1)
    some = ("collect_diamond", "eat_steak", "collect_lava_bucket", "place_bed", "wake_up")
    for name, execution in execute(CONAN, proof, achievements=some).items():
        assert execution.certificate is not None, (name, execution.reason)
        assert name in execution.certificate.unlocked
        assert verify(execution.certificate, CONAN).valid


def test_food_is_for_an_episode_only():
    upkeep = prove(CONAN).upkeep
    assert (upkeep.verdict, upkeep.for_an_episode) == ("unsustainable", True)
    endless = prove(changed_to(collect__grass={"yields": {"apple": 1}})).upkeep
    assert endless.verdict == "sustainable" and endless.times["eat.apple"] > 0
