from __future__ import annotations

import pytest

from mars_logic import load_world
from mars_logic.logic.sampling.modifications import CHANGES, MODIFICATIONS, combinations
from mars_logic.logic.sampling.problem import SamplingProblem
from mars_logic.logic.sampling.request import Request
from mars_logic.logic.sampling.space import Space
from mars_logic.world.theory import World

EVERY = combinations(CHANGES)
RELEASED = ("terrain", "task_dep", "terr_task", "surv_task")
"""The other three hold values without effect, or order shares otherwise than sampled worlds do."""


def test_alternatives_are_never_together() -> None:
    assert len(EVERY) == 6
    for names in EVERY:
        alternatives = [MODIFICATIONS[name].instead_of for name in names]
        ways = [way for way in alternatives if way]
        assert len(set(ways)) == len(ways) == 2


@pytest.mark.parametrize("names", EVERY, ids="-".join)
def test_the_base_is_valid_and_comes_first(names: tuple[str, ...]) -> None:
    space = Space.of(names)
    usual = {rule: variants[0] for rule, variants in space.variants.items()}
    world = space.world(usual, "usual")
    assert world == load_world("default")
    problem = SamplingProblem(space, Request())
    assert problem.works(usual, None)


@pytest.mark.slow
@pytest.mark.parametrize("names", EVERY, ids="-".join)
def test_variants_differ_in_what_the_game_shows(names: tuple[str, ...]) -> None:
    space = Space.of(names)
    usual = {rule: variants[0] for rule, variants in space.variants.items()}
    for rule, variants in space.variants.items():
        if rule.startswith("rename."):
            continue  # whether a change of places shows depends on other rules
        digests = {space.world(usual | {rule: v}, "one").digest for v in variants[:60]}
        assert len(digests) == min(60, len(variants)), rule


def test_a_rule_of_the_space_is_found_again() -> None:
    space = Space.of(EVERY[0])
    for rule, variants in space.variants.items():
        for variant in variants[::37]:
            world = space.world({rule: variant}, "one")
            assert space.variant(world[rule]) == variant


@pytest.mark.parametrize("name", RELEASED)
def test_released_worlds_lie_in_the_space(name: str) -> None:
    world = load_world(name)
    assert any(_holds(Space.of(names), world) for names in EVERY)


def _holds(space: Space, world: World) -> bool:
    found = {rule: space.variant(world[rule]) for rule in space.variants}
    state = {rule: variant for rule, variant in found.items() if variant is not None}
    return len(state) == len(found) and SamplingProblem(space, Request()).works(state, None)
