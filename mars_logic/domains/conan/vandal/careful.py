"""The careful vandal: one turn, as a kernel.

It can be hurt, so it looks after its needs and defends itself between the operations of its plan.
What it sees is the whole map, all objects, and what it holds.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mars_logic.domains.conan.codes import ACTION, CODE, ITEM, OBJECT
from mars_logic.domains.conan.vandal.careful_plans import Op
from mars_logic.domains.conan.vandal.flood import FLOOD_DTYPE, first_step, flood
from mars_logic.domains.conan.vandal.log import LOG_DTYPE, SWORDS, Event, Why, note
from mars_logic.kernel import kernel
from mars_logic.sim.layout import STREAM_DTYPE
from mars_logic.sim.stream import below, chance, seed_stream
from mars_logic.world.dialect import AREA

Array = Any
"""In annotations of kernels: an array."""
Stage = Any
"""In annotations: one record of ``careful_play.CAREFUL_STAGE_DTYPE``."""
Tables = Any
"""In annotations: one record of :data:`CAREFUL_TABLES_DTYPE`."""

CAREFUL_DTYPE: Final = np.dtype(
    [
        ("at", np.int32),  # the operation of the plan
        ("target", np.int32),  # the cell that is gone to, or -1
        ("expected", np.int32),  # the cell where a thing was being placed, or -1
        ("why", np.int8),  # the reason of the turn's action (Why)
        ("need", np.int8),  # index in the inventory of the need that is served, or 0
        ("waits", np.int32, (4,)),  # until which step a need is left, which could not be served
        ("fleeing", np.bool_),
        ("food", np.int8),  # the first of the foods it looks for
        ("kills", np.int32, (len(OBJECT),)),
        ("costs", np.int64, (len(CODE),)),
        ("burdens", np.int64, (len(OBJECT),)),
        ("stream", STREAM_DTYPE),
        ("flood", FLOOD_DTYPE),
        ("log", LOG_DTYPE),
    ],
    align=True,
)
"""State of a careful vandal and its scratch memory."""

MOST_FOODS: Final = 8
CAREFUL_TABLES_DTYPE: Final = np.dtype(
    [
        ("code", np.uint8, (16, 16)),  # code of a material (first index) with a mark
        ("walkable", np.uint8, (len(CODE),)),
        ("placeable", np.uint8, (len(CODE), len(CODE))),
        ("cuttable", np.uint8, (len(CODE),)),  # collecting leaves what can be walked on
        ("tools", np.int16, (len(CODE), len(ITEM))),  # what collecting requires
        ("water", np.uint8, (len(CODE),)),  # what can be drunk
        # Foods of minimal proofs: item, creature (or 0), and the codes it is collected from.
        ("foods", np.int8),
        ("food_item", np.int16, (MOST_FOODS,)),
        ("food_creature", np.int16, (MOST_FOODS,)),
        ("food_mask", np.uint8, (MOST_FOODS, len(CODE))),
        ("eat", np.int16, (len(ITEM),)),  # the action that eats an item, or 0
        ("brackets", np.int16, (5,)),  # of needs by their index in the inventory; 4: of fleeing
    ],
    align=True,
)
"""What a careful vandal knows of the rules."""

FAILED: Final = -1
_NOOP, _DO, _SLEEP = ACTION["noop"], ACTION["do"], ACTION["sleep"]
_HEALTH, _FOOD, _DRINK, _ENERGY = (ITEM[name] for name in ("health", "food", "drink", "energy"))
_COW, _ZOMBIE, _SKELETON = OBJECT["cow"], OBJECT["zombie"], OBJECT["skeleton"]
_ARROW = OBJECT["arrow"]
_OPENED, _CLOSED = int(Event.OPEN), int(Event.CLOSE)
_PLANNED, _WAY, _DEFENCE = int(Why.PLANNED), int(Why.WAY), int(Why.DEFENCE)
_END, _OPEN, _CLOSE, _GATHER, _HUNT = (
    int(op) for op in (Op.END, Op.OPEN, Op.CLOSE, Op.GATHER, Op.HUNT)
)
_STATION, _PLACE, _BESIDE, _MAKE, _DRINKS, _SURVIVE = (
    int(op) for op in (Op.STATION, Op.PLACE, Op.BESIDE, Op.MAKE, Op.DRINK, Op.SURVIVE)
)
URGENT: Final = 3
"""A need at or below which a vandal with a task serves it."""
EASY: Final = 6
"""A need at or below which a vandal without a task serves it."""
_WEAK: Final = 4
"""Health at or below which monsters are fled from."""
_NEAR: Final = 4
_QUIET: Final = 8
"""Distance of the nearest monster beyond which it sleeps."""
_ENOUGH_FOOD: Final = 7
_MOST: Final = 9
_PATIENCE: Final = 40
"""Steps after which a need that could not be served is looked at again."""
_NEAREST: Final = 0.8
"""Chance of the nearest target; else it is the second nearest."""
_CUT: Final = 3
_NOT_YET: Final = -1
_SERVED: Final = -2


@kernel
def begin(vandal: Any, tables: Tables, seed: int) -> None:
    """Begin an attempt, and forget the attempt before."""
    seed_stream(vandal.stream, seed)
    vandal.at = 0
    vandal.target = -1
    vandal.expected = -1
    vandal.why = _PLANNED
    vandal.need = 0
    vandal.waits[:] = 0
    vandal.fleeing = False
    vandal.food = below(vandal.stream, tables.foods) if tables.foods > 1 else 0
    vandal.kills[:] = 0
    vandal.log.size = 0


@kernel
def _weigh(vandal: Any, tables: Tables, held: Array) -> None:
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
    vandal.burdens[:] = -1
    vandal.burdens[0] = 0
    vandal.burdens[_ARROW] = 1
    for creature in range(_COW, _SKELETON + 1):
        vandal.burdens[creature] = 4


@kernel
def _towards(stage: Stage, player: Any, cell: int, target: int) -> int:
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
        return _DO
    return move


@kernel
def _seek(stage: Stage, player: Any, mask: Array, creature: int) -> int:
    """A step towards the nearest target, or the second nearest; ``FAILED`` if there is none."""
    vandal = stage.vandal
    search = vandal.flood
    here = player.x * AREA + player.y
    target = int(vandal.target)
    number = 0
    if target >= 0 and target != here and creature == 0 and mask[
        stage.codes[target // AREA, target % AREA]
    ]:
        number = flood(
            search, stage.codes, stage.objects, vandal.costs, vandal.burdens, here, mask, 0, target, 1
        )
    if number == 0:
        most = 1 if creature > 0 else 2
        number = flood(
            search,
            stage.codes,
            stage.objects,
            vandal.costs,
            vandal.burdens,
            here,
            mask,
            creature,
            -1,
            most,
        )
        if number == 0:
            return FAILED
        second = number == 2 and not chance(vandal.stream, _NEAREST)
        target = int(search.found[1 if second else 0])
        vandal.target = target
    return _towards(stage, player, first_step(search, target, here), target)


@kernel
def _put(stage: Stage, tables: Tables, player: Any, thing: int, action: int) -> int:
    """Place a thing in front, or go where there is room for it; ``FAILED`` if there is none."""
    vandal = stage.vandal
    x = player.x + player.facing_x
    y = player.y + player.facing_y
    if 0 <= x < AREA and 0 <= y < AREA:
        if stage.objects[x, y] == 0 and tables.placeable[thing, stage.codes[x, y]]:
            vandal.expected = x * AREA + y
            return action
    search = vandal.flood
    here = player.x * AREA + player.y
    flood(
        search,
        stage.codes,
        stage.objects,
        vandal.costs,
        vandal.burdens,
        here,
        stage.nothing,
        0,
        -1,
        0,
    )
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
    return _towards(stage, player, first_step(search, cell, here), -1)


@kernel
def _monster(stage: Stage, player: Any, reach: int) -> int:
    """The cell of the nearest zombie or skeleton within a distance, or -1."""
    best = -1
    least = reach + 1
    for x in range(max(0, player.x - reach), min(AREA, player.x + reach + 1)):
        for y in range(max(0, player.y - reach), min(AREA, player.y + reach + 1)):
            thing = stage.objects[x, y]
            if thing == _ZOMBIE or thing == _SKELETON:
                apart = abs(x - player.x) + abs(y - player.y)
                if apart < least:
                    least = apart
                    best = x * AREA + y
    return best


@kernel
def _away(stage: Stage, player: Any, monster: int) -> int:
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
def _mark(stage: Stage, player: Any, step: int, bracket: int) -> None:
    """Note that a bracket is opened, or with -1 closed."""
    kind = _OPENED if bracket >= 0 else _CLOSED
    note(stage.vandal.log, step, kind, bracket, player.x, player.y, 0, -1)


@kernel
def _defend(stage: Stage, tables: Tables, player: Any, step: int) -> int:
    """Fight a monster beside, or flee from one when weak; ``FAILED`` if there is no need to."""
    vandal = stage.vandal
    monster = _monster(stage, player, _NEAR)
    weak = player.inventory[_HEALTH] <= _WEAK
    armed = False
    for item in SWORDS:
        armed = armed or player.inventory[item] > 0
    action = FAILED
    if monster >= 0 and weak and not armed:
        action = _away(stage, player, monster)
    if action >= 0:
        if not vandal.fleeing:
            vandal.fleeing = True
            _mark(stage, player, step, tables.brackets[4])
        return action
    if vandal.fleeing:
        vandal.fleeing = False
        _mark(stage, player, step, -1)
    if monster >= 0:
        dx = monster // AREA - player.x
        dy = monster % AREA - player.y
        if abs(dx) + abs(dy) == 1:
            vandal.why = _DEFENCE
            if dx == player.facing_x and dy == player.facing_y:
                return _DO
            return 1 if dx == -1 else 2 if dx == 1 else 3 if dy == -1 else 4
    if weak and _monster(stage, player, _QUIET) < 0 and _recovers(player):
        return _NOOP
    return FAILED


@kernel
def _recovers(player: Any) -> bool:
    """Whether no need keeps health from growing, nor soon will."""
    for need in range(_FOOD, _ENERGY + 1):
        if player.inventory[need] <= URGENT:
            return False
    return True


@kernel
def _serve(stage: Stage, tables: Tables, player: Any) -> int:
    """A step towards the need that is served, or ``_SERVED``, or ``_NOT_YET``."""
    vandal = stage.vandal
    held = player.inventory
    if vandal.need == _DRINK:
        return _SERVED if held[_DRINK] >= _MOST else _seek(stage, player, tables.water, 0)
    if vandal.need == _ENERGY:
        if held[_ENERGY] >= _MOST:
            return _SERVED
        return _NOT_YET if _monster(stage, player, _QUIET) >= 0 else _SLEEP
    if held[_FOOD] >= _ENOUGH_FOOD:
        return _SERVED
    for item in range(len(held)):
        if tables.eat[item] > 0 and held[item] > 0:
            return int(tables.eat[item])
    for i in range(tables.foods):
        food = (vandal.food + i) % tables.foods
        creature = int(tables.food_creature[food])
        action = _seek(stage, player, tables.food_mask[food], creature)
        if action >= 0:
            return action
    return _NOT_YET


@kernel
def _look_after(
    stage: Stage, tables: Tables, player: Any, step: int, limit: int, left_out: int
) -> int:
    """Serve the lowest need at or below a limit; ``FAILED`` if there is none to serve."""
    vandal = stage.vandal
    for _ in range(4):
        if vandal.need == 0:
            lowest = limit + 1
            for need in range(_FOOD, _ENERGY + 1):
                value = player.inventory[need]
                if need != left_out and value < lowest and vandal.waits[need] <= step:
                    lowest = value
                    vandal.need = need
            if vandal.need == 0:
                return FAILED
            vandal.target = -1
            _mark(stage, player, step, tables.brackets[vandal.need])
        action = _serve(stage, tables, player)
        if action >= 0:
            return action
        if action == _NOT_YET:
            vandal.waits[vandal.need] = step + _PATIENCE
        vandal.need = 0
        vandal.target = -1
        _mark(stage, player, step, -1)
    return FAILED


@kernel
def _is_beside(stage: Stage, player: Any, thing: int) -> bool:
    for x in range(max(1, player.x) - 1, min(AREA, player.x + 2)):
        for y in range(max(1, player.y) - 1, min(AREA, player.y + 2)):
            if stage.codes[x, y] == thing:
                return True
    return False


@kernel
def _distance(stage: Stage, player: Any, mask: Array) -> int:
    """Steps to the nearest cell of some codes, 4096 if none is reached."""
    vandal = stage.vandal
    search = vandal.flood
    here = player.x * AREA + player.y
    number = flood(
        search, stage.codes, stage.objects, vandal.costs, vandal.burdens, here, mask, 0, -1, 1
    )
    return int(search.cost[search.found[0]]) if number else AREA * AREA


@kernel
def _wander(stage: Stage, player: Any) -> int:
    """A step on, or a turn now and then."""
    x = player.x + player.facing_x
    y = player.y + player.facing_y
    free = 0 <= x < AREA and 0 <= y < AREA and stage.objects[x, y] == 0
    if free and stage.walk[stage.codes[x, y]] and chance(stage.vandal.stream, 0.9):
        dx = int(player.facing_x)
        return 1 if dx == -1 else 2 if dx == 1 else 3 if player.facing_y == -1 else 4
    return 1 + below(stage.vandal.stream, 4)


@kernel
def _goes_back(stage: Stage, player: Any, plan: Array, masks: Array, at: int) -> bool:
    """Whether a station that stands is nearer than what a new one costs."""
    stage.only[:] = 0
    stage.only[plan[at, 2]] = 1
    back = _distance(stage, player, stage.only)
    if back >= AREA * AREA:
        return False
    new = _distance(stage, player, masks[plan[at, 3]]) + 2 * int(plan[at, 5])
    return back < new


@kernel
def _work(
    stage: Stage, tables: Tables, player: Any, plan: Array, masks: Array, step: int
) -> int:
    """The next action of the plan; ``FAILED`` if it cannot go on. ``at`` is at END if it is over."""
    vandal = stage.vandal
    held = player.inventory
    for _ in range(10 * len(plan)):
        at = int(vandal.at)
        kind = plan[at, 0]
        action = FAILED
        if kind == _END:
            return _NOOP
        if kind == _OPEN:
            if plan[at, 2] >= 0 and held[plan[at, 2]] >= plan[at, 3]:
                vandal.at = plan[at, 4]
                continue
            _mark(stage, player, step, plan[at, 1])
        elif kind == _CLOSE:
            _mark(stage, player, step, -1)
        elif kind == _GATHER:
            if held[plan[at, 2]] < plan[at, 3]:
                return _seek(stage, player, masks[plan[at, 1]], 0)
        elif kind == _DRINKS:
            if held[_DRINK] < plan[at, 1]:
                return _seek(stage, player, tables.water, 0)
        elif kind == _HUNT:
            number = vandal.kills[plan[at, 1]] if plan[at, 2] < 0 else held[plan[at, 2]]
            if number < plan[at, 3]:
                return _seek(stage, player, stage.nothing, plan[at, 1])
        elif kind == _STATION:
            if _goes_back(stage, player, plan, masks, at):
                vandal.at = plan[at, 4]
                vandal.target = -1
                continue
            _mark(stage, player, step, plan[at, 1])
        elif kind == _PLACE:
            cell = int(vandal.expected)
            if cell < 0 or stage.codes[cell // AREA, cell % AREA] != plan[at, 1]:
                return _put(stage, tables, player, plan[at, 1], plan[at, 2])
            vandal.expected = -1
        elif kind == _BESIDE:
            if not _is_beside(stage, player, plan[at, 1]):
                stage.only[:] = 0
                stage.only[plan[at, 1]] = 1
                action = _seek(stage, player, stage.only, 0)
                if action >= 0:
                    return action
                vandal.at = plan[at, 2]
                vandal.target = -1
                continue
        elif kind == _MAKE:
            if held[plan[at, 1]] < plan[at, 3]:
                if plan[at, 4] >= 0 and not _is_beside(stage, player, plan[plan[at, 4], 1]):
                    vandal.at = plan[at, 4]
                    continue
                return int(plan[at, 2])
        elif kind == _SURVIVE:
            return _wander(stage, player)
        vandal.at += 1
        vandal.target = -1
    return FAILED


@kernel
def act(
    env: Any,
    stage: Stage,
    tables: Tables,
    plan: Array,
    masks: Array,
    cautious: bool,
    left_out: int,
) -> int:
    """The action of a turn, or ``FAILED``.

    Args:
        env: The environment.
        stage: What is seen, and the vandal.
        tables: What it knows of the rules.
        plan: int16[n, 6]: operations.
        masks: uint8[m, 42]: sets of codes that they name.
        cautious: Whether it fights and flees.
        left_out: The need that it never serves, or 0.
    """
    vandal = stage.vandal
    player = env.player
    vandal.why = _PLANNED
    if player.sleeping:
        return _SLEEP
    _weigh(vandal, tables, player.inventory)
    if cautious:
        action = _defend(stage, tables, player, env.step)
        if action >= 0:
            return action
    survives = plan[vandal.at, 0] == _SURVIVE
    limit = EASY if survives else URGENT
    if plan[vandal.at, 0] != _DRINKS:
        action = _look_after(stage, tables, player, env.step, limit, left_out)
        if action >= 0:
            return action
    return _work(stage, tables, player, plan, masks, env.step)
