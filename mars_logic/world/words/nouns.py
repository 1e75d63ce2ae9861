"""The names that sentences about a world may contain, and how they are written.

A dialect's names are the grammar's own. Names that a world adds are taken as nouns: with articles
and plurals, each read as one word. Where a name could be mistaken for other words it stands in
grave accents, as in ``Placing `no_door` uses 1 wood``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mars_logic.world import names
from mars_logic.world.vocabulary import Vocabulary, vocabulary
from mars_logic.world.words.kinds import Counted, Name, spaced, with_article
from mars_logic.world.words.plurals import is_mass, plural
from mars_logic.world.words.vocabulary import SynonymTable, quoted

CRAFTER: Final = vocabulary("crafter")
"""The vocabulary of sentences unless told otherwise."""
_SINGLE: Final = {
    thing: f"a {thing}" for thing in ("path", "tree", "table", "furnace", "plant", *names.CREATURES)
}
_GENERAL: Final = {"tree": "trees", "table": "a table", "furnace": "a furnace"}
_COUNTABLE: Final = ("sapling", "diamond", *names.TOOLS)
_SINGLE_SHAPES: Final = ("station", "plant")
"""Shapes of materials of which there are single ones."""


@dataclass(frozen=True, eq=False)
class Nouns:
    """The names of a vocabulary in sentences.

    Attributes:
        words: The vocabulary.
        canonical: The words of sentences.
        in_accents: Added names that are written in grave accents.
    """

    words: Vocabulary
    canonical: SynonymTable
    in_accents: Collection[str] = ()

    # Lists of names: Crafter's, which the grammar knows, and the added ones after them ------------

    @cached_property
    def added(self) -> tuple[str, ...]:
        """The added materials."""
        return tuple(material.name for material in self.words.added)

    @cached_property
    def walkable(self) -> tuple[str, ...]:
        """Materials that a move may lead onto."""
        return (*names.NATURAL, *self.added)

    @cached_property
    def left(self) -> tuple[str, ...]:
        """What collecting may leave."""
        return (*names.NATURAL, *self.added)

    @cached_property
    def collectable(self) -> tuple[str, ...]:
        """Materials that collecting may be tried on."""
        return (*names.COLLECTABLE, *self.added)

    @cached_property
    def materials(self) -> tuple[str, ...]:
        """Everything on which, or beside which, something may stand."""
        return (*names.MATERIALS[1:], *self.added)

    @cached_property
    def placeable(self) -> tuple[str, ...]:
        """What may be placed."""
        return (*names.PLACEABLE, *self.of_family("place", names.PLACEABLE))

    @cached_property
    def built(self) -> tuple[str, ...]:
        """Materials that only the player places: a sentence on one of them is one on placing."""
        return ("table", "furnace", *self.of_family("place", names.PLACEABLE))

    @cached_property
    def tools(self) -> tuple[str, ...]:
        """Items that may be made."""
        return (*names.TOOLS, *self.of_family("make", names.TOOLS))

    @cached_property
    def eaten(self) -> tuple[str, ...]:
        """Items that may be eaten."""
        return self.of_family("eat")

    @cached_property
    def creatures(self) -> tuple[str, ...]:
        """Kinds of creatures, without plants."""
        return (*names.CREATURES, *(each.name for each in self.words.added_creatures))

    @cached_property
    def items(self) -> tuple[str, ...]:
        """Items that may be held."""
        return (*names.HOLDABLE, *self.added_items)

    @cached_property
    def gains(self) -> tuple[str, ...]:
        """What collecting may yield, a drink included."""
        return (*names.GAINS, *self.added_items)

    @cached_property
    def added_items(self) -> tuple[str, ...]:
        """The added items, without needs."""
        return self.words.holdable[len(names.HOLDABLE) :] if self.words.wide else ()

    def of_family(self, family: str, usual: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Subjects of the rules of a family in a world of its own names, without the usual ones."""
        known = self.words.subjects.get(family, ()) if self.words.wide else ()
        return tuple(name for name in known if name not in usual)

    # Kinds of values -----------------------------------------------------------------------------

    def named(self, choices: Iterable[str], phrases: Mapping[str, str] | None = None) -> Name:
        """A name among the choices, written with blanks or as its own phrase."""
        told = {name: (phrases or {}).get(name, spaced(name)) for name in choices}
        accents = {name: quoted(name) for name in told if name in self.in_accents}
        return Name(told | accents, self.canonical)

    def counted(self, choices: Iterable[str], usual: int | None = 1) -> Counted:
        """A name among the choices with an amount."""
        return Counted(self.named(choices), self._plurals, self._countable_tools, usual)

    @cached_property
    def single(self) -> Mapping[str, str]:
        """Materials, creatures and projectiles with an article, where they take one."""
        own = {name: with_article(spaced(name)) for name in self.words.moving}
        own["arrow"] = "an arrow"
        return {**_SINGLE, **self._single_materials, **own}

    @cached_property
    def general(self) -> Mapping[str, str]:
        """Generic names of materials."""
        return {**_GENERAL, **self._single_materials}

    @cached_property
    def single_tools(self) -> Mapping[str, str]:
        """Items that may be made, with an article where they take one."""
        return {tool: with_article(spaced(tool)) for tool in self._countable_tools}

    @cached_property
    def single_items(self) -> Mapping[str, str]:
        """Items that may be held, with an article where they take one."""
        return {item: with_article(spaced(item)) for item in self._plurals}

    @cached_property
    def _single_materials(self) -> dict[str, str]:
        return {
            material.name: with_article(spaced(material.name))
            for material in self.words.added
            if material.looks in _SINGLE_SHAPES and not is_mass(material.name)
        }

    @cached_property
    def _plurals(self) -> Mapping[str, str]:
        own = (item for item in self.added_items if not self._is_mass(item))
        return {
            **{item: f"{spaced(item)}s" for item in _COUNTABLE},
            **{item: plural(item) for item in own if item not in self.in_accents},
        }

    @cached_property
    def _countable_tools(self) -> frozenset[str]:
        return frozenset(tool for tool in self.tools if tool in self._plurals)

    def _is_mass(self, item: str) -> bool:
        return is_mass(item) or item in self.words.materials

    # Words ---------------------------------------------------------------------------------------

    @cached_property
    def name_words(self) -> frozenset[str]:
        """Words of names, which messages leave out where too many words are expected."""
        known = (*names.MATERIALS, *names.HOLDABLE)
        added = (word for words in self.canonical.names.values() for word in words)
        return frozenset((*(word for name in known for word in name.split("_")), *added))

    def told(self, choices: Iterable[str]) -> tuple[str, ...]:
        """Names as they stand in sentences."""
        return tuple(self.named(choices).phrases.values())
