"""From packed signatures back to named ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.theory.cell_signatures import Act, CellChange, PushTry
from mars_logic.theory.evidence import layout, own_layout
from mars_logic.theory.evidence.layout import NO_LIMIT, ZERO, Bits, layout_of
from mars_logic.theory.shot_signatures import Flight, FlightCell, Shooter, Struck
from mars_logic.theory.signatures import (
    ANY,
    Collecting,
    Eating,
    Harm,
    Health,
    Held,
    Hitting,
    Hunting,
    Making,
    Motion,
    Moved,
    NeedChange,
    Passage,
    Placing,
    ShootTry,
    Shot,
    Signature,
    Span,
    Standing,
    Start,
    Tread,
    Unharmed,
    held_of,
)
from mars_logic.world import names
from mars_logic.world.vocabulary import Vocabulary

Words = tuple[int, ...]
_TOLD: Final = {layout.NO: False, layout.YES: True, layout.UNTOLD: None}
_FULL: Final = (1 << layout.PER_ITEM) - 1


def decoded(rows: NDArray[np.void], vocabulary: Vocabulary) -> Iterator[Signature]:
    """The signatures of rows, in their order."""
    return unpacked(rows["words"], vocabulary)


def unpacked(words: NDArray[np.int64], vocabulary: Vocabulary) -> Iterator[Signature]:
    """The signatures that are packed into int64[n, words]."""
    names_of = _names_of(vocabulary)
    for packed in words.tolist():
        yield _decoded(names_of, tuple(packed))


@lru_cache(maxsize=1 << 14)
def _decoded(names_of: _Names, words: Words) -> Signature:
    return _MAKERS[_at(words, layout.KIND)](_Packed(names_of, words))


class _Names:
    """The names that codes stand for, and where these lie.

    Attributes:
        words: The vocabulary.
        layout: The layout of its signatures.
        held: The class of what is held.
        changing: Materials of cells that may change by themselves.
    """

    def __init__(self, words: Vocabulary) -> None:
        self.words = words
        self.layout = layout_of(words)
        self.held = held_of(words.holdable)
        changing = (*words.subjects.get("beside", ()), *words.subjects.get("timer", ()))
        self.changing = tuple(dict.fromkeys(changing))


_names_of: Final = lru_cache(maxsize=256)(_Names)


def _at(words: Words, bits: Bits) -> int:
    return words[bits.word] >> bits.shift & (1 << bits.width) - 1


class _Packed:
    """A packed signature, whose parts have names."""

    def __init__(self, names_of: _Names, words: Words) -> None:
        self.vocabulary, self.layout = names_of.words, names_of.layout
        self._names, self._words = names_of, words
        self.changing = names_of.changing

    def at(self, bits: Bits) -> int:
        return _at(self._words, bits)

    def subject(self, among: tuple[str, ...]) -> str:
        return among[self.at(self.layout.subject)]

    def material(self, bits: Bits | None = None) -> str:
        return self.vocabulary.materials[self.at(bits or self.layout.subject)]

    def being(self) -> str:
        return self.subject(self.vocabulary.subjects["creature"])

    def flag(self) -> bool:
        return bool(self.at(self.layout.flag))

    def told(self) -> bool | None:
        return _TOLD[self.at(self.layout.told)]

    def among(self, all_of: tuple[str, ...], place: Bits | None = None) -> tuple[str, ...]:
        bits = self.at(place or self.layout.around)
        return tuple(name for i, name in enumerate(all_of) if bits >> i & 1)

    def held(self, parts: tuple[Bits, ...]) -> Held:
        amounts = [
            self.at(bits) >> shift & _FULL
            for bits in parts
            for shift in range(0, bits.width, layout.PER_ITEM)
        ]
        return self._names.held(amounts[: len(self.vocabulary.holdable)])

    def span(self, bits: tuple[Bits, Bits]) -> Span:
        least, most = (self.at(each) for each in bits)
        return (
            -ANY if least == NO_LIMIT else least - ZERO,
            ANY if most == NO_LIMIT else most - ZERO,
        )

    def health(self) -> Health:
        return Health(
            before=self.at(layout.BEFORE),
            after=self.at(layout.AFTER),
            recovery=self.at(layout.RECOVERY) - 1,
            asleep=bool(self.at(layout.ASLEEP)),
            near=tuple(self.at(bits) for bits in layout.NEAR),
            arrows=self.at(layout.ARROWS),
        )


def _collecting(found: _Packed) -> Collecting:
    material, appeared = found.material(), found.at(found.layout.other)
    return Collecting(
        material=material,
        held=found.held(found.layout.held),
        left=found.material(found.layout.left),
        held_after=found.held(found.layout.held_after),
        drink=found.span(layout.DRINK),
        food=found.span(layout.FOOD),
        got_drink=found.told(),
        appeared=found.vocabulary.looks[appeared] if appeared else "",
        clear=found.flag(),
        health=found.health() if material in names.LIQUIDS else None,
        changing=found.changing,
    )


def _placing(found: _Packed) -> Placing:
    return Placing(
        thing=found.subject(found.vocabulary.subjects["place"]),
        material=found.material(found.layout.other),
        held=found.held(found.layout.held),
        left=found.material(found.layout.left),
        planted=found.flag(),
        held_after=found.held(found.layout.held_after),
        changing=found.changing,
    )


def _making(found: _Packed) -> Making:
    return Making(
        tool=found.subject(found.vocabulary.subjects["make"]),
        nearby=found.among(found.vocabulary.materials),
        held=found.held(found.layout.held),
        held_after=found.held(found.layout.held_after),
    )


def _eating(found: _Packed) -> Eating:
    return Eating(
        item=found.subject(found.vocabulary.items),
        held=found.held(found.layout.held),
        held_after=found.held(found.layout.held_after),
        food=found.span(layout.FOOD),
        drink=found.span(layout.DRINK),
        health=found.health(),
    )


def _hitting(found: _Packed) -> Hitting:
    return Hitting(
        being=found.being(),
        killed=found.told(),
        food=found.span(layout.FOOD),
        drink=found.span(layout.DRINK),
        health=found.health(),
    )


def _motion(found: _Packed) -> Motion:
    x, y = (found.at(bits) - ZERO for bits in layout.WAY)
    ground = found.material(found.layout.left)
    return Motion(found.being(), ground, (x, y), found.at(layout.WENT))


def _harm(found: _Packed) -> Harm:
    words = found.vocabulary
    beings = words.subjects["creature"]
    counts = [found.at(bits) for bits in own_layout.OTHERS[: len(words.moving)]]
    others = [*zip(words.moving, counts, strict=True)][: len(words.added_creatures)]
    bolts = counts[len(words.added_creatures) :]
    shots = (found.at(layout.ARROWS) - sum(bolts), *bolts)
    sure = (found.at(bits) for bits in own_layout.SURE)
    hits = zip(words.projectiles, sure, shots, strict=False)
    touched, ground = found.at(own_layout.TOUCHED), found.at(found.layout.subject)
    return Harm(
        ground=found.vocabulary.materials[ground] if ground else "",
        health=found.health(),
        others=tuple((who, n) for who, n in others if n),
        needs=found.among(found.vocabulary.added_needs, own_layout.EMPTY),
        touched=beings[touched - 1] if touched else "",
        shots=tuple((shot, least, most) for shot, least, most in hits if most),
        shooters=beings if any(shots) else (),
    )


def _need(found: _Packed) -> NeedChange:
    words, eaten = found.vocabulary, found.at(own_layout.EATEN)
    return NeedChange(
        need=found.subject(words.added_needs),
        step=found.at(own_layout.STEP),
        points=(found.at(own_layout.POINTS[0]), found.at(own_layout.POINTS[1])),
        night=bool(found.at(own_layout.NIGHT)),
        near=found.among(words.materials, own_layout.CERTAIN),
        perhaps_near=found.among(words.materials, own_layout.POSSIBLE),
        ground=found.material(found.layout.left),
        in_hand=found.among(words.items, own_layout.IN_HAND),
        eaten=words.items[eaten - 1] if eaten else "",
        health=found.health() if found.at(own_layout.ALONE) else None,
    )


def _hunting(found: _Packed) -> Hunting:
    being = found.being()
    return Hunting(
        being=being,
        full_health=found.vocabulary.health_at_first[being],
        killed=found.told(),
        held=found.held(found.layout.held),
        held_after=found.held(found.layout.held_after),
    )


def _change(found: _Packed) -> CellChange:
    return CellChange(
        material=found.material(),
        after=found.material(found.layout.left),
        beside=found.among(found.vocabulary.materials, own_layout.BESIDE),
        unsure=bool(found.at(own_layout.UNSURE)),
        age=(found.at(own_layout.LEAST_AGE), found.at(own_layout.MOST_AGE)),
        night=bool(found.at(own_layout.DARKNESS)),
    )


def _push(found: _Packed) -> PushTry:
    places = zip(own_layout.SEEN, own_layout.AHEAD, own_layout.BEHIND, strict=True)
    return PushTry(
        material=found.material(),
        ground=found.material(own_layout.GROUND),
        taken=bool(found.at(own_layout.TAKEN)),
        outcomes=tuple(
            (found.material(ahead), found.material(behind))
            for seen, ahead, behind in places
            if found.at(seen)
        ),
        changing=found.changing,
    )


def _act(found: _Packed) -> Act:
    words, free = found.vocabulary, found.at(own_layout.FREE)
    known = bool(found.at(own_layout.GROUND_KNOWN))
    x, y = (found.at(bits) - ZERO for bits in layout.WAY)
    return Act(
        being=found.being(),
        free=tuple(bool(free >> side & 1) for side in range(4)) if known else None,
        beside=found.among(words.materials, own_layout.BESIDE),
        way=(x, y),
        night=bool(found.at(own_layout.DARK)),
        in_hand=found.among(words.items, own_layout.IN_HAND),
        went=found.at(layout.WENT),
    )


def _flight(found: _Packed) -> Flight:
    there = [found.at(bits) for bits in own_layout.ON_WAY]
    cells = zip(there, own_layout.WAY_MATERIALS, own_layout.WAY_AFTER, strict=True)
    return Flight(
        projectile=found.subject(found.vocabulary.projectiles),
        flown=(found.at(own_layout.FLOWN[0]), found.at(own_layout.FLOWN[1])),
        way=tuple(_cell(found, *each) for each in cells),
        went=found.at(own_layout.FLYING_AT),
        changing=found.changing,
    )


def _cell(found: _Packed, there: int, material: Bits, after: Bits) -> FlightCell | None:
    if there == own_layout.UNKNOWN_CELL:
        return None
    left = found.material(after) if found.at(after) else ""
    return FlightCell(found.material(material), left, there == own_layout.BY_PLAYER)


def _shooting(found: _Packed) -> ShootTry:
    return ShootTry(
        projectile=found.subject(found.vocabulary.subjects["shoot"]),
        material=found.material(found.layout.other),
        held=found.held(found.layout.held),
        held_after=found.held(found.layout.held_after),
        alone=bool(found.told()),
        shot=found.flag(),
    )


def _shooter(found: _Packed) -> Shooter:
    return Shooter(found.being(), found.vocabulary.projectiles[found.at(own_layout.SHOT_BY)])


def _struck(found: _Packed) -> Struck:
    being = found.being()
    return Struck(
        being=being,
        full_health=found.vocabulary.health_at_first[being],
        projectile=found.vocabulary.projectiles[found.at(own_layout.SHOT_BY)],
        hits=found.at(own_layout.HITS),
        whole=bool(found.at(own_layout.WHOLE)),
        died=bool(found.at(own_layout.DIED)),
    )


def _further(found: _Packed) -> Signature:
    return _FURTHER_MAKERS[found.at(own_layout.FURTHER_KIND)](found)


_FURTHER_MAKERS: Final[dict[int, Callable[[Any], Signature]]] = {
    own_layout.HUNTING: _hunting,
    own_layout.CHANGE: _change,
    own_layout.PUSHING: _push,
    own_layout.ACT: _act,
    own_layout.FLIGHT: _flight,
    own_layout.SHOOTING: _shooting,
    own_layout.SHOOTER: _shooter,
    own_layout.STRUCK: _struck,
}
_MAKERS: Final[dict[int, Callable[[Any], Signature]]] = {
    layout.START: lambda found: Start(found.material()),
    layout.PASSAGE: lambda found: Passage(found.material(), found.flag()),
    layout.TREAD: lambda found: Tread(found.material(), found.health()),
    layout.COLLECTING: _collecting,
    layout.PLACING: _placing,
    layout.MAKING: _making,
    layout.EATING: _eating,
    layout.HITTING: _hitting,
    layout.STANDING: lambda found: Standing(found.health()),
    layout.SHOT: lambda found: Shot(found.among(names.BEINGS)),
    layout.MOVED_ON: lambda found: Moved(found.being()),
    layout.MOTION: _motion,
    layout.HARM: _harm,
    layout.NEED: _need,
    layout.FURTHER: _further,
    layout.UNHARMED: lambda found: Unharmed(found.being(), found.flag()),
}
