"""Claims on the behaviour of creatures that act by cases: that they go where some case takes them.

What health a creature has left is not seen, so that a case which asks for it may apply or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mars_logic.theory.cell_claims import is_time
from mars_logic.theory.cell_signatures import Act
from mars_logic.theory.claims import Claim, Field
from mars_logic.theory.signature_claims import signature_claims
from mars_logic.world.creature_rules import BehaviourCase

_NOWHERE: Final = 4
_STEPS: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))
_Outcomes = tuple[set[int], bool]
"""Where a deed may take a creature (0 to 4), and whether the next case may be asked instead."""


@signature_claims.register
def _(signature: Act, dynamics: str) -> Iterator[Claim]:  # noqa: ARG001
    rule = f"behaviour.{signature.being}"
    yield _ActClaim(((rule, "cases"), (rule, "grazes")), _ActTest(signature))


class _ActTest:
    """Whether some case may have taken a creature where it went."""

    def __init__(self, seen: Act) -> None:
        self.seen = seen

    def __call__(self, cases: Sequence[BehaviourCase], grazes: Mapping[str, str]) -> bool:
        return self.seen.went in self.possible(cases, grazes)

    def possible(self, cases: Sequence[BehaviourCase], grazes: Mapping[str, str]) -> set[int]:
        """Where the creature may go."""
        found: set[int] = set()
        for case in cases:
            if case.chance > 0 and self._holds(case):
                places, passed_on = self._outcomes(case, grazes)
                found |= places
                if case.chance >= 1 and case.health is None and not passed_on:
                    return found
        return found | {_NOWHERE}

    def _holds(self, case: BehaviourCase) -> bool:
        """Whether a case's conditions hold, or may hold."""
        far = sum(map(abs, self.seen.way))
        near = case.within is None or far <= case.within
        away = case.beyond is None or far > case.beyond
        held = case.held is None or case.held in self.seen.in_hand
        return near and away and held and is_time(case.when, self.seen.night)

    def _outcomes(self, case: BehaviourCase, grazes: Mapping[str, str]) -> _Outcomes:
        if case.act == "wander":
            return self._taken(range(len(_STEPS)))[0], False
        if case.act == "approach":
            return self._taken(self._along(case, 1))[0], False
        if case.act == "flee":
            places, blocked = self._taken(self._along(case, -1))
            return places - {_NOWHERE}, blocked
        if case.act == "graze":
            eats = any(name in grazes for name in self.seen.beside)
            return ({_NOWHERE}, False) if eats else (set(), True)
        return {_NOWHERE}, False

    def _along(self, case: BehaviourCase, sign: int) -> list[int]:
        """The steps towards the player (or away): along the longer way or the other."""
        dx, dy = self.seen.way
        across = ((dx > 0) - (dx < 0), 0), (0, (dy > 0) - (dy < 0))
        longer, shorter = across if abs(dx) > abs(dy) else across[::-1]
        ways = [longer] * (case.straight > 0) + [shorter] * (case.straight < 1)
        steps = [(sign * x, sign * y) for x, y in ways]
        return [_STEPS.index(step) if any(step) else _NOWHERE for step in steps]

    def _taken(self, steps: Sequence[int]) -> tuple[set[int], bool]:
        """Where steps may lead, and whether one may be blocked: it then stays."""
        free = self.seen.free
        found = {step for step in steps if step != _NOWHERE and (free is None or free[step])}
        blocked = any(step == _NOWHERE or free is None or not free[step] for step in steps)
        return found | ({_NOWHERE} if blocked else set()), blocked


class _ActClaim(Claim):
    """A claim on a behaviour; it speaks for its cases if the creature moved, or had to stay."""

    test: _ActTest

    def speaks_for(self, value: Mapping[Field, Any]) -> tuple[Field, ...]:
        possible = self.test.possible(*(value[name] for name in self.fields))
        moved = self.test.seen.went != _NOWHERE
        return self.fields[:1] if moved or possible == {_NOWHERE} else ()
