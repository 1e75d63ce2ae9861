"""The map and its things: cells, chunks, and the creation, removal and movement of things.

Every change of a cell goes through this module, which keeps the derived fields of the record.
See docs/semantics.md, "Things and chunks".
"""

from __future__ import annotations

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.sim.codes import GRASS, NONE, PATH, PLAYER
from mars_logic.sim.layout import BORDER, CHUNKS_ACROSS, NUM_CHUNKS, REMOVED, Env, Player, Thing
from mars_logic.sim.rules_record import Rules
from mars_logic.sim.vectors import BYTES, LANES, bits_equal, bits_near, count_bits, lowest_bit
from mars_logic.world.dialect import AREA, CHUNK

_FARTHEST = 2 * AREA - 1
_SIDE = AREA + 2 * BORDER
_PARTS = AREA * (AREA // LANES)
"""Parts of a map, LANES rows of a column, that are searched at once; a byte holds a number of one.

They are numbered row by row: its lowest bits are the column, and those above it the row.
"""
_LAST = AREA - 1
_ROW = AREA.bit_length() - 1
OLDEST = 255
"""The greatest age of a cell that is counted."""
OTHERS = 15
"""What the first layer of a wide record holds for materials with this code and all above."""


@inline_kernel
def cell_number(column: int, row: int) -> int:
    """The number of a cell in ``env.cells``, border included, as one sequence of bytes."""
    return column * _SIDE + row


@inline_kernel
def material_at(env: Env, x: int, y: int) -> int:
    """The material of a cell, NONE outside the map."""
    if is_wide(env):
        return int(env.marks[x + BORDER, y + BORDER])
    return int(env.cells[x + BORDER, y + BORDER] & 15)


@inline_kernel
def kind_at(env: Env, x: int, y: int) -> int:
    """The kind of thing on a cell, NONE if it is empty."""
    return int(env.cells[x + BORDER, y + BORDER] >> 4)


@inline_kernel
def _set_kind(env: Env, x: int, y: int, kind: int) -> None:
    env.cells[x + BORDER, y + BORDER] = (env.cells[x + BORDER, y + BORDER] & 15) | (kind << 4)


@inline_kernel
def is_traced(env: Env) -> bool:
    """Whether the map has a layer of marks.

    The record's type decides it, so that the compiler leaves out what follows where there is none.
    """
    return len(env.marks) == _SIDE


@inline_kernel
def is_wide(env: Env) -> bool:
    """Whether the world adds names, so that a second layer holds the materials; by the type."""
    return len(env.marks) > _SIDE


@inline_kernel
def is_timed(env: Env) -> bool:
    """Whether the world has timers, so that the age of each cell is known; by the type."""
    return len(env.marks) == 2 * _SIDE


@inline_kernel
def age_of(env: Env, x: int, y: int) -> int:
    """Steps in which the world changed since a cell got its material; only with timers."""
    return int(env.marks[_SIDE + x + BORDER, y + BORDER])


@inline_kernel
def set_age(env: Env, x: int, y: int, age: int) -> None:
    """Change the age of a cell, where there are timers; it is at most OLDEST."""
    if is_timed(env):
        env.marks[_SIDE + x + BORDER, y + BORDER] = min(age, OLDEST)


@inline_kernel
def nibble_of(material: int) -> int:
    """What the first layer holds of a material; those from OTHERS on are alike in it."""
    return min(material, OTHERS)


@inline_kernel
def mark_at(env: Env, x: int, y: int) -> int:
    """The mark of a cell; only where :func:`is_traced`."""
    return int(env.marks[x + BORDER, y + BORDER])


@inline_kernel
def set_mark(env: Env, x: int, y: int, mark: int) -> None:
    """Change the mark of a cell, where there are marks."""
    if is_traced(env):
        env.marks[x + BORDER, y + BORDER] = mark


@inline_kernel
def chunk_of(x: int, y: int) -> int:
    """The number of a cell's chunk."""
    return (x // CHUNK) * CHUNKS_ACROSS + y // CHUNK


@kernel
def set_material(env: Env, x: int, y: int, material: int) -> None:
    """Change the material of a cell; a thing on it stays."""
    chunk = env.chunks[chunk_of(x, y)]
    before = material_at(env, x, y)
    chunk.grass += (material == GRASS) - (before == GRASS)
    chunk.path += (material == PATH) - (before == PATH)
    if is_wide(env):
        env.cells[x + BORDER, y + BORDER] += nibble_of(material) - nibble_of(before)
        env.marks[x + BORDER, y + BORDER] = material
        set_age(env, x, y, 0)
    else:
        env.cells[x + BORDER, y + BORDER] += material - before


@kernel
def copy_materials(env: Env) -> None:
    """Fill the layer of materials from the first layer, where a world has both."""
    for x in range(AREA):
        for y in range(AREA):
            env.marks[x + BORDER, y + BORDER] = env.cells[x + BORDER, y + BORDER] & 15


@kernel
def count_ground(env: Env) -> None:
    """Count the grass and path of each chunk, after all cells have changed."""
    for number in range(NUM_CHUNKS):
        left, top = corner_of(number)
        grass = 0
        path = 0
        for x in range(left, min(left + CHUNK, AREA)):
            grass += count_bits(_column_of(env, x, top, GRASS))
            path += count_bits(_column_of(env, x, top, PATH))
        chunk = env.chunks[number]
        chunk.grass = grass
        chunk.path = path


@kernel
def is_left(env: Env, material: int, goal: int) -> bool:
    """Whether any cell of the map has a material; only in wide records.

    Where a goal's material was found last is looked at first: a search of the map would read some
    sixty lines of memory in each step. It is kept in a column of the marks that holds no cells.

    Args:
        env: The environment.
        material: The material.
        goal: The number of the goal that asks.
    """
    for number in range(-1, _PARTS):
        part = number if number >= 0 else int(env.marks[_SIDE, goal])
        first = cell_number((part & _LAST) + BORDER, (part >> _ROW) * LANES + BORDER)
        if bits_equal(env.marks, first, 255, material):
            env.marks[_SIDE, goal] = part
            return True
    return False


@inline_kernel
def corner_of(chunk: int) -> tuple[int, int]:
    """The first cell of a chunk."""
    return chunk // CHUNKS_ACROSS * CHUNK, chunk % CHUNKS_ACROSS * CHUNK


@inline_kernel
def _column_of(env: Env, x: int, top: int, material: int) -> int:
    """The cells of a material in a column of a chunk, as bits; beyond the map there are none."""
    first = cell_number(x + BORDER, top + BORDER)
    return int(bits_equal(env.cells, first, 15, material) & ((1 << CHUNK) - 1))


@kernel
def nth_cell(env: Env, chunk: int, material: int, n: int) -> tuple[int, int]:
    """The n-th cell of a material in a chunk, column by column; there are more than n."""
    left, top = corner_of(chunk)
    for x in range(left, min(left + CHUNK, AREA)):
        column = _column_of(env, x, top, material)
        count = count_bits(column)
        if n < count:
            for _ in range(n):
                column &= column - 1
            return x, top + lowest_bit(column)
        n -= count
    return left, top  # not reached


@inline_kernel
def is_free(env: Env, x: int, y: int, materials: int) -> bool:
    """Whether a cell is empty and its material is in the set."""
    cell = int(env.cells[x + BORDER, y + BORDER])
    if is_wide(env):
        return cell < 16 and (materials >> material_at(env, x, y)) & 1 != 0
    # Values below 16 mean an empty cell; cells around the map are 0, which is in no set.
    return cell < 16 and (materials >> cell) & 1 != 0


@kernel
def add_thing(env: Env, rules: Rules, kind: int, x: int, y: int) -> int:
    """Put a new thing on an empty cell, after all others in the order of creation; its number.

    Precondition: room in the record, which the simulator ensures before each step and reset.
    """
    i = env.num_things
    env.num_things += 1
    env.thing_x[i] = x
    env.thing_y[i] = y
    thing = env.things[i]
    thing.kind = kind
    thing.health = rules.health_at_first[kind]
    thing.cooldown = rules.cooldown_at_first[kind]
    thing.reload = 0
    thing.facing_x = 0
    thing.facing_y = 0
    thing.arrow_factor = 0
    thing.grown = 0
    _set_kind(env, x, y, kind)
    _enter_chunk(env, thing, chunk_of(x, y))
    return int(i)


@inline_kernel
def is_removed(thing: Thing) -> bool:
    """Whether a thing was taken off the map in this step."""
    return bool(thing.chunk == REMOVED)


@kernel
def remove_thing(env: Env, i: int) -> None:
    """Take a thing off the map; its record stays readable until the end of the step."""
    thing = env.things[i]
    if is_removed(thing):
        return
    env.num_removed += 1
    _set_kind(env, env.thing_x[i], env.thing_y[i], NONE)
    env.chunks[thing.chunk].things[thing.kind] -= 1
    thing.chunk = REMOVED


@kernel
def forget_removed(env: Env) -> None:
    """Close the gaps that removed things left, keeping the order of the others."""
    if env.num_removed == 0:
        return
    kept = 0
    for i in range(env.num_things):
        if not is_removed(env.things[i]):
            if kept < i:
                env.things[kept] = env.things[i]
                env.thing_x[kept] = env.thing_x[i]
                env.thing_y[kept] = env.thing_y[i]
            kept += 1
    env.num_things = kept
    env.num_removed = 0


@kernel
def number_at(env: Env, x: int, y: int) -> int:
    """The number of the thing on a cell that holds a creature, arrow or plant."""
    for i in range(env.num_things):
        if env.thing_x[i] == x and env.thing_y[i] == y and not is_removed(env.things[i]):
            return i
    return 0  # not reached


@inline_kernel
def thing_at(env: Env, x: int, y: int) -> Thing:
    """The thing on a cell that holds a creature, arrow or plant."""
    return env.things[number_at(env, x, y)]


@inline_kernel
def near_among(env: Env, first: int, end: int, horizon: int) -> int:
    """The things within a horizon around the player, among BYTES from a first one on, as bits.

    Nearness is unpredictable, and a mispredicted branch costs more than testing ten things. All are
    therefore tested at once, and a loop over the bits does the rest.

    Args:
        env: The environment.
        first: The thing of bit 0.
        end: Things from this one on are not asked for.
        horizon: Things at a smaller distance are near.
    """
    player = env.player
    limit = min(horizon, _FARTHEST)
    bits = bits_near(env.thing_x, env.thing_y, first, int(player.x), int(player.y), limit)
    return int(bits & ((1 << (end - first)) - 1)) if end - first < BYTES else int(bits)


@inline_kernel
def move(env: Env, rules: Rules, i: int, dx: int, dy: int) -> bool:
    """Move a thing by one cell if that is free; return whether it was.

    A removed thing stays, and the result is true all the same.
    """
    thing = env.things[i]
    x = env.thing_x[i] + dx
    y = env.thing_y[i] + dy
    if not is_free(env, x, y, rules.walkable[thing.kind]):
        return False
    if not is_removed(thing):
        _set_kind(env, env.thing_x[i], env.thing_y[i], NONE)
        env.thing_x[i] = x
        env.thing_y[i] = y
        _arrive(env, thing, x, y)
    return True


@inline_kernel
def move_player(env: Env, rules: Rules, dx: int, dy: int) -> None:
    """Move the player by one cell if that is free."""
    player = env.player
    x = player.x + dx
    y = player.y + dy
    if is_free(env, x, y, rules.walkable[PLAYER]):
        _set_kind(env, player.x, player.y, NONE)
        player.x = x
        player.y = y
        _arrive(env, player, x, y)


@inline_kernel
def _arrive(env: Env, mover: Thing | Player, x: int, y: int) -> None:
    """Update the player's cell, and its chunk if that changes."""
    _set_kind(env, x, y, mover.kind)
    number = chunk_of(x, y)
    if number != mover.chunk:
        env.chunks[mover.chunk].things[mover.kind] -= 1
        _enter_chunk(env, mover, number)


@inline_kernel
def _enter_chunk(env: Env, mover: Thing | Player, number: int) -> None:
    """Balance this chunk from now on; the mover becomes the last in its order."""
    chunk = env.chunks[number]
    if not chunk.known:
        chunk.known = True
        env.known[env.num_known] = number
        env.num_known += 1
    chunk.things[mover.kind] += 1
    mover.chunk = number
    mover.entered = env.next_entered
    env.next_entered += 1


@kernel
def remove_player(env: Env) -> None:
    """Take the player off the map."""
    player = env.player
    player.gone = True
    _set_kind(env, player.x, player.y, NONE)
    env.chunks[player.chunk].things[PLAYER] -= 1


@kernel
def add_player(env: Env) -> None:
    """Put the player on its cell; it comes before all things."""
    player = env.player
    player.kind = PLAYER
    _set_kind(env, player.x, player.y, PLAYER)
    _enter_chunk(env, player, chunk_of(player.x, player.y))


@inline_kernel
def distance(env: Env, x: int, y: int) -> int:
    """Steps between a cell and the player, not counting obstacles."""
    return int(abs(env.player.x - x) + abs(env.player.y - y))


@inline_kernel
def distance_of(env: Env, i: int) -> int:
    """Steps between a thing and the player."""
    return distance(env, env.thing_x[i], env.thing_y[i])


@inline_kernel
def toward_player(env: Env, i: int, long_axis: bool) -> tuple[int, int]:
    """The direction from a thing to the player along the longer or the shorter of the two axes.

    Along an axis on which there is no distance it is (0, 0).
    """
    dx = env.player.x - env.thing_x[i]
    dy = env.player.y - env.thing_y[i]
    longer_is_x = abs(dx) > abs(dy)
    if longer_is_x == long_axis:
        return (dx > 0) - (dx < 0), 0
    return 0, (dy > 0) - (dy < 0)


@inline_kernel
def direction(code: int) -> tuple[int, int]:
    """Directions by number: left, right, up, down."""
    return (code == 1) - (code == 0), (code == 3) - (code == 2)
