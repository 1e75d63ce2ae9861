"""Units to test with, and what may become of them in a process."""

from __future__ import annotations

import os
from typing import Any

from mars_logic import load_world
from mars_logic.experiments.units import Unit
from mars_logic.experiments.work import Outcome


def unit(seed: int = 0, **changes: Any) -> Unit:
    """A unit of few steps."""
    usual = {
        "label": "random",
        "agent": "random",
        "options": "{}",
        "world": load_world("default"),
        "world_label": "default",
        "world_path": "default",
        "seed": seed,
        "learn": None,
        "evaluate": None,
        "length": 30,
        "certificates": True,
        "thoughts": True,
    }
    return Unit(**usual | changes)


def nothing_but_seed_1_dies(unit: Unit) -> Outcome:
    """What takes down the process that does it."""
    if unit.seed == 1:
        os._exit(9)
    return {"seed": str(unit.seed).encode()}
