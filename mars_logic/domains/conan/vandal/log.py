"""The log of a vandal: brackets of its plan and what it did, as records.

Deeds are recognised from the states before and after a step, not from what the vandal meant to do.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

import numpy as np

from mars_logic.compiled.kernel import kernel
from mars_logic.domains.conan.codes import ACTION, ACTIONS, CODE, ITEM, OBJECT

Array = Any
"""In annotations of kernels: an array."""


class Event(IntEnum):
    """Kinds of events."""

    OPEN = 0
    CLOSE = 1
    COLLECT = 2
    PLACE = 3
    MAKE = 4
    KILL = 5
    DRINK = 6
    EAT = 7
    FILL = 8
    SLEEP = 9


class Why(IntEnum):
    """Why something was collected or killed."""

    PLANNED = 0
    WAY = 1  # it stood in the way
    ARROW = 2  # an arrow of a skeleton killed it
    DEFENCE = 3  # it was a danger


MOST_EVENTS: Final = 1200
"""Room of a log: brackets of the longest plan and of needs, and a deed in each step."""

EVENT_DTYPE: Final = np.dtype(
    [
        ("step", np.int16),  # steps since the reset: when a bracket changed, or the deed was over
        ("kind", np.int8),
        ("code", np.int8),  # bracket, code of a cell, object, or item; -1 of a bracket's end
        ("x", np.int8),
        ("y", np.int8),
        ("why", np.int8),
        ("weapon", np.int8),  # of a kill: the item, or -1
    ]
)
"""An event; x and y are the vandal's of a bracket, a make and a meal, else the cell it is about."""

LOG_DTYPE: Final = np.dtype([("size", np.int32), ("events", EVENT_DTYPE, (MOST_EVENTS,))])
"""A log that kernels write."""

SWORDS: Final = tuple(ITEM[name] for name in ("iron_sword", "stone_sword", "wood_sword"))
"""Items that add to damage, the best first."""

_OPEN, _CLOSE, _COLLECT, _PLACE = (int(k) for k in (Event.OPEN, Event.CLOSE, Event.COLLECT, 3))
_MAKE, _KILL, _DRINK, _EAT = int(Event.MAKE), int(Event.KILL), int(Event.DRINK), int(Event.EAT)
_FILL, _SLEEP, _ARROW = int(Event.FILL), int(Event.SLEEP), int(Why.ARROW)

_KIND = np.full(len(ACTIONS), -1, np.int8)
_RESULT = np.zeros(len(ACTIONS), np.int8)
for _name, _action in ACTION.items():
    _verb, _, _what = _name.partition("_")
    if _verb == "place" and _what in CODE:
        _KIND[_action], _RESULT[_action] = Event.PLACE, CODE[_what]
    elif _verb == "make":
        _KIND[_action], _RESULT[_action] = Event.MAKE, ITEM[_what]
    elif _verb == "eat":
        _KIND[_action], _RESULT[_action] = Event.EAT, ITEM[_what]
_DO, _DRINKS = ACTION["do"], ACTION["drink"]
_WATER, _LAVA = CODE["water"], CODE["lava"]
_WATER_BUCKET, _LAVA_BUCKET = ITEM["water_bucket"], ITEM["lava_bucket"]
_COW, _SKELETON = OBJECT["cow"], OBJECT["skeleton"]
_DEAD: Final = CODE["cow_dead"] - OBJECT["cow"]
_COLLECTED = np.zeros(len(CODE), np.bool_)
for _name in ("tree", "apple_tree", "stone", "coal", "iron", "diamond"):
    _COLLECTED[CODE[_name]] = True


@kernel
def note(log: Any, step: int, kind: int, code: int, x: int, y: int, why: int, weapon: int) -> None:
    """Add an event; a full log stays as it is."""
    if log.size < len(log.events):
        event = log.events[log.size]
        event.step = step
        event.kind = kind
        event.code = code
        event.x = x
        event.y = y
        event.why = why
        event.weapon = weapon
        log.size += 1


@kernel
def note_deed(
    log: Any,
    step: int,
    action: int,
    why: int,
    x: int,
    y: int,
    facing_x: int,
    facing_y: int,
    code: int,
    thing: int,
    new_code: int,
    held: Array,
    holds: Array,
) -> None:
    """Note what an action brought about.

    Args:
        log: The log.
        step: Steps since the reset, this one included.
        action: The action.
        why: Whether it was planned or cleared the way (``Why``).
        x: The player's column before the step.
        y: Its row.
        facing_x: Its facing.
        facing_y: Its facing.
        code: The code of the faced cell before the step.
        thing: The object on it before the step.
        new_code: The code of that cell after the step.
        held: The inventory before the step.
        holds: The inventory after the step.
    """
    fx = x + facing_x
    fy = y + facing_y
    if action == _DO:
        if thing != 0:
            if _COW <= thing <= _SKELETON and new_code == _DEAD + thing and code != new_code:
                weapon = -1
                for item in SWORDS:
                    if weapon < 0 and held[item] > 0:
                        weapon = item
                note(log, step, _KILL, thing, fx, fy, why, weapon)
        elif _COLLECTED[code]:
            if new_code != code:
                note(log, step, _COLLECT, code, fx, fy, why, -1)
        elif code in (_WATER, _LAVA):
            bucket = _WATER_BUCKET if code == _WATER else _LAVA_BUCKET
            if holds[bucket] > held[bucket]:
                note(log, step, _FILL, code, fx, fy, why, -1)
            elif code == _WATER:
                note(log, step, _DRINK, code, fx, fy, why, -1)
        return
    if action == _DRINKS:
        if holds[_WATER_BUCKET] < held[_WATER_BUCKET]:
            note(log, step, _DRINK, _WATER_BUCKET, x, y, why, -1)
        return
    kind = _KIND[action]
    result = _RESULT[action]
    if kind == _PLACE:
        if new_code == result and code != result:
            note(log, step, _PLACE, result, fx, fy, why, -1)
    elif kind == _MAKE:
        if holds[result] > held[result]:
            note(log, step, _MAKE, result, x, y, why, -1)
    elif kind == _EAT and holds[result] < held[result]:
        note(log, step, _EAT, result, x, y, why, -1)
