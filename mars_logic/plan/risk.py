"""Risk: what hunger, darkness and creatures nearby may cost; when to fight, and when to sleep."""

from __future__ import annotations

import math

from mars_logic.plan.belief_state import BeliefState, is_dark
from mars_logic.plan.observed_map import KINDS, Cell, Entity
from mars_logic.plan.routes import DIRECTIONS, STEP
from mars_logic.plan.shelter import cheapest, enclosed
from mars_logic.plan.skills import Skill, bearable, growing
from mars_logic.plan.sources import HEALING, healing_ground, nearest_healing
from mars_logic.plan.world_model import DO, VITALS
from mars_logic.world.dialect import MAXIMUM

WEAK = 3
"""Health at or below which the player only rests."""
TIRED = 2
"""Energy at or below which the player looks for a place to sleep."""
RATE = 0.05
"""Blows per step in the dark on pure grass, proportional to the share of grass; measured in three
worlds."""
_STRUCK, _PAUSE = 2, 4
"""Hits that killed the zombies of that measurement, and hits that fit between two blows of theirs:
zombies that take more hits strike more often."""
_NEAR, _COMES = 6, 0.7
"""Probability that an attacker within this many steps comes nearer."""
_MENDING, _STILL = 10 * STEP, 16 * STEP
"""Cost of the way to healing ground at which it starts, and ceases, to make up for hunger and
thirst."""
_BORNE = 3
"""Health that hunger or thirst may cost during a night in shelter."""
_LONGEST = 180
_DUSK = 45
"""Steps before dark in which the player provides for the night and looks for shelter."""
_OVERTIME = 30
"""Steps in the dark in which a plan may still be finished."""
_DAWN = 40
"""Steps after dawn for which provisions have to last."""
DEATH = 1200 * STEP
"""The cost of death, in quarters of a step."""
_PROVISIONS = 8
"""Largest amount of a vital that is fetched for a night."""


def near_healing_ground(here: BeliefState, *, still: bool = False) -> bool:
    """Whether healing ground is near enough to make up for hunger and thirst.

    Args:
        here: The situation.
        still: Whether it was so in the last step.
    """
    ground = healing_ground(here)
    if ground is None:
        return False
    near = here.footpaths.nearest_cell[ground]
    return bool(near.size and near.min() <= (_STILL if still else _MENDING))


def is_wasting(here: BeliefState) -> bool:
    """Whether health is lost because food, drink or energy is 0."""
    return any(here.status.amount(vital) == 0 for vital in here.model.lasts)


def is_starving(here: BeliefState) -> bool:
    """Whether health is lost because food or drink is 0."""
    return any(here.status.amount(vital) == 0 for vital in ("food", "drink"))


def sleep_duration(here: BeliefState) -> int:
    """Steps of sleep until all energy is back."""
    return here.model.sleep_per_energy * (MAXIMUM - here.status.amount("energy"))


def health_lost_asleep(here: BeliefState) -> int:
    """Health lost while sleeping to full energy with food or drink at 0."""
    return sleep_duration(here) // (2 * here.model.wasting)


