"""Questions of compiled code about the codes of materials, views and actions."""

from __future__ import annotations

from typing import Any, Final

from mars_logic.compiled.kernel import kernel
from mars_logic.theory.evidence.layout import HEIGHT, LARGEST_LOOK, WIDTH
from mars_logic.world import names
from mars_logic.world.dialect import BALANCE_PERIOD

PATH, WATER, LAVA, TABLE, FURNACE = (
    names.MATERIALS.index(name) for name in ("path", "water", "lava", "table", "furnace")
)
PLAYER, COW, ARROW, PLANT, RIPE_PLANT = (
    names.LOOKS.index(name) for name in ("player", "cow", "arrow", "plant", "ripe_plant")
)
_ARROW_LEFT = names.LOOKS.index("arrow_left")
"""The first of the arrows with a direction, which are the last looks of the dialects."""
MOVE, DO, SLEEP = (names.ACTIONS.index(name) for name in ("move_left", "do", "sleep"))
NO_BEING: Final = -1
_FIRST_BUILT = 1 + len(names.NATURAL)
_FIRST_ADDED = len(names.MATERIALS)


@kernel
def cell(x: int, y: int) -> int:
    """The number of a cell of a view."""
    return HEIGHT * x + y


@kernel
def in_view(x: int, y: int) -> bool:
    """Whether a cell lies within the view."""
    return 0 <= x < WIDTH and 0 <= y < HEIGHT


@kernel
def has_rules(material: int) -> bool:
    """Whether there are rules of walking on a material: it is natural, or added."""
    return 1 <= material < _FIRST_BUILT or material >= _FIRST_ADDED


@kernel
def liquid(material: int) -> bool:
    """Whether a material is one of ``names.LIQUIDS``."""
    return material in (WATER, LAVA)


@kernel
def kind(look: int) -> int:
    """A look, with arrows of every direction as plain ``arrow``."""
    return ARROW if _ARROW_LEFT <= look <= LARGEST_LOOK else look


@kernel
def is_creature(look: int) -> bool:
    """Whether a look is that of one of ``names.CREATURES``."""
    return COW <= look < COW + len(names.CREATURES)


@kernel
def lives(look: int) -> bool:
    """Whether a look is that of a creature, one of the dialects or an added one."""
    return is_creature(look) or look > LARGEST_LOOK


@kernel
def is_shot(known: Any, look: int) -> bool:
    """Whether a look is that of a projectile, an arrow or an added one."""
    return kind(look) == ARROW or look > known.last_being


@kernel
def shot_number(known: Any, look: int) -> int:
    """The number of a projectile in ``Vocabulary.projectiles``; -1 of anything else."""
    if kind(look) == ARROW:
        return 0
    return look - known.last_being if look > known.last_being else -1


@kernel
def way_of_arrow(look: int) -> int:
    """Where an arrow flies: 1 to 4 for left, right, up and down; 0 of looks that do not tell."""
    return look - _ARROW_LEFT + 1 if _ARROW_LEFT <= look <= LARGEST_LOOK else 0


@kernel
def being(look: int) -> int:
    """The number in ``names.BEINGS`` of whatever has a look."""
    if is_creature(look):
        return look - COW
    return len(names.CREATURES) if look in (PLANT, RIPE_PLANT) else NO_BEING


@kernel
def own_being(look: int) -> int:
    """The number of a being, where added creatures follow ``names.BEINGS``."""
    return look - LARGEST_LOOK - 1 + len(names.BEINGS) if look > LARGEST_LOOK else being(look)


@kernel
def moves(action: int) -> bool:
    """Whether an action is a move."""
    return MOVE <= action < MOVE + 4


@kernel
def balanced(t: int) -> bool:
    """Whether creatures may have come and gone at the end of a transition."""
    return (t + 1) % BALANCE_PERIOD == 0
