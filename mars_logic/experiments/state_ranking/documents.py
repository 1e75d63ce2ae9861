"""States as JSON documents, their leaves, and how far one is from another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from mars_logic.sim.state import State
from mars_logic.world.vocabulary import Vocabulary

StateDocument = dict[str, Any]
"""A state as plain data:

- ``step``, ``daylight`` (six digits), ``done``;
- ``map``: the materials of an area of :data:`SIDE` × :data:`SIDE` cells, a list for each column;
- ``player``: x and y within the area, facing_x and facing_y, sleeping, and the counters hunger,
  thirst, fatigue and recover;
- ``inventory``: the amount of each item, vitals among them; ``achievements``: how often each;
- ``objects``: kind, x, y and all counters of each creature, arrow and plant, oldest first.
"""

SIDE: Final = 9
"""Width and height of the area, in cells."""
WAYS: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Directions of the player."""
_COUNTERS: Final = ("hunger", "thirst", "fatigue", "recover")


class EditDistance(NamedTuple):
    """How far a predicted state is from the true one.

    Attributes:
        raw: Operations of the JSON Patch (RFC 6902) that makes the true state of it.
        normalised: These by the number of the true state's leaves.
    """

    raw: int
    normalised: float


def state_document(state: State, words: Vocabulary, corner: tuple[int, int]) -> StateDocument:
    """A state as a document.

    Args:
        state: The state.
        words: The world's vocabulary.
        corner: The first cell of the area on the map.
    """
    left, top = corner
    cells = state.materials[left : left + SIDE, top : top + SIDE].tolist()
    names = state.objects.dtype.names or ()
    return {
        "step": state.step,
        "daylight": round(state.daylight, 6),
        "done": state.done,
        "map": [[words.materials[code] for code in column] for column in cells],
        "player": {
            "x": state.x - left,
            "y": state.y - top,
            "facing_x": state.facing[0],
            "facing_y": state.facing[1],
            "sleeping": state.sleeping,
            **{name: getattr(state, name) for name in _COUNTERS},
        },
        "inventory": dict(zip(words.items, state.inventory.tolist(), strict=True)),
        "achievements": dict(zip(words.achievements, state.achievements.tolist(), strict=True)),
        "objects": [
            dict(zip(names, each, strict=True))
            | {"kind": words.objects[each[0]], "x": each[1] - left, "y": each[2] - top}
            for each in state.objects.tolist()
        ],
    }


def faced(state: StateDocument) -> tuple[int, int]:
    """The cell that the player faces, which may lie outside the area."""
    player = state["player"]
    return player["x"] + player["facing_x"], player["y"] + player["facing_y"]


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The values of a document that are neither mappings nor lists, each with its path."""
    if isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for name, part in parts:
            yield from leaves(part, f"{path}/{name}")
    else:
        yield path, value


def factors(state: StateDocument) -> dict[tuple[str, str | int], Any]:
    """The parts of a state that are predicted each by itself.

    They are the leaves, but those of an object, of a column of the map, and of the player's place
    and direction, together: whoever moves changes several at once.
    """
    found: dict[tuple[str, str | int], Any] = {
        (part, name): value
        for part in ("player", "inventory", "achievements")
        for name, value in state[part].items()
    }
    found |= {("state", name): state[name] for name in ("step", "daylight", "done")}
    found |= {("map", x): tuple(column) for x, column in enumerate(state["map"])}
    found |= {("object", n): tuple(each.values()) for n, each in enumerate(state["objects"])}
    place = [("player", name) for name in ("x", "y", "facing_x", "facing_y")]
    found["player", "place"] = tuple(found.pop(name) for name in place)
    return found


def copied(state: StateDocument) -> StateDocument:
    """A copy that shares nothing that can be changed."""
    return {
        **state,
        "map": [[*column] for column in state["map"]],
        "player": {**state["player"]},
        "inventory": {**state["inventory"]},
        "achievements": {**state["achievements"]},
        "objects": [{**each} for each in state["objects"]],
    }


def edit_distance(predicted: StateDocument, true: StateDocument) -> EditDistance:
    """How far a predicted state is from the true one."""
    import jsonpatch

    operations = len(jsonpatch.make_patch(predicted, true).patch)
    return EditDistance(operations, operations / sum(1 for _ in leaves(true)))
