"""Retreat: where to go if there is no shelter, and which shelter lets a plant grow."""

from __future__ import annotations

from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.garden import growing
from mars_logic.plan.outlook import TIRED, lacks
from mars_logic.plan.route import STEP
from mars_logic.plan.shelter import cheapest
from mars_logic.plan.skills import Skill
from mars_logic.plan.threats import beset, safe, undisturbed
from mars_logic.plan.world_model import NOOP

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
