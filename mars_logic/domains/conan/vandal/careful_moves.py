"""Moves of the careful vandal: ways to targets, to room for a thing, and away from monsters."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mars_logic.compiled.kernel import kernel
from mars_logic.domains.conan.codes import ACTION, CODE, ITEM, OBJECT
from mars_logic.domains.conan.vandal.flood import first_step, flood
from mars_logic.domains.conan.vandal.log import Event, Why, note
from mars_logic.domains.conan.vandal.reference import FAILED
from mars_logic.sim.stream import below, chance
from mars_logic.world.dialect import AREA

Array = Any
"""In annotations of kernels: an array."""
Stage = Any
"""In annotations: one record of ``careful_play.CAREFUL_STAGE_DTYPE``."""
Tables = Any
"""In annotations: one record of ``careful_play.CAREFUL_TABLES_DTYPE``."""

_DO, _PLACE_STONE = ACTION["do"], ACTION["place_stone"]
_STONE, _STONES = CODE["stone"], ITEM["stone"]
_COW, _ZOMBIE, _SKELETON = OBJECT["cow"], OBJECT["zombie"], OBJECT["skeleton"]
_ARROW = OBJECT["arrow"]
_OPENED, _CLOSED = int(Event.OPEN), int(Event.CLOSE)
_PLANNED, _WAY = int(Why.PLANNED), int(Why.WAY)
_NEAREST: Final = 0.8
"""Chance of the nearest target; else it is the second nearest."""
_CUT: Final = 3
"""Steps to enter a cell that is cut first: turn, cut, go."""
_BRIDGE: Final = 4
"""Steps to enter a cell that a stone is put on first: turn, place, cut, go."""
_ROCK: Final = np.zeros(len(CODE), np.uint8)
"""uint8[42]: stone alone, as a set of codes."""
_ROCK[CODE["stone"]] = True


@kernel
def weigh_cells(vandal: Any, tables: Tables, held: Array) -> None:
    """What it costs to enter cells, with what is held."""
    for code in range(len(vandal.costs)):
        vandal.costs[code] = 0
        if tables.walkable[code]:
            vandal.costs[code] = 1
        elif tables.cuttable[code]:
            able = True
            for item in range(len(held)):
                able = able and held[item] >= tables.tools[code, item]
            if able:
                vandal.costs[code] = _CUT
    for code in range(len(vandal.costs)):
        bridged = vandal.costs[_STONE] == _CUT and vandal.costs[code] == 0
        vandal.bridged[code] = bridged and tables.placeable[_STONE, code] != 0
    vandal.burdens[:] = -1
    vandal.burdens[0] = 0
    vandal.burdens[_ARROW] = 1
    for creature in range(_COW, _SKELETON + 1):
        vandal.burdens[creature] = 4


@kernel
def _flood(stage: Stage, player: Any, mask: Array, creature: int, goal: int, most: int) -> int:
    """Flood the map from the player's cell: see :func:`flood`."""
    vandal = stage.vandal
    here = player.x * AREA + player.y
    codes, objects, costs, burdens = stage.codes, stage.objects, vandal.costs, vandal.burdens
    return flood(vandal.flood, codes, objects, costs, burdens, here, mask, creature, goal, most)


@kernel
def step_towards(stage: Stage, player: Any, cell: int, target: int) -> int:
    """Go to, cut, or strike at a neighbouring cell."""
    vandal = stage.vandal
    x = cell // AREA
    y = cell % AREA
    dx = x - player.x
    dy = y - player.y
    move = 1 if dx == -1 else 2 if dx == 1 else 3 if dy == -1 else 4
    thing = int(stage.objects[x, y])
    if stage.walk[stage.codes[x, y]] and not _COW <= thing <= _SKELETON:
        return move
    vandal.why = _PLANNED if cell == target else _WAY
    if dx == player.facing_x and dy == player.facing_y:
        return _PLACE_STONE if cell != target and vandal.bridged[stage.codes[x, y]] > 0 else _DO
    return move


@kernel
def _bridge(stage: Stage, player: Any, mask: Array, creature: int) -> int:
    """A step towards a target that is reached over water or lava alone; ``FAILED`` if none is.

    A stone is put on a cell and cut away again: one stone, which is fetched first, is enough.
    """
    vandal = stage.vandal
    here = player.x * AREA + player.y
    for code in range(len(vandal.costs)):
        if vandal.bridged[code] > 0:
            vandal.costs[code] = _BRIDGE
    number = _flood(stage, player, mask, creature, -1, 1)
    for code in range(len(vandal.costs)):
        if vandal.bridged[code] > 0:
            vandal.costs[code] = 0
    if number == 0:
        return FAILED
    target = int(vandal.flood.found[0])
    cell = first_step(vandal.flood, target, here)
    if player.inventory[_STONES] == 0:
        if _flood(stage, player, _ROCK, 0, -1, 1) == 0:
            return FAILED
        cell = first_step(vandal.flood, int(vandal.flood.found[0]), here)
        target = -1
    vandal.target = target
    return step_towards(stage, player, cell, target)


