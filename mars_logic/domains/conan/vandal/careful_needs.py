"""How the careful vandal stays alive: it serves its needs, fights and flees."""

from __future__ import annotations

from typing import Any, Final

from mars_logic.domains.conan.codes import ACTION, ITEM
from mars_logic.domains.conan.vandal.careful_memory import Stage, Tables
from mars_logic.domains.conan.vandal.careful_moves import (
    mark_bracket,
    nearest_monster,
    seek,
    step_away,
)
from mars_logic.domains.conan.vandal.log import SWORDS, Why
from mars_logic.domains.conan.vandal.reference import FAILED
from mars_logic.kernel import kernel
from mars_logic.world.dialect import AREA, MAXIMUM

_NOOP, _DO, _SLEEP = ACTION["noop"], ACTION["do"], ACTION["sleep"]
_HEALTH, _FOOD, _DRINK, _ENERGY = (ITEM[name] for name in ("health", "food", "drink", "energy"))
_DEFENCE = int(Why.DEFENCE)
URGENT: Final = 3
"""A need at or below which a vandal with a task serves it."""
EASY: Final = 6
"""A need at or below which a vandal without a task serves it."""
_WEAK: Final = 4
"""Health at or below which it flees from monsters, and rests where there are none."""
_NEAR: Final = 4
"""Distance of a monster within which it is fought or fled from."""
_QUIET: Final = 8
"""Distance of the nearest monster beyond which it sleeps and rests."""
_ENOUGH_FOOD: Final = 7
_PATIENCE: Final = 40
"""Steps after which a need that could not be served is looked at again."""
_NOT_YET: Final = FAILED
_SERVED: Final = -2


@kernel
def defend(stage: Stage, tables: Tables, player: Any, step: int) -> int:
    """Fight a monster beside, or flee from one when weak; ``FAILED`` if there is no need to."""
    vandal = stage.vandal
    monster = nearest_monster(stage, player, _NEAR)
    weak = player.inventory[_HEALTH] <= _WEAK
    armed = False
    for item in SWORDS:
        armed = armed or player.inventory[item] > 0
    action = FAILED
    if monster >= 0 and weak and not armed:
        action = step_away(stage, player, monster)
    if action >= 0:
        if not vandal.fleeing:
            vandal.fleeing = True
            mark_bracket(stage, player, step, tables.brackets[4])
        return action
    if vandal.fleeing:
        vandal.fleeing = False
        mark_bracket(stage, player, step, -1)
    if monster >= 0:
        dx = monster // AREA - player.x
        dy = monster % AREA - player.y
        if abs(dx) + abs(dy) == 1:
            vandal.why = _DEFENCE
            if dx == player.facing_x and dy == player.facing_y:
                return _DO
            return 1 if dx == -1 else 2 if dx == 1 else 3 if dy == -1 else 4
    if weak and nearest_monster(stage, player, _QUIET) < 0 and _recovers(player):
        return _NOOP
    return FAILED


@kernel
def _recovers(player: Any) -> bool:
    """Whether no need keeps health from growing, nor soon will."""
    lowest = min(player.inventory[_FOOD], player.inventory[_DRINK], player.inventory[_ENERGY])
    return bool(lowest > URGENT)


@kernel
def _serve(stage: Stage, tables: Tables, player: Any) -> int:
    """A step towards the need that is served, or ``_SERVED``, or ``_NOT_YET``."""
    vandal = stage.vandal
    held = player.inventory
    if vandal.need == _DRINK:
        return _SERVED if held[_DRINK] >= MAXIMUM else seek(stage, player, tables.water, 0)
    if vandal.need == _ENERGY:
        if held[_ENERGY] >= MAXIMUM:
            return _SERVED
        return _NOT_YET if nearest_monster(stage, player, _QUIET) >= 0 else _SLEEP
    if held[_FOOD] >= _ENOUGH_FOOD:
        return _SERVED
    for item in range(len(held)):
        if tables.eat[item] > 0 and held[item] > 0:
            return int(tables.eat[item])
    for i in range(tables.foods):
        food = (vandal.food + i) % tables.foods
        creature = int(tables.food_creature[food])
        action = seek(stage, player, tables.food_mask[food], creature)
        if action >= 0:
            return action
    return _NOT_YET


@kernel
def look_after(
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
            mark_bracket(stage, player, step, tables.brackets[vandal.need])
        action = _serve(stage, tables, player)
        if action >= 0:
            return action
        if action == _NOT_YET:
            vandal.waits[vandal.need] = step + _PATIENCE
        vandal.need = 0
        vandal.target = -1
        mark_bracket(stage, player, step, -1)
    return FAILED
