from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from itertools import product
from random import Random

import pytest

from mars_logic import World, load_world
from mars_logic.benchmarks.sampling import (
    SMALL,
    distance,
    everything,
    marginals,
    small,
    weight,
)
from mars_logic.logic import Proof, prove
from mars_logic.logic.sampling import (
    ImpossibleError,
    Request,
    Sampler,
    conflict,
    sample,
    sampler,
)
from mars_logic.logic.sampling.chain import Chain
from mars_logic.logic.sampling.problem import SamplingProblem
from mars_logic.logic.sampling.sampler import MOVES
from mars_logic.logic.sampling.space import Space, Variant
from mars_logic.world.dump import to_yaml
from mars_logic.world.words import parse

NO_DIAMONDS = "Collecting from diamond needs nothing, yields 1 coal and leaves a path."
MOST_DISTANT = 0.1
SAMPLES = 1000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("difficulty", "worlds"),
    [
        pytest.param(None, 12, marks=pytest.mark.slow),
        pytest.param((6, 14), 12, marks=pytest.mark.slow),
        pytest.param(None, 50, marks=pytest.mark.long),
        pytest.param((6, 14), 50, marks=pytest.mark.long),
    ],
)
def test_every_sampled_world_is_proved(difficulty: tuple[int, int] | None, worlds: int) -> None:
    sampler = Sampler(Request.of(difficulty=difficulty))
    for number in range(worlds):
        found = sampler.draw(1, number, proved=True)
        proof = prove(found.world)
        lost = {a: v for a, v in proof.achievements.items() if v.verdict != "reachable"}
        assert not lost, to_yaml(found.world)


def test_a_rejected_world_is_proved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def refuse(world: World, _: str = "") -> bool:
        asked.append(world.digest)
        return len(asked) > 9

    def prove_or_refuse(world: World) -> Proof | str:
        assert asked == [] or asked[-1] == world.digest
        return prove(world) if refuse(world) else "collect_diamond"

    monkeypatch.setattr(sampler, "is_proved_reachable", refuse)
    monkeypatch.setattr(sampler, "prove_all_reachable", prove_or_refuse)
    drawn = Sampler(Request.of(["terrain"], livable=False)).draw(0, 0, proved=True)
    assert drawn.world.digest == asked[-1] and drawn.proof is not None
    assert len(asked) == 11 and len({*asked}) == 10


@pytest.mark.slow
def test_the_chain_soon_moves_on_from_a_world_that_cannot_be_proved() -> None:
    """Of this one, with 15 achievements of which no plan can be ordered, that took minutes."""
    found = Sampler(Request.of(livable=False)).draw(11, 38, proved=True)
    assert prove(found.world).all_reachable


@pytest.mark.slow
@pytest.mark.parametrize("certainty", ["almost_sure", "sure"])
def test_the_certainty_asked_for_is_proved(certainty: str) -> None:
    request = Request.of(certainty=certainty, difficulty=(3, 6))  # type: ignore[arg-type]
    if certainty == "sure":  # saplings and creatures are always a matter of luck
        with pytest.raises(ImpossibleError):
            Sampler(request).draw(0, 0)
        return
    for found in sample(request, count=10, seed=0):
        verdicts = prove(found.world).achievements.values()
        assert {verdict.certainty for verdict in verdicts} <= {"sure", "almost_sure"}


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_fields_are_distributed_as_by_rejection(name: str) -> None:
    """Also where one world in a hundred is valid."""
    problem = small(name)
    valid = [state for state in everything(problem) if problem.works(state, None)]
    assert 10 < len(valid) < len(everything(problem)) / 2
    wanted = marginals(problem, [(state, weight(problem, state)) for state in valid])
    drawn = []
    for number in range(SAMPLES):
        chain = Chain(problem, None, Random(f"distribution {number}"))
        for _ in range(MOVES):
            chain.move()
        assert problem.works(chain.state, None)
        drawn.append((chain.state, 1.0))
    found = marginals(problem, drawn)
    assert max(distance(wanted[field], found[field]) for field in wanted) <= MOST_DISTANT


def test_a_chain_reaches_every_valid_world() -> None:
    problem = small("crafting")
    valid = [state for state in everything(problem) if problem.works(state, None)]
    chain = Chain(problem, None, Random(0))
    seen = set()
    for _ in range(1500):
        chain.move()
        seen.add(tuple(sorted(chain.state.items())))
    assert seen == {tuple(sorted(state.items())) for state in valid}


