"""What is probable after what was seen, and what deeds promise to tell."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.agents.inductive.belief import Belief
from mars_logic.agents.inductive.information_gain import (
    ExperimentSetting,
    candidate_settings,
    information_gain,
    promising,
)
from mars_logic.agents.inductive.no_effect import NoEffectModel
from mars_logic.agents.inductive.posterior import Posterior
from mars_logic.agents.inductive.trials import planned
from mars_logic.agents.inductive.weights import binary, entropy, normal
from mars_logic.theory import check
from mars_logic.theory.monitor import Monitor
from mars_logic.theory.outcomes import outcomes
from mars_logic.theory.signature_claims import holds_all
from mars_logic.theory.signatures import Held
from mars_logic.world import names
from mars_logic.world.field_values import domain, unusual
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import Alternatives
from mars_logic.world.vocabulary import vocabulary
from tests.theory.play import Busy
from tests.theory.play import play as record

CRAFTER = load_world("crafter")
DEFAULT = load_world("default")
NOTHING = Held((0,) * len(names.HOLDABLE))


def holding(**amounts: int) -> Held:
    return Held(amounts.get(item, 0) for item in names.HOLDABLE)


def untouched() -> Posterior:
    return Posterior(DEFAULT, DEFAULT, Monitor(DEFAULT))


def informed(world: str, seeds: int = 3) -> Belief:
    belief = Belief.begin(DEFAULT)
    for number, trajectory in enumerate(record(load_world(world), range(seeds), Busy()), 1):
        belief.look(trajectory, number)
        belief._growing = None
    return belief


def test_before_anything_is_seen_the_prior_counts_most() -> None:
    posterior = untouched()
    for name in (("walk.stone", "walkable"), ("collect.tree", "leaves"), ("place.table", "uses")):
        weights = posterior.weights(name)
        assert math.isclose(math.fsum(weights.values()), 1)
        usual = getattr(DEFAULT[name[0]], name[1])
        assert max(weights, key=lambda value: weights[value]) == usual
        assert posterior.entropy(name) > 0
        assert posterior.probability(name) == weights[usual]


@pytest.mark.slow
@pytest.mark.parametrize("world", ["all_three", "surv_task"])
def test_no_possible_value_is_contradicted_and_the_truth_is_possible(world: str) -> None:
    belief, truth = informed(world), load_world(world)
    right = of = 0
    for rule, name in belief.posterior._claims:
        true = getattr(truth[rule], name)
        others = [
            getattr(belief.theory[r.id], n) == getattr(r, n)
            for r in truth.rules()
            if r.id == rule
            for n in r.field_names()
        ]
        if all(others) and true in domain(rule, name):
            of += 1
            right += true in belief.posterior.possible((rule, name))
        for value in belief.posterior.possible((rule, name))[:3]:
            changed = belief.theory[rule].model_dump() | {name: value}
            theory = belief.theory.with_rules(type(belief.theory[rule]).model_validate(changed))
            about = {(rule, name)}
            claims = [c for c in check(theory, belief.seen).conflicts if about & set(c.fields)]
            assert all(conflict.where is None for conflict in claims), "only chances may speak"
    assert of > 20 and right == of


def test_probabilities_kept_are_those_found_anew() -> None:
    """Whatever is remembered between steps makes no difference."""
    belief = Belief.begin(DEFAULT)
    (trajectory,) = record(load_world("all_three"), [5], Busy())
    for steps in range(100, len(trajectory) + 1, 100):
        part = type(trajectory)(
            trajectory.about,
            trajectory.views[: steps + 1],
            **{
                n: getattr(trajectory, n)[:steps]
                for n in ("action", "reward", "unlocked", "terminated", "truncated")
            },
        )
        belief.look(part, 1)
        fresh = Posterior(DEFAULT, belief.theory, belief._monitor)
        fresh.see(belief._monitor.kinds)
        for name in belief.posterior._claims:
            assert set(belief.posterior.possible(name)) == set(fresh.possible(name)), name


def blank(seeds: int) -> Belief:
    """What is believed of default by who knew nothing."""
    belief = Belief.begin(Theory.unknown("mars"))
    for number, trajectory in enumerate(record(DEFAULT, range(seeds), Busy()), 1):
        belief.look(trajectory, number)
        belief._growing = None
    return belief


def test_what_always_comes_is_believed_though_the_rest_is_unknown() -> None:
    belief = blank(4)
    assert "spawns" in belief.theory.collect["tree"].uncertain_fields
    tries = belief.posterior._monitor.tries("tree")
    assert sum(seen.count for _, seen in tries) > 10
    yields = belief.posterior.weights(("collect.tree", "yields"))
    assert yields[DEFAULT.collect["tree"].yields] > 0.99
    assert belief.posterior.weights(("collect.tree", "spawns"))[FrozenMap({})] > 0.3
    guesses = []
    for _ in range(5):
        guesses.append(belief.practical().collect["tree"])
        belief._closed += 1
    assert {guess.leaves for guess in guesses} == {"grass"}
    assert all(guess.yields == DEFAULT.collect["tree"].yields for guess in guesses)


def test_alternatives_are_neither_doubted_nor_lost() -> None:
    belief = blank(1)
    rule = belief.theory.collect["tree"]
    open_ = Alternatives.of([(DEFAULT.collect["tree"].yields, 0.5), (FrozenMap({}), 0.5)])
    changed = type(rule).model_validate(rule.model_dump() | {"yields": open_})
    belief.theory = belief.theory.with_rules(changed, name="belief")
    belief.doubts = frozenset({("tree", "wood")})
    assert not belief.practical().uncertain
    belief._doubt(["tree"])
    assert not belief.doubts


@pytest.mark.parametrize(("deadly", "bits"), [(1.0, 0.0), (0.5, 1.5), (0.0, 1.0)])
def test_who_is_killed_sees_nothing_else(deadly: float, bits: float) -> None:
    class Half(Posterior):
        def weights(self, name: Any) -> dict[Any, float]:
            chance = {"walkable": {True: 1.0}, "health": {0: 0.5, -1: 0.5}}
            return normal(chance.get(name[1], {True: deadly, False: 1 - deadly}))

    found = information_gain(
        Half(DEFAULT, DEFAULT, Monitor(DEFAULT)), ExperimentSetting("walk.lava", "lava", NOTHING)
    )
    assert math.isclose(found.bits, bits, abs_tol=1e-12) and found.deadly == deadly


# --- Rules that never had an effect ---------------------------------------------------------------


def prior_weights(name: Any, values: Any) -> dict[Any, float]:
    usual = getattr(CRAFTER[name[0]], name[1])
    return {value: 0.7 if value == usual else 0.3 / len(domain(*name)) for value in values}


@settings(max_examples=8, deadline=None)
@given(
    st.sampled_from(names.COLLECTABLE),
    st.lists(
        st.tuples(
            st.sampled_from(
                [NOTHING, holding(sapling=1), holding(wood_pickaxe=1, stone_pickaxe=1)]
            ),
            st.integers(1, 5),
        ),
        max_size=4,
    ),
)
def test_judged_together_as_by_all_combinations(
    material: str, tries: list[tuple[tuple[int, ...], int]]
) -> None:
    rule, tried = f"collect.{material}", Counter[tuple[int, ...]]()
    for held, times in tries:
        tried[held] += times
    vain = NoEffectModel(rule, tried, prior_weights, vocabulary("mars"))
    names_of = [(rule, n) for n in ("collectable", "requires", "leaves", "yields")]
    if material in names.LIQUIDS:
        names_of += [(f"drink.{material}", vital) for vital in ("drink", "food")]
    fields = [n for _, n in names_of]
    before = [normal(prior_weights(n, (*domain(*n), *unusual(*n)))) for n in names_of]
    joint: dict[tuple[Any, ...], float] = {}
    for chosen in product(*before):
        open_, needed, leaves, yields, *drinks = chosen
        weight = math.prod(w[value] for w, value in zip(before, chosen, strict=True))
        none = sum(o.probability for o in outcomes(yields, "mars") if not o.gains)
        for held, times in tried.items():
            if open_ and holds_all(held, needed):
                weight *= (none * (leaves == material) * (not any(drinks))) ** times
        joint[chosen] = weight
    total = math.fsum(joint.values())
    for place, name in enumerate(fields[:4]):
        for value, weight in vain.weights(name).items():
            exact = math.fsum(w for chosen, w in joint.items() if chosen[place] == value) / total
            assert math.isclose(weight, exact, rel_tol=1e-6, abs_tol=1e-9), name
    for held in (NOTHING, holding(sapling=2)):
        seen = 0.0
        for (open_, needed, leaves, yields, *drinks), weight in joint.items():
            if open_ and holds_all(held, needed):
                none = sum(o.probability for o in outcomes(yields, "mars") if not o.gains)
                seen += weight * (1 - none * (leaves == material) * (not any(drinks)))
        assert math.isclose(vain.visible(held), seen / total, rel_tol=1e-6, abs_tol=1e-9)


# --- What deeds promise ---------------------------------------------------------------------------


def test_what_is_known_promises_nothing_and_what_is_not_does() -> None:
    posterior = untouched()
    tree = information_gain(posterior, ExperimentSetting("collect.tree", "tree", NOTHING))
    assert tree.bits > 1 and 0.5 < tree.works < 1
    lava = information_gain(posterior, ExperimentSetting("walk.lava", "lava", ()))
    assert (
        lava.deadly
        > 0.5
        > information_gain(posterior, ExperimentSetting("walk.sand", "sand", ())).deadly
    )
    known = informed("default", 6).posterior
    assert not known.open("walk.grass")
    assert information_gain(known, ExperimentSetting("walk.grass", "grass", ())).bits == 0
    assert ExperimentSetting("walk.grass", "grass", (), (), (9, 9, 9)) not in set(
        promising(known, candidate_settings(NOTHING, (9, 9, 9), known.words), NOTHING)
    )


def test_a_full_vital_hides_what_raises_it() -> None:
    posterior = untouched()
    full, half = (
        information_gain(posterior, ExperimentSetting("walk.sand", "sand", (), (), (level, 9, 9)))
        for level in (9, 5)
    )
    assert full.bits < half.bits


def test_one_station_alone_tells_whether_both_are_needed() -> None:
    held = holding(wood=1, coal=1, iron=1)
    posterior = untouched()
    alone = information_gain(
        posterior, ExperimentSetting("make.iron_pickaxe", "", held, ("table",))
    )
    both = information_gain(
        posterior, ExperimentSetting("make.iron_pickaxe", "", held, ("table", "furnace"))
    )
    assert alone.bits > 0.3 and alone.works < 0.5 < both.works
    assert planned(posterior, both.setting, 1, 7).field == "uses", "nearby is all that can be"
    trial = planned(posterior, alone.setting, 1, 7)
    assert trial.field == "nearby" and {h.predicts for h in trial.hypotheses} == {
        "it works",
        "nothing happens",
    }


def test_of_a_deed_that_is_thought_to_fail_that_is_what_is_predicted() -> None:
    setting = ExperimentSetting("collect.diamond", "diamond", holding(stone_pickaxe=1))
    trial = planned(untouched(), setting, 1, 7)
    first, rival = trial.hypotheses
    assert trial.field == "requires" and first.predicts == "nothing happens"
    assert first.probability > rival.probability and rival.predicts == "it works"


def test_entropy() -> None:
    assert entropy((0.5, 0.5)) == binary(0.5) == 1
    assert entropy((1.0,)) == entropy((1.0, 0.0)) == 0
