"""Observations in words, for language models and people, in the styles of two benchmarks.

See docs/text.md. Both styles describe the same view; each module says where its wording comes from
and where it departs from it on purpose. Neither tells the daylight or where an arrow flies.

Example:
    >>> import mars_logic
    >>> from mars_logic.sim import Simulator
    >>> from mars_logic.views import words
    >>> simulator = Simulator(mars_logic.load_world("crafter"))
    >>> simulator.reset(seed=1)
    >>> print(words.describe(simulator.observe(), style="smartplay"))  # doctest: +ELLIPSIS
    You see:
    - grass 1 steps to your west
    - tree 4 steps to your east
    - cow 4 steps to your north-east
    ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mars_logic.views.words import mars, smartplay
from mars_logic.views.words.frame import Frame, Seen, fullest_frames
from mars_logic.world import names

_TELL: Final[dict[str, Callable[[Frame, str | None], str]]] = {
    "mars": mars.tell,
    "smartplay": smartplay.tell,
}
STYLES: Final = tuple(_TELL)


def describe(
    observation: Seen, style: str = "mars", env: int = 0, action: str | None = None
) -> str:
    """Describe what the player of one environment sees and knows.

    Args:
        observation: What the simulator observes, or recorded views; amounts are 0 to 9.
        style: ``mars`` or ``smartplay``.
        env: Which environment of the batch, or which moment of a recording.
        action: The action that led here, one of ``names.ACTIONS``, if it is to be told. (The games
            tell ``sleep`` of a player who slept on, whatever was chosen.)

    Raises:
        ValueError: There is no such style or action.
        IndexError: There is no such environment.
    """
    if style not in _TELL:
        raise ValueError(f"style must be one of {', '.join(STYLES)}, not {style!r}")
    if action is not None and action not in names.ACTIONS:
        raise ValueError(f"action must be one of {', '.join(names.ACTIONS)}, not {action!r}")
    return _TELL[style](Frame.of(observation, env), action)


def _all_words(style: str) -> list[str]:
    """Texts that hold every word of a style, a longest one among them."""
    told = [_TELL[style](frame, action) for frame in fullest_frames() for action in names.ACTIONS]
    return [*told, *(_TELL[style](frame, None) for frame in fullest_frames())]


MAX_LENGTH: Final = {style: max(map(len, _all_words(style))) for style in STYLES}
"""The most characters that a description can have, by style."""
CHARACTERS: Final = {style: "".join(sorted(set().union(*_all_words(style)))) for style in STYLES}
"""The characters that occur in descriptions, by style, in order."""
