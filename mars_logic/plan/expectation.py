"""What is out of view: expected materials, and creatures as densities.

Materials of cells that were never in view follow from the nearest cell that was, by statistics of
maps drawn from the believed world. Creatures out of view have an expected number on each cell (the
intensity of a probability hypothesis density filter; Mahler 2003): it moves as creatures move,
follows the balance of creatures, and is replaced by what is seen wherever the player looks.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.compiled.kernel import kernel
from mars_logic.plan.observed_map import KINDS, UNSEEN, Entity, ObservedMap, Status
from mars_logic.plan.world_model import WorldModel
from mars_logic.sim import Simulator
from mars_logic.world import names
from mars_logic.world.dialect import (
    ACTIVE_DISTANCE,
    AREA,
    BALANCE,
    BALANCE_PERIOD,
    CHUNK,
    MOST_COWS,
    MOST_SKELETONS,
    SHOOTER_WALK_CHANCE,
    VIEW_HEIGHT,
    VIEW_WIDTH,
    WALK_CHANCE,
    ZOMBIES_AT_NIGHT,
    ZOMBIES_BY_DAY,
)
from mars_logic.world.theory import World

REACH: Final = 24
"""Distances of two cells that are told apart; farther ones count as unrelated."""
_FIRST_KIND: Final = names.LOOKS.index(names.CREATURES[0])
_MAPS: Final = 32
_FIRST_SEED: Final = 1 << 41
_FAMILIES: Final = ("neighbour", "rename", "walk")
"""The rules on which the generator depends."""


@dataclass(frozen=True)
class GeneratorStatistics:
    """Relative frequencies on maps of a believed generator.

    Attributes:
        beside: float64[REACH + 1, M, M]: for M materials, the probability of the second one at a
            distance from a cell of the first one; at REACH, and where the first one is never
            generated, that of any cell.
        cluster: float64[M]: the mean number of cells of a material in a view that has at least
            one; 1 where there is none.
        creatures: float64[kinds, M]: creatures at the start of an episode for each cell of a
            material.
    """

    beside: NDArray[np.float64]
    cluster: NDArray[np.float64]
    creatures: NDArray[np.float64]


@dataclass(frozen=True)
class _Generator:
    """What a world's maps depend on; worlds that differ in other rules have the same maps."""

    about: tuple[Hashable, ...]
    world: World = field(compare=False)


def generator_statistics(world: World) -> GeneratorStatistics:
    """The statistics of a believed world's generator; kept for the last few generators."""
    rules = tuple(rule for rule in world.rules() if rule.family in _FAMILIES)
    return _measured(_Generator((world.dynamics, world.vocabulary, world.map, rules), world))


@lru_cache(maxsize=16)
def _measured(generator: _Generator) -> GeneratorStatistics:
    world = generator.world
    simulator = Simulator(world)
    many = len(world.vocabulary.materials)
    pairs = np.zeros((REACH + 1, many, many))
    counts = np.zeros((len(names.CREATURES), many))
    cells = np.zeros(many)
    within, views = np.zeros(many), np.zeros(many)
    for seed in range(_FIRST_SEED, _FIRST_SEED + _MAPS):
        simulator.reset(seed)
        state = simulator.state()
        materials = state.materials
        for distance in range(1, REACH):
            for one, other in (
                (materials[distance:], materials[:-distance]),
                (materials[:, distance:], materials[:, :-distance]),
            ):
                code = one.ravel().astype(np.int64) * many + other.ravel()
                found = np.bincount(code, minlength=many**2)
                found = found.reshape(many, many)
                pairs[distance] += found + found.T
        cells += np.bincount(materials.ravel(), minlength=many)
        for thing in state.objects:
            kind = int(thing["kind"]) - _FIRST_KIND
            if kind < len(names.CREATURES):  # plants may be drawn
                counts[kind, materials[thing["x"], thing["y"]]] += 1
        for x in range(0, AREA - VIEW_WIDTH + 1, VIEW_WIDTH):
            for y in range(0, AREA - VIEW_HEIGHT + 1, VIEW_HEIGHT):
                view = materials[x : x + VIEW_WIDTH, y : y + VIEW_HEIGHT]
                seen = np.bincount(view.ravel(), minlength=many)
                within += seen
                views += seen > 0
    share = cells / cells.sum()
    totals = pairs.sum(axis=2, keepdims=True)
    beside = np.where(totals > 0, pairs / np.maximum(totals, 1), share)
    cluster = np.where(views > 0, within / np.maximum(views, 1), 1)
    return GeneratorStatistics(beside, cluster, counts / np.maximum(cells, 1))


