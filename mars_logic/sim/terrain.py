"""Map generation: terrain first, then the initial creatures.

See docs/semantics.md, "The map". The order of tests is the order of random draws and therefore
fixed; noise needs no draws, so its facts about each cell are computed beforehand.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.sim.board import add_thing, cell_number, copy_materials, count_ground, is_wide
from mars_logic.sim.codes import (
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
from mars_logic.sim.layout import BORDER, Env, Stream
from mars_logic.sim.noise import permutation
from mars_logic.sim.noise_grid import Lattice
from mars_logic.sim.rules_record import REGION, Rules
from mars_logic.sim.stream import PAIRS, below, exceeds, first_word_limit, pass_pairs
from mars_logic.sim.terrain_features import (
    CAVES,
    COAL_VEIN,
    DEEP,
    FERTILE,
    HIGH,
    HIGHEST,
    HOT,
    IN_START,
    IRON_VEIN,
    MOUNTAIN,
    NEAR_IRON,
    NEAR_LAVA,
    SHALLOW,
    SHORE,
    TUNNEL,
    find_facts,
)
from mars_logic.sim.vectors import LANES, bits_equal, count_bits, lowest_bit
from mars_logic.world.dialect import AREA, CENTRE

Material = Any
"""In annotations: the code of a material."""
Facts = Any
"""In annotations: the facts of all cells, of ``terrain_features.find_facts``."""

Visited = Any
"""In annotations: int64[64]: cells of each column as bits."""

_MATERIAL = 15
_EVERY_MATERIAL = (1 << 16) - 1
_AROUND_PLAYER = REGION["player"]
_AROUND_WATER = REGION["water"]
_AROUND_TREE = REGION["tree"]
_AROUND_COAL = REGION["coal"]
_AROUND_IRON = REGION["iron"]
_AROUND_DIAMOND = REGION["diamond"]
_AROUND_LAVA = REGION["lava"]

_TUNNEL = 128
"""Mark of tunnel cells between the two passes: an otherwise unused bit of a cell."""
_COW_LIMIT = 0.985
_DRAWN = 64
"""Mark of cells whose material needs a draw, or depends on ores nearby."""

_BEACH = SHALLOW | SHORE
_CAVE = CAVES | HIGHEST
_MAYBE_ORE = COAL_VEIN | NEAR_IRON | HIGH
"""Facts of mountains of which one holds wherever there is anything else than stone or a path."""


@kernel
def generate(env: Env, rules: Rules, lattice: Lattice) -> bool:
    """Fill an empty map; the player is on it already.

    Returns:
        Whether there was room for all creatures. If false, the map is invalid.
    """
    perm = permutation(below(env.stream, 2147483647))
    facts = find_facts(perm, lattice)
    visited = np.empty(AREA, np.int64)
    add_terrain(env, rules, facts, visited)
    count_ground(env)
    fits = add_inhabitants(env, rules, visited)
    if is_wide(env):
        copy_materials(env)
    return fits


@kernel
def add_terrain(env: Env, rules: Rules, facts: Facts, visited: Visited) -> None:
    """Fill an empty map with materials, and marks of tunnels.

    Most cells need no draw: their materials are found for all at once, without branches.

    Args:
        env: The environment.
        rules: The rules of its world.
        facts: uint32[64, 64]: the facts of each cell [x, y].
        visited: int64[64]: to be filled with the cells of each column, as bits, that matter to
            inhabitants: where terrain is fixed, those that some can walk on.
    """
    ground = int(rules.spawn_ground) if rules.fixed_terrain else _EVERY_MATERIAL
    materials = np.empty(AREA * AREA, np.uint8)
    _add_undrawn(materials, facts.reshape(-1), rules)
    for x in range(AREA):
        drawn = _bits_of(materials, x * AREA, _DRAWN)
        while drawn:
            y = lowest_bit(drawn)
            drawn &= drawn - 1
            its = int(facts[x, y])
            if its & MOUNTAIN:
                materials[x * AREA + y] = _mountain(env.stream, rules, its)
            else:
                materials[x * AREA + y] = _fertile(env.stream, rules)
        for y in range(AREA):
            env.cells[x + BORDER, y + BORDER] |= materials[x * AREA + y]
        visited[x] = _ground_of(materials, x * AREA, ground)


@kernel
def _add_undrawn(materials: Material, facts: Facts, rules: Rules) -> None:
    """The materials of all cells that need no draw, or else a mark.

    See docs/semantics.md, "The map": the last that applies counts here, the first one there.
    """
    start, shore = rules.around[_AROUND_PLAYER], rules.around[_AROUND_WATER]
    water, plain = rules.rename[WATER], rules.around[_AROUND_TREE]
    stone, path = rules.rename[STONE], rules.rename[PATH]
    for cell in range(AREA * AREA):
        its = facts[cell]
        mountain = _DRAWN if its & _MAYBE_ORE else stone
        mountain = path | _TUNNEL if its & TUNNEL else mountain
        mountain = path if its & _CAVE == _CAVE else mountain
        below = _DRAWN if its & FERTILE else plain
        below = water if its & DEEP else below
        below = shore if its & _BEACH == _BEACH else below
        below = mountain if its & MOUNTAIN else below
        materials[cell] = start if its & IN_START else below


@inline_kernel
def _bits_of(materials: Material, first: int, mark: int) -> int:
    """The cells of a column with a mark, as bits."""
    bits = 0
    for part in range(0, AREA, LANES):
        bits |= bits_equal(materials, first + part, mark, mark) << part
    return bits


@inline_kernel
def _ground_of(materials: Material, first: int, ground: int) -> int:
    """The cells of a column whose material is in a set, as bits."""
    bits = 0
    while ground:
        material = lowest_bit(ground)
        ground &= ground - 1
        for part in range(0, AREA, LANES):
            bits |= bits_equal(materials, first + part, _MATERIAL, material) << part
    return bits


@inline_kernel
def _fertile(stream: Stream, rules: Rules) -> Material:
    """A tree, or the ground between trees."""
    tree = exceeds(stream, 0.8)
    if tree and rules.other_tree != NONE and not exceeds(stream, rules.share_of_other_tree):
        return rules.other_tree
    return rules.rename[TREE] if tree else rules.around[_AROUND_TREE]


@kernel
def _mountain(stream: Stream, rules: Rules, facts: int) -> Material:
    """The material of a mountain's cell that is neither a cave's nor a tunnel's."""
    if facts & COAL_VEIN and exceeds(stream, 0.85):
        return rules.rename[COAL]
    if facts & IRON_VEIN and exceeds(stream, rules.iron_limit):
        return rules.rename[IRON]
    if facts & HIGH and exceeds(stream, rules.diamond_limit):
        return rules.rename[DIAMOND]
    if facts & HIGHEST and facts & HOT:
        return rules.rename[LAVA]
    if not rules.fixed_terrain:
        return _around_ores(rules, facts)
    return rules.rename[STONE]


