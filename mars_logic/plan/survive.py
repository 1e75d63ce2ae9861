"""Staying alive: fight what is at hand, eat and drink, rest; all by what is believed of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from mars_logic.plan.ground import DARK, RIPE, Mask, Situation, daylight
from mars_logic.plan.lore import CODE, DO, NOOP, SLEEP, Effect, Lore
from mars_logic.plan.route import DIRECTIONS, FAR, STEP
from mars_logic.plan.seen import AREA, KINDS, Cell, Thing
from mars_logic.plan.shelter import cheapest, enclosed, sheltering
from mars_logic.plan.tasks import Task, bearable, collecting
from mars_logic.world import names
from mars_logic.world.rules import Collect

LASTS = {"food": 26, "drink": 21, "energy": 31}
"""Steps in which a point of a vital is used up."""
LOW, ENOUGH = 3, 7
LONG = 1000
"""Steps that a plan takes if nobody knows."""
_AT_HAND = 2
"""What is at most so many steps away is used before it is needed."""
_NAP_DISTANCE, _STRAYING = 8, 5
WEAK, RESTED = 3, 5
"""From the first health on the player rests, until the second is passed."""
TIRED = 2
_REFILL = 6
"""So many points are to be refilled, when sources are compared."""
_FILLING = 3
_HURT, _STRONG = 5, 7
"""With so little health nobody is about in the dark; nor, once hidden, with a little more."""
_RATE, _MEADOW_RATE = 0.01, 0.05
"""Blows that a step in the dark costs, as measured, where there is some grass and where there is
little else."""
_STRUCK = 2
"""Strokes that the zombies of that measure could take; who takes more gets to more blows."""
_HEALING, _WASTING = 26, 15
"""Steps in which a point of health is gained; or lost, for lack of something."""
_DROWSY = 6
"""Who has still to sleep looks for a place from this energy on; hunger and thirst may come."""
_NAP = 7
"""From this energy on, sleep is short."""
_FARTHEST = 40
_MENDING = 10 * STEP
"""Ground that heals and is no farther off makes up for hunger and thirst."""
_IN_VAIN = 70
"""After so many steps of looking for something in vain, other things are done for as many."""
_SHELTER = 40
"""A shelter farther off, in steps, is not gone for."""
_ROUNDS, _ROAMING = 4, 40
"""So often at one place on the way to shelter, it is not looked for so many steps."""

Choice = tuple[str, int]
"""What it is about, and the action to take now."""


class Survival:
    """The reactive layer; it remembers what it is refilling."""

    def __init__(self) -> None:
        self._refilling: set[str] = set()
        self._weak = False
        self._mended = False
        self._hides = False
        self._sought: Counter[tuple[Cell, Cell]] = Counter()
        self._roams_until = 0
        self._sought_since: dict[str, tuple[int, int, int]] = {}

    def reflex(self, here: Situation) -> Choice | None:
        """Hit back at what stands beside the player and does harm, first at what it faces."""
        x, y = here.seen.position
        beside = [
            ((thing.x - x, thing.y - y) != here.seen.facing, thing)
            for thing in here.creatures
            if here.distance(thing) <= 1
            and here.hostile(thing)
            and bearable(here, here.lore.eat_effect(thing.kind))
        ]
        if not beside:
            return None
        turn, thing = min(beside, key=lambda one: one[0])
        move = (thing.x - x, thing.y - y)
        return f"fight {KINDS[thing.kind]}", 1 + DIRECTIONS.index(move) if turn else DO

    def needs(self, here: Situation, ahead: int = LONG, *, to_sleep: bool = False) -> Choice | None:
        """Refill the vital that will run out first, if one is low.

        Args:
            here: The situation.
            ahead: The steps for which it has to last.
            to_sleep: Whether there is nothing left to do but to sleep, which hunger would disturb.
        """
        sources = list(_sources(here))
        best: tuple[float, str, int] | None = None
        self._mended = not to_sleep and _mended(here)
        for vital in ("drink", "food", "health"):
            level = here.status.amount(vital)
            found = _cheapest(here, vital, sources)
            if found is None:
                continue
            cost, gain, name, action = found
            if not self._wants(here, vital, cost, gain, ahead) or self._in_vain(here, vital):
                continue
            urgency = level * LASTS.get(vital, 12)
            if best is None or urgency < best[0]:
                best = (urgency, f"{vital}: {name}", action)
        return None if best is None else best[1:]

    def _in_vain(self, here: Situation, vital: str) -> bool:
        """Whether a vital has been sought for long without gain; then it is let be for a while."""
        level, step = here.status.amount(vital), here.status.step
        since, asked, before = self._sought_since.get(vital, (step, step, level))
        if level > before or step - asked > _IN_VAIN // 2 or step - since > 2 * _IN_VAIN:
            since = step
        self._sought_since[vital] = (since, step, level)
        return step - since > _IN_VAIN

    def _wants(self, here: Situation, vital: str, cost: float, gain: float, ahead: int) -> bool:
        level = here.status.amount(vital)
        steps = cost / STEP
        if vital in LASTS and _outlasts(here, vital, ahead):
            self._refilling.discard(vital)
            return False
        enough = (
            9 if steps <= 2 else ENOUGH if steps <= gain * LASTS.get(vital, 12) / 2 else LOW + 1
        )
        low = LOW + (min(steps, _FARTHEST) / LASTS[vital] if vital in LASTS else 0)
        low = min(low, LOW - 1) if self._weak and vital != "health" else low
        if vital in LASTS and self._mended:
            low = -1
        elif here.haunted and (enclosed(here) or steps > _AT_HAND):
            low = 1 if vital not in LASTS or _presses(here, vital) else -1
        elif not here.haunted and here.dusk:
            low += 2
        if vital == "health" and steps > 15:
            return False
        if vital == "health" and self._mended and self._lacks(here):
            low = RESTED
        if level <= low or (steps <= _AT_HAND and level < enough - 1):
            self._refilling.add(vital)
        elif level >= enough:
            self._refilling.discard(vital)
        return vital in self._refilling and level < 9

    @staticmethod
    def _lacks(here: Situation) -> bool:
        """Whether health is lost for lack of something."""
        return any(here.status.amount(vital) == 0 for vital in LASTS)

    def gather_strength(self, here: Situation, harm: int) -> int | None:
        """An action to wait with for the health that a way takes; None to go at once."""
        health, energy = here.status.amount("health"), here.status.amount("energy")
        heals = min(here.status.amount("food"), here.status.amount("drink"), energy) > 0
        if harm == 0 or health >= min(9, harm + WEAK) or not heals or not self._quiet(here):
            return None
        lulled = energy < 9 and self.safe(here) and self._may_doze(here)
        return SLEEP if lulled else NOOP

    def rest(
        self,
        here: Situation,
        wanted: bool,
        ahead: int = LONG,
        work: Sequence[Cell] = (),
        *,
        to_sleep: bool = False,
    ) -> Choice | None:
        """Sleep if it is safe and needed or wanted; spend the night, or weakness, where it is safe.

        Args:
            here: The situation.
            wanted: Whether waking up is still to be achieved.
            ahead: The steps for which it still has to live.
            work: The cells where there is something to do, as far as they are known.
            to_sleep: Whether there is nothing left to do but to sleep.
        """
        energy, health = here.status.amount("energy"), here.status.amount("health")
        starves = not (self._mended or here.haunted)
        if starves and min(here.status.amount("food"), here.status.amount("drink")) < 2:
            return ("sleep", SLEEP) if energy == 0 and self._quiet(here) else None
        self._weak = health <= (RESTED if self._weak else WEAK)
        tired = energy <= TIRED and not _outlasts(here, "energy", ahead)
        tired = tired or (wanted and energy <= (8 if to_sleep else _DROWSY))
        safe, closed = self.safe(here), enclosed(here)
        night = self._spends_the_night(here, ahead, work)
        sleepy = wanted or tired or (closed and (night or self._weak))
        drops = energy == 0 and not here.haunted
        if energy < 9 and sleepy and safe and (closed or drops or self._may_doze(here)):
            return "sleep", SLEEP
        if (self._weak and safe and energy > 0) or (closed and night):
            return "rest", NOOP
        if not (night or self._weak or tired):
            return None
        found = None if self._going_round(here) else self._shelter(here)
        if found is not None and found[0] <= _SHELTER * (STEP if health > 6 else 4 * STEP):
            return found[1:]
        return ("sleep", SLEEP) if energy == 0 and (safe or self._quiet(here)) else None

    def _spends_the_night(self, here: Situation, ahead: int, work: Sequence[Cell]) -> bool:
        """Whether the dark is no time to be about; who hid goes on by day, or when it is strong."""
        spared = _STRONG if self._hides else _HURT
        self._hides = here.haunted and _perilous(here, ahead, work, spared)
        return self._hides

    @staticmethod
    def _shelter(here: Situation) -> tuple[int, str, int] | None:
        return cheapest(here, sheltering(here)) or cheapest(here, _retreat(here))

    def _going_round(self, here: Situation) -> bool:
        """Whether looking for shelter has only made the player go to and fro of late."""
        step = here.status.step
        if step < self._roams_until:
            return True
        place = (here.seen.position, here.seen.facing)
        self._sought[place] += 1
        if self._sought[place] > _ROUNDS:
            self._sought.clear()
            self._roams_until = step + _ROAMING
        return step < self._roams_until

    def _may_doze(self, here: Situation) -> bool:
        """Whether a nap in the open would end before what the dark brings, or be survived."""
        if here.lore.blow(KINDS.index("zombie")) == 0:
            return True
        if here.status.amount("health") <= here.lore.rude_awakening:
            return False
        steps = 11 * (9 - here.status.amount("energy"))
        return all(daylight(here.status.step + ahead) > DARK for ahead in range(0, steps + 1, 10))

    def hide(self, here: Situation) -> Choice | None:
        """Wait behind walls, if they are at hand."""
        if enclosed(here):
            return "rest", NOOP
        if not any(here.lore.blow(kind) or here.lore.shot(kind) for kind in range(2, 5)):
            return None
        found = cheapest(here, sheltering(here))
        return found[1:] if found is not None and found[0] <= _SHELTER * STEP else None

    def _quiet(self, here: Situation) -> bool:
        """Whether nothing strikes at once: good enough for who can stay awake no longer."""
        return not any(here.lore.blow(t.kind) and here.distance(t) <= 5 for t in here.creatures)

    @staticmethod
    def _disturbs(here: Situation, thing: Thing) -> bool:
        """Whether a creature may come, or shoot, before a nap is over."""
        comes = here.lore.approaches(thing.kind) or here.lore.shot(thing.kind) > 0
        return here.distance(thing) <= (_NAP_DISTANCE if comes else _STRAYING)

    def safe(self, here: Situation) -> bool:
        """Whether nothing is near that might strike a sleeper, nor may come in the dark."""
        dangerous = [kind for kind in range(2, 5) if here.lore.blow(kind) or here.lore.shot(kind)]
        if not dangerous:
            return True
        if enclosed(here):
            return True
        if any(here.hostile(thing) and self._disturbs(here, thing) for thing in here.creatures):
            return False
        short = here.status.amount("energy") >= _NAP and here.status.amount("health") >= 7
        by_day = not here.haunted and here.lore.blow(KINDS.index("skeleton")) == 0
        return not here.haunted and (by_day or short or bool(here.lonely[here.seen.position]))


def _mended(here: Situation) -> bool:
    """Whether ground that heals is so near that nothing but health is worth looking for."""
    ground = _healing_ground(here)
    if ground is None:
        return False
    near = here.footpaths.nearest_cell()[ground]
    return bool(near.size and near.min() <= _MENDING)


def _healing_ground(here: Situation) -> Mask | None:
    """bool[64, 64]: cells on which every step heals; None if there is no such ground."""
    healing = here.lore.walk_health > 0
    if not healing.any():
        return None
    codes = np.where(here.seen.materials >= len(healing), 0, here.seen.materials)
    mask: Mask = healing[codes] & here.lore.walkable[codes] & ~here.lore.deadly[codes]
    return mask


def _perilous(here: Situation, ahead: int, work: Sequence[Cell], spared: int) -> bool:
    """Whether the dark that is ahead is likely to leave less health than is to be spared."""
    health = here.status.amount("health")
    if health <= spared:
        return True
    places = [here.seen.position, *work]
    blow = here.lore.blow(KINDS.index("zombie"))
    rate = sum(_MEADOW_RATE if here.meadow[cell] else _RATE for cell in places) / len(places)
    rate *= here.lore.hits(KINDS.index("zombie"), here.held) / _STRUCK
    return health - min(_darkness(here), ahead) * (blow * rate - 1 / _HEALING) < spared


def _darkness(here: Situation) -> int:
    """Steps until it is light."""
    return next((n for n in range(0, 160, 5) if daylight(here.status.step + n) >= DARK), 160)


def _presses(here: Situation, vital: str) -> bool:
    """Whether a vital is nearly used up; in the dark, so that it doesn't last until it is light."""
    if here.haunted and _outlasts(here, vital, _darkness(here), left=1):
        return False
    return here.status.amount(vital) < 2


