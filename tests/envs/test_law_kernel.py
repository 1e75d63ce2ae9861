"""Laws in compiled code: against the clauses on recorded states, and against the game."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from mars_logic.envs.law_kernel import BatchLaws
from mars_logic.envs.law_rewards import LawReward, VectorLawRewarded
from mars_logic.envs.shaping import Shaping, VectorShaped
from mars_logic.errors import InputError
from mars_logic.sim.split_actions import split_mask
from mars_logic.theory.action_models import Clause, Predicates, States
from mars_logic.theory.action_models.paper_rewards import paper_rewards

LAWS = {
    "collect_wood": [Clause(frozenset({"tree"}))],
    "collect_stone": [Clause(frozenset({"stone"}), {"wood_pickaxe": 1}), Clause(needs={"wood": 3})],
    "place_table": [Clause(frozenset({"grass", "sand"}), {"wood": 2}, occupied=True)],
    "make_wood_pickaxe": [Clause(needs={"wood": 1, "near table": 1})],
    "kill_cow": [Clause(frozenset({"cow"}))],
    "wake_up": [Clause(needs={"lack of energy": 1})],
    "place_stone": [Clause()],
    "eat_plant": [],
}


def batch(n=24, name="Default", **options):
    return gymnasium.make_vec(f"mars_logic/{name}-v0", n, autoreset_mode="SameStep", **options)


def any_state(rng, seen):
    """Observations with any amounts and surroundings, since random play meets few."""
    seen.materials[:, 3:6, 2:5] = rng.integers(0, 13, seen.materials[:, 3:6, 2:5].shape)
    seen.inventory[:] = rng.integers(0, 10, seen.inventory.shape)
    seen.inventory[:, 3] = rng.choice([5, 9], len(seen.inventory))
    seen.sleeping[:] = rng.random(len(seen.sleeping)) < 0.3
    return seen


def test_the_compiled_laws_are_the_clauses():
    envs, rng, laws = batch(), np.random.default_rng(4), Predicates(LAWS)
    compiled = BatchLaws(laws, envs.num_envs)
    envs.reset(seed=5)
    counts = np.zeros((2, len(LAWS)))
    for _ in range(120):
        envs.step(rng.integers(0, 17, envs.num_envs))
        seen = any_state(rng, envs.unwrapped.game.simulator.observe())
        compiled.judge(seen)
        states = States.of(seen)
        np.testing.assert_array_equal(compiled.valid, laws.valid(states))
        np.testing.assert_array_equal(compiled.anything, laws.anything(states))
        free = states.free[:, None]
        np.testing.assert_array_equal(compiled.valid, (compiled.progress == 1) & free)
        counts += compiled.valid.sum(axis=0), compiled.anything.sum(axis=0)
    assert (counts[:, :-1] > 0).all(), "every law was met somewhere"
    assert (counts[:, -1] == 0).all(), "a law without a clause is never met"


@pytest.mark.parametrize("dynamics", ["crafter", "mars"])
def test_the_printed_functions_as_clauses(dynamics):
    envs, rng = batch(name="Crafter"), np.random.default_rng(4)
    envs.reset(seed=5)
    printed = paper_rewards(dynamics)
    laws = Predicates({goal: each.clauses for goal, each in printed.items()})
    for _ in range(60):
        envs.step(rng.integers(0, 17, envs.num_envs))
        seen = any_state(rng, envs.unwrapped.game.simulator.observe())
        states, found = States.of(seen), laws.valid(States.of(seen))
        for column, function in enumerate(printed.values()):
            expected = function.holds(states) & states.free & (not function.fails)
            np.testing.assert_array_equal(found[:, column], expected)


def test_true_laws_pay_for_what_has_an_effect():
    envs = VectorLawRewarded(batch(8, length=60), LawReward(None, health=0.0))
    envs.reset(seed=1)
    game, rng, paid = envs.unwrapped.game, np.random.default_rng(2), [set() for _ in range(8)]
    fined, total = [set() for _ in range(8)], 0.0
    for _ in range(150):
        actions = rng.integers(0, 17, 8)
        effective = split_mask(game.simulator)
        _, rewards, terminated, truncated, _ = envs.step(actions)
        for env in range(8):
            if actions[env] == 5:
                new = int(effective[env, 5:16].any() and effective[env, 5:16].argmax() + 1)
                if new and new not in paid[env]:
                    paid[env].add(new)
                    assert rewards[env] == 1.0
                elif not new and 5 not in fined[env] and rewards[env]:
                    fined[env].add(5)
                    assert rewards[env] == -0.5
                total += abs(rewards[env])
            if terminated[env] or truncated[env]:
                paid[env], fined[env] = set(), set()
    assert total > 10


def test_a_strict_penalty_is_due_where_not_all_is_met():
    laws = Predicates({"place_table": [Clause(frozenset({"grass"}), {"wood": 1})]})
    for strict, expected in ((False, 0.0), (True, -0.5)):
        envs = VectorLawRewarded(batch(16), LawReward(laws, health=0.0, strict=strict))
        envs.reset(seed=3)
        grass = [States.of(envs.unwrapped.game.seen).target == 2][0]
        rewards = envs.step(np.full(16, envs.unwrapped.actions.index("place_table")))[1]
        assert grass.any()
        assert set(rewards[grass].tolist()) == {expected}
        assert (rewards[~grass] == -0.5).all()


def test_shaping_adds_the_difference_of_potentials():
    """With gamma 1, what an episode adds is minus the potential that it began with."""
    laws = Predicates({goal: each for goal, each in LAWS.items() if each})
    plain, shaped = batch(6, length=50), batch(6, length=50)
    shaped = VectorShaped(shaped, Shaping(laws, scale=3.0, gamma=1.0))
    plain.reset(seed=2)
    shaped.reset(seed=2)
    begun = shaped._potential()
    assert (begun > 0).all()
    rng, sums, over = np.random.default_rng(0), np.zeros(6), np.zeros(6, bool)
    while not over.all():
        actions = rng.integers(0, 17, 6)
        one, other = plain.step(actions), shaped.step(actions)
        sums += np.where(over, 0.0, other[1] - one[1])
        over |= one[2] | one[3]
    np.testing.assert_allclose(sums, -3.0 * begun)


def test_shaping_by_laws_of_the_other_dialect_is_refused():
    with pytest.raises(InputError, match="no achievement 'eat_cow'"):
        VectorShaped(batch(1), Shaping(Predicates({"eat_cow": []})))
    next_step = gymnasium.make_vec("mars_logic/Default-v0", 1)
    with pytest.raises(InputError, match="SameStep"):
        VectorShaped(next_step, Shaping(Predicates({})))