@pytest.mark.parametrize("name", SMALL)
def test_the_worlds_that_differ_in_some_fields_are_all_found(name: str) -> None:
    problem = small(name)
    state = Chain(problem, None, Random(3)).state
    open_ = Random(4).sample(list(problem.variants), 2)
    among = {rule: problem.variants[rule] for rule in open_}
    found = problem.worlds(state, None, among)
    every = [dict(zip(among, chosen, strict=True)) for chosen in product(*among.values())]
    valid = [chosen for chosen in every if problem.works({**state, **chosen}, None)]
    assert {rule: state[rule] for rule in open_} in found
    assert sorted(map(_in_order, found)) == sorted(map(_in_order, valid))


def _in_order(state: Mapping[str, Variant]) -> list[tuple[str, Variant]]:
    return sorted(state.items())


@pytest.mark.parametrize("difficulty", [1, 4])
def test_difficulty_is_exact(difficulty: int) -> None:
    for found in sample(Request.of(["survival"], difficulty), count=5, seed=0):
        assert found.difficulty == difficulty


def test_a_range_of_difficulties_is_used() -> None:
    request = Request.of(["drinks", "effects"], (2, 4))
    assert {found.difficulty for found in sample(request, count=20, seed=0)} == {2, 3, 4}


def test_only_what_may_change_changes() -> None:
    for found in sample(Request.of(["drinks", "tools"]), count=5, seed=0):
        base = found.world.base
        assert base == load_world("default")
        for rule in found.world.rules():
            was = base[rule.id]
            if rule.family == "collect":
                assert rule.model_copy(update={"requires": was.requires}) == was  # type: ignore[attr-defined]
            elif rule.family != "drink":
                assert rule == was


def test_of_alternatives_one_is_drawn() -> None:
    seen = {found.modifications[0] for found in sample(Request.of(["terrain"]), 12, seed=0)}
    assert seen == {"neighbours", "renaming"}


def test_a_world_does_not_depend_on_those_before_it() -> None:
    request = Request.of(["terrain", "survival"])
    together = [found.world.digest for found in sample(request, count=4, seed=5)]
    alone = [Sampler(request).draw(5, number).world.digest for number in reversed(range(4))]
    assert together == alone[::-1]
    assert len(set(together)) == 4


@pytest.mark.slow
def test_the_same_worlds_in_any_process() -> None:
    program = (
        "from mars_logic.logic.sampling import Request, sample\n"
        "print(*(s.world.digest for s in sample(Request.of(), count=3, seed=9)))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            encoding="utf-8",
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(found) == 1


def test_must_and_forbid() -> None:
    zombie = "A zombie can be eaten, which gives 6 food; it wanders about."
    water = "Water can be walked on."
    request = Request.of(["survival", "effects"], must=[zombie], forbid=[water])
    for found in sample(request, count=5, seed=0):
        assert found.world["creature.zombie"] == parse(zombie)
        assert found.world["walk.water"] != parse(water)


def test_what_must_hold_may_be_new_to_the_paper() -> None:
    told = "Placing a table uses 3 wood and 1 sapling, and works on grass or sand."
    found = Sampler(Request.of(["drinks"], 2, must=[told])).draw(0, 0)
    assert found.world["place.table"] == parse(told)
    assert found.difficulty == 2


def test_a_forbidden_rule_goes_whatever_else_stays() -> None:
    request = Request.of(
        ["drinks"], forbid=["Drinking water gives 1 drink besides what it yields."]
    )
    worlds = [found.world for found in sample(request, count=8, seed=0)]
    assert all(world["drink.water"] != load_world("default")["drink.water"] for world in worlds)


def core(**request: object) -> tuple[str, ...]:
    asked = Request.of(**request)  # type: ignore[arg-type]
    with pytest.raises(ImpossibleError):
        Sampler(asked).draw(0, 0)
    return conflict(asked).principles


def test_an_impossible_request_is_explained() -> None:
    assert set(core(changes=["terrain"], must=[NO_DIAMONDS])) == {"useful(iron_pickaxe)", "must(0)"}
    usual = "Collecting from a tree needs nothing, yields 1 wood and leaves grass."
    assert core(changes=["survival"], forbid=[usual]) == ("forbid(0)",)
    assert core(changes=["drinks"], difficulty=3) == ("difficulty(3)",)
    assert core(changes=["crafting"], difficulty=1) == ("flammability", "difficulty(1)")
    twice = ["Water can be walked on.", "Water cannot be walked on."]
    assert core(changes=["drinks"], must=twice) == ("must(0)", "must(1)")


def test_every_part_of_an_explanation_counts() -> None:
    request = Request.of(["survival"], must=["Grass cannot be walked on."])
    found = conflict(request)
    problem = SamplingProblem(Space.of(found.modifications, request.must), request, relaxed=True)
    assert not problem.upholds(found.principles)
    for name in found.principles:
        assert problem.upholds(other for other in found.principles if other != name)
    assert len(found.words) == len(found.principles)


def test_a_possible_request_has_no_conflict() -> None:
    with pytest.raises(ValueError, match="possible"):
        conflict(Request.of(["drinks"]))
