"""What a learner expects of added rules, and what it tries first where nothing is known."""

from __future__ import annotations

from collections import Counter
from math import fsum, isclose
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.agents.inductive.belief import Belief
from mars_logic.agents.inductive.prior import as_in_others, kind_of
from mars_logic.agents.inductive.recipes import Recipe, Tries
from mars_logic.agents.inductive.sites import Nearby
from mars_logic.agents.inductive.weights import by_size
from mars_logic.theory.signatures import Making, held_of
from mars_logic.world.frozen import FrozenMap
from tests.theory.own_worlds import own_play, own_world

DEFAULT = load_world("default")
WORDS = own_world(0).vocabulary
HELD = held_of(WORDS.holdable)
ITEMS = ("wood", "stone", "coal", "iron")
COST = {"wood": 5, "stone": 40, "coal": 60, "iron": 300}
amounts = st.dictionaries(st.sampled_from(ITEMS), st.integers(1, 2), min_size=1, max_size=2)


def uses(*values: dict[str, int]) -> dict[Any, float]:
    return {FrozenMap(value): 1 / len(values) for value in values}


def failing(tool: str, *near: str, **held: int) -> Making:
    """A try to make something near some materials that did nothing."""
    holding = HELD(held.get(item, 0) for item in WORDS.holdable)
    return Making(tool, near, holding, holding)


@given(st.lists(amounts, min_size=1, max_size=6), st.lists(amounts, max_size=6))
def test_the_number_of_parts_is_expected_as_known_values_have_it(
    values: list[dict[str, int]], known: list[dict[str, int]]
) -> None:
    factors = {FrozenMap(value): 1.0 for value in values}
    found = by_size(factors, known)
    sizes = {len(value) for value in factors}
    for size in sizes:
        whole = fsum(weight for value, weight in found.items() if len(value) == size)
        assert isclose(whole, 1 + sum(len(value) == size for value in known))


def test_what_other_rules_require_is_likelier_than_what_none_does() -> None:
    none = FrozenMap[str, int]({})
    axe, sword = FrozenMap({"wood_pickaxe": 1}), FrozenMap({"wood_sword": 1})
    before = dict.fromkeys((none, axe, sword), 1 / 3)
    found = as_in_others(before, Counter({none: 5, axe: 2}))
    assert isclose(fsum(found.values()), 1.0)
    assert found[none] > found[axe] > 2 * found[sword]
    assert as_in_others(before, Counter()) == {v: weight / 2 for v, weight in before.items()}


@given(
    st.lists(amounts, min_size=1, max_size=5, unique_by=lambda each: tuple(sorted(each.items())))
)
def test_a_try_can_work_until_every_value_is_refuted(values: list[dict[str, int]]) -> None:
    tries, sites = Tries(WORDS), Nearby({("table",): 0.5, ("table", "furnace"): 0.5})
    for _ in range(20):
        recipe = Recipe(tries, uses(*values), sites)
        if not recipe.uses:
            return
        tried = recipe.to_try("make.hammer", COST)
        assert recipe.may_work(tried)
        tries.see(failing("hammer", *tried["nearby"], **tried["uses"]))
        assert not Recipe(tries, uses(*values), sites).may_work(tried)
    raise AssertionError("each try refutes something")


def test_one_try_stands_for_several_values_unless_one_is_dear() -> None:
    sites = Nearby({(): 1.0})
    together = Recipe(Tries(WORDS), uses({"wood": 1}, {"stone": 1}, {"coal": 1}), sites)
    equal = dict.fromkeys(ITEMS, 1)
    assert len(together.to_try("make.hammer", equal)["uses"]) == 2
    dear = Recipe(Tries(WORDS), uses({"wood": 1}, {"iron": 1}), sites)
    assert dear.to_try("make.hammer", COST)["uses"] == {"wood": 1}


def test_learning_added_rules_does_not_make_known_ones_doubtful() -> None:
    world = own_world(0)
    belief = Belief.begin(DEFAULT.adding(world.adds), world.adds)
    kinds = {kind_of((rule, "uses")) for rule in belief.posterior.recipes}
    before = {kind: belief.posterior.prior.rate(kind) for kind in kinds}
    for number, episode in enumerate(own_play(world, 6), 1):
        belief.look(episode, number)
        belief._growing = None
    assert belief.told().theory != belief.prior
    for kind in kinds:
        assert belief.posterior.prior.rate(kind) <= before[kind]
