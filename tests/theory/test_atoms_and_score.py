"""Atoms: equal for worlds that play alike; scores over them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import bundled_worlds, load_world
from mars_logic.theory import Measure, atoms, score
from mars_logic.theory.atoms import KINDS, kind_of
from mars_logic.world.rules import Collect, Creature, Drink, Neighbour, Rename, Rule, Walk
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from tests.paths import REPOSITORY
from tests.world.strategies import worlds

DEFAULT = load_world("default")


def test_they_are_told_in_the_words_of_the_facts() -> None:
    documented = set(
        re.findall(
            r"^#defined (\w+)/(\d+)",
            (REPOSITORY / "encodings/facts/facts.lp").read_text(encoding="utf-8"),
            re.M,
        )
    )
    for name in bundled_worlds():
        for atom in atoms(load_world(name)):
            predicate, _, arguments = atom.partition("(")
            outer = re.sub(r"\([^()]*\)", "", arguments[:-1])
            assert (predicate, str(outer.count(",") + 1)) in documented
            assert kind_of(atom) in KINDS


def same(*rules: Rule) -> bool:
    return atoms(DEFAULT.with_rules(*rules)) == atoms(DEFAULT)


def test_what_cannot_be_observed_makes_no_difference() -> None:
    assert same(Creature(**DEFAULT.creature["cow"].model_dump() | {"arrow_health_factor": 5}))
    assert same(Creature(**DEFAULT.creature["zombie"].model_dump() | {"walks": False}))
    assert same(Creature(**DEFAULT.creature["plant"].model_dump() | {"eatable": False}))
    assert same(Walk(subject="lava", walkable=True, deadly=True, health=-3))
    assert same(Walk(subject="water", walkable=False, deadly=True, health=-3))
    assert same(Collect(subject="sand", collectable=False, yields={"wood": 3}))
    assert same(Collect(subject="sand", collectable=True, requires={"coal": 1}))
    assert same(Drink(subject="water", drink=0), Collect(subject="water", yields={"drink": 2}))
    sand = {"wood": {"amount": 1, "probability": 1.0}, "coal": {"amount": 1, "probability": 0.0}}
    certain = DEFAULT.with_rules(Collect(subject="sand", yields={"wood": 1}))
    assert atoms(DEFAULT.with_rules(Collect(subject="sand", yields=sand))) == atoms(certain)
    renamed = DEFAULT.with_rules(
        Neighbour(subject="water", material="coal"), Rename(subject="coal", material="sand")
    )
    assert "neighbour(water, sand)" in atoms(renamed)


def test_what_can_be_observed_makes_a_difference() -> None:
    assert not same(Drink(subject="water", drink=2), Collect(subject="water", yields={}))
    assert not same(Creature(**DEFAULT.creature["cow"].model_dump() | {"shoots": True}))
    assert not same(Walk(subject="sand", walkable=True, health=-1))


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(worlds())
def test_worlds_with_the_same_digest_have_the_same_atoms(world: object) -> None:
    assert isinstance(world, type(DEFAULT))
    found = atoms(world)
    again = world.from_rules(world.dynamics, reversed(world.rules()), name="again")
    assert again.digest == world.digest and atoms(again) == found
    assert all(kind_of(atom) for atom in found)


def test_what_is_unknown_asserts_nothing_and_of_alternatives_the_likeliest_counts() -> None:
    stone = DEFAULT.collect["stone"].model_dump()
    options = Alternatives.of([("sand", 3.0), ("path", 1.0)])
    theory = Theory.from_world(DEFAULT).with_rules(
        Collect(**stone | {"yields": UNKNOWN, "leaves": options}),
        Neighbour(subject="water", material=UNKNOWN),
    )
    gone, new = atoms(DEFAULT) - atoms(theory), atoms(theory) - atoms(DEFAULT)
    assert gone == {
        "yields(collect(stone), stone, 1)",
        "leaves(stone, path)",
        "neighbour(water, sand)",
    }
    assert new == {"leaves(stone, sand)"}


def test_whether_plants_are_eatable_need_not_be_known() -> None:
    """They are eaten whatever that says; of a cow it has to be known."""
    for being, needed in (("cow", True), ("plant", False)):
        rule = DEFAULT.creature[being].model_dump()
        theory = Theory.from_world(DEFAULT).with_rules(Creature(**rule | {"eatable": UNKNOWN}))
        gone = {atom for atom in atoms(DEFAULT) - atoms(theory) if being in atom}
        assert bool(gone) == needed


def test_precision_and_recall() -> None:
    found = Measure.of({"a", "b", "c"}, {"b", "c", "d", "e"})
    assert (found.precision, found.recall) == (pytest.approx(2 / 3), 0.5)
    assert found.f1 == pytest.approx(4 / 7)
    nothing = Measure.of(set(), set())
    assert nothing.precision is nothing.recall is nothing.f1 is None
    assert Measure.of(set(), {"a"}).f1 == 0.0


def test_scores() -> None:
    truth = load_world("all_three")
    perfect = score(truth, truth, DEFAULT)
    assert perfect.overall.f1 == 1.0
    assert perfect.changes and perfect.changes.f1 == 1.0 and perfect.changes.true > 50
    start = score(DEFAULT, truth, DEFAULT)
    assert start.changes and start.changes.precision is None and start.changes.recall == 0.0
    assert sum(m.true for m in start.by_kind.values()) == start.overall.true
    assert score(truth, truth).changes is None
    step = score(DEFAULT.with_rules(truth.walk["diamond"]), truth, DEFAULT)
    assert step.changes == Measure(1, 1, perfect.changes.true)
    wrong = score(DEFAULT.with_rules(Walk(subject="coal", walkable=True)), truth, DEFAULT)
    assert wrong.changes == Measure(0, 1, perfect.changes.true)
    assert set(perfect.to_json()) == {
        "overall",
        "terrain",
        "survival",
        "task",
        "changes",
        "log_loss",
    }


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(worlds(), st.sampled_from(bundled_worlds()))
def test_a_score_lies_between_0_and_1(world: object, name: str) -> None:
    assert isinstance(world, type(DEFAULT))
    found = score(world, load_world(name), DEFAULT)
    assert found.overall.f1 is not None and 0 <= found.overall.f1 <= 1
