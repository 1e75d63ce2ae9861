"""What placing and making use up, and where they work: judged together, and tried out."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.agents.inductive.belief import Belief
from mars_logic.agents.inductive.experiment_choice import LEAST, Experiments, Ways
from mars_logic.agents.inductive.information_gain import ExperimentSetting, information_gain
from mars_logic.agents.inductive.posterior import Posterior
from mars_logic.agents.inductive.prices import AchievementPrices, Experience
from mars_logic.agents.inductive.recipes import Recipe, Tries
from mars_logic.agents.inductive.sites import GroundKind, Grounds, Nearby, probability
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.observed_map import ObservedMap, Status
from mars_logic.plan.world_model import WorldModel
from mars_logic.sim import Simulator
from mars_logic.theory.monitor import Monitor
from mars_logic.theory.signature_claims import holds_all
from mars_logic.theory.signatures import Held, Making, Placing
from mars_logic.world import names
from mars_logic.world.field_values import domain, unusual
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.rules import Place
from mars_logic.world.vocabulary import vocabulary
from tests.theory.test_check import by_hand, empty

GROUNDS = names.MATERIALS[1:]
ANY = (GroundKind(frozenset(GROUNDS)),)
CRAFTER = load_world("crafter")
DEFAULT = load_world("default")
PLACE_TABLE = names.ACTIONS.index("place_table")


def holding(**amounts: int) -> Held:
    return Held(amounts.get(item, 0) for item in names.HOLDABLE)


def failed(thing: str, ground: str, **held: int) -> Placing:
    return Placing(thing, ground, holding(**held), ground, False, holding(**held))


def table(ground: str, *, before: int, after: int) -> Placing:
    return Placing("table", ground, holding(wood=before), "table", False, holding(wood=after))


def posterior(*signatures: Placing | Making) -> Posterior:
    found = Posterior(CRAFTER, CRAFTER, Monitor(CRAFTER))
    found.see(signatures)
    return found


# --- Sites ----------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.sets(st.sampled_from(GROUNDS)), st.sets(st.sampled_from(GROUNDS)))
def test_grounds_are_summed_over_in_closed_form(worked: set[str], failed: set[str]) -> None:
    """Against the sum over all sets of grounds, of every size but 0."""
    failed -= worked
    usual = ("grass", "sand", "path")
    found = Grounds({usual: 0.75}, 0.25, ANY).likelihood(worked, failed)
    every = 0.0
    for size in range(1, len(GROUNDS) + 1):
        sets = [*combinations(GROUNDS, size)]
        agree = sum(worked <= set(each) and failed.isdisjoint(each) for each in sets)
        every += agree / len(sets) / len(GROUNDS)
    expected = 0.75 * (worked <= set(usual) and failed.isdisjoint(usual)) + 0.25 * every
    assert math.isclose(found, expected, abs_tol=1e-12)


def test_each_kind_of_ground_is_judged_by_its_own() -> None:
    """Against the sum over all sets of grounds."""
    walked, solid = frozenset({"grass", "sand", "path"}), frozenset({"stone", "tree"})
    kinds = GroundKind(walked, 4.0, 1.5), GroundKind(solid, 1.0, 4.0)
    sites = Grounds({}, 1.0, kinds)

    def share(kind: GroundKind, opened: int) -> float:
        return kind.likelihood(opened, len(kind.materials) - opened)

    weights = {
        frozenset(chosen): math.prod(share(kind, len(kind.materials & {*chosen})) for kind in kinds)
        for size in range(1, 6)
        for chosen in combinations(sorted(walked | solid), size)
    }
    for worked, failed in (({"grass"}, set()), (set(), {"grass", "tree"}), (set(), set())):
        agree = (w for each, w in weights.items() if worked <= each and failed.isdisjoint(each))
        expected = math.fsum(agree) / math.fsum(weights.values())
        assert math.isclose(sites.likelihood(worked, failed), expected)
    assert probability(sites, "sand", {"grass"}, frozenset()) > 0.7
    assert probability(sites, "stone", {"grass"}, frozenset()) < 0.3


def test_where_one_ground_fails_the_others_become_likelier() -> None:
    usual = Grounds({("grass", "sand"): 0.9}, 0.1, ANY)
    before = probability(usual, "water", frozenset(), frozenset())
    once = probability(usual, "water", frozenset(), {"grass"})
    assert before < 0.1 < 0.3 < once
    rest = set(GROUNDS) - {"water"}
    assert probability(usual, "water", frozenset(), rest) == pytest.approx(1), "not nowhere"


def test_what_is_needed_nearby_by_what_worked_and_what_failed() -> None:
    sites = Nearby({("table",): 0.8, ("table", "furnace"): 0.15, (): 0.05})
    table, both, none = frozenset({"table"}), frozenset({"table", "furnace"}), frozenset[str]()
    assert probability(sites, both, frozenset(), {table}) == 1
    assert probability(sites, none, {table}, frozenset()) == pytest.approx(0.05 / 0.85)


# --- Recipes --------------------------------------------------------------------------------------

USES = [FrozenMap(each) for each in ({"wood": 1}, {"wood": 2}, {"stone": 1})]
tries_of_tables = st.lists(
    st.tuples(
        st.sampled_from([holding(), holding(wood=1), holding(wood=3), holding(wood=1, stone=1)]),
        st.sampled_from(["grass", "sand", "water"]),
    ),
    max_size=5,
)


@settings(max_examples=40, deadline=None)
@given(tries_of_tables)
def test_judged_together_as_by_all_combinations(
    done: list[tuple[tuple[int, ...], str]],
) -> None:
    before = dict(zip(USES, (0.6, 0.3, 0.1), strict=True))
    sites = Grounds({("grass", "sand"): 0.8}, 0.2, ANY)
    tries = Tries(vocabulary("mars"))
    for held, ground in done:
        tries.failed[held, ground] = None
    recipe = Recipe(tries, before, sites)
    joint = {
        uses: weight
        * sites.likelihood(frozenset(), {g for held, g in done if holds_all(held, uses)})
        for uses, weight in before.items()
    }
    total = sum(joint.values())
    for uses, weight in joint.items():
        assert math.isclose(recipe.uses.get(uses, 0.0), weight / total)
    for ground in ("grass", "water"):
        works = 0.0
        for uses, weight in before.items():
            closed = {g for held, g in done if holds_all(held, uses)}
            if holds_all(holding(wood=2), uses) and ground not in closed:
                works += weight * sites.likelihood({ground}, closed) / total
        found = sum(recipe.works(holding(wood=2), ground).values())
        assert math.isclose(found, works, abs_tol=1e-12)


def test_once_it_worked_what_it_uses_is_known() -> None:
    found = posterior(failed("table", "grass", wood=4), table("water", before=4, after=1))
    assert dict(found.weights(("place.table", "uses"))) == {FrozenMap({"wood": 3}): 1.0}
    assert found.recipe("place.table").open("water") == 1
    assert found.recipe("place.table").open("grass") == 0


def test_stone_that_is_placed_on_stone_is_not_taken_to_have_worked() -> None:
    found = posterior(failed("stone", "stone", stone=2))
    assert not found._tries["place.stone"].worked
    assert found.recipe("place.stone").open("grass") > 0.8


def test_the_edge_of_the_map_is_no_ground() -> None:
    found = posterior(failed("table", "none", wood=9))
    assert not found._tries["place.table"].failed


def test_unusual_values_are_no_usual_ones() -> None:
    for rule, name in (("place.table", "uses"), ("make.wood_sword", "nearby")):
        assert unusual(rule, name) and not set(unusual(rule, name)) & set(domain(rule, name))
    assert FrozenMap({"wood_sword": 1}) in unusual("collect.stone", "requires")
    assert FrozenMap({"stone": 1, "iron": 1}) in unusual("make.iron_pickaxe", "uses")
    assert () in unusual("make.wood_sword", "nearby")
    assert unusual("collect.tree", "leaves") == ()


# --- Beliefs --------------------------------------------------------------------------------------

GROUNDED = ("grass", "sand", "path")


def tried(truth: Place, grounds: Iterable[str], wood: int = 1) -> Belief:
    """A belief after a table was tried to be placed on grounds, one after the other."""
    world = DEFAULT.with_rules(truth)
    belief = Belief.begin(DEFAULT)
    for episode, ground in enumerate(grounds, 1):
        scene = empty(world).fill(ground, 33, 32).player(facing=(1, 0), inventory={"wood": wood})
        belief.look(by_hand(world, PLACE_TABLE, scene=scene), episode)
        belief._growing = None
    return belief


AFLOAT = Place(subject="table", uses={"wood": 1}, where=("water",))


def test_other_grounds_are_believed_before_something_else_is_used() -> None:
    belief = tried(AFLOAT, ["grass"], wood=3)
    rule = belief.theory.place["table"]
    assert rule.uses == DEFAULT.place["table"].uses, "what is used stays as it was"
    assert rule.where and "grass" not in rule.where
    changes = [change for surprise in belief.surprises for change in surprise.changes]
    assert [change.fields for change in changes] == [("where",)]
    assert "placing a table on grass" in changes[0].because[0].did


def test_it_never_believes_that_a_table_can_be_placed_nowhere() -> None:
    belief = tried(AFLOAT, ["grass"] * 5 + ["sand", "path", "stone", "tree"], wood=9)
    where = belief.theory.place["table"].where
    assert "water" in where and not set(where) & {*GROUNDED, "stone", "tree"}
    used = [
        change.after.uses
        for surprise in belief.surprises
        for change in surprise.changes
        if "uses" in change.fields
    ]
    assert not used, "with so much at hand, too little of it is no explanation"
    left, fresh = (
        each.recipe("place.table").open("water") for each in (belief.posterior, posterior())
    )
    assert left > fresh
    found = tried(AFLOAT, [*GROUNDED, "water"])
    assert found.theory.place["table"] == AFLOAT
    assert found.told().theory.place["table"] == AFLOAT


def test_that_too_little_was_held_is_believed_where_that_is_likelier() -> None:
    dear = Place(subject="table", uses={"wood": 3}, where=GROUNDED)
    once = tried(dear, ["grass"], wood=2).theory.place["table"]
    assert once.uses == DEFAULT.place["table"].uses and "grass" not in once.where
    rule = tried(dear, names.NATURAL, wood=2).theory.place["table"]
    assert rule.uses != DEFAULT.place["table"].uses and "grass" in rule.where


def test_unlikely_ground_is_worth_a_try_while_the_item_is_cheap() -> None:
    """A ground beside the way is tried once those that are believed in have failed."""
    fresh, doubtful = posterior(), posterior(failed("table", "grass", wood=4))
    afloat = ExperimentSetting("place.table", "water", holding(wood=4))
    assert 0 < information_gain(fresh, afloat).works < information_gain(doubtful, afloat).works
    assert information_gain(doubtful, afloat).bits > information_gain(fresh, afloat).bits > LEAST
    poor = ExperimentSetting("place.table", "water", holding(sapling=1))
    assert information_gain(doubtful, poor).bits < information_gain(doubtful, afloat).bits


def test_a_tool_is_tried_without_a_table_though_it_was_made_at_one() -> None:
    made = Making("wood_sword", ("grass", "table"), holding(wood=1), holding(wood_sword=1))
    found = posterior(made)
    away = information_gain(found, ExperimentSetting("make.wood_sword", "", holding(wood=1)))
    assert LEAST < away.bits < 1 and 0 < away.works < 0.2
    assert dict(found.weights(("make.wood_sword", "nearby")))[()] == pytest.approx(away.works)


def test_more_is_tried_where_other_worlds_would_be_unusual() -> None:
    """Each unusual rule that is found makes others likelier; each usual change, less likely."""
    before = posterior().prior.rate("odd")
    strange = posterior(table("water", before=4, after=2), failed("table", "grass", wood=9))
    ordinary = posterior(table("grass", before=4, after=0))
    assert ordinary.prior.rate("odd") < before < strange.prior.rate("odd")


def test_the_learner_places_a_table_on_water() -> None:
    """By a lake, with wood, though it has a plan: tables fail where they are believed to stand."""
    belief = tried(AFLOAT, GROUNDED, wood=9)
    scene = empty(DEFAULT).fill("water", 33, 32).player(facing=(1, 0), inventory={"wood": 9})
    simulator = Simulator(DEFAULT)
    simulator.reset(1)
    simulator.restore(scene.snapshot())
    seen = ObservedMap.begin(simulator.observe())
    inventory = tuple(simulator.observe().inventory[0].tolist())
    here = BeliefState(
        WorldModel(belief.practical()), seen, Status(inventory, False, 1.0, 0, frozenset())
    )
    experiments = Experiments()
    ways = Ways(here, belief.posterior)
    worthwhile = experiments._worthwhile(ways)
    tables = [each for each in worthwhile if each.setting.rule == "place.table"]
    expected = dict.fromkeys(DEFAULT.achievements, 0.5)
    prices = AchievementPrices(
        Experience(1000, 44.0), 1000, 0, expected, frozenset(), 11.0, 11.0, later=4
    )
    found = experiments._best(ways, tables, prices)
    assert found is not None and found.at_once
    assert found.information_gain.setting.material == "water" and found.action == PLACE_TABLE
