"""Revising: everything is explained, by the fewest changes, and each change has its reasons."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import bundled_worlds, load_world
from mars_logic.errors import InputError
from mars_logic.logic import prove
from mars_logic.logic.solve import CONFLICTS
from mars_logic.theory import Evidence, Revision, check, consequences, revise, score
from mars_logic.theory.problem import Component, RevisionProblem, met
from mars_logic.theory.revise import Ties
from mars_logic.world import names
from mars_logic.world.rules import Collect, Creature, Drink, Place, Walk
from mars_logic.world.theory import Theory, World
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from tests.paths import REPOSITORY
from tests.theory.play import evidence, play
from tests.theory.test_check import by_hand, empty
from tests.theory.worlds import fields, with_field, wrong_values

DEFAULT = load_world("default")
TRUTH = load_world("all_three")
TIES: tuple[Ties, ...] = ("usual", "reachable")


def changed(revision: Revision) -> set[tuple[str, str]]:
    return {(change.id, name) for change in revision.changes for name in change.fields}


@pytest.fixture(scope="module")
def revision() -> Revision:
    """Crafter's rules as a belief in a world in which nearly all is different."""
    return revise(DEFAULT, evidence("all_three"))


def test_crafters_rules_in_another_world(revision: Revision) -> None:
    assert revision.unexplained == ()
    assert isinstance(revision.theory, World)
    assert not check(revision.theory, evidence("all_three")).contradicted
    for rule in ("neighbour.player", "walk.water", "walk.sand", "collect.stone", "collect.iron"):
        assert revision.theory[rule] == TRUTH[rule]
    before, after = (score(t, TRUTH, DEFAULT) for t in (revision.belief, revision.theory))
    assert before.changes and after.changes and before.overall.f1 and after.overall.f1
    assert before.changes.right == 0 and (after.changes.precision or 0) > 0.7
    assert after.overall.f1 > before.overall.f1 + 0.05


def test_every_change_has_its_reasons(revision: Revision) -> None:
    for change in revision.changes:
        assert change.before == DEFAULT[change.id] and change.after == revision.theory[change.id]
        assert change.because
        for name in change.fields:
            assert any((change.id, name) in conflict.fields for conflict in change.because)


def test_what_is_left_open_stays_as_believed(revision: Revision) -> None:
    report = check(DEFAULT, evidence("all_three"))
    untouched = {f.id for f in report.rules if not f.conflicts}
    assert untouched
    for rule in untouched:
        assert revision.theory[rule] == DEFAULT[rule]


@pytest.mark.slow
@pytest.mark.parametrize("name", bundled_worlds())
def test_the_truth_needs_no_revision(name: str) -> None:
    found = revise(load_world(name), evidence(name))
    assert found.changes == () == found.unexplained
    assert found.theory.digest == load_world(name).digest


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(st.sampled_from(bundled_worlds()), st.integers(0, 2**30), st.integers(1, 6))
def test_no_more_is_changed_than_is_wrong(name: str, seed: int, mistakes: int) -> None:
    truth, random = load_world(name), Random(seed)
    belief = truth
    fixed = ("neighbour", "rename", "creature", "drink") if truth.dynamics == "crafter" else ()
    usual = [f for f in fields(truth) if f[0].partition(".")[0] not in fixed]
    for field in random.sample(usual, mistakes):
        if values := wrong_values(truth, field):
            belief = with_field(belief, field, random.choice(values))
    found = revise(belief, evidence(name))
    assert found.unexplained == ()
    assert len(changed(found)) <= mistakes


def test_a_belief_in_the_other_dialect_is_read_under_that_of_the_play() -> None:
    found = revise(load_world("crafter"), evidence("all_three"))
    assert found.belief.dynamics == found.theory.dynamics == "mars"
    assert found.theory["collect.iron"] == TRUTH["collect.iron"]


def test_what_is_unknown_is_learned_as_far_as_it_shows() -> None:
    belief = Theory.from_world(TRUTH).with_rules(
        Walk(subject="diamond", walkable=UNKNOWN, health=UNKNOWN, deadly=UNKNOWN),
        Walk(subject="lava", walkable=UNKNOWN),
        Collect(
            subject="stone",
            requires=UNKNOWN,
            yields=TRUTH.collect["stone"].yields,
            leaves=Alternatives.of([("path", 0.7), ("sand", 0.2), ("grass", 0.1)]),
        ),
    )
    seen = evidence("all_three")
    lava = any(getattr(s, "material", "") == "lava" for s in seen.signatures)
    theory = revise(belief, seen).theory
    diamond, stone = theory.walk["diamond"], theory.collect["stone"]
    assert (diamond.walkable, diamond.health, diamond.deadly) == (True, 0, False)
    assert stone.leaves == "sand"
    assert lava or theory.walk["lava"].walkable is UNKNOWN
    assert stone.requires == {} or isinstance(stone.requires, Alternatives)


