"""The names of all worlds that a page shows, each with its code on the page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from mars_logic.views.appearances import (
    CRAFTER,
    NUM_APPEARANCES,
    creature_sprites,
    drawn_as,
    item_icons,
    material_sprites,
)
from mars_logic.world.vocabulary import Vocabulary

Named = TypeVar("Named", "Picture", str)


@dataclass(frozen=True)
class Picture:
    """A name with its sprite; worlds may draw the same name differently.

    Attributes:
        name: The name.
        pixels: uint8[16, 16, 4] as bytes.
    """

    name: str
    pixels: bytes

    @property
    def sprite(self) -> NDArray[np.uint8]:
        """The sprite: uint8[16, 16, 4]."""
        return np.frombuffer(self.pixels, np.uint8).reshape(16, 16, 4)


@dataclass(frozen=True)
class PageCodes:
    """What the codes of one vocabulary are on a page.

    Attributes:
        materials: uint16[materials]: by code of the vocabulary.
        items: intp[items].
        actions: uint8[actions].
        creatures: uint8[creatures]: appearances of those that the world adds.
        held: How many items the page has.
    """

    materials: NDArray[np.uint16]
    items: NDArray[np.intp]
    actions: NDArray[np.uint8]
    creatures: NDArray[np.uint8]
    held: int


@dataclass(frozen=True)
class PageNames:
    """Materials, items and actions of a page, Crafter's first."""

    vocabularies: tuple[Vocabulary, ...]

    @cached_property
    def materials(self) -> tuple[Picture, ...]:
        """All materials by their code on the page."""
        return _union(_materials(words) for words in self.vocabularies)

    @cached_property
    def items(self) -> tuple[Picture, ...]:
        """All items by their code on the page."""
        return _union(_items(words) for words in self.vocabularies)

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """All actions by their code on the page."""
        return _union(words.actions for words in self.vocabularies)

    @cached_property
    def creatures(self) -> tuple[Picture, ...]:
        """All added creatures, whose appearances follow the player's."""
        return _union(_creatures(words) for words in self.vocabularies)

    def codes(self, words: Vocabulary) -> PageCodes:
        """The codes that a vocabulary's names have on the page."""
        words = drawn_as(words)
        return PageCodes(
            np.array([self.materials.index(each) for each in _materials(words)], np.uint16),
            np.array([self.items.index(each) for each in _items(words)], np.intp),
            np.array([self.actions.index(each) for each in words.actions], np.uint8),
            np.array(
                [NUM_APPEARANCES + self.creatures.index(each) for each in _creatures(words)],
                np.uint8,
            ),
            len(self.items),
        )


def page_names(vocabularies: Iterable[Vocabulary]) -> PageNames:
    """The names of a page that shows worlds of these vocabularies."""
    return PageNames(tuple(dict.fromkeys((CRAFTER, *map(drawn_as, vocabularies)))))


def _materials(words: Vocabulary) -> tuple[Picture, ...]:
    return tuple(Picture(name, each.tobytes()) for name, each in material_sprites(words).items())


def _items(words: Vocabulary) -> tuple[Picture, ...]:
    return tuple(Picture(name, each.tobytes()) for name, each in item_icons(words).items())


def _creatures(words: Vocabulary) -> tuple[Picture, ...]:
    return tuple(Picture(name, each.tobytes()) for name, each in creature_sprites(words).items())


def _union(lists: Iterable[tuple[Named, ...]]) -> tuple[Named, ...]:
    return tuple(dict.fromkeys(each for some in lists for each in some))


OF_CRAFTER: Final = page_names(())
"""The names of a page without added names."""
