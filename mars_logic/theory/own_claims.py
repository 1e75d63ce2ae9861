"""Claims on rules of kinds that Crafter lacks: needs, hunting, and harm by added creatures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from mars_logic.theory.cell_claims import is_time
from mars_logic.theory.claims import Claim, Field, Judgement, Values, of_stated_rules
from mars_logic.theory.health_claims import attack_points, updated
from mars_logic.theory.hits import Points, endings
from mars_logic.theory.signature_claims import holds_all, signature_claims, with_gains
from mars_logic.theory.signatures import Harm, Hunting, NeedChange
from mars_logic.world import names
from mars_logic.world.dialect import ARROW_POINTS, MAXIMUM, SWORD_DAMAGE, UNARMED_DAMAGE
from mars_logic.world.need_rules import AddedNeed

_NEED_FIELDS = AddedNeed.field_names()


@signature_claims.register
def _(signature: Harm, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    test = _HarmTest(signature)
    yield _HarmClaim(test.fields, test)


class _HarmTest:
    """Whether health is what the ground, hits by what is nearby, and empty needs lead to."""

    def __init__(self, signature: Harm) -> None:
        near = (*zip(names.BEINGS, signature.health.near, strict=True), *signature.others)
        self.signature = signature
        self.kinds = [(being, count) for being, count in near if count]
        ground = f"walk.{signature.ground}"
        self.own: list[Field] = [(ground, "health"), (ground, "deadly")] if signature.ground else []
        if signature.touched:
            self.own.append((f"hunt.{signature.touched}", "touch"))
        self.sources: list[tuple[Field, ...]] = [
            ((f"creature.{being}", "attacks"), (f"creature.{being}", "attack_health_factor"))
            for being, _ in self.kinds
        ]
        self.sources += [((f"need.{need}", "empty"),) for need in signature.needs]
        self.shots = [(f"projectile.{each}", "harm") for each, *_ in signature.shots]
        self.stated = [(rule, "speed") for rule, _ in self.shots]
        self.factors = [(f"creature.{each}", "arrow_health_factor") for each in signature.shooters]

    @property
    def fields(self) -> tuple[Field, ...]:
        """All that it reads: what the action does first.

        That a projectile has a speed tells that there is a rule about it.
        """
        near = (name for source in self.sources for name in source)
        return (*self.own, *self.shots, *self.stated, *self.factors, *near)

    def __call__(self, *values: Any) -> bool:
        rest = iter(values)
        own, harms, _, factors = (
            [*islice(rest, len(names_))]
            for names_ in (self.own, self.shots, self.stated, self.factors)
        )
        by_shooter = tuple(sorted({ARROW_POINTS * factor for factor in factors}))
        hits: list[Points] = []
        sure: list[Points] = []
        for harm, (_, least, most) in zip(harms, self.signature.shots, strict=True):
            points = by_shooter if harm is None else (harm,)
            sure += [points] * least
            hits += [points] * (most - least)
        for being, count in self.kinds:
            attacks, factor = next(rest), next(rest)
            if attacks and factor:
                hits += [(attack_points(being, factor, self.signature.health.asleep),)] * count
        hits += [(points,) for points in rest if points]
        return self.signature.health.after in endings(self.starts(own), hits, sure)

    def blamed(self, value: Mapping[Field, Any]) -> tuple[Field, ...]:
        """The fields of which one is wrong, if health is not explained."""
        by_shooter = any(value[name] is None for name in self.shots)
        idle = {*self.stated, *(() if by_shooter else self.factors)}
        return tuple(name for name in self.fields if name not in idle)

    def starts(self, own: Sequence[Any]) -> set[int]:
        """Health after the player's own update; touching a creature counts before the ground."""
        before, recovery = self.signature.health.before, self.signature.health.recovery
        left, rest = before, list(own)
        ground = rest[:2] if self.signature.ground else (0, False)
        if self.signature.touched:
            left = max(0, left + rest[-1])
        return {updated(left, None if ground[1] else ground[0], recovery)}


class _HarmClaim(Claim):
    """A claim about health; it speaks for the one thing that may have changed it, if it did.

    Of projectiles, it speaks for the harm of those that surely hit.
    """

    test: _HarmTest

    def judge(self, values: Values) -> Judgement:
        return of_stated_rules(super().judge(values), values)

    def _judge(self, value: Mapping[Field, Any]) -> Judgement:
        found = super()._judge(value)
        return found if found.holds else Judgement(found.holds, self.test.blamed(value))

    def speaks_for(self, value: Mapping[Field, Any]) -> tuple[Field, ...]:
        test = self.test
        starts = test.starts([value[name] for name in test.own])
        if test.shots:
            return tuple(
                name
                for name in test.shots
                if value[name] is not None
                and any(self._fails({**value, name: value[name] + change}) for change in (-1, 1))
            )
        if test.signature.health.after in starts:
            return tuple(test.own[-1:]) if test.signature.touched and not test.sources else ()
        return test.sources[0] if len(test.sources) == 1 else ()

    def _fails(self, value: dict[Field, Any]) -> bool:
        return not self.test(*[value[name] for name in self.fields])


