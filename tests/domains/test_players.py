"""Players that keep a theory: what they play, say and learn."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic.domains import domain_of, load_game
from mars_logic.domains.memory import DRAWN_ANEW, FIXED, SHUFFLED, Memory, unit_nodes
from mars_logic.domains.playing import play
from mars_logic.errors import InputError
from tests.domains.texts import parse_game_theory


def scores(game, player, episodes, seed=0):
    simulator = domain_of(game).simulator(game)
    return np.array(
        [play(simulator, player, 1000 * seed + each, game.length).score for each in range(episodes)]
    )


def believed(player):
    """That the numbers stay; in a new order; in the same order."""
    told = next(sentence for sentence in player.theory() if "same in every episode" in sentence)
    return [float(number) for number in re.findall(r"\d\.\d{3}", told)]


def learner(game):
    return domain_of(game).player("bayes", domain_of(game).untold(game), learn=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "expected"),
    [("BanditTwoArmedHighLowFixed", 48.611), ("RockPaperScissorDifferentScore", 50)],
)
def test_the_player_gets_the_value(name, expected):
    game = load_game(name)
    found = scores(game, domain_of(game).player("bayes", game), 400)
    error = found.std(ddof=1) / 20
    assert abs(found.mean() - expected) <= 3 * error + 1e-9


@pytest.mark.parametrize("name", ["BanditTwoArmedLowLowFixed", "RockPaperScissorBasic"])
def test_who_is_told_everything_makes_no_mistake(name):
    game = load_game(name)
    assert (scores(game, domain_of(game).player("oracle", game), 5) == game.length).all()


def test_without_learning_every_episode_begins_anew():
    game = load_game("BanditTwoArmedHighLowFixed")
    simulator = domain_of(game).simulator(game)
    first = domain_of(game).player("bayes", domain_of(game).untold(game))
    scores(game, first, 4)
    again = domain_of(game).player("bayes", domain_of(game).untold(game))
    assert play(simulator, first, 9, 50) == play(simulator, again, 9, 50)
    assert not any("every episode" in sentence for sentence in first.theory())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "least"), [("BanditTwoArmedHighLowFixed", 47.9), ("RockPaperScissorBasic", 44.9)]
)
def test_a_learner_finds_out_that_the_numbers_stay(name, least):
    game = load_game(name)
    found = []
    for seed in range(6):
        player = learner(game)
        found.append(scores(game, player, 20, seed)[10:].mean())
        assert believed(player)[1] > 0.99
    assert np.mean(found) > least  # the mean of 200 runs is in the documentation


@pytest.mark.slow
def test_a_learner_tells_an_order_that_stays():
    text = load_game("BanditTwoArmedHighLowFixed").to_yaml().replace("shuffled", "fixed")
    game = parse_game_theory(text, "t.yaml")
    player = learner(game)
    assert scores(game, player, 20)[10:].mean() > 49.5
    assert believed(player)[2] > 0.5  # the worse arm is hardly pulled, so it is not quite sure


@pytest.mark.slow
def test_a_learner_is_not_deceived_by_numbers_that_change():
    game = load_game("BanditTwoArmedHighLowFixed")
    text = game.to_yaml()
    player = learner(game)
    for seed in range(24):
        pair = np.random.default_rng(seed).random(2).round(3)
        now = parse_game_theory(
            text.replace("0.8", str(pair[0])).replace("0.2", str(pair[1])), "t.yaml"
        )
        play(domain_of(now).simulator(now), player, seed, now.length)
    assert believed(player)[0] < 0.01


def test_a_theory_with_alternatives():
    text = (
        "domain: bandits\nlength: 20\norder: fixed\narms:\n"
        "  - {probability: {one_of: [{value: 0.9, weight: 3}, {value: 0.1}]}}\n"
        "  - {probability: 0.5}\n"
    )
    theory = parse_game_theory(text, "t.yaml")
    game = parse_game_theory(
        text.replace("{one_of: [{value: 0.9, weight: 3}, {value: 0.1}]}", "0.1"), "t.yaml"
    )
    player = domain_of(game).player("bayes", theory, learn=True)
    simulator = domain_of(game).simulator(game)
    found = play(simulator, player, 3, 20)
    assert found.actions[0] == 0 and found.actions[-5:] == (1,) * 5
    assert play(simulator, player, 4, 20).actions == (1,) * 20  # it has learned which it is


def test_a_refuted_theory_is_begun_again():
    text = (
        "domain: rock_paper_scissors\nlength: 10\norder: fixed\nmoves:\n"
        "  - {probability: 1}\n  - {probability: 0}\n  - {probability: 0}\n"
    )
    theory = parse_game_theory(text, "t.yaml")
    game = parse_game_theory(text.replace("fixed", "shuffled"), "t.yaml")
    player = domain_of(game).player("bayes", theory, learn=True)
    assert scores(game, player, 8).shape == (8,)
    assert "probability 0.333" in player.theory()[0] or "1.000" in player.theory()[0]


@pytest.mark.parametrize("name", ["BanditTwoArmedHighLowFixed", "RockPaperScissorBasic"])
def test_a_theory_of_another_game(name):
    game = load_game(name)
    text = game.to_yaml().replace("win: 1", "win: 2").replace("score: 1", "score: 2")
    another = "about another game than the one that is played; allowed: a theory of that game"
    for other, message in (
        (parse_game_theory(text, "t.yaml"), another),
        (game.model_copy(update={"length": 49}), "length: .* episodes of 49 steps; allowed: 50"),
    ):
        player = domain_of(game).player("bayes", other)
        with pytest.raises(InputError, match=message):
            scores(game, player, 1)


def test_an_order_with_alternatives():
    text = load_game("BanditTwoArmedHighLowFixed").to_yaml()
    one_of = "{one_of: [{value: shuffled}, {value: fixed, weight: 3}]}"
    theory = parse_game_theory(text.replace("shuffled", one_of), "t.yaml")
    game = parse_game_theory(text.replace("shuffled", "fixed"), "t.yaml")
    player = domain_of(game).player("bayes", theory, learn=True)
    found = [play(domain_of(game).simulator(game), player, seed, 50) for seed in range(10)]
    assert all(each.actions[0] == 0 for each in found)  # three of four: as listed
    stay, new, same = believed(player)
    assert stay == 1 and new < 0.01 and same > 0.99


def test_too_long_an_episode():
    game = load_game("BanditTwoArmedHighLowFixed").model_copy(update={"length": 101})
    with pytest.raises(InputError, match="too many to plan exactly; allowed: at most 100"):
        domain_of(game).player("bayes", game)


@given(st.lists(st.lists(st.floats(0.01, 1), min_size=4, max_size=4), min_size=1, max_size=8))
def test_a_memory_is_bayes_rule(episodes):
    """With two nodes and two orders, against sums over everything that may be so."""
    prior = np.array([0.25, 0.75])
    memory = Memory(prior, None)
    likelihoods = np.array(episodes).reshape(-1, 2, 2)  # episode, order, node
    for each in likelihoods:
        memory.learn(list(each), listed=True)
    mixed = likelihoods.mean(axis=1)
    evidence = {
        DRAWN_ANEW: (mixed @ prior).prod(),
        SHUFFLED: prior @ mixed.prod(axis=0),
        FIXED: prior @ likelihoods[:, 0].prod(axis=0),
    }
    total = sum(evidence.values())
    for name, found in memory.probabilities.items():
        assert found == pytest.approx(evidence[name] / total, rel=1e-9)
    now = memory.prior(listed=True)
    expected = (prior * likelihoods[:, 0].prod(axis=0)) / total
    assert now.listed == pytest.approx(expected, rel=1e-9)
    expected = (prior * mixed.prod(axis=0) + prior * evidence[DRAWN_ANEW]) / total
    assert now.shuffled == pytest.approx(expected, rel=1e-9)


@given(st.integers(1, 30), st.integers(0, 59))
def test_nodes_integrate_powers(size, power):
    points, weights = unit_nodes(size)
    if power < 2 * size:
        assert (weights * points**power).sum() == pytest.approx(1 / (power + 1), rel=1e-12)
