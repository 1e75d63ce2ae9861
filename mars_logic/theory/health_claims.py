"""Claims about health, which the action, recovery, hits and arrows change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, product
from typing import Any, NamedTuple

from mars_logic.theory.claims import Claim, Field, Gate, Option, Values
from mars_logic.theory.signatures import Health
from mars_logic.world import names
from mars_logic.world.dialect import ARROW_POINTS, ATTACK_POINTS, MAXIMUM

Points = tuple[int, ...]
"""Possible effects of one hit on health."""
_LETHAL = None
"""In place of points: all health."""
_HITS_AT_ONCE = 3
"""More hits in one step are not thought of when looking for explanations."""


class Own(NamedTuple):
    """Possible effects of the action itself on health.

    Attributes:
        fields: What decides it.
        points: From the values of these fields to the possible changes; None kills.
        floor: Whether health is kept from falling below 0 at once; if not, recovery may offset it.
        plain: The fields that are spoken for where nothing else could change health.
    """

    fields: tuple[Field, ...] = ()
    points: Callable[..., tuple[int | None, ...]] = lambda: (0,)
    floor: bool = True
    plain: tuple[Field, ...] | None = None


def health_claims(health: Health, own: Own, gates: tuple[Gate, ...] = ()) -> _Harm:
    """The claim that the observed health can be explained."""
    kinds = tuple([being for being, n in zip(names.BEINGS, health.near, strict=True) if n])
    others = _decisive(kinds, health.arrows > 0)
    return _Harm(own.fields + others, _Test(health, own, kinds), gates)


@cache
def _decisive(kinds: tuple[str, ...], arrows: bool) -> tuple[Field, ...]:
    """The fields that decide whether beings of some kinds, and arrows, do harm."""
    fields = [(kind, name) for kind in kinds for name in ("attacks", "attack_health_factor")]
    if arrows:
        ways = ("shoots", "arrow_health_factor")
        fields += [(being, name) for being in names.BEINGS for name in ways]
    return tuple((f"creature.{being}", name) for being, name in fields)


@dataclass(slots=True)
class _Test:
    """Whether what was seen can be explained, given the values of the claim's fields."""

    health: Health
    own: Own
    kinds: tuple[str, ...]

    def __call__(self, *values: Any) -> bool:
        own, others = values[: len(self.own.fields)], values[len(self.own.fields) :]
        return self.health.after in endings(self.starts(own), self.hits(others))

    def hits(self, values: Sequence[Any]) -> list[Points]:
        """For each thing that may hit, the points that its hit may be."""
        found: list[Points] = []
        for place, being in enumerate(self.kinds):
            attacks, factor = values[2 * place : 2 * place + 2]
            if attacks and factor:
                times = self.health.near[names.BEINGS.index(being)]
                found += [(attack_points(being, factor, self.health.asleep),)] * times
        if self.health.arrows:
            pairs = values[2 * len(self.kinds) :]
            arrows = [ARROW_POINTS * f for s, f in zip(pairs[::2], pairs[1::2], strict=True) if s]
            found += [tuple(dict.fromkeys(arrows))] * self.health.arrows
        return found

    def starts(self, own: Sequence[Any]) -> frozenset[int]:
        """Health after the player's own update."""
        effect = HealthEffect(self.own.points(*own), self.own.floor)
        return effect.leaves(self.health.before, self.health.recovery)


def is_harm(claim: Claim) -> bool:
    """Whether a claim is about health."""
    return isinstance(claim, _Harm)


class HealthEffect(NamedTuple):
    """Possible effects of an action on health; both attributes as in :class:`Own`."""

    points: tuple[int | None, ...]
    floor: bool

    @lru_cache(maxsize=1 << 12)  # noqa: B019  # effects are values
    def leaves(self, before: int, recovery: int) -> frozenset[int]:
        """Health after the player's own update."""
        return frozenset(
            updated(before, points, recovery, floor=self.floor) for points in self.points
        )


def effect(claims: Iterable[Claim], values: Values) -> HealthEffect | None:
    """The action's effect on health by a signature's claims; None if a theory is uncertain."""
    own = next(claim.test.own for claim in claims if isinstance(claim, _Harm))
    certain = _certain(own.fields, values)
    return None if certain is None else HealthEffect(own.points(*certain), own.floor)


def hits(health: Health, values: Values) -> list[Points] | None:
    """As ``_Test.hits``; None if a theory is uncertain of what could hit."""
    claim = health_claims(health, Own())
    certain = _certain(claim.fields, values)
    return None if certain is None else claim.test.hits(certain)


def _certain(fields: Iterable[Field], values: Values) -> list[Any] | None:
    """The values of fields, if each can have but one."""
    possible = [values(name) for name in fields]
    return [each[0] for each in possible] if all(len(each) == 1 for each in possible) else None


