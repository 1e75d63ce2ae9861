"""Minimum interactions from a state within an episode, on the known part of the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from mars_logic.logic.facts import facts
from mars_logic.logic.ground import Ground
from mars_logic.logic.layout import MapLayout
from mars_logic.logic.order import Held, Left, Now, Order
from mars_logic.logic.plan_bounds import plan_bounds
from mars_logic.logic.reachability_model import _CAREFUL, _GIVEN, _PLANS, _RULES, Plan, goals
from mars_logic.logic.regions import Resident, extent_atoms, patch_atoms, simplified
from mars_logic.logic.rule_atoms import rule_id, term
from mars_logic.logic.solve import Assumption, LimitReachedError, Relations, Session
from mars_logic.world.theory import World

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEVEL = "finite_chance"
"""Plans may count on any luck."""
CONFLICTS = 20_000
"""Conflict limit of each search; beyond it, the plan covers fewer achievements."""
MOST_TRIED = 1000
"""Maximum number of states in the search for an order."""
START = ("start", "plain")
"""The pseudo-interaction that yields the initial inventory."""
_DEAREST = 40

Cell = tuple[int, int]


@dataclass(frozen=True)
class ReplanningScene:
    """The initial state of a plan.

    Attributes:
        area: uint8[64, 64], indexed [x, y]: material codes; any other code is an unknown cell.
        position: The player's cell.
        facing: The direction that the player faces.
        creatures: Known creatures: (kind, x, y).
        held: The items held.
        planted: Whether a plant stands.
    """

    area: NDArray[Any]
    position: Cell
    facing: Cell
    creatures: tuple[Resident, ...] = ()
    held: Mapping[str, int] = field(default_factory=dict)
    planted: bool = False


class Counts:
    """Plans for one world and one scene."""

    def __init__(self, world: World, scene: ReplanningScene, conflicts: int = CONFLICTS):
        """Prepare; nothing is solved yet."""
        self.world = world
        self.scene = scene
        self.conflicts = conflicts

    @cached_property
    def _session(self) -> Session:
        text = "\n".join(
            (
                facts(self.world),
                plan_bounds(self.world),
                *(f"{atom}." for atom in _scene_atoms(self.world, self.scene)),
                *(f"{atom}." for atom in _prices(self.world, self.scene)),
            )
        )
        files = (*_RULES, *_GIVEN, *_CAREFUL, *_PLANS, "plan/plan.lp")
        return Session(files, text, self.conflicts)

    @cached_property
    def relations(self) -> Relations:
        """The relations at each level in this scene."""
        found = self._session.relations(self._aims((), planning=False))
        assert found is not None, "the rules have exactly one least model"
        return found

    @cached_property
    def reachable(self) -> tuple[str, ...]:
        """The achievements that can be unlocked from here, with luck."""
        found = {row[1] for row in self.relations["unlock"] if row[0] == LEVEL}
        return tuple(name for name in self.world.achievements if name in found)

    def fewest(self, wanted: Iterable[str], *, cautious: bool = False) -> Plan | None:
        """Applications of each rule for all of these; None if no counts are balanced.

        Args:
            wanted: The achievements to unlock.
            cautious: Whether to have all held items in addition to all used ones, which makes any
                order valid but may take more interactions.

        Raises:
            LimitReachedError: The search was given up.
        """
        aims = self._aims(tuple(wanted), planning=True, cautious=cautious)
        model = self._session.solve(["times"], aims)
        if model is None:
            return None
        counts: Plan = {}
        for rule, outcome, nth in model["times"]:
            counts[rule, outcome] = max(counts.get((rule, outcome), 0), int(nth))
        return counts

    def ordered(self, plan: Plan) -> list[tuple[str, str]] | None:
        """The interactions of a plan in a valid order; None if none is found."""
        rest = {action: times for action, times in plan.items() if action != START}
        ground = Ground(self.relations, LEVEL)
        order = _Bounded(ground, rest)
        order.planted = self.scene.planted
        if START in plan:
            whole = Order(ground, plan)
            order.nothing = whole._held_after(whole.actions.index(START), whole.nothing)
        try:
            return order.find()
        except LimitReachedError:
            return None

    def _aims(
        self, wanted: tuple[str, ...], *, planning: bool, cautious: bool = False
    ) -> list[Assumption]:
        levels = ("sure", "almost_sure", LEVEL)
        targets = [Assumption("target", (name,), planning and name == LEVEL) for name in levels]
        aims = [Assumption("wanted", (name,), name in wanted) for name in goals(self.world)]
        return [*targets, *aims, Assumption("cautious", (), cautious)]


class _Bounded(Order):
    """The search for an order with an early limit; counts alone serve a planner almost as well."""

    _tried = 0

    def _next(self, left: Left, held: Held, now: Now, last: int | None) -> list[int]:
        self._tried += 1
        if self._tried > MOST_TRIED:
            raise LimitReachedError
        return super()._next(left, held, now, last)


def rule_of(action: tuple[str, str]) -> str:
    """The id of the rule that an action of a plan applies."""
    return rule_id(action[0])


def _scene_atoms(world: World, scene: ReplanningScene) -> Iterator[str]:
    materials = world.vocabulary.materials
    layout = MapLayout(np.where(scene.area < len(materials), scene.area, 0), materials)
    yield from patch_atoms(
        simplified(layout.seen_from(scene.position, scene.facing, scene.creatures))
    )
    yield from layout.place_atoms(scene.position)
    for material, in_chunks in layout.in_chunks.items():
        yield from extent_atoms(material, in_chunks)
    yield "creatures_known"
    yield "midway"
    for item, amount in scene.held.items():
        yield f"held({item}, {amount})"
    if scene.planted:
        yield "planted"


def _prices(world: World, scene: ReplanningScene) -> Iterator[str]:
    """Additional costs of interactions: expected tries, and the distance to the nearest cell."""
    code = {material: code for code, material in enumerate(world.vocabulary.materials)}
    for collect in world.collect.values():
        rule = term(collect.id)
        for item, given in collect.yields.items():
            if given.probability:
                tries = ceil(min(_DEAREST, 1 / given.probability))
                yield f"price({rule}, {item}, {max(0, tries - 1)})"
        yield f"trip({rule}, {_way(scene, code[collect.subject]) // 3})"
    for creature in world.creature.values():
        ways = [
            _distance(scene.position, (x, y))
            for k, x, y in scene.creatures
            if k == creature.subject
        ]
        yield f"trip({term(creature.id)}, {min([*ways, _DEAREST]) // 3})"


def _way(scene: ReplanningScene, material: int) -> int:
    """Distance to the nearest known cell of a material, by its code, ignoring obstacles."""
    columns, rows = (scene.area == material).nonzero()
    if not len(columns):
        return _DEAREST
    x, y = scene.position
    return min(_DEAREST, int((abs(columns - x) + abs(rows - y)).min()))


def _distance(one: Cell, other: Cell) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


__all__ = ["START", "Counts", "ReplanningScene", "rule_of"]
