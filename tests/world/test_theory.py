"""Theories: worlds whose fields may be unknown or uncertain."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import WorldError, load_world
from mars_logic.world.dump import to_yaml
from mars_logic.world.field_values import domain
from mars_logic.world.load import load_theory
from mars_logic.world.rules import FAMILIES, Collect, Rule, Walk
from mars_logic.world.theory import Theory, World
from mars_logic.world.uncertain import UNKNOWN, Alternatives
from mars_logic.world.words import manual, tell

DEFAULT = load_world("default")
FIELDS = [
    (f"{kind.family}.{subject}", field)
    for kind in FAMILIES
    for subject in kind.subjects
    for field in kind.field_names()
]

TEXT = """\
name: guess
base: default
neighbour:
  coal: unknown
walk:
  sand: {health: {one_of: [{value: 1, weight: 1}, {value: 0, weight: 3}]}}
collect:
  tree: {yields: unknown, leaves: {one_of: [{value: path, weight: 2}, {value: path, weight: 1}]}}
  stone: unknown
"""


@pytest.fixture
def guess(tmp_path: Path) -> Theory:
    file = tmp_path / "guess.yaml"
    file.write_text(TEXT, encoding="utf-8")
    return load_theory(file)


def test_a_theory_is_read_from_a_world_file(guess: Theory) -> None:
    assert not isinstance(guess, World)
    assert guess.neighbour["coal"].material is UNKNOWN
    assert guess.walk["sand"].health == Alternatives(((0, 0.75), (1, 0.25)))
    assert guess.collect["tree"].yields is UNKNOWN
    assert guess.collect["tree"].leaves == "path", "alternatives that agree are no alternatives"
    stone = ("collect.stone", "leaves")
    assert stone in guess.uncertain and len(guess.uncertain) == 8


def test_a_world_is_a_theory_without_doubts() -> None:
    found = load_theory("default")
    assert found is DEFAULT and isinstance(found, Theory) and found.uncertain == ()
    assert (
        type(Theory.from_world(DEFAULT)) is Theory
        and Theory.from_world(DEFAULT).rules() == DEFAULT.rules()
    )


def test_a_world_file_must_leave_nothing_open(tmp_path: Path) -> None:
    file = tmp_path / "guess.yaml"
    file.write_text(TEXT, encoding="utf-8")
    with pytest.raises(WorldError) as caught:
        load_world(file)
    first = str(caught.value).splitlines()[0]
    assert first == (
        f"{file}:4: neighbour.coal: a world must be fully known; "
        "allowed: a value (only a theory may leave fields open)"
    )


def test_a_world_cannot_become_uncertain() -> None:
    with pytest.raises(
        ValueError, match=r"walk\.sand\.health is uncertain; a world is fully known"
    ):
        DEFAULT.with_rules(Walk(subject="sand", walkable=True, health=UNKNOWN))
    theory = Theory.from_world(DEFAULT).with_rules(
        Walk(subject="sand", walkable=True, health=UNKNOWN)
    )
    assert theory.uncertain == (("walk.sand", "health"),)


def test_alternatives_without_weights_are_equally_likely(tmp_path: Path) -> None:
    path = tmp_path / "theory.yaml"
    path.write_text(
        "base: default\nwalk: {sand: {health: {one_of: [{value: 1}, {value: 0}]}}}\n",
        encoding="utf-8",
    )
    assert load_theory(path)["walk.sand"].health.options == ((1, 0.5), (0, 0.5))


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ("{one_of: []}", "there is no alternative"),
        ("{one_of: 3}", "3 is not a list of alternatives"),
        ("{one_of: [1]}", "1 is no alternative"),
        ("{one_of: [{value: 1, weight: 0}]}", "the weight 0 is no positive number"),
        ("{one_of: [{value: 1, weight: x}]}", "the weight 'x' is no positive number"),
        ("{one_of: [{value: 99, weight: 1}]}", "99 is out of range"),
        ("unknwon", "'unknwon' is not a whole number"),
    ],
)
def test_mistakes_in_alternatives(stated: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "guess.yaml"
    file.write_text(f"base: default\nwalk: {{sand: {{health: {stated}}}}}\n", encoding="utf-8")
    with pytest.raises(WorldError) as caught:
        load_theory(file)
    assert f":2: walk.sand.health: {message}; allowed: " in str(caught.value)


def test_the_likeliest_world(guess: Theory) -> None:
    world = guess.most_likely()
    assert isinstance(world, World)
    assert world.walk["sand"].health == 0
    crafter = load_world("crafter")
    assert world.collect["stone"] == crafter.collect["stone"], "what is unknown is as in Crafter"
    assert world.neighbour["coal"] == crafter.neighbour["coal"]
    task_dep = load_world("task_dep")
    assert guess.most_likely(prior=task_dep).collect["stone"] == task_dep.collect["stone"]
    assert guess.most_likely(prior=guess).neighbour["coal"].material == "stone"


def test_samples_follow_weights_and_domains(guess: Theory) -> None:
    samples = [guess.sample(seed) for seed in range(400)]
    assert samples[7] == guess.sample(7)
    health = Counter(world.walk["sand"].health for world in samples)
    assert set(health) == {0, 1} and 240 < health[0] < 360
    around = {world.neighbour["coal"].material for world in samples}
    assert around == set(domain("neighbour.coal", "material"))


@pytest.mark.parametrize(("rule_id", "field"), FIELDS)
def test_domains_hold_valid_values_crafters_first(rule_id: str, field: str) -> None:
    values = domain(rule_id, field)
    rule = load_world("crafter")[rule_id]
    assert values[0] == getattr(rule, field) and len(values) == len(set(values))
    for value in values:
        assert (
            getattr(type(rule).model_validate(rule.model_dump() | {field: value}), field) == value
        )


@pytest.mark.parametrize(
    "name", ["terrain", "survival", "task_dep", "terr_surv", "terr_task", "surv_task", "all_three"]
)
def test_domains_hold_what_the_released_worlds_vary(name: str) -> None:
    """All but the two yields that have two outcomes, which are too many to list."""
    missing = [
        (rule.id, field)
        for rule in load_world(name).rules()
        for field in rule.field_names()
        if getattr(rule, field) not in domain(rule.id, field)
    ]
    assert set(missing) <= {("collect.stone", "yields"), ("collect.tree", "yields")}


@st.composite
def theories(draw: st.DrawFn) -> Theory:
    """Default with some fields unknown, or one of several values of their domain."""
    fields = draw(st.lists(st.sampled_from(FIELDS), max_size=6, unique=True))
    theory = Theory.from_world(DEFAULT)
    for rule_id, field in fields:
        option = st.tuples(st.sampled_from(domain(rule_id, field)), st.floats(0.01, 10))
        alternatives = st.lists(option, min_size=1, max_size=3).map(Alternatives.of)
        value = draw(st.one_of(st.just(UNKNOWN), alternatives))
        rule = theory[rule_id]
        changed: Rule = type(rule).model_validate(rule.model_dump() | {field: value})
        theory = theory.with_rules(changed)
    return Theory.from_rules("mars", theory.rules(), name="guess", base=DEFAULT)


@settings(max_examples=60, deadline=None)
@given(theory=theories())
def test_written_and_read_again_it_is_the_same(
    theory: Theory, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.getbasetemp() / "theory.yaml"
    file.write_text(to_yaml(theory), encoding="utf-8")
    again = load_theory(file)
    assert again.rules() == theory.rules() and again.digest == theory.digest


@settings(max_examples=60, deadline=None)
@given(theory=theories(), seed=st.integers(0, 1000))
def test_settled_worlds_agree_with_what_is_known(theory: Theory, seed: int) -> None:
    for world in (theory.most_likely(), theory.sample(seed)):
        assert isinstance(world, World)
        for rule in theory.rules():
            for field in set(rule.field_names()) - set(rule.uncertain_fields):
                assert getattr(world[rule.id], field) == getattr(rule, field)


def test_alternatives_are_scaled_and_ordered() -> None:
    found = Alternatives.of([("a", 1.0), ("b", 2.0), ("a", 1.5)])
    assert found.values == ("a", "b") and sum(weight for _, weight in found.options) == 1.0
    assert repr(UNKNOWN) == "UNKNOWN"


def test_crafters_yields_may_be_unknown(tmp_path: Path) -> None:
    file = tmp_path / "guess.yaml"
    file.write_text("base: crafter\ncollect: {tree: {yields: unknown}}\n", encoding="utf-8")
    assert load_theory(file)["collect.tree"] == Collect(
        subject="tree", yields=UNKNOWN, leaves="grass"
    )


def test_uncertain_rules_are_told_as_guesses(guess: Theory) -> None:
    assert tell(guess["walk.sand"]) == (
        "Sand can be walked on, as a guess: health is 0 (75%) or 1 (25%)."
    )
    assert tell(guess["collect.tree"]) == (
        "Collecting from a tree needs nothing, yields 1 wood and leaves a path, "
        "as a guess: yields is unknown."
    )
    assert "as a guess: nothing of it is known." in manual(guess)


@settings(max_examples=60, deadline=None)
@given(theory=theories())
def test_every_rule_of_a_theory_can_be_told(theory: Theory) -> None:
    for rule in theory.rules():
        assert ("as a guess: " in tell(rule)) == bool(rule.uncertain_fields)
        assert "\n" not in tell(rule)
