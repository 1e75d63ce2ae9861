"""The careful vandal: one turn, as a kernel.

It can be hurt, so it looks after its needs and defends itself between the operations of its plan.
What it sees is the whole map, all objects, and what it holds.
"""

from __future__ import annotations

from typing import Any, Final

from mars_logic.compiled.kernel import kernel
from mars_logic.domains.conan.codes import ACTION, ITEM
from mars_logic.domains.conan.vandal.careful_moves import (
    Array,
    Stage,
    Tables,
    distance_to,
    is_beside,
    mark_bracket,
    nearest_monster,
    put_down,
    seek,
    step_away,
    wander_on,
    weigh_cells,
)
from mars_logic.domains.conan.vandal.careful_plans import Op
from mars_logic.domains.conan.vandal.log import SWORDS, Why
from mars_logic.domains.conan.vandal.reference import FAILED
from mars_logic.sim.stream import below, seed_stream
from mars_logic.world.dialect import AREA, MAXIMUM

_NOOP, _DO, _SLEEP = ACTION["noop"], ACTION["do"], ACTION["sleep"]
_DRINK_UP = ACTION["drink"]
_WATER_BUCKET = ITEM["water_bucket"]
_HEALTH, _FOOD, _DRINK, _ENERGY = (ITEM[name] for name in ("health", "food", "drink", "energy"))
_PLANNED, _DEFENCE = int(Why.PLANNED), int(Why.DEFENCE)
_URGENT: Final = 3
"""A need at or below which a vandal with a task serves it."""
_EASY: Final = 6
"""A need at or below which a vandal without a task serves it."""
_WEAK: Final = 4
"""Health at or below which it rests where no monsters are; without a task, it flees from them."""
_HURT: Final = 5
"""Health at or below which a vandal with a task eats what it holds, whatever is about."""
_NEAR: Final = 4
"""Distance of a monster within which it is fought or fled from."""
_QUIET: Final = 8
"""Distance of the nearest monster beyond which it sleeps and rests."""
_ENOUGH_FOOD: Final = 7
_HEALED: Final = 7
"""Health up to which a vandal with a task that was weak eats: meals add to health as well."""
_PATIENCE: Final = 40
"""Steps after which a need that could not be served is looked at again."""
_NOT_YET: Final = FAILED
_SERVED: Final = -2
_END, _OPEN, _CLOSE, _GATHER, _HUNT = (
    int(op) for op in (Op.END, Op.OPEN, Op.CLOSE, Op.GATHER, Op.HUNT)
)
_STATION, _PLACE, _BESIDE, _MAKE, _DRINKS, _SURVIVE = (
    int(op) for op in (Op.STATION, Op.PLACE, Op.BESIDE, Op.MAKE, Op.DRINK, Op.SURVIVE)
)


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
def _defend(stage: Stage, tables: Tables, player: Any, step: int, flees: bool) -> int:
    """Fight a monster beside, or flee from one when weak; ``FAILED`` if there is no need to.

    Zombies follow and strike from behind: a vandal with a task fights, and dies less often.
    """
    vandal = stage.vandal
    monster = nearest_monster(stage, player, _NEAR)
    weak = player.inventory[_HEALTH] <= _WEAK
    armed = False
    for item in SWORDS:
        armed = armed or player.inventory[item] > 0
    action = FAILED
    if flees and monster >= 0 and weak and not armed:
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
    return bool(lowest > _URGENT)


@kernel
def _keeps(plan: Array, item: int) -> bool:
    """Whether a plan is to have an item, which is then not consumed for health."""
    found = False
    for at in range(len(plan)):
        found = found or (plan[at, 0] in (_GATHER, _HUNT) and plan[at, 2] == item)
    return found


@kernel
def _serve(stage: Stage, tables: Tables, player: Any, plan: Array, heals: bool) -> int:
    """A step towards the need that is served, or ``_SERVED``, or ``_NOT_YET``.

    Drinking fills a bucket that is held; it is emptied again, unless the plan is to have water.
    """
    vandal = stage.vandal
    held = player.inventory
    if vandal.need == _DRINK:
        if heals and held[_WATER_BUCKET] > 0 and not _keeps(plan, _WATER_BUCKET):
            return _DRINK_UP
        return _SERVED if held[_DRINK] >= MAXIMUM else seek(stage, player, tables.water, 0)
    if vandal.need == _ENERGY:
        if held[_ENERGY] >= MAXIMUM:
            return _SERVED
        return _NOT_YET if nearest_monster(stage, player, _QUIET) >= 0 else _SLEEP
    if held[_FOOD] >= _ENOUGH_FOOD and (held[_HEALTH] >= _HEALED or not heals):
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
def _should_eat(tables: Tables, player: Any, plan: Array) -> bool:
    """Whether it is hurt and holds a meal, which heals before a fight goes on."""
    held = player.inventory
    if held[_HEALTH] > _HURT:
        return False
    for item in range(len(held)):
        if tables.eat[item] > 0 and held[item] > 0 and not _keeps(plan, item):
            return True
    return False


