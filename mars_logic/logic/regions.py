"""Translates a map to facts: patches (connected cells of one material) and their adjacency.

Whether the player can enter a patch depends only on its material and its neighbours, so a graph of
patches represents a map without loss. Two reductions make it much smaller: patches with the same
neighbours are merged, and a patch is omitted if another patch of its material has all of its
neighbours.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mars_logic.logic.constant_facts import ROOM, SPAWN_GROUNDS
from mars_logic.logic.region import NEVER, Region, greatest
from mars_logic.world import names
from mars_logic.world.rule_set import RuleSet
from mars_logic.world.theory import World

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIDE = 64
START = (32, 32)
_AHEAD = (0, 1)

_BITS_OF_NUMBERS = 31
_SITES = ("flanked", "crossed", "double")
_SIGHTS = ("sights", "sights_ahead", "sights_dug")

Resident = tuple[str, int, int]
"""A creature at the beginning: its kind and place."""


def map_facts(
    area: NDArray[Any],
    creatures: Iterable[Resident] | None = None,
    materials: Sequence[str] = names.MATERIALS,
    start: tuple[int, int] = START,
    nearby: Collection[str] | None = None,
) -> str:
    """The facts of a map, for ``encodings/reach/patches.lp``.

    Args:
        area: uint8[64, 64], indexed [x, y]: material codes; 0 where there is no cell.
        creatures: The creatures on it at the beginning; None if unknown.
        materials: The names of materials by code, Crafter's by default.
        start: Where the player starts, facing the cell below.
        nearby: The materials that rules need nearby together with others; None for all.

    Raises:
        ValueError: The array has another shape, or holds other codes.
    """
    from mars_logic.logic.layout import MapLayout  # proofs without a map need no numpy

    residents = None if creatures is None else list(creatures)
    layout = MapLayout(_checked(area, materials, start), materials)
    patches = layout.seen_from(start, _AHEAD, residents or ())
    layout.mark_ways_out(patches, start, _AHEAD)
    layout.add_sights(patches, nearby)
    if residents is None:
        layout.mark_distant(patches, start)
    patches = simplified(patches)
    atoms = [
        *patch_atoms(patches),
        *_sight_atoms(patches, materials),
        *layout.place_atoms(start),
        *_extent_atoms(layout.in_chunks),
    ]
    if residents is not None:
        atoms.append("creatures_known")
    return "\n".join(f"{atom}." for atom in atoms) + "\n"


def facts_of(
    world: World,
    area: NDArray[Any],
    creatures: Iterable[Resident] | None,
    start: tuple[int, int] = START,
) -> str:
    """The facts of a map for proofs in a world, or in one with rules of its base."""
    some = [world, world.base] if isinstance(world.base, World) else [world]
    tools = [rule.nearby for each in some for rule in each.make.values() if len(rule.nearby) > 1]
    nearby = {material for tool in tools for material in tool}
    return map_facts(area, creatures, world.vocabulary.materials, start, nearby)


def drawn_map(world: RuleSet, seed: int = 0) -> dict[str, Any] | None:
    """The drawn map of a seed, as the arguments of :func:`map_facts` but for the materials.

    Returns:
        ``area``, ``creatures`` and ``start``; None where maps are generated.
    """
    drawing = world.map.drawing(seed)
    if drawing is None:
        return None
    import numpy as np

    area = np.zeros((SIDE, SIDE), np.uint8)
    creatures: list[Resident] = []
    for x, y, cell in drawing.cells():
        area[x, y] = world.vocabulary.materials.index(cell.material)
        if cell.creature:
            creatures.append((cell.creature, x, y))
    return {"area": area, "creatures": creatures, "start": drawing.start}


def _checked(area: NDArray[Any], materials: Sequence[str], start: tuple[int, int]) -> NDArray[Any]:
    if area.shape != (SIDE, SIDE):
        raise ValueError(f"a map has {SIDE} by {SIDE} cells, not {area.shape}")
    if area.min() < 0 or area.max() >= len(materials):
        raise ValueError("a map holds only material codes")
    if not area[start]:
        raise ValueError("there is no cell where the player starts")
    return area


def simplified(patches: dict[int, Region]) -> dict[int, Region]:
    """A reduced set of patches that preserves reachable materials and creatures."""
    before = -1
    while len(patches) != before:
        before = len(patches)
        patches = _without_covered(_merged(patches))
    return patches


def _merged(patches: dict[int, Region]) -> dict[int, Region]:
    """Patches of one material with the same neighbours become one."""
    alike: dict[tuple[Any, ...], int] = {}
    becomes: dict[int, int] = {}
    for number, patch in patches.items():
        # A single way out may be the only one, so merging two would lose information.
        key = (patch.material, frozenset(patch.beside), number if patch.at_hand else None)
        becomes[number] = alike.setdefault(key, number)
    merged: dict[int, Region] = {}
    for number, patch in patches.items():
        if becomes[number] == number:
            merged[number] = patch
            continue
        one = merged[becomes[number]]
        one.cells += patch.cells
        one.whole += patch.whole
        one.brim.update(patch.brim)
        one.room = max(one.room, patch.room)
        one.square |= patch.square
        one.distant |= patch.distant
        one.past |= patch.past
        one.waits = min(one.waits, patch.waits)
        one.residents.update(patch.residents)
        one.lanes |= patch.lanes
        one.faced |= patch.faced
        for name in _SITES:
            getattr(one, name).update(getattr(patch, name))
        for name in _SIGHTS:
            if more := getattr(patch, name):
                setattr(one, name, greatest(getattr(one, name) | more))
        one.fronts.update(patch.fronts)
        one.loose.update(patch.loose)
    for patch in merged.values():
        patch.beside = {becomes[other] for other in patch.beside}
        patch.lanes = {becomes[other] for other in patch.lanes}
        patch.faced = {becomes[other] for other in patch.faced}
        patch.brim = _renumbered(patch.brim, becomes)
        patch.fronts = _renumbered(patch.fronts, becomes)
        patch.loose = _renumbered(patch.loose, becomes)
    return merged


def _renumbered(counts: Counter[int], becomes: dict[int, int]) -> Counter[int]:
    if all(number == becomes[number] for number in counts):
        return counts
    renumbered: Counter[int] = Counter()
    for number, count in counts.items():
        renumbered[becomes[number]] += count
    return renumbered


def _without_covered(patches: dict[int, Region]) -> dict[int, Region]:
    """Remove the patches that another patch of the same material covers."""
    by_material: defaultdict[str, list[int]] = defaultdict(list)
    for number in sorted(patches, key=lambda n: (-len(patches[n].beside), n)):
        by_material[patches[number].material].append(number)
    gone: set[int] = set()
    for numbers in by_material.values():
        kept: dict[int, int] = {}
        for rank, number in enumerate(numbers):
            near: Iterable[int] = kept
            for other in patches[number].beside:  # what covers it lies beside that as well
                near = sorted(kept.keys() & patches[other].beside, key=kept.__getitem__)
                break
            covers = (o for o in near if _covers(patches[o], patches[number], o, number))
            if (cover := next(covers, None)) is None:
                kept[number] = rank
            else:
                patches[cover].whole += patches[number].whole
                gone.add(number)
    for patch in patches.values():
        patch.beside -= gone
        patch.lanes -= gone
        patch.faced -= gone
        for counts in (patch.brim, patch.fronts, patch.loose):
            for other in gone & counts.keys():
                del counts[other]
    return {number: patch for number, patch in patches.items() if number not in gone}


def _covers(one: Region, other: Region, number: int, instead: int) -> bool:
    """Whether patch `number` has all that patch `instead` has."""
    return (
        other.beside <= one.beside  # the most frequent failure first
        and other.cells <= one.cells
        and _moved(other.lanes, instead, number) <= one.lanes
        and _moved(other.faced, instead, number) <= one.faced
        and all(getattr(other, name) <= getattr(one, name) for name in _SITES)
        and other.at_hand <= one.at_hand
        and other.ahead <= one.ahead
        and other.square <= one.square
        and other.distant <= one.distant
        and other.past <= one.past
        and one.waits <= other.waits
        and (other.room <= one.room or other.material not in SPAWN_GROUNDS)
        and other.residents <= one.residents
    )


def _moved(numbers: set[int], one: int, other: int) -> set[int]:
    """The numbers with one of them replaced."""
    return {*(numbers - {one}), other} if one in numbers else numbers


def patch_atoms(patches: dict[int, Region]) -> Iterator[str]:
    """The facts on each patch for ``encodings/reach/patches.lp``."""
    for number, patch in sorted(patches.items()):
        yield f"patch({number}, {patch.material})"
        yield f"cells({number}, {patch.cells})"
        yield f"whole({number}, {patch.whole})"
        if patch.material in SPAWN_GROUNDS:
            yield f"room({number}, {patch.room})"
        if patch.at_hand:
            yield f"first({number})"
            yield f"at_hand({number}, {patch.at_hand})"
        for name in ("square", "ahead", "distant", "past"):
            if getattr(patch, name):
                yield f"{name}({number})"
        if patch.waits < NEVER:
            yield f"waits({number}, {patch.waits})"
        for kind, count in sorted(patch.residents.items()):
            yield f"lives({kind}, {number}, {count})"
        for other, count in sorted(patch.brim.items()):
            yield f"brim({other}, {number}, {count})"
        for name in _SITES:
            for material in sorted(getattr(patch, name)):
                yield f"{name}({number}, {material})"
        for other in sorted(patch.lanes):
            yield f"lane({number}, {other})"
        for other, count in sorted(patch.fronts.items()):
            yield f"front({number}, {other}, {count})"
        for other, count in sorted(patch.loose.items()):
            if count:
                yield f"loose({number}, {other}, {count})"
        for other in sorted(patch.beside):
            if other > number:
                yield f"beside({number}, {other})"


def _sight_atoms(patches: dict[int, Region], materials: Sequence[str]) -> Iterator[str]:
    """What lies together around cells of each patch."""
    seen = {
        sight for patch in patches.values() for name in _SIGHTS for sight in getattr(patch, name)
    }
    # Numbers of clingo have 32 bits: where a set of materials has more, it is named by its rank.
    names_of = {sight: sight for sight in seen}
    if len(materials) > _BITS_OF_NUMBERS:
        names_of = {sight: rank for rank, sight in enumerate(sorted(seen))}
    for number, patch in sorted(patches.items()):
        for name in _SIGHTS:
            some = seen & getattr(patch, name)
            for sight in sorted(some):
                yield f"{name.replace('sights', 'sight')}({number}, {names_of[sight]})"
    for sight in sorted(seen):
        for code, material in enumerate(materials):
            if sight >> code & 1:
                yield f"seen({names_of[sight]}, {material})"


def _extent_atoms(in_chunks: Mapping[str, list[int]]) -> Iterator[str]:
    for material, counts in in_chunks.items():
        yield from extent_atoms(material, counts)
        for least in ROOM if material in SPAWN_GROUNDS else ():
            if chunks := sum(count >= least for count in counts):
                yield f"roomy({material}, {least}, {chunks})"


def extent_atoms(material: str, in_chunks: list[int]) -> Iterator[str]:
    """How many cells of a material there are."""
    yield f"total({material}, {sum(in_chunks)})"
    yield f"fullest_chunk({material}, {max(in_chunks)})"