def night_blows(here: BeliefState, goal: Cell | None) -> float:
    """Expected blows per step in the dark, here and on the way to a goal."""
    x, y = here.seen.position
    cells = [(x, y)] if goal is None else [(x, y), ((x + goal[0]) // 2, (y + goal[1]) // 2), goal]
    rate = RATE * sum(float(here.grass_share[cell]) for cell in cells) / len(cells)
    strokes = here.model.hits(KINDS.index("zombie"), here.held)
    return rate * (_PAUSE + strokes) / (_PAUSE + _STRUCK)


def blows_from_nearby(here: BeliefState, *beings: str) -> float:
    """Expected blows of approaching creatures nearby, behind walls too.

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


def too_risky(here: BeliefState, ahead: int, rate: float, risk: float) -> bool:
    """Whether a trip in the dark kills with more than a given probability.

    The number of blows is taken to have a Poisson distribution.

    Args:
        here: The situation.
        ahead: Steps of the trip.
        rate: Expected blows per step in the dark.
        risk: Largest acceptable probability of death.
    """
    falls = steps_until_dark(here)
    steps = max(0, ahead - falls) if falls else min(steps_until_light(here), ahead)
    fed = min(here.status.amount(vital) for vital in here.model.lasts) > 0
    health = here.status.amount("health") + (
        steps // here.model.healing if fed else -steps // here.model.wasting
    )
    borne = math.ceil(min(MAXIMUM, health) / here.model.blow(KINDS.index("zombie"))) - 1
    mean = rate * steps + blows_from_nearby(here)
    survived = sum(mean**n / math.factorial(n) for n in range(borne + 1)) * math.exp(-mean)
    return 1 - survived > risk


def steps_until_dark(here: BeliefState) -> int | None:
    """Steps until it is dark; None if that is not soon."""
    return next((n for n in range(0, _DUSK, 5) if is_dark(here.status.step + n)), None)


def steps_until_light(here: BeliefState) -> int:
    """Steps until it is light."""
    return next((n for n in range(0, _LONGEST, 5) if not is_dark(here.status.step + n)), _LONGEST)


def is_urgent(here: BeliefState, vital: str) -> bool:
    """Whether a vital is nearly used up; in the dark, whether that costs too much before dawn."""
    left = max(1, here.status.amount("health") - _BORNE)
    if here.night_danger and lasts_for(here, vital, steps_until_light(here), left):
        return False
    return here.status.amount(vital) < 2


def lasts_for(here: BeliefState, vital: str, ahead: int, left: int = WEAK) -> bool:
    """Whether a vital, and then health down to some amount, lasts for some steps."""
    lasts = here.status.amount(vital) * here.model.lasts[vital]
    return lasts + max(0, here.status.amount("health") - left) * here.model.wasting > ahead


def needed_for_night(here: BeliefState, vital: str, ahead: int) -> int:
    """Amount of a vital needed to last the coming night; 0 if the plan ends before."""
    falls = steps_until_dark(here)
    if falls is None or ahead <= falls + _OVERTIME or not here.model.zombies_attack:
        return 0
    night = next(
        (n for n in range(falls, _LONGEST + _DUSK, 5) if not is_dark(here.status.step + n)),
        _LONGEST,
    )
    return min(_PROVISIONS, (night + _DAWN) // here.model.lasts[vital] + 1)


RESTED, ROBUST = 5, 7
"""Health at which resting ends: in the open, and behind walls."""
_DEAR = 3
"""Points of health, food and drink that cost more than a blow."""
_BLOWS, _SHOTS = 5, 8
"""Distances within which melee attackers and shooters are a threat."""
_NAP_DISTANCE, _STRAYING, _COMING = 8, 5, 12
"""Distances within which creatures disturb a nap: shooters and pursuers, wanderers, and pursuers if
there is ample time."""
_PROVIDED, _SHORT = 2, 60
"""Least food and drink before a nap; longest nap in steps."""
_BESIDE = 2
"""Distance of attackers at which a nap is excluded without rollouts."""
_NAP = 7
"""Energy from which sleep is short."""

Choice = tuple[str, int]
"""The reason, and the action to take now."""


def counterattack(here: BeliefState) -> Choice | None:
    """Attack a harmful creature beside the player, first the one that it faces.

    At low health on healing ground, move instead: it heals faster than blows come.
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
    """Whether blows harm a creature, and the player can afford what killing it takes.

    A high price is paid only for creatures that pursue the player, whose blows would cost as much,
    or if another blow would leave it weak.
    """
    if not here.model.hunts(here.model.kinds[kind], here.held):
        return False
    effect, blow = here.model.eat_effect(kind), here.model.blow(kind)
    health, comes = here.status.amount("health"), here.model.approaches(kind)
    price = -sum(min(0, effect.of(vital)) for vital in VITALS)
    if price >= _DEAR and not comes and health - blow > WEAK:
        return False
    spared = effect.health >= 0 or health + effect.health > WEAK
    spared = spared or (comes and blow + effect.health >= 0)
    return spared and bearable(here, effect)


def attacker_near(here: BeliefState) -> bool:
    """Whether a melee attacker is near."""
    return any(
        here.model.blow(thing.kind) for thing in here.creatures_within(_BLOWS) if thing.ago == 0
    )


def quiet(here: BeliefState) -> bool:
    """Whether no attacker or shooter is near: enough for an exhausted player to sleep."""
    if here.model.arrow_factor < 0 and here.seen.of_kind("arrow"):
        return False
    shot_at = any(
        here.model.shot(thing.kind) for thing in here.creatures_within(_SHOTS) if thing.ago == 0
    )
    return not (shot_at or attacker_near(here))


def safe(here: BeliefState) -> bool:
    """Whether a sleeper is safe from creatures nearby and from those that spawn in the dark."""
    if not here.model.endangered:
        return True
    if enclosed(here):
        return True
    if any(here.hostile(thing) and _disturbs(here, thing) for thing in here.creatures):
        return False
    short = _tries(here)
    by_day = not here.night_danger and here.model.blow(KINDS.index("skeleton")) == 0
    return not here.night_danger and (
        by_day or short or bool(here.far_from_spawns[here.seen.position])
    )


def nap_is_safe(here: BeliefState) -> bool:
    """Whether a nap in the open ends before dark; a weak player takes only a short one."""
    feeble = 0 < here.status.amount("health") <= here.model.worst_blow_asleep
    if feeble and here.status.amount("energy") < _NAP:
        return False
    if here.model.blow(KINDS.index("zombie")) == 0:
        return True
    times = range(here.status.step, here.status.step + sleep_duration(here) + 1, 10)
    return not any(is_dark(step) for step in times)


def may_nap(here: BeliefState) -> bool:
    """Whether a nap in the open is possible, as far as is known without rollouts."""
    provided = all(here.status.amount(vital) >= _PROVIDED for vital in ("food", "drink"))
    short = 0 < sleep_duration(here) <= _SHORT
    strong = here.status.amount("health") >= ROBUST
    near = any(map(here.hostile, here.creatures_within(_BESIDE)))
    calm = not (here.night_danger or here.has_ample_time or near)
    return provided and short and strong and calm and nap_is_safe(here)


def _disturbs(here: BeliefState, thing: Entity) -> bool:
    """Whether a creature may come, or shoot, before a nap is over."""
    if not here.approaches[thing.x, thing.y]:
        return False
    comes, shoots = here.model.approaches(thing.kind), here.model.shot(thing.kind) > 0
    steps = _NAP_DISTANCE if shoots and not _tries(here) else _STRAYING
    return here.distance(thing) <= (_comes_from(here) if comes else steps)


def _comes_from(here: BeliefState) -> int:
    """Distance within which pursuers disturb a nap."""
    return _COMING if here.has_ample_time else _NAP_DISTANCE


def _tries(here: BeliefState) -> bool:
    """Whether sleep is short and a blow that ends it would be survived."""
    return here.status.amount("energy") >= _NAP and here.status.amount("health") >= ROBUST


def beside_plant(here: BeliefState, tasks: list[Skill], most: int) -> tuple[int, str, int] | None:
    """The cheapest of some tasks; preferably one near a plant, so that it grows meanwhile.

    Args:
        here: The situation.
        tasks: The tasks that lead to shelter.
        most: Largest cost of such a task, in quarters of a step.

    Returns:
        Its cost, name and action; None if none can be done.
    """
    found, near = cheapest(here, tasks), growing(here)
    if found is None or near is None:
        return found
    beside = cheapest(here, [task.within(near) for task in tasks])
    worth = here.model.world.vocabulary.ripening * STEP // 10
    return beside if beside is not None and beside[0] <= min(found[0] + worth, most) else found
