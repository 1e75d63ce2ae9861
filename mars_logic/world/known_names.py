"""Refusal of worlds by layers that know only Crafter's vocabulary."""

from __future__ import annotations

from mars_logic.errors import InputError
from mars_logic.world import names
from mars_logic.world.theory import Theory

_SHOWN = 2


def require_crafter_names(world: Theory, layer: str, who: str) -> None:
    """Refuse a world with materials that a layer does not know.

    Args:
        world: The world.
        layer: The command or the package, for the message.
        who: What does not know them, for example ``the planner``.

    Raises:
        InputError: Its dialect has other materials than Crafter's.
    """
    strange = [name for name in world.vocabulary.materials if name not in names.MATERIALS]
    if strange:
        listed = ", ".join(strange[:_SHOWN]) + (", …" if len(strange) > _SHOWN else "")
        message = f"{world.name} has materials that {who} does not know ({listed})"
        allowed = f"worlds of the dialects {', '.join(names.DYNAMICS)}"
        raise InputError(f"{layer}: {message}; allowed: {allowed}")


def require_no_traces(world: Theory, layer: str, who: str) -> None:
    """Refuse a world in which deeds leave traces, for a layer that takes any other names.

    Args:
        world: The world.
        layer: The command or the package, for the message.
        who: What knows no traces, for example ``the planner``.

    Raises:
        InputError: Its dialect has marks.
    """
    if world.vocabulary.traced:
        message = f"{who} knows no traces, as {world.name} has"
        raise InputError(f"{layer}: {message}; allowed: worlds of {', '.join(names.DYNAMICS)}")


def require_unmarked(world: Theory) -> None:
    """Refuse to record a world with traces.

    Raises:
        InputError: Its dialect has marks.
    """
    if world.vocabulary.traced:
        message = f"trajectories hold no marks, as {world.name} has"
        raise InputError(f"--record: {message}; allowed: --out")
