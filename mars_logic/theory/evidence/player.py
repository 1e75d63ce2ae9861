"""Signatures of the player's actions."""

from __future__ import annotations

from typing import Any

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.theory.evidence.codes import (
    DO,
    PATH,
    PLANT,
    RIPE_PLANT,
    balanced,
    cell,
    has_rules,
    is_creature,
    is_shot,
    liquid,
    lives,
    moves,
    own_being,
)
from mars_logic.theory.evidence.influence import may_be_changed
from mars_logic.theory.evidence.layout import (
    COLLECTING,
    DRINK,
    EATING,
    EATS,
    FIRST_TIMES,
    FOOD,
    HITTING,
    MAKES,
    MAKING,
    MOVED,
    PASSAGE,
    PLACES,
    PLACING,
    SIDES,
    STANDING,
    START,
    TREAD,
    UNCLEAR,
    YES,
)
from mars_logic.theory.evidence.own_kinds import tell_harm, tell_hunting
from mars_logic.theory.evidence.packing import emit, emit_held, head, health, span
from mars_logic.theory.evidence.surroundings import COLUMN, ROW
from mars_logic.world import names
from mars_logic.world.adds import ROOM
from mars_logic.world.dialect import HEALTH_AT_FIRST, SWORD_DAMAGE, UNARMED_DAMAGE

_FOOD, _DRINK = (names.ITEMS.index(vital) for vital in ("food", "drink"))
_WOOD_SWORD, _STONE_SWORD, _IRON_SWORD = (
    names.ITEMS.index(f"{material}_sword") for material in ("wood", "stone", "iron")
)
_WOOD_DAMAGE, _STONE_DAMAGE, _IRON_DAMAGE = (
    SWORD_DAMAGE[f"{material}_sword"] for material in ("wood", "stone", "iron")
)
_HEALTH_AT_FIRST = tuple(HEALTH_AT_FIRST[creature] for creature in names.CREATURES)
"""Of each creature."""
_TO_DRINK = len(FIRST_TIMES) - 1
_MATERIALS = ROOM["materials"]


@kernel
def tell_start(news: Any, materials: Any) -> None:
    """Around the player's first place, all is of the material of the start area."""
    around = _around(materials)
    for material in range(_MATERIALS):
        if around >> material & 1:
            emit(news, head(news, START, material, 0, 0, 0), 0, 0)


@kernel
def _around(materials: Any) -> int:
    """A bit for each material on the player's cell and the eight around it."""
    found = 0
    for x in range(COLUMN - 1, COLUMN + 2):
        for y in range(ROW - 1, ROW + 2):
            found |= 1 << materials.cells[cell(x, y)]
    return found


@inline_kernel
def tell_deed(
    news: Any,
    step: Any,
    known: Any,
    told: Any,
    killed: Any,
    before: Any,
    after: Any,
    materials: Any,
    materials_after: Any,
    objects: Any,
) -> None:
    """Add the signatures of the player's action.

    Args:
        news: They are added to it.
        step: The transition.
        known: What the names say.
        told: For each of FIRST_TIMES, whether the player did it now: NO, YES or UNTOLD.
        killed: Likewise for each being, whether it was killed, in worlds with own kinds of rules.
        before: What it had.
        after: What it had afterwards.
        materials: The view before.
        materials_after: The view afterwards.
        objects: The objects in the view before.
    """
    if moves(step.action):
        _tell_move(news, step, known, before, after, materials, materials_after)
        return
    if step.action == DO:
        if step.object == 0 and has_rules(step.target) and step.target != PATH:
            wet = liquid(step.target)
            if not (wet and step.clouded) and not _may_change(step, known, objects):
                _tell_collecting(news, step, known, told, before, after, objects)
            if wet:
                return
        elif known.shots and is_shot(known, step.object):
            return
        elif lives(step.object) or step.object == RIPE_PLANT:
            _tell_blow(news, step, known, told, killed, before, after)
            return
    elif step.deed == MAKES:
        _tell_making(news, step, before, after, materials)
    elif step.deed == PLACES:
        if step.object == 0 and not _may_change(step, known, objects):
            _tell_placing(news, step, before, after)
    elif step.deed == EATS and before.amounts[step.thing] > 0:
        if not step.clouded:
            _tell_eating(news, step, before, after)
        return
    if step.clouded:
        tell_harm(news, step, known, 0, before, after)
    elif step.arrows or step.near[0] or step.near[1] or step.near[2] or step.near[3]:
        emit(news, STANDING, 0, health(step, before, after))