@kernel
def seek(stage: Stage, player: Any, mask: Array, creature: int) -> int:
    """A step towards the nearest target, or the second nearest; ``FAILED`` if there is none.

    Water and lava are crossed where there is no other way.
    """
    vandal = stage.vandal
    search = vandal.flood
    here = player.x * AREA + player.y
    target = int(vandal.target)
    number = 0
    if (
        target >= 0
        and target != here
        and creature == 0
        and mask[stage.codes[target // AREA, target % AREA]]
    ):
        number = _flood(stage, player, mask, 0, target, 1)
    if number == 0:
        number = _flood(stage, player, mask, creature, -1, 1 if creature > 0 else 2)
        if number == 0:
            return _bridge(stage, player, mask, creature)
        second = number == 2 and not chance(vandal.stream, _NEAREST)
        target = int(search.found[1 if second else 0])
        vandal.target = target
    return step_towards(stage, player, first_step(search, target, here), target)


@kernel
def put_down(stage: Stage, tables: Tables, player: Any, thing: int, action: int) -> int:
    """Place a thing in front, or go where there is room for it; ``FAILED`` if there is none."""
    vandal = stage.vandal
    x = player.x + player.facing_x
    y = player.y + player.facing_y
    free = 0 <= x < AREA and 0 <= y < AREA and stage.objects[x, y] == 0
    if free and tables.placeable[thing, stage.codes[x, y]]:
        vandal.expected = x * AREA + y
        return action
    search = vandal.flood
    here = player.x * AREA + player.y
    _flood(stage, player, stage.nothing, 0, -1, 0)
    best = -1
    least = 1 << 20
    for cell in range(AREA * AREA):
        if search.closed[cell] != search.run or search.cost[cell] >= least:
            continue
        cx = cell // AREA
        cy = cell % AREA
        for direction in range(4):
            dx = (direction == 1) - (direction == 0)
            dy = (direction == 3) - (direction == 2)
            tx = cx + 2 * dx
            ty = cy + 2 * dy
            if not (0 <= tx < AREA and 0 <= ty < AREA):
                continue
            if stage.objects[cx + dx, cy + dy] != 0 or stage.objects[tx, ty] != 0:
                continue
            if not stage.walk[stage.codes[cx + dx, cy + dy]]:
                continue
            if tables.placeable[thing, stage.codes[tx, ty]]:
                least = int(search.cost[cell])
                best = cell * 4 + direction
    if best < 0:
        return FAILED
    cell = best // 4
    if cell == here:
        return best % 4 + 1
    return step_towards(stage, player, first_step(search, cell, here), -1)


@kernel
def nearest_monster(stage: Stage, player: Any, reach: int) -> int:
    """The cell of the nearest zombie or skeleton within a distance, or -1."""
    best = -1
    least = reach + 1
    for x in range(max(0, player.x - reach), min(AREA, player.x + reach + 1)):
        for y in range(max(0, player.y - reach), min(AREA, player.y + reach + 1)):
            thing = stage.objects[x, y]
            if thing in (_ZOMBIE, _SKELETON):
                apart = abs(x - player.x) + abs(y - player.y)
                if apart < least:
                    least = apart
                    best = x * AREA + y
    return best


@kernel
def step_away(stage: Stage, player: Any, monster: int) -> int:
    """A step that leads away from a monster, or ``FAILED``."""
    best = FAILED
    most = abs(monster // AREA - player.x) + abs(monster % AREA - player.y)
    for direction in range(4):
        x = player.x + (direction == 1) - (direction == 0)
        y = player.y + (direction == 3) - (direction == 2)
        if not (0 <= x < AREA and 0 <= y < AREA) or stage.objects[x, y] != 0:
            continue
        apart = abs(monster // AREA - x) + abs(monster % AREA - y)
        if stage.walk[stage.codes[x, y]] and apart > most:
            most = apart
            best = direction + 1
    return best


@kernel
def mark_bracket(stage: Stage, player: Any, step: int, bracket: int) -> None:
    """Note that a bracket is opened, or with -1 closed."""
    kind = _OPENED if bracket >= 0 else _CLOSED
    note(stage.vandal.log, step, kind, bracket, player.x, player.y, 0, -1)


@kernel
def is_beside(stage: Stage, player: Any, thing: int) -> bool:
    """Whether a thing stands on one of the nine cells around the player."""
    for x in range(max(1, player.x) - 1, min(AREA, player.x + 2)):
        for y in range(max(1, player.y) - 1, min(AREA, player.y + 2)):
            if stage.codes[x, y] == thing:
                return True
    return False


@kernel
def distance_to(stage: Stage, player: Any, mask: Array) -> int:
    """Steps to the nearest cell of some codes, 4096 if none is reached."""
    search = stage.vandal.flood
    number = _flood(stage, player, mask, 0, -1, 1)
    return int(search.cost[search.found[0]]) if number else AREA * AREA


@kernel
def wander_on(stage: Stage, player: Any) -> int:
    """A step on, or a turn now and then."""
    x = player.x + player.facing_x
    y = player.y + player.facing_y
    free = 0 <= x < AREA and 0 <= y < AREA and stage.objects[x, y] == 0
    if free and stage.walk[stage.codes[x, y]] and chance(stage.vandal.stream, 0.9):
        dx = int(player.facing_x)
        return 1 if dx == -1 else 2 if dx == 1 else 3 if player.facing_y == -1 else 4
    return 1 + below(stage.vandal.stream, 4)
