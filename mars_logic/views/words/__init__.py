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
from functools import cache
from typing import Final

from mars_logic.views.words import mars, smartplay
from mars_logic.views.words.frame import CRAFTER, Frame, Seen, fullest_frames
from mars_logic.world.vocabulary import Vocabulary

_TELL: Final[dict[str, Callable[[Frame, str | None], str]]] = {
    "mars": mars.tell,
    "smartplay": smartplay.tell,
}
STYLES: Final = tuple(_TELL)


def describe(
    observation: Seen,
    style: str = "mars",
    env: int = 0,
    action: str | None = None,
    vocabulary: Vocabulary = CRAFTER,
) -> str:
    """Describe what the player of one environment sees and knows.

    Args:
        observation: What the simulator observes, or recorded views; amounts are 0 to 9.
        style: ``mars`` or ``smartplay``.
        env: Which environment of the batch, or which moment of a recording.
        action: The action that led here, one of ``vocabulary.actions``, if it is to be told. (The
            games tell ``sleep`` of a player who slept on, whatever was chosen.)
        vocabulary: That of the world, Crafter's by default. Of a dialect with traces, cells are
            told with their marks: ``grass_left``.

    Raises:
        ValueError: There is no such style or action.
        IndexError: There is no such environment.
    """
    if style not in _TELL:
        raise ValueError(f"style must be one of {', '.join(STYLES)}, not {style!r}")
    if action is not None and action not in vocabulary.actions:
        raise ValueError(f"action must be one of {', '.join(vocabulary.actions)}, not {action!r}")
    return _TELL[style](Frame.of(observation, env, vocabulary), action)


@cache
def extent(style: str, vocabulary: Vocabulary = CRAFTER) -> tuple[int, str]:
    """The most characters of a description, and the characters that occur in any, in order."""
    frames, actions = list(fullest_frames(vocabulary)), (*vocabulary.actions, None)
    texts = [_TELL[style](frame, action) for frame in frames for action in actions]
    return max(map(len, texts)), "".join(sorted(set().union(*texts)))


MAX_LENGTH: Final = {style: extent(style)[0] for style in STYLES}
"""The most characters that a description can have in Crafter and Mars, by style."""
CHARACTERS: Final = {style: extent(style)[1] for style in STYLES}
"""The characters that occur in such descriptions, by style, in order."""
