"""Distances between a simulated map and a scene, as features of a likelihood."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mars_logic.compiled.kernel import kernel
from mars_logic.domains.conan.codes import CODE, CODES, PRINTS
from mars_logic.world.dialect import AREA

Array = Any
"""In annotations of kernels: an array."""

_COUNTED: Final = (
    *("tree_cut", "stone_left", "coal_left", "iron_left", "diamond_left"),
    *("cow_dead", "zombie_dead", "skeleton_dead", "table", "furnace", "bed"),
)
FEATURES: Final = (
    *_COUNTED,
    *("water_marks", "remains_apart", "things_apart", "prints_apart", "prints_turned"),
    *("figure_apart", "failed"),
    *("hidden_remains", "hidden_prints"),
)
"""Names of the 20 features; the last two are of what lies where nothing was seen."""
_GROUP = np.full(len(CODES), -1, np.int8)
for _index, _name in enumerate(_COUNTED):
    _GROUP[CODE[_name]] = _index
_WATER = len(_COUNTED)
for _name in ("grass_water", "sand_water"):
    _GROUP[CODE[_name]] = _WATER
_REMAINS_APART, _THINGS_APART, _PRINTS_APART, _PRINTS_TURNED, _FIGURE_APART, _FAILED = range(
    _WATER + 1, _WATER + 7
)
_HIDDEN: Final = _FAILED + 1
_FIRST_THING = _COUNTED.index("table")
_FARTHEST: Final = 20
"""Distance of the figures beyond which it does not matter how far they are apart."""


@kernel
def measure(
    codes: Array,
    x: int,
    y: int,
    won: bool,
    scene: Array,
    seen: Array,
    figure_x: int,
    figure_y: int,
    out: Array,
) -> None:
    """Measure how far a simulated map is from a scene, on the cells that were seen.

    Args:
        codes: uint8[64, 64]: the simulated map.
        x: Column of the simulated vandal at the end.
        y: Its row.
        won: Whether it succeeded.
        scene: uint8[64, 64]: the finished map.
        seen: bool[64, 64].
        figure_x: Column of the figure, or -1 if it was not seen.
        figure_y: Its row.
        out: float64[20], filled.
    """
    out[:] = 0.0
    remains_both = 0.0
    remains_one = 0.0
    things_both = 0.0
    things_one = 0.0
    prints_both = 0.0
    prints_one = 0.0
    turned = 0.0
    hidden_remains = 0.0
    hidden_prints = 0.0
    for cx in range(AREA):
        for cy in range(AREA):
            ours = codes[cx, cy]
            if not seen[cx, cy]:
                hidden_remains += _GROUP[ours] >= 0
                hidden_prints += PRINTS[ours] > 0
                continue
            theirs = scene[cx, cy]
            a = _GROUP[ours]
            b = _GROUP[theirs]
            if a >= 0:
                out[a] += 1.0
            if b >= 0:
                out[b] -= 1.0
            if a >= 0 or b >= 0:
                if max(a, b) >= _FIRST_THING and max(a, b) < _WATER:
                    things_both += a == b
                    things_one += a != b
                elif max(a, b) < _WATER:
                    remains_both += a == b
                    remains_one += a != b
            p = PRINTS[ours]
            q = PRINTS[theirs]
            if p > 0 and q > 0:
                prints_both += 1.0
                turned += p != q
            elif p > 0 or q > 0:
                prints_one += 1.0
    for i in range(_WATER + 1):
        out[i] = min(abs(out[i]), 8.0)
    out[_REMAINS_APART] = _share(remains_one, remains_both)
    out[_THINGS_APART] = _share(things_one, things_both)
    out[_PRINTS_APART] = _share(prints_one, prints_both)
    out[_PRINTS_TURNED] = turned / max(prints_both, 1.0)
    if figure_x >= 0:
        out[_FIGURE_APART] = min(abs(figure_x - x) + abs(figure_y - y), _FARTHEST) / _FARTHEST
    out[_FAILED] = 0.0 if won else 1.0
    out[_HIDDEN] = min(hidden_remains, 8.0)
    out[_HIDDEN + 1] = np.log1p(hidden_prints)


@kernel
def _share(one: float, both: float) -> float:
    return one / (one + both) if one > 0 else 0.0