Field = NDArray[np.float64]
Mask = NDArray[np.bool_]

BEINGS: Final = tuple(KINDS.index(being) for being in names.CREATURES)
_NAMES: Final = names.CREATURES
_ENOUGH: Final = tuple(BALANCE[being].enough for being in _NAMES)
_COMING: Final = tuple(BALANCE[being].coming_chance for being in _NAMES)
_GOING: Final = tuple(BALANCE[being].going_chance for being in _NAMES)
_COMING_DISTANCE: Final = tuple(BALANCE[being].coming_distance for being in _NAMES)
_GOING_DISTANCE: Final = tuple(BALANCE[being].going_distance for being in _NAMES)
_LIKELY: Final = 0.5
"""More likely than not: what is expected within a view of where it was seen is still there."""


@dataclass(frozen=True)
class Expectation:
    """What is expected out of view.

    Attributes:
        materials: float64[64, 64, 13]: probability of each material in cells never seen, 0 in
            others.
        creatures: float64[3, 64, 64]: expected number of each creature (``names.CREATURES``) on
            cells out of view, 0 in view.
        cluster: float64[13]: mean number of cells of a material in a view that has any.
        code: The codes of materials by name.
    """

    materials: Field
    creatures: Field
    cluster: Field
    code: Mapping[str, int]

    def of_materials(self, weights: dict[str, float]) -> Field:
        """float64[64, 64]: expected clusters of some materials, by their weights."""
        each = np.zeros(len(self.cluster))
        for material, weight in weights.items():
            each[self.code[material]] = weight
        clusters: Field = self.materials @ (each / self.cluster)
        return clusters

    def of_creature(self, being: str) -> Field:
        """float64[64, 64]: the expected number of a creature."""
        number: Field = self.creatures[names.CREATURES.index(being)]
        return number


