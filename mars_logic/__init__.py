"""mars-logic: worlds that compile to a simulator, to proofs and to words.

Example:
    >>> import mars_logic
    >>> world = mars_logic.load_world("all_three")
    >>> mars_logic.tell(world["collect.iron"])
    'Collecting from iron needs nothing, yields 1 iron and leaves a tree.'

    >>> print(mars_logic.prove(world))  # doctest: +ELLIPSIS
    all_three: 22 of 22 achievements reachable
    ...

The simulator is in :mod:`mars_logic.sim`, which imports numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mars_logic.notebook import register as _show_in_notebooks
from mars_logic.system.lazy import lazy_names

if TYPE_CHECKING:
    from mars_logic.cli.from_python import check, explain, revise, verify
    from mars_logic.cli.play_from_python import plan, report, run, sample
    from mars_logic.experiments.learned import Learned, learn
    from mars_logic.experiments.proving import prove
    from mars_logic.world.load import bundled_worlds, load_theory, load_world
    from mars_logic.world.problems import WorldError, WorldWarning
    from mars_logic.world.theory import Theory, World
    from mars_logic.world.words import parse, tell

__all__ = [
    "Learned",
    "Theory",
    "World",
    "WorldError",
    "WorldWarning",
    "bundled_worlds",
    "check",
    "explain",
    "learn",
    "load_theory",
    "load_world",
    "parse",
    "plan",
    "prove",
    "report",
    "revise",
    "run",
    "sample",
    "tell",
    "verify",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "cli.from_python": ("check", "explain", "revise", "verify"),
        "cli.play_from_python": ("plan", "report", "run", "sample"),
        "experiments.learned": ("Learned", "learn"),
        "experiments.proving": ("prove",),
        "world.load": ("bundled_worlds", "load_theory", "load_world"),
        "world.problems": ("WorldError", "WorldWarning"),
        "world.theory": ("Theory", "World"),
        "world.words": ("parse", "tell"),
    },
)

_show_in_notebooks()
