"""Facts as data: one notation, for language models with structured output and for files of rules.

Of a field it holds its ``value``, or of a list what it ``has`` and ``lacks``, and whether that is
``complete``. The JSON schema has one form for the fields of a family that hold values of one kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

from pydantic import ValidationError

from mars_logic.world.dialect import ARROW_POINTS, ATTACK_POINTS, EATEN_POINTS, MAXIMUM
from mars_logic.world.families import families_of
from mars_logic.world.fields import nearest, shown
from mars_logic.world.frozen import FrozenMap
from mars_logic.world.mistakes import mistakes
from mars_logic.world.rules import Rule
from mars_logic.world.schema import QuietJsonSchema
from mars_logic.world.uncertain import UNKNOWN, is_uncertain
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.facts import (
    LISTS,
    Element,
    Exactly,
    Excluding,
    Fact,
    Including,
    Said,
    Signed,
    rule_of,
)

OPEN: Final = "unknown"
"""What stands for an amount or a value that is left open."""
_SIGNS: Final = {"gain": 1, "loss": -1}
_ONE: Final = ("value",)
_SEVERAL: Final = ("has", "lacks", "complete")
_OF_ELEMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "amounts": ("name", "amount"),
    "yields": ("name", "amount", "probability"),
    "chances": ("name", "probability"),
}
_UNITS: Final = {
    "eaten_food_factor": f"units of {EATEN_POINTS['creature']['food']} food",
    "eaten_drink_factor": f"units of {EATEN_POINTS['creature']['drink']} drink",
    "eaten_health_factor": f"units of {EATEN_POINTS['creature']['health']} health",
    "attack_health_factor": f"units of {ATTACK_POINTS['creature']['awake']} health",
    "arrow_health_factor": f"units of {ARROW_POINTS} health",
}
"""Creatures' effects, which are multiples of the game's numbers."""


class FactError(ValueError):
    """An entry states no fact; the message says why."""


@cache
def facts_schema(words: Vocabulary) -> dict[str, Any]:
    """The JSON schema (2020-12) of a list of facts; all fields are required, as endpoints want it.

    Args:
        words: The vocabulary of the world.
    """
    forms = [_form(kind, names, words) for kind, names in _groups(words)]
    return {"type": "array", "items": {"anyOf": forms}}


def fact_sheet(words: Vocabulary) -> str:
    """The forms of facts on a page, for a language model: rules, fields and values by family.

    Args:
        words: The vocabulary of the world.
    """
    lines = [
        f"- {kind.family}.{{{'|'.join(words.subjects[kind.family])}}}: "
        + "; ".join(_told(kind, name, words) for name in kind.field_names())
        for kind in families_of(words)
    ]
    return "\n".join(lines)


def read_fact(entry: Any, words: Vocabulary) -> tuple[Fact, ...]:
    """The facts of an entry of :func:`facts_schema`; none if it leaves its field open.

    Args:
        entry: Plain data.
        words: The vocabulary of the world.

    Raises:
        FactError: It is not of the form, or no rule can be like that.
    """
    if not isinstance(entry, Mapping):
        raise FactError(f"{shown(entry)} is not an object with rule and field")
    rule, kind = _rule(entry.get("rule"), words)
    name = entry.get("field")
    if name not in kind.field_names():
        listed = ", ".join(kind.field_names())
        raise FactError(f"{rule} has no field {shown(name)}; its fields are: {listed}")
    about = {key: value for key, value in entry.items() if key not in ("rule", "field")}
    found = facts_of_field(rule, kind, name, about, words)
    if any(is_uncertain(each.said.value) for each in found if isinstance(each.said, Exactly)):
        raise FactError(f"{rule}.{name}: {shown(entry['value'])} is no single value")
    return found


def facts_of_field(
    rule: str, kind: type[Rule], name: str, about: Mapping[str, Any], words: Vocabulary
) -> tuple[Fact, ...]:
    """The facts about one field; none if it is left open.

    ``value`` is as a world's file states it, or ``gain`` or ``loss`` of points. ``has`` says what a
    list holds at least, ``lacks`` what it does not hold, and ``complete`` that it holds nothing
    else. What is missing of an element is open.

    Args:
        rule: The rule's id.
        kind: Its family.
        name: The field.
        about: What is said of it, as plain data.
        words: The vocabulary of the world.

    Raises:
        FactError: It is not of the form, or no rule can be like that.
    """
    several = "value" not in about and _kind_of(kind, name) in (*_OF_ELEMENTS, "names")
    _only(about, _SEVERAL if several else _ONE, f"{rule}.{name}")
    found = _several(about, rule, kind, name, words) if several else _one(about, rule, kind, name)
    try:
        return tuple(_checked(fact, words) for fact in found)
    except ValidationError as error:
        wrong = mistakes(error)[0]
        told = f"; allowed: {wrong.allowed}" if wrong.allowed else ""
        raise FactError(f"{rule}.{name}: {wrong.message}{told}") from None


def data_of(said: Said, field: str, value: Any) -> dict[str, Any]:
    """What is said of a field as data that :func:`facts_of_field` reads.

    Args:
        said: What is said.
        field: The field.
        value: Its whole value as plain data, if that is said.
    """
    if isinstance(said, Including):
        return {"has": [_element_data(*each, field) for each in said.parts.items()]}
    if isinstance(said, Excluding):
        return {"lacks": list(said.names)}
    if isinstance(said, Signed):
        return {"value": next(name for name, sign in _SIGNS.items() if sign == said.sign)}
    return {"value": value}


def _element_data(name: str, part: Element, field: str) -> Any:
    if field in LISTS:
        return name
    counted = isinstance(part.amount, int) and field != "spawns"
    amount = {"amount": part.amount} if counted else {}
    chance = {} if part.probability is None else {"probability": part.probability}
    return {"name": name, **amount, **chance}


# --- The schema -----------------------------------------------------------------------------------


@cache
def _properties(kind: type[Rule]) -> dict[str, Any]:
    """The JSON schema of each field of a family."""
    found = kind.model_json_schema(schema_generator=QuietJsonSchema)["properties"]
    return {name: found[name] for name in kind.field_names()}


def _kind_of(kind: type[Rule], name: str) -> str:
    """What a field holds: flag, points, number, name, names, amounts, yields or chances."""
    about = _properties(kind)[name]
    if about.get("type") == "boolean":
        return "flag"
    if about.get("type") == "integer":
        return "points" if about["minimum"] < 0 else "number"
    if about.get("type") == "array":
        return "data" if "$ref" in about["items"] else "names"
    if about.get("type") == "object":
        of_name = {"yields": "yields", "spawns": "chances"}
        return of_name.get(name, "amounts") if kind.family == "collect" else "amounts"
    return "name"


def _groups(words: Vocabulary) -> Iterator[tuple[type[Rule], list[str]]]:
    """The fields of each family that hold values of one kind."""
    for kind in families_of(words):
        groups: dict[str, list[str]] = {}
        for name in kind.field_names():
            alone = {"flag": "flag", "points": "points"}.get(_kind_of(kind, name), name)
            groups.setdefault(alone, []).append(name)
        for names in groups.values():
            yield kind, names


def _form(kind: type[Rule], names: Sequence[str], words: Vocabulary) -> dict[str, Any]:
    """The form of a fact about some fields of a family."""
    rules = [f"{kind.family}.{subject}" for subject in words.subjects[kind.family]]
    held = _kind_of(kind, names[0])
    about = {"rule": {"enum": rules}, "field": {"enum": [*names]}}
    if held in ("flag", "points", "number", "name"):
        return _closed({**about, "value": {"anyOf": [*_values(kind, names[0], words)]}})
    if held == "data":
        anything = {"type": "array", "items": {"type": "object"}}
        return _closed({**about, "value": {"anyOf": [anything, {"enum": [OPEN]}]}})
    allowed = {"enum": [*_listed(kind, names[0], words)]}
    several = {"type": "array", "items": _element(held, allowed)}
    lacking = {"type": "array", "items": allowed}
    return _closed({**about, "has": several, "lacks": lacking, "complete": {"type": "boolean"}})


def _values(kind: type[Rule], name: str, words: Vocabulary) -> Iterator[dict[str, Any]]:
    held = _kind_of(kind, name)
    if held == "flag":
        yield {"type": "boolean"}
    elif held in ("points", "number"):
        about = _properties(kind)[name]
        yield {"type": "integer", **{key: about[key] for key in ("minimum", "maximum")}}
    else:
        yield {"enum": [*_listed(kind, name, words)]}
        if "anyOf" in _properties(kind)[name]:
            yield {"type": "null"}
    yield {"enum": [*_SIGNS, OPEN] if held == "points" else [OPEN]}


def _element(held: str, allowed: Mapping[str, Any]) -> Mapping[str, Any]:
    """The form of an element of a list."""
    amount = {"anyOf": [{"type": "integer", "minimum": 1, "maximum": MAXIMUM}, {"enum": [OPEN]}]}
    chance = {"anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"type": "null"}]}
    if held == "names":
        return allowed
    if held == "chances":
        return _closed({"name": allowed, "probability": chance})
    more = {"probability": chance} if held == "yields" else {}
    return _closed({"name": allowed, "amount": amount, **more})


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [*properties],
        "properties": {**properties},
    }


def _listed(kind: type[Rule], name: str, words: Vocabulary) -> Sequence[str]:
    """The names that a field may hold."""
    if name == "spawns":
        return words.creatures
    if name == "yields" and kind.family == "collect":
        return words.gains
    if name in ("requires", "uses", "yields", "damage") or (
        kind.family == "eat" and name == "leaves"
    ):
        return words.holdable
    if kind.family in ("neighbour", "rename"):
        return words.natural
    return words.left if name == "leaves" else words.placed_on


def _told(kind: type[Rule], name: str, words: Vocabulary) -> str:
    """A field on the page of forms."""
    held = _kind_of(kind, name)
    about = _properties(kind)[name]
    if held == "flag":
        return f"{name} (true, false)"
    if held == "number":
        return f"{name} ({about['minimum']} to {about['maximum']})"
    if held == "points":
        unit = f", {_UNITS[name]}" if name in _UNITS else ""
        return f"{name} ({about['minimum']} to {about['maximum']}, gain, loss{unit})"
    if held == "data":
        return f"{name} (a list of cases as in a world's file)"
    return f"{name} ({'a ' if held == 'name' else 'has, lacks: '}{_sort(kind, name, words)})"


def _sort(kind: type[Rule], name: str, words: Vocabulary) -> str:
    listed = _listed(kind, name, words)
    if listed == words.holdable:
        return "item"
    return {"spawns": "creature", "yields": "item or drink"}.get(name, "material")


# --- Reading --------------------------------------------------------------------------------------


def _rule(name: Any, words: Vocabulary) -> tuple[str, type[Rule]]:
    rules = {f"{k.family}.{s}": k for k in families_of(words) for s in words.subjects[k.family]}
    if not isinstance(name, str) or name not in rules:
        hint = nearest(name, tuple(rules)) if isinstance(name, str) else ""
        raise FactError(f"there is no rule {shown(name)}{hint}")
    return name, rules[name]


def _checked(fact: Fact, words: Vocabulary) -> Fact:
    """A fact whose value, if it is whole, is as rules hold it."""
    rule = rule_of([fact], words)
    if not isinstance(fact.said, Exactly):
        return fact
    return replace(fact, said=Exactly(getattr(rule, fact.field)))


def _only(entry: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in entry:
        if key not in known:
            listed = ", ".join(known)
            raise FactError(f"{where}: unknown key {shown(key)}; allowed: {listed}")


def _one(entry: Mapping[str, Any], rule: str, kind: type[Rule], name: str) -> tuple[Fact, ...]:
    if "value" not in entry:
        raise FactError(f"{rule}.{name}: its value is missing")
    value = entry["value"]
    if value == OPEN:
        return ()
    if isinstance(value, str) and value in _SIGNS and _kind_of(kind, name) == "points":
        return (Fact(rule, name, Signed(_SIGNS[value])),)
    return (Fact(rule, name, Exactly(value)),)


def _several(
    entry: Mapping[str, Any], rule: str, kind: type[Rule], name: str, words: Vocabulary
) -> tuple[Fact, ...]:
    held = _kind_of(kind, name)
    has, lacks = entry.get("has", []), entry.get("lacks", [])
    complete = entry.get("complete", False)
    if not isinstance(has, list) or not isinstance(lacks, list) or not isinstance(complete, bool):
        raise FactError(f"{rule}.{name}: has and lacks are lists, and complete is true or false")
    parts = dict(_part(each, held, f"{rule}.{name}") for each in has)
    allowed = _listed(kind, name, words)
    for each in (*parts, *lacks):
        if each not in allowed:
            hint = nearest(each, allowed) if isinstance(each, str) else ""
            raise FactError(f"{rule}.{name}: {shown(each)} cannot be in it{hint}")
    if len(parts) < len(has) or parts.keys() & {*lacks}:
        raise FactError(f"{rule}.{name}: a name is in it twice")
    including = Fact(rule, name, Including(FrozenMap(parts)))
    if complete:
        if not including.settled:
            raise FactError(f"{rule}.{name}: it is complete, and an amount is open")
        return (Fact(rule, name, Exactly(including.example)),)
    found = (including,) if parts else ()
    return (*found, Fact(rule, name, Excluding(tuple(lacks)))) if lacks else found


def _part(each: Any, held: str, where: str) -> tuple[str, Element]:
    """An element of a list: its name, with amount and probability."""
    if isinstance(each, str):
        return each, Element(1 if held == "chances" else UNKNOWN)
    if held == "names" or not isinstance(each, Mapping) or not isinstance(each.get("name"), str):
        raise FactError(f"{where}: {shown(each)} is no element of it")
    _only(each, _OF_ELEMENTS[held], where)
    amount, chance = each.get("amount", OPEN), each.get("probability")
    whole = isinstance(amount, int) and not isinstance(amount, bool) and 1 <= amount <= MAXIMUM
    if not whole and amount != OPEN:
        raise FactError(f"{where}: {shown(amount)} is no amount; allowed: 1 to {MAXIMUM}, {OPEN}")
    if chance is not None and (
        isinstance(chance, bool) or not isinstance(chance, int | float) or not 0 <= chance <= 1
    ):
        raise FactError(f"{where}: {shown(chance)} is no probability; allowed: 0 to 1")
    if held == "chances":
        if chance is None:
            raise FactError(f"{where}: a probability is missing")
        return each["name"], Element(1, float(chance))
    return each["name"], Element(amount if whole else UNKNOWN, chance)
