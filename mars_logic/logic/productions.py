"""Productions: what is put down beside a partner turns that into a product, and is used up.

What is put down is a material of its own for that step; away from partners a timer turns it into
what stays. So nothing changes but by what the player puts down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mars_logic.logic.growth import grown_from
from mars_logic.world.cell_rules import Beside
from mars_logic.world.theory import World

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIDES: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Offsets of the cells beside a cell."""


@dataclass(frozen=True)
class Production:
    """How a product is made.

    Attributes:
        placed: The material that is placed.
        partners: The materials beside which it is; they become the product.
    """

    placed: str
    partners: tuple[str, ...]


def productions(world: World) -> dict[str, Production] | None:
    """By product, how it is made; None if cells change beside others otherwise.

    Of several ways to make the same, and where it can be placed or grown as well, none is told.
    """
    passing = fleeting(world)
    pairs: dict[str, set[tuple[str, str]]] = {}
    for subject, rule in world.beside.items():
        if subject in lasting(world):
            continue  # see arrangements.py
        for other, becomes in rule.becomes.items():
            if rule.chance < 1 or (subject in passing) == (other in passing):
                return None
            if other in passing:
                pairs.setdefault(becomes, set()).add((other, subject))
            elif becomes not in world.place[subject].where:
                return None
    for placed, partner in set().union(*pairs.values()):
        used_up = world.beside.get(placed)
        if used_up is None or partner not in used_up.becomes:
            return None
    known = {*world.place, *grown_from(world)}
    found: dict[str, Production] = {}
    for product, some in pairs.items():
        makers = {name for name, _ in some}
        if len(makers) == 1 and product in world.adds.material_names and product not in known:
            found[product] = Production(makers.pop(), tuple(sorted(name for _, name in some)))
    return found


def fleeting(world: World) -> set[str]:
    """Materials that are placed, and are there only until cells change in the same step."""
    return {
        name
        for name, rule in world.timer.items()
        if name in world.place
        and (rule.after, rule.chance, rule.when, rule.near) == (1, 1, "always", ())
    }


def have_room(world: World, made: Mapping[str, Production], area: NDArray[Any]) -> bool:
    """Whether, wherever the player can face a partner, it can put something down before it instead.

    From each cell beside a partner that is or may become ground, the player can step back two cells
    in a row, turn, and face that cell; and one partner alone is beside it.

    Args:
        world: The world.
        made: What is made.
        area: uint8[64, 64], indexed [x, y], codes of materials.
    """
    import numpy as np  # here, since logic starts without it

    partners = {name for each in made.values() for name in each.partners}
    if (comes_otherwise(world) | {*world.place}) & partners:
        return False
    names = world.vocabulary.materials
    grounds = [set(world.place[each.placed].where) for each in made.values()]
    footing = np.isin(area, codes(names, set.intersection(*grounds) & safe_ground(world)))
    fixed = np.isin(area, codes(names, _fixed(world) - partners))
    here = np.isin(area, codes(names, partners))
    around = sum(shifted(here, dx, dy).astype(int) for dx, dy in SIDES)
    lane = np.zeros_like(footing)
    for dx, dy in SIDES:
        lane |= shifted(footing, dx, dy) & shifted(footing, 2 * dx, 2 * dy)
    fitting = footing & lane & (around == 1)
    return bool((fitting | fixed)[(around > 0)].all())


def codes(names: tuple[str, ...], some: set[str]) -> list[int]:
    """The codes of some materials, which are their places among the names of all."""
    return [code for code, name in enumerate(names) if name in some]


def safe_ground(world: World) -> set[str]:
    """Ground that the player walks on unharmed."""
    rules = world.walk.items()
    return {name for name, rule in rules if rule.walkable and not rule.deadly and rule.health >= 0}


def _fixed(world: World) -> set[str]:
    """Materials that are no ground, and that nobody can turn into another."""
    changed = {name for name, rule in world.walk.items() if rule.walkable}
    changed |= {name for name, rule in world.collect.items() if rule.collectable}
    changed |= {name for rule in world.place.values() for name in rule.where}
    return {*world.vocabulary.materials} - changed - {*world.timer, *world.beside, *world.push}


def comes_otherwise(world: World) -> set[str]:
    """Materials of which cells come about otherwise than by placing them, or by a production."""
    found = {rule.leaves for rule in world.collect.values() if rule.collectable}
    found |= {rule.leaves for rule in world.push.values()}
    found |= {rule.becomes for rule in world.timer.values()}
    found |= {made for rule in world.push.values() for made in rule.becomes.values()}
    return found | {made for rule in lasting(world).values() for made in rule.becomes.values()}


def lasting(world: World) -> dict[str, Beside]:
    """The rules of ``beside`` in which nothing is there for one step only."""
    passing = fleeting(world)
    return {
        name: rule
        for name, rule in world.beside.items()
        if not passing.intersection((name, *rule.becomes))
    }


def serves(world: World, material: str) -> bool:
    """Whether the player, a creature or a shot can do something with cells of a material."""
    collect, walk = world.collect.get(material), world.walk.get(material)
    if (collect and collect.collectable) or (walk and walk.walkable):
        return True
    sites = (rule.where for rule in world.place.values())
    stations = (rule.nearby for rule in world.make.values())
    grounds = (each.ground for each in world.vocabulary.added_creatures)
    flights = (rule.over for rule in world.projectile.values())
    return any(material in some for group in (sites, stations, grounds, flights) for some in group)


def shifted(cells: NDArray[Any], dx: int, dy: int) -> NDArray[Any]:
    """For each cell, what the one so far off has; nothing beyond the map."""
    import numpy as np

    wide = np.pad(cells, 2)
    columns, rows = cells.shape
    return wide[2 + dx : 2 + dx + columns, 2 + dy : 2 + dy + rows]
