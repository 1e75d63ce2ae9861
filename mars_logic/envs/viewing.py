"""Views of observations: arrays, an image or text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, Protocol

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from mars_logic.envs import codes
from mars_logic.envs.choices import choose, pixels
from mars_logic.errors import InputError
from mars_logic.sim import Observation, Simulator
from mars_logic.views import image
from mars_logic.views import words as texts
from mars_logic.views.traced import draw_view, smallest_view
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.vocabulary import Vocabulary, vocabulary

Kind = Literal["symbolic", "codes", "image", "text"]
Style = Literal["mars", "smartplay"]
CRAFTER: Final = vocabulary("crafter")
"""The vocabulary of views unless told otherwise."""


def part(seen: Observation, env: int) -> Observation:
    """The observation of one environment of a batch (n = 1); no array is copied."""
    return seen.part(slice(env, env + 1))


class View(Protocol):
    """A way to show observations, those of a kind of game."""

    @property
    def space(self) -> spaces.Space[Any]:
        """The space of one environment's view."""
        ...

    def one(self, seen: Any, env: int) -> Any:
        """The view of one environment of a batch, in arrays of its own."""

    def all(self, seen: Any) -> Any:
        """The view of a batch, as Gymnasium batches this space."""


class Symbolic:
    """The arrays of an observation themselves, by name.

    ``daylight`` becomes float32[1] and ``sleeping`` int8[1]; all others stay what they are.

    Args:
        n: The number of environments.
        words: The vocabulary, Crafter's by default. One with traces has ``marks``, too.
        reuse: Whether :meth:`all` may hand out the same arrays again and again, those of the
            observation included.
    """

    def __init__(self, n: int, words: Vocabulary = CRAFTER, *, reuse: bool = False) -> None:
        grid = words.view
        traced = {}
        if words.traced:
            most = max(len(words.marks), len(words.remains)) - 1
            traced["marks"] = spaces.Box(0, most, grid, np.uint8)
        self.space = spaces.Dict(
            {
                **traced,
                "daylight": spaces.Box(0, 1, (1,), np.float32),
                "facing": spaces.Box(-1, 1, (2,), np.int8),
                "inventory": spaces.Box(0, MAXIMUM, (len(words.items),), np.int16),
                "materials": spaces.Box(0, len(words.materials) - 1, grid, np.uint8),
                "objects": spaces.Box(0, len(words.looks) - 1, grid, np.uint8),
                "sleeping": spaces.MultiBinary(1),
            }
        )
        self._daylight = np.empty((n, 1), np.float32) if reuse else None

    def one(self, seen: Observation, env: int) -> dict[str, NDArray[Any]]:
        """The arrays of one environment, copied."""
        return {
            "daylight": seen.daylight[env : env + 1].astype(np.float32),
            "facing": seen.facing[env].copy(),
            "inventory": seen.inventory[env].copy(),
            "materials": seen.materials[env].copy(),
            "objects": seen.objects[env].copy(),
            "sleeping": seen.sleeping[env : env + 1].astype(np.int8),
            **({} if seen.marks is None else {"marks": seen.marks[env].copy()}),
        }

    def all(self, seen: Observation) -> dict[str, NDArray[Any]]:
        """The arrays of all environments: those of the observation, without a copy."""
        if self._daylight is None:
            daylight = seen.daylight[:, None].astype(np.float32)
        else:
            daylight = self._daylight
            daylight[:, 0] = seen.daylight
        return {
            "daylight": daylight,
            "facing": seen.facing,
            "inventory": seen.inventory,
            "materials": seen.materials,
            "objects": seen.objects,
            "sleeping": seen.sleeping.view(np.int8)[:, None],
            **({} if seen.marks is None else {"marks": seen.marks}),
        }


class Codes:
    """The codes of :mod:`~mars_logic.envs.codes`: int16[145] for one environment."""

    space: spaces.Space[Any] = codes.SPACE

    def one(self, seen: Observation, env: int) -> NDArray[np.int16]:
        """The codes of one environment."""
        row: NDArray[np.int16] = self.all(part(seen, env))[0]
        return row

    def all(self, seen: Observation) -> NDArray[np.int16]:
        """The codes of all environments: int16[n, 145]."""
        return codes.encode(seen)


class Image:
    """A picture, as Crafter draws it: the view, and the inventory below.

    Args:
        n: The number of environments.
        size: Width and height in pixels.
        words: The vocabulary, Crafter's by default. One with traces has its own pictures, which
            daylight and sleep do not change.
        reuse: Whether :meth:`all` may hand out the same array again and again.
        simulator: That of the environments, whose threads draw; by default, one thread does.

    Raises:
        InputError: The picture is too small for the vocabulary.
    """

    def __init__(
        self,
        n: int,
        size: tuple[int, int] = (64, 64),
        words: Vocabulary = CRAFTER,
        *,
        reuse: bool = False,
        simulator: Simulator | None = None,
    ) -> None:
        self._simulator = simulator
        self.size, self._words = size, words
        if words.traced and (least := smallest_view(words)) > min(size):
            raise InputError(f"size: {list(size)} is too small; allowed: {least} pixels or more")
        if not words.traced:
            image.require_room(size, words)
        width, height = size
        self.space = spaces.Box(0, 255, (height, width, 3), np.uint8)
        self._pictures = np.empty((n, height, width, 3), np.uint8) if reuse else None

    def one(self, seen: Observation, env: int) -> NDArray[np.uint8]:
        """The picture of one environment: uint8[height, width, 3]."""
        if self._words.traced:
            return draw_view(part(seen, env), self._words, self.size)
        picture: NDArray[np.uint8] = image.render(part(seen, env), self.size, words=self._words)[0]
        return picture

    def all(self, seen: Observation) -> NDArray[np.uint8]:
        """The pictures of all environments: uint8[n, height, width, 3]."""
        if self._words.traced:
            pictures = [self.one(seen, env) for env in range(len(seen.daylight))]
            return np.stack(pictures, out=self._pictures)
        share = self._simulator.share if self._simulator else None
        return image.render(seen, self.size, self._pictures, share, self._words)


class TextView:
    """A description in words.

    Args:
        style: That of the paper on Mars, or that of SmartPlay.
        words: The vocabulary, Crafter's by default.
    """

    def __init__(self, style: Style = "mars", words: Vocabulary = CRAFTER) -> None:
        self.style: Style = choose("style", style, Style)
        self._words = words
        longest, characters = texts.extent(style, words)
        self.space = spaces.Text(longest, charset=characters)

    def one(self, seen: Observation, env: int) -> str:
        """The text of one environment's view."""
        return texts.describe(seen, self.style, env, vocabulary=self._words)

    def all(self, seen: Observation) -> tuple[str, ...]:
        """One description for each environment."""
        return tuple(self.one(seen, env) for env in range(len(seen.daylight)))


def view(
    kind: Kind,
    size: Sequence[int],
    style: Style,
    n: int,
    *,
    reuse: bool,
    words: Vocabulary = CRAFTER,
    simulator: Simulator | None = None,
) -> View:
    """The way of showing observations that these arguments name.

    Raises:
        InputError: An argument is none of what is allowed.
    """
    choose("observation", kind, Kind)
    size, style = pixels("size", size), choose("style", style, Style)  # checked even if not needed
    if kind == "image":
        return Image(n, size, words, reuse=reuse, simulator=simulator)
    if kind == "codes":
        if words.traced:
            allowed = "symbolic, image, text"
            raise InputError(f"observation: there are no codes of traces; allowed: {allowed}")
        return Codes()
    return TextView(style, words) if kind == "text" else Symbolic(n, words, reuse=reuse)
