"""A Markov chain over the valid worlds of a space.

What is wanted: each rule changes with even odds (or as many as asked for do, any as likely as any
other) and may then become anything else that it can, with the same probability; and of the worlds
so drawn, only the valid ones. The chain has this distribution as its stationary one. Some moves
draw rules anew and are taken if that leads to a valid world (Metropolis and Hastings). Others look
at all valid worlds that differ in some few fields, and draw one of them (heat bath).
"""

from __future__ import annotations

from itertools import count
from math import prod
from random import Random
from typing import Any

from mars_logic.sampling.problem import Problem
from mars_logic.sampling.space import Variant

_TOGETHER = 8
"""So many rules are drawn together at first; fewer where that leads nowhere."""
_MOST_MOVED = 3
"""At most so many rules of a kind are drawn anew in one move."""
_MOST_SHARING = 6
"""At most so many rules share values out among them: in 64 ways."""

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
        """Draw rules anew, if that leads to a valid world, or let some share out their values."""
        if self._random.random() < 0.5:
            self._try(self._redraw())
        else:
            self.state |= self._redistribute()

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

    def _redistribute(self) -> Draws:
        """Rules of a family that have one of two values in a field share these out anew.

        Of all ways to do so that leave a valid world, one is drawn with the probability wanted.
        Who shares is the same before and after, so that the wanted distribution stays as it is.
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
        worlds = self._problem.worlds(self.state, self._difficulty, among)
        odds = [prod(self._weight(rule, found[rule]) for rule in sharing) for found in worlds]
        return self._random.choices(worlds, odds)[0]

    def _variants_with(self, rule: str, field: str, values: list[Any]) -> list[Variant]:
        """The variants of a rule that differ from what it is in a field at most."""
        space = self._problem.space
        given = (space.with_value(rule, self.state[rule], field, value) for value in values)
        return [variant for variant in given if variant is not None]

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
