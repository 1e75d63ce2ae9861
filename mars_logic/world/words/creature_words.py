"""Sentences about what added creatures are: their health, their ground, and when they come."""

from __future__ import annotations

from collections.abc import Iterator

from mars_logic.system.display import number
from mars_logic.world.added_things import AddedCreature
from mars_logic.world.dialect import BALANCE_PERIOD, CHUNK
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.grammar import nouns_of
from mars_logic.world.words.kinds import spaced
from mars_logic.world.words.listing import join


def tell_creatures(words: Vocabulary) -> str:
    """The sentences on all added creatures, on one line; empty where there are none.

    Example:
        >>> from mars_logic.world.adds import Adds, vocabulary_with
        >>> newt = AddedCreature("newt", ground=("water", "sand"))
        >>> tell_creatures(vocabulary_with("mars", Adds(creatures=(newt,))))
        'A newt has 3 health and walks on water and sand; none appears during play.'
    """
    return " ".join(_creature(each, words) for each in words.added_creatures)


def _creature(creature: AddedCreature, words: Vocabulary) -> str:
    name = nouns_of(words).single[creature.name]
    grounds = join([spaced(material) for material in creature.ground], lambda _a, _b: "and")
    first = f"{name[0].upper()}{name[1:]} has {creature.health} health and walks on {grounds}"
    return f"{first}; {'; '.join(_coming(creature))}."


def _coming(creature: AddedCreature) -> Iterator[str]:
    comes = creature.comes
    if comes is None or not comes.appears:
        yield "none appears during play"
        if comes is None:
            return
    part = f"part of {CHUNK} x {CHUNK} cells"
    every = f"every {BALANCE_PERIOD} steps"
    fewer = "so many" if comes.fewest is None else str(comes.fewest)
    yield f"each {part} holds {comes.day:g} by day and {comes.night:g} in the dark at most"
    yield (
        f"where there are fewer than {fewer} and {number(comes.enough, 'cell')} of "
        f"{spaced(comes.ground)}, one appears there with a {_percent(comes.chance)} chance "
        f"{every}, {number(comes.distance, 'step')} from the player or more"
    )
    yield (
        f"where there are more, one vanishes with a {_percent(comes.going_chance)} chance {every}, "
        f"{number(comes.going_distance, 'step')} from the player or more"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.6g}%"
