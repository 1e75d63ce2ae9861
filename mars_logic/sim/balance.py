"""The balance of creatures: every ten steps each chunk may gain or lose some.

See docs/semantics.md, "Balance".
"""

from __future__ import annotations

from mars_logic.kernel import kernel
from mars_logic.sim.board import add_thing, chunk_of, distance, kind_at, material_at, remove_thing
from mars_logic.sim.codes import AREA, COW, GRASS, NONE, PATH, SKELETON, ZOMBIE
from mars_logic.sim.layout import CHUNK, CHUNKS_ACROSS, Env, Thing
from mars_logic.sim.stream import below, uniform
from mars_logic.sim.tables import Rules

PERIOD = 10
"""Steps from one balance to the next."""

# By kind:             none  player  cow   zombie  skeleton
_GROUND = (NONE, NONE, GRASS, GRASS, PATH)
_COMING_DISTANCE = (0, 0, 5, 6, 7)
_COMING_CHANCE = (0.0, 0.0, 0.01, 0.3, 0.1)
_GOING_DISTANCE = (0, 0, 5, 0, 7)
_GOING_CHANCE = (0.0, 0.0, 0.1, 0.4, 0.1)


@kernel
def balance(env: Env, rules: Rules, daylight: float) -> None:
    """Balance all chunks that ever had something in them, in the order of when that began."""
    zombies = int(3.5 - 3 * daylight)
    cows = int(1.5 + daylight)
    for i in range(env.num_chunks):
        chunk = int(env.chunks[i])
        grass = env.chunk_grass[chunk]
        path = env.chunk_path[chunk]
        _balance_kind(env, rules, chunk, ZOMBIE, zombies if grass >= 50 else 0, zombies)
        _balance_kind(env, rules, chunk, SKELETON, 1 if path >= 6 else 0, 2)
        _balance_kind(env, rules, chunk, COW, 1 if grass >= 30 else 0, cows)


@kernel
def _balance_kind(env: Env, rules: Rules, chunk: int, kind: int, fewest: int, most: int) -> None:
    """Create a creature where there are fewer than `fewest`, remove one above `most`.

    Neither happens too close to the player. Creatures appear on grass, skeletons on path, whatever
    the world's rules call walkable.
    """
    number = int(env.chunk_things[chunk, kind])
    if number < fewest and uniform(env.stream) < _COMING_CHANCE[kind]:
        space = env.chunk_path[chunk] if kind == SKELETON else env.chunk_grass[chunk]
        x, y = _nth_cell(env, chunk, _GROUND[kind], below(env.stream, int(space)))
        if kind_at(env, x, y) == NONE and distance(env, x, y) >= _COMING_DISTANCE[kind]:
            add_thing(env, rules, kind, x, y)
    elif number > most and uniform(env.stream) < _GOING_CHANCE[kind]:
        thing = _nth_thing(env, chunk, kind, below(env.stream, number))
        if distance(env, thing.x, thing.y) >= _GOING_DISTANCE[kind]:
            remove_thing(env, thing)


@kernel
def _nth_cell(env: Env, chunk: int, ground: int, n: int) -> tuple[int, int]:
    """The n-th cell of a material in a chunk, column by column; there are more than n."""
    left = (chunk // CHUNKS_ACROSS) * CHUNK
    top = (chunk % CHUNKS_ACROSS) * CHUNK
    for x in range(left, min(left + CHUNK, AREA)):
        for y in range(top, min(top + CHUNK, AREA)):
            if material_at(env, x, y) == ground:
                if n == 0:
                    return x, y
                n -= 1
    return left, top  # not reached


@kernel
def _nth_thing(env: Env, chunk: int, kind: int, n: int) -> Thing:
    """The n-th thing of a kind in a chunk, by when they entered it; there are more than n."""
    thing = _first_entered(env, chunk, kind, -1)
    for _ in range(n):
        thing = _first_entered(env, chunk, kind, int(thing.entered))
    return thing


@kernel
def _first_entered(env: Env, chunk: int, kind: int, after: int) -> Thing:
    """The thing of a kind in a chunk that entered it first after another one did."""
    first = -1
    for i in range(env.num_things):
        thing = env.things[i]
        if (
            thing.kind == kind
            and not thing.removed
            and thing.entered > after
            and chunk_of(thing.x, thing.y) == chunk
            and (first < 0 or thing.entered < env.things[first].entered)
        ):
            first = i
    return env.things[first]
