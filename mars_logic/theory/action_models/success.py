"""Whether an action reached its goals, judged from the states before and after.

Unobservable results stay unlabelled: a gain hidden by the maximum, a creature that was either
killed or walked away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.theory.action_models import action_goals
from mars_logic.theory.action_models.states import States
from mars_logic.world import names
from mars_logic.world.dialect import HEALTH_AT_FIRST, MAXIMUM, SWORD_DAMAGE, UNARMED_DAMAGE
from mars_logic.world.vocabulary import vocabulary

_HEALTH, _FOOD, _DRINK = (names.ITEMS.index(vital) for vital in ("health", "food", "drink"))
_VITALS: Final = len(names.VITALS)
_ACTIONS: Final = np.array(names.ACTIONS)
_LOOK = names.LOOKS.index


@dataclass(frozen=True, eq=False)
class Circumstances:
    """Further knowledge about n actions.

    Attributes:
        food: int8[n, 2]: the least and the greatest change of food by hunger.
        drink: int8[n, 2]: the same of drink by thirst.
        unlocked: bool[n, 22]: the achievements reached for the first time.
        reached: bool[n, 22]: those that had been reached before, or may have been.
    """

    food: NDArray[np.int8]
    drink: NDArray[np.int8]
    unlocked: NDArray[np.bool_]
    reached: NDArray[np.bool_]

    @classmethod
    def unknown(cls, n: int) -> Circumstances:
        """Nothing is known: a point may be lost in any step, and all may have been reached."""
        need = np.tile(np.array([-1, 0], np.int8), (n, 1))
        none = np.zeros((n, len(vocabulary("mars").achievements)), np.bool_)
        return cls(need, need, none, ~none)


def judge(
    dynamics: str, before: States, action: NDArray[np.uint8], after: States, known: Circumstances
) -> NDArray[np.int8]:
    """int8[n, 23]: 1, 0 or -1 for each goal: reached, not reached, not to be seen.

    Whether a move got anywhere is not told here: that is 0 for every move.
    """
    all_goals = action_goals.goals(dynamics)
    outcome = np.full((len(action), len(all_goals)), -1, np.int8)
    acts, free = _ACTIONS[action], before.free
    for column, goal in enumerate(all_goals):
        if goal == action_goals.MOVE:
            outcome[np.char.startswith(acts, "move_") & free, column] = 0
            continue
        tried = free & (acts == action_goals.action(goal))
        seen = _BY_KIND[action_goals.kind(goal)](goal, before, after, known)
        if action_goals.kind(goal) != "sleep":  # which is rewarded only when one wakes up
            seen = np.where(known.unlocked[:, column], 1, seen)
            never = ~known.unlocked[:, column] & ~known.reached[:, column]
            seen = np.where(never & ~_fighting(goal, before), 0, seen)
        outcome[tried, column] = seen[tried]
    return outcome


def _do(goal: str, before: States, after: States, known: Circumstances) -> NDArray[np.int64]:
    verb, what = goal.partition("_")[0], action_goals.subject(goal)
    if what == "drink":
        return _drinking(before, after, known)
    if verb == "collect":
        return _gained(before, after, names.ITEMS.index(what))
    if what == "plant":
        ripe = before.object == _LOOK("ripe_plant")
        return np.where(ripe, np.where(after.object == _LOOK("plant"), 1, -1), 0)
    return _killing(what, before, after, known)


def _gained(before: States, after: States, item: int) -> NDArray[np.int64]:
    had, has = before.inventory[:, item], after.inventory[:, item]
    return np.where(has > had, 1, np.where(had == MAXIMUM, -1, 0))


def _gain(
    before: States, after: States, vital: int, need: NDArray[np.int8]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The least and the greatest change of a vital that an action may have made."""
    change = after.inventory[:, vital].astype(np.int64) - before.inventory[:, vital]
    return change - need[:, 1], change - need[:, 0]


def _drinking(before: States, after: States, known: Circumstances) -> NDArray[np.int64]:
    """More drink is a success; nothing at all, where something would be seen, a failure."""
    least, most = _gain(before, after, _DRINK, known.drink)
    least_food, most_food = _gain(before, after, _FOOD, known.food)
    nothing = (most == 0) & (least_food <= 0) & (most_food >= 0)
    hidden = after.inventory[:, _DRINK] == MAXIMUM
    seen = np.where(least > 0, 1, np.where(nothing & ~hidden, 0, -1))
    return np.where(before.object == 0, seen, 0)  # what is eaten may quench thirst, too


def _killing(
    creature: str, before: States, after: States, known: Circumstances
) -> NDArray[np.int64]:
    faced = before.object == _LOOK(creature)
    damage = np.full(len(before), UNARMED_DAMAGE, np.int64)
    for sword, points in reversed([*SWORD_DAMAGE.items()]):
        damage = np.where(before.inventory[:, names.ITEMS.index(sword)] > 0, points, damage)
    sated, _ = _gain(before, after, _FOOD, known.food)
    gone = after.object != _LOOK(creature)
    killed = (damage >= HEALTH_AT_FIRST[creature]) | ((sated > 0) & gone)
    return np.where(faced, np.where(killed, 1, -1), 0)


def _fighting(goal: str, before: States) -> NDArray[np.bool_]:
    """Where a blow falls: that it does not kill is no failure."""
    what = action_goals.subject(goal)
    look = _LOOK(what) if what in names.CREATURES else -1
    return np.asarray(before.object == look, np.bool_)


def _spent(before: States, after: States) -> NDArray[np.bool_]:
    less = after.inventory[:, _VITALS:] < before.inventory[:, _VITALS:]
    return np.asarray(less.any(axis=1), np.bool_)


def _place(goal: str, before: States, after: States, known: Circumstances) -> NDArray[np.int64]:  # noqa: ARG001
    thing = action_goals.subject(goal)
    if thing == "plant":
        appeared = (after.object == _LOOK("plant")) & (before.object == 0)
    else:
        code = names.MATERIALS.index(thing)
        appeared = (after.material == code) & (before.material != code)
    return np.where(_spent(before, after) | appeared, 1, 0)


def _make(goal: str, before: States, after: States, known: Circumstances) -> NDArray[np.int64]:  # noqa: ARG001
    found = _gained(before, after, names.ITEMS.index(action_goals.subject(goal)))
    return np.where(_spent(before, after), 1, found)


def _sleep(goal: str, before: States, after: States, known: Circumstances) -> NDArray[np.int64]:  # noqa: ARG001
    """Falling asleep; whoever loses health in the same step may have been woken at once."""
    hurt = after.inventory[:, _HEALTH] < before.inventory[:, _HEALTH]
    return np.where(after.sleeping, 1, np.where(hurt, -1, 0))


_BY_KIND: Final = {"do": _do, "place": _place, "make": _make, "sleep": _sleep}
