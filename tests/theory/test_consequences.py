"""What is certain and what is open, against all theories one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from math import prod
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import bundled_worlds, load_world
from mars_logic.logic.solve import LimitReachedError
from mars_logic.theory import Consequences, Evidence, Remaining, consequences, revise
from mars_logic.theory.claims import Field
from mars_logic.theory.problem import Component, RevisionProblem, met
from mars_logic.theory.value_phrasing import tell_certain, tell_open
from mars_logic.world.rules import Walk
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN
from tests.theory.play import evidence, play

DEFAULT = load_world("default")
WORLDS = [name for name in bundled_worlds() if load_world(name).dynamics == "mars"]
Choice = dict[Field, int]
_MOST = 3000
"""More choices than these are not tried one by one."""


def some_of(seen: Evidence, seed: int, rows: int) -> Evidence:
    """A part of the evidence, drawn at random."""
    numbers = sorted(Random(seed).sample(range(len(seen.rows)), min(rows, len(seen.rows))))
    return seen.of_rows(seen.rows[np.array(numbers, np.int64)])


def best(component: Component, cost: Callable[[Choice], tuple[int, ...]]) -> Iterator[Choice]:
    """Every choice of values that costs least."""
    numbers = (range(len(component.problem.values[name])) for name in component.fields)
    costs = [
        (cost(choice), choice)
        for values in product(*numbers)
        for choice in [dict(zip(component.fields, values, strict=True))]
    ]
    least = min(each for each, _ in costs)
    return (choice for each, choice in costs if each == least)


def values_in(
    problem: RevisionProblem, name: Field, choices: Iterable[Choice]
) -> tuple[object, ...]:
    numbers = sorted({choice[name] for choice in choices})
    return tuple(problem.values[name][k] for k in numbers)


@pytest.mark.long
@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from(WORLDS),
    st.sampled_from(["default", "all_three", "unknown"]),
    st.integers(0, 2**30),
    st.integers(1, 40),
)
def test_it_is_what_all_theories_have_in_common(
    name: str, believed: str, seed: int, rows: int
) -> None:
    belief = Theory.unknown("mars") if believed == "unknown" else load_world(believed)
    seen = some_of(evidence(name, 3), seed, rows)
    problem = RevisionProblem(belief, seen)
    found = consequences(belief, seen)
    for component in problem.components():
        if prod(len(problem.values[each]) for each in component.fields) > _MOST:
            continue

        def unmet(choice: Choice, component: Component = component) -> tuple[int, ...]:
            left = (each for each in component.claims if not met([each], choice))
            return (sum(problem.claims[each] for each in left),)

        def told(
            choice: Choice, unmet: Callable[[Choice], tuple[int, ...]] = unmet
        ) -> tuple[int, ...]:
            return (*unmet(choice), sum(problem.length(*part) for part in choice.items()))

        consistent, shortest = [*best(component, unmet)], [*best(component, told)]
        for field in component.fields:
            if len(problem.values[field]) > 1:
                remaining = found.fields[field]
                assert remaining.possible == values_in(problem, field, consistent)
                assert remaining.shortest == values_in(problem, field, shortest)


@pytest.mark.parametrize("name", ["default", "terr_surv", "all_three"])
def test_the_truth_is_never_excluded(name: str) -> None:
    truth = load_world(name)
    found = consequences(truth, evidence(name))
    assert found.certain
    for (rule, field), remaining in found.fields.items():
        value = getattr(truth[rule], field)
        assert value in remaining.possible and remaining.shortest == (value,)
        assert set(map(str, remaining.possible)).isdisjoint(map(str, remaining.excluded))


@pytest.mark.slow
def test_a_revision_agrees_with_it() -> None:
    seen = evidence("all_three")
    found, theory = consequences(DEFAULT, seen), revise(DEFAULT, seen).theory
    for (rule, field), remaining in found.fields.items():
        assert getattr(theory[rule], field) in remaining.possible
    changed = [
        name for name in found.certain if getattr(DEFAULT[name[0]], name[1]) != found.certain[name]
    ]
    assert ("collect.stone", "leaves") in changed


def test_what_nothing_explains_excludes_not_everything() -> None:
    mixed = Evidence.of([*play(load_world("all_three"), range(6)), *play(DEFAULT, range(2))])
    found = consequences(DEFAULT, mixed)
    assert all(remaining.possible and remaining.shortest for remaining in found.fields.values())


def test_what_nothing_was_seen_of_is_not_spoken_of() -> None:
    seen = some_of(evidence("default"), 0, 0)
    assert consequences(DEFAULT, seen).fields == {}


def test_a_search_that_is_given_up_says_so() -> None:
    with pytest.raises(LimitReachedError):
        consequences(DEFAULT, evidence("all_three"), conflicts=1)


def test_it_can_be_told() -> None:
    belief = Theory.from_world(DEFAULT).with_rules(Walk(subject="sand", walkable=UNKNOWN))
    needed: tuple[dict[str, int], ...] = ({}, {"sapling": 1}, {"wood_pickaxe": 1})
    found = Consequences(
        belief,
        {
            ("walk.sand", "walkable"): Remaining((True, False), (True,), (True,)),
            ("walk.sand", "health"): Remaining((0, -1, 1), (0,), (0,)),
            ("collect.iron", "requires"): Remaining(needed, needed[1:], needed[1:2]),
            ("collect.iron", "leaves"): Remaining(("path", "tree"), ("path", "tree"), ("path",)),
            ("walk.iron", "health"): Remaining(tuple(range(9)), tuple(range(8)), (0,)),
        },
    )
    assert [*tell_certain(found.certain)] == ["walk.sand: walkable yes; health 0"]
    assert [*tell_open(found.open)] == [
        "collect.iron: requires 1 sapling | 1 wood pickaxe",
        "walk.iron: health one of 8 values of 9",
    ]
    plain = found.to_json()
    assert plain["certain"] == {"walk.sand.walkable": True, "walk.sand.health": 0}
    assert plain["open"]["collect.iron.requires"] == {
        "possible": [{"sapling": 1}, {"wood_pickaxe": 1}],
        "shortest": [{"sapling": 1}],
        "excluded": [{}],
    }
