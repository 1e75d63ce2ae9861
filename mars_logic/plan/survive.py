"""Staying alive: fight what is at hand, eat and drink, rest; all by what is believed of it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mars_logic.plan.ground import RIPE, Situation
from mars_logic.plan.lore import DO, SLEEP, Effect
from mars_logic.plan.route import DIRECTIONS, FAR, STEP
from mars_logic.plan.seen import KINDS
from mars_logic.plan.tasks import Task, collecting
from mars_logic.world import names

LASTS = {"food": 26, "drink": 21, "energy": 31}
"""Steps in which a point of a vital is used up."""
LOW, ENOUGH = 3, 7
_NAP_DISTANCE = 8
_BRIGHT = 0.5
_POCKET = 4

Choice = tuple[str, int]
"""What it is about, and the action to take now."""


class Survival:
    """The reactive layer; it remembers what it is refilling."""

    def __init__(self) -> None:
        self._refilling: set[str] = set()

    def reflex(self, here: Situation) -> Choice | None:
        """Hit back at what stands beside the player and does harm."""
        x, y = here.seen.position
        for thing in here.creatures:
            if here.distance(thing) > 1:
                return None
            if not here.hostile(thing):
                continue
            move = (thing.x - x, thing.y - y)
            if move == here.seen.facing:
                return f"fight {KINDS[thing.kind]}", DO
            return f"fight {KINDS[thing.kind]}", 1 + DIRECTIONS.index(move)
        return None

    def needs(self, here: Situation) -> Choice | None:
        """Refill the vital that will run out first, if one is low."""
        sources = list(_sources(here))
        best: tuple[float, str, int] | None = None
        for vital in ("drink", "food", "health"):
            level = here.status.amount(vital)
            found = _cheapest(here, vital, sources)
            if found is None:
                continue
            cost, name, action = found
            if not self._wants(vital, level, cost):
                continue
            urgency = level * LASTS.get(vital, 12)
            if best is None or urgency < best[0]:
                best = (urgency, f"{vital}: {name}", action)
        return None if best is None else best[1:]

    def _wants(self, vital: str, level: int, cost: float) -> bool:
        steps = cost / STEP
        low = LOW + (steps / LASTS[vital] if vital in LASTS else 0)
        if vital == "health" and steps > 15:
            return False
        if level <= low or (steps <= 3 and level < ENOUGH):
            self._refilling.add(vital)
        elif level >= ENOUGH:
            self._refilling.discard(vital)
        return vital in self._refilling and level < 9

    def rest(self, here: Situation, wanted: bool) -> Choice | None:
        """Sleep, if it is needed or wanted and safe.

        Args:
            here: The situation.
            wanted: Whether waking up is still to be achieved.
        """
        energy = here.status.amount("energy")
        if energy >= 9 or here.status.amount("food") < 2 or here.status.amount("drink") < 2:
            return None
        if not (wanted or energy <= 2 or (energy <= 4 and self.safe(here))):
            return None
        return ("sleep", SLEEP) if self.safe(here) or energy == 0 else None

    def safe(self, here: Situation) -> bool:
        """Whether nothing is near that might strike a sleeper, nor may come in the dark."""
        dangerous = [kind for kind in range(2, 5) if here.lore.blow(kind) or here.lore.shot(kind)]
        if not dangerous:
            return True
        if here.pocket(here.seen.position, frozenset(), _POCKET) <= _POCKET:
            return not any(here.distance(t) <= _POCKET and here.hostile(t) for t in here.creatures)
        if any(here.distance(t) <= _NAP_DISTANCE and here.hostile(t) for t in here.creatures):
            return False
        zombies_harm = here.lore.blow(KINDS.index("zombie")) > 0
        return here.status.daylight > _BRIGHT or not zombies_harm


def _sources(here: Situation) -> Iterator[tuple[Effect, Task]]:
    """All interactions that raise a vital."""
    for rule in here.lore.world.collect.values():
        effect = here.lore.collect_effect(rule.subject)
        if effect.helps:
            for task in collecting(here, rule):
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
    healing = here.lore.walk_health > 0
    if healing.any():
        codes = np.where(here.seen.materials >= len(healing), 0, here.seen.materials)
        ground = healing[codes] & here.lore.walkable[codes] & ~here.lore.deadly[codes]
        for code, (dx, dy) in enumerate(DIRECTIONS):
            x, y = here.seen.position[0] + dx, here.seen.position[1] + dy
            if here.lore.walk_health[here.seen.material_at((x, y)) % 255 % 13] > 0:
                yield Effect(health=1), Task("ground that heals", 1 + code, None, ground)
                break
        else:
            yield Effect(health=1), Task("ground that heals", 4, None, ground)


def _cheapest(
    here: Situation, vital: str, sources: list[tuple[Effect, Task]]
) -> tuple[float, str, int] | None:
    """The source of a vital that is nearest for what it gives: cost, name, action."""
    best: tuple[float, float, str, int] | None = None
    for effect, task in sources:
        gain = effect.of(vital)
        if gain <= 0 or not _bearable(here, effect):
            continue
        cost, action = task.price(here)
        if cost >= FAR:
            continue
        worth = cost / min(gain, 9 - here.status.amount(vital) or 1) ** 0.5
        if best is None or worth < best[0]:
            best = (worth, cost, task.name, action)
    return None if best is None else best[1:]


def _bearable(here: Situation, effect: Effect) -> bool:
    """Whether what it takes of other vitals leaves enough."""
    return all(
        effect.of(vital) >= 0 or here.status.amount(vital) + effect.of(vital) >= least
        for vital, least in (("health", 2), ("food", 1), ("drink", 1))
    )
