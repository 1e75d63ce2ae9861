"""A world's own rules are never contradicted by play in it, whatever they are.

Worlds are any that validation lets through, up to the limits of the language.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.agents.random import RandomAgent
from mars_logic.theory import Evidence, check, consequences, revise, score
from mars_logic.theory.claims import Field
from mars_logic.theory.joint import JointModel, asserted
from mars_logic.theory.problem import RevisionProblem
from mars_logic.theory.rulesets import check_rules
from mars_logic.theory.rulesets.documents import read_sentences
from mars_logic.theory.signatures import Making
from mars_logic.world.theory import Theory, World
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.words import tell
from tests.theory.play import play
from tests.theory.worlds import random_world, with_field
from tests.world.strategies import worlds

DEFAULT = load_world("default")
DATA = Path(__file__).parents[1] / "data" / "theory"
ANY = st.one_of(st.integers(0, 10**6).map(random_world), worlds())


def own_claims(world: World) -> list[dict[Field, tuple[Any, ...]]]:
    return [{name: values} for rule in world.rules() for name, values in asserted(rule).items()]


# --- Any world ----------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(ANY, st.integers(0, 2**30))
def test_own_values_are_among_the_candidates(world: World, seed: int) -> None:
    """Every number, flag and material; and a list if it is certain, or another that is like it."""
    seen = Evidence.of(play(world, range(seed, seed + 2)))
    found = consequences(Theory.unknown(seen.dynamics), seen)
    own = {name: values for each in own_claims(world) for name, values in each.items()}
    problem = RevisionProblem(Theory.unknown(seen.dynamics), seen, more=own)
    classes = {name: c for part in problem.components() for name, c in part.classes.items()}
    for name, remaining in found.fields.items():
        (value,) = own[name]
        if isinstance(value, bool | int | str | None):
            assert value in remaining.possible, name
        elif remaining.certain and name in classes:
            values = problem.values[name]
            (alike,) = (c for c in classes[name] if values.index(value) in c)
            assert remaining.possible[0] in [values[k] for k in alike], (name, value)


@settings(max_examples=20, deadline=None)
@given(ANY, st.integers(0, 2**30))
def test_own_claims_are_never_contradicted(world: World, seed: int) -> None:
    """Alone, all together, and any of them together."""
    seen, random = Evidence.of(play(world, range(seed, seed + 2))), Random(seed)
    claims = own_claims(world)
    for claim in random.sample(claims, 12):
        assert not JointModel(seen, [claim]).judge(claim).excluded, claim
    for size in (5, len(claims)):
        union = {n: v for claim in random.sample(claims, size) for n, v in claim.items()}
        model = JointModel(seen, [union])
        assert not model.judge(union).excluded
        assert not any(model.unexplained(name) for name in union)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(ANY, st.integers(0, 2**30))
def test_own_sentences_are_never_contradicted(world: World, seed: int) -> None:
    """In any subset and order."""
    seen, random = play(world, range(seed, seed + 2)), Random(seed)
    sentences = [tell(rule) for rule in world.rules()]
    for size in (1, 4, 12):
        chosen = random.sample(sentences, size)
        found = check_rules(read_sentences(chosen, "own"), seen)
        assert not found.unreadable
        assert not [each for each in found.rules if each.verdict == "contradicted"]
        assert not [each for each in found.rules if each.contradicted], "no clash either"


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(ANY, st.sampled_from(["default", "all_three", "unknown"]), st.integers(0, 2**30))
def test_a_revision_is_not_contradicted_by_what_it_was_revised_from(
    world: World, belief: str, seed: int
) -> None:
    seen = Evidence.of(play(world, range(seed, seed + 2)))
    before = Theory.unknown("mars") if belief == "unknown" else load_world(belief)
    found = revise(before, seen)
    assert not check(found.theory, seen).contradicted
    assert not found.inexpressible, "each world can be expressed"


# --- What drinking and collecting give is seen as a sum -----------------------------------------


def coupled(liquid: str, effect: int, amount: int) -> World:
    rules = DEFAULT.drink[liquid], DEFAULT.collect[liquid]
    drink = type(rules[0]).model_validate({**rules[0].model_dump(), "drink": effect})
    collect = type(rules[1]).model_validate(
        {**rules[1].model_dump(), "collectable": True, "yields": {"drink": amount}}
    )
    around = DEFAULT["neighbour.player"].model_copy(update={"material": "sand"})
    rename = DEFAULT["rename.sand"].model_copy(update={"material": liquid})
    return DEFAULT.with_rules(drink, collect, around, rename, name="coupled")


@pytest.mark.parametrize(
    ("liquid", "effect", "amount"),
    [("water", -2, 4), ("lava", -3, 2), ("lava", -9, 9), ("lava", -4, 3), ("lava", -2, 4)],
)
def test_only_the_sum_of_coupled_fields_is_known(liquid: str, effect: int, amount: int) -> None:
    world = coupled(liquid, effect, amount)
    seen = play(world, range(8), RandomAgent())
    true, false = (
        tell(type(rule).model_validate({**rule.model_dump(), "drink": points}))
        for rule in [world.drink[liquid]]
        for points in (effect, effect + amount - 1 if effect + amount < 10 else effect - 1)
    )
    yields = tell(world.collect[liquid])
    for sentence in (true, false, yields):
        (found,) = check_rules(read_sentences([sentence], "one"), seen).rules
        assert found.verdict in ("undecided", "untested"), sentence
    assert ("drink." + liquid, "drink") not in consequences(DEFAULT, Evidence.of(seen)).certain
    together = check_rules(read_sentences([true, yields], "both"), seen)
    assert not any(each.contradicted for each in together.rules)


@pytest.mark.parametrize("many", [1, 4])
def test_yields_of_many_items_are_found(many: int) -> None:
    """Several certain items and several chances, of which more come together than chances may."""
    certain: dict[str, Any] = {"wood": 1, "stone": 2, "coal": 1, "iron": 1}
    chance = {"amount": 1, "probability": 0.5}
    yields = dict([*certain.items()][:many]) | {"diamond": chance}
    rule = DEFAULT.collect["grass"]
    changed = type(rule).model_validate({**rule.model_dump(), "yields": yields})
    world = DEFAULT.with_rules(changed, name="many")
    found = consequences(DEFAULT, Evidence.of(play(world, range(3))))
    assert changed.yields in found.fields["collect.grass", "yields"].possible


# --- Cases ----------------------------------------------------------------------------------------


def test_a_tool_that_takes_nothing_is_learned() -> None:
    world = load_world(DATA / "free_tool.yaml")
    seen = Evidence.of(play(world, range(3), RandomAgent()))
    found = revise(DEFAULT, seen)
    assert found.theory.make["wood_sword"].uses == {} and not found.unexplained
    assert not check(found.theory, seen).contradicted


def test_any_materials_may_have_to_be_nearby() -> None:
    world = load_world(DATA / "nearby_nature.yaml")
    seen = Evidence.of(play(world, range(12)))
    found = revise(DEFAULT, seen)
    assert not found.inexpressible and not check(found.theory, seen).contradicted
    made = {s.tool for s in seen.signatures if isinstance(s, Making) and s.held != s.held_after}
    natural = made & {"wood_pickaxe", "stone_pickaxe", "iron_pickaxe"}
    assert natural
    for tool in natural:
        remaining = consequences(DEFAULT, seen).fields[f"make.{tool}", "nearby"]
        assert world.make[tool].nearby in remaining.possible


@pytest.mark.slow
def test_what_no_value_explains_has_none() -> None:
    """Play of two worlds: no rule explains both."""
    truth = load_world("all_three")
    seen = Evidence.of([*play(truth, range(10)), *play(DEFAULT, range(10))])
    found = revise(DEFAULT, seen)
    assert found.inexpressible and found.unexplained
    for (rule, name), conflicts in found.inexpressible.items():
        assert getattr(found.theory[rule], name) is UNKNOWN
        assert conflicts and all((rule, name) in each.fields for each in conflicts)
    assert not check(found.theory, seen).contradicted
    restored = found.theory
    for name in found.inexpressible:
        restored = with_field(restored, name, getattr(DEFAULT[name[0]], name[1]))
    claimed = score(found.theory, DEFAULT).overall.claimed
    assert claimed < score(restored, DEFAULT).overall.claimed


def test_the_same_episode_counts_once() -> None:
    (episode,) = play(DEFAULT, [1])
    (again,) = play(DEFAULT, [1])
    once = Evidence.of([episode])
    assert Evidence.of([episode, episode, again]).transitions == once.transitions == len(episode)
    sentence = read_sentences(["Grass can be walked on"], "one")
    one, two = (check_rules(sentence, seen) for seen in ([episode], [episode, again]))
    assert one.rules[0].support == two.rules[0].support and one.transitions == two.transitions
