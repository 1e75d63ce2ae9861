"""The outlook: what the time ahead is likely to take of health, by want and in the dark.

Harmful creatures nearby: hitting back, and whether it is quiet enough to rest.

Retreat: where to go if there is no shelter, and which shelter lets a plant grow.

The way back: what it takes of health to get from anywhere to ground that heals.

Strength: the health with which a way that takes some is set out on.
"""

from __future__ import annotations

import math

from mars_logic.plan.belief_state import BeliefState, is_dark
from mars_logic.plan.observed_map import KINDS, Cell, Entity
from mars_logic.plan.routes import DIRECTIONS, STEP
from mars_logic.plan.shelter import cheapest, enclosed
from mars_logic.plan.skills import Skill, bearable, growing
from mars_logic.plan.sources import HEALING, healing_ground, nearest_healing
from mars_logic.plan.world_model import DO, VITALS
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM

WEAK = 3
"""Health with which nobody does anything but rest."""
TIRED = 2
"""Energy with which sleep is looked for."""
RATE = 0.05
"""Blows that a step in the dark costs where there is nothing but grass; elsewhere as many fewer as
there is less grass around. Measured in three worlds."""
_STRUCK, _PAUSE = 2, 4
"""Strokes that the zombies of that measure could take, and about how many each leaves time for
between two blows of its own: who takes more strokes gets to more blows."""
_NEAR, _COMES = 6, 0.7
"""Probability that an attacker within this many steps comes nearer."""
_MENDING, _STILL = 10 * STEP, 16 * STEP
"""Ground that heals and is no farther off makes up for hunger and thirst; and goes on to do so."""
_BORNE = 3
"""The health that hunger or thirst may cost of who stays in shelter for a night."""
_LONGEST = 180
_DUSK = 45
"""Steps before the dark in which provisions are made for it, and shelter is looked for."""
_OVERTIME = 30
"""Steps in the dark in which a plan may yet be brought to its end."""
_DAWN = 40
"""Steps after the dark for which provisions last, too."""
DEATH = 1200 * STEP
"""The cost of death, in quarters of a step."""
_PROVISIONS = 8
"""More of a vital than that is not fetched for a night."""


def mended(here: BeliefState, *, still: bool = False) -> bool:
    """Whether ground that heals is so near that nothing but health is worth looking for.

    Args:
        here: The situation.
        still: Whether it was so a moment ago.
    """
    ground = healing_ground(here)
    if ground is None:
        return False
    near = here.footpaths.nearest_cell[ground]
    return bool(near.size and near.min() <= (_STILL if still else _MENDING))


def lacks(here: BeliefState) -> bool:
    """Whether health is lost for lack of something."""
    return any(here.status.amount(vital) == 0 for vital in here.model.lasts)


def starves(here: BeliefState) -> bool:
    """Whether health is lost for lack of what sleep does not bring."""
    return any(here.status.amount(vital) == 0 for vital in ("food", "drink"))


def asleep_for(here: BeliefState) -> int:
    """Steps of sleep until all energy is back."""
    return here.model.sleep_per_energy * (MAXIMUM - here.status.amount("energy"))


def wasted_asleep(here: BeliefState) -> int:
    """The health that sleeping until all energy is back takes of who lacks something."""
    return asleep_for(here) // (2 * here.model.wasting)