@signature_claims.register
def _(signature: Hunting, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    rule = f"hunt.{signature.being}"
    fields = (rule, "requires"), (rule, "yields"), (rule, "damage")
    yield Claim(fields, partial(explains_hunt, signature))


def explains_hunt(
    seen: Hunting, requires: Mapping[str, int], yields: Mapping[str, int], damage: Mapping[str, int]
) -> bool:
    """Whether values of a rule of hunting explain what came of a blow."""
    held, after = seen.held, seen.held_after
    nothing = held == after
    everything = with_gains(held, yields) == after
    if not holds_all(held, requires):
        return nothing and not seen.killed
    if seen.killed or _damage(held, damage) >= seen.full_health:
        return everything
    return nothing if seen.killed is False else nothing or everything


def _damage(held: Any, damage: Mapping[str, int]) -> int:
    """What a blow takes with the best of what is held."""
    usual = next((d for item, d in SWORD_DAMAGE.items() if held.amount(item)), UNARMED_DAMAGE)
    return max(usual, *(points for item, points in damage.items() if held.amount(item)), 0)


@signature_claims.register
def _(signature: NeedChange, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    rule = f"need.{signature.need}"
    yield _NeedClaim(tuple((rule, name) for name in _NEED_FIELDS), NeedTest(signature))


class NeedTest:
    """Whether the points of a need, and health, are what its rule leads to."""

    def __init__(self, signature: NeedChange) -> None:
        self.signature = signature

    def __call__(self, *values: Any) -> bool:
        """Whether values of all fields, in their order, explain it."""
        return self.holds(dict(zip(_NEED_FIELDS, values, strict=True)))

    def holds(self, rule: Mapping[str, Any]) -> bool:
        """Whether values of all fields explain it; of ``empty``, None stands for any."""
        return any(self._fits(rule, gain) for gain in self.gains(rule))

    def gains(self, rule: Mapping[str, Any]) -> set[int]:
        """The points that ground, what is near and what was eaten may have given."""
        seen, near = self.signature, rule["gains_near"]
        sure = max((near.get(name, 0) for name in seen.near), default=0)
        perhaps = {near.get(name, 0) for name in seen.perhaps_near}
        on = rule["gains_on"].get(seen.ground, 0)
        eaten = min(MAXIMUM - seen.points[0], rule["gains_eating"].get(seen.eaten, 0))
        return {eaten + on + max(sure, points) for points in {sure, *perhaps}}

    def loses(self, rule: Mapping[str, Any]) -> bool:
        """Whether points are due to be lost."""
        seen = self.signature
        due = seen.step % rule["every"] == 0 and not self.rises(rule)
        kept = any(item in seen.in_hand for item in rule["kept_by"])
        return due and is_time(rule["when"], seen.night) and not kept

    def rises(self, rule: Mapping[str, Any]) -> bool:
        """Whether a point comes back."""
        seen = self.signature
        timely = rule["rises"] != "never" and is_time(rule["rises"], seen.night)
        return timely and seen.step % rule["every"] == 0

    def _fits(self, rule: Mapping[str, Any], gain: int) -> bool:
        seen = self.signature
        points = seen.points[0] + gain
        change = 0
        if self.rises(rule):
            points += 1
        elif self.loses(rule):
            change = rule["empty"] if points <= 0 else 0
            points -= rule["loss"]
        if max(0, min(MAXIMUM, points)) != seen.points[1]:
            return False
        health = seen.health
        if health is None or change is None:
            return True
        start = updated(health.before, 0, health.recovery)
        return health.after in endings([max(0, start + change)], ())


class _NeedClaim(Claim):
    """A claim on a need; it speaks for what it shows, and for no more."""

    test: NeedTest

    def speaks_for(self, value: Mapping[Field, Any]) -> tuple[Field, ...]:
        rule = {name: each for (_, name), each in value.items()}
        seen, told = self.test.signature, set[str]()
        if self.test.loses(rule):
            told |= {"every", "when"}
            if seen.points[0] > 0:
                told.add("loss")
            elif seen.health is not None and self.test.gains(rule) == {0}:
                told.add("empty")
        elif self.test.rises(rule):
            told |= {"every", "rises"} if seen.points[0] < MAXIMUM else set()
        elif seen.step % rule["every"] == 0:
            told.add("kept_by" if set(rule["kept_by"]) & {*seen.in_hand} else "when")
        if seen.points[0] < MAXIMUM:
            sources: Sequence[tuple[str, Any]] = (
                ("gains_near", seen.near),
                ("gains_on", (seen.ground,)),
                ("gains_eating", (seen.eaten,)),
            )
            told |= {name for name, among in sources if {*rule[name]} & {*among}}
        return tuple(name for name in self.fields if name[1] in told)
