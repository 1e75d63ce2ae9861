"""The digits of a password as data: counts of paintings, and sums and differences of counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, PlainSerializer, model_validator

from mars_logic.domains.game import word
from mars_logic.domains.rulearn.escape_room.paintings import ATTRIBUTES, Painting
from mars_logic.domains.rulearn.puzzle import PuzzlePart
from mars_logic.world.fields import invalid, shown, unknown
from mars_logic.world.frozen import FrozenMap

FOCUS: Final = "$focus"
"""Stands for the value on which the hint is now."""
_EXAMPLE: Final = "for example {medium: oil, color: $focus} or {color: {not: blue}}"


def _conditions(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise invalid(f"{shown(value)} is not a mapping of attributes to values", _EXAMPLE)
    for attribute in value:
        if attribute not in ATTRIBUTES:
            raise unknown("attribute", attribute, ATTRIBUTES)
    return {name: _condition(name, value[name]) for name in ATTRIBUTES if name in value}


def _condition(attribute: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        if set(value) != {"not"}:
            raise invalid(f"{shown(value)} is no condition", _EXAMPLE)
        return FrozenMap({"not": _plain(attribute, value["not"])})
    return _plain(attribute, value)


def _plain(attribute: str, value: Any) -> str:
    choices = (FOCUS, *ATTRIBUTES[attribute])
    if value not in choices:
        raise unknown(attribute, value, choices)
    return str(value)


def _pair(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise invalid(f"{shown(value)} is not a list of two terms", "[term, term]")
    return value


def _written(found: Mapping[str, Any]) -> dict[str, Any]:
    """Conditions as a file has them."""
    return {name: dict(each) if isinstance(each, Mapping) else each for name, each in found.items()}


Conditions = Annotated[
    Mapping[str, Any],
    BeforeValidator(_conditions),
    AfterValidator(FrozenMap),
    PlainSerializer(_written),
]
"""By attribute: a value, ``$focus`` for what the hint names, or ``{not: either}``."""


class DigitTerm(PuzzlePart):
    """A number of paintings; a digit is the last digit of it. Exactly one field is stated.

    Attributes:
        count: How many paintings meet all these conditions.
        sum: The sum of two terms.
        difference: The absolute difference of two terms.
        distinct: How many values of this attribute there are among the paintings.
        where: With ``distinct``: among the paintings that meet these conditions.
    """

    stated = frozenset({"count", "sum", "difference", "distinct", "where"})

    count: Conditions | None = None
    sum: Annotated[tuple[DigitTerm, DigitTerm], BeforeValidator(_pair)] | None = None
    difference: Annotated[tuple[DigitTerm, DigitTerm], BeforeValidator(_pair)] | None = None
    distinct: Annotated[str, word("attribute", tuple(ATTRIBUTES))] | None = None
    where: Conditions | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> DigitTerm:
        kinds = [self.count, self.sum, self.difference, self.distinct]
        if sum(each is not None for each in kinds) != 1:
            allowed = "exactly one of count, sum, difference, distinct"
            raise invalid("a term is one number", allowed)
        if self.where is not None and self.distinct is None:
            raise invalid("'where' says nothing here", "where, with distinct")
        return self

    def value(self, shown: Iterable[Painting], focus: str) -> int:
        """The number for these paintings while the hint is on this value."""
        seen = list(shown)
        if self.count is not None:
            return sum(meets(each, self.count, focus) for each in seen)
        if self.distinct is not None:
            where = self.where or FrozenMap({})
            return len({p.value(self.distinct) for p in seen if meets(p, where, focus)})
        if self.sum is not None:
            return self.sum[0].value(seen, focus) + self.sum[1].value(seen, focus)
        assert self.difference is not None
        one, other = self.difference
        return abs(one.value(seen, focus) - other.value(seen, focus))


def meets(painting: Painting, conditions: Mapping[str, Any], focus: str) -> bool:
    """Whether a painting meets all conditions."""
    for attribute, wanted in conditions.items():
        negated = isinstance(wanted, Mapping)
        value = wanted["not"] if negated else wanted
        value = focus if value == FOCUS else value
        if (painting.value(attribute) == value) == negated:
            return False
    return True
