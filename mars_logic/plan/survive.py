"""Survival: when to refill food, drink and health, to sleep, and to stay in shelter."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from mars_logic.plan.belief_state import BeliefState, Mask, is_dark
from mars_logic.plan.observed_map import Cell
from mars_logic.plan.risk import (
    DEATH,
    RESTED,
    ROBUST,
    TIRED,
    WEAK,
    Choice,
    attacker_near,
    beside_plant,
    blows_from_nearby,
    counterattack,
    health_lost_asleep,
    is_starving,
    is_urgent,
    is_wasting,
    lasts_for,
    nap_is_safe,
    near_healing_ground,
    needed_for_night,
    night_blows,
    quiet,
    safe,
    sleep_duration,
    steps_until_dark,
    steps_until_light,
    too_risky,
)
from mars_logic.plan.routes import STEP
from mars_logic.plan.shelter import cheapest, enclosed, sheltering
from mars_logic.plan.sources import (
    HEALING,
    SEARCH,
    Source,
    grown_only,
    healing_task,
    nearest_source,
    sources,
    tools_for,
    way_back,
)
from mars_logic.plan.world_model import NOOP, SLEEP
from mars_logic.world.dialect import MAXIMUM

Need = tuple[float, str, float, str, int]
"""Urgency, vital, cost and name of its source, action to take now."""


def tools_lacking(here: BeliefState, ahead: int) -> frozenset[str]:
    """The tools to be made before a vital runs out, because its sources require them.

    Args:
        here: The situation.
        ahead: The steps for which the vital has to last.
    """

    def until(vital: str) -> int:
        if not grown_only(here.model, vital):
            return ahead
        return 2 * ahead + here.model.world.vocabulary.ripening  # it has to grow first

    short = (v for v in ("drink", "food") if not lasts_for(here, v, until(v)))
    return next((tools for v in short if (tools := tools_for(here, v))), frozenset())


def starts_search(
    here: BeliefState, vital: str, cost: float, gain: float, ahead: int, *, weak: bool
) -> bool:
    """Whether to search for a source now; weak or in the dark only if there is no choice.

    Args:
        here: The situation.
        vital: What is sought.
        cost: The expected cost of the search, in quarters of a step.
        gain: How much of it is found.
        ahead: The steps for which it has to last.
        weak: Whether the player has little health.
    """
    if lasts_for(here, vital, ahead):
        return False
    waits = weak or here.night_danger
    return is_urgent(here, vital) if waits else _wait_costs(here, vital, cost, gain)


def cheaper_than_search(
    here: BeliefState, vital: str, found: Source, later: Source | None, ahead: int
) -> bool:
    """Whether a point costs less of a creature in sight, now, than by a search later.

    Args:
        here: The situation.
        vital: What is lacking.
        found: The nearest source.
        later: The search for another one; None if there is none.
        ahead: The steps for which it has to last.
    """
    if (
        later is None
        or vital not in here.model.lasts
        or here.night_danger
        or not found[2].startswith("creature.")
    ):
        return False
    lacking = min(found[1], MAXIMUM - here.status.amount(vital))
    cheaper = found[0] * min(later[1], MAXIMUM) < later[0] * lacking
    return cheaper and not lasts_for(here, vital, ahead)


def in_order(here: BeliefState, wanted: list[Need], pursued: str | None) -> list[Need]:
    """Needs in the order in which to meet them, the most urgent first.

    Urgency changes on the way. So of food and drink, the one pursued already, or else the nearer
    one, is first, unless the other would be too late.

    Args:
        here: The situation.
        wanted: The needs.
        pursued: The vital that was pursued in the last step.
    """
    order = sorted(wanted, key=lambda need: need[0])
    if len(order) < 2 or order[0][0] < 0:
        return order
    first, second = order[:2]
    nearer = min(first, second, key=lambda need: (need[1] != pursued, need[2]))
    if "health" in (first[1], second[1]) or nearer == first:
        return order
    both = int((first[2] + second[2]) / STEP)
    return [second, first, *order[2:]] if lasts_for(here, first[1], both) else order


def _wait_costs(here: BeliefState, vital: str, search: float, gain: float) -> bool:
    """Whether to search for a source now costs less than after one more point is used up.

    The time that a search takes is exponential, as far as this knows, and nobody searches in the
    dark. To wait makes death likelier, and saves a part of a search where what is found now would
    be more than the player can take.
    """
    level, lasts = here.status.amount(vital), here.model.lasts[vital]
    steps = level * lasts + (here.status.amount("health") - 1) * here.model.wasting
    if here.model.zombies_attack:
        steps -= 5 * sum(is_dark(here.status.step + n) for n in range(0, steps, 5))
    risk = math.exp(-steps * STEP / search) * math.expm1(lasts * STEP / search)
    lacking = MAXIMUM - level
    if lacking == 0:
        return False
    saved = gain * (1 / min(gain, lacking) - 1 / min(gain, lacking + 1))
    return DEATH * risk >= saved * search


LOW, ENOUGH = 3, 7
_EARLY = 5
"""LOW if there is ample time."""
LONG = 1000
"""Assumed steps of a plan of unknown length."""
_AT_HAND = 2
"""Distance in steps at which a source is used before it is needed."""
_RISK, _SLIGHT = 0.04, 0.012
"""Largest acceptable probability of death on a night trip; a smaller one in shelter."""
_URGENT = 0.1
"""The same if waiting would leave too little time for the plan."""
_DISTURBED = 0.5
"""Largest acceptable number of blows during sleep, if sleep is the only task left."""
_PATIENCE = 120
"""Divisor of the accepted probability of death if there is ample time."""
_DROWSY = 6
"""Energy at which sleep is looked for if waking up is still to be achieved."""
_FARTHEST = 40
_FINISH = 8
"""Distance in steps up to which a vital is refilled in the dark if it would not last until dawn."""
_EXCURSION = 20
"""Distance in steps up to which food and drink are fetched from healing ground."""
_IN_VAIN = 70
"""Steps of a pursuit without gain after which other things come first, for as many steps."""
_RESERVE = 40
"""At a source, the player refills for twice the expected steps and this many more, since plans take
longer than expected and the way back is long."""
_STEADY = 4 * STEP
"""Cost advantage from which another kind of shelter replaces the one being made."""
_SHELTER = 40 * STEP
"""Largest cost of a shelter."""
_ROUNDS, _ROAMING = 4, 40
"""Visits of one place on the way to shelter after which it is given up, and for how many steps."""


class Survival:
    """Food, drink, health, sleep and shelter; it remembers what it is refilling."""

    def __init__(self) -> None:
        self._refilling: set[str] = set()
        self._weak = False
        self._near_healing_ground = False
        self._hiding = False
        self._shelter_kind = ""
        self._visits: Counter[tuple[Cell, Cell, int]] = Counter()
        self._visited_last: tuple[Cell, Cell, int] | None = None
        self._gives_up_until = 0
        self._pursued, self._pursued_at = "", 0
        self._pursuits: dict[str, tuple[int, int, int, float]] = {}

    reflex = staticmethod(counterattack)

    def needs(
        self,
        here: BeliefState,
        ahead: int = LONG,
        *,
        to_sleep: bool = False,
        least: Mapping[str, int] | None = None,
    ) -> Choice | None:
        """Refill the vital that will run out first, if one is low.

        Args:
            here: The situation.
            ahead: The steps for which it has to last.
            to_sleep: Whether sleep is the only task left; hunger would disturb it.
            least: Amounts of vitals that the remaining tasks require.
        """
        lasts = here.model.lasts
        found_sources = list(sources(here))
        known = [one for one in found_sources if not one[1].name.startswith(SEARCH)]
        searches = found_sources[len(known) :]
        wanted: list[Need] = []
        self._near_healing_ground = not to_sleep and near_healing_ground(
            here, still=self._near_healing_ground
        )
        self._update_weakness(here)
        for vital in ("drink", "food", "health", *here.model.wanting(here.held)):
            level = here.status.amount(vital)
            found = nearest_source(here, vital, found_sources if vital in lasts else known)
            if found is None:
                continue
            cost, gain, name, action = found
            if level == MAXIMUM:
                self._pursuits.pop(vital, None)
            at_hand = cost <= (0 if name == HEALING else _AT_HAND * STEP)
            short = level < (least or {}).get(vital, 0)
            if name.startswith(SEARCH):
                goes = not self._near_healing_ground and starts_search(
                    here, vital, cost, gain, ahead, weak=self._weak
                )
            else:
                later = (
                    None
                    if self._near_healing_ground or self._weak
                    else nearest_source(here, vital, searches)
                )
                goes = cheaper_than_search(here, vital, found, later, ahead) or self._refill_now(
                    here, vital, cost, gain, ahead, at_hand=at_hand
                )
            if not (short or goes):
                continue
            # At a source the player refills completely before anything else.
            urgency = -0.5 if at_hand and vital in lasts else level * lasts.get(vital, 12)
            if vital == "health" and is_starving(here):
                urgency = -1  # loss of health is what the player dies of
            wanted.append((urgency, vital, cost, name, action))
        pursued = self._pursued if here.status.step == self._pursued_at + 1 else None
        for _, vital, cost, name, action in in_order(here, wanted, pursued):
            if name.startswith(SEARCH) or not self._in_vain(here, vital, cost):
                self._pursued, self._pursued_at = vital, here.status.step
                return f"{vital}: {name}", action
        return None

    def _in_vain(self, here: BeliefState, vital: str, cost: float) -> bool:
        """Whether a vital was pursued for long without a gain; then other things come first.

        To come nearer to a source is a gain.
        """
        level, step = here.status.amount(vital), here.status.step
        since, asked, best, nearest = self._pursuits.get(vital, (step, step, level, cost))
        late = step - asked > _IN_VAIN // 2 or step - since > 2 * _IN_VAIN
        if late or level > best:
            since, best, nearest = step, level, cost
        elif cost < nearest:
            since, nearest = step, cost
        self._pursuits[vital] = (since, step, best, nearest)
        return step - since > _IN_VAIN

    def _refill_now(
        self,
        here: BeliefState,
        vital: str,
        cost: float,
        gain: float,
        ahead: int,
        *,
        at_hand: bool,
    ) -> bool:
        lasts = here.model.lasts
        level = here.status.amount(vital)
        steps = cost / STEP
        danger = here.night_danger or self._zombie_outside(here)
        night = (
            needed_for_night(here, vital, ahead) if vital in lasts and not here.night_danger else 0
        )
        until = 2 * ahead + _RESERVE if at_hand else ahead
        if vital in lasts and level >= night and lasts_for(here, vital, until):
            self._refilling.discard(vital)
            return False
        if vital in lasts and steps > min(gain, MAXIMUM - level) * lasts[vital]:
            return False  # it would take more than it gives
        near = steps <= gain * lasts.get(vital, 12) / 2
        enough = MAXIMUM if steps <= 2 else ENOUGH if near else LOW + 1
        finish = _FINISH * (2 if vital in self._refilling else 1)
        away = enclosed(here) or steps > finish
        low: float = _EARLY if here.has_ample_time else LOW
        low += min(steps, _FARTHEST) / lasts[vital] if vital in lasts else 0
        if vital in lasts and self._near_healing_ground:
            helps = all(here.status.amount(v) for v in ("food", "drink") if v != vital)
            low = 1 if helps and steps <= _EXCURSION else -1
        elif (here.night_danger and away) or (danger and enclosed(here)):
            low = 1 if vital not in lasts or is_urgent(here, vital) else -1
        elif here.night_danger and vital in lasts:
            low = min(ENOUGH - 1, steps_until_light(here) // lasts[vital])
        elif night:
            low, enough = max(low, night - 1), max(enough, night)
        if self._weak and vital != "health" and not at_hand:
            low, enough = min(low, LOW - 1), min(enough, LOW + 1)
        if vital == "health" and is_starving(here):
            safe_at = max(RESTED, way_back(here))
            low, enough = (
                safe_at if self._near_healing_ground else max(LOW, steps / here.model.wasting + 2),
                MAXIMUM,
            )
        elif vital == "health" and steps > 15:
            return False
        if level <= low or (at_hand and level < enough - 1):
            self._refilling.add(vital)
        elif level >= enough or (low < 0 and away):
            self._refilling.discard(vital)
        return vital in self._refilling and level < MAXIMUM

    def rest(
        self,
        here: BeliefState,
        wanted: bool,
        ahead: int = LONG,
        *,
        stays: bool | None = None,
        to_sleep: bool = False,
    ) -> Choice | None:
        """Sleep if it is safe and needed; rest in shelter at night or while weak.

        Args:
            here: The situation.
            wanted: Whether waking up is still to be achieved.
            ahead: The steps that the plan still takes.
            stays: Whether no task is possible in the dark; by default, whether the risk of being
                outside is too high.
            to_sleep: Whether sleep is the only task left.
        """
        energy, health = here.status.amount("energy"), here.status.amount("health")
        hungers = not (self._near_healing_ground or here.night_danger)
        if hungers and min(here.status.amount("food"), here.status.amount("drink")) < 2:
            bears = wanted and to_sleep and health - health_lost_asleep(here) > WEAK
            if not bears:
                return ("sleep", SLEEP) if self._collapses(here) else None
        self._update_weakness(here)
        tired = energy <= TIRED and not (
            self._near_healing_ground or lasts_for(here, "energy", ahead)
        )
        tired = tired or (wanted and energy <= (8 if to_sleep else _DROWSY))
        calm, closed = safe(here), enclosed(here)
        stays = not self.accepts_risk(here, ahead) if stays is None else stays
        night = stays and self._avoids_open(here)
        self._hiding = night and closed
        sleepy = wanted or tired or (closed and (night or self._weak))
        if energy < MAXIMUM and sleepy and calm and (closed or nap_is_safe(here)):
            return "sleep", SLEEP
        if (self._weak and calm and energy > 0) or (closed and night):
            return "rest", NOOP
        if not (night or self._weak or tired):
            return None
        lingers = night or self._weak
        found = None if self._oscillates(here) else self._shelter(here, lingers=lingers)
        if found is not None and found[0] <= _SHELTER * (1 if health > 6 else 4):
            self._hiding = night and found[1] != HEALING
            return found[1:]
        waits = not is_wasting(here) and quiet(here)
        if night and waits and here.far_from_spawns[here.seen.position]:
            return "rest", NOOP
        if self._collapses(here) or (energy == 0 and calm):
            return "sleep", SLEEP
        return ("rest", NOOP) if self._weak and waits else None

    @staticmethod
    def sleep_last(here: BeliefState) -> Choice | None:
        """Sleep as the last task, if neither attacks nor hunger are likely to interrupt it."""
        steps = sleep_duration(here)
        fed = all(
            2 * here.model.lasts[v] * here.status.amount(v) > steps for v in ("food", "drink")
        )
        strong = here.status.amount("health") > here.model.worst_blow_asleep
        calm = quiet(here) and night_blows(here, None) * steps <= _DISTURBED
        return ("sleep", SLEEP) if steps and fed and strong and calm else None

    def _collapses(self, here: BeliefState) -> bool:
        """Whether to sleep in the open because energy is 0.

        In the dark this gains nothing if food or drink is 0 too: health falls at the same rate.
        """
        wants = min(here.status.amount("food"), here.status.amount("drink")) == 0
        if here.status.amount("energy") > 0 or (here.night_danger and wants):
            return False
        return quiet(here) or (self._weak and not attacker_near(here))

    def accepts_risk(
        self, here: BeliefState, steps: int, goal: Cell | None = None, *, late: bool = False
    ) -> bool:
        """Whether the risk of a trip in the dark is acceptable; by day it always is.

        A player with ample time is in shelter at nightfall. Once in shelter, it leaves only for
        trips of a smaller risk.

        Args:
            here: The situation.
            steps: Length of the trip.
            goal: The cell to go to.
            late: Whether waiting until dawn leaves too little time.
        """
        if not self._avoids_open(here):
            return True
        if late:
            return not too_risky(here, steps, night_blows(here, goal), _URGENT)
        if self._hiding and not enclosed(here):
            return False
        risk = _SLIGHT if self._hiding else _RISK
        risk /= _PATIENCE if here.has_ample_time else 1
        return not too_risky(here, steps, night_blows(here, goal), risk)

    def _avoids_open(self, here: BeliefState) -> bool:
        """Whether the player may have to be in shelter."""
        evening = (
            here.has_ample_time and here.model.zombies_attack and steps_until_dark(here) is not None
        )
        return here.night_danger or evening or self._zombie_outside(here)

    def _zombie_outside(self, here: BeliefState) -> bool:
        """Whether a zombie is still around the shelter that the player is too weak for."""
        frail = here.night_danger or here.status.amount("health") < ROBUST
        return self._hiding and frail and blows_from_nearby(here, "zombie") > 0

    def _update_weakness(self, here: BeliefState) -> None:
        health = here.status.amount("health")
        self._weak = health <= ((ROBUST if enclosed(here) else RESTED) if self._weak else WEAK)

    def _shelter(self, here: BeliefState, *, lingers: bool) -> tuple[int, str, int] | None:
        """The cheapest shelter; the kind chosen in the last step has an advantage.

        Args:
            here: The situation.
            lingers: Whether the player waits there, not only sleeps; then healing ground serves
                too.
        """
        tasks = [
            task if task.name == self._shelter_kind else replace(task, extra=task.extra + _STEADY)
            for task in sheltering(here)
        ]
        wakeful = not tasks or here.status.amount("energy") > TIRED
        if lingers and wakeful and (pacing := healing_task(here)) is not None:
            tasks.append(pacing)  # it heals faster than blows come
        found = beside_plant(here, tasks, _SHELTER)
        self._shelter_kind = found[1] if found else ""
        return found

    def _oscillates(self, here: BeliefState) -> bool:
        """Whether the player has gone to and fro on its way to shelter."""
        step = here.status.step
        if step < self._gives_up_until:
            return True
        place = (here.seen.position, here.seen.facing, here.seen.material_at(here.seen.ahead))
        self._visits[place] += place != self._visited_last
        self._visited_last = place
        if self._visits[place] > _ROUNDS:
            self._visits.clear()
            self._gives_up_until = step + _ROAMING
        return step < self._gives_up_until

    def wait_in_shelter(self, here: BeliefState, where: Mask | None = None) -> Choice | None:
        """Wait in a shelter, if one is near.

        Args:
            here: The situation.
            where: bool[64, 64]: cells that serve; None for all.
        """
        if enclosed(here) and (where is None or where[here.seen.position]):
            return "rest", NOOP
        if not here.model.endangered:
            return None
        found = cheapest(here, [task.within(where) for task in sheltering(here)])
        return found[1:] if found is not None and found[0] <= _SHELTER else None
