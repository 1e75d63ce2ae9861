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
from mars_logic.world.load import parse_theory
from mars_logic.world.theory import World
from mars_logic.world.vocabulary import vocabulary
from mars_logic.world.words import parse, tell


@st.composite
def _requests(draw: st.DrawFn) -> MadeUp:
    life = draw(st.lists(st.sampled_from(["creatures", "needs", "timers"]), unique=True))
    names = draw(st.integers(9, 36 if len(life) == 3 else 40))
    made = names - max(5, names // 3) - max(1, names // 6)
    living = ("creatures" in life) + ("timers" in life)
    most = min(names + made, 64 - 2 * max(1, names // 6) * living)
    return MadeUp(names, draw(st.integers(names, most)), tuple(life))


def _drawn(request: MadeUp, seed: int) -> World:
    return MadeUpSampler(request).draw(seed, 0).world


@settings(deadline=None, max_examples=25)
@given(_requests(), st.integers(0, 10**6))
def test_there_are_as_many_names_and_rules_as_asked_for(request: MadeUp, seed: int) -> None:
    world = _drawn(request, seed)
    words, usual = world.vocabulary, vocabulary("mars")
    added = {*words.materials, *words.items} - {*usual.materials, *usual.items}
    grounds = 5
    creatures, needs, crops = map(request.number_of, ("creatures", "needs", "timers"))
    assert len(words.added_creatures) == creatures and len(words.added_needs) == needs
    assert len(added) == request.names + grounds + creatures + needs + 3 * crops
    assert len(world.achievements) == request.rules + 2 * (creatures + crops)


@settings(deadline=None, max_examples=25)
@given(_requests(), st.integers(0, 10**6))
def test_nothing_is_free_and_everything_serves(request: MadeUp, seed: int) -> None:
    world = _drawn(request, seed)
    own = {goal.partition("_")[2] for goal in world.achievements}
    made = [rule for name, rule in world.make.items() if name in own]
    placed = [rule for name, rule in world.place.items() if name in own]
    assert all(rule.uses for rule in made)
    assert all(rule.uses for rule in placed)
    for taken in ([dict(rule.uses) for rule in made], [dict(rule.uses) for rule in placed]):
        assert all(taken.count(each) == 1 for each in taken)
    used = {item for rule in made for item in rule.uses}
    used |= {item for rule in placed for item in rule.uses}
    near = {*world.timer, *(station for rule in made for station in rule.nearby)}
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


@pytest.mark.parametrize("life", [(), ("creatures", "needs"), ("timers",)])
def test_all_goals_are_proved(life: tuple[str, ...]) -> None:
    for number in range(3):
        sampler = MadeUpSampler(MadeUp(10, 12, life), partial(prove, map_seed=1))
        sample = sampler.draw(3, number, proved=True)
        assert sample.proof is not None
        assert sample.proof.all_reachable
        assert set(sample.proof.achievements) == set(sample.world.achievements)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
def test_witnesses_can_be_played(number: int) -> None:
    """The longest witnesses of worlds with all kinds of rules that are sampled."""
    request = MadeUp(9, 11, ("creatures", "needs", "timers"))
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
    assert len(world.timer) == request.number_of("timers")
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


@pytest.mark.parametrize(("names", "rules"), [(8, 8), (41, 41), (12, 11), (12, 18)])
def test_numbers_out_of_range_are_refused(names: int, rules: int) -> None:
    with pytest.raises(ValueError, match="allowed: "):
        MadeUp(names, rules)
    with pytest.raises(
        ValueError, match="'magic' is not possible; allowed: creatures, needs, timers"
    ):
        MadeUp(12, 12, ("magic",))
    with pytest.raises(ValueError, match="they take 49 items; allowed: 48"):
        MadeUp(37, 37, ("creatures", "needs", "timers"))


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
