"""Uncertain values of a theory's fields: unknown, or weighted alternatives."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from mars_logic.world.fields import invalid, shown


class Unknown(Enum):
    """The type of an unknown value; :data:`UNKNOWN` is its only instance."""

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown.UNKNOWN


@dataclass(frozen=True)
class Alternatives:
    """Mutually exclusive values with weights that sum to 1 (a discrete distribution).

    Make them with :meth:`of`, which puts the most likely value first.
    """

    options: tuple[tuple[Any, float], ...]

    @classmethod
    def of(cls, options: Iterable[tuple[Any, float]]) -> Alternatives:
        """Alternatives with these weights, scaled to sum to 1; equal values are put together.

        Raises:
            PydanticCustomError: There is no option, or a weight is no positive number.
        """
        weights: dict[Any, float] = {}
        for value, weight in options:
            number = isinstance(weight, int | float) and not isinstance(weight, bool)
            if not number or not 0 < weight < math.inf:
                raise invalid(
                    f"the weight {shown(weight)} is no positive number", "a number above 0"
                )
            weights[value] = weights.get(value, 0.0) + weight
        if not weights:
            raise invalid("there is no alternative", "{one_of: [{value: ..., weight: ...}, ...]}")
        total = math.fsum(weights.values())
        if abs(total - 1) < 1e-9:  # scaled already: dividing again would change the last digit
            total = 1.0
        ordered = sorted(weights.items(), key=lambda option: -option[1])
        return cls(tuple((value, weight / total) for value, weight in ordered))

    @property
    def values(self) -> tuple[Any, ...]:
        """The values, the most likely first."""
        return tuple(value for value, _ in self.options)


def is_uncertain(value: Any) -> bool:
    """Whether a field's value is unknown or one of several alternatives."""
    return isinstance(value, Unknown | Alternatives)


def read(value: Any, check: Callable[[Any], Any]) -> Any:
    """A field's value, certain or not, with every certain part checked.

    In YAML, ``unknown`` stands for an unknown value, and
    ``{one_of: [{value: 1, weight: 0.7}, {value: -1, weight: 0.3}]}`` for alternatives; a weight
    is 1 if left out.
    """
    if value is UNKNOWN or value == UNKNOWN.value:
        return UNKNOWN
    if isinstance(value, Alternatives):
        options: Iterable[tuple[Any, Any]] = value.options
    elif isinstance(value, Mapping) and set(value) == {"one_of"}:
        options = _options(value["one_of"])
    else:
        return check(value)
    found = Alternatives.of((check(option), weight) for option, weight in options)
    return found if len(found.options) > 1 else found.values[0]


def write(value: Any, plain: Callable[[Any], Any]) -> Any:
    """The plain data that :func:`read` reads."""
    if value is UNKNOWN:
        return UNKNOWN.value
    if isinstance(value, Alternatives):
        return {"one_of": [{"value": plain(v), "weight": weight} for v, weight in value.options]}
    return plain(value)


def _options(stated: Any) -> Iterable[tuple[Any, Any]]:
    allowed = "{one_of: [{value: ..., weight: ...}, ...]}"
    if not isinstance(stated, list | tuple):
        raise invalid(f"{shown(stated)} is not a list of alternatives", allowed)
    for option in stated:
        if not isinstance(option, Mapping) or not {"value"} <= set(option) <= {"value", "weight"}:
            raise invalid(f"{shown(option)} is no alternative", allowed)
        yield option["value"], option.get("weight", 1)