@kernel
def _around_ores(rules: Rules, facts: int) -> Material:
    """Stone, or the neighbour rules' material around coal, iron, diamonds and lava.

    Of several applicable rules, the last in the order diamond, iron, coal, lava counts.
    """
    material = rules.rename[STONE]
    if rules.around[_AROUND_DIAMOND] != NONE and facts & HIGH:
        material = rules.around[_AROUND_DIAMOND]
    if rules.around[_AROUND_IRON] != NONE and facts & NEAR_IRON:
        material = rules.around[_AROUND_IRON]
    if rules.around[_AROUND_COAL] != NONE and facts & COAL_VEIN:
        material = rules.around[_AROUND_COAL]
    if rules.around[_AROUND_LAVA] != NONE and facts & HIGHEST and facts & NEAR_LAVA:
        material = rules.around[_AROUND_LAVA]
    return material


@inline_kernel
def _column_of(env: Env, x: int, material: int) -> int:
    """The cells of a column that hold a material, and no mark nor object, as bits."""
    bits = 0
    first = cell_number(x + BORDER, BORDER)
    for part in range(0, AREA, LANES):
        bits |= bits_equal(env.cells, first + part, 255, material) << part
    return bits


_FAR_FROM_CENTRE: Final = np.array(
    [
        sum(1 << y for y in range(AREA) if (x - CENTRE) ** 2 + (y - CENTRE) ** 2 > 10**2)
        for x in range(AREA)
    ],
    np.uint64,
).view(np.int64)
"""int64[64]: the cells of each column on which zombies may start, as bits."""


@kernel
def add_inhabitants(env: Env, rules: Rules, visited: Visited) -> bool:
    """Put creatures on the map and take off the marks; return whether there was room for all."""
    pasture = GRASS if rules.fixed_terrain else rules.around[_AROUND_TREE]
    cave = PATH if rules.fixed_terrain else rules.rename[PATH]
    cow_limit = first_word_limit(_COW_LIMIT)
    zombie_limit = first_word_limit(rules.zombie_limit) if rules.other_agents else 0
    for x in range(AREA):
        left = visited[x]
        plain = _FAR_FROM_CENTRE[x] & _column_of(env, x, pasture) if rules.other_agents else 0
        while left:
            other = left & ~plain
            run = left & ((other & -other) - 1)
            while run and count_bits(run) >= PAIRS:
                empty = pass_pairs(env.stream, cow_limit, zombie_limit)
                for _ in range(empty):  # neither a cow nor a zombie on any of them
                    run &= run - 1
                    left &= left - 1
                if empty < PAIRS:
                    break
            if left == 0:
                break
            y = lowest_bit(left)
            left &= left - 1
            cell = env.cells[x + BORDER, y + BORDER]
            material = cell & 15
            from_centre = (x - CENTRE) ** 2 + (y - CENTRE) ** 2  # squared
            walkable = (rules.spawn_ground >> material) & 1 != 0
            kind = NONE
            if material == pasture and from_centre > 3**2 and exceeds(env.stream, _COW_LIMIT):
                kind = COW
            # The draw comes before the test of the ground, which only free terrain can fail.
            elif not rules.other_agents:
                continue
            elif from_centre > 10**2 and exceeds(env.stream, rules.zombie_limit) and walkable:
                kind = ZOMBIE
            elif material == cave and cell & _TUNNEL and exceeds(env.stream, 0.95):
                kind = SKELETON
            if kind != NONE:
                if env.num_things == len(env.things):
                    return False
                add_thing(env, rules, kind, x, y)
    for column in range(BORDER, AREA + BORDER):
        for row in range(BORDER, AREA + BORDER):
            env.cells[column, row] &= _TUNNEL - 1
    return True
