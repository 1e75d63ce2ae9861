"""The prior of the values of rule fields, as worlds have turned out so far.

The share of fields that differ from what was believed at first is learned from the fields that are
settled, for each part of the game; so is the share of unusual values among them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from mars_logic.theory.claims import Field
from mars_logic.world import names
from mars_logic.world.field_values import domain, unusual
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import is_uncertain

from .prior import (
    KINDS,
    as_in_others,
    as_sure,
    in_shares,
    kind_of,
    share_of_odd,
    usual_values,
    with_natural,
)
from .rates import RATED, RATES
from .sites import GroundKind, Grounds, Sites
from .weights import by_size, normal

CHANGED, KEPT = 1.0, 5.0
"""The prior's strength: fields taken to have turned out changed, and unchanged, beforehand."""
_ODD, _USUAL = 1.0, 1.0
"""Changed fields taken to have turned out unusual, and usual, beforehand."""
_ODDITY: Final = "odd"
_ITEMS: Final = ("uses", "yields")
"""Fields that state items."""
_PARTS: Final = ("uses", "nearby", "where")
"""Fields that differ from rule to rule."""


class FieldPrior:
    """The prior weights of values.

    Attributes:
        first: The theory believed at first.
        theory: The theory believed now; its values replace those that the first leaves open.
    """

    def __init__(
        self,
        prior: Theory,
        theory: Theory,
        settled: Callable[[], Iterable[tuple[Field, Any]]],
    ) -> None:
        """Begin with nothing settled.

        Args:
            prior: The theory believed at first.
            theory: The theory believed now.
            settled: Gives the fields that are settled now, each with its value.
        """
        self.theory = theory
        self.first, self._words = prior, theory.vocabulary
        self._settled = settled
        self._rules = [rule.id for rule in theory.rules() if rule.family in KINDS]
        self._rates: dict[str, float] = {}
        self._settled_now: dict[Field, Any] | None = None

    def settle(self) -> bool:
        """Reckon with what is settled now; whether that may have changed a share."""
        before, self._rates, self._settled_now = self._rates, {}, None
        return not before or any(
            abs(self.rate(kind) - rate) > 1e-9 for kind, rate in before.items()
        )

    def weights(self, name: Field, values: Iterable[Any]) -> dict[Any, float]:
        """The prior weights of a field's values, as worlds have turned out.

        Where the prior says nothing, what the theory believes takes its place: the shortest
        explanation of what was seen.
        """
        usual = getattr(self.first[name[0]], name[1])
        if is_uncertain(usual) and self._words.wide:
            return self._of_added(name, values)
        if is_uncertain(usual):
            usual, rate = getattr(self.theory[name[0]], name[1]), CHANGED / (CHANGED + KEPT)
        else:
            rate = self.rate(kind_of(name))
        values, known = tuple(values), usual_values(name, self._words)
        others, odd = len(known) - 1, sum(value not in known for value in values)
        if name[1] in RATED and odd:
            odd = max(
                odd, RATES * len(self._words.gains if name[1] == "yields" else names.CREATURES)
            )
        if is_uncertain(usual):
            return dict.fromkeys(values, 1 / (others + 1))
        share = self.rate(_ODDITY) if odd else 0.0
        changed = rate if others else rate * share

        def weigh(value: Any) -> float:
            if value == usual:
                return 1 - changed
            if value in known:
                return rate * (1 - share) / max(1, others)
            return rate * share / odd

        return {value: weigh(value) for value in values}

    def _of_added(self, name: Field, values: Iterable[Any]) -> dict[Any, float]:
        """The prior weights of a field of which nothing is known beforehand but other rules.

        The items used up and the materials nearby have as many parts as in other rules. Other
        fields have the values of other rules, beside the simplest value; yields are certain in the
        same share of rules.
        """
        others, values = Counter(self._in_others(name)), tuple(values)
        every = (*values, *domain(*name, self._words), *unusual(*name, self._words))
        found = self._of_all(name, dict.fromkeys(every, 1.0), others)
        return {value: found[value] for value in values}

    def _of_all(
        self, name: Field, values: Mapping[Any, float], others: Counter[Any]
    ) -> dict[Any, float]:
        weights = normal(by_size(values, others.elements()))
        if name[1] in _ITEMS:
            weights = self._of_own_name(name, weights)
        if name[1] in _PARTS:
            return weights
        if name[1] in RATED:
            weights = as_sure(weights, others)
        others[domain(*name, self._words)[0]] += 1
        weights = as_in_others(weights, others)
        return self._lasting(weights) if name[1] == "leaves" else weights

    def _lasting(self, weights: Mapping[Any, float]) -> dict[Any, float]:
        """The weights with less for what changes by itself before anybody can see it.

        It would have to become at once just what was seen, of all materials.
        """
        changing = {*self.theory.timer, *self.theory.beside} & weights.keys()
        each = 1 / len(self._words.materials[1:])
        return {
            value: weight * (each if value in changing else 1.0)
            for value, weight in weights.items()
        }

    def _of_own_name(self, name: Field, weights: Mapping[Any, float]) -> dict[Any, float]:
        """The weights with as much for the item that has the subject's name as in other rules.

        Names mean nothing; that two are the same is a fact. So stone is placed of stone.
        """
        subject = name[0].partition(".")[2]
        if subject not in self._words.holdable:
            return dict(weights)
        known = [
            {rule.partition(".")[2]} == {*value}
            for rule, value in self._known_in_family(name)
            if rule.partition(".")[2] in self._words.holdable
        ]
        share = {True: sum(known) + 1, False: len(known) - sum(known) + 1}
        return in_shares(weights, share, lambda value: {*value} == {subject})

    def _in_others(self, name: Field) -> Iterator[Any]:
        """The value of a field in each other rule of the family, where it is known."""
        return (value for _, value in self._known_in_family(name))

    def _known_in_family(self, name: Field) -> Iterator[tuple[str, Any]]:
        """The other rules of the family in which a field is known, each with its value."""
        family = name[0].partition(".")[0]
        for rule in self._rules:
            if rule != name[0] and rule.partition(".")[0] == family:
                other = rule, name[1]
                value = self._known_values().get(other, getattr(self.first[rule], name[1]))
                if not is_uncertain(value):
                    yield rule, value

    def _known_values(self) -> dict[Field, Any]:
        """The values of fields that are settled."""
        if self._settled_now is None:
            self._settled_now = dict(self._settled())
        return self._settled_now

    def nearby(self, rule: str, values: Iterable[Any], common: Iterable[tuple[str, ...]]) -> Sites:
        """The prior over what has to be near to make something.

        Args:
            rule: The rule.
            values: The values of ``nearby`` that are regarded.
            common: Sets of materials that were near in each success.
        """
        name = (rule, "nearby")
        stated = normal(self.weights(name, values))
        odd = share_of_odd(stated, name, self._words)
        odd = max(odd, self.rate(kind_of(name))) if self._words.wide else odd
        return with_natural(stated, odd * self.rate(_ODDITY), common, self._words)

    def grounds(self, rule: str) -> Sites:
        """The prior over the grounds on which something can be placed."""
        name = (rule, "where")
        believed = getattr(self.first[rule], name[1])
        if is_uncertain(believed) and self._words.wide:
            return Grounds({}, 1.0, self._ground_kinds(name))
        usual = normal(self.weights(name, domain(*name, self._words)))
        changed = 1.0 if is_uncertain(believed) else self.rate(kind_of(name))
        free = changed * self.rate(_ODDITY)
        return Grounds(
            {grounds: weight * (1 - free) for grounds, weight in usual.items()},
            free,
            (GroundKind(frozenset(self._words.materials[1:])),),
        )

    def _ground_kinds(self, name: Field) -> tuple[GroundKind, ...]:
        """Walkable and other materials, each open in as large a share as in Crafter's rules.

        A rule of Crafter's counts as one material of each kind.
        """
        walks = frozenset(
            rule.subject for rule in self.theory.walk.values() if rule.walkable is True
        )
        others = [
            frozenset(where)
            for rule, where in self._known_in_family(name)
            if rule.partition(".")[2] in names.PLACEABLE
        ]
        natural = frozenset(names.NATURAL)

        def kind_of_ground(materials: frozenset[str]) -> GroundKind:
            known = materials & natural
            opened = math.fsum(len(where & known) / max(1, len(known)) for where in others)
            return GroundKind(materials, 1 + opened, 1 + len(others) - opened)

        rest = frozenset(self._words.materials[1:]) - walks
        return tuple(kind_of_ground(kind) for kind in (walks, rest) if kind)

    def rate(self, kind: str) -> float:
        """The share of fields of a part of the game that turn out not to be as first believed.

        Of :data:`_ODDITY`, the share of these, of all parts, that turn out to be unusual.
        """
        if not self._rates:
            changed: Counter[str] = Counter()
            kept: Counter[str] = Counter()
            for name, value in self._known_values().items():
                usual, part = getattr(self.first[name[0]], name[1]), kind_of(name)
                known = usual_values(name, self._words)
                if value != usual:
                    changed[_ODDITY] += value not in known
                    kept[_ODDITY] += value in known
                if len(known) > 1 and not is_uncertain(usual):
                    changed[part] += value != usual
                    kept[part] += value == usual
            for part in KINDS.values():
                times, others = changed[part] + CHANGED, kept[part] + KEPT
                self._rates[part] = min(0.5, times / (times + others))
            times, others = changed[_ODDITY] + _ODD, kept[_ODDITY] + _USUAL
            self._rates[_ODDITY] = times / (times + others)
        return self._rates[kind]
