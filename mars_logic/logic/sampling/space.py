"""The space of worlds to sample from: a theory, each uncertain field of which may be changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

from mars_logic.logic.choices import theory_facts, values
from mars_logic.logic.rule_atoms import term
from mars_logic.logic.sampling.modifications import ENTAILED, MODIFICATIONS, Field
from mars_logic.world.load import load_world
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory, World
from mars_logic.world.uncertain import Alternatives

Variant = tuple[int, ...]
"""The numbers of the values of a rule's uncertain fields, from 1, in the order of fields."""


@dataclass(frozen=True)
class Space:
    """The worlds that differ from a base only by some modifications.

    Attributes:
        base: The world that is changed.
        theory: The same with every value that a field may take; the base's value comes first.
        modifications: Names of the paper's modifications.
        told: Ids of the rules that the request states in words.
    """

    base: World
    theory: Theory
    modifications: tuple[str, ...] = ()
    told: frozenset[str] = field(default_factory=frozenset)

    @classmethod
    def of(cls, modifications: Iterable[str], told: Iterable[Rule] = ()) -> Space:
        """The space of some modifications of the world ``default``.

        Args:
            modifications: Their names; of alternatives, not more than one.
            told: Rules whose values are possible whatever the modifications say.

        Raises:
            KeyError: There is no such modification.
        """
        base = load_world("default")
        modifications = tuple(modifications)
        domains: dict[Field, list[Any]] = {}
        for modification in modifications:
            for name, values_ in MODIFICATIONS[modification].domains():
                domains.setdefault(name, []).extend(values_)
        told = tuple(told)
        for rule in told:
            for field_name in rule.field_names():
                domains.setdefault((rule.id, field_name), []).append(rule.model_dump()[field_name])
        return cls(base, theory(base, domains), modifications, frozenset(rule.id for rule in told))

    @cached_property
    def open_rules(self) -> dict[str, Rule]:
        """The rules that may change, by id."""
        return {rule.id: rule for rule in self.theory.rules() if rule.uncertain_fields}

    @cached_property
    def variants(self) -> dict[str, list[Variant]]:
        """For each rule that may change, the values that its fields may have together.

        The first is the base's.
        """
        return {rule.id: [*self._together(rule)] for rule in self.open_rules.values()}

    def world(self, variants: dict[str, Variant], name: str, title: str = "") -> World:
        """The world with these variants of its rules."""
        rules = [
            self._settled(self.theory[rule.id], variants[rule.id]) if rule.id in variants else rule
            for rule in self.base.rules()
        ]
        about: dict[str, Any] = {"name": name, "title": title, "base": self.base}
        return World.from_rules(self.base.dynamics, rules, **about, **self.base.own)

    def variant(self, rule: Rule) -> Variant | None:
        """The numbers of a rule's values; None if the space does not hold the rule."""
        open_ = self.theory[rule.id]
        found = []
        for name in rule.field_names():
            value, here = getattr(rule, name), getattr(open_, name)
            if isinstance(here, Alternatives):
                if value not in here.values:
                    return None
                found.append(here.values.index(value) + 1)
            elif value != here:
                return None
        return tuple(found)

    def values(self, rule: str, name: str) -> tuple[Any, ...]:
        """The values of an open field, in the order of their numbers less 1."""
        return values(self.open_rules[rule], name)

    def value(self, rule: str, variant: Variant, name: str) -> Any:
        """The value of a field in a variant of its rule."""
        return self.values(rule, name)[variant[self._places[rule][name]] - 1]

    def with_value(self, rule: str, variant: Variant, name: str, value: Any) -> Variant | None:
        """A variant with another value of a field; None if the field cannot have it."""
        possible = self.values(rule, name)
        if value not in possible:
            return None
        place = self._places[rule][name]
        return (*variant[:place], possible.index(value) + 1, *variant[place + 1 :])

    @cached_property
    def _places(self) -> dict[str, dict[str, int]]:
        return {
            rule.id: {name: n for n, name in enumerate(rule.uncertain_fields)}
            for rule in self.open_rules.values()
        }

    def facts(self) -> str:
        """The theory's facts, and the further input of encodings/sampling/modifications.lp."""
        return theory_facts(self.theory) + "".join(f"{fact}.\n" for fact in self._facts())

    def _facts(self) -> Iterator[str]:
        for name in self.modifications:
            yield f"modification({name})"
        for rule_id in self.told:
            yield f"told({term(rule_id)})"
        for rule in self.open_rules.values():
            for field_name in rule.uncertain_fields:
                yield f"usual({term(rule.id)}, {field_name}, 1)"
            if rule.id not in self.told:
                for f, k, g, j in self._entailed(rule):
                    yield f"entailed({term(rule.id)}, {f}, {k}, {g}, {j})"

    def _entailed(self, rule: Rule) -> Iterator[tuple[str, int, str, int]]:
        """The entailments of a rule's family, with values by their numbers."""
        for name, value, other, entailed in ENTAILED.get(rule.family, ()):
            if {name, other} <= set(rule.uncertain_fields):
                number, entailed_number = (
                    values(rule, f).index(v) + 1 for f, v in ((name, value), (other, entailed))
                )
                yield name, number, other, entailed_number

    def _together(self, rule: Rule) -> Iterator[Variant]:
        names_ = rule.uncertain_fields
        place = {name: n for n, name in enumerate(names_)}
        entailed = (
            [(place[f], k, place[g], j) for f, k, g, j in self._entailed(rule)]
            if rule.id not in self.told
            else []
        )
        for numbers in product(*(range(1, len(values(rule, name)) + 1) for name in names_)):
            if all(numbers[f] != k or numbers[g] == j for f, k, g, j in entailed):
                yield numbers

    def _settled(self, rule: Rule, variant: Variant) -> Rule:
        chosen_values = {
            name: values(rule, name)[number - 1]
            for name, number in zip(rule.uncertain_fields, variant, strict=True)
        }
        return type(rule).model_validate(rule.model_dump() | chosen_values)


def theory(base: World, domains: dict[Field, list[Any]]) -> Theory:
    """The base with these values as alternatives of equal weight, its own first."""
    rules = []
    for rule in base.rules():
        stated = rule.model_dump() | {
            name: {"one_of": [{"value": value, "weight": 1} for value in domains[rule.id, name]]}
            for name in rule.field_names()
            if (rule.id, name) in domains
        }
        read = type(rule).model_validate(stated)
        rules.append(read.model_copy(update=dict(_evenly(rule, read))))
    return Theory.from_world(base).with_rules(*rules, name="space")


def _evenly(usual: Rule, read: Rule) -> Iterator[tuple[str, Any]]:
    for name in usual.field_names():
        value, first = getattr(read, name), getattr(usual, name)
        possible = value.values if isinstance(value, Alternatives) else (value,)
        options = dict.fromkeys((first, *possible))
        if len(options) > 1:
            yield name, Alternatives.of((option, 1) for option in options)
        else:
            yield name, first
