"""Pictures of names that a world adds, by shape and colour, and of all others from the sheets."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.views.appearances import sprite_of
from mars_logic.views.sprites import sheet
from mars_logic.world import names
from mars_logic.world.adds import default_colour
from mars_logic.world.vocabulary import Vocabulary, vocabulary

Pixels = NDArray[np.uint8]

CRAFTER: Final = vocabulary("crafter")
"""The vocabulary of pictures unless told otherwise."""


def drawn_as(words: Vocabulary | None) -> Vocabulary:
    """The vocabulary that pictures depend on: Crafter's where a world adds no names."""
    return words if words is not None and words.wide else CRAFTER


@cache
def material_sprites(words: Vocabulary) -> dict[str, Pixels]:
    """A tile for each material by code: uint8[16, 16, 4] each, opaque."""
    added = {each.name: sheet("shapes", each.colour)[each.looks] for each in words.added}
    return {**sheet("materials"), **added}


@cache
def creature_sprites(words: Vocabulary) -> dict[str, Pixels]:
    """A picture for each creature that a world adds: uint8[16, 16, 4] each."""
    return {each.name: sheet("shapes", each.colour)[each.looks] for each in words.added_creatures}


def sprite_in(words: Vocabulary, appearance: str) -> Pixels | None:
    """The sprite of an appearance: uint8[16, 16, 4], or None where there is nothing."""
    own = creature_sprites(words)
    return own[appearance] if appearance in own else sprite_of(appearance)


@cache
def item_icons(words: Vocabulary) -> dict[str, Pixels]:
    """An icon for each item by code: uint8[16, 16, 4] each.

    An added item looks like the material of its name. Others are drawn as a tool if they can be
    made, as food if they can be eaten, and as a lump, in a colour that follows from the name.
    """
    return {item: _icon(item, words) for item in words.items}


def _icon(item: str, words: Vocabulary) -> Pixels:
    if item in names.ITEMS:
        return sheet("items")[item]
    tile = material_sprites(words).get(item)
    if tile is not None:
        return tile
    eaten, made = (item in words.subjects.get(family, ()) for family in ("eat", "make"))
    shape = "food" if eaten else "tool" if made else "lump"
    return sheet("shapes", default_colour(item))[shape]