def updated(before: int, points: int | None, recovery: int, *, floor: bool = True) -> int:
    """Health after the player's own update; for ``points`` and ``floor`` see :class:`Own`."""
    found = 0 if points is _LETHAL else before + points
    if floor:
        found = max(0, found)
    if recovery:
        found = max(0, found + recovery)
    return max(0, min(MAXIMUM, found))


def attack_points(being: str, factor: int, asleep: bool) -> int:
    """The effect of a hit on health."""
    points = ATTACK_POINTS["plant" if being == "plant" else "creature"]
    return factor * points["asleep" if asleep else "awake"]


def endings(starts: Iterable[int], hits: Iterable[Points]) -> frozenset[int]:
    """The health there may be in the end, if each hit happens at most once, in any order.

    Args:
        starts: Health before any hit.
        hits: For each thing that may hit, the points that its hit may be.
    """
    return _endings(frozenset(starts), tuple(sorted(hit for hit in hits if hit)))


@lru_cache(maxsize=1 << 14)
def _endings(starts: frozenset[int], hits: tuple[Points, ...]) -> frozenset[int]:
    reached = {(start, frozenset(range(len(hits)))) for start in starts}
    todo = list(reached)
    while todo:
        health, left = todo.pop()
        for one in left:
            for points in hits[one]:
                state = max(0, health + points), left - {one}
                if state not in reached:
                    reached.add(state)
                    todo.append(state)
    return frozenset(min(MAXIMUM, health) for health, _ in reached)


class _Harm(Claim):
    """A claim about health; its options leave out whatever need not have hit."""

    test: _Test

    def speaks_for(self, value: Mapping[Field, Any]) -> tuple[Field, ...]:
        """Undisturbed, the action's own effect is plain; else one kind's hit may be."""
        own = self.test.own.fields
        if self.test.health.undisturbed:
            return own if self.test.own.plain is None else self.test.own.plain
        plain = self.test.starts([value[name] for name in own])
        if self.test.health.after not in plain and len(self.test.kinds) == 1:
            return () if self.test.health.arrows else self.fields[len(own) :]
        return ()

    def _met(self, candidates: Mapping[Field, Sequence[Any]]) -> Iterator[Option]:
        own = self.test.own.fields
        for values in product(*(candidates[name] for name in own)):
            chosen = tuple(zip(own, values, strict=True))
            starts = self.test.starts(values)
            if self.test.health.after in endings(starts, ()):
                yield chosen
            else:
                yield from self._met_by_hits(chosen, starts, candidates)

    def _met_by_hits(
        self, chosen: Option, starts: frozenset[int], candidates: Mapping[Field, Sequence[Any]]
    ) -> Iterator[Option]:
        """The smallest sets of values that make hits possible which explain what was seen."""
        found: list[frozenset[tuple[Field, Any]]] = []
        for hits in self._hits(candidates):  # few first
            needed = frozenset(pair for _, pairs in hits for pair in pairs)
            if any(smaller <= needed for smaller in found):
                continue
            if self.test.health.after in endings(starts, [(p,) for p, _ in hits]):
                for option in _joined(chosen, hits):
                    found.append(needed)
                    yield option

    def _hits(self, candidates: Mapping[Field, Sequence[Any]]) -> Iterator[Sequence[_Hit]]:
        sources = [*self._attacks(candidates), *self._arrows(candidates)]
        for n in range(1, min(len(sources), _HITS_AT_ONCE) + 1):
            for chosen in combinations(sources, n):
                yield from product(*chosen)

    def _attacks(self, candidates: Mapping[Field, Sequence[Any]]) -> Iterator[list[_Hit]]:
        health = self.test.health
        for being in self.test.kinds:
            rule = f"creature.{being}"
            way, size = (rule, "attacks"), (rule, "attack_health_factor")
            hits: list[_Hit] = [
                (attack_points(being, factor, health.asleep), ((way, True), (size, factor)))
                for factor in candidates[size]
                if factor and True in candidates[way]
            ]
            yield from [hits] * min(health.near[names.BEINGS.index(being)], _HITS_AT_ONCE)

    def _arrows(self, candidates: Mapping[Field, Sequence[Any]]) -> Iterator[list[_Hit]]:
        if not self.test.health.arrows:
            return
        hits: list[_Hit] = []
        for being in names.BEINGS:
            rule = f"creature.{being}"
            way, size = (rule, "shoots"), (rule, "arrow_health_factor")
            for factor in candidates[size]:
                if factor and True in candidates[way]:
                    hits.append((ARROW_POINTS * factor, ((way, True), (size, factor))))
        yield from [hits] * min(self.test.health.arrows, _HITS_AT_ONCE)


_Hit = tuple[int, Option]
"""The points of a hit, and the values that make it possible."""


def _joined(chosen: Option, hits: Sequence[_Hit]) -> Iterator[Option]:
    """The values that an explanation needs, unless it needs two values of one field."""
    needed: dict[Field, Any] = dict(chosen)
    for name, value in (pair for _, pairs in hits for pair in pairs):
        if needed.setdefault(name, value) != value:
            return
    yield tuple(needed.items())