class ExpectationFilter:
    """Keeps the expectation from step to step."""

    def __init__(self) -> None:
        """Begin with no step taken."""
        self._step = -1
        self._unseen = -1
        self._model: WorldModel | None = None
        self._statistics: GeneratorStatistics | None = None
        self._materials = np.zeros((AREA, AREA, 0))
        self._first = np.zeros((len(BEINGS), AREA, AREA))
        self._creatures = np.zeros((len(BEINGS), AREA, AREA))
        self._surface: _Surface | None = None

    def update(self, model: WorldModel, seen: ObservedMap, status: Status) -> Expectation | None:
        """The expectation now; None if the whole map is in view.

        Args:
            model: What is believed.
            seen: The map as far as it is known, one step or more after the last one.
            status: What the player knows of itself.
        """
        unseen = seen.materials == UNSEEN
        if seen.in_view is None and not unseen.any():
            return None
        known = self._statistics if model is self._model else None
        statistics = known or generator_statistics(model.playable)
        self._model = model
        if statistics is not self._statistics or unseen.sum() != self._unseen:
            self._statistics, self._unseen = statistics, int(unseen.sum())
            self._draw(statistics, seen.materials, unseen)
            self._surface = None
        self._advance(model, seen, status)
        viewed = _viewed(seen)
        self._creatures[:, viewed] = 0
        for thing in seen.things:
            if thing.ago == 0 and thing.kind in BEINGS:
                self._creatures[BEINGS.index(thing.kind), thing.x, thing.y] = 1
        return Expectation(
            self._materials, self._creatures * ~viewed, statistics.cluster, model.code
        )

    def likely(self, seen: ObservedMap) -> ObservedMap:
        """The map without creatures that have probably gone from where they were seen."""
        things = tuple(
            thing
            for thing in seen.things
            if thing.ago == 0 or thing.kind not in BEINGS or self._is_near(thing)
        )
        return seen if len(things) == len(seen.things) else replace(seen, things=things)

    def _is_near(self, thing: Entity) -> bool:
        """Whether a creature is probably still within a view of where it was last seen."""
        left, top = max(0, thing.x - VIEW_WIDTH // 2), max(0, thing.y - VIEW_HEIGHT // 2)
        number = self._creatures[BEINGS.index(thing.kind)]
        return bool(number[left : left + VIEW_WIDTH, top : top + VIEW_HEIGHT].sum() > _LIKELY)

    def _draw(
        self, statistics: GeneratorStatistics, materials: NDArray[np.uint8], unseen: Mask
    ) -> None:
        """Expect the materials of unseen cells, and the first creatures there accordingly."""
        nearest, distance = _nearest(materials, UNSEEN, REACH)
        self._materials = np.where(unseen[..., None], statistics.beside[distance, nearest], 0)
        known = np.where(unseen, 0, materials)
        first = np.moveaxis(self._materials @ statistics.creatures.T, 2, 0)
        if self._step < 0:
            first = first + statistics.creatures[:, known] * ~unseen
            self._creatures = first
        else:
            change = np.where(self._first > 0, first / np.maximum(self._first, 1e-12), 1)
            self._creatures = np.where(unseen, self._creatures * change, self._creatures)
        self._first = first

    def _advance(self, model: WorldModel, seen: ObservedMap, status: Status) -> None:
        """Let the creatures move, come and go since the last update."""
        steps = range(self._step, status.step) if self._step >= 0 else range(0)
        self._step = status.step
        if not steps:
            return
        surface = self._surface
        if surface is None or not surface.still_holds(model, seen.materials):
            surface = self._surface = _Surface.of(model, seen.materials, self._materials)
        for step in steps:
            _move(self._creatures, surface.passes, surface.walks, *seen.position)
            if (step + 1) % BALANCE_PERIOD == 0:
                wanted = _wanted(status.daylight)
                _balance(self._creatures, surface.grounds, wanted, *seen.position)


@dataclass(frozen=True)
class _Surface:
    """Where creatures can walk and come; kept as long as the known map is the same.

    Attributes:
        model: The believed world.
        known: uint8[64, 64]: the known materials.
        passes: float64[3, 64, 64]: the probability that each kind may walk on a cell.
        grounds: float64[3, 64, 64]: the probability that each kind may come on a cell.
        walks: float64[3]: the probability that each kind tries to move in a step.
    """

    model: WorldModel
    known: NDArray[np.uint8]
    passes: Field
    grounds: Field
    walks: Field

    @classmethod
    def of(cls, model: WorldModel, known: NDArray[np.uint8], expected: Field) -> _Surface:
        """The surface, from known materials and those expected on unseen cells."""
        codes = [model.code[BALANCE[being].ground] for being in _NAMES]
        grounds = np.stack([expected[..., code] + (known == code) for code in codes])
        walks = np.array([_walks(model, kind) for kind in BEINGS])
        return cls(model, known, _passable(model, known, expected), grounds, walks)

    def still_holds(self, model: WorldModel, known: NDArray[np.uint8]) -> bool:
        """Whether belief and known materials are those that it was made of."""
        return self.model is model and (self.known is known or np.array_equal(self.known, known))


def _viewed(seen: ObservedMap) -> Mask:
    """bool[64, 64]: the cells of which it is known what stands there."""
    if seen.in_view is None:
        known: Mask = seen.materials != UNSEEN
        return known
    mask = np.zeros((AREA, AREA), np.bool_)
    mask[seen.in_view] = True
    return mask


def _walks(model: WorldModel, kind: int) -> float:
    """The probability that a creature that is left alone tries to move in a step."""
    if model.table["shoots"][kind]:
        return SHOOTER_WALK_CHANCE
    if model.table["approaches"][kind]:
        return 1.0
    return WALK_CHANCE if model.table["walks"][kind] else 0.0


def _passable(model: WorldModel, materials: NDArray[np.uint8], expected: Field) -> Field:
    """float64[3, 64, 64]: the probability that each kind of creature may walk on a cell."""
    walked = np.array([model.walked_by(kind) for kind in BEINGS], np.float64)
    unseen = materials == UNSEEN
    known = np.where(unseen, 0, materials)
    passes: Field = np.where(unseen, np.moveaxis(expected @ walked.T, 2, 0), walked[:, known])
    return passes


def _wanted(daylight: float) -> NDArray[np.int64]:
    """int64[3, 2]: fewest and most creatures of each kind in a chunk with enough of its ground."""
    zombies = int(ZOMBIES_AT_NIGHT - ZOMBIES_BY_DAY * daylight)
    fewest = {"cow": 1, "zombie": zombies, "skeleton": 1}
    most = {"cow": int(MOST_COWS + daylight), "zombie": zombies, "skeleton": MOST_SKELETONS}
    return np.array([[fewest[being], most[being]] for being in _NAMES])


@kernel
def _nearest(materials: Any, unseen: int, reach: int) -> tuple[Any, Any]:
    """The material of the nearest known cell of each cell, and the distance, at most ``reach``."""
    width, height = materials.shape
    nearest = np.zeros((width, height), np.int64)
    distance = np.full((width, height), -1, np.int64)
    queue = np.empty(width * height, np.int64)
    end = 0
    for x in range(width):
        for y in range(height):
            if materials[x, y] != unseen:
                nearest[x, y], distance[x, y] = materials[x, y], 0
                queue[end] = x * height + y
                end += 1
    begin = 0
    while begin < end:
        x, y = queue[begin] // height, queue[begin] % height
        begin += 1
        for side in range(4):
            nx = x + (side == 1) - (side == 0)
            ny = y + (side == 3) - (side == 2)
            if 0 <= nx < width and 0 <= ny < height and distance[nx, ny] < 0:
                nearest[nx, ny] = nearest[x, y]
                distance[nx, ny] = min(reach, distance[x, y] + 1)
                queue[end] = nx * height + ny
                end += 1
    return nearest, distance


@kernel
def _move(number: Any, passes: Any, walks: Any, x: int, y: int) -> None:
    """One step of all creatures that are near enough to the player to move."""
    kinds, width, height = number.shape
    for kind in range(kinds):
        before = number[kind].copy()
        share = walks[kind] / 4
        if share == 0:
            continue
        for cx in range(max(0, x - ACTIVE_DISTANCE), min(width, x + ACTIVE_DISTANCE + 1)):
            for cy in range(max(0, y - ACTIVE_DISTANCE), min(height, y + ACTIVE_DISTANCE + 1)):
                here = before[cx, cy]
                if here == 0 or abs(cx - x) + abs(cy - y) > ACTIVE_DISTANCE:
                    continue
                for side in range(4):
                    nx = cx + (side == 1) - (side == 0)
                    ny = cy + (side == 3) - (side == 2)
                    if 0 <= nx < width and 0 <= ny < height:
                        flow = here * share * passes[kind, nx, ny]
                        number[kind, cx, cy] -= flow
                        number[kind, nx, ny] += flow


@kernel
def _balance(number: Any, grounds: Any, wanted: Any, x: int, y: int) -> None:
    """Creatures come and go in each chunk; their number there is taken as Poisson's."""
    kinds, width, height = number.shape
    for kind in range(kinds):
        fewest, most = wanted[kind]
        for left in range(0, width, CHUNK):
            for top in range(0, height, CHUNK):
                chunk = number[kind, left : left + CHUNK, top : top + CHUNK]
                ground = grounds[kind, left : left + CHUNK, top : top + CHUNK]
                mean, space = chunk.sum(), ground.sum()
                least = fewest if space >= _ENOUGH[kind] else 0
                comes = _COMING[kind] * _at_most(least - 1, mean)
                goes = _GOING[kind] * (1 - _at_most(most, mean))
                for cx in range(chunk.shape[0]):
                    for cy in range(chunk.shape[1]):
                        away = abs(left + cx - x) + abs(top + cy - y)
                        if away >= _GOING_DISTANCE[kind] and mean > 0:
                            chunk[cx, cy] *= max(0.0, 1 - goes / mean)
                        if away >= _COMING_DISTANCE[kind] and comes > 0:
                            chunk[cx, cy] += comes * ground[cx, cy] / space


@kernel
def _at_most(most: int, mean: float) -> float:
    """The probability of at most so many events of a Poisson distribution."""
    term, total = math.exp(-mean), 0.0
    for n in range(most + 1):
        total += term
        term *= mean / (n + 1)
    return total
