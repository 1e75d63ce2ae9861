"""Facts of one rule that the words of a line may mean, each with the words that speak for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from mars_logic.world import names
from mars_logic.world.dialect import ARROW_POINTS, ATTACK_POINTS, EATEN_POINTS, MAXIMUM
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.rules import (
    Collect,
    Creature,
    Drink,
    Make,
    Neighbour,
    Place,
    Rename,
    Rule,
    Walk,
)
from mars_logic.world.trace_rules import Eat
from mars_logic.world.words.facts import Element, Exactly, Excluding, Including, Said, Signed
from mars_logic.world.words.mentions import Mentions, Span
from mars_logic.world.words.nouns import Nouns

Places = frozenset[int]
NONE: Final[Places] = frozenset()


@dataclass(frozen=True)
class FactOption:
    """A value of a field that a line may mean.

    Attributes:
        field: The field.
        said: What is said of it.
        named: Positions of the names and numbers that it takes; no other option may take them.
        cues: Positions of the words that speak for it.
        denies: Whether it is a statement that something is not so.
        doubt: How much speaks against it.
    """

    field: str
    said: Said
    named: Places = NONE
    cues: Places = NONE
    denies: bool = False
    doubt: float = 0.0


@dataclass(frozen=True)
class _Line:
    """A line, seen from one rule."""

    seen: Mentions
    nouns: Nouns
    family: str
    subject: Places

    def cued(self, field: str, value: str = "") -> Places:
        key = f"{self.family}.{field}"
        return self.seen.cued(f"{key}={value}" if value else key)

    def others(self, allowed: tuple[str, ...]) -> list[tuple[str, Span]]:
        """The names of some kind that are not the subject."""
        return [
            (name, span)
            for name, span in self.seen.named
            if name in allowed and self.subject.isdisjoint(span.places)
        ]

    def numbers(self, largest: float) -> Iterator[tuple[float, Places, bool]]:
        for each in self.seen.amounts:
            whole = each.value == int(each.value) and not each.chance
            if whole and 0 <= abs(each.value) <= largest:
                yield abs(each.value), frozenset({each.place}), each.signed and each.value < 0


def options(
    kind: type[Rule], subject: str, span: Places, seen: Mentions, nouns: Nouns
) -> list[FactOption]:
    """The facts of a rule that a line may mean.

    Args:
        kind: The rule's family.
        subject: Its subject.
        span: The positions of the words that name the subject.
        seen: What the line mentions.
        nouns: The names of its world.
    """
    return [*_OPTIONS[kind](_Line(seen, nouns, kind.family, span), subject)]


def _flag(line: _Line, field: str) -> Iterator[FactOption]:
    """A field that is true or false: by its own cues, or by a negation of the other's."""
    yes, no = line.cued(field), line.cued(field, "false")
    denied = line.seen.denying(yes)
    if yes and denied:
        yield FactOption(field, Exactly(False), cues=yes | denied, denies=True)
    elif yes:
        yield FactOption(field, Exactly(True), cues=yes)
    if no:
        yield FactOption(field, Exactly(False), cues=no)


def _points(
    line: _Line, field: str, unit: int, vital: str, *, lost: bool = False
) -> Iterator[FactOption]:
    """Points that are gained or lost: a number of them, or their sign alone."""
    cues = line.cued(field)
    spans = [span for name, span in line.seen.named if name == vital]
    here = cues.union(*(each.places for each in spans))
    if not here:
        return
    gain, loss = line.seen.cued("gain"), line.seen.cued("loss")
    own = {each.place for span in spans if (each := line.seen.amount_of(span))}
    for number, place, negative in line.numbers(MAXIMUM * unit):
        if number % unit or (own and own.isdisjoint(place)):
            continue
        for sign in (-1, 1) if number and not (lost or negative) else (-1,):
            told = loss if sign < 0 else gain
            factor = int(number) // unit * sign
            yield FactOption(field, Exactly(factor), place, here | told, doubt=_unlike(line, sign))
    for sign, told in ((-1, loss), (1, gain)):
        if told and spans and not (lost and sign > 0):
            yield FactOption(field, Signed(sign), cues=here | told, doubt=_unlike(line, sign))
        elif lost and sign < 0 and told - here:
            yield FactOption(field, Signed(sign), cues=here | told)
    if field == "health":
        yield from _hurting(line, field)
    if zero := line.cued(field, "0") | line.seen.denying(here | loss):
        yield FactOption(field, Exactly(0), cues=here | loss | zero, denies=True)


def _hurting(line: _Line, field: str) -> Iterator[FactOption]:
    """What hurts or heals, without a number."""
    for sign, key in ((-1, "loss"), (1, "gain")):
        if told := line.cued(field) & line.seen.cued(key):
            yield FactOption(field, Signed(sign), cues=told, doubt=_unlike(line, sign))


