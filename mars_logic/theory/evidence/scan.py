"""Reads episodes: one pass over their arrays, from views to counted signatures."""

from __future__ import annotations

from typing import Any

from mars_logic.compiled.kernel import inline_kernel, kernel
from mars_logic.theory.evidence.acts import tell_acts
from mars_logic.theory.evidence.cells import begin_ages, tell_cells, tell_push
from mars_logic.theory.evidence.codes import MOVE, SLEEP, balanced, cell, is_shot, moves
from mars_logic.theory.evidence.courses import begin_courses, follow_shots, see_shots, spends
from mars_logic.theory.evidence.creatures import (
    begin_watch,
    tell_arrivals,
    tell_motions,
    tell_unharmed,
)
from mars_logic.theory.evidence.flights import tell_flights, tell_shooting
from mars_logic.theory.evidence.layout import (
    FIRST_TIMES,
    HEIGHT,
    MOST_AT_ONCE,
    MOST_NEWS,
    NO,
    NO_DEED,
    SHOOTS,
    SIDES,
    STAYED,
    UNCLEAR,
    UNTOLD,
    YES,
)
from mars_logic.theory.evidence.needs import begin_needs, feel
from mars_logic.theory.evidence.own_kinds import see_own, tell_needs
from mars_logic.theory.evidence.player import tell_deed, tell_start
from mars_logic.theory.evidence.struck import tell_struck
from mars_logic.theory.evidence.surroundings import COLUMN, ROW, find_dangers, list_things, shift
from mars_logic.theory.evidence.table import count
from mars_logic.theory.evidence.validity import well_formed
from mars_logic.world import names
from mars_logic.world.adds import ROOM
from mars_logic.world.dialect import MAXIMUM

_ENERGY = names.ITEMS.index("energy")
_MIDDLE = HEIGHT * COLUMN + ROW
DONE, FULL, REFUSED = 0, 1, 2
_CODES = ROOM["actions"] - 1
"""All bits of an action's code."""


@kernel
def read(
    materials: Any,
    objects: Any,
    inventory: Any,
    facing: Any,
    sleeping: Any,
    action: Any,
    unlocked: Any,
    lengths: Any,
    crafter: bool,
    known: Any,
    own: Any,
    unknown: Any,
    numbers: Any,
    reader: Any,
    rows: Any,
    size: Any,
) -> int:
    """Count the signatures of E episodes with N transitions, from where ``reader`` says.

    What has values out of range is refused before anything of it is counted.

    Args:
        materials: VIEW_DTYPE[N + E]: an episode has one moment more than transitions.
        objects: VIEW_DTYPE[N + E].
        inventory: ``items_dtype``[N + E].
        facing: int8[N + E, 2].
        sleeping: bool[N + E].
        action: uint8[N].
        unlocked: bool[N, achievements].
        lengths: int64[E]: how many transitions each episode has.
        crafter: The dialect.
        known: NAMES_DTYPE[1]: its names, with those that the world adds.
        own: OWN_DTYPE[N + E] if it has rules of kinds that Crafter lacks, else OWN_DTYPE[0].
        unknown: int64[E]: what is not known of each; see ``batches.UNKNOWN``.
        numbers: int64[E]: by which the episodes are known in the table.
        reader: ``reader_dtype``[1]; ``episode``, ``first`` and ``next`` must be 0 at first. To go
            on when a single episode has grown, ``next`` must be the number of its transitions that
            were read.
        rows: As in a table.
        size: int64[1], likewise.

    Returns:
        DONE, REFUSED, or FULL: then the table must be widened to go on.
    """
    notes = reader[0]
    step, news, things = notes.step, notes.news, notes.things
    for episode in range(notes.episode, len(lengths)):
        first, steps = notes.first, lengths[episode]
        moment, end = first + episode, first + episode + steps + 1
        skipped = late(unknown[episode])
        notes.episode = episode
        if notes.next == 0 and not count(news, rows, size):
            return FULL
        new = moment + notes.next
        if not well_formed(
            *(materials[new:end], objects[new:end], inventory[new:end]),
            *(facing[new:end], action[first + notes.next : first + steps], known[0]),
        ):
            return REFUSED
        if notes.next == 0:
            _begin_episode(
                *(notes, numbers[episode], materials[moment], objects[moment], unknown[episode])
            )
            if known[0].shots:
                begin_courses(notes.courses[0], objects[moment], late(unknown[episode]))
        for t in range(notes.next, steps):
            if news.count > MOST_NEWS - MOST_AT_ONCE and not count(news, rows, size):
                notes.next = t
                return FULL
            now = moment + t
            ground, ground_after = materials[now], materials[now + 1]
            looks, looks_after = objects[now], objects[now + 1]
            before, after = inventory[now], inventory[now + 1]
            there, there_after = things[t % 2], things[(t + 1) % 2]
            list_things(looks_after, there_after)
            happen(
                *(notes.needs, step, there, t + skipped),
                *(ground, ground_after, looks, looks_after),
                *(before, after, facing[now, 0], facing[now, 1]),
                *(sleeping[now], sleeping[now + 1], action[first + t], crafter, known[0]),
            )
            step.clouded = False
            if known[0].own:
                see_own(step, known[0], own[now], ground, ground_after, looks)
                for i in range(len(notes.killed)):
                    if known[0].killing[i] >= 0:
                        notes.killed[i] = _told(
                            unlocked[first + t, known[0].killing[i]], notes.killed[i]
                        )
            for i in range(len(FIRST_TIMES)):
                notes.told[i] = _told(unlocked[first + t, FIRST_TIMES[i]], notes.told[i])
            news.step = t + 1
            if known[0].shots:
                courses, courses_after = notes.courses[t % 2], notes.courses[(t + 1) % 2]
                see_shots(step, known[0], courses, looks)
                if step.deed == SHOOTS:
                    tell_shooting(news, step, known[0], not notes.shot, before, after, looks)
                    if is_shot(known[0], step.object_after):
                        notes.shot = True
                tell_flights(
                    *(news, step, known[0], courses, ground, ground_after, looks, looks_after),
                )
                follow_shots(
                    *(news, step, known[0], courses, courses_after, looks, looks_after),
                    spends(before, after),
                )
                tell_struck(news, step, known[0], courses, courses_after, looks, looks_after)
            if notes.shot:  # its projectiles may kill out of view, and bring whatever that yields
                continue
            tell_deed(
                *(news, step, known[0], notes.told, notes.killed),
                *(before, after, ground, ground_after, looks),
            )
            if known[0].needs > 0:
                tell_needs(
                    *(news, step, known[0], own[now], own[now + 1], t + skipped),
                    *(before, after, ground, ground_after),
                )
            if known[0].own:
                tell_cells(
                    *(news, step, known[0], own[now + 1], notes.ages[t % 2]),
                    *(notes.ages[(t + 1) % 2], ground, ground_after, looks),
                )
                tell_push(news, step, known[0], ground, ground_after, looks)
                if known[0].behaving and there.count:
                    tell_acts(
                        *(news, step, known[0], own[now + 1], ground),
                        *(looks, looks_after, there, after),
                    )
            if there.count + there_after.count and step.shift != UNCLEAR:
                tell_arrivals(news, step, known[0], looks, there_after)
                if not balanced(step.number):
                    tell_motions(news, step, known[0], ground, looks, looks_after, there)
                if step.shift == STAYED:
                    tell_unharmed(news, step, notes.watch, looks, looks_after, before, after)
        notes.first = first + steps
        notes.next = 0
    notes.episode = len(lengths)
    return DONE if count(news, rows, size) else FULL


