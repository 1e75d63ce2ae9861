"""Claims on rules about cells that are pushed, or change by themselves.

A cell may have rules of both families, ``beside`` and ``timer``. That it stayed is a claim on each
of them; that it changed, one on both. A rule that neither the theory nor the world of the
trajectories states has None in all its fields: nothing happens by it, and it is never to blame.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mars_logic.theory.cell_signatures import CellChange, PushTry
from mars_logic.theory.claims import Claim, Field, Judgement, Values, of_stated_rules
from mars_logic.theory.signature_claims import signature_claims
from mars_logic.world.cell_rules import Beside, Push, Timer

_BESIDE, _TIMER, _PUSH = (kind.field_names() for kind in (Beside, Timer, Push))


def is_time(when: str, night: bool) -> bool:
    """Whether it is the time of day that a rule states."""
    return when == "always" or (when == "night") == night


class _CellClaim(Claim):
    """A claim that blames no rule that there is not, and speaks for what its test says."""

    def judge(self, values: Values) -> Judgement:
        return of_stated_rules(super().judge(values), values)

    def speaks_for(self, value: Mapping[Field, Any]) -> tuple[Field, ...]:
        told = self.test.tells(*[value[name] for name in self.fields])  # type: ignore[attr-defined]
        return tuple(name for name in self.fields if name in told)


@signature_claims.register
def _(signature: CellChange, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    beside = tuple((f"beside.{signature.material}", name) for name in _BESIDE)
    timer = tuple((f"timer.{signature.material}", name) for name in _TIMER)
    if signature.after == signature.material:
        yield _CellClaim(beside, _Unchanged(signature, beside))
        yield _StayClaim((*timer, beside[0]), _NotDue(signature, timer))
    else:
        yield _CellClaim((*beside, *timer), _Changed(signature, beside, timer))


@signature_claims.register
def _(signature: PushTry, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    fields = tuple((f"push.{signature.material}", name) for name in _PUSH)
    yield _CellClaim(fields, _Pushed(signature, fields))


def explains_push(seen: PushTry, onto: Any, leaves: Any, becomes: Any) -> bool:
    """Whether a rule of pushing with these fields explains what was seen of a move."""
    return _Pushed(seen, ())(onto, leaves, becomes)


class CellOutcome:
    """What rules with certain fields say of a cell.

    Attributes:
        seen: What was seen of it.
    """

    def __init__(self, seen: CellChange) -> None:
        self.seen = seen

    def trigger(self, becomes: Mapping[str, str] | None) -> str | None:
        """The first material that changes it, of those that surely were beside it."""
        return next((name for name in self.seen.beside if name in (becomes or {})), None)

    def may_have(self, becomes: Mapping[str, str]) -> bool:
        """Whether a material that changes it may have been beside it."""
        return bool(becomes) and (self.seen.unsure or self.trigger(becomes) is not None)

    def by_others(self, becomes: Mapping[str, str] | None) -> set[str]:
        """What it may become by materials beside it."""
        if becomes and self.seen.unsure:
            return {*becomes.values()}
        trigger = self.trigger(becomes)
        return {becomes[trigger]} if becomes and trigger else set()

    def is_due(self, after: int, when: str, near: Sequence[str]) -> bool:
        """Whether a timer is surely due."""
        beside = not near or any(name in self.seen.beside for name in near)
        return self.seen.age[0] + 1 >= after and is_time(when, self.seen.night) and beside

    def may_be_due(self, after: int, when: str, near: Sequence[str]) -> bool:
        """Whether a timer may be due."""
        beside = not near or self.seen.unsure or any(name in self.seen.beside for name in near)
        return self.seen.age[1] + 1 >= after and is_time(when, self.seen.night) and beside


class _Unchanged(CellOutcome):
    """Whether a cell may have stayed, as far as others beside it go."""

    def __init__(self, seen: CellChange, beside: Sequence[Field]) -> None:
        super().__init__(seen)
        self.beside = beside

    def __call__(self, becomes: Any, chance: Any) -> bool:
        if chance is None or chance < 1 or self.trigger(becomes) is None:
            return True
        return self.seen.material in self.by_others(becomes)

    def tells(self, becomes: Any, chance: Any) -> set[Field]:
        """The fields that it speaks for: with a chance of 1 it would have changed."""
        certain = self.trigger(becomes) and self.seen.material not in becomes.values()
        return {self.beside[1]} if certain and chance < 1 else set()


class _NotDue(CellOutcome):
    """Whether a cell may have stayed, as far as its timer goes.

    Where others turn the material into itself, its age cannot be seen.
    """

    def __init__(self, seen: CellChange, timer: Sequence[Field]) -> None:
        super().__init__(seen)
        self.timer = dict(zip(_TIMER, timer, strict=True))

    def __call__(self, *values: Any) -> bool:
        becomes, after, chance, when, near, others = values
        if becomes is None or chance < 1 or self._renewed(becomes, others):
            return True
        return not self.is_due(after, when, near)

    def _renewed(self, becomes: str, others: Mapping[str, str] | None) -> bool:
        return self.seen.material in {becomes, *(others or {}).values()}

    def tells(self, *values: Any) -> set[Field]:
        """The fields without each of which it would have changed."""
        becomes, after, chance, when, near, others = values
        if becomes is None or self._renewed(becomes, others):
            return set()
        if self.is_due(after, when, near):
            return {self.timer["chance"]}
        without = {
            "after": self.seen.age[0] + 2 == after and self.is_due(1, when, near),
            "when": self.is_due(after, "always", near),
            "near": self.is_due(after, when, ()),
        }
        return {self.timer[name] for name, met in without.items() if met and chance == 1}


class _StayClaim(_CellClaim):
    """A claim on a timer; of the rule ``beside``, only turning a material into itself matters."""

    def judge(self, values: Values) -> Judgement:
        found = super().judge(values)
        return found._replace(fields=tuple(n for n in found.fields if n in self.fields[:-1]))


class _Changed(CellOutcome):
    """Whether a cell may have become what it did."""

    def __init__(self, seen: CellChange, beside: Sequence[Field], timer: Sequence[Field]) -> None:
        super().__init__(seen)
        self.beside, self.timer = beside, dict(zip(_TIMER, timer, strict=True))

    def __call__(self, *values: Any) -> bool:
        return any(self._causes(*values))

    def _causes(self, *values: Any) -> tuple[bool, bool]:
        """Whether it may have changed by others beside it, and whether by its timer."""
        others, likely, becomes, after, chance, when, near = values
        by_others = bool(likely) and self.seen.after in self.by_others(others)
        if becomes != self.seen.after or not chance:
            return by_others, False
        preceded = likely == 1 and self.trigger(others) is not None
        return by_others, self.may_be_due(after, when, near) and not preceded

    def tells(self, *values: Any) -> set[Field]:
        """The fields of the rule that surely changed it."""
        by_others, by_timer = self._causes(*values)
        if by_others and by_timer:
            return set()
        if by_others:
            return {self.beside[0]}
        told = {self.timer["becomes"]}
        return told | ({self.timer["after"]} if self.seen.age[1] + 1 == values[3] else set())


class _Pushed:
    """Whether both cells may have become what they did; what may change by itself tells nothing."""

    def __init__(self, seen: PushTry, fields: Sequence[Field]) -> None:
        self.seen = seen
        self.fields = dict(zip(_PUSH, fields, strict=False))

    def _expected(self, onto: Any, leaves: Any, becomes: Any) -> tuple[str, str]:
        seen = self.seen
        if onto is not None and seen.ground in onto and not seen.taken:
            return leaves, becomes.get(seen.ground, seen.material)
        return seen.material, seen.ground

    def _fits(self, expected: tuple[str, str]) -> bool:
        return any(
            all(
                found == wanted or wanted in self.seen.changing
                for found, wanted in zip(outcome, expected, strict=True)
            )
            for outcome in self.seen.outcomes
        )

    def __call__(self, *values: Any) -> bool:
        return self._fits(self._expected(*values))

    def tells(self, *values: Any) -> set[Field]:
        """The fields without which both cells would look otherwise."""
        onto = values[0]
        if onto is None or self.seen.taken:
            return set()
        pushed = self.seen.ground in onto
        other = ((), *values[1:]) if pushed else ((self.seen.ground,), *values[1:])
        if self._fits(self._expected(*other)):
            return set()
        return {self.fields[name] for name in (_PUSH if pushed else ("onto",))}
