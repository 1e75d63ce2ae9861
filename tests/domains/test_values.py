"""Exact values: the numbers of an independent computation, and small games by brute force."""

from __future__ import annotations

import itertools
import math
import time
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.benchmarks import bandits
from mars_logic.domains import domain_of, load_game
from mars_logic.domains.bandits.beliefs import PullBeliefs
from mars_logic.domains.bandits.rules import Bandit
from mars_logic.domains.bandits.value import optimal
from mars_logic.domains.rock_paper_scissors.rules import payoff
from mars_logic.domains.rock_paper_scissors.value import payoffs
from mars_logic.errors import InputError
from tests.domains import many_rounds as rounds
from tests.domains.texts import parse_game_theory

SCORES = {
    "BanditTwoArmedDeterministicFixed": (49.500, 49.500),
    "BanditTwoArmedHighHighFixed": (37.711, 34.742),
    "BanditTwoArmedHighLowFixed": (48.611, 48.294),
    "BanditTwoArmedLowLowFixed": (36.128, 34.639),
    "RockPaperScissorBasic": (46.178, 44.389),
    "RockPaperScissorDifferentScore": (50.000, 40.131),
}
REWARDS = {
    "BanditTwoArmedDeterministicFixed": 49.000,
    "BanditTwoArmedHighHighFixed": 36.948,
    "BanditTwoArmedHighLowFixed": 27.952,
    "BanditTwoArmedLowLowFixed": -33.072,
}
"""Of those who are told nothing."""


def value(name, prior):
    game = load_game(name)
    return domain_of(game).value(game, prior)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCORES)
def test_scores(name):
    for prior, expected in zip(("told", "none"), SCORES[name], strict=True):
        assert value(name, prior).score == pytest.approx(expected, abs=0.001)


@pytest.mark.parametrize("name", REWARDS)
def test_rewards(name):
    assert value(name, "none").reward == pytest.approx(REWARDS[name], abs=0.001)


def test_a_tie_between_two_frequent_moves_costs_reward_and_not_score():
    """Replying to either of the most frequent moves scores as much, and gets less reward.

    Of rock and paper, as frequent as each other, paper ties with one and beats the other; scissors,
    the reply to paper, loses to rock.
    """
    game, truth = load_game("RockPaperScissorBasic"), np.array([0.2, 0.2, 0.6])
    each = payoffs((1, 1, 1)) @ truth
    score = reward = 0.0
    for rounds_behind in range(game.length):
        for rock, paper in itertools.product(range(rounds_behind + 1), repeat=2):
            counts = np.array([rock, paper, rounds_behind - rock - paper])
            if counts[2] < 0:
                continue
            ways = math.factorial(rounds_behind) / math.prod(map(math.factorial, counts.tolist()))
            frequent = np.flatnonzero(counts == counts.max())
            replies = (frequent + 1) % 3
            weight = ways * float(np.prod(truth**counts)) / len(replies)
            score += weight * float((replies == each.argmax()).sum())
            reward += weight * float(each[replies].sum())
    found = value("RockPaperScissorBasic", "told")
    assert (score, reward) == pytest.approx((46.178, 17.707), abs=0.001)
    assert (found.score, found.reward) == pytest.approx((46.178, 17.841), abs=0.001)


def test_payoffs_expected_before_the_first_pull():
    found = value("BanditTwoArmedHighLowFixed", "none")
    assert (found.expected + 50) / 2 == pytest.approx(31.9967, abs=0.0001)
    assert "expects 31.997 pay-offs of 50" in found.note


def test_a_value_takes_no_two_seconds():
    start = time.process_time()
    value("BanditTwoArmedLowLowFixed", "none")
    assert time.process_time() - start < 2


def test_first_moves():
    told = value("BanditTwoArmedHighLowFixed", "told").moves
    assert told[:3] == ("at the start: machine 1 or machine 2", "1+: machine 1", "1-: machine 2")
    assert "1+ 1-: machine 1 or machine 2" in told  # .8 and .2 weigh the same then
    assert "1+ 1-: machine 2" in value("BanditTwoArmedHighLowFixed", "none").moves
    basic = value("RockPaperScissorBasic", "told")
    assert basic.moves[:2] == ("at the start: rock or paper or scissors", "rock: paper")
    assert "greedy" in basic.note
    assert value("RockPaperScissorDifferentScore", "told").moves[0] == "at the start: scissors"


def by_fractions(length):
    """The expected pay-offs of optimal play with Beta(1, 1) priors, in fractions."""

    @cache
    def best(w1, l1, w2, l2):
        if w1 + l1 + w2 + l2 == length:
            return Fraction(0)
        p, q = Fraction(w1 + 1, w1 + l1 + 2), Fraction(w2 + 1, w2 + l2 + 2)
        one = p * (1 + best(w1 + 1, l1, w2, l2)) + (1 - p) * best(w1, l1 + 1, w2, l2)
        two = q * (1 + best(w1, l1, w2 + 1, l2)) + (1 - q) * best(w1, l1, w2, l2 + 1)
        return max(one, two)

    return best(0, 0, 0, 0)


