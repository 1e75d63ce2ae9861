"""A Markov chain over the valid worlds of a space.

What is wanted: each rule changes with even odds (or as many as asked for do, any as likely as any
other) and may then become anything else that it can, with the same probability; and of the worlds
so drawn, only the valid ones. The chain has this distribution as its stationary one (Metropolis and
Hastings): moves are proposed as often as their opposites, once it is accounted for how likely
worlds are, and taken if they lead to a valid world.
"""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

from mars_logic.sampling.problem import Problem
from mars_logic.sampling.space import Variant

_TOGETHER = 8
"""So many rules are drawn together at first; fewer where that leads nowhere."""
_MOST_MOVED = 3
"""At most so many rules of a kind take part in one move."""

Draws = dict[str, Variant]
"""Variants for some rules."""


class Chain:
    """One walk through the valid worlds of a space."""

    def __init__(self, problem: Problem, difficulty: int | None, random: Random):
        """Begin with a valid world.

        Args:
            problem: The worlds; at least one has this difficulty.
            difficulty: How many rules change; None for any number.
            random: Whatever is drawn is drawn from it.
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
        """Fix one rule after the other, in random order, at random, to what leaves valid worlds."""
        order = self._random.sample(self._rules, len(self._rules))
        for first in range(0, len(order), _TOGETHER):
            self._fix(order[first : first + _TOGETHER], len(order) - first)

    def _fix(self, rules: list[str], left: int) -> None:
        """Fix some of all the rules that are left, together if that works."""
        if self._try(self._drawn(rules, left)):
            return
        if len(rules) > 1:
            half = len(rules) // 2
            self._fix(rules[:half], left)
            self._fix(rules[half:], left - half)
        else:
            self._fix_fields(rules[0])

    def _fix_fields(self, rule: str) -> None:
        """Fix one field after the other to some value that works."""
        open_fields: list[frozenset[int]] = [
            frozenset(numbers) for numbers in zip(*self._problem.variants[rule], strict=True)
        ]
        for field in self._random.sample(range(len(open_fields)), len(open_fields)):
            values = self._random.sample(sorted(open_fields[field]), len(open_fields[field]))
            # Some value works; which is the first is found by halving, with values together.
            first, last, tried = 0, len(values) - 1, 1
            while first < last:
                some = values[first : first + tried]
                open_fields[field] = frozenset(some)
                if self._problem.works(self.state, self._difficulty, {rule: open_fields}):
                    last = first + tried - 1
                else:
                    first += tried
                tried = (last - first + 1) // 2
            open_fields[field] = frozenset(values[first : first + 1])
        self.state[rule] = tuple(next(iter(numbers)) for numbers in open_fields)

    def _drawn(self, rules: list[str], left: int) -> Draws:
        """Each rule changed or not, with odds that lead to the number of changes asked for."""
        drawn: Draws = {}
        for rule, rest in zip(rules, count(left, -1), strict=False):
            odds = 0.5
            if self._difficulty is not None:
                missing = self._difficulty - len(_changed(self.state | drawn))
                odds = missing / rest
            drawn[rule] = self._variant(rule, changed=self._random.random() < odds)
        return drawn

    # - Moves

    def move(self) -> None:
        """Propose a move, and take it if it leads to a valid world."""
        propose = self._random.choice((self._redraw, self._redraw, self._exchange, self._unite))
        self._try(propose())

    def _redraw(self) -> Draws:
        """Some rules drawn anew; with a difficulty, as many of them changed as before."""
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

    def _exchange(self) -> Draws:
        """Some rules of a family give each other their values of a field."""
        if not self._alike:
            return {}
        field, alike = self._random.choice(self._alike)
        rules = self._some(alike)
        values = [self._value(rule, field) for rule in self._random.sample(rules, len(rules))]
        return self._weighed(field, rules, values)

    def _unite(self) -> Draws:
        """Two rules of a family that have the same value in a field both take another."""
        if not self._alike:
            return {}
        field, alike = self._random.choice(self._alike)
        rules = self._random.sample(alike, 2)
        if self._value(rules[0], field) != self._value(rules[1], field):
            return {}
        possible = self._problem.space.values(rules[0], field)
        return self._weighed(field, rules, [self._random.choice(possible)] * 2)

    def _weighed(self, field: str, rules: list[str], values: list[Any]) -> Draws:
        """Rules with these values of a field, or nothing: rather what is more likely.

        What is drawn anew is drawn with its probability. Here that has to be accounted for.
        """
        space = self._problem.space
        proposed: Draws = {}
        odds = 1.0
        for rule, value in zip(rules, values, strict=True):
            given = space.with_value(rule, self.state[rule], field, value)
            if given is None:
                return {}
            proposed[rule] = given
            odds *= self._weight(rule, given) / self._weight(rule, self.state[rule])
        return proposed if self._random.random() < odds else {}

    def _value(self, rule: str, field: str) -> Any:
        return self._problem.space.value(rule, self.state[rule], field)

    # - Variants

    def _try(self, drawn: Draws) -> bool:
        """Take these variants if they leave a valid world."""
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
        """How likely the variant is, up to a factor that all of a rule share."""
        usual, *others = self._problem.variants[rule]
        return 1.0 if variant == usual else 1 / len(others)


def _changed(state: Draws) -> list[str]:
    return [rule for rule, variant in state.items() if any(number > 1 for number in variant)]


def _alike(problem: Problem) -> list[tuple[str, list[str]]]:
    """Each field, by name, with the rules of one family in which it may change."""
    found: dict[tuple[str, str], list[str]] = {}
    for rule in problem.variants:
        for field in problem.space.open_rules[rule].uncertain_fields:
            found.setdefault((rule.partition(".")[0], field), []).append(rule)
    # The more rules, the more often they are chosen.
    return [(field, rules) for (_, field), rules in found.items() if len(rules) > 1 for _ in rules]
