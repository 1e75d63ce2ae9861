"""Facts: what a sentence says of single fields of rules, and no more.

A sentence may state parts of fields, too: some of the items that a tool needs, the sign
of an effect. A :class:`Fact` holds one such statement. It is true in a world exactly if the field's
value there is among those that it admits, whatever else the field holds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mars_logic.world.cell_rules import CELL_RULES
from mars_logic.world.creature_rules import CREATURE_RULES
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.need_rules import AddedNeed
from mars_logic.world.projectile_rules import PROJECTILE_RULES
from mars_logic.world.rules import FAMILIES, Rule
from mars_logic.world.theory import Theory
from mars_logic.world.trace_rules import Eat
from mars_logic.world.uncertain import UNKNOWN, Unknown, is_uncertain
from mars_logic.world.vocabulary import Vocabulary

_KINDS: tuple[type[Rule], ...] = (
    *FAMILIES,
    Eat,
    *CELL_RULES,
    *CREATURE_RULES,
    *PROJECTILE_RULES,
    AddedNeed,
)
_FAMILIES = {kind.family: kind for kind in _KINDS}

LISTS = ("where", "nearby", "onto", "over", "near", "kept_by")
"""Fields whose elements have no amounts."""


class Said(ABC):
    """What is said of a field: the set of its possible values."""

    @abstractmethod
    def admits(self, value: Any) -> bool:
        """Whether a value agrees with it."""

    @property
    @abstractmethod
    def example(self) -> Any:
        """The smallest value that agrees with it, as plain data."""

    def admits_with(self, other: Said) -> bool:
        """Whether another statement on the same field can be true with this one."""
        return self.admits(other.example) or other.admits(self.example)


@dataclass(frozen=True)
class Exactly(Said):
    """The whole value of a field."""

    value: Any

    def admits(self, value: Any) -> bool:
        """Whether it is this value; the order of a mapping does not matter."""
        return bool(_plain(value) == _plain(self.value))

    @property
    def example(self) -> Any:
        """The value."""
        return self.value

    def __str__(self) -> str:
        return f"= {_shown(self.value)}"


@dataclass(frozen=True)
class Element:
    """What is said of one element of a list or mapping.

    Attributes:
        amount: Its amount; UNKNOWN if none is given.
        probability: Of yields and spawned creatures; None if it is certain.
    """

    amount: int | Unknown = UNKNOWN
    probability: float | None = None

    def admits(self, value: Any) -> bool:
        """Whether the element's value in a rule agrees with it."""
        amount, probability = _amount_and_chance(value)
        return self.amount in (UNKNOWN, amount) and self.probability in (
            (None, 1) if probability in (None, 1) else (probability,)
        )

    def __str__(self) -> str:
        amount = "" if self.amount is UNKNOWN else f" {self.amount}"
        return amount + ("" if self.probability is None else f" @ {self.probability:g}")


@dataclass(frozen=True)
class Including(Said):
    """Some elements of a list or mapping, which may have more."""

    parts: Mapping[str, Element]

    def admits(self, value: Any) -> bool:
        """Whether a list or mapping holds these elements; one that never occurs may be missing."""
        elements = _elements(value)
        return all(
            part.admits(elements[name]) if name in elements else part.probability == 0
            for name, part in self.parts.items()
        )

    @property
    def example(self) -> Any:
        """These elements alone, each once where no amount is given."""
        return {name: _value(part) for name, part in self.parts.items()}

    def admits_with(self, other: Said) -> bool:
        """Whether the elements that both state can be alike, and the other excludes none."""
        if isinstance(other, Including):
            common = self.parts.keys() & other.parts.keys()
            return all(self.parts[name].admits(_value(other.parts[name])) for name in common)
        return other.admits(self.example)

    def __str__(self) -> str:
        return f"has {', '.join(f'{name}{part}' for name, part in self.parts.items())}"


@dataclass(frozen=True)
class Excluding(Said):
    """Elements that a list or mapping does not have."""

    names: tuple[str, ...]

    def admits(self, value: Any) -> bool:
        """Whether a list or mapping holds none of them, or only as ones that never occur."""
        found = _elements(value)
        return all(_amount_and_chance(found[name])[1] == 0 for name in self.names if name in found)

    @property
    def example(self) -> Any:
        """Nothing."""
        return {}

    def __str__(self) -> str:
        return f"lacks {', '.join(self.names)}"


@dataclass(frozen=True)
class Signed(Said):
    """The sign of a number: 1 or -1."""

    sign: int

    def admits(self, value: Any) -> bool:
        """Whether a number has this sign."""
        return bool(value * self.sign > 0)

    @property
    def example(self) -> Any:
        """The sign itself."""
        return self.sign

    def __str__(self) -> str:
        return "> 0" if self.sign > 0 else "< 0"


