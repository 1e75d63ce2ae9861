"""Posterior of the values of rule fields, field by field, given the evidence.

The posterior is factorised: each field's values are judged with all other fields as the theory
believes them. A value that what was seen excludes has no weight; of those left, the prior's counts
as much as worlds have turned out to agree with it, and the rest share what remains. Chances count
by their likelihood too.

Judged together are the fields of collect rules that never had an effect, since what gates them and
what they give cannot be told apart one by one (see :class:`NoEffectModel`), and what placing and
making use up with where they work (see :class:`Recipe`).

Values that no world usually has (``world.field_values.unusual``) share a part of what changes
weigh: the part that changes have turned out to have, in all parts of the game.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final

from mars_logic.theory import rate_tests
from mars_logic.theory.claims import Claim, Field, Values, values_of
from mars_logic.theory.monitor import Monitor
from mars_logic.theory.relevance import claims_of
from mars_logic.theory.signature_claims import maybe_no_effect
from mars_logic.theory.signatures import Held, Signature
from mars_logic.world import names
from mars_logic.world.field_values import domain, stations, unusual
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import is_uncertain

from .no_effect import NoEffectModel
from .prior import (
    KINDS,
    any_nearby,
    as_in_others,
    by_simplicity,
    had,
    kind_of,
    share_of_odd,
    usual_values,
    with_natural,
)
from .rates import RATED, RATES, variants
from .recipes import Recipe, Tries, rule_of
from .sites import Grounds, Sites
from .weights import Weights, entropy, normal

_GIVING: Final = ("collectable", "requires", "yields", "uses", "nearby", "where", "gives")
_CHANCES: Final = ("collectable", "requires", "yields", "spawns")
CHANGED, KEPT = 1.0, 5.0
"""The prior's strength: fields taken to have turned out changed, and unchanged, beforehand."""
_ODD, _USUAL = 1.0, 1.0
"""Changed fields taken to have turned out unusual, and usual, beforehand."""
RECIPES: Final = ("place", "make")
_PROBABLE: Final = 0.5
_IMPROBABLE: Final = 0.02
"""Probability up to which no experiment regards a material."""
_ODDITY: Final = "odd"


