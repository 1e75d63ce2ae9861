"""Rewards by laws: against a reckoning by the printed source of the same laws, step by step."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from mars_logic.envs.law_rewards import LawReward, LawRewarded, VectorLawRewarded
from mars_logic.errors import InputError
from mars_logic.theory.action_models import Clause, Predicates, States, situation
from mars_logic.theory.action_models.action_goals import action as action_of
from mars_logic.theory.action_models.action_goals import alias

NEAR_TABLE = {"wood": 1, "near table": 1}
LAWS = {
    "collect_wood": [Clause(frozenset({"tree"}))],
    "collect_sapling": [Clause(frozenset({"grass"}))],
    "collect_stone": [Clause(frozenset({"stone"}), {"wood_pickaxe": 1})],
    "place_plant": [Clause(frozenset({"grass"}), {"sapling": 1})],
    "place_table": [Clause(frozenset({"grass", "sand", "path"}), {"wood": 2})],
    "make_wood_pickaxe": [Clause(needs=NEAR_TABLE)],
    "wake_up": [Clause(needs={"lack of energy": 1})],
    "eat_plant": [],
}
REWARD = LawReward(Predicates(LAWS))


def met(clause: Clause, here: dict) -> list[bool]:
    """Each condition of a clause, by a situation."""
    amounts = {
        **here["held"],
        **{f"near {each}": 1 for each in here["nearby"]},
        **{f"lack of {vital}": 9 - n for vital, n in here["vitals"].items()},
    }
    aimed = [here["facing"] in clause.targets] if clause.targets else []
    return aimed + [amounts.get(name, 0) >= n for name, n in clause.needs.items()]


class Reckoning:
    """What one environment is to be paid in an episode, from what it shows."""

    def __init__(self, names, dynamics):
        self.names, self.dynamics = names, dynamics
        self.paid, self.fined = set(), set()

    def due(self, env, action):
        here = situation(States.of(env.unwrapped.game.seen))
        name = self.names[action]
        goals = [g for g in LAWS if name in (action_of(g), g) or alias(name, self.dynamics) == g]
        if not goals or here["asleep"]:
            return 0.0
        total = 0.0
        for goal in goals:
            if goal not in self.paid and any(all(met(c, here)) for c in LAWS[goal]):
                self.paid.add(goal)
                total += 1.0
        nothing = not any(any(met(c, here)) for goal in goals for c in LAWS[goal])
        if nothing and name not in self.fined:
            self.fined.add(name)
            total -= 0.5
        return total


@pytest.mark.parametrize("actions", ["plain", "split"])
@pytest.mark.parametrize("world", ["Crafter", "Default"])
def test_one_environment(world, actions):
    env = LawRewarded(gymnasium.make(f"mars_logic/{world}-v0", length=250, actions=actions), REWARD)
    env.action_space.seed(3)
    names = env.unwrapped.actions
    dynamics = env.unwrapped.game.simulator.world.dynamics
    paid = []
    for seed in range(4):
        env.reset(seed=seed)
        reckoning, over, health = Reckoning(names, dynamics), False, 9
        while not over:
            action = env.action_space.sample()
            due = reckoning.due(env, action)
            _, reward, terminated, truncated, info = env.step(action)
            change, health = info["inventory"]["health"] - health, info["inventory"]["health"]
            assert reward == pytest.approx(due + 0.1 * change)
            assert type(reward) is float
            paid.append(due)
            over = terminated or truncated
        assert env.step(0)[1] == 0.0, "after the end nothing is paid"
    assert {1.0, -0.5} <= set(paid)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_many_are_paid_as_one_is(mode):
    id = "mars_logic/Default-v0"
    envs = VectorLawRewarded(gymnasium.make_vec(id, 4, length=40, autoreset_mode=mode), REWARD)
    others = gymnasium.make_vec(
        id,
        4,
        length=40,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        wrappers=(lambda env: LawRewarded(env, REWARD),),
    )
    envs.reset(seed=1)
    others.reset(seed=1)
    rng, paid = np.random.default_rng(1), 0.0
    for _ in range(200):
        actions = rng.integers(0, 17, 4)
        step, other = envs.step(actions), others.step(actions)
        np.testing.assert_array_equal(step[1], other[1])
        paid += np.abs(step[1]).sum()
        over = step[2] | step[3]
        if mode == "Disabled" and over.any():
            envs.reset(options={"reset_mask": over})
            others.reset(options={"reset_mask": over})
    assert paid > 20


def test_laws_of_the_other_dialect_are_refused():
    reward = LawReward(Predicates({"eat_cow": []}))
    with pytest.raises(InputError, match="no achievement 'eat_cow'"):
        LawRewarded(gymnasium.make("mars_logic/Default-v0"), reward)
    with pytest.raises(InputError, match="no environment of mars_logic"):
        LawRewarded(gymnasium.make("CartPole-v1"), reward)
