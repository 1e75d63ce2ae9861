"""Views of Conan's detectives: arrays, codes, a picture or text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import CODES, OBJECTS
from mars_logic.domains.conan.detective import walks as walking
from mars_logic.domains.conan.detective.exploring import REACH
from mars_logic.domains.conan.detective.walks import SceneWalks
from mars_logic.domains.conan.key_frames import FIRST_OBJECT
from mars_logic.domains.conan.person import question_lines, view_lines
from mars_logic.domains.conan.questions.asking import CHOICES, Question
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.envs.choices import choose
from mars_logic.envs.viewing import Kind, View
from mars_logic.views.scenes.picture import cells_drawn
from mars_logic.world.dialect import AREA
from mars_logic.world.vocabulary import vocabulary

_MOST_TEXT: Final = 4000


@dataclass(frozen=True)
class WalkCase:
    """What is investigated in an episode."""

    scene: FinishedScene
    question: Question | None


class _SymbolicWalk:
    """Views as arrays by name."""

    def __init__(self) -> None:
        side, rows = walking.SIDE, len(walking._ANSWERS)
        most = np.array([len(walking._ABOUT), *[rows] * CHOICES], np.int64)
        self.space = spaces.Dict(
            {
                "asked": spaces.MultiDiscrete(most),
                "cells": spaces.Box(0, len(CODES) - 1, (side, side), np.uint8),
                "objects": spaces.Box(0, len(OBJECTS) - 1, (side, side), np.uint8),
                "place": spaces.Box(0, AREA - 1, (2,), np.uint8),
                "question": spaces.MultiBinary((AREA, AREA)),
                "seen": spaces.MultiBinary((AREA, AREA)),
            }
        )

    def one(self, seen: SceneWalks, env: int) -> dict[str, NDArray[Any]]:
        cells, objects = seen.cells(env)
        return {
            "asked": seen.asked[env].copy(),
            "cells": cells,
            "objects": objects,
            "place": seen.place[env].astype(np.uint8),
            "question": seen.marked(env).view(np.int8),
            "seen": seen.seen[env].astype(np.int8),
        }

    def all(self, seen: SceneWalks) -> dict[str, NDArray[Any]]:
        every = [self.one(seen, env) for env in range(len(seen.place))]
        return {name: np.stack([each[name] for each in every]) for name in every[0]}


class WalkCodes:
    """Views as codes, for training: int16[LENGTH] for one environment."""

    space: spaces.Space[Any] = spaces.Box(0, walking.ROWS - 1, (walking.LENGTH,), np.int16)

    def one(self, seen: SceneWalks, env: int) -> NDArray[np.int16]:
        """The codes of one environment."""
        row: NDArray[np.int16] = seen.encode()[env]
        return row

    def all(self, seen: SceneWalks) -> NDArray[np.int16]:
        """The codes of all environments: int16[n, LENGTH]."""
        return seen.encode()


_WORDS: Final = vocabulary("conan")


class WalkImage:
    """Pictures of the view; what the question is about is reddish."""

    def __init__(self, size: tuple[int, int] = (64, 64)) -> None:
        width, height = size
        self.size = size
        self.space: spaces.Space[Any] = spaces.Box(0, 255, (height, width, 3), np.uint8)

    def one(self, seen: SceneWalks, env: int) -> NDArray[np.uint8]:
        """The picture of one environment: uint8[height, width, 3]."""
        side = walking.SIDE
        unit = min(self.size) // side
        codes, objects = seen.cells(env)
        drawn = cells_drawn(np.where(objects > 0, FIRST_OBJECT + objects, codes), _WORDS, unit)
        x, y = seen.place[env]
        marked = np.pad(seen.marked(env), REACH)[x : x + side, y : y + side].astype(np.bool_)
        red = np.kron(marked.T, np.ones((unit, unit), np.bool_))
        drawn[red] = drawn[red] // 2 + np.array([100, 0, 0], np.uint8)
        picture = np.zeros((self.size[1], self.size[0], 3), np.uint8)
        top, left = ((each - side * unit) // 2 for each in reversed(self.size))
        picture[top : top + side * unit, left : left + side * unit] = drawn
        return picture

    def all(self, seen: SceneWalks) -> NDArray[np.uint8]:
        """The pictures of all environments: uint8[n, height, width, 3]."""
        return np.stack([self.one(seen, env) for env in range(len(seen.place))])


class _WalkText:
    """Views in words, with the question."""

    space: spaces.Space[Any] = spaces.Text(
        _MOST_TEXT, charset=frozenset(map(chr, range(32, 127))) | {"\n"}
    )

    def __init__(self, cases: Sequence[WalkCase]) -> None:
        self._cases = cases

    def one(self, seen: SceneWalks, env: int) -> str:
        case, (x, y) = self._cases[env], seen.place[env].tolist()
        lines = [*view_lines(case.scene, x, y), f"You (&) are at ({x}, {y})."]
        if seen.asked[env, 0]:
            assert case.question is not None
            lines += question_lines(case.question)
        elif case.question is not None:
            left, top, right, bottom = case.question.mask
            lines.append(f"The marked area is ({left}, {top}) to ({right}, {bottom}).")
        return "\n".join(lines)

    def all(self, seen: SceneWalks) -> tuple[str, ...]:
        return tuple(self.one(seen, env) for env in range(len(seen.place)))


def detective_view(kind: Kind, size: tuple[int, int], cases: Sequence[WalkCase] = ()) -> View:
    """The way of showing walks that the arguments name.

    Raises:
        InputError: There is no such way.
    """
    match choose("observation", kind, Kind):
        case "symbolic":
            return _SymbolicWalk()
        case "codes":
            return WalkCodes()
        case "image":
            return WalkImage(size)
        case _:
            return _WalkText(cases)
