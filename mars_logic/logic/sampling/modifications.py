"""The paper's modifications as data: the fields that they change, with the new values.

Source: sections 2.2 and A.5 of the Mars paper. Where it leaves something open (how much a table
takes, that sand may yield something), the worlds released with it decide; docs/sampling.md lists
these places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from mars_logic.world import names

Field = tuple[str, str]
"""A rule's id and the name of one of its fields."""
Domains = Iterator[tuple[Field, list[Any]]]

_SIGNS = [-1, 0, 1]
_FLAGS = [False, True]
_TOOLS = [{}, *({item: 1} for item in ("sapling", "wood_pickaxe", "stone_pickaxe", "iron_pickaxe"))]
_SAPLING = 0.1
"""The probability of a sapling wherever one is found (A.5.3)."""
_OWN = ("stone", "coal", "iron", "diamond")
"""Materials that yield themselves by default."""
_VARIED = ("tree", "grass")
"""Materials that may yield anything."""
_DROPPED = ("wood", "stone", "coal", "iron", "sapling")
"""Further possible yields (A.5.3 omits diamonds)."""
_BUILT_FROM = {"wood": 2, "stone": 4, "coal": 4, "iron": 4, "diamond": 2}
"""Materials and amounts for a table and a furnace in the released worlds."""


@dataclass(frozen=True)
class Modification:
    """One modification of the game in the paper.

    Attributes:
        change: The group of changes that it belongs to.
        section: The paper's section on it.
        says: The change, in words.
        domains: The fields that it changes, each with its values.
        instead_of: What this and others are alternatives for; a world has one of them.
    """

    change: str
    section: str
    says: str
    domains: Callable[[], Domains]
    instead_of: str | None = None


def _neighbours() -> Domains:
    for region in names.REGIONS:
        yield (f"neighbour.{region}", "material"), list(names.NATURAL)


def _renaming() -> Domains:
    for material in names.NATURAL:
        yield (f"rename.{material}", "material"), list(names.NATURAL)


def _effects() -> Domains:
    for material in names.NATURAL:
        if material != "tree":
            yield (f"walk.{material}", "walkable"), _FLAGS
            yield (f"walk.{material}", "health"), _SIGNS
            yield (f"walk.{material}", "deadly"), _FLAGS


def _creatures() -> Domains:
    for being in names.BEINGS:
        rule = f"creature.{being}"
        if being != "plant":  # every ripe plant can be eaten
            yield (rule, "eatable"), _FLAGS
        for vital in ("food", "drink", "health"):
            yield (rule, f"eaten_{vital}_factor"), _SIGNS
        for way in ("walks", "approaches", "attacks", "shoots"):
            yield (rule, way), _FLAGS
        yield (rule, "attack_health_factor"), _SIGNS
        yield (rule, "arrow_health_factor"), _SIGNS


def _drinks() -> Domains:
    for liquid in names.LIQUIDS:
        for vital in ("drink", "food", "health"):
            yield (f"drink.{liquid}", vital), _SIGNS


def _some(item: str) -> dict[str, Any]:
    """One of an item, as a material that is not its own yields it."""
    return {item: {"amount": 1, "probability": _SAPLING} if item == "sapling" else 1}


def _half(*items: str) -> dict[str, Any]:
    return {item: {"amount": 1, "probability": 0.5} for item in items}


def _liquids() -> Domains:
    for liquid in names.LIQUIDS:
        yield _yields(liquid), [{}, {"drink": 1}]


def _yields(material: str) -> Field:
    return f"collect.{material}", "yields"


def _misleading() -> Domains:
    yield from _liquids()
    for material in (*_OWN, *_VARIED):
        yield _yields(material), [_some(item) for item in names.RESOURCES]


def _exceptions() -> Domains:
    yield from _liquids()
    yield from _finds()
    for material in _OWN:
        halves = [_half(material, item) for item in names.RESOURCES if item != material]
        yield _yields(material), [_some(material), *halves]
    pairs = [
        _half(one, two) for n, one in enumerate(names.RESOURCES) for two in names.RESOURCES[n + 1 :]
    ]
    for material in _VARIED:
        yield _yields(material), pairs


def _chances() -> Domains:
    yield from _liquids()
    yield from _finds()
    for material in _OWN:
        dropped = [item for item in _DROPPED if item != material]
        besides = [{material: 1, item: {"amount": 1, "probability": 0.1}} for item in dropped]
        yield _yields(material), [_some(material), *besides]


