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
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

from mars_logic.theory import rate_tests
from mars_logic.theory.claims import Claim, Field, Values, values_of
from mars_logic.theory.monitor import Monitor
from mars_logic.theory.relevance import claims_of
from mars_logic.theory.signature_claims import maybe_no_effect
from mars_logic.theory.signatures import Held, Signature
from mars_logic.world.field_values import domain, stations, unusual
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import is_uncertain

from .field_prior import FieldPrior
from .no_effect import NoEffectModel
from .prior import (
    KINDS,
    any_nearby,
    had,
    usual_values,
)
from .rates import RATED, variants
from .recipes import Recipe, Tries, rule_of
from .sites import Sites
from .weights import Weights, entropy, normal

_GIVING: Final = ("collectable", "requires", "yields", "uses", "nearby", "where", "gives")
_CHANCES: Final = ("collectable", "requires", "yields", "spawns")
RECIPES: Final = ("place", "make")
_PROBABLE: Final = 0.5
_IMPROBABLE: Final = 0.02
"""Probability up to which no experiment regards a material."""


class Posterior:
    """The probabilities of values.

    Attributes:
        dynamics: The dialect.
        words: The names.
        recipes: The rules of placing and making.
        prior: The prior weights of values.
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
        self._theory, self._monitor = theory, monitor
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
        self._vain: dict[str, NoEffectModel | None] = {}
        self._recipes: dict[str, Recipe] = {}
        self._beside: dict[str, tuple[str, ...]] = {}
        self._tries = {rule: Tries(self.words) for rule in self._of if rule.startswith(RECIPES)}
        self.recipes = tuple(self._tries)
        self._had: dict[str, int] = {}
        self.prior = FieldPrior(prior, theory, self._settled)

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
            if self.words.wide:
                self._had |= dict.fromkeys(had(signature) - self._had.keys(), step)
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
        self._theory = self.prior.theory = theory
        self._values = values_of(theory)
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
                found = NoEffectModel(rule, held, self.prior.weights, self.words)
            self._vain[rule] = found
        return self._vain[rule]

    def recipe(self, rule: str) -> Recipe:
        """The joint model of a place or make rule: used resources and sites."""
        if rule not in self._recipes:
            name = (rule, "uses")
            values = dict.fromkeys((*self._values(name), *self._domain(name), *self._unusual(name)))
            uses = self.prior.weights(name, values)
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

    @property
    def had(self) -> Mapping[str, int]:
        """The step of an episode at which each item was first had."""
        return self._had

    def ever_worked(self, rule: str) -> bool:
        """Whether a place or make rule worked in some try."""
        return self._tries[rule].used is not None

    def untold(self, rule: str) -> bool:
        """Whether a place or make rule never worked, and may yet."""
        return not self.ever_worked(rule) and bool(self.recipe(rule).uses)

    def takes(self, rule: str, item: str) -> float:
        """How probable it is that a place or make rule uses an item."""
        return self.recipe(rule).taken.get(item, 0.0)

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

    def is_guess(self, name: Field) -> bool:
        """Whether a field is expected by other rules alone, since nothing was seen of its rule."""
        if not self.words.wide or not is_uncertain(getattr(self.prior.first[name[0]], name[1])):
            return False
        return not any(self._claims[other] for other in self._of[name[0]])

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
        everything = everything and self.prior.settle()
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

    def _sites(self, rule: str) -> Sites:
        """The prior over the sites of placing or making."""
        if rule.startswith("place"):
            return self.prior.grounds(rule)
        name = (rule, "nearby")
        values = dict.fromkeys((*self._values(name), *self._domain(name), *self._unusual(name)))
        return self.prior.nearby(rule, values, self._tries[rule].common())

    def _weighed(self, name: Field) -> dict[Any, float]:
        if name[0].startswith("collect.") and (vain := self.vain(name[0])):
            return vain.weights(name[1])
        if name[0].startswith(RECIPES) and name[1] != "gives":
            return self._of_recipe(name)
        possible = self.possible(name)
        if len(possible) <= 1:
            return dict.fromkeys(possible, 1.0)
        weights = self.prior.weights(name, possible)
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

    def _settled(self) -> Iterator[tuple[Field, Any]]:
        """The fields of which one value is left, or but one that is usual, with that."""
        for name, left in self._left.items():
            usual = [value for value in left if value in usual_values(name, self.words)] or left
            if len(usual) == 1:
                yield name, usual[0]
        for rule, tries in self._tries.items():
            if tries.used is not None:
                yield (rule, "uses"), tries.used
                yield from tries.settled(rule)
