"""Assertions judged jointly: against all theories one by one, and against consequences."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from math import prod
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import bundled_worlds, load_world
from mars_logic.theory import Consequences, Evidence, consequences
from mars_logic.theory.claims import Field
from mars_logic.theory.component_solver import Assertion, hitting_set
from mars_logic.theory.joint import JointModel, asserted
from mars_logic.theory.problem import Component, met
from mars_logic.world.theory import Theory, World
from tests.theory.play import evidence, play
from tests.theory.test_consequences import some_of
from tests.theory.worlds import random_world

WORLDS = [name for name in bundled_worlds() if not name.endswith("_paper")]
ABOUT_HEALTH = (
    *("health", "deadly", "eaten_health_factor", "attacks", "attack_health_factor"),
    *("shoots", "arrow_health_factor"),
)
_MOST = 1000
"""More choices than these are not tried one by one."""


def single_claims(found: Consequences) -> Iterator[tuple[Field, Any]]:
    """Every value that consequences considered, of every field."""
    for name, remaining in found.fields.items():
        for value in remaining.candidates:
            yield name, value


@cache
def considered(name: str) -> tuple[Evidence, Consequences]:
    seen = evidence(name, 6)
    return seen, consequences(Theory.unknown(seen.dynamics), seen)


# --- Against all theories -----------------------------------------------------------------------


def unexplained(component: Component, choice: dict[Field, int]) -> int:
    claims = component.problem.claims
    return sum(claims[each] for each in component.claims if not met([each], choice))


def choices(component: Component) -> Iterator[dict[Field, int]]:
    numbers = (range(len(component.problem.values[name])) for name in component.fields)
    for values in product(*numbers):
        yield dict(zip(component.fields, values, strict=True))


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(WORLDS),
    st.integers(0, 2**30),
    st.integers(1, 60),
    st.integers(1, 3),
)
def test_it_is_so_of_all_theories(name: str, seed: int, rows: int, size: int) -> None:
    seen, random = some_of(evidence(name, 3), seed, rows), Random(seed)
    everything = JointModel(seen, [dict.fromkeys(considered(name)[1].fields, ())])
    for component in everything.problem.components():
        fields = random.sample(component.fields, min(size, len(component.fields)))
        claim = {f: (random.choice(everything.problem.values[f]),) for f in fields}
        model = JointModel(seen, [claim])
        (same,) = (c for c in model.problem.components() if fields[0] in c.fields)
        if prod(len(model.problem.values[each]) for each in same.fields) > _MOST:
            continue
        held: dict[bool, int] = {}
        without: dict[Field, int] = {}
        for choice in choices(same):
            left = unexplained(same, choice)
            differ = [f for f in fields if model.problem.values[f][choice[f]] not in claim[f]]
            held[not differ] = min(left, held.get(not differ, left))
            for field in differ:
                without[field] = min(left, without.get(field, left))
        judged, least = model.judge(claim), min(held.values())
        assert judged.against == held[True] - least
        assert judged.excluded == (held[True] > least)
        for field in fields:
            standing = judged.fields[field]
            if standing.possible:
                assert standing.certain == (without[field] > least)
                assert standing.support == (without[field] - least)
        if judged.excluded and not least:
            having = [
                c
                for c in choices(same)
                if all(model.problem.values[f][c[f]] in claim[f] for f in fields)
            ]
            assert len(judged.excluded_by) == fewest(same, having)


def fewest(component: Component, having: list[dict[Field, int]]) -> int:
    """How many things seen it takes so that each choice leaves one of them unexplained."""
    own = set(component.claims)
    seen = [{each for each in claims if each in own} for claims in component.problem.sources]
    left = []
    for choice in having:
        unmet = {each for each in own if not met([each], choice)}
        left.append({n for n, claims in enumerate(seen) if claims & unmet})
    for size in range(1, 4):
        for chosen in combinations(range(len(seen)), size):
            if all(not each.isdisjoint(chosen) for each in left):
                return size
    raise AssertionError("it takes more than three")


# --- Against consequences -----------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_every_claim_about_one_field_agrees_with_consequences(name: str) -> None:
    seen, found = considered(name)
    claims = [*single_claims(found)]
    model = JointModel(seen, [{field: (value,)} for field, value in claims], near=False)
    assert len(claims) > 300
    for field, value in claims:
        judged, remaining = model.judge({field: (value,)}), found.fields[field]
        assert judged.excluded == (value not in remaining.possible)
        assert judged.certain == (remaining.possible == (value,))
        assert judged.verdict == "untested" or judged.fields[field].told


def pairs_possible(model: JointModel, field: Field, k: int) -> set[tuple[Field, int]]:
    """The values that go with one value of a field, by clingo's brave consequences."""
    (component,) = (c for c in model.problem.components() if field in c.fields)
    session = component.session(None, 200_000)
    number = component.fields.index(field)
    (own,) = (n for n, members in enumerate(component.classes[field]) if k in members)
    session.add(f":- not value({number},{own}).")
    rows = ((component.fields[int(f)], int(n)) for f, n in session.possible("value"))
    return {(name, member) for name, n in rows for member in component.classes[name][n]}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["surv_task", "terr_surv", "crafter"])
