"""Arrangements: what the player places beside something else, or pushes, becomes a product.

Nothing else puts such things anywhere, and nothing else depends on them. So nothing changes but
where the player has arranged it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mars_logic.logic.productions import (
    SIDES,
    codes,
    comes_otherwise,
    lasting,
    safe_ground,
    serves,
    shifted,
)
from mars_logic.logic.rule_atoms import CAP
from mars_logic.world.cell_rules import Beside
from mars_logic.world.theory import World

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROOM: Final = (4, 2)
"""Cells of ground, in either direction, on which anything can be arranged.

To push, the player steps up in a row of four, puts the thing down, and pushes it to the last cell.
To put two things beside each other, it steps up in one row, and then in the other.
"""


@dataclass(frozen=True)
class Arrangement:
    """How a product is made.

    Attributes:
        placed: The material that is placed, and becomes the product.
        partner: The material that is placed beside it before; None if it is pushed.
        uses: The items that placing takes, the partner included.
        grounds: The grounds on which it works.
        chance: Of the change in each step.
    """

    placed: str
    partner: str | None
    uses: Mapping[str, int]
    grounds: tuple[str, ...]
    chance: float = 1.0


def arrangements(world: World) -> dict[str, Arrangement] | None:
    """By product, how it is made; None if cells are pushed or change beside others otherwise.

    Rules of :func:`mars_logic.logic.productions.productions` are left out. Of several ways to make
    the same one is told, and none where it can be placed as well.
    """
    besides = lasting(world)
    subjects = [*world.push, *besides, *world.timer]
    elsewhere = _comes_otherwise(world)
    for name in (*world.push, *besides):
        unique = subjects.count(name) == 1 and name in world.place and name not in elsewhere
        if not unique or serves(world, name):
            return None
    found: dict[str, Arrangement] = {}
    for product, each in (*_pushed(world), *_put_beside(world, besides)):
        if product not in found and _counts(world, product, each):
            found[product] = each
    return found


def has_room(
    world: World,
    made: Mapping[str, Arrangement],
    area: NDArray[Any],
    start: tuple[int, int],
) -> bool:
    """Whether the player walks to ground on which it can arrange what is made.

    Products are collected, and leave such ground again; so one such place is enough. There is
    another one for each thing that can be placed, so that none of them need lie there.

    Args:
        world: The world.
        made: The arrangements, by product.
        area: uint8[64, 64], indexed [x, y], codes of materials.
        start: The player's first cell.
    """
    import numpy as np  # here, since logic starts without it

    names = world.vocabulary.materials
    changing = {name for each in made.values() for name in (each.placed, each.partner) if name}
    if np.isin(area, codes(names, changing | {*world.push, *lasting(world)})).any():
        return False
    walked = _walked(np.isin(area, codes(names, safe_ground(world))), start)
    least = _ROOM[0] * _ROOM[1] * (1 + len(world.place))
    return all(
        _roomy(walked & np.isin(area, codes(names, set(each.grounds)))).sum() >= least
        for each in made.values()
    )


def _pushed(world: World) -> Iterable[tuple[str, Arrangement]]:
    for name, rule in world.push.items():
        place = world.place[name]
        for product in dict.fromkeys(rule.becomes.values()):
            grounds = {ground for ground, made in rule.becomes.items() if made == product}
            grounds &= {*place.where} & safe_ground(world)
            if rule.leaves in grounds:
                yield product, Arrangement(name, None, dict(place.uses), tuple(sorted(grounds)))


def _put_beside(world: World, besides: Mapping[str, Beside]) -> Iterable[tuple[str, Arrangement]]:
    stays = {*world.place} - _comes_otherwise(world) - {*world.vocabulary.arrow_leaves}
    stays -= {*world.push, *world.beside, *world.timer}
    for name, rule in besides.items():
        place = world.place[name]
        for partner, product in rule.becomes.items():
            if partner in stays and rule.chance > 0:
                other = world.place[partner]
                grounds = {*place.where} & {*other.where} & safe_ground(world)
                uses = dict(Counter(place.uses) + Counter(other.uses))
                where = tuple(sorted(grounds))
                yield product, Arrangement(name, partner, uses, where, rule.chance)


def _comes_otherwise(world: World) -> set[str]:
    produced = {made for rule in world.beside.values() for made in rule.becomes.values()}
    return comes_otherwise(world) | produced


def _counts(world: World, product: str, made: Arrangement) -> bool:
    """Whether a product can be counted on: it is collected, and matters nowhere else."""
    collect = world.collect.get(product)
    if product in world.place or collect is None or collect.leaves not in made.grounds:
        return False
    if not collect.collectable or max(made.uses.values(), default=0) > CAP:
        return False
    return not any(product in rule.nearby for rule in world.make.values())


def _walked(ground: NDArray[Any], start: tuple[int, int]) -> NDArray[Any]:
    """The cells of ground that are reached on foot from one of them."""
    import numpy as np

    found = np.zeros_like(ground)
    found[start] = ground[start]
    count = 0
    while count < (count := int(found.sum())):
        for dx, dy in SIDES:
            found |= shifted(found, dx, dy) & ground
    return found


def _roomy(ground: NDArray[Any]) -> NDArray[Any]:
    """The cells of ground that belong to a rectangle of it with room for an arrangement."""
    import numpy as np

    found = np.zeros_like(ground)
    for shape in (_ROOM, _ROOM[::-1]):
        blocks = np.lib.stride_tricks.sliding_window_view(ground, shape).all(axis=(2, 3))
        for x, y in np.ndindex(*shape):
            found[x : x + blocks.shape[0], y : y + blocks.shape[1]] |= blocks
    return found
