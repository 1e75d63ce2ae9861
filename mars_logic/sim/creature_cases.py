"""Creatures that act by a table of cases: the deed of the first case that applies.

See docs/creatures_and_needs.md, "Creatures by cases, exactly". With the cases that say what
Crafter's creatures do, the draws are those of :mod:`mars_logic.sim.creatures`, in their order.
"""

from __future__ import annotations

from mars_logic.compiled.kernel import kernel
from mars_logic.sim.board import (
    direction,
    distance_of,
    kind_at,
    material_at,
    move,
    set_material,
    toward_player,
)
from mars_logic.sim.codes import NONE
from mars_logic.sim.layout import Env
from mars_logic.sim.rules_record import Rules
from mars_logic.sim.shooting import shoot
from mars_logic.sim.stream import below, chance
from mars_logic.sim.time_of_day import is_time

_APPROACH = 0
_FLEE = 1
_WANDER = 2
_SHOOT = 4
_GRAZE = 5
"""Deeds in the order of ``creature_rules.DEEDS``; number 3 is to stay."""


@kernel
def act_by_cases(env: Env, rules: Rules, i: int, daylight: float) -> bool:
    """Carry out the first case that applies; return whether the creature fled.

    A case also fails to apply if the creature cannot flee or finds nothing to graze.
    """
    thing = env.things[i]
    kind = int(thing.kind)
    thing.reload = max(0, thing.reload - 1)
    far = distance_of(env, i)
    for case in range(rules.num_cases[kind]):
        if not _applies(env, rules, i, case, far, daylight):
            continue
        deed = rules.case_act[kind, case]
        if deed == _APPROACH:
            dx, dy = toward_player(env, i, _along(env, rules, kind, case))
            move(env, rules, i, dx, dy)
        elif deed == _FLEE:
            dx, dy = toward_player(env, i, _along(env, rules, kind, case))
            if not move(env, rules, i, -dx, -dy):
                continue
            return True
        elif deed == _WANDER:
            dx, dy = direction(below(env.stream, 4))
            move(env, rules, i, dx, dy)
        elif deed == _SHOOT:
            shoot(env, rules, i, int(rules.case_shot[kind, case]))
        elif deed == _GRAZE and not _graze(env, rules, i):
            continue
        return False
    return False


@kernel
def _applies(env: Env, rules: Rules, i: int, case: int, far: int, daylight: float) -> bool:
    """Whether the conditions of a case hold; only then its chance is drawn, if it has one."""
    thing = env.things[i]
    kind = int(thing.kind)
    if far > rules.case_within[kind, case] or far <= rules.case_beyond[kind, case]:
        return False
    if not is_time(rules.case_when[kind, case], daylight):
        return False
    if thing.health > rules.case_health[kind, case]:
        return False
    held = rules.case_held[kind, case]
    if held >= 0 and env.player.inventory[held] <= 0:
        return False
    likely = rules.case_chance[kind, case]
    return bool(likely >= 1 or chance(env.stream, likely))


@kernel
def _along(env: Env, rules: Rules, kind: int, case: int) -> bool:
    """Whether a step follows the axis of the larger difference; what is certain draws no number."""
    likely = rules.case_straight[kind, case]
    return bool(likely >= 1 or chance(env.stream, likely))


@kernel
def _graze(env: Env, rules: Rules, i: int) -> bool:
    """Turn the first cell beside a creature that it grazes; return whether there is one."""
    kind = int(env.things[i].kind)
    for code in range(4):
        dx, dy = direction(code)
        x, y = env.thing_x[i] + dx, env.thing_y[i] + dy
        material = material_at(env, x, y)
        if kind_at(env, x, y) == NONE and (rules.grazed[kind] >> material) & 1 != 0:
            set_material(env, x, y, rules.grazed_becomes[kind, material])
            return True
    return False