def test_what_nothing_explains_is_told() -> None:
    """Two worlds that disagree cannot both be right."""
    mixed = Evidence.of([*play(load_world("all_three"), range(10)), *play(DEFAULT, range(10))])
    found = revise(DEFAULT, mixed)
    assert ("walk.water",) in {conflict.rules for conflict in found.unexplained}


def test_the_solver_finds_the_fewest_changes() -> None:
    """Against all ways to change one or two fields."""
    seen = evidence("all_three", 1)
    problem = RevisionProblem(DEFAULT, seen)
    least = len(changed(revise(DEFAULT, seen)))
    parts = problem.components()
    assert sum(len(part.claims) for part in parts) == len(problem.claims)
    assert least == sum(_fewest(part) for part in parts)


@pytest.fixture(scope="module")
def gated() -> tuple[World, World, Evidence]:
    """A belief, a truth in which collecting from grass needs something, and play in it."""
    gives: dict[str, Any] = {"yields": {"sapling": 1}, "leaves": "grass"}
    belief, world = (
        DEFAULT.with_rules(Collect(subject="grass", requires=needed, **gives))
        for needed in ({}, {"wood_pickaxe": 1})
    )
    return belief, world, Evidence.of(play(world, range(4)))


@pytest.mark.parametrize("most", [2, 100])
def test_the_shortest_choices_are_listed(gated: tuple[World, World, Evidence], most: int) -> None:
    """Against all changes of one field, where one is enough."""
    belief, _, seen = gated
    problem = RevisionProblem(belief, seen)
    several = 0
    for part in problem.components():
        if _fewest(part) != 1:
            continue
        first = dict.fromkeys(part.fields, 0)
        single = [
            (problem.length(name, k), first | {name: k})
            for name in part.fields
            for k in range(1, len(problem.values[name]))
            if met(part.claims, first | {name: k})
        ]
        least = min(length for length, _ in single)
        shortest = [choice for length, choice in single if length == least]
        rows = part.session(problem.length, CONFLICTS).optima("value", most)
        chosen = [part.choices(each, problem.length) for each in rows]
        found = [
            dict(zip(each, numbers, strict=True))
            for each in chosen
            for numbers in product(*each.values())
        ][:most]
        assert len(found) == min(most, len(shortest))
        assert all(choice in shortest for choice in found)
        several += len(shortest) > 2
    assert several


def test_of_equally_short_revisions_the_one_with_most_reachable_can_be_taken(
    gated: tuple[World, World, Evidence],
) -> None:
    """A sapling that is needed for saplings would never be had."""
    belief, truth, seen = gated
    usual, hopeful = (revise(belief, seen, ties=ties) for ties in TIES)
    problem = RevisionProblem(belief, seen)

    def length(revision: Revision) -> int:
        values = ((f, getattr(revision.theory[f[0]], f[1])) for f in changed(revision))
        return sum(problem.length(f, problem.values[f].index(value)) for f, value in values)

    assert length(usual) == length(hopeful)
    assert usual.theory.collect["grass"].requires == {"sapling": 1}
    assert hopeful.theory.collect["grass"].requires == {"wood_pickaxe": 1}
    assert not prove(usual.theory.to_world()).all_reachable
    assert prove(hopeful.theory.to_world()).all_reachable
    assert revise(truth, seen, ties="reachable").changes == ()


def test_an_unknown_way_to_choose_is_refused() -> None:
    with pytest.raises(InputError, match="ties: there is no 'best'; allowed: usual, reachable"):
        revise(DEFAULT, evidence("default"), ties="best")  # type: ignore[arg-type]


def _fewest(part: Component) -> int:
    """By trying all changes of up to three fields of a part."""
    for n in range(4):
        for some in combinations(part.fields, n):
            for values in product(*(range(1, len(part.problem.values[name])) for name in some)):
                changes = zip(some, values, strict=True)
                if met(part.claims, dict.fromkeys(part.fields, 0) | dict(changes)):
                    return n
    raise AssertionError("more than three changes")


SCRIPT = """
import sys
from tests.theory.play import evidence
from mars_logic import load_world
from mars_logic.theory import revise
from mars_logic.world.dump import to_yaml
found = revise(load_world("default"), evidence("all_three", 3))
print(to_yaml(found.theory))
for change in found.changes:
    print(change.id, *change.because)
"""


