"""The results of ``render``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import gymnasium

from mars_logic.envs.choices import choose, pixels
from mars_logic.envs.viewing import part
from mars_logic.sim import Observation
from mars_logic.views import image, terminal
from mars_logic.views.traced import draw_view
from mars_logic.world.vocabulary import Vocabulary

Mode = Literal["rgb_array", "ansi"]

RENDERING: Final = {"render_modes": ["rgb_array", "ansi"], "render_fps": 10}
"""The part of an environment's metadata that is about rendering."""


class Renderer:
    """Draws observations for people.

    Args:
        mode: ``rgb_array``, ``ansi``, or None for nothing.
        size: Width and height of pictures in pixels.
        words: The vocabulary, Crafter's by default.

    Raises:
        InputError: An argument is none of what is allowed.
    """

    def __init__(
        self, mode: str | None, size: Sequence[int], words: Vocabulary | None = None
    ) -> None:
        self._words = words
        self.mode = None if mode is None else choose("render_mode", mode, Mode)
        self.size = pixels("render_size", size)
        if words is None or not words.traced:
            image.require_room(self.size, words)

    def draw(self, seen: Observation, env: int) -> Any:
        """One environment of an observation: uint8[height, width, 3], or text with ANSI colours."""
        if self.mode == "rgb_array":
            if self._words and self._words.traced:
                return draw_view(part(seen, env), self._words, self.size)
            return image.render(part(seen, env), self.size, words=self._words)[0]
        if self.mode == "ansi":
            return terminal.to_ansi(seen, env, words=self._words)
        gymnasium.logger.warn("render() draws nothing: no render_mode was given to make()")
        return None
