"""Shelter: a place that creatures cannot get into, found, closed or dug.

Turning toward walkable ground means walking onto it, so a hole is closed from inside a pocket: two
cells deep, back to the first, and the way in is what the player faces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from mars_logic.plan.belief_state import BeliefState, Mask, survives
from mars_logic.plan.observed_map import UNSEEN, Cell
from mars_logic.plan.routes import ARROW, DIRECTIONS, FAR, STEP, shifted
from mars_logic.plan.skills import Skill, affords, removable
from mars_logic.plan.world_model import DO, WorldModel
from mars_logic.world import names
from mars_logic.world.dialect import AREA, MAXIMUM
from mars_logic.world.rules import Place

POCKET = 4
"""Cells of a pocket that counts as closed."""
_NEAR = 8
"""Distance on either axis within which openings to be closed are looked for."""
_DIGGING = 5 * STEP
"""Cost of digging and closing a burrow, once there."""
_DEAREST = 2
"""Items that a block may use up."""
_RANGE = 12
"""Distance over liquids from which shooters can hit."""
_WALL = 3 * STEP
"""Cost of closing one more side."""


class _Room(NamedTuple):
    """Cells, their sides that can be closed from inside, and sides that must be solid already."""

    cells: tuple[Cell, ...]
    sides: tuple[Cell, ...]
    shut: tuple[Cell, ...] = ()


_ROOMS = (
    _Room(
        ((0, 0), (1, 0), (0, 1), (1, 1)),
        ((-1, 0), (-1, 1), (2, 0), (2, 1), (0, -1), (1, -1), (0, 2), (1, 2)),
    ),
    _Room(((0, 0), (1, 0)), ((-1, 0), (2, 0)), ((0, -1), (1, -1), (0, 1), (1, 1))),
    _Room(((0, 0), (0, 1)), ((0, -1), (0, 2)), ((-1, 0), (-1, 1), (1, 0), (1, 1))),
)


def enclosed(here: BeliefState) -> bool:
    """Whether no attacker is in the player's pocket, can enter it or shoot into it."""
    cells = here.pocket(here.seen.position, frozenset(), POCKET)
    return len(cells) <= POCKET and not any(
        here.approaches[thing.x, thing.y]
        if here.model.shot(thing.kind)
        else (thing.x, thing.y) in cells
        for thing in here.attackers
    )


def is_shut_in_without(here: BeliefState, item: str) -> bool:
    """Whether the player is in a closed pocket, and digs its way out with an item alone."""
    cells = here.pocket(here.seen.position, frozenset(), POCKET)
    if len(cells) > POCKET:
        return False
    left = {name: amount for name, amount in here.held.items() if name != item}
    with_it, without = (_beside(_diggable(here, held=held)) for held in (here.held, left))
    return any(with_it[cell] for cell in cells) and not any(without[cell] for cell in cells)


def sheltering(here: BeliefState) -> list[Skill]:
    """The tasks that lead to being enclosed; none if there is no way."""
    blocks = _blocks(here)
    if not blocks:
        return []
    kinds = (_closing, _burrows, _walls)
    return [task for kind in kinds for place in blocks for task in kind(here, place)]


def supplies(model: WorldModel) -> Iterator[str]:
    """Goals after each of which a room can be closed on all sides: to have blocks for that.

    Such a block is had again where it is taken away.
    """
    sides = max(len(room.sides) for room in _ROOMS)
    for name, place in model.world.place.items():
        if not _stops(model, name) or name not in model.world.collect or len(place.uses) != 1:
            continue
        ((item, amount),) = place.uses.items()
        if _sure(model.world.collect[name].yields, item) >= amount:
            yield f"have_{min(MAXIMUM, sides * amount)}_{item}"


def _stops(model: WorldModel, name: str) -> bool:
    """Whether an object stops creatures as long as nobody takes it away."""
    stops = name in model.code and not model.creatures_walk[model.code[name]]
    return stops and name not in model.changing


