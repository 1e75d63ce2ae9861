"""Checking theories that leave fields open: what no completion explains is contradicted."""

from __future__ import annotations

from mars_logic import load_world
from mars_logic.theory import Evidence, Finding, check
from mars_logic.theory.signatures import Start
from mars_logic.world import names
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import Alternatives
from tests.theory.play import evidence
from tests.theory.test_check import DEFAULT, DO, TRUTH, by_hand, empty, scene_at_water, shown
from tests.theory.worlds import with_field


def test_an_open_gate_does_not_hide_what_no_completion_explains() -> None:
    """Drinking needs a sapling in surv_task, and leaves lava: without one nothing happens."""
    world = load_world("surv_task")
    with_sapling = (
        empty(world).fill("water", 33, 32).player(facing=(1, 0), inventory={"sapling": 1})
    )
    without = empty(world).fill("water", 33, 32).player(facing=(1, 0))
    seen = Evidence.of([by_hand(world, DO, scene=scene) for scene in (with_sapling, without)])

    def found(value: object) -> Finding:
        theory = with_field(Theory.unknown("mars"), ("collect.water", "requires"), value)
        return check(theory, seen.without(Start))["collect.water"]

    needs_nothing = found({})
    assert needs_nothing.verdict == needs_nothing.verdict_on("requires") == "contradicted"
    (conflict,) = needs_nothing.conflicts
    told = {each.did: each.saw for each in conflict.observations}
    assert told.keys() == {
        "collecting from water holding 1 sapling",
        "collecting from water holding nothing",
    }
    assert told["collecting from water holding nothing"] == "nothing happened"
    assert found({"sapling": 1}).verdict == "supported", "nothing else was held"
    assert found({"sapling": 2}).verdict == "contradicted"
    assert found({"wood": 1}).verdict == "contradicted"
    assert not check(world, seen.without(Start)).contradicted


def test_an_open_gate_does_not_hide_a_chance_that_is_refuted() -> None:
    scene = empty(DEFAULT).fill("stone", 33, 32)
    scene = scene.player(facing=(1, 0), inventory={"wood_pickaxe": 1})
    seen = Evidence.of([by_hand(DEFAULT, DO, scene=scene, seed=seed) for seed in range(9)]).without(
        Start
    )

    def found(value: object) -> Finding:
        theory = with_field(Theory.unknown("mars"), ("collect.stone", "yields"), value)
        return check(theory, seen)["collect.stone"]

    seldom = {"stone": {"amount": 1, "probability": 0.1}}
    assert found(seldom).verdict == "contradicted"
    told = [each.saw for each in found(seldom).conflicts[0].observations]
    assert "+1 stone 9 times" in told
    always = found({"stone": 1})
    assert always.verdict == "undecided", "9 of 9 come with a probability of 0.9, too"
    assert always.judged and any(always.judged.fields["collect.stone", "yields"].others)


def test_rules_that_clash_are_undecided_together() -> None:
    """Disjunction drinking itself or what it yields gives 2; both together would give 4."""
    seen = shown(scene_at_water(DEFAULT))
    theory = with_field(Theory.unknown("mars"), ("drink.water", "drink"), 2)
    theory = with_field(theory, ("collect.water", "yields"), {"drink": 2})
    report = check(theory, seen)
    assert report["drink.water"].verdict == report["collect.water"].verdict == "undecided"
    (conflict,) = report.conflicts
    assert set(conflict.rules) == {"drink.water", "collect.water"}


def test_a_whole_theory_is_judged_as_it_stands() -> None:
    seen = evidence("all_three")
    blank = Theory.unknown("mars")
    maps = [rule for rule in blank.rules() if rule.family == "rename"]
    told = Theory.from_world(TRUTH).with_rules(*maps)
    whole, without_maps = check(TRUTH, seen), check(told, seen)
    assert not any(finding.judged for finding in (*whole.rules, *without_maps.rules))
    stone = blank["collect.stone"]
    part = check(Theory.from_world(TRUTH).with_rules(stone), seen)
    assert all(finding.judged for finding in part.rules if finding.id != "collect.stone")
    assert not part.contradicted and part["collect.stone"].verdict == "untested"


def test_a_claim_about_all_that_failures_bear_on_is_not_supported_by_them() -> None:
    """Whatever a plant takes, nothing was placed: any combination of both fields explains it."""
    scene = empty(DEFAULT).player(facing=(1, 0))
    place_plant = names.ACTIONS.index("place_plant")
    seen = shown(by_hand(DEFAULT, place_plant, scene=scene))
    for uses, where in (({"sapling": 1}, ["water"]), ({"diamond": 9}, ["tree"])):
        theory = with_field(Theory.unknown("mars"), ("place.plant", "uses"), uses)
        theory = with_field(theory, ("place.plant", "where"), where)
        assert check(theory, seen)["place.plant"].verdict in ("undecided", "untested")


def test_a_claim_that_any_value_meets_is_untested() -> None:
    either = Alternatives.of([(True, 1.0), (False, 1.0)])
    theory = with_field(Theory.unknown("mars"), ("walk.sand", "walkable"), either)
    assert check(theory, evidence("default"))["walk.sand"].verdict == "untested"
