"""How probable the values of rule fields are, one by one, given all that was seen.

The posterior is factorised: each field's values are judged with all other fields as the theory
believes them. A value that what was seen excludes has no weight; of those left, the prior's counts
as much as worlds have turned out to agree with it, and the rest share what remains. Chances count
by their likelihood too.

The exception are collect rules that never had an effect: what gates them and what they give cannot
be told apart one by one, so these fields are judged together (see :class:`Vain`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from mars_logic.theory import chances
from mars_logic.theory.bearing import claims_of
from mars_logic.theory.claims import Claim, Field, Values, values_of
from mars_logic.theory.demands import holds_all, idle
from mars_logic.theory.monitor import Monitor
from mars_logic.theory.outcomes import outcomes
from mars_logic.theory.signatures import Held, Signature
from mars_logic.world import names
from mars_logic.world.domains import domain
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import is_uncertain

KINDS: Final = {
    "walk": "terrain",
    "drink": "survival",
    "collect": "task",
    "place": "task",
    "make": "task",
}
"""The families of rules with which experiments can be made, by the part of the game."""
_CHANCES: Final = ("collectable", "requires", "yields", "spawns")
_TOGETHER: Final = ("collectable", "requires", "leaves", "yields")
_TASTED: Final = ("drink", "food")
"""What an effect of drinking on is an effect of collecting that is seen."""
CHANGED, KEPT = 1.0, 5.0
"""The prior's strength: fields taken to have turned out changed, and unchanged, beforehand."""

Weights = Mapping[Any, float]
"""The probability of each value that is possible."""


