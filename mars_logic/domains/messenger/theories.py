"""Readings of a manual as a theory of the game: a file in which fields are open."""

from __future__ import annotations

from typing import Any

from mars_logic.domains.messenger.readings import Readings
from mars_logic.domains.messenger.rules import MOTIONS, ROLES, Messenger, slots
from mars_logic.world.uncertain import Alternatives

_SMALLEST = 0.001
"""Alternatives with a smaller weight are left out."""


def theory_of_readings(game: Messenger, readings: Readings) -> Messenger:
    """A theory with the weights of names by role, and of motions by slot.

    Args:
        game: The level that the manual is about.
        readings: What was made of the manual.
    """
    fields: dict[str, Any] = {"name": f"{game.name}, as read", "assignments": "all"}
    table = readings.role_table()
    for role, field in enumerate(ROLES):
        names = zip(readings.names, table[:, role].tolist(), strict=True)
        fields[field] = _field(names)
    if readings.level > 1:
        for slot, row in zip(slots(readings.level), readings.motion_table(), strict=True):
            fields[f"{slot}_motion"] = _field(zip(MOTIONS, row.tolist(), strict=True))
    return game.model_copy(update=fields)


def _field(options: Any) -> Any:
    kept = [(value, round(weight, 4)) for value, weight in options if weight >= _SMALLEST]
    return kept[0][0] if len(kept) == 1 else Alternatives.of(kept)
