"""Claims: constraints of a signature on the values of rule fields.

A claim reads: *if all its gates pass, the test of its fields is true*. A gate is a field that
decides whether a rule is applied at all (a required tool, say). Claims that a theory fails name
the fields that are to blame: at least one of them is wrong, whatever all other fields are.
The same claims serve to check a theory and, tabulated over candidate values, to revise one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN, Alternatives

Field = tuple[str, str]
"""A rule's id and the name of one of its fields."""
Gate = tuple[Field, Callable[[Any], bool]]
"""A field, and whether a value of it lets the rule be applied."""
Values = Callable[[Field], tuple[Any, ...]]
"""The values that a field may have; none of them if nothing is known."""


@dataclass(frozen=True, eq=False)
class Disjunction:
    """Options of which one must hold; several claims may share it, and it is equal to itself alone.

    Attributes:
        options: The options.
    """

    options: tuple[Option, ...]


Option = tuple[tuple[Field, tuple[Any, ...]] | Disjunction, ...]
"""Parts that together make a claim true: a field has one of some values, or one of several other
options holds."""


def values_of(theory: Theory) -> Values:
    """How a theory's fields are looked up; those of a rule that there is not are None."""

    @cache
    def values(of: Field) -> tuple[Any, ...]:
        rule = theory.rule(of[0])
        value = getattr(rule, of[1]) if rule else None
        if value is UNKNOWN:
            return ()
        return value.values if isinstance(value, Alternatives) else (value,)

    return values


class Judgement(NamedTuple):
    """The result of a claim for a theory.

    Attributes:
        holds: Whether it is satisfied; None if that depends on unknown fields.
        fields: Those that are to blame if it is not met; those that it speaks for if it is.
    """

    holds: bool | None
    fields: tuple[Field, ...] = ()


class Claim(NamedTuple):
    """One constraint from a signature.

    Attributes:
        fields: What the test reads.
        test: A predicate on the values of ``fields``.
        gates: Conditions under which the test applies.
    """

    fields: tuple[Field, ...]
    test: Callable[..., bool]
    gates: tuple[Gate, ...] = ()

    @property
    def reads(self) -> tuple[Field, ...]:
        """All fields that it depends on."""
        if not self.gates:
            return self.fields
        return tuple(dict.fromkeys((*(gate for gate, _ in self.gates), *self.fields)))

    def judge(self, values: Values) -> Judgement:
        """Judge a theory by this claim."""
        certain: dict[Field, Any] = {}
        for name in self.reads:
            found = values(name)
            if len(found) != 1:
                return self._judge_any(values)
            certain[name] = found[0]
        return self._judge(certain)

    def _judge_any(self, values: Values) -> Judgement:
        """Judge fields of which some are uncertain."""
        possible = {name: values(name) for name in self.reads}
        if any(not found for found in possible.values()):
            return Judgement(None)
        for chosen in product(*possible.values()):
            if self._judge(dict(zip(possible, chosen, strict=True))).holds:
                return Judgement(None)
        return Judgement(False, self.reads)

    def _judge(self, value: Mapping[Field, Any]) -> Judgement:
        met = self.test(*[value[name] for name in self.fields])
        if self.gates:
            blocked = tuple([name for name, passes in self.gates if not passes(value[name])])
            if blocked:  # A gate is spoken for where things would look otherwise had it been open.
                return Judgement(True, () if met else blocked)
        return Judgement(met, self.speaks_for(value) if met else self.reads)

    def speaks_for(self, value: Mapping[Field, Any]) -> tuple[Field, ...]:  # noqa: ARG002
        """The fields that a met test supports."""
        return self.fields

    def options(self, candidates: Mapping[Field, Sequence[Any]]) -> Iterator[Option]:
        """All ways to meet the claim with candidate values, as few sets of values as possible."""
        for name, passes in self.gates:
            if shut := tuple(value for value in candidates[name] if not passes(value)):
                yield ((name, shut),)
        yield from self._met(candidates)

    def _met(self, candidates: Mapping[Field, Sequence[Any]]) -> Iterator[Option]:
        yield from grouped([(name, candidates[name]) for name in self.fields], self.test)


def of_stated_rules(found: Judgement, values: Values) -> Judgement:
    """A judgement without fields of rules that there are not.

    Of these None stands in every field; of a projectile's rule, its speed tells whether there is
    one, since other fields of it may be None.
    """

    def is_stated(name: Field) -> bool:
        rule, _ = name
        return values((rule, "speed") if rule.startswith("projectile.") else name) != (None,)

    return found._replace(fields=tuple(filter(is_stated, found.fields)))


def grouped(
    fields: Sequence[tuple[Field, Sequence[Any]]],
    test: Callable[..., bool],
    chosen: tuple[Any, ...] = (),
) -> tuple[Option, ...]:
    """All ways to satisfy a test; values that leave the same ways to the others form one set.

    Args:
        fields: The fields that the test reads, each with its candidate values.
        test: A predicate on one value of each field.
        chosen: Values of the fields that precede these.
    """
    if not fields:
        return ((),) if test(*chosen) else ()
    (name, values), *others = fields
    alike: dict[tuple[Option, ...], list[Any]] = {}
    for value in values:
        if found := grouped(others, test, (*chosen, value)):
            alike.setdefault(found, []).append(value)
    return joined(name, len(values), alike)


def joined(
    name: Field, count: int, alike: Mapping[tuple[Option, ...], Sequence[Any]]
) -> tuple[Option, ...]:
    """Options that begin with one field; it is left out where all its values will do.

    Args:
        name: The field.
        count: How many candidate values it has.
        alike: Values of the field by the options that they leave to other fields.
    """
    return tuple(
        option if len(values) == count else ((name, tuple(values)), *option)
        for options, values in alike.items()
        for option in options
    )


def passing(gates: Sequence[Gate]) -> Iterator[Claim]:
    """The claims that each gate passes, for a rule that was surely applied."""
    for name, passes in gates:
        yield Claim((name,), passes)


def blocked(gates: Sequence[Gate]) -> Claim:
    """The claim that some gate does not pass, for a rule that was surely not applied."""
    return Claim((), lambda: False, tuple(gates))