@kernel
def _may_change(step: Any, known: Any, objects: Any) -> bool:
    """Whether anything but the player may change the cell that it faces."""
    return may_be_changed(known, objects, COLUMN + step.dx, ROW + step.dy)


@kernel
def _tell_move(
    news: Any,
    step: Any,
    known: Any,
    before: Any,
    after: Any,
    materials: Any,
    materials_after: Any,
) -> None:
    if step.object == 0 and has_rules(step.target) and step.shift != UNCLEAR:
        moved = 1 if step.shift == MOVED else 0
        emit(news, head(news, PASSAGE, step.target, 0, 0, moved), 0, 0)
    if not has_rules(step.ground):
        return
    if known.own:  # the ground may have changed after the move
        here = cell(COLUMN, ROW)
        trod = step.target if step.shift == MOVED else materials.cells[here]
        if step.shift == UNCLEAR and step.target != materials.cells[here]:
            return
        if trod != materials_after.cells[here]:
            return
    if step.clouded:
        tell_harm(news, step, known, step.ground, before, after)
    else:
        emit(news, head(news, TREAD, step.ground, 0, 0, 0), 0, health(step, before, after))


@kernel
def _tell_collecting(
    news: Any, step: Any, known: Any, told: Any, before: Any, after: Any, objects: Any
) -> None:
    x, y = COLUMN + step.dx, ROW + step.dy
    alone, new = True, lives(step.object_after)
    for dx, dy in SIDES:
        look = objects.cells[cell(x + dx, y + dy)]
        alone = alone and not lives(look)
        new = new and look != step.object_after
    clear = 1 if alone and not balanced(step.number) else 0
    first = head(news, COLLECTING, step.target, step.target_after, told[_TO_DRINK], clear)
    third = _changes(step, before, after)
    if liquid(step.target):
        third |= health(step, before, after)
    appeared = step.object_after if new and not is_shot(known, step.object_after) else 0
    emit_held(news, first, appeared, third, before, after)


@kernel
def _changes(step: Any, before: Any, after: Any) -> int:
    """By how much the action may have changed drink and food."""
    drink = span(before.amounts[_DRINK], after.amounts[_DRINK], step.drink[0], step.drink[1])
    food = span(before.amounts[_FOOD], after.amounts[_FOOD], step.food[0], step.food[1])
    return drink << DRINK[0].shift | food << FOOD[0].shift


@kernel
def _tell_placing(news: Any, step: Any, before: Any, after: Any) -> None:
    planted = 1 if step.object_after == PLANT else 0
    first = head(news, PLACING, step.thing, step.target_after, 0, planted)
    emit_held(news, first, step.target, 0, before, after)


@kernel
def _tell_making(news: Any, step: Any, before: Any, after: Any, materials: Any) -> None:
    """Nothing is nearby at the left and upper edge of the map."""
    left, above = materials.cells[cell(COLUMN - 1, ROW)], materials.cells[cell(COLUMN, ROW - 1)]
    nearby = _around(materials) if left and above else 0
    emit_held(news, head(news, MAKING, step.thing, 0, 0, 0), nearby, 0, before, after)


@kernel
def _tell_eating(news: Any, step: Any, before: Any, after: Any) -> None:
    third = _changes(step, before, after) | health(step, before, after)
    emit_held(news, head(news, EATING, step.thing, 0, 0, 0), 0, third, before, after)


@kernel
def _tell_blow(
    news: Any, step: Any, known: Any, told: Any, killed: Any, before: Any, after: Any
) -> None:
    """What hitting a creature did, and what it brought."""
    who = own_being(step.object)
    hunted = (known.hunted >> who) & 1 != 0
    if hunted:
        tell_hunting(news, who, killed[who], before, after)
    if step.clouded:
        return
    fate = YES
    if hunted or who >= len(names.BEINGS):
        fate = killed[who]
    elif is_creature(step.object) and _damage(before) < _HEALTH_AT_FIRST[who]:
        fate = told[who]
    _tell_hitting(news, step, who, fate, before, after)


@kernel
def _tell_hitting(news: Any, step: Any, who: int, killed: int, before: Any, after: Any) -> None:
    third = _changes(step, before, after) | health(step, before, after)
    emit(news, head(news, HITTING, who, 0, killed, 0), 0, third)


@kernel
def _damage(items: Any) -> int:
    """The damage of the player's hit."""
    if items.amounts[_IRON_SWORD]:
        return _IRON_DAMAGE
    if items.amounts[_STONE_SWORD]:
        return _STONE_DAMAGE
    return _WOOD_DAMAGE if items.amounts[_WOOD_SWORD] else UNARMED_DAMAGE
