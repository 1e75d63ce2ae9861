"""Translates a game state to facts for one step: the part relevant to the acting object.

The facts are those of ``encodings/step/state.lp``. The input is plain data, so that any
simulator can query the outcomes of a step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mars_logic.world import names
from mars_logic.world.vocabulary import ARROW, BARE, PROJECTILE_FAMILIES, REMAINS, Vocabulary

if TYPE_CHECKING:
    from numpy.typing import NDArray

Cell = tuple[int, int]
"""A column and a row of the map, or an offset between two cells."""

Situation = frozenset[str]
"""Facts about a state, as clingo writes them: without blanks and full stops."""

_BESIDE = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
_AROUND = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
_BEHIND = ((-2, 0), (2, 0), (0, -2), (0, 2))
"""Cells onto which the player may push what is beside it, or that a projectile may reach."""
_AFTER_A_MOVE = tuple(
    (dx, dy) for dx in range(-2, 3) for dy in range(-2, 3) if abs(dx) + abs(dy) < 4
)
"""Cells around the player before or after a move."""
_OF_PROJECTILES = ("health", "factor", "age", "cooldown")
"""Fields of projectiles in worlds with rules about them."""
_FIELDS = {
    **dict.fromkeys(names.CREATURES, ("health", "cooldown", "reload")),
    "plant": ("health", "cooldown", "reload", "age"),
    "arrow": ("health", "factor"),
    "body": ("health",),
}


@dataclass(frozen=True)
class NearbyThing:
    """A creature, a plant or a projectile.

    Attributes:
        kind: Its name among the objects of the vocabulary, such as ``cow`` or ``arrow``.
        health: Its health.
        cooldown: Steps beside the player until it can attack again; of a projectile, in worlds
            with rules about them, 1 if the player shot it.
        reload: Steps until it can shoot again.
        age: Of a plant, in steps; of a projectile with a range, in cells.
        factor: Of a projectile, its shooter's ``arrow_health_factor``.
        flies: Of a projectile, its direction.
    """

    kind: str
    health: int = 0
    cooldown: int = 0
    reload: int = 0
    age: int = 0
    factor: int = 0
    flies: Cell = (0, 0)


@dataclass(frozen=True)
class Player:
    """The player.

    Attributes:
        cell: Its cell.
        facing: The direction that it faces.
        inventory: Amount of each item, vitals included; at least health is required.
        last_health: Its health at the end of its own last update.
        counters: ``hunger``, ``thirst``, ``fatigue`` and ``recover``, in steps (and half steps).
        sleeping: Whether it is asleep.
        in_bed: Whether it has lain in a bed and was not hurt since.
        boss: Whether it does not bleed.
        gone: Whether it is dead, with a body in its place.
    """

    cell: Cell
    facing: Cell = (0, 1)
    inventory: Mapping[str, int] = field(default_factory=dict)
    last_health: int = 9
    counters: Mapping[str, float] = field(default_factory=dict)
    sleeping: bool = False
    in_bed: bool = False
    boss: bool = False
    gone: bool = False


@dataclass(frozen=True)
class FactState:
    """The state of a game between two updates.

    Attributes:
        materials: The map, uint8[width, height] indexed ``[x, y]``: codes of materials.
        player: The player.
        things: All other objects by cell; those far from the acting object are irrelevant.
        marks: Marks of the same cells, in a dialect with traces; else None.
        words: The vocabulary, Crafter's by default.
    """

    materials: NDArray[Any]
    player: Player
    things: Mapping[Cell, NearbyThing]
    marks: NDArray[Any] | None = None
    words: Vocabulary | None = None


def before_action(state: FactState, action: str, *, step: int = 1, dark: bool = False) -> Situation:
    """The facts relevant to the player's action.

    Args:
        state: The state.
        action: The name of an action.
        step: The number of the step in its episode; it matters to added needs.
        dark: Whether it is night, likewise.
    """
    x, y = state.player.cell
    edge = {"at_edge"} if x == 0 or y == 0 else set()
    if state.words is not None and state.words.added_needs:
        edge |= {f"moment({step})", *(("dark",) if dark else ())}
    return seen_by_player(state, state.player.cell) | edge | {f"action({action})"}


def before_update(state: FactState, cell: Cell, *, dark: bool = False) -> Situation:
    """The facts relevant to the update of the thing on a cell.

    Args:
        state: The state.
        cell: The cell.
        dark: Whether it is night; it matters to creatures that act by cases.
    """
    cases = state.words is not None and state.words.subjects.get("behaviour")
    if not cases:
        return seen_by_thing(state, cell)
    held = {f"in_hand({item})" for item, n in state.player.inventory.items() if n > 0}
    return seen_by_thing(state, cell) | held | ({"dark"} if dark else set())


def before_change(state: FactState, cell: Cell, age: int, *, dark: bool) -> Situation:
    """The facts relevant to a change of a cell by itself.

    Args:
        state: The state.
        cell: The cell.
        age: The steps that a timer has counted for it.
        dark: Whether it is night.
    """
    x, y = state.player.cell
    away = abs(x - cell[0]) + abs(y - cell[1])
    night = {"dark"} if dark else set()
    return seen_of_change(state, cell, age) | night | {f"away({away})"}


def seen_of_change(state: FactState, cell: Cell, age: int) -> Situation:
    """A cell that may have changed, with its age, and the four beside it."""
    width, height = state.materials.shape
    inside = (
        (cell[0] + dx, cell[1] + dy)
        for dx, dy in _BESIDE
        if 0 <= cell[0] + dx < width and 0 <= cell[1] + dy < height
    )
    grounds = (atom for each in inside for atom in _ground(state, cell, each))
    return frozenset((*grounds, f"age({age})"))


def seen_by_player(state: FactState, origin: Cell) -> Situation:
    """The player and all objects on the 3 × 3 cells around a cell, by offset from it.

    In a world where things are pushed, the four cells two steps away are among them; where there
    are added needs, all that may be near after a move.
    """
    words = state.words
    offsets: tuple[Cell, ...] = _AROUND
    if words is not None and words.added_needs:
        offsets = _AFTER_A_MOVE
    elif words is not None and words.subjects.get("push"):
        offsets = (*_AROUND, *_BEHIND)
    return frozenset((*_player(state.player), *_cells(state, origin, offsets)))


def seen_by_thing(state: FactState, origin: Cell) -> Situation:
    """All objects on a cell and the four beside it, and the player's changeable fields."""
    player = state.player
    flights = _own_flights(state)
    atoms = {*_cells(state, origin, (*_BESIDE, *_BEHIND) if flights else _BESIDE)}
    if not player.gone:
        atoms.add(_object(player.cell, origin, "player"))
    if state.marks is not None:  # blood may mark the player's cell, which may be further off
        atoms.update(_ground(state, origin, player.cell))
    known = player.inventory if flights else ("health",)
    atoms.update(f"item({item},{player.inventory[item]})" for item in known)
    if player.sleeping:
        atoms.add("asleep")
    return frozenset((*atoms, *_flags(player)))


