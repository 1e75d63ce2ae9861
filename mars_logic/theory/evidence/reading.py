"""Reads trajectories: one pass over their arrays, from views to counted signatures."""

from __future__ import annotations

from typing import Any

from mars_logic.kernel import kernel
from mars_logic.theory.evidence.codes import MOVE, SLEEP, balanced, cell, moves
from mars_logic.theory.evidence.creatures import (
    begin_watch,
    tell_arrivals,
    tell_motions,
    tell_unharmed,
)
from mars_logic.theory.evidence.layout import (
    FIRST_TIMES,
    HEIGHT,
    MOST,
    MOST_NEWS,
    NO,
    SIDES,
    STAYED,
    UNCLEAR,
    UNTOLD,
    YES,
)
from mars_logic.theory.evidence.needs import begin_needs, feel
from mars_logic.theory.evidence.player import tell_deed, tell_start
from mars_logic.theory.evidence.surroundings import COLUMN, ROW, find_dangers, list_things, shift
from mars_logic.theory.evidence.table import add, hash_of, is_other
from mars_logic.theory.evidence.validity import well_formed
from mars_logic.world import names

_ENERGY = names.ITEMS.index("energy")
_MIDDLE = HEIGHT * COLUMN + ROW
DONE, FULL, REFUSED = 0, 1, 2


@kernel
def read(
    materials: Any,
    objects: Any,
    inventory: Any,
    facing: Any,
    sleeping: Any,
    action: Any,
    unlocked: Any,
    crafter: bool,
    trajectory: int,
    reader: Any,
    rows: Any,
    size: Any,
) -> int:
    """Count the signatures of a trajectory, from ``reader.next`` on.

    What has values out of range is refused before anything of it is counted.

    Args:
        materials: VIEW_DTYPE[T + 1].
        objects: VIEW_DTYPE[T + 1].
        inventory: ITEMS_DTYPE[T + 1].
        facing: int8[T + 1, 2].
        sleeping: bool[T + 1].
        action: uint8[T].
        unlocked: bool[T, 22].
        crafter: The dialect.
        trajectory: The number by which it is known in the table.
        reader: READER_DTYPE[1]; ``next`` must be 0 at first. To go on when the trajectory has
            grown, ``next`` must be the number of transitions that were read.
        rows: As in a table.
        size: int64[1], likewise.

    Returns:
        DONE, REFUSED, or FULL: then the table must be widened to go on.
    """
    notes = reader[0]
    step, news, things = notes.step, notes.news, notes.things
    first = notes.next
    if not well_formed(
        *(materials[first:], objects[first:], inventory[first:], facing[first:]),
        *(sleeping[first:], action[first:], unlocked[first:]),
    ):
        return REFUSED
    if first == 0:
        begin_needs(notes.needs)
        begin_watch(notes.watch)
        for i in range(len(FIRST_TIMES)):
            notes.told[i] = NO
        list_things(objects[0], things[0])
        news.count = 0
        news.trajectory = trajectory
        news.step = 0
        tell_start(news, materials[0])
    last = len(rows) - 1
    for t in range(first, len(action)):
        if 2 * (size[0] + MOST_NEWS) > len(rows):
            notes.next = t
            return FULL
        before, after = inventory[t], inventory[t + 1]
        there, there_after = things[t % 2], things[(t + 1) % 2]
        happen(notes, step, t, materials, objects, inventory, facing, sleeping, action, crafter)
        for i in range(len(FIRST_TIMES)):
            notes.told[i] = _told(unlocked[t, FIRST_TIMES[i]], notes.told[i])
        news.step = t + 1
        tell_deed(news, step, notes.told, before, after, materials[t], objects[t])
        if there.count + there_after.count and step.shift != UNCLEAR and not crafter:
            tell_arrivals(news, step, objects[t], there_after)
            if not balanced(t):
                tell_motions(news, step, materials[t], objects[t], objects[t + 1], there)
            if step.shift == STAYED:
                tell_unharmed(news, step, notes.watch, objects[t], objects[t + 1], before, after)
        for i in range(news.count):
            new = news.rows[i]
            at = hash_of(new) & last
            while is_other(rows[at], new):
                at = (at + 1) & last
            new.order = size[0]
            size[0] += add(rows[at], new)
        news.count = 0
    return DONE


@kernel
def happen(
    notes: Any,
    step: Any,
    t: int,
    materials: Any,
    objects: Any,
    inventory: Any,
    facing: Any,
    sleeping: Any,
    action: Any,
    crafter: bool,
) -> None:
    """Note in ``step`` what happened in transition t; the ones before it have to be noted first."""
    before, after = inventory[t], inventory[t + 1]
    list_things(objects[t + 1], notes.things[(t + 1) % 2])
    _begin(step, t, before, sleeping[t], action[t], facing[t, 0], facing[t, 1])
    _look(step, materials[t], objects[t], materials[t + 1], objects[t + 1])
    asleep = before.amounts[_ENERGY] < MOST and (sleeping[t] or step.action == SLEEP)
    feel(notes.needs, step, before, after, asleep, crafter)
    step.asleep = sleeping[t + 1]
    find_dangers(step, notes.things[t % 2])


@kernel
def _begin(
    step: Any, t: int, before: Any, sleeping: bool, action: int, facing_x: int, facing_y: int
) -> None:
    """What the player does, and where; asleep, it sleeps whatever was chosen."""
    step.number = t
    tired = before.amounts[_ENERGY] < MOST
    step.action = SLEEP if sleeping and tired else action
    step.dx, step.dy = facing_x, facing_y
    if moves(step.action):
        step.dx, step.dy = SIDES[step.action - MOVE]


@kernel
def _look(
    step: Any, materials: Any, objects: Any, materials_after: Any, objects_after: Any
) -> None:
    """What was ahead and is there now, and whether the player moved."""
    ahead = cell(COLUMN + step.dx, ROW + step.dy)
    step.target = materials.cells[ahead]
    step.object = objects.cells[ahead]
    step.target_after = materials_after.cells[ahead]
    step.object_after = objects_after.cells[ahead]
    step.ground = materials_after.cells[_MIDDLE]
    step.shift = STAYED
    if moves(step.action):
        step.shift = shift(materials, materials_after, step.dx, step.dy)


@kernel
def _told(now: bool, so_far: int) -> int:
    """Whether the player did something of which only the first time can be seen."""
    if now:
        return YES
    return NO if so_far == NO else UNTOLD
