"""Search for what was not seen: where to look, and what finding it is expected to cost.

A view from a cell shows something with probability 1 - exp(-n), where n is the number expected on
the cells that come into view. The expected cost L of a search by the best view solves
L = min over cells of cost + (1 - probability) * L, that is, L = min cost / probability.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from mars_logic.kernel import kernel
from mars_logic.plan.belief_state import BeliefState
from mars_logic.plan.expectation import Field
from mars_logic.plan.observed_map import UNSEEN
from mars_logic.plan.route import FAR, STEP
from mars_logic.plan.skills import Skill
from mars_logic.plan.surroundings import widened
from mars_logic.plan.world_model import NOOP
from mars_logic.world import names
from mars_logic.world.dialect import AREA, VIEW_HEIGHT, VIEW_WIDTH
from mars_logic.world.goals import subject_of
from mars_logic.world.theory import World

_APPROACH = VIEW_WIDTH // 2 * STEP
"""Cost of the way to what has come into view."""


def searching(here: BeliefState, about: str, expected: Field) -> Skill | None:
    """The search for something, with its expected cost; None if nothing can be found.

    Args:
        here: The situation.
        about: What it is about, in words.
        expected: float64[64, 64]: the expected number of what is sought by cell; what is in view
            does not count.
    """
    ways = here.routes.nearest_cell
    found = -np.expm1(-in_views(expected))
    with np.errstate(divide="ignore"):
        total = np.where(ways < FAR, np.maximum(ways, STEP) / found, np.inf)
    best = np.unravel_index(int(np.argmin(total)), total.shape)
    if not total[best] < FAR:
        return None
    there = np.zeros((AREA, AREA), np.bool_)
    there[best] = True
    extra = int(total[best] - ways[best]) + _APPROACH
    return Skill(about, NOOP, None, there, extra)


def is_enclosed(here: BeliefState) -> bool:
    """Whether all is seen of what lies around the cells that can be got to."""
    beside_unseen = widened(here.seen.materials == UNSEEN, 1)
    return not beside_unseen[here.routes.nearest_cell < FAR].any()


def in_views(expected: Field) -> Field:
    """float64[64, 64]: the sum over all cells in view from each cell."""
    views: Field = _in_views(expected)
    return views


@kernel
def _in_views(expected: Any) -> Any:
    """float64[64, 64]: sums over views, as differences of sums from the map's corner on."""
    width, height = expected.shape
    right, below = VIEW_WIDTH // 2, VIEW_HEIGHT // 2
    columns = np.zeros((width, height))  # sums of each column from the first row on
    columns[0] = expected[0]
    for x in range(1, width):
        for y in range(height):
            columns[x, y] = columns[x - 1, y] + expected[x, y]
    sums = np.zeros((width, height))
    for x in range(width):
        total = 0.0
        for y in range(height):
            total += columns[x, y]
            sums[x, y] = total
    views = np.empty((width, height))
    for x in range(width):
        after, before = min(x + right, width - 1), x - right - 1
        for y in range(height):
            last, first = min(y + below, height - 1), y - below - 1
            upper = sums[after, last] - (sums[before, last] if before >= 0 else 0.0)
            lower = 0.0
            if first >= 0:
                lower = sums[after, first] - (sums[before, first] if before >= 0 else 0.0)
            views[x, y] = max(upper - lower, 0.0)
    return views


def expected_gain(here: BeliefState, goals: Iterable[str]) -> Field:
    """float64[64, 64]: the expected number of things out of view that serve goals.

    What is already known in n places counts as 1 / (n + 1). Where nothing of that can be expected,
    every unseen cell counts alike.

    Args:
        here: The situation.
        goals: Achievements that are open.
    """
    assert here.expected is not None
    wanted = wants(here.model.world, goals)
    code = here.code
    places = np.bincount(here.seen.materials.ravel(), minlength=len(code))
    materials = {name: 1 / (1 + int(places[code[name]])) for name in wanted if name in code}
    gain = here.expected.of_materials(materials)
    for being in names.CREATURES:
        if being in wanted:
            gain = gain + here.expected.of_creature(being) / (1 + len(here.seen.of_kind(being)))
    return gain if gain.any() else here.expected.materials.sum(axis=2)


def wants(world: World, goals: Iterable[str]) -> frozenset[str]:
    """The materials and creatures from which goals are reached, by any of the rules.

    Args:
        world: What is believed.
        goals: Names of achievements.

    Example:
        >>> from mars_logic.world.load import load_world
        >>> sorted(wants(load_world("default"), ["make_wood_pickaxe"]))
        ['grass', 'path', 'sand', 'tree']
    """
    found: set[str] = set()
    waiting = [subject_of(goal) for goal in goals]
    for thing in waiting:
        if thing in found:
            continue
        found.add(thing)
        waiting += _makings(world, thing)
    words = world.vocabulary
    added = (material.name for material in words.added)
    return frozenset(found & {*names.NATURAL, *names.CREATURES, *added})


def _makings(world: World, thing: str) -> Iterator[str]:
    """What may be needed to get an item, or to have a thing placed."""
    for rule in world.collect.values():
        if rule.collectable and thing in rule.yields:
            yield rule.subject
            yield from rule.requires
        if thing in rule.spawns:
            yield rule.subject
    if thing in world.place:
        yield from world.place[thing].uses
        yield from world.place[thing].where
    if thing in world.make:
        yield from world.make[thing].uses
        yield from world.make[thing].nearby
