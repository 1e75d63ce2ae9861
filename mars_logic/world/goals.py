"""Goals: what a world counts in place of all achievements, with the reward for each.

A goal is an achievement, named as it is, or a condition, whose name says it: ``have_3_iron``,
``reach_sand``, ``reach_4_2`` (a cell of a drawing), ``survive_300``, ``none_left_box``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

from mars_logic.world.adds import ROOM
from mars_logic.world.fields import nearest, shown
from mars_logic.world.maps import DrawnMap
from mars_logic.world.problems import Document, Path, Problem, WorldError
from mars_logic.world.vocabulary import Vocabulary, WorldGoal

LARGEST_REWARD: Final = 1000
MOST_GOALS: Final = 64
CONDITION: Final = re.compile(
    r"have_(?P<number>[1-9])_(?P<item>[a-z][a-z0-9_]*)|reach_(?P<x>\d{1,2})_(?P<y>\d{1,2})"
    r"|reach_(?P<material>[a-z][a-z0-9_]*)|survive_(?P<steps>[1-9]\d{0,5})"
    r"|none_left_(?P<gone>[a-z][a-z0-9_]*)",
    re.ASCII,
)
"""The name of a goal that is no achievement of the rules."""
_CONDITIONS: Final = (
    "have_3_wood, reach_sand, reach_4_2 (in a drawing), survive_300, none_left_stone"
)


Goals = tuple[WorldGoal, ...]


class Condition(NamedTuple):
    """What has to be so at the end of a step, in which the player lives.

    Attributes:
        kind: ``have``: so many of the item are held; ``reach``: the player stands on the material;
            ``at``: it stands on the cell; ``survive``: so many steps are over; ``none_left``: no
            cell of the map has the material.
        subject: The item or material; empty for others.
        number: How many items or steps.
        cell: Column and row of the drawing, counted from 0.
    """

    kind: Literal["have", "reach", "at", "survive", "none_left"]
    subject: str = ""
    number: int = 0
    cell: tuple[int, int] = (0, 0)


def condition_of(name: str) -> Condition | None:
    """The condition that a name stands for; None for an achievement of the rules."""
    found = CONDITION.fullmatch(name)
    if found is None:
        return None
    if found["item"]:
        return Condition("have", found["item"], int(found["number"]))
    if found["material"]:
        return Condition("reach", found["material"])
    if found["gone"]:
        return Condition("none_left", found["gone"])
    if found["steps"]:
        return Condition("survive", number=int(found["steps"]))
    return Condition("at", cell=(int(found["x"]), int(found["y"])))


def is_at_a_cell(name: str) -> bool:
    """Whether it is a goal to stand on a cell of a drawing."""
    wanted = condition_of(name)
    return wanted is not None and wanted.kind == "at"


def subject_of(name: str) -> str:
    """The item, material or creature that an achievement or a condition is about."""
    wanted = condition_of(name)
    return name.partition("_")[2] if wanted is None else wanted.subject


def goals_of(
    document: Document, words: Vocabulary, inherited: Goals, drawings: tuple[DrawnMap, ...]
) -> Goals:
    """The goals that a document states or inherits; empty if all achievements count.

    Args:
        document: The world file.
        words: The world's names and its length of an episode.
        inherited: The goals of its base.
        drawings: The drawings, where maps are drawn.

    Raises:
        WorldError: A goal is unknown, repeated, or cannot be; or a reward is no number.
    """
    reader = _Reader(document, words, drawings)
    found = reader.goals() if "goals" in document.data else reader.still(inherited)
    if reader.problems:
        raise WorldError(*reader.problems)
    return found


class _Reader:
    """Reads the section ``goals`` and notes what is wrong."""

    def __init__(
        self, document: Document, words: Vocabulary, drawings: tuple[DrawnMap, ...]
    ) -> None:
        self.problems: list[Problem] = []
        self._document = document
        self._words = words
        self._drawings = drawings

    def still(self, inherited: Goals) -> Goals:
        """The goals of a base, which have to be possible here, too."""
        return tuple(goal for goal in inherited if self._is_goal(("goals",), goal.name))

    def goals(self) -> Goals:
        stated = self._document.data["goals"]
        if self._words.traced:
            self._wrong(("goals",), f"worlds of {self._words.name} state no goals", "no such key")
            return ()
        if isinstance(stated, Mapping):
            rows: list[tuple[Path, Any, Any]] = [
                (("goals", name), name, reward) for name, reward in stated.items()
            ]
        elif isinstance(stated, list):
            rows = [(("goals", place), name, 1) for place, name in enumerate(stated)]
        else:
            example = "a list such as [make_iron_pickaxe], or rewards such as {have_3_iron: 2}"
            self._wrong(("goals",), f"{shown(stated)} is not a list or a mapping", example)
            return ()
        if not rows or len(rows) > MOST_GOALS:
            self._wrong(
                ("goals",), f"{len(rows)} goals are not possible", f"1 to {MOST_GOALS} goals"
            )
            return ()
        told: dict[str, WorldGoal] = {}
        for place, name, reward in rows:
            if isinstance(name, str) and name in told:
                self._wrong(place, f"'{name}' is listed twice", "each goal once")
            elif self._is_goal(place, name) and self._is_reward(place, reward):
                told[name] = WorldGoal(name, float(reward))
        number = len({*self._words.achievements, *told})
        if number > ROOM["achievements"]:
            allowed = f"{ROOM['achievements']} achievements, conditions among them"
            self._wrong(("goals",), f"the world has {number} achievements", allowed)
        return tuple(told.values())

    def _is_reward(self, place: Path, reward: Any) -> bool:
        allowed = f"a number from -{LARGEST_REWARD} to {LARGEST_REWARD}"
        if isinstance(reward, bool) or not isinstance(reward, int | float):
            self._wrong(place, f"{shown(reward)} is not a number", allowed)
        elif not math.isfinite(reward) or abs(reward) > LARGEST_REWARD:
            self._wrong(place, f"{reward} is out of range", allowed)
        else:
            return True
        return False

    def _is_goal(self, place: Path, name: Any) -> bool:
        if not isinstance(name, str):
            self._wrong(place, f"{shown(name)} is no goal", f"an achievement, {_CONDITIONS}")
            return False
        if name in self._words.achievements:
            return True
        condition = condition_of(name)
        if condition is None:
            hint = nearest(name, self._words.achievements)
            known = ", ".join(self._words.achievements)
            self._wrong(place, f"unknown goal '{name}'{hint}", f"{known}; {_CONDITIONS}")
            return False
        return self._can_be(place, condition)

    def _can_be(self, place: Path, wanted: Condition) -> bool:
        """Whether a condition is about something that there is."""
        items, materials = self._words.holdable, self._words.materials[1:]
        match wanted.kind:
            case "have" if wanted.subject not in items:
                hint, known = nearest(wanted.subject, items), ", ".join(items)
                self._wrong(place, f"unknown item '{wanted.subject}'{hint}", known)
            case "reach" | "none_left" if wanted.subject not in materials:
                hint, known = nearest(wanted.subject, materials), ", ".join(materials)
                self._wrong(place, f"unknown material '{wanted.subject}'{hint}", known)
            case "survive" if wanted.number > self._words.length:
                message = f"an episode has {self._words.length} steps"
                self._wrong(place, message, "at most that many, or a larger 'length'")
            case "at" if len(self._drawings) != 1:
                message = f"there are {len(self._drawings)} drawings in which to count cells"
                self._wrong(place, message, "a world with one drawing")
            case "at" if not self._is_cell(wanted.cell):
                drawing = self._drawings[0]
                allowed = f"reach_0_0 to reach_{drawing.width - 1}_{drawing.height - 1}"
                self._wrong(place, "this cell is not in the drawing", allowed)
            case _:
                return True
        return False

    def _is_cell(self, cell: tuple[int, int]) -> bool:
        return cell[0] < self._drawings[0].width and cell[1] < self._drawings[0].height

    def _wrong(self, path: Path, message: str, allowed: str) -> None:
        self.problems.append(self._document.problem(path, message, allowed))