@dataclass(frozen=True)
class Fact:
    """A statement on one field of one rule.

    Attributes:
        rule: The rule's id.
        field: The field's name.
        said: What is said of it.

    Example:
        >>> str(Fact("place.table", "uses", Including(FrozenMap({"wood": Element(2)}))))
        'place.table.uses has wood 2'
    """

    rule: str
    field: str
    said: Said

    @property
    def example(self) -> Any:
        """The smallest value of the field with which it is true, as plain data."""
        example = self.said.example
        if not isinstance(self.said, Including | Excluding):
            return example
        if self.field in LISTS:
            return list(example)
        if self.field == "spawns":
            return {name: each["probability"] for name, each in example.items()}
        return example

    @property
    def settled(self) -> bool:
        """Whether it says all but that the field holds nothing else."""
        if isinstance(self.said, Including):
            amounts = (part.amount for part in self.said.parts.values())
            return self.field in LISTS or UNKNOWN not in amounts
        return isinstance(self.said, Exactly)

    def holds_in(self, theory: Theory) -> bool | None:
        """Whether it is true by a theory; None where the theory leaves the field open."""
        value = getattr(theory[self.rule], self.field)
        return None if is_uncertain(value) else self.said.admits(value)

    def __str__(self) -> str:
        return f"{self.rule}.{self.field} {self.said}"


def rule_of(facts: Iterable[Fact], words: Vocabulary | None = None) -> Rule:
    """The smallest rule with which some facts on it are true; other fields are unknown.

    Args:
        facts: The facts.
        words: The vocabulary of their world, Crafter's by default.

    Raises:
        ValidationError: No rule can be like that.
    """
    stated = {fact.field: fact for fact in facts}
    family, _, subject = next(iter(stated.values())).rule.partition(".")
    kind = _FAMILIES[family]
    fields = dict.fromkeys(kind.field_names(), UNKNOWN)
    examples = {name: fact.example for name, fact in stated.items()}
    return kind.model_validate({"subject": subject, **fields, **examples}, context=words)


def facts_of(rule: Rule) -> frozenset[Fact]:
    """The facts that the certain fields of a rule state, its lists as lists of some elements."""
    told = {name: said(getattr(rule, name)) for name in rule.field_names()}
    return frozenset(Fact(rule.id, name, each) for name, each in told.items() if each is not None)


def said(value: Any) -> Said | None:
    """What a value that a sentence states says of its field; None for an open amount.

    A list says what it lists at least; the empty list is told as a whole ("needs nothing").
    """
    if isinstance(value, Said):
        return value
    if value is UNKNOWN:
        return None
    if isinstance(value, tuple) and value and not all(isinstance(each, str) for each in value):
        return Exactly(value)  # in its order
    if isinstance(value, tuple) and value:
        return Including(FrozenMap(dict.fromkeys(value, Element())))
    if isinstance(value, Mapping) and any(isinstance(each, str) for each in value.values()):
        return Exactly(FrozenMap(value))  # what becomes of it, by materials
    if isinstance(value, Mapping) and value:
        return Including(FrozenMap({name: _stated(each) for name, each in value.items()}))
    return Exactly(FrozenMap(value) if isinstance(value, Mapping) else value)


def _elements(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else dict.fromkeys(value, 1)


def _amount_and_chance(value: Any) -> tuple[Any, float | None]:
    """Amount and probability of an element of a rule's field."""
    if isinstance(value, float):
        return 1, value
    if isinstance(value, int | Unknown):
        return value, None
    if isinstance(value, Mapping):
        return value.get("amount", 1), value.get("probability")
    return value.amount, value.probability


def _stated(value: Any) -> Element:
    return Element(*_amount_and_chance(value))


def _value(part: Element) -> Any:
    amount = 1 if part.amount is UNKNOWN else part.amount
    if part.probability is None:
        return amount
    return {"amount": amount, "probability": part.probability}


def _plain(value: Any) -> Any:
    """A value such that equal ones make equal worlds: order does not matter."""
    if isinstance(value, Mapping):
        return {name: _stated(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return frozenset(value) if all(isinstance(each, str) for each in value) else tuple(value)
    return value


def _shown(value: Any) -> str:
    if isinstance(value, Mapping | tuple) and not value:
        return "nothing"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, Mapping):
        texts = {n: f": {v}" if isinstance(v, str) else str(_stated(v)) for n, v in value.items()}
        return ", ".join(f"{name}{text}" for name, text in texts.items())
    return str(value).lower() if isinstance(value, bool) else str(value)