@pytest.mark.slow
def test_the_result_does_not_depend_on_hash_seeds() -> None:
    def run(seed: str) -> str:
        arguments = [sys.executable, "-c", SCRIPT]
        environment = {"PYTHONHASHSEED": seed, "PATH": ""}
        done = subprocess.run(
            arguments,
            cwd=REPOSITORY,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            encoding="utf-8",
        )
        return done.stdout

    assert run("1") == run("2") != ""


# --- What no world usually has --------------------------------------------------------------------


def tables_on_grass(times: int) -> Evidence:
    """A table was tried to be placed on grass so often, with all the wood there can be."""
    truth = DEFAULT.with_rules(Place(subject="table", uses={"wood": 1}, where=("water",)))
    full = dict.fromkeys(("wood", "stone", "coal", "iron", "diamond"), 9)
    scene = empty(truth).player(facing=(1, 0), inventory=full)
    place = names.ACTIONS.index("place_table")
    return Evidence.of([by_hand(truth, *[place] * times, scene=scene)])


def test_what_fails_on_grass_leaves_other_grounds_possible() -> None:
    seen, name = tables_on_grass(5), ("place.table", "where")
    found = revise(DEFAULT, seen)
    assert changed(found) == {name}, "with so much at hand, what is used explains nothing"
    assert found.theory.place["table"].where == ("path", "sand") and not found.unexplained
    possible = consequences(DEFAULT, seen).fields[name].possible
    assert ("water", "path", "sand") in possible
    shortest = consequences(DEFAULT, seen).fields[name].shortest
    assert all("grass" not in grounds for grounds in shortest), "else it takes too much to tell"
    only_grass = DEFAULT.with_rules(Place(subject="table", uses={"wood": 1}, where=("grass",)))
    assert revise(only_grass, seen).theory.place["table"].where, "and not nowhere"
    assert ("water",) in consequences(only_grass, seen).fields[name].possible


def test_that_two_items_are_needed_together_is_found() -> None:
    needed = {"stone_pickaxe": 1, "wood_sword": 1}
    rule = DEFAULT.collect["diamond"]
    truth = DEFAULT.with_rules(
        Collect.model_validate(rule.model_dump() | {"requires": needed, "leaves": "diamond"})
    )
    seen = []
    tools = ("wood_pickaxe", "stone_pickaxe", "wood_sword", "stone_sword")
    for held in (tools, tools[:2], tools[2:], ("iron_pickaxe",)):
        scene = empty(truth).fill("diamond", 33, 32)
        scene = scene.player(facing=(1, 0), inventory=dict.fromkeys(held, 1))
        seen.append(by_hand(truth, 5, scene=scene))
    found = revise(DEFAULT, seen, about=[("collect.diamond", "requires")])
    after = found.theory.collect["diamond"]
    assert not found.unexplained and len(after.requires) == 2
    assert "wood_sword" in after.requires or "stone_sword" in after.requires
    possible = consequences(DEFAULT, seen).fields["collect.diamond", "requires"].possible
    assert needed in possible


def test_a_drink_that_yields_and_adds_is_fitted_as_a_whole() -> None:
    truth = DEFAULT.with_rules(Drink(subject="water", drink=2))
    scene = empty(truth).fill("water", 33, 32).player(facing=(1, 0), inventory={"drink": 2})
    drinking = by_hand(truth, 5, 5, 5, scene=scene)
    found = revise(DEFAULT, Evidence.of([drinking]), about=[("drink.water", "drink")])
    assert found.theory.drink["water"] == truth.drink["water"]
    assert changed(found) == {("drink.water", "drink")} and not found.unexplained


@pytest.mark.parametrize(("health", "drink"), [(3, 2), (8, 8)])
def test_what_eating_does_is_fitted_though_limits_hide_a_part_of_it(
    health: int, drink: int
) -> None:
    cow = {"eatable": True, "walks": True, "eaten_health_factor": 2, "eaten_drink_factor": 3}
    truth = DEFAULT.with_rules(Creature(subject="cow", **cow))
    own = {"health": health, "drink": drink, "iron_sword": 1}
    scene = empty(truth).put("cow", 33, 32, health=3).player(facing=(1, 0), inventory=own)
    found = revise(DEFAULT, Evidence.of([by_hand(truth, 5, 0, scene=scene)]))
    rule = found.theory.creature["cow"]
    assert not found.unexplained
    hidden = health == 8
    assert rule.eaten_health_factor == (1 if hidden else 2)
    assert rule.eaten_drink_factor == (1 if hidden else 3)
    assert rule.attacks is False
