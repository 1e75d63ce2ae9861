"""Worlds of made-up names."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.errors import InputError
from mars_logic.experiments.proving import execute, prove
from mars_logic.logic.sampling import MadeUp, MadeUpSampler
from mars_logic.logic.sampling.folder import SampleFolder
from mars_logic.world.diff import diff
from mars_logic.world.dump import to_yaml
from mars_logic.world.known_names import require_plannable
from mars_logic.world.load import parse_theory
from mars_logic.world.theory import World
from mars_logic.world.vocabulary import vocabulary
from mars_logic.world.words import parse, tell

PLAYED = ("creatures", "needs", "timers")
"""Kinds of rules that the planner knows."""
KINDS = (*PLAYED, "beside", "push", "projectiles")


@st.composite
def _requests(draw: st.DrawFn) -> MadeUp:
    life = draw(st.lists(st.sampled_from(KINDS), unique=True))
    names = draw(st.integers(9, 28 if len(life) > 3 else 29))
    resources, number = max(5, names // 3), max(1, names // 6)
    most = names + (names - resources - number) + 2 * resources
    twice = len({"creatures", "timers", "beside", "push"}.intersection(life))
    goals = number * (2 * twice + ("projectiles" in life))
    return MadeUp(names, draw(st.integers(names, min(most, 64 - goals))), tuple(life))


def _drawn(request: MadeUp, seed: int) -> World:
    return MadeUpSampler(request).draw(seed, 0).world


@settings(deadline=None, max_examples=25)
@given(_requests(), st.integers(0, 10**6))
def test_there_are_as_many_names_and_rules_as_asked_for(request: MadeUp, seed: int) -> None:
    world = _drawn(request, seed)
    words, usual = world.vocabulary, vocabulary("mars")
    added = {*words.materials, *words.items} - {*usual.materials, *usual.items}
    grounds = 5
    creatures, needs, *crops, shots = map(request.number_of, KINDS)
    assert len(words.added_creatures) == creatures and len(words.added_needs) == needs
    assert [len(some) for some in (world.timer, world.beside, world.push)] == crops
    assert len(world.shoot) == len(words.added_projectiles) == shots
    assert len(added) == request.names + grounds + creatures + needs + 3 * sum(crops)
    assert len(world.achievements) == request.rules + 2 * (creatures + sum(crops)) + shots


@settings(deadline=None, max_examples=25)
@given(_requests(), st.integers(0, 10**6))
def test_nothing_is_free_and_everything_serves(request: MadeUp, seed: int) -> None:
    world = _drawn(request, seed)
    own = {goal.partition("_")[2] for goal in world.achievements}
    made = [rule for name, rule in world.make.items() if name in own]
    placed = [rule for name, rule in world.place.items() if name in own]
    assert all(rule.uses for rule in made)
    assert all(rule.uses for rule in placed)
    shot = [*world.shoot.values()]
    assert all(rule.uses for rule in shot)
    for rules in (made, placed, shot):
        taken = [dict(rule.uses) for rule in rules]
        assert all(taken.count(each) == 1 for each in taken)
    returned = [rule for rule in placed if rule.subject in rule.uses]
    stations = [rule for rule in placed if rule not in returned]
    used = {item for rule in (*made, *stations, *shot) for item in rule.uses}
    near = {station for rule in made for station in rule.nearby}
    near |= {*world.timer, *world.beside, *world.push, *(rule.subject for rule in returned)}
    for goal in world.achievements:
        verb, _, name = goal.partition("_")
        assert name in {"collect": used, "place": near}.get(verb, {name})


@settings(deadline=None, max_examples=15)
@given(_requests(), st.integers(0, 10**6))
def test_words_and_files_hold_the_same_rules(request: MadeUp, seed: int) -> None:
    world = _drawn(request, seed)
    for change in diff(load_world("default"), world):
        if change.after is not None:
            told = tell(change.after, world.vocabulary)
            assert parse(told, world.vocabulary) == change.after
    again = parse_theory(to_yaml(world), "again.yaml")
    assert again.digest == world.digest


@pytest.mark.parametrize("life", [(), ("creatures", "needs"), ("timers",), KINDS[3:], KINDS])
def test_all_goals_are_proved(life: tuple[str, ...]) -> None:
    for number in range(3):
        sampler = MadeUpSampler(MadeUp(10, 18, life), partial(prove, map_seed=1))
        sample = sampler.draw(3, number, proved=True)
        assert sample.proof is not None
        assert sample.proof.all_reachable
        assert set(sample.proof.achievements) == set(sample.world.achievements)


@pytest.mark.slow
@pytest.mark.parametrize("life", [(), PLAYED, *((kind,) for kind in KINDS[3:]), KINDS])
def test_hundred_worlds_are_valid_and_proved(life: tuple[str, ...]) -> None:
    """Each of the worlds as it is drawn, not only those that pass a proof."""
    for number in range(17):
        world = MadeUpSampler(MadeUp(12, 20, life)).draw(number, number).world
        assert parse_theory(to_yaml(world), "again.yaml").digest == world.digest
        assert prove(world, map_seed=1).all_reachable


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
def test_witnesses_can_be_played(number: int) -> None:
    """The longest witnesses of worlds with all kinds of rules that are sampled."""
    request = MadeUp(9, 11, PLAYED)
    sample = MadeUpSampler(request, partial(prove, map_seed=1)).draw(5, number, proved=True)
    assert sample.proof is not None
    verdicts = sample.proof.achievements
    longest = sorted(verdicts, key=lambda name: verdicts[name].interactions)[-3:]
    played = execute(sample.world, sample.proof, achievements=longest)
    assert {name: one.reason for name, one in played.items()} == dict.fromkeys(longest)


def test_without_a_judge_there_are_no_proofs() -> None:
    with pytest.raises(ValueError, match="nothing was given that proves"):
        MadeUpSampler(MadeUp(10, 12)).draw(0, 0, proved=True)


def test_a_folder_is_continued(tmp_path: Path) -> None:
    sampler = MadeUpSampler(MadeUp(9, 9, ("timers",)), partial(prove, map_seed=1))
    first = SampleFolder(tmp_path, sampler, 5).add(0)
    assert SampleFolder(tmp_path, sampler, 5).add(0) == first
    other = MadeUpSampler(MadeUp(9, 9), partial(prove, map_seed=1))
    with pytest.raises(InputError, match="sampled for another request"):
        SampleFolder(tmp_path, other, 5)


@settings(deadline=None, max_examples=15)
@given(st.integers(9, 40), st.integers(0, 10**6))
def test_crops_are_placed_grow_and_serve(names: int, seed: int) -> None:
    request = MadeUp(names, names, ("timers",))
    world = _drawn(request, seed)
    assert len(world.timer) == request.number_of("timers") and not world.beside and not world.push
    used = {item for rule in (*world.make.values(), *world.place.values()) for item in rule.uses}
    for name, timer in world.timer.items():
        assert world.place[name].uses and f"place_{name}" in world.achievements
        assert not world.collect[name].collectable and not world.walk[name].walkable
        assert set(world.collect[timer.becomes].yields) <= used


def test_a_world_depends_on_its_seed_and_number_alone() -> None:
    request = MadeUp(12, 14)
    first, again = (MadeUpSampler(request).draw(1, 5).world for _ in range(2))
    assert first == again
    assert first.digest != MadeUpSampler(request).draw(1, 6).world.digest


@pytest.mark.parametrize(("names", "rules"), [(8, 8), (41, 41), (12, 11), (12, 28)])
def test_numbers_out_of_range_are_refused(names: int, rules: int) -> None:
    with pytest.raises(ValueError, match="allowed: "):
        MadeUp(names, rules)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ((12, 12, ("magic",)), "'magic' is not possible; allowed: creatures, needs, timers, besi"),
        ((37, 37, PLAYED), "they take 49 items, and a world has room for 48; allowed: 9 to 36"),
        ((30, 30, ("creatures", "projectiles")), "10 creatures and projectiles, .* 9; .* 9 to 29"),
        ((36, 36, ("timers", "beside", "push")), "59 materials, .* 51; allowed: 9 to 34"),
        ((12, 28), "28 rules are not possible with 12 names; allowed: 12 to 27"),
        ((28, 60, KINDS), "28 names and creatures, .*, projectiles; allowed: 28 to 28"),
    ],
)
def test_messages_say_how_much_is_possible(
    request_: tuple[int, int, tuple[str, ...]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        MadeUp(*request_)
    allowed = int(message.rpartition(" ")[2]) if message[-1].isdigit() else 9
    if "names" in message:
        assert MadeUp(request_[0], allowed, *request_[2:]).rules == allowed
    else:
        assert MadeUp(allowed, allowed).names == allowed


@settings(deadline=None, max_examples=15)
@given(_requests(), st.integers(0, 10**6))
def test_worlds_are_playable_without_the_kinds_that_the_planner_does_not_know(
    request: MadeUp, seed: int
) -> None:
    world = _drawn(request, seed)
    if {*KINDS[3:]}.intersection(request.life):
        with pytest.raises(InputError, match="the planner does not know the rule"):
            require_plannable(world, "plan", "the planner")
    else:
        require_plannable(world, "plan", "the planner")


@settings(deadline=None, max_examples=10)
@given(st.integers(9, 28), st.integers(0, 10**6))
def test_what_is_shot_and_who_shoots(names: int, seed: int) -> None:
    world = _drawn(MadeUp(names, names, ("creatures", "projectiles")), seed)
    shot = [each.name for each in world.vocabulary.added_projectiles]
    assert {*world.shoot} == {*world.projectile} == {*shot}
    assert {f"shoot_{name}" for name in shot} <= {*world.achievements}
    cases = (case for rule in world.behaviour.values() for case in rule.cases)
    assert sorted(case.projectile for case in cases if case.act == "shoot") == sorted(shot)
    assert all(not rule.breaks for rule in world.projectile.values())


@settings(deadline=None, max_examples=15)
@given(st.integers(9, 40), st.integers(0, 10**6))
def test_creatures_are_met_and_what_they_yield_serves(names: int, seed: int) -> None:
    world = _drawn(MadeUp(names, names, ("creatures",)), seed)
    places = [(being, p) for rule in world.collect.values() for being, p in rule.spawns.items()]
    beings = [each.name for each in world.vocabulary.added_creatures]
    assert sorted(places) == sorted((being, 1.0) for being in beings)
    used = {item for rule in (*world.make.values(), *world.place.values()) for item in rule.uses}
    for being in beings:
        hunt = world.hunt[being]
        assert set(hunt.yields) <= used and not set(hunt.requires) & set(hunt.yields)
        assert all(case.chance < 1 for case in world.behaviour[being].cases)
