"""The outlook: what the time ahead is likely to take of health, by want and in the dark."""

from __future__ import annotations

import math

from mars_logic.plan.belief_state import BeliefState, is_dark
from mars_logic.plan.observed_map import KINDS, Cell
from mars_logic.plan.route import STEP
from mars_logic.plan.shelter import enclosed
from mars_logic.plan.sources import healing_ground
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
        if here.model.kinds[thing.kind] in (beings or here.model.creatures)
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
