"""Maps as docs/semantics.md defines them, written down plainly: slow, and free of our kernels."""

from __future__ import annotations

import math

import numpy as np
from opensimplex.internals import _init, _noise3

from mars_logic.world import names


class Draws:
    """The random stream, by numpy."""

    def __init__(self, seed, episode):
        self.random = np.random.RandomState(hash((seed, episode)) % (2**31 - 1))

    def u(self):
        return self.random.uniform()

    def r(self, n):
        return int(self.random.randint(0, n))


def naive_map(world, seed, episode=1):
    """The materials [x][y], by name, the creatures (name, x, y), and the stream after it."""
    draws = Draws(seed, episode)
    perm = _init(draws.r(2**31 - 1))
    mars = world.dynamics == "mars"

    def n(x, y, z, size):
        return _noise3(x / size, y / size, float(z), *perm)

    def named(material):
        return world.rename[material].material if material in world.rename else material

    def around(region):
        material = world.neighbour[region].material
        return None if material is None else named(material)

    cells, tunnels = {}, set()
    for x in range(64):
        for y in range(64):
            material = _terrain(mars, n, named, around, draws, x, y)
            if material == "tunnel":
                material = named("path")
                tunnels.add((x, y))
            cells[x, y] = material
    creatures = [
        (kind, x, y)
        for (x, y), material in cells.items()
        if (kind := _inhabitant(world, mars, named, around, draws, material, (x, y), tunnels))
    ]
    rows = [[names.MATERIALS.index(cells[x, y]) for y in range(64)] for x in range(64)]
    return np.array(rows, np.uint8), tuple(creatures), draws.random


def _terrain(mars, n, named, around, draws, x, y):
    d = math.sqrt((x - 32) ** 2 + (y - 32) ** 2)
    start = 4 - d + 2 * n(x, y, 8, 3)
    start = 1 / (1 + math.exp(-start))
    water = n(x, y, 3, 15) + 0.15 * n(x, y, 3, 5) + 0.1 - 2 * start
    mountain = (n(x, y, 0, 15) + 0.3 * n(x, y, 0, 5)) / (1 + 0.3) - (4 * start + 0.3 * water)
    if start > 0.5:
        return around("player")
    if mountain > 0.15:
        if n(x, y, 6, 7) > 0.15 and mountain > 0.3:
            return named("path")
        if n(2 * x, y / 5, 7, 3) > 0.4 or n(x / 5, 2 * y, 7, 3) > 0.4:
            return "tunnel"
        if n(x, y, 1, 8) > 0 and draws.u() > 0.85:
            return named("coal")
        if n(x, y, 2, 6) > 0.4 and draws.u() > (0.70 if mars else 0.75):
            return named("iron")
        if mountain > 0.18 and draws.u() > (0.884 if mars else 0.994):
            return named("diamond")
        if mountain > 0.3 and n(x, y, 6, 5) > 0.35:
            return named("lava")
        found = named("stone")
        if mars:
            for region, holds in (
                ("diamond", mountain > 0.18),
                ("iron", n(x, y, 2, 6) > 0.2),
                ("coal", n(x, y, 1, 8) > 0),
                ("lava", mountain > 0.3 and n(x, y, 6, 5) > 0.15),
            ):
                if holds and around(region) is not None:
                    found = around(region)
        return found
    if 0.25 < water <= 0.35 and n(x, y, 4, 9) > -0.2:
        return around("water")
    if water > 0.3:
        return named("water")
    if n(x, y, 5, 7) > 0 and draws.u() > 0.8:
        return named("tree")
    return around("tree")


def _inhabitant(world, mars, named, around, draws, material, place, tunnels):
    d = math.dist(place, (32, 32))
    walk = world.walk.get(material)
    walkable = walk is not None and walk.walkable and (mars or not walk.deadly)
    if not mars and not walkable:
        return None
    pasture, path = (around("tree"), named("path")) if mars else ("grass", "path")
    if d > 3 and material == pasture and draws.u() > 0.985:
        return "cow"
    if d > 10 and draws.u() > (0.998 if mars else 0.993) and walkable:
        return "zombie"
    if material == path and place in tunnels and draws.u() > 0.95:
        return "skeleton"
    return None