def blows(here: BeliefState, goal: Cell | None) -> float:
    """How often a step in the dark is likely to be paid for with a blow, here and on the way."""
    x, y = here.seen.position
    cells = [(x, y)] if goal is None else [(x, y), ((x + goal[0]) // 2, (y + goal[1]) // 2), goal]
    rate = RATE * sum(float(here.meadow[cell]) for cell in cells) / len(cells)
    strokes = here.model.hits(KINDS.index("zombie"), here.held)
    return rate * (_PAUSE + strokes) / (_PAUSE + _STRUCK)


def awaited(here: BeliefState, *beings: str) -> float:
    """How many blows are likely of what is near and comes to the player, once it is let.

    Args:
        here: The situation.
        beings: The creatures that count; by default all.
    """
    walled = enclosed(here)
    coming = (
        thing.kind
        for thing in here.creatures_within(_NEAR)
        if KINDS[thing.kind] in (beings or names.CREATURES)
        and here.model.blow(thing.kind)
        and here.model.approaches(thing.kind)
        and (walled or here.approaches[thing.x, thing.y])
    )
    return sum(_COMES * (1 + here.model.hits(kind, here.held) // _PAUSE) for kind in coming)


def perilous(here: BeliefState, ahead: int, rate: float, risk: float) -> bool:
    """Whether to be about in the dark that is ahead is likelier to kill than is to be risked.

    Blows come one by one and independently, as far as this knows: their number is Poisson's.

    Args:
        here: The situation.
        ahead: The steps for which the player is about.
        rate: The blows that a step in the dark is likely to cost.
        risk: The chance of death that is borne.
    """
    falls = nightfall(here)
    steps = max(0, ahead - falls) if falls else min(darkness(here), ahead)
    fed = min(here.status.amount(vital) for vital in here.model.lasts) > 0
    health = here.status.amount("health") + (
        steps // here.model.healing if fed else -steps // here.model.wasting
    )
    borne = math.ceil(min(MAXIMUM, health) / here.model.blow(KINDS.index("zombie"))) - 1
    mean = rate * steps + awaited(here)
    survived = sum(mean**n / math.factorial(n) for n in range(borne + 1)) * math.exp(-mean)
    return 1 - survived > risk


def nightfall(here: BeliefState) -> int | None:
    """Steps until it is dark; None if that is not soon."""
    return next((n for n in range(0, _DUSK, 5) if is_dark(here.status.step + n)), None)


def darkness(here: BeliefState) -> int:
    """Steps until it is light."""
    return next((n for n in range(0, _LONGEST, 5) if not is_dark(here.status.step + n)), _LONGEST)


def presses(here: BeliefState, vital: str) -> bool:
    """Whether a vital is nearly used up; in the dark, so that it costs much before it is light."""
    left = max(1, here.status.amount("health") - _BORNE)
    if here.haunted and outlasts(here, vital, darkness(here), left):
        return False
    return here.status.amount(vital) < 2


def outlasts(here: BeliefState, vital: str, ahead: int, left: int = WEAK) -> bool:
    """Whether a vital lasts for so many steps, and then health, of which some is to be left."""
    lasts = here.status.amount(vital) * here.model.lasts[vital]
    return lasts + max(0, here.status.amount("health") - left) * here.model.wasting > ahead


def for_the_night(here: BeliefState, vital: str, ahead: int) -> int:
    """How much of a vital lasts until it is light, for who has still to live in the coming dark."""
    falls = nightfall(here)
    if falls is None or ahead <= falls + _OVERTIME or not here.model.prowled:
        return 0
    night = next(
        (n for n in range(falls, _LONGEST + _DUSK, 5) if not is_dark(here.status.step + n)),
        _LONGEST,
    )
    return min(_PROVISIONS, (night + _DAWN) // here.model.lasts[vital] + 1)


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
    return f"fight {KINDS[thing.kind]}", 1 + DIRECTIONS.index(move) if turn else DO


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
    dangerous = [kind for kind in range(2, 5) if here.model.blow(kind) or here.model.shot(kind)]
    if not dangerous:
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


def _tries(here: BeliefState) -> bool:
    """Whether sleep would be short, and being woken by a blow or an arrow would be survived."""
    return here.status.amount("energy") >= _NAP and here.status.amount("health") >= ROBUST


def beside_plant(here: BeliefState, tasks: list[Skill], most: int) -> tuple[int, str, int] | None:
    """The cheapest of some tasks; a bit rather one that lets a plant grow meanwhile.

    Args:
        here: The situation.
        tasks: The tasks that lead to shelter.
        most: What such a one may cost, in quarters of a step.

    Returns:
        Its cost, name and action; None if none can be done.
    """
    found, near = cheapest(here, tasks), growing(here)
    if found is None or near is None:
        return found
    beside = cheapest(here, [task.within(near) for task in tasks])
    worth = here.model.world.vocabulary.ripening * STEP // 10
    return beside if beside is not None and beside[0] <= min(found[0] + worth, most) else found
