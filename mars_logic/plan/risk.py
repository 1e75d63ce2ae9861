"""The outlook: what the time ahead is likely to take of health, by want and in the dark.

Harmful creatures nearby: hitting back, and whether it is quiet enough to rest.

Retreat: where to go if there is no shelter, and which shelter lets a plant grow.

The way back: what it takes of health to get from anywhere to ground that heals.

Strength: the health with which a way that takes some is set out on.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.kernel import kernel
from mars_logic.plan.belief_state import BeliefState, Mask, is_dark
from mars_logic.plan.observed_map import KINDS, Cell, Entity
from mars_logic.plan.routes import ALIVE, DIRECTIONS, STEP, Route
from mars_logic.plan.shelter import cheapest, enclosed
from mars_logic.plan.skills import Skill, bearable, growing
from mars_logic.plan.sources import HEALING, healing_ground, nearest_healing
from mars_logic.plan.world_model import DO, NOOP, SLEEP, VITALS
from mars_logic.world import names
from mars_logic.world.dialect import AREA, MAXIMUM

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


LONELY, QUIET = "a lonely place", "a quiet place"


def retreats(here: BeliefState, *, lingers: bool) -> list[Skill]:
    """Going where hardly anything comes, or off from what disturbs a nap; none if it is no use.

    Args:
        here: The situation.
        lingers: Whether the player stays there for the dark to pass, or to get well.
    """
    lonely = _to_a_lonely_place(here) if lingers or not here.haunted else []
    return lonely or _to_a_quiet_place(here)


def _to_a_lonely_place(here: BeliefState) -> list[Skill]:
    """For who has time to wait there."""
    harried = beset(here) and not here.haunted
    if harried or lacks(here) or here.lonely[here.seen.position]:
        return []
    return [Skill(LONELY, NOOP, None, here.lonely)]


def _to_a_quiet_place(here: BeliefState) -> list[Skill]:
    """For who has little energy left."""
    if here.status.amount("energy") > TIRED or here.haunted or safe(here):
        return []
    calm = undisturbed(here)
    return [] if calm[here.seen.position] else [Skill(QUIET, NOOP, None, calm)]


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


LOST: Final = 99
"""More health than anybody has: there is no way back."""


def harm_back(here: BeliefState) -> NDArray[np.int32] | None:
    """int32[64, 64]: the least health that a way from each cell to ground that heals takes.

    :data:`LOST` where there is no way; None if no ground heals.
    """
    ground = healing_ground(here)
    if ground is None:
        return None
    terrain = here.routes.terrain
    entered = np.where(terrain.walk > 0, terrain.harm, terrain.open_harm)
    passable = (terrain.walk > 0) | (terrain.open_cost > 0)
    passable[here.seen.position] = True
    harm = np.where(passable, np.maximum(entered, 0), LOST).astype(np.int32)
    back: NDArray[np.int32] = _spread(harm, ground & passable)
    return back


def returns(here: BeliefState, way: Route) -> bool:
    """Whether who has all its health gets back from a way to ground that heals, if there is any."""
    if way.harm == 0 or way.end is None:
        return True
    back = harm_back(here)
    return back is None or MAXIMUM - way.harm - int(back[way.end]) >= ALIVE


def bears(here: BeliefState, way: Route, *, more: int = 0) -> bool:
    """Whether a way, and from its end that to ground that heals, leave enough health.

    Args:
        here: The situation.
        way: The way.
        more: Health that may be lost besides.
    """
    if way.end is None or (back := harm_back(here)) is None:
        return False
    off = sum(abs(a - b) for a, b in zip(way.end, here.seen.position, strict=True))
    lost = off // here.model.wasting if starves(here) else 0
    taken = max(way.worst, way.harm + int(back[way.end])) + lost + more
    return here.status.amount("health") - taken >= ALIVE


@kernel
def _spread(harm: Any, ground: Any) -> Any:
    """int32[64, 64]: the least sum of the harm of the cells entered, until one is on the ground."""
    width, height = harm.shape
    back = np.where(ground, np.int32(0), np.int32(LOST))
    changed = True
    while changed:
        changed = False
        for sweep in range(2):
            for i in range(width * height):
                cell = i if sweep == 0 else width * height - 1 - i
                x = cell // height
                y = cell - x * height
                for side in range(4):
                    nx = x + (side == 1) - (side == 0)
                    ny = y + (side == 3) - (side == 2)
                    if nx < 0 or ny < 0 or nx >= width or ny >= height:
                        continue
                    through = back[nx, ny] + harm[nx, ny]
                    if through < back[x, y]:
                        back[x, y] = through
                        changed = True
    return back


_TIME = 26 * STEP
"""The cost of waiting for a point of health."""


class Strength:
    """It remembers with what it set out."""

    def __init__(self) -> None:
        """Begin an episode."""
        self._spare = MAXIMUM
        self._one_way: Cell | None = None

    def gather(
        self, here: BeliefState, harm: int, end: Cell | None = None, worst: int = 0
    ) -> int | None:
        """An action to get the health with that a way takes; None to go at once.

        Args:
            here: The situation.
            harm: What the way takes of health.
            end: The cell on which it ends: from there ground that heals has still to be got to.
            worst: What it takes before it comes to ground that heals, if that is more.
        """
        health, energy = here.status.amount("health"), here.status.amount("energy")
        enough = WEAK + worst_blow(here)
        if harm and end is not None and (back := self._back_first(here, harm, end)) is not None:
            return back
        harm = max(harm, worst)
        spare = health - harm
        if harm == 0 or spare >= enough or health == MAXIMUM:
            self._spare = min(spare, enough) if harm else enough
            return None
        if spare + lacks(here) >= self._spare:
            return None  # it set out with no more
        self._spare = enough
        missing = min(MAXIMUM, harm + enough) - health
        healed = nearest_healing(here)
        if healed is not None and healed[0] < missing * _TIME:
            return healed[1]
        if lacks(here) or not (quiet(here) or health - harm < WEAK):
            return None
        lulled = energy < MAXIMUM and safe(here) and may_doze(here)
        return SLEEP if lulled else NOOP

    def _back_first(self, here: BeliefState, harm: int, end: Cell) -> int | None:
        """An action towards ground that heals, if it could not be got to from the end of a way.

        Who is there with full health takes its chance, and goes on.
        """
        back = harm_back(here)
        if back is None:
            return None
        health, nearest = here.status.amount("health"), int(back[here.seen.position])
        going, self._one_way = self._one_way == end, None
        if health - harm - int(back[end]) >= ALIVE:
            return None
        if going or (nearest == 0 and health == MAXIMUM):
            self._one_way = end
            return None
        healed = nearest_healing(here)
        return None if healed is None else healed[1]