def _own_flights(state: FactState) -> bool:
    """Whether the world has rules about projectiles."""
    words = state.words
    return words is not None and any(words.subjects.get(each) for each in PROJECTILE_FAMILIES)


def _flags(player: Player) -> Iterator[str]:
    for flag in ("in_bed", "boss"):
        if getattr(player, flag):
            yield flag


def _player(player: Player) -> Iterator[str]:
    for item, amount in player.inventory.items():
        yield f"item({item},{amount})"
    for counter, steps in player.counters.items():
        yield f"counter({counter},{round(2 * steps)})"
    yield f"last_health({player.last_health})"
    yield f"facing({player.facing[0]},{player.facing[1]})"
    if player.sleeping:
        yield "asleep"
    yield from _flags(player)


def _ground(state: FactState, origin: Cell, cell: Cell) -> Iterator[str]:
    """The material and the mark of a cell."""
    (dx, dy), code = (cell[0] - origin[0], cell[1] - origin[1]), int(state.materials[cell])
    materials = state.words.materials if state.words else names.MATERIALS
    yield f"cell({dx},{dy},{materials[code]})"
    if state.words and state.marks is not None:
        kinds = state.words.remains if materials[code] == REMAINS else state.words.marks
        mark = kinds[state.marks[cell]]
        if mark != BARE:
            yield f"mark({dx},{dy},{mark})"


def _cells(state: FactState, origin: Cell, offsets: tuple[Cell, ...]) -> Iterator[str]:
    width, height = state.materials.shape
    for dx, dy in offsets:
        x, y = cell = origin[0] + dx, origin[1] + dy
        if not (0 <= x < width and 0 <= y < height):
            continue
        yield from _ground(state, origin, cell)
        if cell == state.player.cell and not state.player.gone:
            yield _object(cell, origin, "player")
        elif thing := state.things.get(cell):
            yield _object(cell, origin, thing.kind)
            shot = thing.kind in (state.words.projectiles if state.words else (ARROW,))
            fields = _FIELDS.get(thing.kind, _FIELDS["cow"])
            for name in _OF_PROJECTILES if shot and _own_flights(state) else fields:
                yield f"thing({dx},{dy},{name},{getattr(thing, name)})"
            if shot:
                yield f"flies({dx},{dy},{thing.flies[0]},{thing.flies[1]})"


def _object(cell: Cell, origin: Cell, kind: str) -> str:
    return f"object({cell[0] - origin[0]},{cell[1] - origin[1]},{kind})"
