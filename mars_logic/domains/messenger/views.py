"""What a player sees of a state: the cells of all things, or SmartPlay's list of the nearest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.messenger.rules import (
    AGENT_ID,
    AGENT_X,
    AGENT_Y,
    CELLS,
    FIRST_ID,
    FIRST_THING,
    HAS_MESSAGE,
    LARGEST,
    NAMES,
    PLAYING,
    STATUS,
    THING_SIZE,
    THINGS,
    WON,
    Messenger,
    Setup,
)
from mars_logic.domains.protocol import Observation, Range

WORDS: Final = (
    "", "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
)  # fmt: skip
"""The directions of things that are listed, by their codes; none on the agent's own cell."""
FARTHEST: Final = 2 * (CELLS - 1)
LAST_ID: Final = AGENT_ID + 1

Cell = tuple[int, int]
Seen = tuple[str, int, str]
"""A thing that is listed: its name, the distance in cells, and the direction."""


def direction(dx: int, dy: int) -> str:
    """The word for where something is, so many cells to the east and south."""
    vertical = "north" if dy < 0 else "south" if dy > 0 else ""
    horizontal = "west" if dx < 0 else "east" if dx > 0 else ""
    return "-".join(part for part in (vertical, horizontal) if part)


def shown_things(state: Sequence[int], setup: Setup) -> list[tuple[str, Cell]]:
    """Names and cells of what is on the grid, by name, then from north to south, west to east."""
    found = []
    for thing in range(THINGS):
        at = FIRST_THING + THING_SIZE * thing
        if state[at + 2]:
            found.append((setup.name_of(thing), (state[at] // 2, state[at + 1] // 2)))
    return sorted(found, key=lambda each: (NAMES.index(each[0]), each[1][1], each[1][0]))


def nearest(things: Sequence[tuple[str, Cell]], agent: Cell) -> tuple[Seen, ...]:
    """The nearest thing of each name; of several, the northern one, then the western one.

    Args:
        things: As :func:`shown_things` gives them.
        agent: The agent's cell.
    """
    best: dict[str, tuple[int, int, int]] = {}
    for name, (x, y) in things:
        key = (abs(x - agent[0]) + abs(y - agent[1]), y, x)
        best[name] = min(best.get(name, key), key)
    return tuple(
        (name, distance, direction(x - agent[0], y - agent[1]))
        for name, (distance, y, x) in best.items()
    )


def seen(state: Sequence[int], setup: Setup, level: int) -> tuple[Seen, ...] | None:
    """What SmartPlay's text lists; None once the agent is dead, but in level 1."""
    if level > 1 and not is_on_grid(state):
        return None
    agent = state[AGENT_X] // 2, state[AGENT_Y] // 2
    return nearest(shown_things(state, setup), agent)


def is_on_grid(state: Sequence[int]) -> bool:
    """Whether the agent is shown."""
    return state[STATUS] in (PLAYING, WON)


def space(game: Messenger) -> dict[str, Range]:
    """The parts of an observation."""
    if game.observation == "text":
        return {
            "steps": Range(-1, FARTHEST, len(NAMES)),
            "direction": Range(0, len(WORDS) - 1, len(NAMES)),
            "message": Range(0, 1),
            "alive": Range(0, 1),
        }
    parts = {
        "things": Range(0, LAST_ID, 3 * THINGS),
        "agent": Range(0, LAST_ID, 3),
    }
    if game.observation == "state":
        return parts | {"state": Range(-1, LARGEST, THINGS * 4), "half": Range(0, LARGEST, 2)}
    return parts


def observation(state: Sequence[int], setup: Setup, level: int, view: str) -> Observation:
    """What a player sees, as numbers.

    In ``text``: for each name the steps to the nearest thing (-1 if none is listed) and the code
    of the direction, a place in ``WORDS``. Otherwise ``things``: id, x and y of up to five things
    in cells, by id, from north to south and west to east, then zeros; and ``agent``: id (0 once
    dead), x, y. ``state`` adds, for each slot, half cell x and y, the code of the motion, and the
    id (-1 in all where nothing is), and the agent's half cell.
    """
    if view == "text":
        listed = {name: (n, word) for name, n, word in seen(state, setup, level) or ()}
        return {
            "steps": tuple(listed[n][0] if n in listed else -1 for n in NAMES),
            "direction": tuple(WORDS.index(listed[n][1]) if n in listed else 0 for n in NAMES),
            "message": int(state[HAS_MESSAGE]),
            "alive": int(is_on_grid(state)),
        }
    flat: list[int] = []
    for name, (x, y) in shown_things(state, setup):
        flat += [FIRST_ID + NAMES.index(name), x, y]
    shown = is_on_grid(state)
    agent_id = AGENT_ID + int(state[HAS_MESSAGE]) if shown else 0
    cell = (state[AGENT_X] // 2, state[AGENT_Y] // 2) if shown else (0, 0)
    found: dict[str, Any] = {
        "things": (*flat, *[0] * (3 * THINGS - len(flat))),
        "agent": (agent_id, *cell),
    }
    if view == "state":
        found["state"] = _everything(state, setup)
        found["half"] = (state[AGENT_X], state[AGENT_Y])
    return found


def _everything(state: Sequence[int], setup: Setup) -> tuple[int, ...]:
    flat: list[int] = []
    for thing in range(THINGS):
        at = FIRST_THING + THING_SIZE * thing
        if state[at + 2]:
            flat += [state[at], state[at + 1], state[at + 3]]
            flat.append(FIRST_ID + NAMES.index(setup.name_of(thing)))
        else:
            flat += [-1] * 4
    return tuple(flat)


def grid(found: Observation) -> NDArray[np.int64]:
    """An observation as the original environment has it, with all things even where two overlap.

    Args:
        found: An observation with ``things`` and ``agent``.

    Returns:
        int64[10, 10, 6]: ids by y and x; five layers of things, and that of the agent; 0 is empty.
    """
    layers = np.zeros((CELLS, CELLS, THINGS + 1), np.int64)
    parts = np.reshape(np.array(found["things"]), (THINGS, 3))
    for layer, (each, x, y) in enumerate((*parts, found["agent"])):
        if each:
            layers[y, x, layer] = each
    return layers
