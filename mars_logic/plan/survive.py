"""Scarcity: what will run out, what it takes to get more, and when to look for it.

Staying alive: fight what is at hand, eat and drink, rest; all by what is believed of it.
"""

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
    asleep_for,
    awaited,
    beset,
    beside_plant,
    blows,
    darkness,
    for_the_night,
    lacks,
    may_doze,
    mended,
    nightfall,
    outlasts,
    perilous,
    presses,
    quiet,
    safe,
    starves,
    strike_back,
    wasted_asleep,
)
from mars_logic.plan.routes import STEP
from mars_logic.plan.shelter import cheapest, enclosed, sheltering
from mars_logic.plan.sources import (
    HEALING,
    SEARCH,
    Source,
    healing_task,
    nearest_source,
    sources,
    way_back,
)
from mars_logic.plan.world_model import NOOP, SLEEP
from mars_logic.world.dialect import MAXIMUM

Need = tuple[float, str, str, int]
"""Urgency, vital, the name of its source, and the action to take now."""


def seeks(
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
    if outlasts(here, vital, ahead):
        return False
    waits = weak or here.haunted
    return presses(here, vital) if waits else _wait_costs(here, vital, cost, gain)


def spares_search(
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
        or here.haunted
        or not found[2].startswith("creature.")
    ):
        return False
    lacking = min(found[1], MAXIMUM - here.status.amount(vital))
    cheaper = found[0] * min(later[1], MAXIMUM) < later[0] * lacking
    return cheaper and not outlasts(here, vital, ahead)


def _wait_costs(here: BeliefState, vital: str, search: float, gain: float) -> bool:
    """Whether to search for a source now costs less than after one more point is used up.

    The time that a search takes is exponential, as far as this knows, and nobody searches in the
    dark. To wait makes death likelier, and saves a part of a search where what is found now would
    be more than the player can take.
    """
    level, lasts = here.status.amount(vital), here.model.lasts[vital]
    steps = level * lasts + (here.status.amount("health") - 1) * here.model.wasting
    if here.model.prowled:
        steps -= 5 * sum(is_dark(here.status.step + n) for n in range(0, steps, 5))
    risk = math.exp(-steps * STEP / search) * math.expm1(lasts * STEP / search)
    lacking = MAXIMUM - level
    if lacking == 0:
        return False
    saved = gain * (1 / min(gain, lacking) - 1 / min(gain, lacking + 1))
    return DEATH * risk >= saved * search


LOW, ENOUGH = 3, 7
LONG = 1000
"""Steps that a plan takes if nobody knows."""
_AT_HAND = 2
"""What is at most so many steps away is used before it is needed; ground only by who is on it."""
_RISK, _SLIGHT = 0.04, 0.012
"""The chance of death that is borne for being about in the dark, as if nobody could turn back
half-way; a smaller one once hidden."""
_URGENT = 0.1
"""The chance of death that is borne by who would run out of time."""
_DISTURBED = 0.5
"""Blows that are borne while the player sleeps, when nothing else is left to do."""
_PATIENCE = 120
"""By how much less is borne by who has time."""
_DROWSY = 6
"""Who has still to sleep looks for a place from this energy on; hunger and thirst may come."""
_FARTHEST = 40
_FINISH = 8
"""What is no farther off is fetched even in the dark, if it would run out before it is light."""
_EXCURSION = 20
"""Where ground heals, what has nearly run out is fetched from so many steps off: nobody stays for
ever."""
_RESERVE = 40
"""Who is at a source drinks and eats for twice the steps that are thought to be ahead, and so many
more: plans take longer than thought, and the way back to it is long."""
_STEADY = 4 * STEP
"""By how much another kind of shelter must be cheaper than the one that is being made."""
_SHELTER = 40 * STEP
"""A shelter that costs more is not gone for."""
_ROUNDS, _ROAMING = 4, 40
"""So often at one place on the way to shelter, it is not looked for so many steps."""


class Survival:
    """The reactive layer; it remembers what it is refilling."""

    def __init__(self) -> None:
        self._refilling: set[str] = set()
        self._weak = False
        self._mended = False
        self._hides = False
        self._shelters_by = ""
        self._sought: Counter[tuple[Cell, Cell, int]] = Counter()
        self._sought_at: tuple[Cell, Cell, int] | None = None
        self._roams_until = 0

    reflex = staticmethod(strike_back)

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
            to_sleep: Whether there is nothing left to do but to sleep, which hunger would disturb.
            least: How much of a vital it takes to go on at all.
        """
        lasts = here.model.lasts
        found_sources = list(sources(here))
        known = [one for one in found_sources if not one[1].name.startswith(SEARCH)]
        searches = found_sources[len(known) :]
        wanted: list[Need] = []
        self._mended = not to_sleep and mended(here, still=self._mended)
        self._note_strength(here)
        for vital in ("drink", "food", "health"):
            level = here.status.amount(vital)
            found = nearest_source(here, vital, found_sources if vital in lasts else known)
            if found is None:
                continue
            cost, gain, name, action = found
            at_hand = cost <= (0 if name == HEALING else _AT_HAND * STEP)
            short = level < (least or {}).get(vital, 0)
            if name.startswith(SEARCH):
                goes = not self._mended and seeks(here, vital, cost, gain, ahead, weak=self._weak)
            else:
                later = (
                    None if self._mended or self._weak else nearest_source(here, vital, searches)
                )
                goes = spares_search(here, vital, found, later, ahead) or self._wants(
                    here, vital, cost, gain, ahead, at_hand=at_hand
                )
            if not (short or goes):
                continue
            # Who is there drinks or eats its fill, whatever else is urgent.
            urgency = -0.5 if at_hand and vital in lasts else level * lasts.get(vital, 12)
            if vital == "health" and starves(here):
                urgency = -1  # however much else is lacking, this is what the player dies of
            wanted.append((urgency, vital, name, action))
        if not wanted:
            return None
        _, vital, name, action = min(wanted, key=lambda need: need[0])
        return f"{vital}: {name}", action

    def _wants(
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
        danger = here.haunted or self._besieged(here)
        night = for_the_night(here, vital, ahead) if vital in lasts and not here.haunted else 0
        until = 2 * ahead + _RESERVE if at_hand else ahead
        if vital in lasts and level >= night and outlasts(here, vital, until):
            self._refilling.discard(vital)
            return False
        if vital in lasts and steps > min(gain, MAXIMUM - level) * lasts[vital]:
            return False  # it would take more than it gives
        near = steps <= gain * lasts.get(vital, 12) / 2
        enough = MAXIMUM if steps <= 2 else ENOUGH if near else LOW + 1
        finish = _FINISH * (2 if vital in self._refilling else 1)  # who set out goes on
        away = enclosed(here) or steps > finish
        low = LOW + (min(steps, _FARTHEST) / lasts[vital] if vital in lasts else 0)
        if vital in lasts and self._mended:
            helps = all(here.status.amount(v) for v in ("food", "drink") if v != vital)
            low = 1 if helps and steps <= _EXCURSION else -1
        elif (here.haunted and away) or (danger and enclosed(here)):
            low = 1 if vital not in lasts or presses(here, vital) else -1
        elif here.haunted and vital in lasts:
            low = min(ENOUGH - 1, darkness(here) // lasts[vital])
        elif night:
            low, enough = max(low, night - 1), max(enough, night)
        if self._weak and vital != "health":
            low, enough = min(low, LOW - 1), min(enough, LOW + 1)
        if vital == "health" and starves(here):
            safe_at = max(RESTED, way_back(here))
            low, enough = (
                safe_at if self._mended else max(LOW, steps / here.model.wasting + 2),
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
        """Sleep if it is safe and needed or wanted; spend the night, or weakness, where it is safe.

        Args:
            here: The situation.
            wanted: Whether waking up is still to be achieved.
            ahead: The steps for which it still has to live.
            stays: Whether nothing is to be done in the dark; by default, whether it is dangerous to
                be about all the time.
            to_sleep: Whether there is nothing left to do but to sleep.
        """
        energy, health = here.status.amount("energy"), here.status.amount("health")
        hungers = not (self._mended or here.haunted)
        if hungers and min(here.status.amount("food"), here.status.amount("drink")) < 2:
            bears = wanted and to_sleep and health - wasted_asleep(here) > WEAK
            if not bears:
                return ("sleep", SLEEP) if self._drops(here) else None
        self._note_strength(here)
        tired = energy <= TIRED and not (self._mended or outlasts(here, "energy", ahead))
        tired = tired or (wanted and energy <= (8 if to_sleep else _DROWSY))
        calm, closed = safe(here), enclosed(here)
        stays = not self.dares(here, ahead) if stays is None else stays
        night = stays and self._shuns(here)
        self._hides = night and closed
        sleepy = wanted or tired or (closed and (night or self._weak))
        if energy < MAXIMUM and sleepy and calm and (closed or may_doze(here)):
            return "sleep", SLEEP
        if (self._weak and calm and energy > 0) or (closed and night):
            return "rest", NOOP
        if not (night or self._weak or tired):
            return None
        lingers = night or self._weak
        found = None if self._going_round(here) else self._shelter(here, lingers=lingers)
        if found is not None and found[0] <= _SHELTER * (1 if health > 6 else 4):
            self._hides = night and found[1] != HEALING
            return found[1:]
        waits = not lacks(here) and quiet(here)
        if night and waits and here.lonely[here.seen.position]:
            return "rest", NOOP
        if self._drops(here) or (energy == 0 and calm):
            return "sleep", SLEEP
        return ("rest", NOOP) if self._weak and waits else None

    @staticmethod
    def sleep_last(here: BeliefState) -> Choice | None:
        """Sleep, if that is all that is left, and neither blows nor want are likely to end it."""
        steps = asleep_for(here)
        fed = all(
            2 * here.model.lasts[v] * here.status.amount(v) > steps for v in ("food", "drink")
        )
        strong = here.status.amount("health") > here.model.rude_awakening
        calm = quiet(here) and blows(here, None) * steps <= _DISTURBED
        return ("sleep", SLEEP) if steps and fed and strong and calm else None

    def _drops(self, here: BeliefState) -> bool:
        """Whether to sleep in the open for exhaustion; not for nothing where something comes.

        However many things are lacking, health is lost no faster.
        """
        wants = min(here.status.amount("food"), here.status.amount("drink")) == 0
        if here.status.amount("energy") > 0 or (here.haunted and wants):
            return False
        return quiet(here) or (self._weak and not beset(here))

    def dares(
        self, here: BeliefState, steps: int, goal: Cell | None = None, *, late: bool = False
    ) -> bool:
        """Whether the dark is no reason not to be about for so many steps; by day it never is.

        Who has time is in shelter when night falls. Who is about to hide does so; who hid goes out
        where hardly anything is to be feared, by day too.

        Args:
            here: The situation.
            steps: How many.
            goal: Where to.
            late: Whether there is no time to wait until it is light.
        """
        if not self._shuns(here):
            return True
        if late:
            return not perilous(here, steps, blows(here, goal), _URGENT)
        if self._hides and not enclosed(here):
            return False
        risk = _SLIGHT if self._hides else _RISK
        risk /= _PATIENCE if here.unhurried else 1
        return not perilous(here, steps, blows(here, goal), risk)

    def _shuns(self, here: BeliefState) -> bool:
        """Whether there may be reason not to be about."""
        evening = here.unhurried and here.model.prowled and nightfall(here) is not None
        return here.haunted or evening or self._besieged(here)

    def _besieged(self, here: BeliefState) -> bool:
        """Whether what came in the dark is still around where the player hid."""
        return self._hides and awaited(here, "zombie") > 0

    def _note_strength(self, here: BeliefState) -> None:
        health = here.status.amount("health")
        self._weak = health <= ((ROBUST if enclosed(here) else RESTED) if self._weak else WEAK)

    def _shelter(self, here: BeliefState, *, lingers: bool) -> tuple[int, str, int] | None:
        """The cheapest shelter, what was gone for last a bit rather; or else a retreat.

        Args:
            here: The situation.
            lingers: Whether it is to wait there, not only to sleep; then moving about on ground
                that heals will do, too.
        """
        tasks = [
            task if task.name == self._shelters_by else replace(task, extra=task.extra + _STEADY)
            for task in sheltering(here)
        ]
        wakeful = not tasks or here.status.amount("energy") > TIRED
        if lingers and wakeful and (pacing := healing_task(here)) is not None:
            tasks.append(pacing)  # it makes up for more blows than ever come
        found = beside_plant(here, tasks, _SHELTER)
        self._shelters_by = found[1] if found else ""
        return found

    def _going_round(self, here: BeliefState) -> bool:
        """Whether looking for shelter has only made the player go to and fro of late."""
        step = here.status.step
        if step < self._roams_until:
            return True
        place = (here.seen.position, here.seen.facing, here.seen.material_at(here.seen.ahead))
        self._sought[place] += place != self._sought_at  # who waits does not go to and fro
        self._sought_at = place
        if self._sought[place] > _ROUNDS:
            self._sought.clear()
            self._roams_until = step + _ROAMING
        return step < self._roams_until

    def hide(self, here: BeliefState, where: Mask | None = None) -> Choice | None:
        """Wait behind walls, if they are at hand.

        Args:
            here: The situation.
            where: bool[64, 64]: the cells that will do; None for all.
        """
        if enclosed(here) and (where is None or where[here.seen.position]):
            return "rest", NOOP
        if not any(here.model.blow(kind) or here.model.shot(kind) for kind in range(2, 5)):
            return None
        found = cheapest(here, [task.within(where) for task in sheltering(here)])
        return found[1:] if found is not None and found[0] <= _SHELTER else None