class Posterior:
    """The probabilities of values.

    Attributes:
        dynamics: The dialect.
        versions: For each rule, a number that grows whenever a probability may have changed.
    """

    def __init__(self, prior: Theory, theory: Theory, monitor: Monitor) -> None:
        """Begin with nothing seen.

        Args:
            prior: What was believed at first.
            theory: What is believed.
            monitor: Who counts how often what came.
        """
        self.dynamics = theory.dynamics
        self.versions: Counter[str] = Counter()
        self._prior, self._theory, self._monitor = prior, theory, monitor
        self._values: Values = values_of(theory)
        self._claims: dict[Field, list[Claim]] = {
            (rule.id, name): []
            for rule in theory.rules()
            if rule.family in KINDS
            for name in rule.field_names()
        }
        self._of: dict[str, list[Field]] = {}
        for name in self._claims:
            self._of.setdefault(name[0], []).append(name)
        self._open: dict[str, bool] = {}
        self._left: dict[Field, tuple[Any, ...]] = {}
        self._weights: dict[Field, dict[Any, float]] = {}
        self._rates: dict[str, float] = {}
        self._vain: dict[str, Vain | None] = {}

    def see(self, signatures: Iterable[Signature], counts: Iterable[str] = ()) -> None:
        """Take in what was seen for the first time.

        Args:
            signatures: What is new in kind.
            counts: Rules of which something was seen again whose number counts.
        """
        touched: set[str] = set(counts)
        narrowed = False
        for signature in signatures:
            for claim in claims_of(signature, self._theory.dynamics):
                for name in claim.reads:
                    if name in self._claims:
                        self._claims[name].append(claim)
                        touched.add(name[0])
                        if name in self._left:
                            before = self._left[name]
                            self._left[name] = self._met(name, before, (claim,))
                            narrowed |= len(self._left[name]) < len(before)
        self._forget(touched, everything=narrowed)

    def believe(self, theory: Theory) -> None:
        """Judge values by another theory's other fields from now on."""
        changed = {
            (rule.id, name)
            for rule in theory.rules()
            if rule.family in KINDS and rule != self._theory[rule.id]
            for name in rule.field_names()
        }
        near = (claim.reads for name in changed for claim in self._claims[name])
        for name in {*changed, *chain.from_iterable(near)}:
            self._left.pop(name, None)
        self._theory, self._values = theory, values_of(theory)
        self._forget((), everything=True)

    def weights(self, name: Field) -> Weights:
        """The probabilities of a field's values; those believed come first."""
        if name not in self._weights:
            self._weights[name] = self._weighed(name)
        return self._weights[name]

    def vain(self, rule: str) -> Vain | None:
        """What is known of a collect rule that never had an effect; None for any other."""
        if rule not in self._vain:
            tries = self._monitor.tries(rule.partition(".")[2])
            found = None
            if all(idle(signature) for signature, _ in tries):
                held = Counter[Held]()
                for signature, seen in tries:
                    held[signature.held] += seen.count
                found = Vain(rule, held, self._prior_weights, self.dynamics)
            self._vain[rule] = found
        return self._vain[rule]

    def probability(self, name: Field) -> float:
        """How probable what the theory believes of a field is."""
        believed = self._values(name)
        return self.weights(name).get(believed[0], 0.0) if len(believed) == 1 else 0.0

    def entropy(self, name: Field) -> float:
        """What is not known of a field, in bits."""
        return entropy(self.weights(name).values())

    def possible(self, name: Field) -> tuple[Any, ...]:
        """The values of a field that what was seen allows."""
        if name not in self._left:
            values = dict.fromkeys((*self._values(name), *domain(*name)))
            self._left[name] = self._met(name, tuple(values), self._claims.get(name, ()))
        return self._left[name]

    def open(self, rule: str) -> bool:
        """Whether not all is known of a rule."""
        if rule not in self._open:
            self._open[rule] = any(len(self.weights(name)) > 1 for name in self._of[rule])
        return self._open[rule]

    def _forget(self, rules: Iterable[str], *, everything: bool) -> None:
        """Probabilities of some rules have changed, or of all: they go by each other."""
        if everything:
            rates, self._rates = self._rates, {}
            everything = any(abs(self._rate(kind) - rate) > 1e-9 for kind, rate in rates.items())
            everything |= not rates
        for rule in self._of if everything else rules:
            self.versions[rule] += 1
            self._vain.pop(rule, None)
            self._open.pop(rule, None)
            for name in self._of[rule]:
                self._weights.pop(name, None)

    def _met(
        self, name: Field, values: tuple[Any, ...], claims: Iterable[Claim]
    ) -> tuple[Any, ...]:
        left = list(values)
        for claim in claims:
            if len(left) > 1:
                left = [v for v in left if claim.judge(self._with(name, v)).holds is not False]
        return tuple(left) or self._values(name)

    def _with(self, name: Field, value: Any) -> Values:
        return lambda other: (value,) if other == name else self._values(other)

    def _prior_weights(self, name: Field, values: Iterable[Any]) -> dict[Any, float]:
        """What values weigh before anything is seen of their field, as worlds have turned out.

        Where the prior says nothing, what the theory believes takes its place: the shortest
        explanation of what was seen.
        """
        usual = getattr(self._prior[name[0]], name[1])
        if is_uncertain(usual):
            usual, rate = getattr(self._theory[name[0]], name[1]), CHANGED / (CHANGED + KEPT)
        else:
            rate = self._rate(_kind(name))
        others = max(1, len(domain(*name)) - 1)
        if is_uncertain(usual):
            return dict.fromkeys(values, 1 / (others + 1))
        return {value: 1 - rate if value == usual else rate / others for value in values}

    def _weighed(self, name: Field) -> dict[Any, float]:
        if name[0].startswith("collect.") and (vain := self.vain(name[0])):
            return vain.weights(name[1])
        possible = self.possible(name)
        if len(possible) <= 1:
            return dict.fromkeys(possible, 1.0)
        weights = self._prior_weights(name, possible)
        if name[1] in ("yields", "spawns", "requires"):
            fits = {value: self._fit(name, value) for value in possible}
            best = max(fits.values())
            weights = {value: w * math.exp(fits[value] - best) for value, w in weights.items()}
        return normal(weights)

    def _fit(self, name: Field, value: Any) -> float:
        """The logarithm of the likelihood of how often what came.

        What is not known to one value is left out; of what may be needed, all was held.
        """
        rule, material = name[0], name[0].partition(".")[2]
        if not rule.startswith("collect."):
            return 0.0
        open_, requires, yields, spawns = (
            (value,) if each == name[1] else self._left_of((rule, each)) for each in _CHANCES
        )
        if len(open_) > 1:
            return 0.0
        tries = self._monitor.tries(material)
        for needed in requires:
            tries = chances.collected(tries, open_[0], needed)
        rates: list[chances.Rate] = []
        if len(yields) == 1:
            rates += chances.yield_rates(tries, yields[0], self.dynamics)
        if len(spawns) == 1:
            rates += chances.spawn_rates(tries, spawns[0])
        fit = sum(chances.log_likelihood(r.probability, r.times, r.of) for r in rates)
        return max(-700.0, fit)

    def _left_of(self, name: Field) -> tuple[Any, ...]:
        """What the theory believes of a field, or what was seen leaves of it."""
        believed = tuple(self._values(name))
        return believed if len(believed) == 1 else self.possible(name)

    def _rate(self, kind: str) -> float:
        """The share of fields of a part of the game that turn out not to be as first believed."""
        if kind not in self._rates:
            changed, kept = CHANGED, KEPT
            for rule, name in self._claims:
                if _kind((rule, name)) == kind and len(domain(rule, name)) > 1:
                    left = self._left.get((rule, name), ())
                    if len(left) == 1:
                        same = left[0] == getattr(self._prior[rule], name)
                        changed, kept = changed + (not same), kept + same
            self._rates[kind] = min(0.5, changed / (changed + kept))
        return self._rates[kind]


