"""The benchmarks: what is measured, beside whom or what budget, and with which goals.

Each module that is listed has a function ``measure`` and is run by ``mars-logic bench NAME`` or
alone, ``python benchmarks/NAME.py``. The apparatus is ``mars_logic.measure``.
"""

NAMES = (
    "steps",
    "resets",
    "play",
    "images",
    "start",
    "memory",
    "growth",
    "vector",
    "craftax_classic",
    "logic",
    "sampling",
    "trajectories",
    "checking",
    "throughput",
)
"""All benchmarks in the order of the table."""
