"""The generation of a map: terrain first, then its first inhabitants.

See docs/semantics.md, "The map". The order of tests is the order of random draws, so it cannot be
changed; noise draws nothing and is computed where it is needed.
"""

from __future__ import annotations

import math

from mars_logic.kernel import kernel
from mars_logic.sim.board import add_thing, material_at, set_material
from mars_logic.sim.codes import (
    AREA,
    CENTRE,
    COAL,
    COW,
    DIAMOND,
    GRASS,
    IRON,
    LAVA,
    NONE,
    PATH,
    SKELETON,
    STONE,
    TREE,
    WATER,
    ZOMBIE,
)
from mars_logic.sim.layout import BORDER, Env
from mars_logic.sim.noise import (
    Permutation,
    mountain_noise,
    noise,
    permutation,
    water_noise,
)
from mars_logic.sim.stream import below, uniform
from mars_logic.sim.tables import REGION, Rules

_AROUND_PLAYER = REGION["player"]
_AROUND_WATER = REGION["water"]
_AROUND_TREE = REGION["tree"]
_AROUND_COAL = REGION["coal"]
_AROUND_IRON = REGION["iron"]
_AROUND_DIAMOND = REGION["diamond"]
_AROUND_LAVA = REGION["lava"]

_TUNNEL = 128
"""Marks the cells of tunnels between the two passes: a bit that cells do not use otherwise."""


@kernel
def generate(env: Env, rules: Rules) -> bool:
    """Fill an empty map; the player is on it already.

    Returns:
        Whether there was room for all creatures. If not, the map is of no use.
    """
    perm = permutation(below(env.stream, 2147483647))
    for x in range(AREA):
        for y in range(AREA):
            material, tunnel = _terrain(env, rules, perm, x, y)
            set_material(env, x, y, material)
            if tunnel:
                env.cells[x + BORDER, y + BORDER] |= _TUNNEL
    for x in range(AREA):
        for y in range(AREA):
            tunnel = env.cells[x + BORDER, y + BORDER] & _TUNNEL != 0
            env.cells[x + BORDER, y + BORDER] &= _TUNNEL - 1
            kind = _inhabitant(env, rules, x, y, tunnel)
            if kind != NONE:
                if env.num_things == len(env.things):
                    return False
                add_thing(env, rules, kind, x, y)
    return True


@kernel
def _from_centre(x: int, y: int) -> float:
    return math.sqrt(float((x - CENTRE) ** 2 + (y - CENTRE) ** 2))


@kernel
def _terrain(env: Env, rules: Rules, perm: Permutation, x: int, y: int) -> tuple[int, bool]:
    """The material of a cell, and whether the cell is a tunnel."""
    start = 4 - _from_centre(x, y) + 2 * noise(perm, x, y, 8.0, 3.0)
    start = 1 / (1 + math.exp(-start))
    if start > 0.5:
        return rules.around[_AROUND_PLAYER], False
    water = water_noise(perm, x, y) + 0.1 - 2 * start
    mountain = mountain_noise(perm, x, y) - (4 * start + 0.3 * water)
    if mountain > 0.15:
        return _mountain(env, rules, perm, x, y, mountain)
    if 0.25 < water <= 0.35 and noise(perm, x, y, 4.0, 9.0) > -0.2:
        return rules.around[_AROUND_WATER], False
    if water > 0.3:
        return rules.rename[WATER], False
    if noise(perm, x, y, 5.0, 7.0) > 0 and uniform(env.stream) > 0.8:
        return rules.rename[TREE], False
    return rules.around[_AROUND_TREE], False


@kernel
def _mountain(
    env: Env, rules: Rules, perm: Permutation, x: int, y: int, mountain: float
) -> tuple[int, bool]:
    if noise(perm, x, y, 6.0, 7.0) > 0.15 and mountain > 0.3:  # a cave
        return rules.rename[PATH], False
    if noise(perm, 2.0 * x, y / 5, 7.0, 3.0) > 0.4:  # a horizontal tunnel
        return rules.rename[PATH], True
    if noise(perm, x / 5, 2.0 * y, 7.0, 3.0) > 0.4:  # a vertical tunnel
        return rules.rename[PATH], True
    if noise(perm, x, y, 1.0, 8.0) > 0 and uniform(env.stream) > 0.85:
        return rules.rename[COAL], False
    rare_iron, rare_diamond = (0.70, 0.884) if rules.mars else (0.75, 0.994)
    if noise(perm, x, y, 2.0, 6.0) > 0.4 and uniform(env.stream) > rare_iron:
        return rules.rename[IRON], False
    if mountain > 0.18 and uniform(env.stream) > rare_diamond:
        return rules.rename[DIAMOND], False
    if mountain > 0.3 and noise(perm, x, y, 6.0, 5.0) > 0.35:
        return rules.rename[LAVA], False
    if rules.mars:
        return _around_ores(rules, perm, x, y, mountain), False
    return rules.rename[STONE], False


@kernel
def _around_ores(rules: Rules, perm: Permutation, x: int, y: int, mountain: float) -> int:
    """Stone, or what the neighbour rules put around coal, iron, diamonds and lava.

    Where several apply, the last in the order diamond, iron, coal, lava counts.
    """
    material = rules.rename[STONE]
    if rules.around[_AROUND_DIAMOND] != NONE and mountain > 0.18:
        material = rules.around[_AROUND_DIAMOND]
    if rules.around[_AROUND_IRON] != NONE and noise(perm, x, y, 2.0, 6.0) > 0.2:
        material = rules.around[_AROUND_IRON]
    if rules.around[_AROUND_COAL] != NONE and noise(perm, x, y, 1.0, 8.0) > 0:
        material = rules.around[_AROUND_COAL]
    if rules.around[_AROUND_LAVA] != NONE and mountain > 0.3 and noise(perm, x, y, 6.0, 5.0) > 0.15:
        material = rules.around[_AROUND_LAVA]
    return int(material)


@kernel
def _inhabitant(env: Env, rules: Rules, x: int, y: int, tunnel: bool) -> int:
    """The kind of creature that a cell starts with."""
    material = material_at(env, x, y)
    ground = (rules.spawn_ground >> material) & 1 != 0
    if not rules.mars and not ground:
        return NONE
    far = _from_centre(x, y)
    pasture = rules.around[_AROUND_TREE] if rules.mars else GRASS
    if far > 3 and material == pasture and uniform(env.stream) > 0.985:
        return COW
    rare_zombie = 0.998 if rules.mars else 0.993
    # In mars the draw comes before the look at the ground (in crafter, that was done above).
    if far > 10 and uniform(env.stream) > rare_zombie and ground:
        return ZOMBIE
    cave = rules.rename[PATH] if rules.mars else PATH
    if material == cave and tunnel and uniform(env.stream) > 0.95:
        return SKELETON
    return NONE
