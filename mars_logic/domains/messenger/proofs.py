"""Plans that win whatever the movers draw, by clingo: a verdict for each start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import clingo

from mars_logic.domains.messenger.rules import (
    ACTIONS,
    AGENT_X,
    AGENT_Y,
    FIRST_THING,
    GOAL,
    HAS_MESSAGE,
    IMMOVABLE,
    MESSAGE,
    MOTIONS,
    SLOTS,
    THING_SIZE,
    THINGS,
)
from mars_logic.errors import InputError
from mars_logic.system import resources
from mars_logic.system.interruptions import held_back

SURE_WIN: Final = "sure win"
UNKNOWN: Final = "no sure win found"
_CHANGES: Final = ((0, -2), (0, 2), (-2, 0), (2, 0), (0, 0))
"""The change of the agent's half cell by each action."""


@dataclass(frozen=True)
class SureWin:
    """A verdict on a start.

    Attributes:
        verdict: ``sure win`` or ``no sure win found``.
        steps: The length of the plan, or the largest number of steps for which none exists.
        plan: The codes of its actions; it is a shortest one. Empty without a plan.
    """

    verdict: str
    steps: int
    plan: tuple[int, ...] = ()

    def __str__(self) -> str:
        """The verdict in words."""
        if self.verdict == SURE_WIN:
            return f"sure win in {self.steps}: {' '.join(ACTIONS[each] for each in self.plan)}"
        return f"no sure win found within {self.steps} steps"


def sure_win(level: int, numbers: Sequence[int], most: int) -> SureWin:
    """A plan that wins from a state whatever the movers draw.

    A plan is fixed beforehand: it does not look where the movers go. That there is none within a
    number of steps is proved; a player that looks might still win for sure.

    Args:
        level: Of the game.
        numbers: The state, as ``layout`` says.
        most: Steps.

    Raises:
        InputError: The message or the goal moves.
    """
    facts = "\n".join(_facts(level, numbers))
    for steps in range(1, most + 1):
        control = clingo.Control(["--warn=none"])
        control.load(resources.encoding("games/messenger.lp"))
        control.add("base", [], f"steps({steps}).\n{facts}")
        control.ground([("base", [])])
        with held_back(), control.solve(yield_=True) as handle:
            model = handle.model()
            if model is not None:
                return SureWin(SURE_WIN, steps, _plan(model))
    return SureWin(UNKNOWN, most)


def _plan(model: clingo.Model) -> tuple[int, ...]:
    path = {
        each.arguments[2].number: (each.arguments[0].number, each.arguments[1].number)
        for each in model.symbols(atoms=True)
        if each.name == "agent"
    }
    return tuple(
        _CHANGES.index((path[time + 1][0] - path[time][0], path[time + 1][1] - path[time][1]))
        for time in range(len(path) - 1)
    )


def _facts(level: int, numbers: Sequence[int]) -> list[str]:
    found = [f"level({level}).", f"start({numbers[AGENT_X]}, {numbers[AGENT_Y]})."]
    if numbers[HAS_MESSAGE]:
        found.append("holds.")
    for thing in range(THINGS):
        x, y, shown, motion = numbers[FIRST_THING + THING_SIZE * thing :][:THING_SIZE]
        if not shown:
            continue
        if thing in (MESSAGE, GOAL) and motion != IMMOVABLE:
            message = f"the {SLOTS[thing]} is {MOTIONS[motion]}"
            allowed = "a start in which message and goal are immovable"
            raise InputError(f"prove: {message}; allowed: {allowed}")
        found.append(f"at({SLOTS[thing]}, {x}, {y}). moves({SLOTS[thing]}, {MOTIONS[motion]}).")
    return found
