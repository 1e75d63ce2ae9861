"""Sentences about where the cells of a world's maps come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mars_logic.system.display import number
from mars_logic.world.dialect import AREA
from mars_logic.world.maps import DrawnMap, WorldMap
from mars_logic.world.words.kinds import spaced


def map_size(world_map: WorldMap) -> str:
    """The size of the maps, for example ``10 x 6``; of several, the largest."""
    if not world_map.drawings:
        return f"{AREA} x {AREA}"
    width = max(drawing.width for drawing in world_map.drawings)
    height = max(drawing.height for drawing in world_map.drawings)
    return f"{width} x {height}"


def tell_map(world_map: WorldMap) -> str:
    """The sentences, on one line; empty where maps are generated and nothing is added.

    Example:
        >>> from mars_logic.world.maps import Scattered
        >>> tell_map(WorldMap((Scattered("diamond", "stone", 0.02),)))
        'Diamond lies in 2 % of the stone.'
    """
    return " ".join(_sentences(world_map))


def _sentences(world_map: WorldMap) -> Iterator[str]:
    for each in world_map.scattered:
        name = spaced(each.material)
        share = f"{100 * each.share:.6g} %"
        yield f"{name[0].upper()}{name[1:]} lies in {share} of the {spaced(each.within)}."
    if len(world_map.drawings) == 1:
        yield f"The map is drawn: {_size(world_map.drawings[0])}, and nothing lies around them."
    elif world_map.drawings:
        some = number(len(world_map.drawings), "drawing")
        sizes = _listed([_size(drawing) for drawing in world_map.drawings])
        yield f"The map is one of {some}, by the seed: {sizes}. Nothing lies around them."


def _size(drawing: DrawnMap) -> str:
    return f"{drawing.width} x {drawing.height} cells"


def _listed(texts: Sequence[str]) -> str:
    """Different texts, each once."""
    *first, last = dict.fromkeys(texts)
    return f"{', '.join(first)} and {last}" if first else last
