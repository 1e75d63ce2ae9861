"""Solver for one component: observations connected by the fields that they constrain.

A smallest set of observations that excludes an assertion is found by implicit hitting sets
(Ignatiev et al., "Smallest MUS extraction with minimal hitting set dualization", CP 2015).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, Final

from mars_logic.logic.solve import Assumption, Session
from mars_logic.theory.claims import Field
from mars_logic.theory.problem import ClauseSource, Component, Options

Assertion = Mapping[Field, tuple[Any, ...]]
"""The values that some fields may have; all other fields are open."""
_PLAINER: Final = 40
"""So many things seen, those with the least held, are tried in place of one of a smallest set."""
_ROUNDS: Final = 60
"""After so many rounds a minimal set of observations is taken in place of a smallest one."""


@dataclass
class ComponentSolver:
    """Solver for one component: observations connected by the fields that they constrain.

    Literals are numbers of clingo's, negative where an atom is false.
    """

    component: Component
    conflicts: int
    numbers: Mapping[Field, int] = field(init=False)

    def __post_init__(self) -> None:
        self.numbers = {name: n for n, name in enumerate(self.component.fields)}
        self._answers: dict[frozenset[int], bool] = {}

    @cached_property
    def _session(self) -> Session:
        return self.component.session(None, self.conflicts)

    @cached_property
    def _value(self) -> dict[tuple[int, int], int]:
        rows = self._session.literals("value")
        return {(int(number), int(k)): literal for (number, k), literal in rows}

    @cached_property
    def _rows(self) -> dict[int, tuple[str, str]]:
        return {literal: (str(n), str(k)) for (n, k), literal in self._value.items()}

    @cached_property
    def _met(self) -> dict[int, int]:
        """The literal of each claim that can be met."""
        return {int(claim): literal for (claim,), literal in self._session.literals("met")}

    @cached_property
    def least(self) -> int:
        """The minimum number of unexplained transitions over all theories."""
        return self._unexplained(())

    @cached_property
    def _bounded(self) -> int:
        """A literal under which no more transitions than these are left unexplained."""
        excess = f"#sum {{ W, C : unmet(C), weight(C, W) }} > {self.least}"
        excess = excess if self.least else "unmet(C)"  # the latter propagates better
        self._session.add(f"{{ bounded }}. :- bounded, {excess}.")
        return self._session.literals("bounded")[0][1]

    def having(self, stated: Assertion) -> list[int]:
        """Literals that say that fields have some of the stated values."""
        return [
            -self._value[self.numbers[name], n]
            for name, values in stated.items()
            for n, members in self._classes(name, values)
            if not any(members.values())
        ]

    def lacking(self, name: Field, values: tuple[Any, ...]) -> list[int]:
        """Literals that say that a field has none of these values."""
        return [
            -self._value[self.numbers[name], n]
            for n, members in self._classes(name, values)
            if all(members.values())
        ]

    def _classes(
        self, name: Field, values: tuple[Any, ...]
    ) -> Iterator[tuple[int, dict[int, bool]]]:
        """The classes of a field's candidate values; for each member whether it is one of these."""
        wanted = [_comparable(value) for value in values]
        found = self.component.problem.values[name]
        for n, members in enumerate(self.component.classes[name]):
            yield n, {k: _comparable(found[k]) in wanted for k in members}

    def possible(self, literals: Sequence[int]) -> bool:
        """Whether a theory with these literals explains as many transitions as any theory."""
        asked = frozenset(literals)
        if asked not in self._answers:
            self._answers[asked] = self._session.satisfiable([self._bounded, *literals])
        return self._answers[asked]

    def count_others(self, name: Field, values: tuple[Any, ...]) -> int:
        """How many candidate values a field has besides these."""
        classes = self._classes(name, values)
        return sum(not stated for _, members in classes for stated in members.values())

    def others(self, name: Field, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """The other values of a field that theories have which explain as much as any does."""
        number, found = self.numbers[name], self.component.problem.values[name]
        left = [
            k
            for n, members in self._classes(name, values)
            if not all(members.values()) and self.possible([self._value[number, n]])
            for k, stated in members.items()
            if not stated
        ]
        return tuple(found[k] for k in sorted(left))

    def excess(self, literals: Sequence[int]) -> int:
        """Number of additional unexplained transitions under these literals.

        At least 1 if they are not possible, even where no value is left to choose.
        """
        if self.possible(literals):
            return 0
        if any(not self._left(name, literals) for name in self.numbers):
            return max(self.component.problem.claims[each] for each in self.component.claims)
        return self._unexplained(literals) - self.least

    def _left(self, name: Field, literals: Sequence[int]) -> bool:
        number, denied = self.numbers[name], {-literal for literal in literals}
        every = range(len(self.component.classes[name]))
        return any(self._value[number, n] not in denied for n in every)

    def _unexplained(self, literals: Sequence[int]) -> int:
        met = self._best(literals)
        claims = self.component.claims
        return sum(self._weight(each) for n, each in enumerate(claims) if n not in met)

    def _weight(self, claim: Options) -> int:
        return self.component.problem.claims[claim]

    def _best(self, literals: Sequence[int]) -> set[int]:
        """The claims satisfied by a best theory under these literals."""
        found = self._session.solve(("met",), self._assumptions(literals))
        assert found is not None, "a choice of values always exists"
        return {int(claim) for (claim,) in found["met"]}

    def _assumptions(self, literals: Iterable[int]) -> list[Assumption]:
        claims = {literal: claim for claim, literal in self._met.items()}
        return [
            Assumption("met", (str(claims[literal]),), True)
            if literal in claims
            else Assumption("value", self._rows[abs(literal)], literal > 0)
            for literal in literals
        ]

    @cached_property
    def _explained(self) -> list[tuple[frozenset[int], ClauseSource]]:
        """The claims of each thing that a best theory explains, those with the least held first."""
        met = self._best([])
        number = {options: n for n, options in enumerate(self.component.claims)}
        found: dict[frozenset[int], ClauseSource] = {}
        for options, source in self.component.problem.sources.items():
            claims = frozenset(number[each] for each in options if number.get(each) in met)
            if claims:
                found[claims] = found[claims].merged(source) if claims in found else source
        return sorted(found.items(), key=lambda each: (each[1].held, -each[1].count))

    @cached_property
    def _telling(self) -> list[int]:
        """Numbers of what makes claims that nothing else makes all of; often seen first."""
        claims = [each for each, _ in self._explained]
        most = [n for n, each in enumerate(claims) if not any(each < other for other in claims)]
        return sorted(most, key=lambda n: -self._explained[n][1].count)

    def smallest_conflict(self, literals: Sequence[int]) -> list[ClauseSource]:
        """A smallest set of observations that no theory with these literals explains.

        All of it is explained by some theory that explains as much as any does.
        """
        chosen = self._smallest(literals)
        for place in range(len(chosen)):
            rest = chosen[:place], chosen[place + 1 :]
            claims = self._explained[chosen[place]][0]
            alike = (n for n in range(chosen[place]) if self._explained[n][0] & claims)
            swaps = ([*rest[0], n, *rest[1]] for n in islice(alike, _PLAINER))
            chosen = next((each for each in swaps if not self._explains(literals, each)), chosen)
        return [self._explained[n][1] for n in chosen]

    def excludes(self, literals: Sequence[int], seen: Sequence[ClauseSource]) -> bool:
        """Whether no theory with these literals explains some observations."""
        chosen = [n for n, (_, source) in enumerate(self._explained) if source in seen]
        return not self._explains(literals, chosen)

    def _explains(self, literals: Sequence[int], chosen: Iterable[int]) -> bool:
        return self._session.satisfiable([*literals, *self._claimed(chosen)])

    def _claimed(self, chosen: Iterable[int]) -> list[int]:
        """Literals that say that some of what was seen is explained."""
        claims = sorted({claim for n in chosen for claim in self._explained[n][0]})
        return [self._met[claim] for claim in claims]

    def _smallest(self, literals: Sequence[int]) -> list[int]:
        """Numbers of a smallest set that is not explained; of a minimal one past some rounds."""
        everything = self._telling
        to_hit: list[frozenset[int]] = []
        for _ in range(_ROUNDS):
            chosen = hitting_set(to_hit, everything)
            if chosen is None:
                break
            if not self._explains(literals, chosen):
                return chosen
            met = self._best([*literals, *self._claimed(chosen)])
            to_hit.append(frozenset(n for n in everything if not self._explained[n][0] <= met))
        return self._minimal(literals, everything)

    def _minimal(self, literals: Sequence[int], everything: Iterable[int]) -> list[int]:
        kept = [*everything]
        for n in reversed(kept.copy()):
            if not self._explains(literals, rest := [each for each in kept if each != n]):
                kept = rest
        return kept


def _comparable(value: Any) -> Any:
    """A value such that equal ones make equal worlds: the order of a mapping does not matter."""
    return dict(value) if isinstance(value, Mapping) else value


_MOST_STEPS: Final = 20_000
"""A search that takes more steps is given up."""


def hitting_set(sets: Sequence[frozenset[int]], order: Sequence[int]) -> list[int] | None:
    """A smallest set that has an element in common with each of some sets; early ones first.

    Args:
        sets: The sets to hit; none is empty.
        order: All elements, those preferred first.

    Returns:
        The set, in that order; None if the search was given up.
    """
    rank = {each: n for n, each in enumerate(order)}
    steps = 0

    def extend(chosen: tuple[int, ...], size: int) -> tuple[int, ...] | None:
        nonlocal steps
        steps += 1
        missed = [each for each in sets if not each.intersection(chosen)]
        if not missed:
            return chosen
        if len(chosen) == size or steps > _MOST_STEPS:
            return None
        shortest = min(missed, key=len)
        for each in sorted(shortest, key=rank.__getitem__):
            found = extend((*chosen, each), size)
            if found is not None:
                return found
        return None

    for size in range(len(sets) + 1):
        found = extend((), size)
        if found is not None or steps > _MOST_STEPS:
            return sorted(found, key=rank.__getitem__) if found is not None else None
    raise ValueError("an empty set cannot be hit")
