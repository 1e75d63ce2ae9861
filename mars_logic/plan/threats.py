"""Harmful creatures nearby: hitting back, and whether it is quiet enough to rest."""

from __future__ import annotations

import numpy as np

from mars_logic.plan.belief_state import BeliefState, is_dark
from mars_logic.plan.observed_map import KINDS, Entity
from mars_logic.plan.outlook import WEAK, asleep_for
from mars_logic.plan.route import DIRECTIONS
from mars_logic.plan.shelter import enclosed
from mars_logic.plan.skills import bearable
from mars_logic.plan.sources import HEALING, nearest_healing
from mars_logic.plan.surroundings import Mask
from mars_logic.plan.world_model import DO, VITALS
from mars_logic.world.dialect import AREA

RESTED, ROBUST = 5, 7
"""Health at which resting ends: in the open, and behind walls."""
_DEAR = 3
"""So many points of health, food and drink are more than a blow costs."""
_BLOWS, _SHOTS = 5, 8
"""So far off, what strikes is soon here, and what shoots hits."""
_NAP_DISTANCE, _STRAYING = 8, 5
_COMING = 12
"""What comes to the player wakes it from a nap, and strikes a sleeper hardest, from so far off."""
_PROVIDED, _SHORT = 2, 60
"""The food and drink that a nap takes at least; steps that it takes at most."""
_BESIDE = 2
"""Nobody naps with what is hostile no farther off; no future has to be looked at for that."""
_NAP = 7
"""From this energy on, sleep is short."""

Choice = tuple[str, int]
"""The reason, and the action to take now."""


def strike_back(here: BeliefState) -> Choice | None:
    """Hit back at what stands beside the player and does harm, first at what it faces.

    Who is sore and on ground that heals rather moves about there, which heals faster than blows
    come.
    """
    x, y = here.seen.position
    beside = [
        ((thing.x - x, thing.y - y) != here.seen.facing, thing)
        for thing in here.creatures_within(1)
        if here.hostile(thing) and _worth_killing(here, thing.kind)
    ]
    if not beside:
        return None
    sore = here.status.amount("health") <= RESTED
    if sore and (healed := nearest_healing(here)) is not None and healed[0] == 0:
        return HEALING, healed[1]
    turn, thing = min(beside, key=lambda one: one[0])
    move = (thing.x - x, thing.y - y)
    return f"fight {here.model.kinds[thing.kind]}", 1 + DIRECTIONS.index(move) if turn else DO


def _worth_killing(here: BeliefState, kind: int) -> bool:
    """Whether killing a creature takes nothing that the player cannot spare.

    Nobody pays dearly to be rid of what does not come after them, unless a blow more would leave
    them weak; but what does will strike, which may take as much as killing it.
    """
    effect, blow = here.model.eat_effect(kind), here.model.blow(kind)
    health, comes = here.status.amount("health"), here.model.approaches(kind)
    price = -sum(min(0, effect.of(vital)) for vital in VITALS)
    if price >= _DEAR and not comes and health - blow > WEAK:
        return False
    spared = effect.health >= 0 or health + effect.health > WEAK
    spared = spared or (comes and blow + effect.health >= 0)
    return spared and bearable(here, effect)


def worst_blow(here: BeliefState) -> int:
    """The worst blow, or arrow, that may come from what is near."""
    kinds = {thing.kind for thing in here.creatures_within(_SHOTS)}
    return max((max(here.model.blow(kind), here.model.shot(kind)) for kind in kinds), default=0)


def beset(here: BeliefState) -> bool:
    """Whether something that strikes is near."""
    return any(
        here.model.blow(thing.kind) for thing in here.creatures_within(_BLOWS) if thing.ago == 0
    )


def quiet(here: BeliefState) -> bool:
    """Whether nothing strikes or shoots: good enough for who can stay awake no longer."""
    if here.model.arrow_factor < 0 and here.seen.of_kind("arrow"):
        return False
    shot_at = any(
        here.model.shot(thing.kind) for thing in here.creatures_within(_SHOTS) if thing.ago == 0
    )
    return not (shot_at or beset(here))


def safe(here: BeliefState) -> bool:
    """Whether nothing is near that might strike a sleeper, nor may come in the dark."""
    if not here.model.endangered:
        return True
    if enclosed(here):
        return True
    if any(here.hostile(thing) and _disturbs(here, thing) for thing in here.creatures):
        return False
    short = _tries(here)
    by_day = not here.haunted and here.model.blow(KINDS.index("skeleton")) == 0
    return not here.haunted and (by_day or short or bool(here.lonely[here.seen.position]))


def may_doze(here: BeliefState) -> bool:
    """Whether a nap in the open would end before what the dark brings, or be survived.

    Who is weak dares only a short one.
    """
    feeble = 0 < here.status.amount("health") <= here.model.rude_awakening
    if feeble and here.status.amount("energy") < _NAP:
        return False
    if here.model.blow(KINDS.index("zombie")) == 0:
        return True
    times = range(here.status.step, here.status.step + asleep_for(here) + 1, 10)
    return not any(is_dark(step) for step in times)


def may_nap(here: BeliefState) -> bool:
    """Whether nothing speaks against a nap in the open but, maybe, what is around."""
    provided = all(here.status.amount(vital) >= _PROVIDED for vital in ("food", "drink"))
    short = 0 < asleep_for(here) <= _SHORT
    strong = here.status.amount("health") >= ROBUST
    near = any(map(here.hostile, here.creatures_within(_BESIDE)))
    calm = not (here.haunted or here.unhurried or near)
    return provided and short and strong and calm and may_doze(here)


def _disturbs(here: BeliefState, thing: Entity) -> bool:
    """Whether a creature may come, or shoot, before a nap is over."""
    if not here.approaches[thing.x, thing.y]:
        return False
    comes, shoots = here.model.approaches(thing.kind), here.model.shot(thing.kind) > 0
    steps = _NAP_DISTANCE if shoots and not _tries(here) else _STRAYING
    return here.distance(thing) <= (_comes_from(here) if comes else steps)


def _comes_from(here: BeliefState) -> int:
    """How far off what comes to the player disturbs a nap; who has little time dares more."""
    return _COMING if here.unhurried else _NAP_DISTANCE


def undisturbed(here: BeliefState) -> Mask:
    """bool[64, 64]: cells near which there is nothing that does harm."""
    mask = np.ones((AREA, AREA), np.bool_)
    columns, rows = np.ogrid[:AREA, :AREA]
    for thing in here.creatures:
        if here.hostile(thing):
            off = _comes_from(here) if here.model.approaches(thing.kind) else _NAP_DISTANCE
            mask &= abs(columns - thing.x) + abs(rows - thing.y) > off
    return mask


def _tries(here: BeliefState) -> bool:
    """Whether sleep would be short, and being woken by a blow or an arrow would be survived."""
    return here.status.amount("energy") >= _NAP and here.status.amount("health") >= ROBUST
