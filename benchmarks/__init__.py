"""The benchmarks: quantities, peers or budgets to compare with, and targets.

Each module that is listed has a function ``measure`` and is run by ``mars-logic bench NAME`` or
alone, ``python benchmarks/NAME.py``. The apparatus is ``mars_logic.experiments.measurement``.
"""

NAMES = (
    "steps",
    "parts",
    "resets",
    "play",
    "images",
    "start",
    "memory",
    "growth",
    "vector",
    "craftax_classic",
    "craftax_c",
    "griddly",
    "logic",
    "sampling",
    "trajectories",
    "checking",
    "decisions",
    "foresight",
    "rollouts",
    "games",
    "messenger",
    "throughput",
)
"""All benchmarks in the order of the table."""