class Vain:
    """A collect rule that was tried or not, but never had an effect: its fields, judged together.

    Either a gate was closed, or nothing came, the material stayed what it was, and drinking of it
    changed nothing.
    """

    def __init__(
        self,
        rule: str,
        tried: Mapping[Held, int],
        prior: Callable[[Field, Iterable[Any]], Mapping[Any, float]],
        dynamics: str,
    ) -> None:
        """Judge.

        Args:
            rule: The rule's id.
            tried: What was held, and how often.
            prior: The weights of a field's values beforehand.
            dynamics: The dialect.
        """
        self._tried = tried
        self._dynamics = dynamics
        self._same = rule.partition(".")[2]
        self._before = {name: normal(prior((rule, name), domain(rule, name))) for name in _TOGETHER}
        self._spawns = normal(prior((rule, "spawns"), domain(rule, "spawns")))
        self._stays = self._before["leaves"].get(self._same, 0.0)
        drink = f"drink.{self._same}"
        self._drinking = [
            normal(prior((drink, vital), domain(drink, vital)))
            for vital in (_TASTED if self._same in names.LIQUIDS else ())
        ]
        self._bland = math.prod(weights.get(0, 0.0) for weights in self._drinking)
        open_ = self._before["collectable"].get(True, 0.0)
        self._closed = 1 - open_
        self._gates = {
            needed: weight * open_ * self._unseen(self._times(needed))
            for needed, weight in self._before["requires"].items()
        }
        self._total = self._closed + math.fsum(self._gates.values())

    def visible(self, held: Held) -> float:
        """How probable it is that collecting has an effect that is seen."""
        found = 0.0
        for needed, weight in self._gates.items():
            if weight and holds_all(held, needed):
                times = self._times(needed)
                found += weight * (1 - self._unseen(times + 1) / self._unseen(times))
        return found / self._total if self._total else 0.0

    def told(self) -> float:
        """The information that an effect would give about what collecting leaves and gives."""
        told = self._before["leaves"], self._before["yields"], *self._drinking
        return math.fsum(entropy(weights.values()) for weights in told)

    def weights(self, name: str) -> dict[Any, float]:
        """The probabilities of a field's values."""
        if name == "spawns":
            return dict(self._spawns)
        if name == "collectable":
            closed = self._closed / self._total
            return {value: w for value, w in ((True, 1 - closed), (False, closed)) if w > 0}
        if name == "requires":
            shut = self._closed
            before = self._before["requires"]
            return normal({r: w + shut * before[r] for r, w in self._gates.items()})
        untried = self._closed + math.fsum(
            weight for needed, weight in self._gates.items() if not self._times(needed)
        )
        found = {value: weight * untried for value, weight in self._before[name].items()}
        for needed, weight in self._gates.items():
            times = self._times(needed)
            if times and weight:
                whole = self._unseen(times)
                for value, share in self._before[name].items():
                    found[value] += weight * share * self._given(name, value, times) / whole
        return normal(found)

    def _given(self, name: str, value: Any, times: int) -> float:
        """How probable it is that nothing is seen so often, given a value of one field."""
        if name == "leaves":
            return self._nothing(times) * self._bland if value == self._same else 0.0
        return self._stays * _none(value, self._dynamics) ** times * self._bland

    def _times(self, needed: Mapping[str, int]) -> int:
        return sum(times for held, times in self._tried.items() if holds_all(held, needed))

    def _unseen(self, times: int) -> float:
        """How probable it is that so many tries have no effect that is seen, all gates open."""
        return self._stays * self._nothing(times) * self._bland if times else 1.0

    def _nothing(self, times: int) -> float:
        return math.fsum(
            weight * _none(value, self._dynamics) ** times
            for value, weight in self._before["yields"].items()
        )


@lru_cache(maxsize=1 << 12)
def _none(yields: Mapping[str, Any], dynamics: str) -> float:
    """How probable it is that nothing comes, once."""
    possible = outcomes(yields, dynamics)
    return math.fsum(each.probability for each in possible if not each.gains)


def _kind(name: Field) -> str:
    """The part of the game that a field belongs to; whether a liquid can be drunk, to survival."""
    family, _, subject = name[0].partition(".")
    drinkable = name[1] == "collectable" and subject in names.LIQUIDS
    return KINDS["drink" if drinkable else family]


def normal(weights: Mapping[Any, float]) -> dict[Any, float]:
    """Weights that sum to 1; what weighs nothing is left out."""
    total = math.fsum(weights.values())
    return {value: weight / total for value, weight in weights.items() if weight > 0}


def entropy(probabilities: Iterable[float]) -> float:
    """In bits."""
    return -math.fsum(p * math.log2(p) for p in probabilities if p > 0)


def binary(probability: float) -> float:
    """The entropy of something that is so with a probability, in bits."""
    return entropy((probability, 1 - probability))
