"""Translates signatures to claims on the rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from mars_logic.theory.claims import (
    Claim,
    Field,
    Gate,
    Option,
    blocked,
    grouped,
    joined,
    passing,
)
from mars_logic.theory.health_claims import Own, health_claims
from mars_logic.theory.outcomes import Gain, outcomes, possible_gains
from mars_logic.theory.signatures import (
    ANY,
    Collecting,
    Eating,
    Held,
    Hitting,
    Making,
    Motion,
    Moved,
    Passage,
    Placing,
    Shot,
    Signature,
    Span,
    Standing,
    Start,
    Tread,
    Unharmed,
)
from mars_logic.world import names
from mars_logic.world.dialect import EATEN_POINTS, MAXIMUM

_BUILT = ("table", "furnace")


@singledispatch
def signature_claims(signature: Signature, dynamics: str) -> Iterator[Claim]:
    """The claims of a signature under a dialect.

    Raises:
        TypeError: This is no signature.
    """
    raise TypeError(f"no signature: {signature!r} ({dynamics})")


def holds_all(held: Held, amounts: Mapping[str, int]) -> bool:
    """Whether all of these amounts are held."""
    places = held.places
    return all(item in places and held[places[item]] >= amount for item, amount in amounts.items())


def within(span: Span, points: int) -> bool:
    """Whether a change is one that was seen."""
    return span[0] <= points <= span[1]


# --- Terrain ------------------------------------------------------------------------------------


@signature_claims.register
def _(signature: Start, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    if signature.material not in names.MATERIALS:
        return  # the generator makes no added material, so it tells nothing of its rules
    around: Field = ("neighbour.player", "material")
    renamed: tuple[Field, ...] = tuple((f"rename.{name}", "material") for name in names.NATURAL)

    def test(material: str, *found: str) -> bool:
        return found[names.NATURAL.index(material)] == signature.material

    yield _StartClaim((around, *renamed), test)


class _StartClaim(Claim):
    """Of all rename rules, only that of the start's material matters."""

    def speaks_for(self, value: Mapping[Field, Any]) -> tuple[Field, ...]:
        return self.fields[0], (f"rename.{value[self.fields[0]]}", "material")

    def _judge(self, value: Mapping[Field, Any]) -> Any:
        found = super()._judge(value)
        return type(found)(found.holds, self.speaks_for(value))

    def _met(self, candidates: Mapping[Field, Any]) -> Iterator[Option]:
        around, *renamed = self.fields
        for material in candidates[around]:
            name = renamed[names.NATURAL.index(material)]
            found = (v for v in candidates[name] if self.test(material, *([v] * len(renamed))))
            if right := tuple(found):
                yield (around, (material,)), (name, right)


