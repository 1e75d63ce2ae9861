"""Plans as planners write them.

Fast Downward writes ``(action argument ...)`` lines, and costs as comments; ENHSP puts a time and a
colon before them, and may put a duration in brackets after them; unified-planning prints
``action(argument, ...)``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mars_logic.errors import InputError
from mars_logic.logic.pddl.model import Action
from mars_logic.logic.pddl.task import FULL, PlanningTask, cells_and_things
from mars_logic.system.files import read_text
from mars_logic.world.fields import nearest, shown

MAX_BYTES: Final = 5_000_000
_WHAT: Final = "a plan in PDDL: one (action argument ...) a line"
_NAME: Final = r"[^\s()\[\]:;,]+"
_LINE: Final = re.compile(
    rf"(?:\d+(?:\.\d+)?\s*:\s*)?\(\s*({_NAME}(?:\s+{_NAME})*)\s*\)(?:\s*\[\s*\d+(?:\.\d+)?\s*\])?"
)
_CALL: Final = re.compile(rf"({_NAME})\((\s*|{_NAME}(?:\s*,\s*{_NAME})*)\)")
_AMOUNT: Final = re.compile(r"n\d+")
"""An amount in the classical form, which follows from the state."""


@dataclass(frozen=True)
class PlanStep:
    """One action of a plan.

    Attributes:
        action: The action of the domain.
        arguments: The argument of each of its parameters, without amounts.
        full: Whether it is the variant of the numeric form whose yield exceeds the cap.
        line: Its line in the file, from 1; 0 if it was not read from one.
    """

    action: Action
    arguments: Mapping[str, str]
    full: bool = False
    line: int = 0

    def __str__(self) -> str:
        return f"({' '.join((self.action.name, *self.arguments.values()))})"


def plan_lines(path: Path) -> list[tuple[int, list[str]]]:
    """The actions of a plan file as words, each with its line.

    Raises:
        InputError: The file cannot be read, holds no action, or a line is no action.
    """
    found = []
    for line, text in enumerate(read_text(path, _WHAT, MAX_BYTES).split("\n"), 1):
        written = text.partition(";")[0].strip()
        if not written:
            continue
        match = _LINE.fullmatch(written) or _CALL.fullmatch(written)
        if match is None:
            raise InputError(
                f"{path}:{line}: plan: {shown(written)} is no action; allowed: {_WHAT}"
            )
        found.append((line, " ".join(match.groups()).replace(",", " ").lower().split()))
    if not found:
        raise InputError(f"{path}:1: file: it holds no action; allowed: {_WHAT}")
    return found


def names_zones(lines: Sequence[tuple[int, list[str]]], start: str) -> bool:
    """Whether any argument of a plan begins like this, as zones of one kind of task do."""
    return any(word.startswith(start) for _, words in lines for word in words[1:])


def plan_steps(
    lines: Sequence[tuple[int, list[str]]], task: PlanningTask, path: Path
) -> tuple[PlanStep, ...]:
    """The actions of a plan, as those of a task.

    Args:
        lines: The words of each action, as :func:`plan_lines` reads them.
        task: The task that it is a plan for.
        path: The plan's file, for messages.

    Raises:
        InputError: The task has no such action or object, or the action takes others.
    """
    actions = {action.name: action for action in task.actions}
    objects = dict.fromkeys(task.zones, "zone") | cells_and_things(task.world.vocabulary)
    return tuple(_step(f"{path}:{line}", line, words, actions, objects) for line, words in lines)


def _step(
    place: str, line: int, words: list[str], actions: Mapping[str, Action], objects: dict[str, str]
) -> PlanStep:
    name, _, full = words[0].partition(FULL)
    action = actions.get(name)
    if action is None:
        hint = nearest(name, actions)
        raise InputError(
            f"{place}: action: this task has no action {shown(words[0])}{hint}; "
            f"allowed: {', '.join(actions)}"
        )
    given = [word for word in words[1:] if not _AMOUNT.fullmatch(word)]
    kinds = list(action.parameters.values())
    if [objects.get(word) for word in given] != kinds:
        wrong = next((word for word in given if word not in objects), None)
        what = f"this task has no object {shown(wrong)}" if wrong else f"{name} takes other objects"
        takes = ", ".join(f"a {kind}" for kind in kinds) or "none"
        raise InputError(f"{place}: {name}: {what}; allowed: {takes} of the exported task")
    return PlanStep(action, dict(zip(action.parameters, given, strict=True)), bool(full), line)