def _unlike(line: _Line, sign: int) -> float:
    """What speaks against a sign: words for the other one alone."""
    gain, loss = line.seen.cued("gain"), line.seen.cued("loss")
    for each in line.seen.amounts:
        if each.signed:
            return 0.0 if (each.value < 0) == (sign < 0) else 3.0
    usual = 1 if line.family in ("creature", "eat") else -1
    if bool(gain) == bool(loss):
        return 0.0 if sign == usual else 0.5
    return 0.0 if bool(gain) == (sign > 0) else 3.0


def _listed(
    line: _Line, field: str, allowed: tuple[str, ...], *, counted: bool = True
) -> Iterator[tuple[dict[str, Element], Places, Places]]:
    """Names of some kind with their amounts: all of them, and each by itself."""
    found = line.others(allowed)
    cues = line.cued(field)
    if not found:
        return
    several = [found, *([each] for each in found if len(found) > 1)]
    with_number = [each for each in found if line.seen.amount_of(each[1])]
    if with_number and with_number != found and len(with_number) > 1:
        several.append(with_number)
    for some in several:
        parts: dict[str, Element] = {}
        places: set[int] = set()
        for name, span in some:
            amount = line.seen.amount_of(span) if counted else None
            places |= span.places
            if amount and not amount.chance and 1 <= amount.value <= MAXIMUM:
                places.add(amount.place)
            whole = amount and not amount.chance and amount.value in range(1, MAXIMUM + 1)
            parts[name] = Element(int(amount.value) if amount and whole else 1)
        yield parts, frozenset(places), cues


def _lacking(line: _Line, field: str, allowed: tuple[str, ...]) -> Iterator[FactOption]:
    """A name of some kind that is said not to be needed."""
    for name, span in line.others(allowed):
        denied = line.seen.denying(span.places)
        if denied:
            cues = line.cued(field) | denied
            doubt = 0.0 if line.cued(field) else 2.0
            yield FactOption(field, Excluding((name,)), span.places, cues, True, doubt)


def _collect(line: _Line, subject: str) -> Iterator[FactOption]:
    no = line.cued("collectable", "false")
    if no := no | line.seen.denying(line.seen.cued("collect")):
        yield FactOption("collectable", Exactly(False), cues=no, denies=True)
    yield from _requires(line)
    yield from _yields(line, subject)
    for name, span in line.others(line.nouns.left):
        yield FactOption("leaves", Exactly(name), span.places, line.cued("leaves"))
    if same := line.cued("leaves", "itself"):
        yield FactOption("leaves", Exactly(subject), cues=same | line.cued("leaves"))
    chances = [each for each in line.seen.amounts if each.value <= 1]
    for name, span in line.others(names.CREATURES):
        for chance in chances:
            part = {name: Element(1, chance.value)}
            places = span.places | {chance.place}
            yield FactOption("spawns", Including(FrozenMap(part)), places, line.cued("spawns"))


def _requires(line: _Line) -> Iterator[FactOption]:
    if nothing := line.cued("requires", "nothing"):
        cues = nothing | (line.seen.negations & nothing)
        yield FactOption("requires", Exactly(FrozenMap({})), cues=cues, denies=True)
    if not line.seen.cued("unless"):
        yield from _lacking(line, "requires", line.nouns.items)
    tools = line.nouns.tools
    for kind in (tools, tuple(each for each in line.nouns.items if each not in tools)):
        for parts, places, cues in _listed(line, "requires", kind):
            denied = line.seen.negations if line.seen.cued("unless") else NONE
            yield FactOption("requires", Including(FrozenMap(parts)), places, cues | denied)


def _yields(line: _Line, subject: str) -> Iterator[FactOption]:
    cues = line.cued("yields")
    chances = [each for each in line.seen.amounts if each.chance]
    for parts, places, _ in _listed(line, "yields", line.nouns.gains):
        yield FactOption("yields", Including(FrozenMap(parts)), places, cues)
        if len(parts) == 1:
            (name,) = parts
            if line.seen.negations:
                never = cues | line.seen.negations
                yield FactOption("yields", Excluding((name,)), places, never, denies=True)
            for chance in chances:
                part = {name: Element(1, chance.value)}
                both = (places - {each.place for each in line.seen.amounts}) | {chance.place}
                yield FactOption("yields", Including(FrozenMap(part)), both, cues)
    yield from _several_chances(line, cues)
    if subject in line.nouns.gains and not line.others((subject,)):
        for number, place, _ in line.numbers(MAXIMUM):
            if number:
                part = {subject: Element(int(number))}
                yield FactOption("yields", Including(FrozenMap(part)), place, cues)


def _several_chances(line: _Line, cues: Places) -> Iterator[FactOption]:
    """Items of which each has a chance behind it."""
    parts: dict[str, Element] = {}
    places: set[int] = set()
    found = line.others(line.nouns.gains)
    ends = (*(span.start for _, span in found[1:]), len(line.seen.words))
    for (name, span), end in zip(found, ends, strict=False):
        behind = [
            each for each in line.seen.amounts if each.chance and span.end <= each.place < end
        ]
        if len(behind) != 1:
            return
        amount = line.seen.amount_of(span)
        counted = amount is not None and not amount.chance and amount.place < span.start
        parts[name] = Element(int(amount.value) if amount and counted else 1, behind[0].value)
        places |= {*span.places, behind[0].place}
        if amount and counted:
            places.add(amount.place)
    if len(parts) > 1:
        yield FactOption("yields", Including(FrozenMap(parts)), frozenset(places), cues)


