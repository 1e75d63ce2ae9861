"""The balance of creatures: spawns and despawns in each chunk every ten steps.

See docs/semantics.md, "Balance".
"""

from __future__ import annotations

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.sim.board import (
    add_thing,
    corner_of,
    distance,
    distance_of,
    kind_at,
    material_at,
    nth_cell,
    remove_thing,
)
from mars_logic.sim.codes import COW, NONE, OBJECTS, SKELETON, ZOMBIE
from mars_logic.sim.layout import Chunk, Env
from mars_logic.sim.rules_record import WIDE_KINDS, Rules
from mars_logic.sim.stream import below, chance
from mars_logic.sim.vectors import lowest_bit
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

_ORDER = (ZOMBIE, SKELETON, COW)
"""The kinds that are balanced in a chunk, one after the other."""
_KINDS = len(_ORDER)
_AT_ONCE = 21
"""Chunks whose kinds have a bit each in one integer."""
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
    """Balance all chunks that ever contained a thing, in the order of first occupation.

    Most chunks have neither too few nor too many of a kind. Which have is found without branches;
    balancing one kind in one chunk changes neither for any other.
    """
    zombies = int(ZOMBIES_AT_NIGHT - ZOMBIES_BY_DAY * daylight)
    cows = int(MOST_COWS + daylight)
    for first in range(0, env.num_known, _AT_ONCE):
        last = min(first + _AT_ONCE, env.num_known)
        unbalanced = 0
        for i in range(last - first):
            chunk = env.chunks[env.known[first + i]]
            meadow = chunk.grass >= _ENOUGH[COW]
            least = zombies * int(chunk.grass >= _ENOUGH[ZOMBIE])
            found = _is_outside(chunk, ZOMBIE, least, zombies)
            least = int(chunk.path >= _ENOUGH[SKELETON])
            found |= _is_outside(chunk, SKELETON, least, MOST_SKELETONS) << 1
            found |= _is_outside(chunk, COW, int(meadow), cows) << 2
            unbalanced |= found << (_KINDS * i)
        while unbalanced:
            place = lowest_bit(unbalanced)
            unbalanced &= unbalanced - 1
            number = int(env.known[first + place // _KINDS])
            _balance_kind(env, rules, number, _ORDER[place % _KINDS], zombies, cows)


@kernel
def balance_added(env: Env, rules: Rules, daylight: float) -> None:
    """Balance the kinds that a world adds, kind by kind, in the same order of chunks."""
    for kind in range(rules.first_coming, WIDE_KINDS):
        if not rules.coming[kind]:
            continue
        night, day = rules.coming_night[kind], rules.coming_day[kind]
        most = int(night + (day - night) * daylight)
        for i in range(env.num_known):
            number = int(env.known[i])
            count = int(env.chunks[number].things[kind])
            fewest = most if rules.coming_fewest[kind] < 0 else int(rules.coming_fewest[kind])
            if count > most:
                if chance(env.stream, rules.going_chance[kind]):
                    _go(env, number, kind, count, int(rules.going_distance[kind]))
            elif count < fewest:
                space = _cells_of(env, number, int(rules.coming_ground[kind]))
                if space >= rules.coming_enough[kind] and chance(
                    env.stream, rules.coming_chance[kind]
                ):
                    _come_added(env, rules, number, kind, below(env.stream, space))


@kernel
def _cells_of(env: Env, chunk: int, material: int) -> int:
    """The number of cells of a material in a chunk."""
    left, top = corner_of(chunk)
    found = 0
    for x in range(left, min(left + CHUNK, AREA)):
        for y in range(top, min(top + CHUNK, AREA)):
            found += int(material_at(env, x, y) == material)
    return found


@kernel
def _come_added(env: Env, rules: Rules, chunk: int, kind: int, n: int) -> None:
    """Create a creature on the n-th cell of its ground, unless that is taken or too close."""
    left, top = corner_of(chunk)
    for x in range(left, min(left + CHUNK, AREA)):
        for y in range(top, min(top + CHUNK, AREA)):
            if material_at(env, x, y) != rules.coming_ground[kind]:
                continue
            if n == 0:
                far = distance(env, x, y) >= rules.coming_distance[kind]
                if far and kind_at(env, x, y) == NONE:
                    add_thing(env, rules, kind, x, y)
                return
            n -= 1


@kernel
def most_coming(env: Env) -> int:
    """An upper bound of the creatures that the next balance creates: one for each lacking kind."""
    coming = 0
    for i in range(env.num_known):
        chunk = env.chunks[env.known[i]]
        coming += int(chunk.grass >= _ENOUGH[ZOMBIE]) & int(
            chunk.things[ZOMBIE] < int(ZOMBIES_AT_NIGHT)
        )
        coming += int(chunk.path >= _ENOUGH[SKELETON]) & int(chunk.things[SKELETON] < 1)
        coming += int(chunk.grass >= _ENOUGH[COW]) & int(chunk.things[COW] < 1)
    return coming


@inline_kernel
def _is_outside(chunk: Chunk, kind: int, fewest: int, most: int) -> int:
    """1 if a chunk has fewer or more things of a kind than that, else 0."""
    count = int(chunk.things[kind])
    return int(count < fewest) | int(count > most)


@inline_kernel
def _balance_kind(env: Env, rules: Rules, number: int, kind: int, zombies: int, cows: int) -> None:
    """Perhaps spawn a creature of a kind that a chunk has too few of, or else despawn one."""
    count = int(env.chunks[number].things[kind])
    most = zombies if kind == ZOMBIE else (cows if kind == COW else MOST_SKELETONS)
    if count > most:
        if chance(env.stream, _GOING_CHANCE[kind]):
            _go(env, number, kind, count, _GOING_DISTANCE[kind])
    elif chance(env.stream, _COMING_CHANCE[kind]):
        _come(env, rules, number, kind)


@kernel
def _come(env: Env, rules: Rules, number: int, kind: int) -> None:
    """Create a creature in a chunk, unless the cell is taken or too close to the player.

    They spawn on grass, skeletons on path, whatever the world's rules on walking.
    """
    chunk = env.chunks[number]
    space = int(chunk.path if kind == SKELETON else chunk.grass)
    x, y = nth_cell(env, number, _GROUND[kind], below(env.stream, space))
    if kind_at(env, x, y) == NONE and distance(env, x, y) >= _COMING_DISTANCE[kind]:
        add_thing(env, rules, kind, x, y)


@kernel
def _go(env: Env, number: int, kind: int, count: int, least: int) -> None:
    """Remove one of the creatures of a kind in a chunk, unless it is too close to the player."""
    i = _nth_thing(env, number, kind, below(env.stream, count))
    if distance_of(env, i) >= least:
        remove_thing(env, i)


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
            and thing.entered > after
            and (first < 0 or thing.entered < env.things[first].entered)
        ):
            first = i
    return first
