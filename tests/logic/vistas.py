"""Zones that lie close together on nearly all ordinary maps, for ``reach/abundance.lp``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.bool_]
"""bool[maps, 64, 64]."""
Labels = NDArray[np.int64]
"""int64[maps, 64, 64]: one bit for each zone."""

SHARE = 0.99
MOST_ZONES = 3
"""Zones, besides the one that the player is in, of which it is asked whether they lie together."""

BEYOND_OPEN = ("bank", "rim", "coalfield", "ironfield")
TOUCHING = (
    ("start", "open"),
    *(("open", zone) for zone in BEYOND_OPEN),
    ("bank", "lake"),
    ("rim", "coalfield"),
    ("rim", "ironfield"),
    ("rim", "core"),
    ("coalfield", "ironfield"),
    ("coalfield", "core"),
    ("ironfield", "core"),
)
"""Zones that touch on ordinary maps: ``adjoins/2`` of ``encodings/reach/zones.lp``."""
_INNER = ("core", "ironfield", "coalfield")

_SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
_AROUND = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
_WAY_IN = 2
"""Cells around a cell on the shortest way to it, at most."""


def vistas(dynamics: str, found: Mapping[str, Cells]) -> Iterator[str]:
    """The facts of one dialect.

    Args:
        dynamics: The dialect.
        found: By zone: its cells on each map; of zones that overlap, those laid out last count.
    """
    zones, _ = settled(found)
    order = sorted(zones)
    for zone, parts in arrived(zones).items():
        for kind, sights in _sights(zones, order, zone).items():
            together = _together(sights, parts, order.index(zone), len(order), kind)
            for number, some in enumerate(_greatest(together)):
                for each in some:
                    yield f"vista({dynamics}, {kind}, {zone}, {number}, {order[each]})."


def settled(found: Mapping[str, Cells]) -> tuple[dict[str, Cells], Cells]:
    """The zones on ordinary maps, without overlap; and which maps are ordinary."""
    zones = apart(found)
    ordinary = np.ones(len(zones["start"]), bool)
    for one, other in TOUCHING:
        if one in zones and other in zones:
            ordinary &= _any(zones[one] & beside(zones[other]))
    reached = beside(flood(zones["open"], beside(zones["start"])))
    for zone in BEYOND_OPEN:
        if zone in zones:
            ordinary &= _any(reached & zones[zone])
    return {zone: cells[ordinary] for zone, cells in zones.items()}, ordinary


def apart(found: Mapping[str, Cells]) -> dict[str, Cells]:
    """The zones without overlap: of those that overlap, the one laid out last has the cell."""
    from tests.logic.generate import DEPTHS

    others = [zone for zone in found if zone not in (*DEPTHS, "start")]
    order = [zone for zone in (*DEPTHS, *others, "start") if zone in found]
    labels = np.full(found["start"].shape, len(order), np.int64)
    for number, zone in enumerate(order):
        labels[found[zone]] = number
    return {zone: labels == number for number, zone in enumerate(order)}


def arrived(zones: Mapping[str, Cells]) -> dict[str, list[Cells]]:
    """By zone: its cells to which the player gets from each zone that it may come from."""
    parts = {"start": [zones["start"]]}
    ways = {
        "open": ("start",),
        **dict.fromkeys(BEYOND_OPEN, ("open",)),
        "lake": ("bank",),
        "core": ("rim", "coalfield", "ironfield"),
    }
    for zone, before in ways.items():
        if zone in zones:
            parts[zone] = [
                flood(zones[zone], beside(parts[other][0])) for other in before if other in parts
            ]
    inner = [zone for zone in _INNER if zone in parts] or ["rim"]
    around = np.logical_or.reduce([parts[zone][0] for zone in inner])
    return {**parts, "tunnels": [flood(zones["tunnels"], beside(around))]}


def beside(cells: Cells) -> Cells:
    """The cells next to some cells."""
    return np.asarray(np.logical_or.reduce([shifted(cells, *side) for side in _SIDES]))


def shifted(cells: NDArray[np.generic], dx: int, dy: int) -> NDArray[np.generic]:
    """For each cell, what is that far from it; zero outside the map."""
    padded = np.pad(cells, ((0, 0), (1, 1), (1, 1)))
    _, width, height = cells.shape
    return padded[:, 1 + dx : 1 + dx + width, 1 + dy : 1 + dy + height]


def flood(cells: Cells, start: Cells) -> Cells:
    """The cells that are connected with some cells."""
    found = cells & start
    while True:
        more = cells & (found | beside(found))
        if (more == found).all():
            return found
        found = more


def _sights(zones: Mapping[str, Cells], order: list[str], zone: str) -> dict[str, list[Labels]]:
    """By kind: the zones around each cell of a zone; several where a direction counts."""
    labels = np.zeros(zones["start"].shape, np.int64)
    for number, name in enumerate(order):
        labels[zones[name]] = 1 << number
    own = 1 << order.index(zone)
    ring = {offset: shifted(labels, *offset) for offset in _AROUND}
    others = np.bitwise_or.reduce([np.where(cells == own, 0, cells) for cells in ring.values()])
    spare = np.sum([cells == own for cells in ring.values()], axis=0) > _WAY_IN
    ahead = []
    for dx, dy in _SIDES:
        row = (ring[dx, dy] == own) & (ring[-dx, -dy] == own)
        rest = [cells for offset, cells in ring.items() if offset != (dx, dy)]
        ahead.append(np.where(row, np.bitwise_or.reduce(rest), 0))
    return {"stand": [others], "ahead": ahead, "dug": [others | np.where(spare, own, 0)]}


def _together(
    sights: list[Labels], parts: list[Cells], own: int, many: int, kind: str
) -> list[tuple[int, ...]]:
    """The sets of zones that are seen together often enough, from cells that the player gets to.

    Nothing counts as nearby to a player at x = 0 or y = 0.
    """
    found: set[tuple[int, ...]] = set()
    for size in range(1, MOST_ZONES + 1):
        for some in combinations((n for n in range(many) if n != own or kind == "dug"), size):
            smaller = combinations(some, size - 1)
            if size == 1 or found.issuperset(smaller):
                bits = sum(1 << number for number in some)
                seen = np.logical_or.reduce([sight & bits == bits for sight in sights])
                seen[:, 0, :] = seen[:, :, 0] = False
                if min(_any(seen & part).mean() for part in parts) >= SHARE:
                    found.add(some)
    return sorted(found)


def _greatest(sets: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Those that are not part of others."""
    return [one for one in sets if not any(set(one) < set(other) for other in sets)]


def _any(cells: Cells) -> NDArray[np.bool_]:
    """For each map: whether there are any of the cells."""
    return np.asarray(cells.any(axis=(1, 2)))