class Posterior:
    """The probabilities of values.

    Attributes:
        dynamics: The dialect.
        words: The names.
        recipes: The rules of placing and making.
        versions: For each rule, a number that grows whenever a probability may have changed.
    """

    def __init__(self, prior: Theory, theory: Theory, monitor: Monitor) -> None:
        """Begin with nothing seen.

        Args:
            prior: What was believed at first.
            theory: What is believed.
            monitor: Who counts how often what came.
        """
        self.dynamics, self.words = theory.dynamics, theory.vocabulary
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
        self._settled_now: dict[Field, Any] | None = None
        self._vain: dict[str, NoEffectModel | None] = {}
        self._recipes: dict[str, Recipe] = {}
        self._beside: dict[str, tuple[str, ...]] = {}
        self._to_try: dict[str, tuple[int, dict[str, Any]]] = {}
        self._aside = defaultdict[str, list[dict[str, Any]]](list)
        self._tries = {rule: Tries(self.words) for rule in self._of if rule.startswith(RECIPES)}
        self.recipes = tuple(self._tries)
        self._had: dict[str, int] = {}

    def see(
        self, signatures: Iterable[Signature], counts: Iterable[str] = (), step: int = 0
    ) -> None:
        """Take in what was seen for the first time.

        Args:
            signatures: What is new in kind.
            counts: Rules of which something was seen again whose number counts.
            step: The step of the episode.
        """
        touched: set[str] = set(counts)
        narrowed = False
        for signature in signatures:
            if (recipe := rule_of(signature)) is not None:
                narrowed |= self._tries[recipe].see(signature)
            if self.words.wide and (new := had(signature) - self._had.keys()):
                self._had |= dict.fromkeys(new, step)
                touched.update(rule for rule, tries in self._tries.items() if tries.used is None)
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

    def vain(self, rule: str) -> NoEffectModel | None:
        """The joint model of a collect rule that never had an effect; None for any other."""
        if rule not in self._vain:
            tries = self._monitor.tries(rule.partition(".")[2])
            found = None
            if all(maybe_no_effect(signature) for signature, _ in tries):
                held = Counter[Held]()
                for signature, seen in tries:
                    held[signature.held] += seen.count
                found = NoEffectModel(rule, held, self._prior_weights, self.words)
            self._vain[rule] = found
        return self._vain[rule]

    def recipe(self, rule: str) -> Recipe:
        """The joint model of a place or make rule: used resources and sites."""
        if rule not in self._recipes:
            name = (rule, "uses")
            values = dict.fromkeys((*self._values(name), *self._domain(name), *self._unusual(name)))
            uses = self._prior_weights(name, values)
            found = Recipe(self._tries[rule], uses, self._sites(rule))
            if not found.uses and rule.startswith("make"):
                found = Recipe(
                    self._tries[rule], uses, any_nearby(self._tries[rule].common(), self.words)
                )
            self._recipes[rule] = found
        return self._recipes[rule]

    def likeliest(self, rule: str) -> dict[str, Any] | None:
        """The most probable place or make rule; None if it ever succeeded, or if no value fits."""
        recipe = self.recipe(rule)
        if self._tries[rule].used is not None or not recipe.uses:
            return None
        uses = max(recipe.uses, key=lambda value: recipe.uses[value])
        sites = recipe.sites(uses)
        where = "where" if rule.startswith("place") else "nearby"
        return {"uses": uses, where: max(sites, key=lambda value: sites[value])}

    def to_try(self, rule: str) -> dict[str, Any] | None:
        """What to hold and where to try next; None where :meth:`likeliest` is none."""
        recipe = self.recipe(rule)
        if self._tries[rule].used is not None or not recipe.uses:
            return None
        judged, tried = self._to_try.get(rule, (-1, {}))
        if judged != self.versions[rule]:
            if not tried or not recipe.may_work(tried):
                tried = recipe.to_try(rule, self._had, self._aside[rule])
            self._to_try[rule] = self.versions[rule], tried
        return tried

    def set_aside(self) -> None:
        """At an episode's end: the next one tries something other than what was not tried in it."""
        for rule, (_, tried) in self._to_try.items():
            if self._tries[rule].used is None and self.recipe(rule).may_work(tried):
                self._aside[rule].append(tried)
        self._to_try.clear()

    def inexpressible(self, rule: str) -> tuple[str, ...]:
        """The fields of a place or make rule of which no value explains all tries."""
        if rule not in self._tries or self.recipe(rule).uses:
            return ()
        site = "where" if rule.startswith("place") else "nearby"
        return (site,) if self._tries[rule].used is not None else ("uses", site)

    def grounds(self, rule: str) -> tuple[str, ...]:
        """The grounds, of those believed, on which something works more probably than not."""
        recipe = self.recipe(rule)
        believed = self._left_of((rule, "where"))
        return tuple(
            m
            for m in self.words.materials[1:]
            if recipe.open(m) > _PROBABLE and any(m in each for each in believed)
        )

    def beside(self, rule: str) -> tuple[str, ...]:
        """The materials that may have to be nearby to make something: stations and likely ones."""
        if rule not in self._beside:
            weights: Counter[str] = Counter()
            for needed, weight in self.weights((rule, "nearby")).items():
                weights.update(dict.fromkeys(needed, weight))
            always = () if self.words.wide else stations(self.words)
            others = (m for m in self.words.placed_on if weights[m] > _IMPROBABLE)
            self._beside[rule] = tuple(dict.fromkeys((*always, *others)))
        return self._beside[rule]

    def probability(self, name: Field) -> float:
        """Posterior of a field's believed value."""
        believed = self._values(name)
        return self.weights(name).get(believed[0], 0.0) if len(believed) == 1 else 0.0

    def entropy(self, name: Field) -> float:
        """Entropy of a field, in bits."""
        return entropy(self.weights(name).values())

    @property
    def unknown(self) -> float:
        """Entropy of what decides whether, and what, the rules of tasks give, in bits."""
        return math.fsum(self.entropy(name) for name in self._claims if name[1] in _GIVING)

    def possible(self, name: Field) -> tuple[Any, ...]:
        """The values of a field that are consistent with the evidence."""
        if name not in self._left:
            stated, odd = self._values(name), self._unusual(name)
            if name[0].startswith(RECIPES):
                odd = ()  # these are weighed by recipes
            elif name[1] in RATED and len(stated) == 1:
                odd = tuple(variants(stated[0]))
            values = dict.fromkeys((*stated, *self._domain(name), *odd))
            self._left[name] = self._met(name, tuple(values), self._claims.get(name, ()))
        return self._left[name]

    def open(self, rule: str) -> bool:
        """Whether not all is known of a rule."""
        if rule not in self._open:
            found = any(len(self.weights(name)) > 1 for name in self._of[rule])
            if not found and rule.startswith("place"):
                grounds = map(self.recipe(rule).open, self.words.left)
                found = any(0 < weight < 1 for weight in grounds)
            self._open[rule] = found
        return self._open[rule]

    def _forget(self, rules: Iterable[str], *, everything: bool) -> None:
        """Probabilities of some rules have changed, or of all: they go by each other."""
        if everything:
            rates, self._rates, self._settled_now = self._rates, {}, None
            everything = any(abs(self._rate(kind) - rate) > 1e-9 for kind, rate in rates.items())
            everything |= not rates
        for rule in self._of if everything else rules:
            self.versions[rule] += 1
            self._vain.pop(rule, None)
            self._recipes.pop(rule, None)
            self._beside.pop(rule, None)
            self._open.pop(rule, None)
            for name in self._of[rule]:
                self._weights.pop(name, None)

    def _domain(self, name: Field) -> tuple[Any, ...]:
        return domain(*name, self.words)

    def _unusual(self, name: Field) -> tuple[Any, ...]:
        return unusual(*name, self.words)

    def _known(self, name: Field) -> frozenset[Any]:
        return usual_values(name, self.words)

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
        """The prior weights of a field's values, as worlds have turned out.

        Where the prior says nothing, what the theory believes takes its place: the shortest
        explanation of what was seen.
        """
        usual = getattr(self._prior[name[0]], name[1])
        if is_uncertain(usual) and self.words.wide:
            return self._prior_of_added(name, values)
        if is_uncertain(usual):
            usual, rate = getattr(self._theory[name[0]], name[1]), CHANGED / (CHANGED + KEPT)
        else:
            rate = self._rate(kind_of(name))
        values, known = tuple(values), self._known(name)
        others, odd = len(known) - 1, sum(value not in known for value in values)
        if name[1] in RATED and odd:
            odd = max(
                odd, RATES * len(self.words.gains if name[1] == "yields" else names.CREATURES)
            )
        if is_uncertain(usual):
            return dict.fromkeys(values, 1 / (others + 1))
        share = self._rate(_ODDITY) if odd else 0.0
        changed = rate if others else rate * share

        def weigh(value: Any) -> float:
            if value == usual:
                return 1 - changed
            if value in known:
                return rate * (1 - share) / max(1, others)
            return rate * share / odd

        return {value: weigh(value) for value in values}

    def _prior_of_added(self, name: Field, values: Iterable[Any]) -> dict[Any, float]:
        """The prior weights of a field of which nothing is known beforehand but other rules."""
        others = Counter(self._in_others(name))
        weights = by_simplicity(values, self._had.keys(), others.elements())
        return as_in_others(normal(weights), others) if name[1] == "requires" else weights

    def _in_others(self, name: Field) -> Iterator[Any]:
        """The value of a field in each other rule of the family, where it is known."""
        family = name[0].partition(".")[0]
        for rule in self._of:
            if rule != name[0] and rule.partition(".")[0] == family:
                other = rule, name[1]
                value = self._known_values().get(other, getattr(self._prior[rule], name[1]))
                if not is_uncertain(value):
                    yield value

    def _known_values(self) -> dict[Field, Any]:
        """The values of fields that are settled."""
        if self._settled_now is None:
            self._settled_now = dict(self._settled())
        return self._settled_now

    def _sites(self, rule: str) -> Sites:
        """The prior over the sites of placing or making."""
        if rule.startswith("make"):
            name = (rule, "nearby")
            values = dict.fromkeys((*self._values(name), *self._domain(name), *self._unusual(name)))
            stated = normal(self._prior_weights(name, values))
            odd = share_of_odd(stated, name, self.words)
            odd = max(odd, self._rate(kind_of(name))) if self.words.wide else odd
            common = self._tries[rule].common()
            return with_natural(stated, odd * self._rate(_ODDITY), common, self.words)
        name = (rule, "where")
        usual = normal(self._prior_weights(name, self._domain(name)))
        believed = getattr(self._prior[rule], name[1])
        changed = 1.0 if is_uncertain(believed) else self._rate(kind_of(name))
        free = changed * self._rate(_ODDITY)
        return Grounds(
            {grounds: weight * (1 - free) for grounds, weight in usual.items()},
            free,
            len(self.words.materials) - 1,
        )

    def _weighed(self, name: Field) -> dict[Any, float]:
        if name[0].startswith("collect.") and (vain := self.vain(name[0])):
            return vain.weights(name[1])
        if name[0].startswith(RECIPES) and name[1] != "gives":
            return self._of_recipe(name)
        possible = self.possible(name)
        if len(possible) <= 1:
            return dict.fromkeys(possible, 1.0)
        weights = self._prior_weights(name, possible)
        if name[1] in ("yields", "spawns", "requires"):
            fits = {value: self._fit(name, value) for value in possible}
            best = max(fits.values())
            weights = {value: w * math.exp(fits[value] - best) for value, w in weights.items()}
        return normal(weights)

    def _of_recipe(self, name: Field) -> dict[Any, float]:
        """Of what placing and making use up and need; of grounds, those of which all is told."""
        recipe = self.recipe(name[0])
        if name[1] == "uses":
            return recipe.uses or dict.fromkeys(self._values(name), 1.0)
        return recipe.sites() or dict.fromkeys(self._values(name), 1.0)

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
            tries = rate_tests.collected(tries, open_[0], needed)
        rates: list[rate_tests.Rate] = []
        if len(yields) == 1:
            rates += rate_tests.yield_rates(tries, yields[0], self.dynamics)
        if len(spawns) == 1:
            rates += rate_tests.spawn_rates(tries, spawns[0])
        fit = sum(rate_tests.log_likelihood(r.probability, r.times, r.of) for r in rates)
        return max(-700.0, fit)

    def _left_of(self, name: Field) -> tuple[Any, ...]:
        """The believed value of a field, or the values that the evidence leaves."""
        believed = tuple(self._values(name))
        return believed if len(believed) == 1 else self.possible(name)

    def _rate(self, kind: str) -> float:
        """The share of fields of a part of the game that turn out not to be as first believed.

        Of :data:`_ODDITY`, the share of these, of all parts, that turn out to be unusual.
        """
        if not self._rates:
            changed: Counter[str] = Counter()
            kept: Counter[str] = Counter()
            for name, value in self._known_values().items():
                usual, part = getattr(self._prior[name[0]], name[1]), kind_of(name)
                if value != usual:
                    changed[_ODDITY] += value not in self._known(name)
                    kept[_ODDITY] += value in self._known(name)
                if len(self._known(name)) > 1 and not is_uncertain(usual):
                    changed[part] += value != usual
                    kept[part] += value == usual
            for part in KINDS.values():
                times, others = changed[part] + CHANGED, kept[part] + KEPT
                self._rates[part] = min(0.5, times / (times + others))
            times, others = changed[_ODDITY] + _ODD, kept[_ODDITY] + _USUAL
            self._rates[_ODDITY] = times / (times + others)
        return self._rates[kind]

    def _settled(self) -> Iterator[tuple[Field, Any]]:
        """The fields of which one value is left, or but one that is usual, with that."""
        for name, left in self._left.items():
            usual = [value for value in left if value in self._known(name)] or left
            if len(usual) == 1:
                yield name, usual[0]
        for rule, tries in self._tries.items():
            if tries.used is not None:
                yield (rule, "uses"), tries.used
                yield from tries.settled(rule)
