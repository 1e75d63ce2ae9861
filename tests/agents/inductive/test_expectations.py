"""What a learner expects of added rules."""

from __future__ import annotations

from collections import Counter
from math import fsum, isclose

from hypothesis import given
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.agents.inductive.belief import Belief
from mars_logic.agents.inductive.prior import as_in_others, kind_of
from mars_logic.agents.inductive.rates import is_by_chance
from mars_logic.agents.inductive.weights import by_size
from mars_logic.world.frozen import FrozenMap
from tests.theory.own_worlds import own_play, own_world

DEFAULT = load_world("default")
ITEMS = ("wood", "stone", "coal", "iron")
amounts = st.dictionaries(st.sampled_from(ITEMS), st.integers(1, 2), min_size=1, max_size=2)


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


def blank() -> Belief:
    """The belief before anything was seen in a world with added names."""
    world = own_world(0)
    return Belief.begin(DEFAULT.adding(world.adds), world.adds)


def test_an_item_of_the_same_name_counts_as_in_other_rules() -> None:
    weights = blank().posterior.weights(("collect.ore", "yields"))
    own = fsum(weight for value, weight in weights.items() if set(value) == {"ore"})
    assert own > 0.5, "as stone, coal, iron and diamonds give what they are called"
    other = blank().posterior.weights(("collect.kiln", "yields"))
    assert max(weight for value, weight in other.items() if value) < 0.1


def test_what_is_refuted_leaves_the_ratio_of_all_others() -> None:
    prior, name = blank().posterior.prior, ("eat.pie", "health")
    every = prior.weights(name, range(-9, 10))
    some = prior.weights(name, range(10))
    assert isclose(every[0] / every[1], some[0] / some[1])
    assert every[0] > 5 * every[1], "a rule that takes more to say is less likely"


def test_what_comes_always_is_likelier_than_what_comes_nearly_always() -> None:
    weights = blank().posterior.weights(("collect.ore", "yields"))
    sure = {value: w for value, w in weights.items() if value and not is_by_chance(value)}
    chance = {value: w for value, w in weights.items() if is_by_chance(value)}
    assert fsum(sure.values()) > 2 * fsum(chance.values()), "in other rules all but one are sure"