def _outlasts(here: Situation, vital: str, ahead: int, left: int = WEAK) -> bool:
    """Whether a vital lasts for so many steps, and then health, of which some is to be left."""
    lasts = here.status.amount(vital) * LASTS[vital]
    return lasts + max(0, here.status.amount("health") - left) * _WASTING > ahead


def _retreat(here: Situation) -> list[Task]:
    """Going where hardly anything comes."""
    if here.lonely[here.seen.position]:
        return []
    return [Task("a lonely place", NOOP, None, here.lonely)]


def _sources(here: Situation) -> Iterator[tuple[Effect, Task]]:
    """All interactions that raise a vital."""
    for rule in here.lore.world.collect.values():
        effect = here.lore.collect_effect(rule.subject)
        if effect.helps:
            for task in collecting(here, rule) or _equipping(here, rule):
                yield effect, task
    for being in names.CREATURES:
        kind = KINDS.index(being)
        effect = here.lore.eat_effect(kind)
        if effect.helps:
            cost = here.lore.hits(kind, here.held) * STEP + here.lore.blow(kind) * here.point
            yield effect, Task(f"creature.{being}", DO, here.kinds == kind, None, cost)
    effect = here.lore.eat_effect(KINDS.index("plant"))
    if effect.helps:
        yield effect, Task("creature.plant", DO, here.kinds == RIPE)
    if (ground := _healing_ground(here)) is not None:
        for code, (dx, dy) in enumerate(DIRECTIONS):
            x, y = here.seen.position[0] + dx, here.seen.position[1] + dy
            if 0 <= x < AREA and 0 <= y < AREA and ground[x, y]:
                yield Effect(health=1), Task("ground that heals", 1 + code, None, ground)
                break
        else:
            yield Effect(health=1), Task("ground that heals", 4, None, ground)


