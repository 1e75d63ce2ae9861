"""Checking rules about cells that are pushed or change by themselves, and behaviours by cases."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.theory import Evidence, check
from mars_logic.theory.cell_signatures import Act, CellChange, PushTry
from mars_logic.theory.claims import values_of
from mars_logic.theory.evidence.equivalence import condensed
from mars_logic.theory.signature_claims import signature_claims
from mars_logic.world.load import parse_theory
from mars_logic.world.theory import World
from tests.theory.cell_worlds import WRONG, cell_play, cell_world
from tests.theory.own_kinds import own_kinds_play
from tests.theory.test_own_kinds import gallery, own_seen, seen

PEN = """
name: pen
base: default
length: 60
map:
  drawn: |
    ########
    #@ggg.g#
    #.cpg..#
    #.g..gp#
    #.....g#
    ########
  legend:
    c: {material: crate}
    p: {material: pit}
    g: {material: mud}
    "@": {material: grass, player: true}
adds: {materials: {crate: {}, mud: {looks: ground}, pit: {}, plank: {looks: ground}}}
walk: {mud: {walkable: true}, plank: {walkable: true}}
push: {crate: {onto: [grass, mud, pit], leaves: mud, becomes: {pit: plank}}}
beside: {mud: {becomes: {plank: plank}}}
timer: {plank: {becomes: pit, after: 6}}
"""


@cache
def pen() -> tuple[World, Evidence]:
    world = parse_theory(PEN, "pen.yaml").to_world()
    return world, Evidence.of(own_kinds_play(world, range(60)))


def changed(world: World, rule: str, fields: dict[str, Any]) -> World:
    return world.with_rules(world[rule].with_fields(fields, world.vocabulary))


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**30))
def test_true_rules_about_cells_are_never_contradicted(seed: int) -> None:
    report = check(cell_world(seed), cell_play(seed))
    assert [(each.rules, str(each), str(each.where)) for each in report.conflicts] == []


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**30))
def test_true_rules_about_cells_of_many_worlds_are_never_contradicted(seed: int) -> None:
    assert not check(cell_world(seed), cell_play(seed, 3)).conflicts


def test_the_evidence_has_cells_pushes_and_acts() -> None:
    kinds = set(map(type, pen()[1].signatures)) | set(
        map(type, Evidence.of(own_seen(1)[1]).signatures)
    )
    assert kinds >= {CellChange, PushTry, Act}


def test_true_rules_are_supported_field_by_field() -> None:
    world, evidence = pen()
    report = check(world, evidence)
    assert not report.conflicts
    for rule, fields in (
        ("push.crate", ("onto", "leaves", "becomes")),
        ("beside.mud", ("becomes",)),
        ("timer.plank", ("becomes", "after")),
    ):
        assert {report[rule].verdict_on(name) for name in fields} == {"supported"}, rule


@pytest.mark.parametrize(
    ("rule", "fields"),
    [*WRONG, ("push.crate", {"onto": ["grass", "mud", "pit", "stone", "crate"]})],
)
def test_a_wrong_rule_is_contradicted(rule: str, fields: dict[str, Any]) -> None:
    world, evidence = pen()
    report = check(changed(world, rule, fields), evidence)
    assert report[rule].verdict == "contradicted"
    assert {each.rules for each in report.conflicts} == {(rule,)}


@pytest.mark.parametrize(
    ("rule", "fields"),
    [
        ("beside.tree", {"chance": 0.5}),
        ("beside.tree", {"becomes": {"fire": "ash"}}),
        ("timer.fire", {"after": 90}),
        ("timer.fire", {"chance": 0.9}),
        ("timer.fire", {"becomes": "grass"}),
    ],
)
def test_a_wrong_rule_of_the_fire_is_contradicted(rule: str, fields: dict[str, Any]) -> None:
    report = check(changed(gallery("fire"), rule, fields), seen("fire"))
    assert rule in {each for conflict in report.conflicts for each in conflict.rules}


@pytest.mark.parametrize(
    "added",
    [
        "timer: {grass: {becomes: sand, after: 3}}",
        "beside: {grass: {becomes: {mud: mud}}}",
        "push: {mud: {onto: [grass, mud], leaves: grass}}",
    ],
)
def test_a_rule_that_the_world_lacks_is_contradicted(added: str) -> None:
    family, stated = added.split(": ", 1)
    lines = PEN.splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith(family))
    lines[place] = f"{lines[place].rstrip()[:-1]}, {stated[1:]}"
    wrong = parse_theory("\n".join(lines), "wrong.yaml")
    blamed = {each.rules for each in check(wrong, pen()[1]).conflicts}
    assert blamed == {(f"{family}.{stated[1:].partition(':')[0]}",)}


def test_a_rule_that_a_theory_lacks_is_open() -> None:
    lines = [line for line in PEN.splitlines() if not line.startswith("timer")]
    report = check(parse_theory("\n".join(lines), "less.yaml"), pen()[1], jointly=False)
    assert not report.conflicts
    assert report["timer.plank"].verdict == "untested"


@pytest.mark.parametrize(
    ("name", "rule", "cases"),
    [
        ("farm", "behaviour.goat", [{"act": "stay"}]),
        ("farm", "behaviour.goat", [{"act": "approach"}]),
        ("farm", "behaviour.goat", [{"act": "flee"}, {"act": "approach"}]),
        ("winter", "behaviour.wolf", [{"act": "stay"}]),
    ],
)
def test_a_wrong_behaviour_is_contradicted(name: str, rule: str, cases: Any) -> None:
    fields = {"cases": cases, "grazes": {}}
    report = check(changed(gallery(name), rule, fields), seen(name))
    assert report[rule].verdict == "contradicted"
    assert check(gallery(name), seen(name))[rule].verdict == "supported"


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("fields", [{}, {"chance": 1.0}, {"when": "day"}, {"after": 4}])
def test_merged_signatures_are_judged_as_all_of_them(seed: int, fields: dict[str, Any]) -> None:
    """With the same fields spoken for and against, each as often."""
    world = cell_world(seed)
    for rule in (each for each in world.rules() if each.family in ("beside", "timer")):
        stated = {name: value for name, value in fields.items() if name in rule.field_names()}
        theory = changed(world, rule.id, stated)
        evidence = Evidence.of(cell_play(seed))
        assert _tally(condensed(evidence, theory), theory) == _tally(evidence, theory)


def _tally(evidence: Evidence, theory: World) -> Counter[Any]:
    values, found = values_of(theory), Counter[Any]()
    for signature, times in evidence.signatures.items():
        for claim in signature_claims(signature, evidence.dynamics):
            judged = claim.judge(values)
            if isinstance(signature, CellChange) and judged.fields:
                found[judged] += times.count
    return found
