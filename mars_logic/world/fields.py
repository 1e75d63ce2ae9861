"""The types of rule fields: accepted values, and messages for all others.

Every check raises a ``PydanticCustomError`` whose context holds ``allowed``, so that a message
about a world file can name the allowed values.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    PlainSerializer,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from mars_logic.system.printable import MOST, in_one_line
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.frozen import FrozenMap

T = TypeVar("T")


def invalid(problem: str, allowed: str) -> PydanticCustomError:
    """The error for a wrong field, with its message and allowed values."""
    return PydanticCustomError("invalid", "{problem}", {"problem": problem, "allowed": allowed})


def shown(value: Any) -> str:
    """A value as a message quotes it: at most about 40 characters."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    kinds: dict[type, str] = {dict: "a mapping", list: "a list", tuple: "a list"}
    told = f"'{in_one_line(value[:MOST])}'" if isinstance(value, str) else str(value)
    text = kinds.get(type(value)) or told
    if len(text) <= 40:
        return text
    return f"{text[:36]}...'" if text.startswith("'") else f"{text[:36]}..."


def nearest(word: str, choices: Iterable[str]) -> str:
    """A hint that names the choice closest to the word; empty without a close one."""
    if ":" in word:
        return ", is a blank missing after its colon?"
    lowered = word.strip().lower().replace(" ", "_")
    found = difflib.get_close_matches(lowered, list(choices), n=1, cutoff=0.6)
    return f", did you mean '{found[0]}'?" if found else ""


def unknown(kind: str, word: Any, choices: Iterable[str]) -> PydanticCustomError:
    """The error for a name outside the choices."""
    choices = tuple(choices)
    hint = nearest(word, choices) if isinstance(word, str) else ""
    return invalid(f"unknown {kind} {shown(word)}{hint}", ", ".join(choices))


def known_names(info: ValidationInfo, attribute: str, usual: tuple[str, ...]) -> tuple[str, ...]:
    """Names of the vocabulary that a rule is validated against; by default Crafter's."""
    return usual if info.context is None else tuple(getattr(info.context, attribute))


def name_of(kind: str, attribute: str, usual: tuple[str, ...]) -> tuple[Any, Any]:
    """A validator and a JSON schema for a name.

    Args:
        kind: What it names, for messages.
        attribute: The attribute of a vocabulary that lists these names.
        usual: Crafter's names.
    """

    def check(value: Any, info: ValidationInfo) -> str:
        choices = known_names(info, attribute, usual)
        if not isinstance(value, str) or value not in choices:
            raise unknown(kind, value, choices)
        return value

    return BeforeValidator(check), WithJsonSchema({"enum": list(usual)})


def choice_of(kind: str, choices: tuple[str, ...]) -> tuple[Any, Any]:
    """A validator and a JSON schema for one of some fixed words."""

    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise unknown(kind, value, choices)
        return value

    return BeforeValidator(check), WithJsonSchema({"enum": list(choices)})


def number(low: float, high: float, *, whole: bool) -> tuple[Any, Any]:
    """A validator and a JSON schema for a number in a closed range (true and false are none)."""
    kind = "a whole number" if whole else "a number"
    types = (int,) if whole else (int, float)

    def check(value: Any) -> int | float:
        if isinstance(value, bool) or not isinstance(value, types):
            raise invalid(f"{shown(value)} is not {kind}", f"{kind} from {low} to {high}")
        if not low <= value <= high:
            raise invalid(f"{value} is out of range", f"{kind} from {low} to {high}")
        return value

    schema = {"type": "integer" if whole else "number", "minimum": low, "maximum": high}
    return BeforeValidator(check), WithJsonSchema(schema)


def _check_flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise invalid(f"{shown(value)} is neither true nor false", "true, false")
    return value


def mapping(what: str, example: str) -> Any:
    """A validator that accepts mappings alone; its message shows an example."""

    def check(value: Any) -> Mapping[Any, Any]:
        if not isinstance(value, Mapping):
            raise invalid(f"{shown(value)} is not a mapping of {what}", f"for example {example}")
        return value

    return BeforeValidator(check)


def _check_list(value: Any) -> Any:
    if not isinstance(value, list | tuple):
        raise invalid(f"{shown(value)} is not a list of materials", "for example [grass, sand]")
    return value


def _sorted_materials(values: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
    """Sort a list without a meaningful order; refuse repetitions."""
    repeated = sorted({value for value in values if values.count(value) > 1})
    if repeated:
        raise invalid(f"'{repeated[0]}' is listed twice", "each material at most once")
    return tuple(sorted(values, key=known_names(info, "materials", names.MATERIALS).index))


def in_order(attribute: str, usual: tuple[str, ...]) -> AfterValidator:
    """A validator that sorts a mapping by the place of its keys in a vocabulary.

    Args:
        attribute: The attribute of a vocabulary that lists these names.
        usual: Crafter's names.
    """

    def sort(values: Mapping[str, T], info: ValidationInfo) -> FrozenMap[str, T]:
        known = known_names(info, attribute, usual)
        return FrozenMap({name: values[name] for name in known if name in values})

    return AfterValidator(sort)


BY_ITEM = in_order("items", names.ITEMS)
"""Sorts a mapping by the places of its items in the inventory."""
BY_MATERIAL = in_order("materials", names.MATERIALS)
"""Sorts a mapping by the codes of its materials."""


Flag = Annotated[bool, BeforeValidator(_check_flag)]
Points = Annotated[int, *number(-MAXIMUM, MAXIMUM, whole=True)]
Factor = Annotated[int, *number(-MAXIMUM, MAXIMUM, whole=True)]
Amount = Annotated[int, *number(1, MAXIMUM, whole=True)]
Probability = Annotated[float, *number(0, 1, whole=False)]

Natural = Annotated[str, *name_of("material", "natural", names.NATURAL)]
Left = Annotated[str, *name_of("material", "left", names.NATURAL)]
Material = Annotated[str, *name_of("material", "placed_on", get_args(names.Material))]
Holdable = Annotated[str, *name_of("item", "holdable", names.HOLDABLE)]
Gain = Annotated[str, *name_of("item", "gains", names.GAINS)]
CreatureName = Annotated[str, *name_of("creature", "creatures", names.CREATURES)]

Amounts = Annotated[
    Mapping[Holdable, Amount],
    mapping("items to amounts", "{wood: 1}"),
    BY_ITEM,
    PlainSerializer(dict),
]
Materials = Annotated[
    tuple[Material, ...],
    BeforeValidator(_check_list),
    AfterValidator(_sorted_materials),
    PlainSerializer(list),
]