def _equipping(here: Situation, rule: Collect) -> Iterator[Task]:
    """Collecting what a source requires, where that is all that is missing."""
    if not rule.collectable or not (here.seen.materials == CODE[rule.subject]).any():
        return
    missing = [i for i, amount in rule.requires.items() if here.held.get(i, 0) < amount]
    if len(missing) != 1:
        return
    for other in here.lore.world.collect.values():
        given = next((g for item, g in other.yields.items() if item == missing[0]), None)
        if given is not None and given.probability != 0:
            tries = int(min(40, 1 / (given.probability or 1)) * STEP)
            for task in collecting(here, other):
                yield Task(f"{rule.id} by {other.id}", DO, task.facing, None, tries + 20 * STEP)


def keeps(lore: Lore) -> dict[str, int]:
    """What has always to be held, because drinking or eating takes it."""
    kept: dict[str, int] = {}
    for vital in ("drink", "food"):
        rules = [
            rule
            for rule in lore.world.collect.values()
            if rule.collectable and lore.collect_effect(rule.subject).of(vital) > 0
        ]
        beings = [lore.eat_effect(KINDS.index(being)).of(vital) for being in names.CREATURES]
        if not rules or max(beings) >= _FILLING or any(not rule.requires for rule in rules):
            continue
        for item, amount in min(rules, key=lambda r: (len(r.requires), r.subject)).requires.items():
            kept[item] = max(kept.get(item, 0), amount)
    return kept


def _cheapest(
    here: Situation, vital: str, sources: list[tuple[Effect, Task]]
) -> tuple[float, float, str, int] | None:
    """The source of a vital that is nearest for what it gives: cost, gain, name, action."""
    best: tuple[float, float, float, str, int] | None = None
    for effect, task in sources:
        gain = effect.of(vital)
        if gain <= 0 or not _bearable(here, effect, vital):
            continue
        cost, action = task.price(here)
        if cost >= FAR:
            continue
        again = 2 * STEP if task.name[:8] != "creature" else 15 * STEP
        worth = cost + (_REFILL / min(gain, _REFILL) - 1) * again
        if best is None or worth < best[0]:
            best = (worth, cost, gain, task.name, action)
    return None if best is None else best[1:]


def _bearable(here: Situation, effect: Effect, vital: str) -> bool:
    """Whether what it takes of other vitals leaves enough, and is worth it."""
    if here.status.amount(vital) > 2 and effect.health + effect.food + effect.drink < 0:
        return False
    return all(
        effect.of(vital) >= 0 or here.status.amount(vital) + effect.of(vital) >= least
        for vital, least in (("health", 2), ("food", 1), ("drink", 1))
    )
