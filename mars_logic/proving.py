"""Proofs about a world, or about one of its maps: the logic, with the simulator's map."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from mars_logic.world.world import World

if TYPE_CHECKING:
    from mars_logic.logic import Explanation, Proof
    from mars_logic.logic.proof import Certainty
    from mars_logic.pddl import Task


def prove(world: World, map_seed: int | None = None) -> Proof:
    """A verdict for each achievement of a world.

    Args:
        world: The world to prove things about.
        map_seed: The seed of a map (its first episode). Without one the verdicts are about
            ordinary maps: those with enough cells of each material that the generator can make.

    Returns:
        For each achievement: reachable with a witness, unreachable with an explanation, or
        unknown with a reason.

    Raises:
        ValueError: The seed is out of range.
    """
    from mars_logic import logic

    return logic.prove(world, map_seed=map_seed, **_map(world, map_seed))


def explain(
    world: World, achievement: str, map_seed: int | None = None, most: int = 3
) -> Explanation | None:
    """Why an achievement of a world is unreachable, and what would mend it.

    Args:
        world: The world.
        achievement: One of its achievements.
        map_seed: The seed of a map; without one, it is about all maps.
        most: How many smallest explanations to give, at most.

    Returns:
        The explanation; None if the achievement is not unreachable.

    Raises:
        ValueError: The seed is out of range, or the world has no such achievement.
    """
    from mars_logic import logic

    return logic.explain(world, achievement, most=most, **_map(world, map_seed))


def planning_task(
    world: World,
    goal: Iterable[str] = (),
    certainty: Certainty = "finite_chance",
    map_seed: int | None = None,
) -> Task:
    """A world as a planning task; see :func:`mars_logic.pddl.planning_task`.

    Args:
        world: The world.
        goal: The achievements to unlock; by default all that are reachable.
        certainty: How much luck may be counted on.
        map_seed: The seed of a map; without one, it is about ordinary maps.

    Returns:
        The task.

    Raises:
        InputError: An achievement is not reachable, or the world has none of that name.
        ValueError: The seed is out of range.
    """
    from mars_logic import pddl

    on = _map(world, map_seed)
    return pddl.planning_task(world, goal, certainty, map_seed=map_seed, **on)


def _map(world: World, map_seed: int | None) -> dict[str, Any]:
    """The map of a seed, as the logic takes it."""
    if map_seed is None:
        return {}
    from mars_logic.sim import generate_map  # imports numba, which takes its time

    found = generate_map(world, map_seed)
    return {"area": found.materials, "creatures": found.creatures}