def _blocks(here: BeliefState) -> list[Place]:
    """Objects that stop creatures and can be placed now or after digging a cell.

    What cannot be removed again is placed only if what it takes is not needed for anything else.
    """
    kept = dict(here.kept)
    return [
        place
        for name, place in here.model.world.place.items()
        if _stops(here.model, name)
        and sum(place.uses.values()) <= _DEAREST
        and (
            removable(here, name)
            or all(
                item not in kept or here.held.get(item, 0) >= kept[item] + amount
                for item, amount in place.uses.items()
            )
        )
    ]


def _closing(here: BeliefState, place: Place) -> Iterator[Skill]:
    """Closing the last opening of a small pocket, close by, with a way out to be dug."""
    if not affords(here, place.uses):
        return
    where = _ground(here, place)
    solid = _solid(here)
    sides = sum(shifted(solid, dx, dy).astype(np.int64) for dx, dy in DIRECTIONS)
    loose, ways_out = removable(here, place.subject), _beside(_diggable(here))
    near = np.zeros((AREA, AREA), np.bool_)
    px, py = here.seen.position
    near[max(0, px - _NEAR) : px + _NEAR + 1, max(0, py - _NEAR) : py + _NEAR + 1] = True
    for code, (dx, dy) in enumerate(DIRECTIONS):
        reached = near & (here.footpaths.cost[code] < FAR)
        candidates = reached & shifted(where, dx, dy) & (np.asarray(sides) >= 2)
        for x, y in np.argwhere(candidates).tolist():
            gap = (x + dx, y + dy)
            pocket = here.pocket((x, y), frozenset((gap,)), POCKET)
            shuts_in = not loose and not any(ways_out[cell] for cell in pocket)
            if len(pocket) <= POCKET and not shuts_in:
                facing, standing = _only(gap), _only((x, y))
                action = here.actions[f"place_{place.subject}"]
                yield Skill("shelter", action, facing, standing, 0, True)


def _burrows(here: BeliefState, place: Place) -> Iterator[Skill]:
    """Digging two cells deep into solid ground, or one deeper where a cell is open already.

    What cannot be removed again closes it only where there is another way out to be dug.
    """
    solid, loose = _solid(here), removable(here, place.subject)
    diggable = _diggable(here, place.uses)
    exits = _diggable(here)
    ways_out = [shifted(exits, dx, dy) for dx, dy in DIRECTIONS]
    ground = _ground(here, place)
    open_ = here.of_material(*_walked(here)) | _only(here.seen.position)
    around = [shifted(solid, dx, dy) for dx, dy in DIRECTIONS]
    for code, (dx, dy) in enumerate(DIRECTIONS):
        back = code ^ 1
        beside = [around[other] for other in range(4) if other not in (code, back)]
        deep = diggable & around[code] & beside[0] & beside[1]
        if not loose:
            deep &= np.logical_or.reduce([out for n, out in enumerate(ways_out) if n != back])
        mouth = (diggable | open_) & beside[0] & beside[1]
        mouth &= shifted(deep, dx, dy) & shifted(ground, -dx, -dy)
        if mouth.any():
            end = shifted(mouth, -dx, -dy)
            yield Skill("burrow", DO, end, mouth, _DIGGING)


def _diggable(
    here: BeliefState,
    lacking: Mapping[Any, int] | None = None,
    held: dict[str, int] | None = None,
) -> Mask:
    """bool[64, 64]: solid cells that can be made way; if digging one brings what is lacking.

    Args:
        here: The situation.
        lacking: What has to be held afterwards, by amount.
        held: What is held in place of all that is.
    """
    diggable = np.zeros((AREA, AREA), np.bool_)
    for material, rule in here.model.world.collect.items():
        if (
            not here.model.can_collect(material, here.held if held is None else held)
            or here.model.collect_effect(material).health < 0
        ):
            continue
        left = here.code[rule.leaves]
        gains = all(
            here.held.get(item, 0) + _sure(rule.yields, item) >= amount
            for item, amount in (lacking or {}).items()
        )
        if here.model.walkable[left] and not here.model.deadly[left] and gains and not rule.spawns:
            diggable |= here.of_material(material)
    diggable &= _solid(here)
    return diggable


def _beside(mask: Mask) -> Mask:
    """bool[64, 64]: cells with one of the mask on one of four sides."""
    beside: Mask = np.logical_or.reduce([shifted(mask, dx, dy) for dx, dy in DIRECTIONS])
    return beside


