"""A Markov chain over the valid worlds of a space.

Target distribution: each rule changes with probability 1/2 (or a uniformly drawn set of the
requested size changes) to a uniformly drawn variant, conditioned on a valid world. The chain has it
as its stationary distribution. Some moves redraw rules and are accepted if the world is valid
(Metropolis-Hastings). Others enumerate all valid worlds that differ in a few fields and draw one of
them (heat bath).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from random import Random
from typing import Any

from mars_logic.logic.sampling.problem import SamplingProblem, Value
from mars_logic.logic.sampling.space import Variant

_TOGETHER = 8
"""Number of rules set to their draws at once; it affects speed only."""
_DRAWS = 4
"""Maximum initial draws of a rule, after draws that leave no valid world."""
_MOST_MOVED = 3
"""Maximum number of rules of a family redrawn in one move."""
_MOST_SHARING = 6
"""Maximum number of rules that redistribute values: 64 ways."""

Draws = dict[str, Variant]
"""Variants for some rules."""


class Chain:
    """One walk through the valid worlds of a space."""

    def __init__(self, problem: SamplingProblem, difficulty: int | None, random: Random):
        """Begin with a valid world.

        Args:
            problem: The worlds; at least one has this difficulty.
            difficulty: How many rules change; None for any number.
            random: Source of all draws.
        """
        self._problem = problem
        self._difficulty = difficulty
        self._random = random
        self._rules = list(problem.variants)
        self._alike = [*_alike(problem)]
        self.state: Draws = dict(problem.fixed)
        """A variant for each rule that may change."""
        self._begin()

    # - The beginning

    def _begin(self) -> None:
        """Draw each rule; in random order, each is set to its draw as far as possible."""
        order = self._random.sample(self._rules, len(self._rules))
        changing = self._to_change(order)
        for first in range(0, len(order), _TOGETHER):
            rules = order[first : first + _TOGETHER]
            wishes = [wish for rule in rules for wish in self._wishes(rule, changing)]
            self.state |= self._problem.first(self.state, self._difficulty, wishes)

    def _to_change(self, rules: list[str]) -> set[str] | None:
        """With a difficulty, the rules that should change."""
        if self._difficulty is None:
            return None
        missing = self._difficulty - len(_changed(self.state))
        return set(self._random.sample(rules, min(max(missing, 0), len(rules))))

    def _wishes(self, rule: str, changing: set[str] | None) -> Iterator[Value]:
        """Preferences: all values of a rule's fields in random field order, drawn values first."""
        drawn = [self._draw(rule, changing) for _ in range(_DRAWS)]
        places = range(len(drawn[0]))
        for place in self._random.sample(places, len(places)):
            numbers = self._problem.numbers(rule, place)
            others = self._random.sample(numbers, len(numbers))
            for number in dict.fromkeys((*(variant[place] for variant in drawn), *others)):
                yield rule, place, number

    def _draw(self, rule: str, changing: set[str] | None) -> Variant:
        changed = self._random.random() < 0.5 if changing is None else rule in changing
        return self._variant(rule, changed=changed)

    # - Moves

    def move(self) -> None:
        """One move of the chain: redraw some rules, or redistribute the values of some."""
        if self._random.random() < 0.5:
            self._try(self._redraw())
        else:
            self.state |= self._redistribute()

    def _redraw(self) -> Draws:
        """Redraw some rules; with a difficulty, the number of changed ones stays."""
        if self._difficulty is None:
            rules = self._some(self._rules)
            changes = [self._random.random() < 0.5 for _ in rules]
        else:
            changed = _changed({rule: self.state[rule] for rule in self._rules})
            before = self._some(changed)
            others = self._some([rule for rule in self._rules if rule not in changed])
            rules = before + others
            changes = [True] * len(before) + [False] * len(others)
            self._random.shuffle(changes)
        return {
            rule: self._variant(rule, changed=change)
            for rule, change in zip(rules, changes, strict=True)
        }

    def _redistribute(self) -> Draws:
        """Redistribute two values of a field among the rules of a family that have them.

        Of all valid results, one is drawn with its target probability. The participating rules are
        the same before and after, so the target distribution is invariant.
        """
        if not self._alike:
            return {}
        field, alike = self._random.choice(self._alike)
        some = self._random.sample(alike, min(len(alike), _MOST_SHARING))
        two = self._random.sample(self._problem.space.values(some[0], field), 2)
        sharing = [rule for rule in some if self._value(rule, field) in two]
        if not sharing:
            return {}
        among = {rule: self._variants_with(rule, field, two) for rule in sharing}
        if all(len(variants) == 1 for variants in among.values()):
            return {}  # nothing to redistribute
        worlds = self._problem.worlds(self.state, self._difficulty, among)
        odds = [prod(self._weight(rule, found[rule]) for rule in sharing) for found in worlds]
        return self._random.choices(worlds, odds)[0]

    def _variants_with(self, rule: str, field: str, values: list[Any]) -> list[Variant]:
        """The variants of a rule that equal the current one except in one field."""
        space = self._problem.space
        given = (space.with_value(rule, self.state[rule], field, value) for value in values)
        return [variant for variant in given if variant is not None]

    def _value(self, rule: str, field: str) -> Any:
        return self._problem.space.value(rule, self.state[rule], field)

    # - Variants

    def _try(self, drawn: Draws) -> bool:
        """Set these variants if the world is then valid."""
        if all(self.state.get(rule) == variant for rule, variant in drawn.items()):
            return True
        works = self._problem.works(self.state | drawn, self._difficulty)
        if works:
            self.state |= drawn
        return works

    def _some(self, rules: list[str]) -> list[str]:
        return self._random.sample(rules, min(len(rules), self._random.randint(1, _MOST_MOVED)))

    def _variant(self, rule: str, *, changed: bool) -> Variant:
        usual, *others = self._problem.variants[rule]
        return self._random.choice(others) if changed else usual

    def _weight(self, rule: str, variant: Variant) -> float:
        """Probability of the variant, up to a constant factor of its rule."""
        usual, *others = self._problem.variants[rule]
        return 1.0 if variant == usual else 1 / len(others)


def _changed(state: Draws) -> list[str]:
    return [rule for rule, variant in state.items() if any(number > 1 for number in variant)]


def _alike(problem: SamplingProblem) -> list[tuple[str, list[str]]]:
    """Each variable field, by name, with its rules of one family."""
    found: dict[tuple[str, str], list[str]] = {}
    for rule in problem.variants:
        for field in problem.space.open_rules[rule].uncertain_fields:
            found.setdefault((rule.partition(".")[0], field), []).append(rule)
    # The more rules, the more often they are chosen.
    return [(field, rules) for (_, field), rules in found.items() if len(rules) > 1 for _ in rules]