def _finds() -> Domains:
    """Yields of trees, grass and sand while other materials yield themselves."""
    for material in _VARIED:
        yield _yields(material), [_some(item) for item in names.RESOURCES]
    yield _yields("sand"), [{}, *({item: 1} for item in _DROPPED)]


def _tools() -> Domains:
    for material in names.COLLECTABLE:
        yield (f"collect.{material}", "requires"), _TOOLS


def _leaves() -> Domains:
    for material in names.COLLECTABLE:
        yield (f"collect.{material}", "leaves"), list(names.NATURAL)
    for material in (*names.LIQUIDS, "sand"):
        creatures = [{}, *({creature: 0.1} for creature in names.CREATURES)]
        yield (f"collect.{material}", "spawns"), creatures


def _placing() -> Domains:
    built = [{item: amount} for item, amount in _BUILT_FROM.items()]
    yield ("place.table", "uses"), built
    yield ("place.furnace", "uses"), built
    anywhere = [material for material in names.NATURAL if material != "tree"]
    yield ("place.plant", "where"), [["grass"], anywhere]


def _crafting() -> Domains:
    for tool in names.TOOLS:
        yield (f"make.{tool}", "nearby"), [["table"], ["table", "furnace"]]


MODIFICATIONS: Mapping[str, Modification] = {
    "neighbours": Modification("terrain", "A.5.1", "what lies around what", _neighbours, "where"),
    "renaming": Modification("terrain", "A.5.1", "terrains change places", _renaming, "where"),
    "effects": Modification(
        "terrain", "A.5.1", "what can be walked on, and what that does", _effects
    ),
    "creatures": Modification(
        "survival", "A.5.2", "what creatures and ripe plants do and are good for", _creatures
    ),
    "drinks": Modification("survival", "A.5.2", "what drinking does", _drinks),
    "misleading": Modification(
        "task", "A.5.3", "solid materials yield each other's items", _misleading, "yields"
    ),
    "exceptions": Modification(
        "task",
        "A.5.3",
        "trees, grass and sand yield anything, others themselves",
        _exceptions,
        "yields",
    ),
    "chances": Modification(
        "task", "A.5.3", "as exceptions, and one in ten yields more", _chances, "yields"
    ),
    "tools": Modification("task", "A.5.3", "what has to be held to collect", _tools),
    "leaves": Modification("task", "A.5.3", "what collecting leaves and lets appear", _leaves),
    "placing": Modification(
        "task", "A.5.3", "what tables and furnaces are built from, where saplings grow", _placing
    ),
    "crafting": Modification("task", "A.5.3", "which tools need a furnace", _crafting),
}
"""All modifications, by name."""

CHANGES: tuple[str, ...] = tuple(dict.fromkeys(m.change for m in MODIFICATIONS.values()))
"""The three groups: terrain, survival, task."""

Entailed = tuple[str, Any, str, Any]
"""If a field has a value, another field has this value."""

ENTAILED: Mapping[str, tuple[Entailed, ...]] = {
    "walk": (
        ("walkable", False, "health", 0),
        ("walkable", False, "deadly", False),
        ("deadly", True, "health", 0),
    ),
    "creature": (
        *(("eatable", False, f"eaten_{v}_factor", 0) for v in ("food", "drink", "health")),
        ("attacks", False, "attack_health_factor", 0),
        ("attack_health_factor", 0, "attacks", False),
        ("shoots", False, "arrow_health_factor", 0),
        ("shoots", True, "walks", True),
        ("shoots", True, "approaches", False),
        ("approaches", True, "walks", True),
    ),
}
"""By family: canonical values of fields that another field's value makes irrelevant.

Every difference between two sampled worlds is therefore observable.
"""


def combinations(changes: Iterable[str]) -> list[tuple[str, ...]]:
    """The sets of modifications that worlds may have: of alternatives, one each.

    Args:
        changes: Names of modifications, or of the groups that they belong to.

    Returns:
        Names of modifications.

    Raises:
        KeyError: There is no such modification or group.
    """
    wanted = set(changes)
    known = {*MODIFICATIONS, *CHANGES}
    if unknown := sorted(wanted - known):
        raise KeyError(unknown[0])
    selected = [n for n, m in MODIFICATIONS.items() if n in wanted or m.change in wanted]
    alternatives: dict[str, list[str]] = {}
    for name in selected:
        alternatives.setdefault(MODIFICATIONS[name].instead_of or name, []).append(name)
    return [*product(*alternatives.values())]
