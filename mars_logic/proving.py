"""Proofs about a world, or about one of its maps: the logic, with the simulator's map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mars_logic.world.world import World

if TYPE_CHECKING:
    from mars_logic.logic import Proof


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

    if map_seed is None:
        return logic.prove(world)
    from mars_logic.sim import generate_map  # imports numba, which takes its time

    found = generate_map(world, map_seed)
    return logic.prove(world, area=found.materials, creatures=found.creatures, map_seed=map_seed)