def _walls(here: BeliefState, place: Place) -> Iterator[Skill]:
    """Closing all sides of two or four cells from inside, at the cheapest place.

    A side can be closed by a player that comes from the opposite cell, so two cells in a row can be
    closed at both ends, and four in a square all around.
    """
    counts = (here.held.get(item, 0) // amount for item, amount in place.uses.items())
    can = min(counts, default=AREA)  # what uses up nothing can always be placed
    if can == 0 or not removable(here, place.subject):
        return
    open_ = ~_solid(here)
    unfit = open_ & ~here.made_of(*place.where)
    # An arrow is gone by the time that the room is closed.
    floor = here.made_of(*_harmless(here)) & (here.free | (here.kinds == ARROW))
    floor[here.seen.position] = True
    reached = np.minimum(here.footpaths.nearest_cell, FAR)
    best, chosen = FAR, None
    for room in _ROOMS:
        fits = np.logical_and.reduce([shifted(floor, *cell) for cell in room.cells])
        fits &= ~np.logical_or.reduce([shifted(unfit, *cell) for cell in room.sides])
        if room.shut:
            fits &= ~np.logical_or.reduce([shifted(open_, *cell) for cell in room.shut])
        gaps = np.sum([shifted(open_, *cell) for cell in room.sides], axis=0)
        price = np.where(fits & (gaps > 0) & (gaps <= can), reached + gaps * _WALL, FAR)
        corner = divmod(int(price.argmin()), AREA)
        if price[corner] < best:
            best, chosen = int(price[corner]), (room, corner)
    if chosen is None:
        return
    room, corner = chosen
    inside, around = _cells(room.cells, corner), _cells(room.sides, corner) & open_
    extra = (int(around.sum()) - 1) * _WALL
    action, ground = here.actions[f"place_{place.subject}"], _ground(here, place)
    yield Skill("walls", action, around & ground, inside, extra, True)


def _cells(offsets: tuple[Cell, ...], corner: Cell) -> Mask:
    mask = np.zeros((AREA, AREA), np.bool_)
    for dx, dy in offsets:
        x, y = corner[0] + dx, corner[1] + dy
        if 0 <= x < AREA and 0 <= y < AREA:
            mask[x, y] = True
    return mask


def _harmless(here: BeliefState) -> list[str]:
    return [m for m in _walked(here) if here.model.walk_health[here.code[m]] >= 0]


def _ground(here: BeliefState, place: Place) -> Mask:
    """Where something can be placed once the player is not there any more."""
    ground = here.of_material(*place.where)
    material = here.model.words.materials[here.seen.material_at(here.seen.position)]
    ground[here.seen.position] = material in place.where
    return ground


def _walked(here: BeliefState) -> list[str]:
    fit = here.model.walkable & ~here.model.deadly
    return [m for code, m in enumerate(here.model.words.materials) if code and fit[code]]


def _sure(yields: object, item: str) -> int:
    given = yields.get(item)  # type: ignore[attr-defined]
    return given.amount if given is not None and given.probability in (None, 1) else 0


def _solid(here: BeliefState) -> Mask:
    """Cells to which no creature can come, and over which nothing shoots."""
    mask: Mask = ~here.model.creatures_walk[here.known_codes] & (here.seen.materials != UNSEEN)
    liquid = here.made_of(*names.LIQUIDS)
    x, y = np.ogrid[:AREA, :AREA]
    for thing in here.creatures:
        if here.model.shot(thing.kind):
            mask &= ~(liquid & (np.abs(x - thing.x) + np.abs(y - thing.y) <= _RANGE))
    return mask


def _only(cell: tuple[int, int]) -> Mask:
    mask = np.zeros((AREA, AREA), np.bool_)
    mask[cell] = True
    return mask


def cheapest(here: BeliefState, tasks: list[Skill]) -> tuple[int, str, int] | None:
    """The cheapest of some tasks: its cost, name and action; None if none can be done.

    Nor is it done if the way takes nearly all health that is left.
    """
    best: tuple[int, str, int] | None = None
    for task in tasks:
        way = task.way(here)
        taken = best is not None and best[0] <= way.cost
        if way.cost < FAR and not taken and survives(here, way.worst):
            best = (way.cost, task.name, way.first)
    return best
