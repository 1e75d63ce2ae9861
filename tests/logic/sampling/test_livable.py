"""Sampled worlds in which the player can live on, and which hold as much as everything uses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.logic.sampling import ImpossibleError, Request, Sampler, conflict
from mars_logic.logic.sampling.problem import SamplingProblem
from mars_logic.logic.sampling.space import Space
from mars_logic.logic.sustainability import Livelihood, upkeep
from mars_logic.world import names
from mars_logic.world.theory import World

SUSTAINED = [f"sustained({vital})" for vital in names.VITALS]
DRY = "Collecting from water needs nothing, yields 1 drink and leaves sand."
BITTER = "Drinking water gives 1 drink but costs 3 health besides what it yields."
DEADLY_GRASS = (
    "Grass can be walked on; any move on it kills the player.",
    "Collecting from a tree needs nothing, yields 1 wood and leaves it as it is.",
    "Trees stand in open land of sand.",
    "The player starts in an area of sand.",
    "Water is surrounded by sand.",
    "Coal is surrounded by path.",
    "Iron is surrounded by path.",
    "Lava is surrounded by stone.",
    "Diamond is surrounded by grass.",
)
"""Saplings come from grass alone, which lies inside mountains, and kills whoever turns to it."""


def livelihood(world: World) -> Livelihood:
    return upkeep(ReachabilityModel(world)).verdict


def verdicts(request: Request, seed: int, numbers: Iterable[int]) -> set[Livelihood]:
    sampler = Sampler(request)
    return {livelihood(sampler.draw(seed, number).world) for number in numbers}


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"difficulty": (5, 15)},
        {"certainty": "almost_sure"},
        {"changes": ["survival"]},
        {"changes": ["task"]},
    ],
    ids=str,
)
def test_the_player_can_live_on_in_every_world(asked: dict[str, Any]) -> None:
    assert verdicts(Request.of(**asked), 2026, range(8)) == {"sustainable"}


@pytest.mark.long
def test_the_player_can_live_on_in_two_hundred_worlds() -> None:
    assert verdicts(Request.of(), 31, range(200)) == {"sustainable"}


@pytest.mark.slow
def test_a_balance_is_found_where_a_proof_finds_one() -> None:
    """Nothing is thrown away in which a proof says that the player can live on."""
    free = Sampler(Request.of(livable=False))
    problems: dict[tuple[str, ...], SamplingProblem] = {}
    seen = set()
    for number in range(20):
        sample = free.draw(80, number)
        named = sample.modifications
        if named not in problems:
            problems[named] = SamplingProblem(Space.of(named), Request(), relaxed=True)
        problem = problems[named]
        state = {rule: problem.space.variant(sample.world[rule]) for rule in problem.variants}
        found = {rule: variant for rule, variant in state.items() if variant is not None}
        assert len(found) == len(state)
        verdict = livelihood(sample.world)
        assert problem.upholds(SUSTAINED, found) == (verdict == "sustainable"), number
        seen.add(verdict)
    assert seen == {"sustainable", "unknown", "unsustainable"}


@pytest.mark.parametrize(
    ("asked", "digests"),
    [
        ({}, ("fdac4057142fef39", "9a62cbfe8f5b1943", "4b6fa01004cf47e3")),
        (
            {"difficulty": (5, 15)},
            ("e31d05617b0f0d40", "22e7139154611ffa", "1636ae04e2e694f2"),
        ),
        (
            {"changes": ["survival"]},
            ("acecfff8cb52742d", "eac081a5cf92e0ea", "43223bfc8f7265fd"),
        ),
    ],
    ids=str,
)
def test_worlds_that_need_not_be_livable_stay_what_they_were(
    asked: dict[str, Any], digests: tuple[str, ...]
) -> None:
    """Published results were played in such worlds."""
    sampler = Sampler(Request.of(livable=False, **asked))
    found = [sampler.draw(1000, number).world.digest for number in range(len(digests))]
    assert tuple(digest[:16] for digest in found) == digests


def test_what_keeps_the_player_from_living_on_is_told() -> None:
    request = Request.of(["crafting"], must=[DRY])
    with pytest.raises(ImpossibleError):
        Sampler(request).draw(0, 0)
    found = conflict(request)
    assert found.principles == ("sustained(drink)", "must(0)")
    assert found.words == (
        "what never runs dry brings back as much drink as living on takes",
        f"must: {DRY}",
    )
    assert Sampler(Request.of(["crafting"], must=[DRY], livable=False)).draw(0, 0)


def test_vitals_are_balanced_together() -> None:
    """Thirst is quenched, or health is kept up; no drinking does both."""
    request = Request.of(["crafting"], must=[BITTER])
    assert set(conflict(request).principles) == {
        "sustained(drink)",
        "sustained(health)",
        "must(0)",
    }


def test_cells_that_the_player_does_not_come_up_to_supply_nothing() -> None:
    request = Request.of(["neighbours", "effects"], must=DEADLY_GRASS)
    with pytest.raises(ImpossibleError):
        Sampler(request).draw(0, 0)
    assert "unlock(collect_sapling)" in conflict(request).principles
    assert Sampler(Request.of(["neighbours", "effects"], must=DEADLY_GRASS, livable=False)).draw(
        0, 0
    )


@pytest.mark.parametrize(("trees", "enough"), [(2, True), (9, False)])
def test_supply_refutes_what_takes_more_than_there_is(trees: int, enough: bool) -> None:
    """Wood comes only from iron, which is used up, and of which an ordinary map holds 7 cells."""
    told = [
        "Collecting from iron needs nothing, yields 1 wood and leaves a path.",
        "Collecting from a tree needs nothing, yields 1 iron and leaves grass.",
        "Collecting from stone needs nothing, yields 1 stone and leaves a path.",
        "Making a stone pickaxe uses 1 stone and needs a table nearby.",
        "Making a stone sword uses 1 stone and needs a table nearby.",
        "Making an iron pickaxe uses 1 iron and needs a table nearby.",
        "Making an iron sword uses 1 iron and needs a table nearby.",
        "Collecting from coal needs a stone pickaxe, yields 1 coal and leaves a path.",
        "Collecting from diamond needs an iron pickaxe and a wood pickaxe, yields 1 diamond "
        "and leaves a path.",
        f"Placing a table uses {trees} wood and works on grass, sand or path.",
    ]
    request = Request.of(["drinks"], must=told)
    problem = SamplingProblem(Space.of(["drinks"], request.must), request, relaxed=True)
    every = problem.principles
    assert problem.upholds(every) == enough
    assert problem.upholds(name for name in every if name != "supply(wood)")


@pytest.mark.slow
def test_there_is_enough_for_all_achievements_together() -> None:
    """One plan for all of them has numbers that balance."""
    sampler = Sampler(Request.of())
    for number in (*range(7), 144):
        world = sampler.draw(4242, number).world
        assert ReachabilityModel(world).fewest_for_all(world.achievements, "finite_chance"), number
