"""What a life, a bit and a step are worth, and which experiments are worth their risk."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.agents.inductive.information_gain import (
    ExperimentSetting,
    InformationGain,
    Vitals,
    information_gain,
)
from mars_logic.agents.inductive.posterior import Posterior
from mars_logic.agents.inductive.prices import AchievementPrices, Appraisal, Experience
from mars_logic.agents.inductive.weights import normal
from mars_logic.play.agent import Episode, load_agent, own_seed
from mars_logic.play.learning import study
from mars_logic.sim import Simulator
from mars_logic.theory.monitor import Monitor
from mars_logic.theory.signatures import Held
from mars_logic.world import names

ALL_THREE, DEFAULT = load_world("all_three"), load_world("default")
GOALS = ALL_THREE.achievements
LENGTH = 1000
NOTHING = Held((0,) * len(names.HOLDABLE))


def prices(**changed: Any) -> AchievementPrices:
    """At the start of the first of three episodes, unless stated otherwise."""
    expected = dict.fromkeys(GOALS, 0.5)
    usual = {"left": LENGTH, "waited": 0, "expected": expected, "missed": 11.0, "later": 2}
    usual |= {"planned": frozenset(), "reached": 11.0}
    return AchievementPrices(Experience(LENGTH, 90.0), **(usual | changed))


def experiment(
    bits: float, deadly: float = 0.0, *, rule: str = "walk.lava", **unlocks: float
) -> InformationGain:
    setting = ExperimentSetting(rule, rule.partition(".")[2], ())
    return InformationGain(setting, bits, 1.0, deadly, unlocks=unlocks)


def gain(found: InformationGain, at: AchievementPrices, steps: float = 0.0) -> float:
    return Appraisal(at, [found]).gain(found, steps)


# --- The learner's own play -----------------------------------------------------------------------


def test_an_early_death_says_much_of_the_lifetime_and_little_of_achievements() -> None:
    played = Experience(LENGTH, 90.0)
    assert played.chance("wake_up") == 0.5 and played.lifetime == LENGTH
    played.add(30, set(), GOALS, died=True)
    assert 0.49 < played.chance("wake_up") < 0.5 and played.lifetime == 515
    played.add(LENGTH, {"wake_up"}, GOALS, died=False)
    assert played.chance("wake_up") > 0.6 > 0.4 > played.chance("eat_plant")
    assert played.lifetime == 1015


# --- Prices ---------------------------------------------------------------------------------------

shares = st.floats(0, 1)


@given(
    left=st.integers(0, LENGTH),
    waited=st.integers(0, LENGTH),
    chances=st.lists(shares, max_size=len(GOALS)),
    later=st.integers(0, 9),
    deaths=st.integers(0, 5),
)
def test_a_life_is_worth_what_is_to_come(
    left: int, waited: int, chances: list[float], later: int, deaths: int
) -> None:
    expected = dict(zip(GOALS, chances, strict=False))
    at = replace(prices(left=left, waited=waited, expected=expected, later=later))
    at.experience.deaths = deaths
    assert at.life(0, 0.0) == 0 <= at.life(left, 0.0) <= at.life(left + 1, 0.0)
    assert at.life(left, 0.0) <= sum(chances) + 1e-9
    assert at.life(left, 1.0) >= at.life(left, 0.0) and at.step(1.0) >= 0
    assert at.now >= 0 <= at.afterwards <= replace(at, later=later + 1).afterwards
    assert 0 <= at.steps(left) <= left


def test_no_price_has_a_limit() -> None:
    """Twice the achievements, twice the life; twice the episodes to come, twice the bit."""
    half = prices(expected=dict.fromkeys(GOALS[:11], 0.5))
    assert prices().life(LENGTH, 0.0) == 2 * half.life(LENGTH, 0.0)
    few, many = (prices(later=n).afterwards for n in (100, 200))
    assert many == pytest.approx(2 * few)


def test_a_life_is_not_given_for_half_a_bit_until_little_is_left_of_it() -> None:
    risky = experiment(0.65, 0.17)
    for rule in ("walk.lava", "collect.water"):
        assert gain(experiment(0.65, 0.17, rule=rule), prices()) < 0
    assert gain(experiment(0.65, rule="collect.water"), prices()) > 0
    end = prices(left=1, waited=300, trodden={"lava"})
    assert gain(risky, end) > 0, "it can be found out where there is little to lose"
    assert gain(risky, replace(end, later=0)) < 0, "nobody could use it any more"
    shut_in = prices(expected=dict.fromkeys(GOALS, 0.0), enclosed=True)
    assert gain(risky, shut_in) > 0, "nothing comes without new knowledge"


@given(st.integers(1, LENGTH), st.integers(1, LENGTH), st.integers(0, 9))
def test_what_can_wait_gains_less_now(left: int, steps: int, later: int) -> None:
    at = prices(left=left, later=later)
    bit = experiment(1.0, rule="collect.tree")
    whole = at.now + at.afterwards
    assert at.now <= at.told(bit, steps) <= whole * (1 + 1e-9)
    assert at.told(bit, left) == pytest.approx(whole), "this is the last chance"


def test_ground_is_of_use_to_who_is_shut_in_or_spares_a_death() -> None:
    ground, tree = experiment(1.0, 0.1), experiment(1.0, rule="collect.tree")
    alone = prices(later=0)
    assert alone.told(ground, 1) == 0 < alone.told(tree, 1)
    shut_in = replace(alone, enclosed=True)
    assert shut_in.told(ground, 1) == shut_in.told(tree, 1) == alone.told(tree, 1)
    last = prices(left=1)
    assert last.told(ground, 1) == 0, "the plan does not walk on it"
    assert replace(last, trodden={"lava"}).told(ground, 1) == pytest.approx(0.1 * 11)


@given(shares, shares, st.integers(0, 500), st.integers(0, 500), st.floats(0, 3))
def test_risk_and_ways_cost_and_information_gains(
    one: float, other: float, near: int, far: int, bits: float
) -> None:
    low, high = sorted((one, other))
    near, far = sorted((near, far))
    rivals = [experiment(bits, rule="collect.tree")]
    at = Appraisal(prices(), rivals)
    assert at.gain(experiment(bits, low), near) >= at.gain(experiment(bits, high), near)
    assert at.gain(experiment(bits), near) >= at.gain(experiment(bits), far)
    tree, more = (experiment(each, low, rule="collect.tree") for each in (bits, bits + 1))
    assert at.gain(more, near) > at.gain(tree, near)


def test_an_experiment_may_itself_unlock_what_is_locked() -> None:
    found = experiment(0.1, rule="place.table", place_table=0.5)
    at = prices(expected={"place_table": 0.0, "wake_up": 0.5})
    without = gain(replace(found, unlocks={}), at)
    assert gain(found, at) == pytest.approx(without + 0.5)
    expected = prices(expected={"place_table": 1.0, "wake_up": 0.5})
    assert gain(found, expected) == pytest.approx(gain(replace(found, unlocks={}), expected))
    planned = prices(expected={"place_table": 0.0, "wake_up": 0.5}, planned={"place_table"})
    assert gain(found, planned) == pytest.approx(gain(replace(found, unlocks={}), planned))
    reached = prices(expected={"wake_up": 0.5})
    assert gain(found, reached) == pytest.approx(gain(replace(found, unlocks={}), reached))


# --- What kills -----------------------------------------------------------------------------------


class Draining(Posterior):
    """All ground and all liquids can be used, kill nobody, and may cost a point of health."""

    def weights(self, name: Any) -> dict[Any, float]:
        found: dict[str, dict[Any, float]] = {
            "walkable": {True: 1.0},
            "deadly": {False: 1.0},
            "health": {0: 0.75, -1: 0.25},
        }
        return normal(found.get(name[1], super().weights(name)))


@pytest.mark.parametrize("rule", ["walk.sand", "collect.water"])
@pytest.mark.parametrize(("health", "dies"), [(9, False), (2, False), (1, True)])
def test_who_has_one_point_of_health_dies_of_losing_one(
    rule: str, health: int, *, dies: bool
) -> None:
    posterior = Draining(DEFAULT, DEFAULT, Monitor(DEFAULT))
    vitals: Vitals = (health, 9, 9)
    material = rule.partition(".")[2]
    found = information_gain(posterior, ExperimentSetting(rule, material, NOTHING, (), vitals))
    assert found.deadly == pytest.approx(found.works * 0.25 if dies else 0.0)
    assert (found.cost > 1) == (not dies), "what does not kill takes time to heal"


# --- In play --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_it_is_told_how_many_episodes_can_use_what_it_learns() -> None:
    sent: list[Any] = []

    def watch(agent: Any) -> Any:
        agent.watch = sent.append
        return None

    study(DEFAULT, 1, 3, 2, limit=1, watch=watch)
    begun = [arguments[0].later for what, arguments in sent if what == "begin"]
    assert begun[:3] == [4, 3, 2]


def test_it_does_not_die_of_an_experiment_in_its_first_steps() -> None:
    """It used to: for half a bit, at step 28 of 1,000."""
    agent: Any = load_agent("inductive")()
    simulator = Simulator(ALL_THREE)
    simulator.reset(913_000)
    seen = simulator.observe()
    agent.begin(Episode(own_seed(913_000), "mars", LENGTH, later=4))
    for _ in range(35):
        action = agent.act(seen)
        before = simulator.achievements[0] > 0
        reward, done = simulator.step(action)
        new = np.array(GOALS)[(simulator.achievements[0] > 0) & ~before].tolist()
        seen = simulator.observe()
        agent.note(action, float(reward[0]), new, bool(done[0]), seen)
        tried = agent.decision.layer == "experiment"
        assert not (tried and done[0]), agent.decision
    assert agent.tell().trials
