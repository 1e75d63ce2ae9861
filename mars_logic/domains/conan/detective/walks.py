"""Walks through many scenes at once, step by step, for detectives that are trained.

Rewards are those of Conan's section 4.1. A detective sees the 9 x 9 cells around it; of what it has
seen before it remembers where that was, and where traces are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.domains.conan.codes import ACTIONS, CODES, FACINGS, OBJECT, OBJECTS, TRACES
from mars_logic.domains.conan.corpus import stage_of
from mars_logic.domains.conan.detective.exploring import NEVER, REACH
from mars_logic.domains.conan.questions.asking import CHOICES, Question
from mars_logic.domains.conan.questions.history import Box
from mars_logic.domains.conan.questions.phrases import ANSWERS_BY_NAME
from mars_logic.domains.conan.questions.templates import templates
from mars_logic.domains.conan.scenes import FinishedScene
from mars_logic.world.dialect import AREA

Array = Any
"""In annotations of kernels: an array."""

WALKING: Final = ACTIONS[:7]
"""The actions of a detective; ``do`` and ``sleep`` operate, and do nothing."""
_FIRST_MOVE: Final = WALKING.index("move_left")
_FIRST_OPERATION: Final = WALKING.index("do")
_ACTIONS: Final = len(WALKING)
_A_STEP, _AN_OPERATION, _A_TRACE, _ALL_TRACES = -0.1, -1.0, 1.0, 100.0
SIDE: Final = 2 * REACH + 1
"""Cells of a view along each axis."""
NOWHERE: Final[Box] = (0, 0, -1, -1)
"""The area of no question."""
_ABOUT: Final = ("", *templates())
_ANSWERS: Final = ("", *sorted(ANSWERS_BY_NAME))
_ANSWER_CODES: Final = {name: code for code, name in enumerate(_ANSWERS)}


class SceneWalks:
    """Walks through one scene each. Arrays are indexed [walk, x, y].

    Attributes:
        codes: uint8[n, 64, 64]: the finished maps.
        objects: uint8[n, 64, 64]: objects, the figure among them.
        seen: bool[n, 64, 64]: cells that were seen.
        place: int64[n, 2]: where the detectives stand.
        area: int64[n, 4]: least x and y, greatest x and y of what is asked about.
        asked: int64[n, 5]: codes of the question's template and of its four choices; 0 for none.
        traces: int64[n, 2]: traces that were seen, and all traces.
    """

    def __init__(self, n: int) -> None:
        self.codes = np.zeros((n, AREA, AREA), np.uint8)
        self.objects = np.zeros((n, AREA, AREA), np.uint8)
        self.seen = np.zeros((n, AREA, AREA), np.bool_)
        self.place = np.zeros((n, 2), np.int64)
        self.area = np.zeros((n, 4), np.int64)
        self.asked = np.zeros((n, 1 + CHOICES), np.int64)
        self.traces = np.ones((n, 2), np.int64)
        self._walkable = np.zeros((n, len(CODES)), np.bool_)
        self._owed = np.zeros(n)  # for what the first views show

    def begin(
        self,
        walk: int,
        scene: FinishedScene,
        start: tuple[int, int],
        area: Box = NOWHERE,
        question: Question | None = None,
    ) -> None:
        """Begin a walk anew.

        Args:
            walk: Its number.
            scene: Where.
            start: The first cell.
            area: What is asked about.
            question: The question, if its words and choices are told, too.
        """
        self.codes[walk], self.objects[walk] = scene.codes, scene.things
        self.objects[walk][scene.figure] = OBJECT["player_bak" if scene.dead else "player"]
        self._walkable[walk] = stage_of(scene.world).tables["walkable"][0]
        self.seen[walk], self.place[walk], self.area[walk] = False, start, area
        self.asked[walk] = 0
        if question is not None:
            choices = [_ANSWER_CODES[each] for each in question.choices]
            self.asked[walk] = [_ABOUT.index(question.template), *choices]
        self.traces[walk] = 0, TRACES[scene.codes].sum()
        only = np.zeros(len(self.place), np.bool_)
        only[walk] = True
        self._owed[walk] = 0
        self._see(only, self._owed)

    def step(self, actions: NDArray[np.int64], where: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Take a step in some walks, and return the rewards: float64[n].

        Each trace is worth 1 when it is first seen, or 2 in the area of the question, and the last
        one 100 more; a step costs 0.1, and operating 1 more. What the first view shows counts in
        the first step.

        Args:
            actions: Codes of :data:`WALKING`; others are answers, and cost a step.
            where: bool[n]: which walks.
        """
        rewards = np.where(where, self._owed, 0.0)
        self._owed[where] = 0
        _move(self.codes, self._walkable, self.place, actions, where, rewards)
        self._see(where, rewards)
        return rewards

    def _see(self, where: NDArray[np.bool_], rewards: NDArray[np.float64]) -> None:
        _look(self.codes, self.seen, self.place, self.area, self.traces, where, rewards)

    @property
    def complete(self) -> NDArray[np.bool_]:
        """bool[n]: whether all traces were seen."""
        whole: NDArray[np.bool_] = self.traces[:, 0] == self.traces[:, 1]
        return whole

    def cells(self, walk: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The codes and objects of a view: uint8[9, 9] each, indexed [x, y], 0 outside the map."""
        x, y = self.place[walk]
        around = slice(x, x + SIDE), slice(y, y + SIDE)
        padded = (np.pad(each[walk], REACH)[around] for each in (self.codes, self.objects))
        return next(padded), next(padded)

    def marked(self, walk: int) -> NDArray[np.uint8]:
        """uint8[64, 64]: 1 on the cells that the question is about."""
        mask = np.zeros((AREA, AREA), np.uint8)
        left, top, right, bottom = self.area[walk].tolist()
        mask[left : right + 1, top : bottom + 1] = 1
        return mask

    def encode(self) -> NDArray[np.int16]:
        """Views and memories as codes: int16[n, LENGTH], rows of a table of embeddings."""
        out = np.zeros((len(self.place), LENGTH), np.int16)
        about = self.codes, self.objects, self.seen, self.place, self.area, self.asked
        _encode(*about, out)
        return out


@dataclass(frozen=True)
class TakenWalk:
    """A walk that is over.

    Attributes:
        seen_at: int16[64, 64]: the step at which a cell was first seen; ``NEVER`` if it was not.
        trail: uint8[steps + 1, 2]: positions.
    """

    seen_at: NDArray[np.int16]
    trail: NDArray[np.uint8]

    @property
    def steps(self) -> int:
        """Steps taken."""
        return len(self.trail) - 1


def walk_by(
    choose: Callable[[SceneWalks], int],
    scene: FinishedScene,
    start: tuple[int, int],
    area: Box,
    steps: int,
) -> TakenWalk:
    """Walk by a policy, until so many steps are taken or it answers.

    Args:
        choose: The policy: gives the code of an action.
        scene: Where.
        start: The first cell.
        area: What is asked about.
        steps: How many at most.
    """
    walks, everyone = SceneWalks(1), np.ones(1, np.bool_)
    walks.begin(0, scene, start, area)
    seen_at = np.where(walks.seen[0], 0, NEVER).astype(np.int16)
    trail = [walks.place[0].copy()]
    for step in range(1, steps + 1):
        action = choose(walks)
        if action >= len(WALKING):
            break
        walks.step(np.array([action]), everyone)
        seen_at[walks.seen[0] & (seen_at == NEVER)] = step
        trail.append(walks.place[0].copy())
    return TakenWalk(seen_at, np.array(trail, np.uint8))


@kernel
def _move(
    codes: Array, walkable: Array, place: Array, actions: Array, where: Array, rewards: Array
) -> None:
    for i in range(len(place)):
        if not where[i]:
            continue
        action = actions[i]
        rewards[i] += _A_STEP
        if _FIRST_OPERATION <= action < _ACTIONS:
            rewards[i] += _AN_OPERATION
        elif _FIRST_MOVE <= action < _FIRST_OPERATION:
            x = place[i, 0] + FACINGS[action - _FIRST_MOVE][0]
            y = place[i, 1] + FACINGS[action - _FIRST_MOVE][1]
            if 0 <= x < AREA and 0 <= y < AREA and walkable[i, codes[i, x, y]]:
                place[i, 0] = x
                place[i, 1] = y


@kernel
def _look(
    codes: Array,
    seen: Array,
    place: Array,
    area: Array,
    traces: Array,
    where: Array,
    rewards: Array,
) -> None:
    """See what is near, and add the worth of new traces to the rewards."""
    for i in range(len(place)):
        if not where[i]:
            continue
        before = traces[i, 0]
        for x in range(max(0, place[i, 0] - REACH), min(AREA, place[i, 0] + REACH + 1)):
            for y in range(max(0, place[i, 1] - REACH), min(AREA, place[i, 1] + REACH + 1)):
                if TRACES[codes[i, x, y]] and not seen[i, x, y]:
                    traces[i, 0] += 1
                    asked = area[i, 0] <= x <= area[i, 2] and area[i, 1] <= y <= area[i, 3]
                    rewards[i] += 2 * _A_TRACE if asked else _A_TRACE
                seen[i, x, y] = True
        if before < traces[i, 0] == traces[i, 1]:
            rewards[i] += _ALL_TRACES


_CELLS: Final = SIDE * SIDE
_FAR: Final = 8
"""Cells to each side whose memory is told."""
_WIDE: Final = 2 * _FAR + 1
_KINDS: Final = len(CODES) - 1
_THINGS: Final = len(OBJECTS) - 1
_OBJECTS_FROM: Final = 1 + _CELLS * _KINDS
_AREA_FROM: Final = _OBJECTS_FROM + _CELLS * _THINGS
_MEMORY_FROM: Final = _AREA_FROM + _CELLS
_PLACE_FROM: Final = _MEMORY_FROM + 3 * _WIDE * _WIDE
_AWAY_FROM: Final = _PLACE_FROM + 2 * AREA
_FARTHEST: Final = 16
"""Distances from the sides of the question's area are told up to here."""
_TEMPLATE_FROM: Final = _AWAY_FROM + 4 * (2 * _FARTHEST + 1)
_CHOICES_FROM: Final = _TEMPLATE_FROM + len(_ABOUT)
_KEYS: Final = len(_ANSWERS)
ROWS: Final = _CHOICES_FROM + CHOICES * _KEYS
"""The number of codes, 0 included, which stands for nothing."""
LENGTH: Final = 3 * _CELLS + _WIDE * _WIDE + 2 + 4 + 1 + CHOICES
"""The number of codes of a view."""


@kernel
def _encode(
    codes: Array, objects: Array, seen: Array, place: Array, area: Array, asked: Array, out: Array
) -> None:
    for i in range(len(out)):
        px = place[i, 0]
        py = place[i, 1]
        cell = 0
        for x in range(px - REACH, px + REACH + 1):
            for y in range(py - REACH, py + REACH + 1):
                if 0 <= x < AREA and 0 <= y < AREA:
                    kind = np.int64(codes[i, x, y])
                    thing = np.int64(objects[i, x, y])
                    if kind > 0:
                        out[i, cell] = cell * _KINDS + kind
                    if thing > 0:
                        out[i, _CELLS + cell] = _OBJECTS_FROM + cell * _THINGS + thing - 1
                    if area[i, 0] <= x <= area[i, 2] and area[i, 1] <= y <= area[i, 3]:
                        out[i, 2 * _CELLS + cell] = _AREA_FROM + cell
                cell += 1
        at = 3 * _CELLS
        number = 0
        for x in range(px - _FAR, px + _FAR + 1):
            for y in range(py - _FAR, py + _FAR + 1):
                state = 0
                if x < 0 or y < 0 or x >= AREA or y >= AREA:
                    state = 3
                elif max(abs(x - px), abs(y - py)) > REACH and seen[i, x, y]:
                    state = 2 if TRACES[codes[i, x, y]] else 1
                if state > 0:
                    out[i, at + number] = _MEMORY_FROM + 3 * number + state - 1
                number += 1
        at += _WIDE * _WIDE
        out[i, at] = _PLACE_FROM + px
        out[i, at + 1] = _PLACE_FROM + AREA + py
        if area[i, 0] <= area[i, 2]:
            for side in range(4):
                away = area[i, side] - place[i, side % 2]
                away = max(-_FARTHEST, min(_FARTHEST, away)) + _FARTHEST
                out[i, at + 2 + side] = _AWAY_FROM + side * (2 * _FARTHEST + 1) + away
        if asked[i, 0] > 0:
            out[i, at + 6] = _TEMPLATE_FROM + asked[i, 0]
            for choice in range(CHOICES):
                out[i, at + 7 + choice] = _CHOICES_FROM + choice * _KEYS + asked[i, 1 + choice]
