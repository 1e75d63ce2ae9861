"""The rules of the tower of Hanoi as data.

Source: SmartPlay, section on the tower of Hanoi, and its code.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Final

from pydantic import Field, ValidationInfo, field_validator

from mars_logic.domains.game import Game, Reward, word
from mars_logic.world.fields import invalid, number

RODS: Final = ("A", "B", "C")
MOVES: Final = tuple((a, b) for a in range(len(RODS)) for b in range(len(RODS)) if a != b)
"""For each action, the rods from and to which a disk is moved, as places in ``RODS``."""
MOST_DISKS: Final = 8

Disks = Annotated[int, *number(1, MOST_DISKS, whole=True)]
Rod = Annotated[str, word("rod", RODS)]


class Hanoi(Game):
    """A tower to be moved.

    Attributes:
        disks: How many there are.
        start: The rod on which all are at first.
        goal: The rod on which all have to be in the end.
        illegal: The reward of a move that the rules forbid, which changes nothing.
        solved: The reward of the move that completes the tower; other moves bring none.
    """

    domain: ClassVar[str] = "hanoi"
    stated = Game.stated | {"disks"}

    disks: Disks
    start: Rod = "A"
    goal: Rod = Field("C", validate_default=True)
    illegal: Reward = -1
    solved: Reward = 100

    @field_validator("goal")
    @classmethod
    def _something_to_do(cls, goal: Any, info: ValidationInfo) -> Any:
        if goal in RODS and goal == info.data.get("start"):
            others = ", ".join(rod for rod in RODS if rod != goal)
            raise invalid("the tower is on its goal from the start", others)
        return goal


def all_on(rod: str, disks: int) -> tuple[int, ...]:
    """All disks on one rod: the place in ``RODS`` of each, the smallest first."""
    return (RODS.index(rod),) * disks


def moved(pegs: tuple[int, ...], action: int) -> tuple[int, ...] | None:
    """Where the disks are after a move; None if it is not allowed."""
    origin, target = MOVES[action]
    if origin not in pegs:
        return None
    top = pegs.index(origin)
    if target in pegs[:top]:
        return None
    return (*pegs[:top], target, *pegs[top + 1 :])