def test_claims_about_two_fields_agree_with_what_goes_together(name: str) -> None:
    two_fields_agree(name, share=0.05)


@pytest.mark.long
@pytest.mark.parametrize("name", WORLDS)
def test_every_claim_about_two_fields_agrees(name: str) -> None:
    two_fields_agree(name, share=1.0)


def two_fields_agree(name: str, share: float) -> None:
    seen, found = considered(name)
    model = JointModel(seen, [dict.fromkeys(found.fields, ())])
    values, random, tried = model.problem.values, Random(1), 0
    for component in model.problem.components():
        for one in component.fields:
            for k, value in enumerate(values[one]):
                if random.random() > share or not model.possible({one: (value,)}):
                    continue
                together = pairs_possible(model, one, k)
                for other in component.fields:
                    for m, another in enumerate(values[other]) if other != one else ():
                        claim = {one: (value,), other: (another,)}
                        assert model.possible(claim) == ((other, m) in together), claim
                        tried += 1
    assert tried > 100


# --- Against the truth --------------------------------------------------------------------------


def true_claims(world: World) -> list[Assertion]:
    return [{name: values} for rule in world.rules() for name, values in asserted(rule).items()]


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_no_true_claim_is_excluded(name: str) -> None:
    world = load_world(name)
    for seen in (evidence(name, 20), evidence(name, 10, random=True)):
        whole: Assertion = {k: v for claim in true_claims(world) for k, v in claim.items()}
        judged = JointModel(seen, [whole]).judge(whole)
        assert not judged.excluded, judged.excluded_by


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**30))
def test_in_any_world_no_true_value_is_excluded(seed: int) -> None:
    """Other fields may have values that are no candidates, however unusual the world is.

    But for effects on health: unusual ones are candidates only where usual ones explain nothing.
    """
    world = random_world(seed)
    seen = Evidence.of(play(world, range(seed, seed + 3)))
    found = consequences(Theory.unknown(world.dynamics), seen)
    model = JointModel(seen, [dict.fromkeys(found.fields, ())], near=False)
    for (rule, name), remaining in found.fields.items():
        if name not in ABOUT_HEALTH and not model.unexplained((rule, name)):
            assert getattr(world[rule], name) not in remaining.excluded, (rule, name)


@pytest.mark.parametrize("name", WORLDS)
def test_no_false_claim_is_supported(name: str) -> None:
    """Not even where the true value is no candidate: the values nearest to a claim are."""
    world, (seen, found) = load_world(name), considered(name)
    for (rule, field), value in found.certain.items():
        if getattr(world[rule], field) != value:
            claim = {(rule, field): (value,)}
            assert not JointModel(seen, [claim]).judge(claim).certain, claim


# --- Explanations -------------------------------------------------------------------------------


def test_what_excludes_a_claim_is_told_by_a_few_observations() -> None:
    seen, found = considered("terr_surv")
    claims = [{field: (value,)} for field, value in single_claims(found)]
    model, sizes = JointModel(seen, claims, near=False), set()
    for claim in Random(1).sample(claims, 120):
        judged = model.judge(claim)
        sizes.add(len(judged.excluded_by))
        assert judged.excluded == bool(judged.excluded_by) == bool(judged.blamed)
    assert {0, 1} <= sizes and max(sizes) <= 4


@given(st.lists(st.frozensets(st.integers(0, 6), min_size=1), max_size=6))
def test_a_hitting_set_hits_all_and_is_smallest(sets: list[frozenset[int]]) -> None:
    found = hitting_set(sets, range(7))
    assert all(each.intersection(found) for each in sets)
    for fewer in combinations(range(7), len(found) - 1) if found else ():
        assert not all(each.intersection(fewer) for each in sets)
