"""Claims about health, which the action, recovery, hits and arrows change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import Any, NamedTuple

from mars_logic.theory.claims import Claim, Disjunction, Field, Gate, Option, Values, grouped
from mars_logic.theory.hits import HitKind, Points, endings, explanations
from mars_logic.theory.signatures import Health
from mars_logic.world import names
from mars_logic.world.dialect import ARROW_POINTS, ATTACK_POINTS, MAXIMUM

_LETHAL = None
"""In place of points: all health."""


class Own(NamedTuple):
    """Possible effects of the action itself on health.

    Attributes:
        fields: Fields that decide it if all gates pass.
        points: From the values of these fields to the possible changes; None kills.
        floor: Whether health is kept from falling below 0 at once; if not, recovery may offset it.
        gates: Conditions of any effect.
        plain: The fields that are spoken for where nothing else could change health.
    """

    fields: tuple[Field, ...] = ()
    points: Callable[..., tuple[int | None, ...]] = lambda: (0,)
    floor: bool = True
    gates: tuple[Gate, ...] = ()
    plain: tuple[Field, ...] | None = None

    @property
    def reads(self) -> tuple[Field, ...]:
        """All fields that decide the effect, those of gates first."""
        return (*(name for name, _ in self.gates), *self.fields)

    def effect(self, *values: Any) -> HealthEffect:
        """The possible effects, given the values of ``reads``."""
        passed = all(passes(v) for (_, passes), v in zip(self.gates, values, strict=False))
        points = self.points(*values[len(self.gates) :]) if passed else (0,)
        return HealthEffect(points, self.floor)


def health_claims(health: Health, own: Own, gates: tuple[Gate, ...] = ()) -> _Harm:
    """The claim that the observed health can be explained."""
    kinds = tuple([being for being, n in zip(names.BEINGS, health.near, strict=True) if n])
    others = _decisive(kinds, health.arrows > 0)
    return _Harm(own.reads + others, _Test(health, own, kinds), gates)


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
        count = len(self.own.reads)
        own, others = values[:count], values[count:]
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
        return self.own.effect(*own).leaves(self.health.before, self.health.recovery)


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
    certain = _certain(own.reads, values)
    return None if certain is None else own.effect(*certain)


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


class _Harm(Claim):
    """A claim about health; its options leave out whatever need not have hit."""

    test: _Test

    def speaks_for(self, value: Mapping[Field, Any]) -> tuple[Field, ...]:
        """Undisturbed, the action's own effect is plain; else one kind's hit may be."""
        own = self.test.own.reads
        if self.test.health.undisturbed:
            return own if self.test.own.plain is None else self.test.own.plain
        plain = self.test.starts([value[name] for name in own])
        if self.test.health.after not in plain and len(self.test.kinds) == 1:
            return () if self.test.health.arrows else self.fields[len(own) :]
        return ()

    def _met(self, candidates: Mapping[Field, Sequence[Any]]) -> Iterator[Option]:
        health = self.test.health
        near = tuple(
            _Source.of(each, "attack", candidates, health.asleep) for each in self.test.kinds
        )
        times = tuple(health.near[names.BEINGS.index(each)] for each in self.test.kinds)
        beings = names.BEINGS if health.arrows else ()
        shooters = tuple(_Source.of(each, "arrow", candidates) for each in beings)
        for starts, options in self._starts(candidates).items():
            if health.after in endings(starts, ()):
                yield from options
            else:
                others = _by_hits(starts, health.after, near, times, shooters, health.arrows)
                if others.options:
                    yield from ((*option, others) for option in options)

    def _starts(
        self, candidates: Mapping[Field, Sequence[Any]]
    ) -> dict[frozenset[int], list[Option]]:
        """For each set of healths that the action may have left: the values that lead to it."""
        own, health = self.test.own, self.test.health
        found: defaultdict[frozenset[int], list[Option]] = defaultdict(list)
        passing: Option = ()
        can_pass = True
        for name, passes in own.gates:
            shut = tuple(value for value in candidates[name] if not passes(value))
            if shut:
                idle = HealthEffect((0,), own.floor).leaves(health.before, health.recovery)
                found[idle].append(((name, shut),))
            open_ = tuple(value for value in candidates[name] if passes(value))
            passing = (*passing, (name, open_))
            can_pass = can_pass and bool(open_)
        alike: defaultdict[frozenset[int], list[tuple[Any, ...]]] = defaultdict(list)
        for values in product(*(candidates[name] for name in own.fields)):
            effect = HealthEffect(own.points(*values), own.floor)
            alike[effect.leaves(health.before, health.recovery)].append(values)
        for starts, chosen in alike.items():
            wanted = frozenset(chosen)
            fields = [(name, candidates[name]) for name in own.fields]
            for option in grouped(fields, lambda *values, of=wanted: values in of):
                if can_pass:
                    found[starts].append((*passing, *option))
        return found


class _Source(NamedTuple):
    """Beings that hit, or whose arrows do.

    Attributes:
        way: The flag that says that they do.
        size: The field that holds the factor.
        factors: Pairs of points of a hit and the candidate factors that lead to them.
    """

    way: Field
    size: Field
    factors: tuple[tuple[int, tuple[Any, ...]], ...]

    @classmethod
    def of(
        cls,
        being: str,
        by: str,
        candidates: Mapping[Field, Sequence[Any]],
        asleep: bool = False,
    ) -> _Source:
        """Attackers (``attack``) or shooters (``arrow``)."""
        rule = f"creature.{being}"
        way = (rule, "attacks" if by == "attack" else "shoots")
        size = (rule, f"{by}_health_factor")
        factors: defaultdict[int, tuple[Any, ...]] = defaultdict(tuple)
        for factor in candidates[size] if True in candidates[way] else ():
            arrow = by == "arrow"
            points = ARROW_POINTS * factor if arrow else attack_points(being, factor, asleep)
            if points:
                factors[points] += (factor,)
        return cls(way, size, tuple(factors.items()))

    @property
    def points(self) -> Points:
        """The points that a hit may have."""
        return tuple(points for points, _ in self.factors)

    def option(self, points: frozenset[int]) -> Option:
        """The values with which a hit may have such points; empty if there are none."""
        return _option(self, points)


@lru_cache(maxsize=1 << 14)
def _option(source: _Source, points: frozenset[int]) -> Option:
    values = tuple(v for each, own in source.factors if each in points for v in own)
    return ((source.way, (True,)), (source.size, values)) if values else ()


@lru_cache(maxsize=1 << 14)
def _by_hits(
    starts: frozenset[int],
    after: int,
    near: tuple[_Source, ...],
    times: tuple[int, ...],
    shooters: tuple[_Source, ...],
    arrows: int,
) -> Disjunction:
    """The values that make hits possible which explain a health.

    Args:
        starts: Healths before any hit.
        after: The health in the end.
        near: Who may have attacked.
        times: How many of each.
        shooters: Who may have shot.
        arrows: How many arrows there were.
    """
    shots = tuple(dict.fromkeys(points for each in shooters for points in each.points))
    kinds = [HitKind(each.points, n) for each, n in zip(near, times, strict=True)]
    kinds += [HitKind(shots, arrows, is_arrow=True)] * min(arrows, len(shooters))
    found: list[Option] = []
    for needed in explanations(starts, after, tuple(kinds)):
        parts: list[Option] = []
        for n, points in needed:
            if n < len(near):
                parts.append(near[n].option(points))
            else:
                parts.append((_shot(shooters, points),))
        found.append(tuple(part for option in parts for part in option))
    return Disjunction(tuple(found))


@lru_cache(maxsize=1 << 12)
def _shot(shooters: tuple[_Source, ...], points: frozenset[int]) -> Disjunction:
    """That arrows of some being have such points."""
    return Disjunction(tuple(option for each in shooters if (option := each.option(points))))