@kernel
def late(unknown: int) -> int:
    """How many steps are missing at the beginning of an episode."""
    return unknown & 1


@kernel
def _begin_episode(notes: Any, number: int, materials: Any, objects: Any, unknown: int) -> None:
    """Forget the episode before, and look around."""
    begin_needs(notes.needs, late(unknown))
    begin_watch(notes.watch)
    begin_ages(notes.ages[0], late(unknown))
    for i in range(len(FIRST_TIMES)):
        notes.told[i] = UNTOLD if unknown else NO
    for i in range(len(notes.killed)):
        notes.killed[i] = UNTOLD if unknown else NO
    notes.shot = False
    list_things(objects, notes.things[0])
    notes.news.trajectory = number
    notes.news.step = 0
    if not late(unknown):
        tell_start(notes.news, materials)


@inline_kernel
def happen(
    needs: Any,
    step: Any,
    things: Any,
    t: int,
    materials: Any,
    materials_after: Any,
    objects: Any,
    objects_after: Any,
    before: Any,
    after: Any,
    facing_x: int,
    facing_y: int,
    sleeping: bool,
    sleeping_after: bool,
    action: int,
    crafter: bool,
    known: Any,
) -> None:
    """Note in ``step`` what happened in transition t; ``things`` are in the view before it.

    The transitions before it have to be noted first. (Arrays would be slow as arguments.)
    """
    _begin(step, t, before, sleeping, action, facing_x, facing_y, known)
    _look(step, materials, objects, materials_after, objects_after)
    asleep = before.amounts[_ENERGY] < MAXIMUM and (sleeping or step.action == SLEEP)
    feel(needs, step, before, after, asleep, crafter)
    step.asleep = sleeping_after
    find_dangers(step, things, known)


@inline_kernel
def _begin(
    step: Any,
    t: int,
    before: Any,
    sleeping: bool,
    action: int,
    facing_x: int,
    facing_y: int,
    known: Any,
) -> None:
    """The player's action and target; asleep, it sleeps whatever was chosen."""
    step.number = t
    tired = before.amounts[_ENERGY] < MAXIMUM
    step.action = SLEEP if sleeping and tired else action
    step.deed = NO_DEED
    if step.action > SLEEP:
        step.deed = known.deed[step.action & _CODES]
        step.thing = known.number[step.action & _CODES]
    step.dx, step.dy = facing_x, facing_y
    if moves(step.action):
        step.dx, step.dy = SIDES[step.action - MOVE]


@inline_kernel
def _look(
    step: Any, materials: Any, objects: Any, materials_after: Any, objects_after: Any
) -> None:
    """The cell ahead before and after, and whether the player moved."""
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
