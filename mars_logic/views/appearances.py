"""Drawn appearances of objects: those of observations, the player's, and what a world adds."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.sim.codes import PLAYER
from mars_logic.views.sprites import sheet
from mars_logic.world import names
from mars_logic.world.adds import default_colour
from mars_logic.world.vocabulary import Vocabulary, vocabulary

if TYPE_CHECKING:
    from mars_logic.sim import Observation


_WAYS: Final = ("left", "right", "up", "down", "asleep")
APPEARANCES: Final = (*names.LOOKS, *(f"player_{way}" for way in _WAYS))
"""All appearances by code; the first twelve are the codes of observations. Creatures that a world
adds follow."""
NUM_APPEARANCES: Final = len(APPEARANCES)
BEHIND_PLAYERS: Final = len(_WAYS)
"""By how much the appearance of an added creature is above its code in observations."""
_LEFT, _RIGHT, _UP, _DOWN, _ASLEEP = range(len(names.LOOKS), NUM_APPEARANCES)
_FACING: Final = np.array([[_LEFT, _LEFT, _LEFT], [_UP, _DOWN, _DOWN], [_RIGHT, _RIGHT, _RIGHT]])
"""The player's look by direction, indexed [dx + 1, dy + 1]."""
SHOT: Final = "shot"
"""The shape of added projectiles."""
_SPRITES: Final = {"player": "player_down", "arrow": "arrow_right", "body": "player_asleep"}
"""The sprite of codes that say nothing of a direction, and of a body."""


def player_looks(facing: NDArray[Any], sleeping: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How players look that face in these directions [n, 2] and sleep or not [n]: int64[n]."""
    looks = _FACING[facing[:, 0].astype(np.intp) + 1, facing[:, 1].astype(np.intp) + 1]
    return np.where(sleeping, _ASLEEP, looks)


def appearances(observation: Observation) -> NDArray[np.int64]:
    """The appearance on each cell in view: int64[n, 9, 7], codes of :data:`APPEARANCES`."""
    players = player_looks(observation.facing, observation.sleeping)
    looks = drawn_looks(observation.objects)
    return np.where(observation.objects == PLAYER, players[:, None, None], looks)


def drawn_looks(objects: NDArray[Any]) -> NDArray[np.int64]:
    """Appearances of codes of observations, those of added creatures behind the player's."""
    codes = objects.astype(np.int64)
    return codes + BEHIND_PLAYERS * (codes >= len(names.LOOKS))


def sprite_of(appearance: str) -> NDArray[np.uint8] | None:
    """The sprite of an appearance: uint8[16, 16, 4], or None where there is nothing."""
    return sheet("objects").get(_SPRITES.get(appearance, appearance))


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
    """A picture for each creature and projectile that a world adds: uint8[16, 16, 4] each."""
    beings = {each.name: sheet("shapes", each.colour)[each.looks] for each in words.added_creatures}
    shots = {each.name: sheet("shapes", each.colour)[SHOT] for each in words.added_projectiles}
    return beings | shots


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
