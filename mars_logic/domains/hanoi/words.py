"""The tower of Hanoi in words."""

from __future__ import annotations

from typing import Final

from mars_logic.domains.hanoi.rules import MOVES, RODS, Hanoi
from mars_logic.domains.telling import holding, value
from mars_logic.system.display import number

ACTIONS: Final = tuple(f"move the top disk of rod {RODS[a]} to rod {RODS[b]}" for a, b in MOVES)


def rods(pegs: tuple[int, ...]) -> str:
    """Each rod as the list of its disks from the bottom to the top."""
    lists = (
        [disk for disk in reversed(range(len(pegs))) if pegs[disk] == rod]
        for rod in range(len(RODS))
    )
    return "\n".join(
        f"- {name}: |bottom, {disks}, top|" for name, disks in zip(RODS, lists, strict=True)
    )


def manual(game: Hanoi) -> str:
    """What a player is told before an episode."""
    lines = [
        f"You have {number(game.disks, 'disk')} of different sizes on three rods, "
        f"{', '.join(RODS[:-1])} and {RODS[-1]}.",
        f"The disks are numbered from 0, the smallest, to {game.disks - 1}, the largest.",
        "A move takes the top disk of a rod and puts it on top of another rod.",
        "No disk may lie on a smaller one; a move against this, or from an empty rod, changes "
        "nothing.",
        f"Such a move gives a reward of {game.illegal}, the move that reaches the goal "
        f"{game.solved}, any other 0.",
        f"You have {number(game.length, 'move')}.",
        f"At first all disks are on rod {game.start}. Get all of them onto rod {game.goal}.",
        "",
        "Actions:",
        *(f"{place}. {name}" for place, name in enumerate(ACTIONS, 1)),
    ]
    return "\n".join(lines)


def observation(action: int, legal: bool, pegs: tuple[int, ...]) -> str:
    """The attempted move and where the disks are; ``action`` is -1 before the first."""
    attempt = "" if action < 0 else f"You tried to {ACTIONS[action]}.\n"
    refused = "" if legal else "The rules do not allow this; nothing has changed.\n"
    return f"{attempt}{refused}The rods now hold:\n{rods(pegs)}"


def rules(theory: Hanoi) -> list[str]:
    """The rules, one sentence each."""
    return [
        f"There are {number(theory.disks, 'disk')} on three rods.",
        f"At first all disks are on rod {value(theory.start)}.",
        f"The goal is to have all of them on rod {value(theory.goal)}.",
        "A move takes the top disk of a rod to the top of another; no disk may lie on a smaller "
        "one.",
        "A move that is not allowed changes nothing and gives a reward of "
        f"{value(theory.illegal)}.",
        f"The move that reaches the goal gives {value(theory.solved)} and ends the episode.",
        f"An episode has {number(theory.length, 'move')} at most.",
    ]


def facts(theory: Hanoi) -> str:
    """The rules as facts, as the encoding reads them."""
    lines = [
        f"disk(0..{theory.disks - 1}).",
        *(f"rod({rod.lower()})." for rod in RODS),
        *holding("start(", theory.start),
        *holding("goal(", theory.goal),
        *holding("illegal(", theory.illegal),
        *holding("solved(", theory.solved),
        f"length({theory.length}).",
    ]
    return "\n".join(lines) + "\n"
