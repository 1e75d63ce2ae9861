"""Interactions: the rules that an episode applied, with step and cell, from replayed actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mars_logic.plan.observed_map import KINDS
from mars_logic.sim import Simulator
from mars_logic.world import names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mars_logic.sim import State
    from mars_logic.world.theory import World

_DO = names.ACTIONS.index("do")
_BEINGS = {KINDS.index(being): being for being in names.BEINGS}


@dataclass(frozen=True, slots=True)
class Interaction:
    """One interaction with an effect.

    Attributes:
        step: When, from 1.
        rule: The id of the rule that was applied; ``sleep`` for waking up rested.
        stood: The player's cell.
        cell: The cell that it was done to; the player's own if it was done to none.
        material: What that cell was made of.
        counted: The achievements whose counters it raised, reached before or not. Collecting that
            luck did not favour raises none.
        gained: The items and vitals of which the player had more afterwards.
        came: The creature that came out of the cell that was collected from, if one did.
    """

    step: int
    rule: str
    stood: tuple[int, int]
    cell: tuple[int, int]
    material: str
    counted: tuple[str, ...]
    gained: tuple[str, ...] = ()
    came: str | None = None


def deeds(world: World, seed: int, episode: int, actions: Iterable[int]) -> Iterator[Interaction]:
    """The interactions of some actions, replayed from the beginning of an episode.

    Creatures count when they are killed or eaten, not when they are hit. Moves are no deeds.

    Args:
        world: Where it was played.
        seed: The environment's seed.
        episode: Which episode of that seed.
        actions: Codes of ``names.ACTIONS``.
    """
    simulator = Simulator(world)
    simulator.reset(seed, episode)
    for step, action in enumerate(actions, start=1):
        useful = bool(simulator.action_mask()[0, action])
        before, counters = simulator.state(), simulator.counters[0]
        simulator.step(action)
        counted = _raised(world.vocabulary.achievements, counters, simulator.counters[0])
        after = simulator.state().inventory
        gained = _raised(world.vocabulary.items, before.inventory, after)
        eaten = "food" in gained
        rule = _rule(world, before, action, bool(counted) or eaten) if useful else None
        if "wake_up" in counted:
            rule = "sleep"
        if rule:
            cell = _cell(before, rule)
            material = world.vocabulary.materials[before.materials[cell]]
            came = _came(world, rule, simulator, cell)
            stood = before.x, before.y
            yield Interaction(step, rule, stood, cell, material, counted, gained, came)


def _came(world: World, rule: str, simulator: Simulator, cell: tuple[int, int]) -> str | None:
    """The creature that collecting brought to a cell, if any."""
    if not rule.startswith("collect.") or not world.collect[rule.partition(".")[2]].spawns:
        return None
    things = simulator.state().objects
    kinds = [KINDS[int(each["kind"])] for each in things if (each["x"], each["y"]) == cell]
    return next((kind for kind in kinds if kind in names.CREATURES), None)


def _raised(names_of: Sequence[str], before: NDArray[Any], after: NDArray[Any]) -> tuple[str, ...]:
    return tuple(names_of[int(i)] for i in np.flatnonzero(after > before))


def _rule(world: World, before: State, action: int, ended: bool) -> str | None:
    """The rule that an action with an effect applied, if it applied one.

    ``place_table`` applies ``place.table``.
    """
    if action != _DO:
        rule = world.vocabulary.actions[action].replace("_", ".", 1)
        return rule if rule.startswith(("place.", "make.", "eat.")) else None
    ahead = _ahead(before)
    for thing in before.objects:
        if (thing["x"], thing["y"]) == ahead:
            being = _BEINGS.get(int(thing["kind"]))
            return f"creature.{being}" if being and ended else None
    return f"collect.{world.vocabulary.materials[before.materials[ahead]]}"


def _cell(before: State, rule: str) -> tuple[int, int]:
    at_the_player = rule.startswith(("make.", "eat.")) or rule == "sleep"
    return (before.x, before.y) if at_the_player else _ahead(before)


def _ahead(before: State) -> tuple[int, int]:
    return before.x + before.facing[0], before.y + before.facing[1]
