"""Views of dialects with traces: pictures with the inventory, films, text with marks, a screen."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

import mars_logic.envs  # noqa: F401 - registers the environments
from mars_logic import load_world
from mars_logic.cli.human import HumanGame, PlaySession, draw
from mars_logic.cli.human.game import help_lines
from mars_logic.errors import InputError
from mars_logic.play.action_keys import action_keys
from mars_logic.sim import Observation, Simulator
from mars_logic.views import film, words
from mars_logic.views.traced import draw_cells, draw_view, smallest_view

WORLD = load_world("conan")
WORDS = WORLD.vocabulary
ACTIONS = WORDS.actions


@pytest.fixture
def simulator() -> Simulator:
    simulator = Simulator(WORLD)
    simulator.reset(1)
    for action in ("move_right", "move_right", "move_up", "move_right"):
        simulator.step(ACTIONS.index(action))
    return simulator


def test_a_picture_shows_view_and_inventory(simulator: Simulator) -> None:
    seen = simulator.observe()
    unit = 16
    picture = draw_view(seen, WORDS, (9 * unit, 12 * unit))
    assert picture.shape == (12 * unit, 9 * unit, 3)
    assert np.array_equal(picture[: 9 * unit], draw_cells(seen, WORDS, unit))
    below = picture[9 * unit :].reshape(3, unit, 9, unit, 3).any(axis=(1, 3, 4)).ravel()
    assert np.array_equal(below[: len(WORDS.items)], seen.inventory[0] > 0)
    seen.inventory[0] = 1  # every item has an icon of its own
    held = draw_view(seen, WORDS, (9 * unit, 12 * unit))[9 * unit :]
    tiles = held.reshape(3, unit, 9, unit, 3).swapaxes(1, 2).reshape(27, -1)[: len(WORDS.items)]
    assert len({tile.tobytes() for tile in tiles}) == len(WORDS.items)


def test_films_show_each_moment(simulator: Simulator) -> None:
    moments = [simulator.observe()]
    for _ in range(3):
        simulator.step(ACTIONS.index("move_down"))
        moments.append(simulator.observe())
    joined = Observation.joined(moments)
    pictures = list(film.frames(joined, (90, 120), WORDS))
    assert len(pictures) == 4
    for moment, picture in enumerate(pictures):
        part = joined.part(slice(moment, moment + 1))
        assert np.array_equal(part.marks, moments[moment].marks)
        assert np.array_equal(picture, draw_view(part, WORDS, (90, 120)))


@pytest.mark.parametrize("style", words.STYLES)
def test_text_tells_marks(simulator: Simulator, style: str) -> None:
    seen = simulator.observe()
    text = words.describe(seen, style, action="eat_apple", vocabulary=WORDS)
    assert "grass_right" in text and "eat_apple" in text
    longest, characters = words.extent(style, WORDS)
    assert len(text) <= longest and set(text) <= set(characters)
    with pytest.raises(ValueError, match="action must be one of noop"):
        words.describe(seen, style, action="eat_cow", vocabulary=WORDS)
    assert words.extent(style) == (words.MAX_LENGTH[style], words.CHARACTERS[style])


@pytest.mark.parametrize(
    "options",
    [{"observation": "image", "size": (45, 60)}, {"observation": "text", "style": "smartplay"}],
)
def test_environments_show_it(options) -> None:
    env = gymnasium.make("mars_logic/Conan-v0", **options)
    seen, _ = env.reset(seed=3)
    for action in range(env.action_space.n):
        assert env.observation_space.contains(seen)
        seen, *_ = env.step(action)
    small = smallest_view(WORDS)
    with pytest.raises(InputError, match=rf"too small; allowed: {small} pixels or more"):
        gymnasium.make("mars_logic/Conan-v0", observation="image", size=(small - 1, 64))


def test_a_person_plays_with_all_actions() -> None:
    game = HumanGame(PlaySession(WORLD, 1, WORLD.achievements))
    keys = action_keys(WORDS)
    assert set(keys) == set(ACTIONS)
    pressed = [key for some in keys.values() for key in some]
    assert len(pressed) == len(set(pressed)) and not {"u", "m", "v", "h", "q"} & set(pressed)
    for action in ("move_right", "move_right", "move_up"):
        game.press(keys[action][0])
    game.press(keys["eat_steak"][0])
    assert game.session.actions == [2, 2, 3, ACTIONS.index("eat_steak")]
    assert game.message == "eat_steak"
    for size in ((80, 24), (120, 50), (40, 14)):
        lines = [line.plain for line in draw(game, *size)]
        assert len(lines) <= size[1] and any(".>" in line for line in lines)
    assert sum(name in "\n".join(lines) for name in ("health", "energy")) == 2
    text = "\n".join(help_lines(WORDS))
    assert "You see 9 x 9 cells" in text and ".> grass right" in text and "eat steak" in text


def test_pictures_in_the_terminal() -> None:
    game = HumanGame(PlaySession(WORLD, 1, WORLD.achievements), pictures=True)
    assert any("\u2580" in line.plain for line in draw(game, 160, 60))