@pytest.mark.parametrize("length", [1, 2, 5, 12])
def test_bandits_in_fractions(length):
    text = f"domain: bandits\nlength: {length}\norder: unknown\narms:\n"
    arm = "  - {probability: unknown, win: 1, loss: 0}\n"
    theory = parse_game_theory(text + arm + arm, "t.yaml")
    found = optimal(PullBeliefs(theory).evidence(((1, 0), (1, 0))), ((1, 0), (1, 0)))
    assert found.expected == pytest.approx(float(by_fractions(length)), abs=1e-12)


chances = st.sampled_from([0.0, 0.1, 0.35, 0.5, 0.8, 1.0])
amounts = st.sampled_from([-2, -1, 0, 1, 3])


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(chances, amounts, amounts), min_size=2, max_size=2))
def test_bandits_by_brute_force(arms):
    """All of a game of four pulls, by who knows the arms but not their order."""
    stated = [{"probability": p, "win": w, "loss": loss} for p, w, loss in arms]
    game = Bandit.model_validate({"length": 4, "arms": stated})

    def best(shown, history):
        if len(history) == 4:
            return 0.0
        weights = {
            order: np.prod(
                [arms[order[m]][0] if paid else 1 - arms[order[m]][0] for m, paid in history]
            )
            for order in ((0, 1), (1, 0))
            if [arms[each][1:] for each in order] == shown
        }
        total = sum(weights.values())
        if total == 0:
            return 0.0
        found = []
        for machine in (0, 1):
            p = sum(w * arms[o[machine]][0] for o, w in weights.items()) / total
            win, loss = shown[machine]
            found.append(
                p * (win + best(shown, (*history, (machine, True))))
                + (1 - p) * (loss + best(shown, (*history, (machine, False))))
            )
        return max(found)

    expected = np.mean([best([arms[each][1:] for each in o], ()) for o in ((0, 1), (1, 0))])
    found = domain_of(game).value(game, "told")
    assert found.expected == pytest.approx(expected, abs=1e-9)
    assert found.reward == pytest.approx(expected, abs=1e-9)


def test_rock_paper_scissors_by_brute_force():
    """Three rounds, all orders and all moves of the opponent, by the untold."""
    text = "domain: rock_paper_scissors\nlength: 3\nmoves:\n"
    pairs = ((0.1, 1), (0.3, 1), (0.6, 3))
    lines = "".join(f"  - {{probability: {p}, score: {s}}}\n" for p, s in pairs)
    game = parse_game_theory(text + lines, "t.yaml")
    score = reward = 0.0
    for deal in itertools.permutations(pairs):
        scores = tuple(s for _, s in deal)
        true = [sum(p * payoff(a, b, scores) for b, (p, _) in enumerate(deal)) for a in range(3)]
        for behind in range(3):
            for seen in itertools.product(range(3), repeat=behind):
                weight = np.prod([deal[move][0] for move in seen]) / 6
                guess = [(1 + seen.count(move)) / (3 + behind) for move in range(3)]
                hoped = [sum(guess[b] * payoff(a, b, scores) for b in range(3)) for a in range(3)]
                best = [a for a in range(3) if hoped[a] > max(hoped) - 1e-9]
                score += weight * (int(np.argmax(true)) in best) / len(best)
                reward += weight * sum(true[a] for a in best) / len(best)
    found = domain_of(game).value(game, "none")
    assert found.score == pytest.approx(score, abs=1e-9)
    assert found.reward == pytest.approx(reward, abs=1e-9)


def sampled(name, prior, episodes=4000):
    game = load_game(name)
    theory = game if prior == "told" else domain_of(game).untold(game)
    if domain_of(game).name == "bandits":
        return bandits.best_pulls(game, bandits.bayes(theory), episodes, 7).sum(axis=1)
    return rounds.best_rounds(game, rounds.bayes(theory), episodes, 7).sum(axis=1)


@pytest.mark.slow
@pytest.mark.parametrize("prior", ["told", "none"])
@pytest.mark.parametrize("name", SCORES)
def test_the_means_of_many_episodes(name, prior):
    scores = sampled(name, prior)
    error = scores.std(ddof=1) / len(scores) ** 0.5
    assert abs(scores.mean() - value(name, prior).score) <= 3 * error + 1e-9


def test_thompson_and_random():
    game = load_game("BanditTwoArmedHighLowFixed")
    found = bandits.best_pulls(game, bandits.thompson, 4000, 1).sum(axis=1)
    assert found.mean() == pytest.approx(46.1, abs=0.2)
    found = bandits.best_pulls(game, bandits.random_pulls, 4000, 1).sum(axis=1)
    assert found.mean() == pytest.approx(25, abs=0.2)


@pytest.mark.parametrize(
    ("name", "most"), [("BanditTwoArmedHighLowFixed", 100), ("RockPaperScissorBasic", 200)]
)
def test_too_long_an_episode(name, most):
    game = load_game(name).model_copy(update={"length": most + 1})
    with pytest.raises(InputError, match=f"length: .* too many .*; allowed: at most {most}"):
        domain_of(game).value(game, "told")
