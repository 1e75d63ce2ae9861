"""What holds of every simulator of a game, and of sources of chance."""

from __future__ import annotations

import ast
import subprocess
import sys

import numpy as np
import pytest

from mars_logic.domains import bundled_games, domain, domain_names, domain_of, load_game
from mars_logic.domains.chance import MissingDrawError, Recorded, Seeded
from mars_logic.domains.playing import play
from mars_logic.domains.protocol import ActionError
from mars_logic.errors import InputError
from tests.paths import REPOSITORY

GAMES = pytest.mark.parametrize("name", bundled_games())
PLAYED = """
from mars_logic.domains import domain_of, load_game
from mars_logic.domains.playing import play
game = load_game("{name}")
dom = domain_of(game)
found = play(dom.simulator(game), dom.player("random", game), 5, game.length)
print(found.actions, found.rewards)
"""


def played(name, seed, player="random", **options):
    game = load_game(name)
    found = domain_of(game).player(player, game)
    return play(domain_of(game).simulator(game), found, seed, game.length, **options)


@GAMES
def test_every_player_plays_within_the_space(name):
    game = load_game(name)
    dom = domain_of(game)
    space, limit = dom.space(game), dom.text_limit(game)
    for player in dom.players:
        simulator, chance = dom.simulator(game), Seeded(3)
        simulator.reset(chance)
        done = False
        found = play(simulator, dom.player(player, game), 3, game.length, texts=True)
        assert len(found.actions) <= game.length
        assert all(0 < len(text) <= limit for text in found.texts)
        simulator.reset(chance)
        for action in found.actions:
            if not done:
                done = simulator.step(action, chance).done
            seen = simulator.observe()
            assert set(seen) == set(space)
            for key, value in seen.items():
                low, high, size = space[key].low, space[key].high, space[key].size
                many = value if isinstance(value, tuple) else (value,)
                assert size == (len(value) if isinstance(value, tuple) else None)
                assert all(low <= each <= high for each in many)


@GAMES
def test_a_snapshot_holds_everything(name):
    game = load_game(name)
    simulator = domain_of(game).simulator(game)
    chance = Seeded(11)
    simulator.reset(chance)
    for action in (0, 1, 0):
        simulator.step(action, chance)
    before, stream = simulator.snapshot(), chance.snapshot()
    first = [simulator.step(action, chance) for action in (1, 0, 1)], simulator.observe()
    assert simulator.snapshot() != before
    simulator.restore(before)
    chance.restore(stream)
    assert ([simulator.step(action, chance) for action in (1, 0, 1)], simulator.observe()) == first
    other = domain_of(game).simulator(game)
    other.restore(before)
    assert other.text() and other.score == before_score(simulator, before)


def before_score(simulator, snapshot):
    simulator.restore(snapshot)
    return simulator.score


@GAMES
@pytest.mark.parametrize("action", [-1, 6, True])
def test_what_is_no_action_changes_nothing(name, action):
    game = load_game(name)
    simulator = domain_of(game).simulator(game)
    simulator.reset(Seeded(1))
    before = simulator.snapshot()
    with pytest.raises(ActionError, match="is not an action; allowed: 0 to"):
        simulator.step(action, Seeded(1))
    assert simulator.snapshot() == before


@GAMES
def test_the_manual_numbers_the_actions(name):
    game = load_game(name)
    simulator = domain_of(game).simulator(game)
    simulator.reset(Seeded(1))
    listed = simulator.manual.partition("Actions:\n")[2].splitlines()
    assert listed == [f"{place}. {name}" for place, name in enumerate(simulator.actions, 1)]
    assert str(game.length) in simulator.manual


def test_the_manual_tells_the_scores_of_the_moves():
    game = load_game("RockPaperScissorDifferentScore")
    simulator = domain_of(game).simulator(game)
    places = set()
    for seed in range(30):
        simulator.reset(Seeded(seed))
        for move, score in zip(("rock", "paper", "scissors"), simulator.scores, strict=True):
            assert f"Winning with {move} is worth {score}:" in simulator.manual
        places.add(simulator.scores.index(2))
        assert simulator.snapshot().best == simulator.scores.index(2)
    assert places == {0, 1, 2}


@GAMES
def test_a_seed_is_an_episode(name):
    assert played(name, 5) == played(name, 5)
    assert played(name, 5).actions != played(name, 6).actions
    if not name.endswith("3Disk"):
        return
    code = PLAYED.format(name=name)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True
    )
    found = played(name, 5)
    assert done.stdout.strip() == f"{found.actions} {found.rewards}"


def test_streams_have_fixed_numbers():
    stream = Seeded(0)
    assert three(stream) == [
        0.6338533619345922,
        0.5138921760139497,
        0.6863014922105296,
    ]
    words = np.random.SeedSequence([0, 0, *b"game"])
    assert three(Seeded(0)) == np.random.Generator(np.random.PCG64(words)).random(3).tolist()
    assert three(Seeded(1)) != three(Seeded(-1))
    assert Seeded(0, "noise").uniform("") != Seeded(0).uniform("")


def three(stream):
    return [stream.uniform("") for _ in range(3)]


def test_orders_and_weights_are_fair():
    stream, many = Seeded(2), 6000
    orders = [stream.order("", 3) for _ in range(many)]
    counts = np.unique(orders, axis=0, return_counts=True)[1]
    assert len(counts) == 6 and abs(counts - many / 6).max() < 5 * (many / 6) ** 0.5
    drawn = np.bincount([stream.weighted("", (0.2, 0.0, 0.8)) for _ in range(many)], minlength=3)
    assert drawn[1] == 0 and abs(drawn[0] - 0.2 * many) < 5 * (0.16 * many) ** 0.5


@pytest.mark.parametrize("draw", [None, "x", True, 1.0, -0.1])
def test_a_recording_must_hold_what_is_asked(draw):
    with pytest.raises(MissingDrawError):
        Recorded({"u": draw}).uniform("u")
    with pytest.raises(MissingDrawError):
        Recorded({"u": draw}).weighted("u", (0.5, 0.0))
    with pytest.raises(MissingDrawError):
        Recorded({}).order("order", 2)
    assert Recorded({"o": [1, 0]}).order("o", 2) == (1, 0)


def test_unknown_domains_and_players():
    with pytest.raises(InputError, match="unknown domain 'hanoy', did you mean 'hanoi'"):
        domain("hanoy")
    with pytest.raises(InputError, match="has no player 'bayes'; allowed: random, oracle"):
        domain("hanoi").player("bayes", load_game("Hanoi3Disk"))
    with pytest.raises(InputError, match="there is no prior 'some' for Hanoi3Disk"):
        domain("hanoi").value(load_game("Hanoi3Disk"), "some")


def test_no_domain_knows_another():
    folder = REPOSITORY / "mars_logic" / "domains"
    for name in domain_names():
        others = {f"mars_logic.domains.{other}" for other in domain_names() if other != name}
        for path in (folder / name).glob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module:
                    assert not any(node.module.startswith(other) for other in others), path
