"""The balance of creatures: spawns and despawns in each chunk every ten steps.

See docs/semantics.md, "Balance".
"""

from __future__ import annotations

from mars_logic.kernel import inline_kernel, kernel
from mars_logic.sim.board import (
    add_thing,
    distance,
    distance_of,
    kind_at,
    material_at,
    remove_thing,
)
from mars_logic.sim.codes import COW, NONE, OBJECTS, SKELETON, ZOMBIE
from mars_logic.sim.layout import CHUNKS_ACROSS, Env
from mars_logic.sim.stream import below, chance
from mars_logic.sim.tables import Rules
from mars_logic.world import names
from mars_logic.world.dialect import (
    AREA,
    BALANCE,
    CHUNK,
    MOST_COWS,
    MOST_SKELETONS,
    ZOMBIES_AT_NIGHT,
    ZOMBIES_BY_DAY,
    Balance,
)

_NOTHING = Balance("none", 0, 0, 0.0, 0, 0.0)
_BY_KIND = tuple(BALANCE.get(kind, _NOTHING) for kind in OBJECTS[: SKELETON + 1])
_GROUND = tuple(names.MATERIALS.index(each.ground) for each in _BY_KIND)
_ENOUGH = tuple(each.enough for each in _BY_KIND)
_COMING_DISTANCE = tuple(each.coming_distance for each in _BY_KIND)
_COMING_CHANCE = tuple(each.coming_chance for each in _BY_KIND)
_GOING_DISTANCE = tuple(each.going_distance for each in _BY_KIND)
_GOING_CHANCE = tuple(each.going_chance for each in _BY_KIND)


@kernel
def balance(env: Env, rules: Rules, daylight: float) -> None:
    """Balance all chunks that ever contained a thing, in the order of first occupation."""
    zombies = int(ZOMBIES_AT_NIGHT - ZOMBIES_BY_DAY * daylight)
    cows = int(MOST_COWS + daylight)
    for i in range(env.num_known):
        number = int(env.known[i])
        chunk = env.chunks[number]
        grass, path = chunk.grass, chunk.path
        fewest = zombies if grass >= _ENOUGH[ZOMBIE] else 0
        _balance_kind(env, rules, number, ZOMBIE, fewest, zombies)
        fewest = 1 if path >= _ENOUGH[SKELETON] else 0
        _balance_kind(env, rules, number, SKELETON, fewest, MOST_SKELETONS)
        _balance_kind(env, rules, number, COW, 1 if grass >= _ENOUGH[COW] else 0, cows)


@inline_kernel
def _balance_kind(env: Env, rules: Rules, number: int, kind: int, fewest: int, most: int) -> None:
    """Spawn a creature below `fewest` of the kind, or despawn one above `most`."""
    count = int(env.chunks[number].things[kind])
    if count < fewest:
        if chance(env.stream, _COMING_CHANCE[kind]):
            _come(env, rules, number, kind)
    elif count > most and chance(env.stream, _GOING_CHANCE[kind]):
        _go(env, number, kind, count)


@kernel
def _come(env: Env, rules: Rules, number: int, kind: int) -> None:
    """Create a creature in a chunk, unless the cell is taken or too close to the player.

    They spawn on grass, skeletons on path, whatever the world's rules on walking.
    """
    chunk = env.chunks[number]
    space = int(chunk.path if kind == SKELETON else chunk.grass)
    x, y = _nth_cell(env, number, _GROUND[kind], below(env.stream, space))
    if kind_at(env, x, y) == NONE and distance(env, x, y) >= _COMING_DISTANCE[kind]:
        add_thing(env, rules, kind, x, y)


@kernel
def _go(env: Env, number: int, kind: int, count: int) -> None:
    """Remove one of the creatures of a kind in a chunk, unless it is too close to the player."""
    i = _nth_thing(env, number, kind, below(env.stream, count))
    if distance_of(env, i) >= _GOING_DISTANCE[kind]:
        remove_thing(env, i)


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
def _nth_thing(env: Env, chunk: int, kind: int, n: int) -> int:
    """The n-th thing of a kind in a chunk, by when they entered it; there are more than n."""
    i = _first_entered(env, chunk, kind, -1)
    for _ in range(n):
        i = _first_entered(env, chunk, kind, int(env.things[i].entered))
    return i


@kernel
def _first_entered(env: Env, chunk: int, kind: int, after: int) -> int:
    """The thing of a kind in a chunk that entered it first after another one did."""
    first = -1
    for i in range(env.num_things):
        thing = env.things[i]
        if (
            thing.chunk == chunk
            and thing.kind == kind
            and not thing.removed
            and thing.entered > after
            and (first < 0 or thing.entered < env.things[first].entered)
        ):
            first = i
    return first
