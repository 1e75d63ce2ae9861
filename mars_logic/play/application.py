"""Application of rules by actions: which action applies a rule, and whether one did."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mars_logic.logic.spending import bringing
from mars_logic.world import names
from mars_logic.world.rules import Collect

if TYPE_CHECKING:
    from mars_logic.logic.proof import Step
    from mars_logic.plan.task_plan import Task
    from mars_logic.sim import State
    from mars_logic.world.theory import World
    from mars_logic.world.vocabulary import Vocabulary


def action_for(words: Vocabulary, rule: str) -> str:
    """The action that applies a rule where all that it needs is at hand.

    Args:
        words: The vocabulary of the world.
        rule: The rule's id; ``sleep`` for sleeping.
    """
    family, _, subject = rule.partition(".")
    match family:
        case "place" | "make" | "shoot":
            return f"{family}_{subject}"
        case "eat":
            return next(action for action, item in words.consumed.items() if item == subject)
        case "sleep":
            return "sleep"
    return "do"


def is_applied(world: World, step: Step | Task, before: State, after: State, action: int) -> bool:
    """Whether an action of the game applied the rule of a step, with the luck that it takes."""
    words = world.vocabulary
    counts = words.achievements
    raised = {counts[i] for i in np.flatnonzero(after.achievements > before.achievements)}
    family, _, subject = step.rule.partition(".")
    more = after.inventory > before.inventory
    woke = before.sleeping and not after.sleeping
    if family == "sleep":
        return "wake_up" in raised if "wake_up" in counts else woke
    if family == "creature":
        loot = {f"collect_{item}" for item in bringing(world).get(step.rule, {})}
        counted = of_creature(words, subject) or loot & {*counts}
        return bool(raised & counted) if counted else bool(more[names.ITEMS.index("food")])
    rule = world[step.rule]
    if not isinstance(rule, Collect):
        name, vitals = f"{family}_{subject}", len(words.vitals)
        if name in counts:
            return name in raised
        used = (after.inventory != before.inventory)[vitals:].any()
        return words.actions[action] == action_for(words, step.rule) and bool(used)
    ahead = ahead_of(before)
    if words.actions[action] != "do" or faced(before) != words.materials.index(subject):
        return False
    if step.gain in words.creatures:
        came = {(int(t["x"]), int(t["y"])): words.objects[int(t["kind"])] for t in after.objects}
        return came.get(ahead) == step.gain
    sure = {item for item, given in rule.yields.items() if given.probability in (None, 1)}
    told = {f"collect_{item}" for item in ([step.gain] if step.gain else sure)} & set(counts)
    if told:
        return bool(raised & told)
    changed = after.materials[ahead] != before.materials[ahead]
    return bool(changed or more.any())


def of_creature(words: Vocabulary, creature: str) -> set[str]:
    """The achievements that killing or eating a creature counts for."""
    return {name for name in words.achievements if name.partition("_")[2] == creature} - {
        f"{family}_{creature}" for family in ("place", "collect", "make")
    }


def ahead_of(state: State) -> tuple[int, int]:
    """The cell that the player faces."""
    return state.x + state.facing[0], state.y + state.facing[1]


def faced(state: State) -> int:
    """The code of the material that the player faces; -1 beyond the edge of the map."""
    x, y = ahead_of(state)
    inside = 0 <= x < len(state.materials) and 0 <= y < len(state.materials[0])
    return int(state.materials[x, y]) if inside else -1
