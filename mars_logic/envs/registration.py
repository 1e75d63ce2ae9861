"""The names under which Gymnasium finds the worlds."""

from __future__ import annotations

import gymnasium

from mars_logic.world.load import bundled_worlds

_ENTRY_POINT = "mars_logic.envs.env:WorldEnv"
_VECTOR_ENTRY_POINT = "mars_logic.envs.vector:WorldVectorEnv"


def environment_id(world: str) -> str:
    """Gymnasium's name of a bundled world: ``mars_logic/TaskDep-v0`` for ``task_dep``."""
    name = "".join(part.capitalize() for part in world.split("_"))
    return f"mars_logic/{name}-v0"


def register() -> None:
    """Register all bundled worlds, and ``mars_logic/World-v0``, which takes any ``world``.

    What is registered already stays as it is.
    """
    kwargs = {environment_id(world): {"bundled": world} for world in bundled_worlds()}
    any_world = {environment_id("world"): {"world": None}}  # None says what is missing
    for name, given in (kwargs | any_world).items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=_ENTRY_POINT,
                vector_entry_point=_VECTOR_ENTRY_POINT,
                kwargs=given,
            )
