"""Rules of needs and of hunting, fitted to play, for revisions and learners.

Of the values that explain all that was seen, those with the shortest description are taken; a field
of which play allows other values stays open. Candidates come from the belief and from what was
gained and lost: a need falls at multiples of its interval, so the interval divides all steps at
which it fell.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from typing import Any, Final, NamedTuple

from mars_logic.theory.check import check
from mars_logic.theory.claims import Field
from mars_logic.theory.description_length import Fit, bits_of, shortest
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.own_claims import NeedTest, explains_hunt
from mars_logic.theory.signatures import Hunting, NeedChange
from mars_logic.world.cell_rules import TIMES
from mars_logic.world.creature_rules import Hunt
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.need_rules import LONGEST_INTERVAL, AddedNeed
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import is_uncertain

_Choice = Mapping[str, Any]
"""Values of some fields of a rule."""
_GAINS: Final = ("gains_near", "gains_on", "gains_eating")
_RISING: Final = ("never", *TIMES)
_STILL: Final = {
    "every": LONGEST_INTERVAL,
    "loss": 0,
    "when": "always",
    "kept_by": (),
    "rises": "never",
    "empty": 0,
}
"""What a need does in steps in which nothing is due."""


def fitted_living(
    theory: Theory, evidence: Evidence, level: float, change: float
) -> dict[Field, Any]:
    """New values of rules of needs and hunting that are open or contradicted, if some explain all.

    Args:
        theory: What is believed.
        evidence: What was seen.
        level: As for ``check``.
        change: Bits that say that a field differs from what was believed.
    """
    needs: dict[str, list[NeedChange]] = defaultdict(list)
    hunts: dict[str, list[Hunting]] = defaultdict(list)
    for each in evidence.signatures if evidence.words.wide else ():
        if isinstance(each, NeedChange):
            needs[f"need.{each.need}"].append(each)
        elif isinstance(each, Hunting):
            hunts[f"hunt.{each.being}"].append(each)
    if not needs and not hunts:
        return {}
    only = evidence.of_kinds(NeedChange, Hunting)
    conflicts = check(theory, only, level, jointly=False).conflicts
    wrong = {rule for conflict in conflicts for rule in conflict.rules}
    found: dict[Field, Any] = {}
    for rule in theory.rules():
        if rule.id in wrong or rule.uncertain_fields:
            if isinstance(rule, AddedNeed) and rule.id in needs:
                found |= _fit(rule, _NeedFit(rule, needs[rule.id], change).fits(), change)
            elif isinstance(rule, Hunt) and rule.id in hunts:
                found |= _fit(rule, _hunts(rule, hunts[rule.id], change), change)
    return found


def _fit(rule: Rule, fits: Iterable[Fit], change: float) -> dict[Field, Any]:
    """The shortest fit; that nothing else gives or keeps points is not told by play."""
    known = {(rule.id, name): getattr(rule, name) for name in rule.field_names()}
    found = shortest(known, fits, change)
    return {n: v for n, v in found.items() if not is_uncertain(known[n]) or v not in ({}, ())}


def _with_belief(known: Any, values: Iterable[Any]) -> list[Any]:
    """What is believed, if anything is, then other values."""
    found: dict[str, Any] = {}
    for value in chain(() if is_uncertain(known) else (known,), values):
        found.setdefault(str(value), value)
    return [*found.values()]


_Source = tuple[str, str]
"""A field about gains, and what gives points by it."""


class _Gains(NamedTuple):
    """What gives points of a need.

    Attributes:
        values: The three fields about gains.
        nothing: What surely gives nothing; None: all that ``values`` does not name.
        unjudged: The fields of what was only there where nothing that it gives could be seen.
    """

    values: Mapping[str, Mapping[str, int]]
    nothing: frozenset[_Source] | None = None
    unjudged: frozenset[str] = frozenset()

    def are_known(self, seen: NeedChange) -> bool:
        """Whether it is known of all that may have given points how many it gives."""
        if self.nothing is None:
            return True
        return all(s in self.nothing or s[1] in self.values[s[0]] for s in _sources(seen))


def _sources(seen: NeedChange) -> list[_Source]:
    """What may have given points in a step."""
    near = [("gains_near", name) for name in seen.perhaps_near]
    return [*near, *[s for s in (("gains_on", seen.ground), ("gains_eating", seen.eaten)) if s[1]]]


def _concluded(seen: Sequence[NeedChange]) -> _Gains | None:
    """What gives points, by steps in which nothing else changes them; None if nothing can.

    What was there in a step without a gain gives nothing. What alone is left of what may have given
    points gave what the others did not.
    """
    free = [each for each in seen if each.points[0] < MAXIMUM]
    kept = [each for each in free if each.points[1] == each.points[0]]
    nothing = {("gains_near", name) for each in kept for name in each.near}
    nothing |= {s for each in kept for s in _sources(each) if s[0] != "gains_near"}
    values: dict[str, dict[str, int]] = {name: {} for name in _GAINS}
    left = [NeedTest(each) for each in free if each.points[0] < each.points[1] < MAXIMUM]
    while True:
        news: dict[_Source, int] = {}
        for test in left:
            seen_, given = test.signature, test.gains(values)
            gain = seen_.points[1] - seen_.points[0]
            unknown = [s for s in _sources(seen_) if s not in nothing and s[1] not in values[s[0]]]
            if gain not in given and not unknown:
                return None
            if gain not in given and len(unknown) == 1 and len(given) == 1:
                (source,) = unknown
                alone = {**values, _GAINS[0]: {}} if source[0] == _GAINS[0] else values
                more = gain - min(test.gains(alone))
                if news.setdefault(source, more) != more or more <= 0:
                    return None
        if not news:
            there = {source for each in seen for source in _sources(each)}
            unjudged = {s[0] for s in there - nothing if s[1] not in values[s[0]]}
            return _Gains(values, frozenset(nothing), frozenset(unjudged))
        for (field, name), points in news.items():
            values[field][name] = points


class _NeedFit:
    """The search for the values of one need."""

    def __init__(self, rule: AddedNeed, seen: Sequence[NeedChange], change: float) -> None:
        self.rule, self.change = rule, change
        self.seen = seen
        self.fell = [each for each in seen if each.points[1] < each.points[0]]

    def fits(self) -> Iterator[Fit]:
        """All values that explain all; none if the need never fell, unless one is believed."""
        for every in self._intervals():
            due = [each for each in self.seen if each.step % every == 0]
            rest = [each for each in self.seen if each.step % every]
            for gains in self._gains(rest):
                tests = [NeedTest(each) for each in due if gains.are_known(each)]
                open_ = sum(not gains.are_known(each) for each in self.seen)
                for other in self._losses([test.signature for test in tests]):
                    values = {"every": every, **gains.values, **other}
                    yield from self._with_cost_of_none(tests, values, gains, open_)

    def _intervals(self) -> list[int]:
        """The believed interval, and those that divide all steps at which the need fell."""
        common = math.gcd(*(each.step for each in self.fell)) if self.fell else 0
        most = min(common, LONGEST_INTERVAL)
        divisors = [n for n in range(1, most + 1) if common % n == 0]
        return _with_belief(self.rule.every, divisors)

    def _gains(self, rest: Sequence[NeedChange]) -> Iterator[_Gains]:
        """What gives points: as believed, or what can be concluded from steps without losses."""
        believed = {name: getattr(self.rule, name) for name in _GAINS}
        if not any(map(is_uncertain, believed.values())):
            rule = {**_STILL, **believed}
            if all(NeedTest(each).holds(rule) for each in rest):
                yield _Gains(believed)
                return
        concluded = _concluded(rest)
        if concluded is not None:
            yield concluded

    def _losses(self, due: Sequence[NeedChange]) -> Iterator[_Choice]:
        """What may be lost when it is due, and what may keep it or bring it back."""
        rule = self.rule
        still = (each for each in due if each.points[0] == each.points[1])
        keeping = dict.fromkeys((item,) for each in still for item in each.in_hand)
        choices = {
            "loss": _with_belief(rule.loss, range(1, MAXIMUM + 1)),
            "when": _with_belief(rule.when, TIMES),
            "kept_by": _with_belief(rule.kept_by, [(), *keeping]),
            "rises": _with_belief(rule.rises, _RISING),
        }
        for chosen in product(*choices.values()):
            yield dict(zip(choices, chosen, strict=True))

    def _with_cost_of_none(
        self, due: Sequence[NeedTest], values: _Choice, gains: _Gains, open_: int
    ) -> Iterator[Fit]:
        """The same with each change of health that an empty need may bring.

        A step that may have gone otherwise takes a bit.
        """
        if not all(test.holds({**values, "empty": None}) for test in due):
            return
        for empty in _with_belief(self.rule.empty, range(-MAXIMUM, MAXIMUM + 1)):
            told = {**values, "empty": empty}
            if all(test.holds(told) for test in due):
                bits = math.fsum(
                    bits_of(getattr(self.rule, name), value, _among(value), self.change)
                    for name, value in told.items()
                )
                named = {(self.rule.id, n): v for n, v in told.items() if n not in gains.unjudged}
                yield Fit(bits + open_, named)


def _among(value: Any) -> int:
    """How many values are as simple: what names something takes more than a number or nothing."""
    return 2 if not isinstance(value, Mapping | tuple) or not value else 64


def _hunts(rule: Hunt, seen: Sequence[Hunting], change: float) -> Iterator[Fit]:
    """Values of what hunting requires and brings that explain all blows.

    What blows take is as believed, or else as in Crafter, and is not told then. Nor is told what
    hunting brings if some item was at its maximum after each kill, which hides what was gained.
    """
    damage = {} if is_uncertain(rule.damage) else rule.damage
    gains = dict.fromkeys(
        tuple(
            (item, n - m)
            for (item, m), n in zip(each.held.named(), each.held_after, strict=True)
            if n > m
        )
        for each in seen
    )
    held = dict.fromkeys(item for each in seen for item, n in each.held.named() if n)
    needed = _with_belief(rule.requires, [{}, *({item: 1} for item in held)])
    brought = _with_belief(rule.yields, [{}, *(dict(each) for each in gains if each)])
    kills = [each.held_after for each in seen if each.killed]
    if not kills and rule.uncertain_fields:
        return
    hidden = any(min(amounts) == MAXIMUM for amounts in zip(*kills, strict=True))
    left = ("yields",) if hidden else ()
    for requires, yields in product(needed, brought):
        if all(explains_hunt(each, requires, yields, damage) for each in seen):
            told = {"requires": requires, "yields": yields}
            bits = math.fsum(
                bits_of(getattr(rule, name), value, _among(value), change)
                for name, value in told.items()
            )
            named = {(rule.id, name): v for name, v in told.items() if name not in left}
            yield Fit(bits, named)