@signature_claims.register
def _(signature: Passage, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    walkable = (f"walk.{signature.material}", "walkable")
    yield Claim((walkable,), lambda flag: flag == signature.moved)


@signature_claims.register
def _(signature: Tread, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    rule = f"walk.{signature.ground}"
    own = Own(
        fields=((rule, "health"), (rule, "deadly")),
        points=lambda health, deadly: (None if deadly else health,),
    )
    yield health_claims(signature.health, own)


# --- Survival -----------------------------------------------------------------------------------


@signature_claims.register
def _(signature: Standing, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    yield health_claims(signature.health, Own())


@signature_claims.register
def _(signature: Hitting, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    rule = f"creature.{signature.being}"
    plant = signature.being == "plant"
    unit = EATEN_POINTS["plant" if plant else "creature"]
    eatable: tuple[Field, ...] = () if plant else ((rule, "eatable"),)

    def eaten(values: tuple[Any, ...], points: int) -> tuple[int, ...]:
        """The changes there may be, given the fields ``eatable`` (not of plants) and a factor."""
        if signature.killed is False or not (plant or values[0]):
            return (0,)
        change = values[-1] * points
        return (change,) if signature.killed else (0, change)

    for vital, span in (("food", signature.food), ("drink", signature.drink)):
        fields = (*eatable, (rule, f"eaten_{vital}_factor"))

        def test(*values: Any, span: Span = span, points: int = unit[vital]) -> bool:
            return any(within(span, change) for change in eaten(values, points))

        yield Claim(fields, test)
    factor = (*eatable, (rule, "eaten_health_factor"))
    yield health_claims(
        signature.health, Own(factor, lambda *values: eaten(values, unit["health"]))
    )


@signature_claims.register
def _(signature: Shot, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    if signature.beings:
        fields = tuple((f"creature.{being}", "shoots") for being in signature.beings)
        yield Claim(fields, lambda *flags: any(flags))


@signature_claims.register
def _(signature: Moved, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    rule = f"creature.{signature.being}"
    yield Claim(
        ((rule, "walks"), (rule, "approaches"), (rule, "shoots")), lambda *flags: any(flags)
    )


@signature_claims.register
def _(signature: Motion, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    yield from ()  # no way to go is excluded by itself; see theory/movement_model.py


@signature_claims.register
def _(signature: Unharmed, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    rule = f"creature.{signature.being}"

    def test(attacks: bool, factor: int) -> bool:
        return not attacks or factor == 0 or (factor > 0 and not signature.healing)

    yield Claim(((rule, "attacks"), (rule, "attack_health_factor")), test)


# --- Task ---------------------------------------------------------------------------------------


@signature_claims.register
def _(signature: Collecting, dynamics: str) -> Iterator[Claim]:
    rule = f"collect.{signature.material}"
    liquid = signature.material in names.LIQUIDS
    drink = f"drink.{signature.material}"
    gates = collecting_gates(signature)
    if not maybe_no_effect(signature):
        yield from passing(gates)
        gates = ()
    yield Claim(((rule, "leaves"),), lambda leaves: may_be_left(signature, leaves), gates)

    effect: tuple[Field, ...] = ((drink, "drink"),) if liquid else ()
    yield _Received(((rule, "yields"), *effect), Receipt(signature, dynamics), gates)
    if signature.appeared:
        who = signature.appeared
        yield Claim(((rule, "spawns"),), lambda spawns: spawns.get(who, 0) > 0, gates)
    if liquid:
        yield Claim(((drink, "food"),), lambda food: within(signature.food, food), gates)
    if signature.health:
        yield health_claims(signature.health, _drunk((drink, "health"), gates))


@dataclass(slots=True)
class Receipt:
    """A test whether yields, and an effect on drink, lead to what was received."""

    signature: Collecting
    dynamics: str

    def __call__(self, yields: Any, effect: int = 0) -> bool:
        """Whether some outcome of the yields, with this effect, is what was received."""
        found = outcomes(yields, self.dynamics)
        return any(matches(self.signature, outcome.gains, effect) for outcome in found)

    def drinks(self, gains: frozenset[frozenset[Gain]]) -> tuple[int, ...]:
        """The points of drink in those gains that explain what else was received."""
        unseen = self.signature._replace(drink=(-ANY, ANY))
        explaining = (each for each in map(dict, gains) if matches(unseen, each))
        return tuple(sorted({each.get("drink", 0) for each in explaining}))


class _Received(Claim):
    """The claim about what is received; yields with the same possible gains are tested once."""

    test: Receipt

    def _met(self, candidates: Mapping[Field, Sequence[Any]]) -> Iterator[Option]:
        own, *effect = self.fields
        same: defaultdict[frozenset[frozenset[Gain]], list[Any]] = defaultdict(list)
        for value in candidates[own]:
            same[possible_gains(value, self.test.dynamics)].append(value)
        alike: defaultdict[tuple[Option, ...], list[Any]] = defaultdict(list)
        for gains, values in same.items():
            if options := self._effects(self.test.drinks(gains), effect, candidates):
                alike[options] += values
        yield from joined(own, len(candidates[own]), alike)

    def _effects(
        self,
        drinks: Sequence[int],
        effect: Sequence[Field],
        candidates: Mapping[Field, Sequence[Any]],
    ) -> tuple[Option, ...]:
        """The effects on drink that go with one of these gains of drink."""

        def test(points: int = 0) -> bool:
            return any(within(self.test.signature.drink, points + gain) for gain in drinks)

        return grouped([(name, candidates[name]) for name in effect], test)


def _drunk(effect: Field, gates: tuple[Gate, ...]) -> Own:
    """Effect of a liquid on health; none if a gate fails."""
    plain: tuple[Field, ...] | None = () if gates else None
    return Own((effect,), lambda points: (points,), floor=False, gates=gates, plain=plain)


def collecting_gates(signature: Collecting) -> tuple[Gate, ...]:
    """The gates of collecting."""
    rule = f"collect.{signature.material}"
    return (
        ((rule, "collectable"), bool),
        ((rule, "requires"), lambda amounts: holds_all(signature.held, amounts)),
    )


def may_be_left(signature: Collecting | Placing, material: str) -> bool:
    """Whether the cell may have been of a material when the player had acted."""
    return material == signature.left or material in signature.changing


def maybe_no_effect(signature: Collecting) -> bool:
    """Whether it may be that nothing was collected."""
    return (
        may_be_left(signature, signature.material)
        and signature.held == signature.held_after
        and within(signature.drink, 0)
        and within(signature.food, 0)
        and not signature.appeared
        and not signature.got_drink
    )


def matches(signature: Collecting, gains: Mapping[str, int], effect: int = 0) -> bool:
    """Whether what was seen is what these gains, and an effect on drink, lead to."""
    if signature.got_drink is not None and signature.got_drink != ("drink" in gains):
        return False
    if with_gains(signature.held, gains) != signature.held_after:
        return False
    return within(signature.drink, effect + gains.get("drink", 0))


def with_gains(held: Held, gains: Mapping[str, int]) -> Held:
    """The inventory after gains (losses if negative)."""
    return held.with_amounts(
        {item: min(MAXIMUM, held.amount(item) + amount) for item, amount in gains.items()}
    )


@signature_claims.register
def _(signature: Placing, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    rule = f"place.{signature.thing}"
    gates: tuple[Gate, ...] = (
        ((rule, "uses"), lambda uses: holds_all(signature.held, uses)),
        ((rule, "where"), lambda where: signature.material in where),
    )
    left, same = signature.left, may_be_left(signature, signature.material)
    broken = signature.thing in _BUILT and left == "path"  # by an arrow, at once
    placed = (
        signature.planted
        if signature.thing == "plant"
        else may_be_left(signature, signature.thing) or broken
    )
    kept = same or (signature.material in _BUILT and left == "path")
    maybe_no_effect = kept and signature.held == signature.held_after and not signature.planted
    yield from _applied(rule, gates, signature.held, signature.held_after, placed, maybe_no_effect)


@signature_claims.register
def _(signature: Making, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    rule = f"make.{signature.tool}"
    gates: tuple[Gate, ...] = (
        ((rule, "uses"), lambda uses: holds_all(signature.held, uses)),
        ((rule, "nearby"), lambda nearby: set(nearby) <= set(signature.nearby)),
    )
    maybe_no_effect = signature.held == signature.held_after
    yield from _applied(rule, gates, signature.held, signature.held_after, True, maybe_no_effect)


@signature_claims.register
def _(signature: Eating, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    rule = f"eat.{signature.item}"

    def test(leaves: str | None) -> bool:
        gains = {signature.item: -1}
        if leaves:
            gains[leaves] = gains.get(leaves, 0) + 1
        return with_gains(signature.held, gains) == signature.held_after

    yield Claim(((rule, "leaves"),), test)
    for vital, span in (("food", signature.food), ("drink", signature.drink)):
        yield Claim(((rule, vital),), lambda points, span=span: within(span, points))
    own = Own(((rule, "health"),), lambda points: (points,), floor=False)
    yield health_claims(signature.health, own)


def _applied(
    rule: str, gates: tuple[Gate, ...], held: Held, after: Held, placed: bool, maybe_no_effect: bool
) -> Iterator[Claim]:
    """The claims of placing and making, which differ only in what they give.

    Args:
        rule: The rule's id.
        gates: What decides whether it is applied.
        held: What was held.
        after: What was held afterwards.
        placed: Whether it may have been applied.
        maybe_no_effect: Whether it may not have been applied.
    """
    if not placed:
        yield blocked(gates)
        return
    if not maybe_no_effect:
        yield from passing(gates)
        gates = ()
    family, _, subject = rule.partition(".")
    made = subject if family == "make" else ""
    gives: tuple[Field, ...] = ((rule, "gives"),) if made else ()

    def test(uses: Mapping[str, int], amount: int = 0) -> bool:
        gains = {item: -n for item, n in uses.items()}
        if made:
            gains[made] = gains.get(made, 0) + amount
        return with_gains(held, gains) == after

    yield Claim(((rule, "uses"), *gives), test, gates)