def _place(line: _Line, subject: str) -> Iterator[FactOption]:
    for parts, places, cues in _listed(line, "uses", line.nouns.items):
        if subject != "plant" or parts.keys() <= {"sapling"}:
            yield FactOption("uses", Including(FrozenMap(parts)), places, cues)
    only = line.cued("where", "only")
    for parts, places, cues in _listed(line, "where", line.nouns.left, counted=False):
        where = Including(FrozenMap(dict.fromkeys(parts, Element())))
        yield FactOption("where", where, places, cues)
        if only:
            yield FactOption("where", Exactly(tuple(sorted(parts))), places, cues | only)
        if line.seen.negations and not only:
            denied = cues | line.seen.negations
            yield FactOption("where", Excluding(tuple(parts)), places, denied, denies=True)


def _make(line: _Line, subject: str) -> Iterator[FactOption]:  # noqa: ARG001
    for parts, places, cues in _listed(line, "uses", line.nouns.items):
        yield FactOption("uses", Including(FrozenMap(parts)), places, cues)
    for parts, places, cues in _listed(line, "nearby", line.nouns.built, counted=False):
        near = Including(FrozenMap(dict.fromkeys(parts, Element())))
        yield FactOption("nearby", near, places, cues)
    if not line.seen.cued("unless"):
        yield from _lacking(line, "uses", line.nouns.items)
        yield from _lacking(line, "nearby", line.nouns.built)
    if nothing := line.cued("nearby", "nothing"):
        yield FactOption("nearby", Exactly(()), cues=nothing, denies=True)
    for number, place, _ in line.numbers(MAXIMUM):
        if number > 1:
            yield FactOption("gives", Exactly(int(number)), place, line.cued("gives"))


def _walk(line: _Line, subject: str) -> Iterator[FactOption]:  # noqa: ARG001
    cues = line.seen.cued("walk") | line.cued("walkable")
    no = line.cued("walkable", "false")
    denied = line.seen.denying(cues)
    if cues and not denied:
        yield FactOption("walkable", Exactly(True), cues=cues)
    if no or denied:
        yield FactOption("walkable", Exactly(False), cues=cues | no | denied, denies=not no)
    yield from _flag(line, "deadly")
    yield from _points(line, "health", 1, "health")


def _creature(line: _Line, subject: str) -> Iterator[FactOption]:
    for field in ("eatable", "walks", "approaches", "attacks", "shoots"):
        yield from _flag(line, field)
    for vital, unit in EATEN_POINTS["plant" if subject == "plant" else "creature"].items():
        if line.seen.cued("creature.eatable") or subject == "plant":
            yield from _points(line, f"eaten_{vital}_factor", unit, vital)
    hit = ATTACK_POINTS["plant" if subject == "plant" else "creature"]["awake"]
    yield from _points(line, "attack_health_factor", hit, "health", lost=True)
    yield from _points(line, "arrow_health_factor", ARROW_POINTS, "health", lost=True)


def _drink(line: _Line, subject: str) -> Iterator[FactOption]:  # noqa: ARG001
    if line.seen.cued("drink"):
        for vital in ("drink", "food", "health"):
            yield from _points(line, vital, 1, vital)


def _eat(line: _Line, subject: str) -> Iterator[FactOption]:  # noqa: ARG001
    for vital in ("food", "drink", "health"):
        yield from _points(line, vital, 1, vital)
    for name, span in line.others(line.nouns.items):
        if cues := line.cued("leaves"):
            yield FactOption("leaves", Exactly(name), span.places, cues)


def _material(line: _Line, subject: str) -> Iterator[FactOption]:  # noqa: ARG001
    for name, span in line.others(names.NATURAL):
        yield FactOption("material", Exactly(name), span.places, line.cued("material"))


_OPTIONS: Final[Mapping[type[Rule], Callable[[_Line, str], Iterator[FactOption]]]] = {
    Neighbour: _material,
    Rename: _material,
    Walk: _walk,
    Creature: _creature,
    Drink: _drink,
    Collect: _collect,
    Place: _place,
    Make: _make,
    Eat: _eat,
}
IMPLIED: Final[Mapping[str, tuple[str, Any]]] = {
    "eaten_food_factor": ("eatable", True),
    "eaten_drink_factor": ("eatable", True),
    "eaten_health_factor": ("eatable", True),
    "attack_health_factor": ("attacks", True),
    "arrow_health_factor": ("shoots", True),
    "requires": ("collectable", True),
    "yields": ("collectable", True),
    "leaves": ("collectable", True),
    "spawns": ("collectable", True),
}
"""By field: the flag without which it has no effect, and which is proposed with it."""