@kernel
def _look_after(
    stage: Stage,
    tables: Tables,
    player: Any,
    plan: Array,
    step: int,
    limit: int,
    left_out: int,
    heals: bool,
) -> int:
    """Serve the lowest need at or below a limit; ``FAILED`` if there is none to serve.

    With ``heals``, weakness counts as hunger.
    """
    vandal = stage.vandal
    eats = heals and _should_eat(tables, player, plan)
    if eats and vandal.need not in (0, _FOOD):
        vandal.need = 0
        mark_bracket(stage, player, step, -1)
    for _ in range(4):
        if vandal.need == 0:
            lowest = limit + 1
            for need in range(_FOOD, _ENERGY + 1):
                value = player.inventory[need]
                if heals and need == _FOOD and player.inventory[_HEALTH] <= _WEAK:
                    value = min(value, limit)
                if eats and need == _FOOD:
                    value = -1
                if need != left_out and value < lowest and vandal.waits[need] <= step:
                    lowest = value
                    vandal.need = need
            if vandal.need == 0:
                return FAILED
            vandal.target = -1
            mark_bracket(stage, player, step, tables.brackets[vandal.need])
        action = _serve(stage, tables, player, plan, heals)
        if action >= 0:
            return action
        if action == _NOT_YET:
            vandal.waits[vandal.need] = step + _PATIENCE
        vandal.need = 0
        vandal.target = -1
        mark_bracket(stage, player, step, -1)
    return FAILED


@kernel
def _goes_back(stage: Stage, player: Any, plan: Array, masks: Array, at: int) -> bool:
    """Whether a station that stands is nearer than what a new one costs."""
    stage.only[:] = 0
    stage.only[plan[at, 2]] = 1
    back = distance_to(stage, player, stage.only)
    if back >= AREA * AREA:
        return False
    new = distance_to(stage, player, masks[plan[at, 3]]) + 2 * int(plan[at, 5])
    return back < new


@kernel
def _lacks(tables: Tables, held: Array, thing: int) -> bool:
    """Whether what a thing costs is not held: an arrow ruined the one that was placed."""
    found = False
    for item in range(len(held)):
        found = found or held[item] < tables.place_uses[thing, item]
    return found


@kernel
def _work(stage: Stage, tables: Tables, player: Any, plan: Array, masks: Array, step: int) -> int:
    """The next action of the plan, which is over at END; ``FAILED`` if it cannot go on."""
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
            mark_bracket(stage, player, step, plan[at, 1])
        elif kind == _CLOSE:
            mark_bracket(stage, player, step, -1)
        elif kind == _GATHER:
            if held[plan[at, 2]] < plan[at, 3]:
                return seek(stage, player, masks[plan[at, 1]], 0)
        elif kind == _DRINKS:
            if held[_DRINK] < plan[at, 1]:
                return seek(stage, player, tables.water, 0)
        elif kind == _HUNT:
            number = vandal.kills[plan[at, 1]] if plan[at, 2] < 0 else held[plan[at, 2]]
            if number < plan[at, 3]:
                return seek(stage, player, stage.nothing, plan[at, 1])
        elif kind == _STATION:
            if _goes_back(stage, player, plan, masks, at):
                vandal.at = plan[at, 4]
                vandal.target = -1
                continue
            mark_bracket(stage, player, step, plan[at, 1])
        elif kind == _PLACE:
            cell = int(vandal.expected)
            stands = cell >= 0 and stage.codes[cell // AREA, cell % AREA] == plan[at, 1]
            if not stands and _lacks(tables, held, plan[at, 1]):
                mark_bracket(stage, player, step, -1)
                vandal.at = plan[at, 3]
                vandal.target = -1
                vandal.expected = -1
                continue
            if not stands:
                return put_down(stage, tables, player, plan[at, 1], plan[at, 2])
            vandal.expected = -1
        elif kind == _BESIDE:
            if not is_beside(stage, player, plan[at, 1]):
                stage.only[:] = 0
                stage.only[plan[at, 1]] = 1
                action = seek(stage, player, stage.only, 0)
                if action >= 0:
                    return action
                vandal.at = plan[at, 2]
                vandal.target = -1
                continue
        elif kind == _MAKE:
            if held[plan[at, 1]] < plan[at, 3]:
                if plan[at, 4] >= 0 and not is_beside(stage, player, plan[plan[at, 4], 1]):
                    vandal.at = plan[at, 4]
                    continue
                return int(plan[at, 2])
        elif kind == _SURVIVE:
            return wander_on(stage, player)
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
    weigh_cells(vandal, tables, player.inventory)
    survives = plan[vandal.at, 0] == _SURVIVE
    eats = not survives and left_out != _FOOD and _should_eat(tables, player, plan)
    if cautious and not eats:
        action = _defend(stage, tables, player, env.step, survives)
        if action >= 0:
            return action
    limit = _EASY if survives else _URGENT
    if plan[vandal.at, 0] != _DRINKS:
        heals = not survives
        action = _look_after(stage, tables, player, plan, env.step, limit, left_out, heals)
        if action >= 0:
            return action
    return _work(stage, tables, player, plan, masks, env.step)
