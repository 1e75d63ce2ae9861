from __future__ import annotations

import pytest

from mars_logic import load_world
from mars_logic.cli.human import HumanGame, PlaySession
from mars_logic.cli.human.game import OTHER_KEYS, help_lines
from mars_logic.cli.human.player import decode
from mars_logic.play.action_keys import ACTION_KEYS
from mars_logic.world import names

WORLD = load_world("default")


def press(game: HumanGame, keys: str) -> HumanGame:
    for key in keys.split():
        game.press(key)
    return game


@pytest.fixture
def game() -> HumanGame:
    return HumanGame(PlaySession(WORLD, 3, WORLD.achievements))


def test_every_action_has_a_key_of_its_own() -> None:
    assert tuple(sorted(ACTION_KEYS)) == tuple(sorted(names.ACTIONS))
    keys = [key for some in ACTION_KEYS.values() for key in some] + list(OTHER_KEYS)
    assert len(keys) == len(set(keys))
    text = "\n".join(help_lines())
    assert all(f"  {' or '.join(keys)} " in text for keys in ACTION_KEYS.values())
    assert max(map(len, help_lines())) < 100


@pytest.mark.parametrize("action", names.ACTIONS)
def test_keys_are_actions(game: HumanGame, action: str) -> None:
    for key in ACTION_KEYS[action]:
        game.press(key)
    code = names.ACTIONS.index(action)
    assert game.session.actions == [code] * len(ACTION_KEYS[action])
    assert game.message.startswith(action)


def test_a_message_tells_what_came_of_it(game: HumanGame) -> None:
    press(game, "w w space")
    assert game.message == "do: sapling +1, unlocked collect_sapling"
    press(game, "p")
    assert game.message == "place_plant: sapling -1, unlocked place_plant"


def test_undo_asks_once_and_marks_the_episode(game: HumanGame) -> None:
    press(game, "w w space u n")
    assert game.session.steps == 3 and not game.session.aids
    press(game, "u y u u")
    assert game.session.steps == 0 and game.session.agent == "human_with_undo"
    assert game.session.unlocked == {}
    press(game, "u")
    assert game.message == "There is nothing to undo."


def test_the_manual_asks_once_and_is_scrolled(game: HumanGame) -> None:
    press(game, "m n")
    assert game.page is None and not game.session.aids
    press(game, "m y")
    assert game.page == "manual" and game.session.agent == "human_with_manual"
    assert any("What is always so" in line for line in game.lines)
    press(game, "down down up")
    assert game.top == 1
    game.press("page down", room=20)
    assert game.top == 20
    game.press("end", room=20)
    last = game.top
    assert last == len(game.lines) - 20
    game.press("down", room=20)
    assert game.top == last
    press(game, "home up")
    assert game.top == 0 and game.session.steps == 0
    press(game, "q m")
    assert game.page == "manual"  # at once, since it is known


def test_help_is_no_aid(game: HumanGame) -> None:
    press(game, "h space q w")
    assert game.session.actions == [names.ACTIONS.index("move_up")]
    assert game.session.agent == "human" and not game.over


def test_leaving_asks_whether_to_keep(game: HumanGame) -> None:
    assert press(game, "w q n").over is False
    assert game.session.steps == 1
    assert "plays" in (press(game, "q").asked or "")
    assert press(game, "k").over and game.keep_anyway


def test_who_keeps_is_told_where(game: HumanGame) -> None:
    game.place = "here"
    assert "here" in (press(game, "w q").asked or "")
    assert press(game, "k").over is False
    assert press(game, "q y").over and not game.keep_anyway


def test_nothing_played_is_left_without_a_question(game: HumanGame) -> None:
    assert press(game, "q").over


def test_the_end_is_told_and_further_actions_are_none() -> None:
    game = HumanGame(PlaySession(WORLD, 3, ["collect_sapling"]), place="here")
    press(game, "w w space")
    assert game.message.startswith("Everything is unlocked at step 3. q quits.")
    press(game, "space")
    assert game.session.steps == 3 and game.message == "Everything is unlocked at step 3. q quits."
    assert press(game, "q").over


def test_keys_are_decoded() -> None:
    assert decode("w\x1b[A\x1bOB \t\r.") == ["w", "up", "down", "space", "tab", "enter", "."]
    assert decode("\x1b[5~\x1b[6~\x1b[H\x1b[4~\x1b") == [
        *("page up", "page down", "home", "end", "escape")
    ]
    assert decode("\x1b[1;5C\x1b[200~é\x00") == ["é"]  # unknown sequences are no letters
