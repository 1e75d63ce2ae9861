"""The JSON schema of world files, for completion and validation in editors."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from mars_logic.world import names
from mars_logic.world.added_creatures import LOOKS as CREATURE_LOOKS
from mars_logic.world.added_creatures import RANGES
from mars_logic.world.adds import COLOUR, LONGEST, LOOKS, MOST_NEEDS, NAME
from mars_logic.world.cell_rules import CELL_RULES
from mars_logic.world.constants import ranges
from mars_logic.world.creature_rules import CREATURE_RULES, MOST_CASES, BehaviourCase
from mars_logic.world.dialect import LONGEST_EPISODE, MAXIMUM
from mars_logic.world.goals import LARGEST_REWARD, MOST_GOALS
from mars_logic.world.load import all_bundled_worlds
from mars_logic.world.maps import MOST_DRAWINGS
from mars_logic.world.need_rules import AddedNeed
from mars_logic.world.projectile_rules import PROJECTILE_RULES
from mars_logic.world.rules import FAMILIES, Rule, Yield
from mars_logic.world.trace_rules import Eat
from mars_logic.world.validate import DOMAIN
from mars_logic.world.vocabulary import (
    ARROW,
    CELL_FAMILIES,
    CREATURE_FAMILIES,
    PROJECTILE_FAMILIES,
    vocabulary,
)

ID = "mars-logic world 1"


_A_NAME: dict[str, Any] = {"type": "string", "pattern": f"^{NAME.pattern}$", "maxLength": LONGEST}
_NAMES = {"type": "array", "items": _A_NAME, "uniqueItems": True}
_APPEARANCE: dict[str, Any] = {
    "type": ["object", "null"],
    "additionalProperties": False,
    "properties": {
        "looks": {"enum": list(LOOKS)},
        "colour": {"type": "string", "pattern": f"^{COLOUR.pattern}$"},
    },
}
_NUMBERS = {
    name: {
        "type": "integer" if allowed.whole else "number",
        "minimum": allowed.least,
        "maximum": allowed.most,
    }
    for name, allowed in RANGES.items()
}
_CREATURE = {
    "type": ["object", "null"],
    "additionalProperties": False,
    "properties": {
        "looks": {"enum": list(CREATURE_LOOKS)},
        "colour": _APPEARANCE["properties"]["colour"],
        "health": _NUMBERS["health"],
        "ground": {"anyOf": [_A_NAME, {"type": "array", "items": _A_NAME, "minItems": 1}]},
        "comes": {
            "type": ["object", "null"],
            "additionalProperties": False,
            "required": ["ground"],
            "properties": {
                "ground": _A_NAME,
                **{name: number for name, number in _NUMBERS.items() if name != "health"},
            },
        },
    },
}
_PROJECTILE = {
    "type": ["object", "null"],
    "additionalProperties": False,
    "properties": {"colour": _APPEARANCE["properties"]["colour"]},
}
_ADDS = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "materials": {
            "anyOf": [
                _NAMES,
                {
                    "type": "object",
                    "propertyNames": _A_NAME,
                    "additionalProperties": _APPEARANCE,
                },
            ]
        },
        "items": _NAMES,
        "needs": {**_NAMES, "maxItems": MOST_NEEDS},
        "projectiles": {
            "anyOf": [
                _NAMES,
                {
                    "type": "object",
                    "propertyNames": _A_NAME,
                    "additionalProperties": _PROJECTILE,
                },
            ]
        },
        "creatures": {
            "anyOf": [
                _NAMES,
                {
                    "type": "object",
                    "propertyNames": _A_NAME,
                    "additionalProperties": _CREATURE,
                },
            ]
        },
    },
}
_WITH_ADDED_SUBJECTS = (
    *("walk", "creature", "collect", "place", "make", "eat"),
    *(*CELL_FAMILIES, *CREATURE_FAMILIES, *PROJECTILE_FAMILIES, "need"),
)
"""Families with rules about added names."""


class QuietJsonSchema(GenerateJsonSchema):
    """Empty defaults cannot be written as JSON, and need no warning."""

    ignored_warning_kinds = {"non-serializable-default", "skipped-choice"}  # noqa: RUF012


def json_schema() -> dict[str, Any]:
    """The schema (JSON Schema 2020-12) of our world format.

    All fields are optional in it, since a world with a base states only the differences;
    ``mars-logic validate`` checks a file's completeness. In a world that adds names, or stands on
    another file, that may add some, any name may stand where added names can.
    """
    usual = {kind.family: _section(kind) for kind in FAMILIES}
    cells = {kind.family: _of_any_material(kind) for kind in CELL_RULES}
    cells |= {
        kind.family: _closed(dict.fromkeys(names.CREATURES, _rule(kind))) for kind in CREATURE_RULES
    }
    cells |= {kind.family: _closed({ARROW: _rule(kind)}) for kind in PROJECTILE_RULES}
    own_kinds: tuple[type[Rule], ...] = (*CELL_RULES, *CREATURE_RULES, *PROJECTILE_RULES, AddedNeed)
    kinds: tuple[type[Rule], ...] = (*FAMILIES, Eat, *own_kinds)
    own = {kind.family: _open_section(kind) for kind in kinds}
    text = {"type": "string"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": ID,
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "domain": {"const": DOMAIN},
            "name": text,
            "title": text,
            "base": text,
            "dynamics": {"enum": list(names.DYNAMICS)},
            "length": {"type": "integer", "minimum": 1, "maximum": LONGEST_EPISODE},
            "map": _map(),
            "adds": _ADDS,
            "goals": _goals(),
            "constants": _constants(),
            **{key: {"type": "object"} for key in own},
        },
        "if": {
            "anyOf": [
                {"required": ["adds"]},
                {
                    "required": ["base"],
                    "properties": {"base": {"not": {"enum": list(all_bundled_worlds())}}},
                },
            ]
        },
        "then": {"properties": own},
        "else": {"properties": {**usual, "eat": False, "need": False, **cells}},
        "$defs": {"Yield": Yield.model_json_schema(schema_generator=QuietJsonSchema)},
    }


def _open_section(kind: type[Rule]) -> dict[str, Any]:
    """The section of a family in a world that adds names."""
    if kind.family not in _WITH_ADDED_SUBJECTS:
        return _section(kind)
    section = _section(kind)
    section["properties"] = {name: _opened(rule) for name, rule in section["properties"].items()}
    return {**section, "patternProperties": {_A_NAME["pattern"]: _opened(_rule(kind))}}


def _of_any_material(kind: type[Rule]) -> dict[str, Any]:
    """The section of a family whose rules may be about any material."""
    return _closed(dict.fromkeys(names.MATERIALS[1:], _rule(kind)))


def _opened(schema: Any) -> Any:
    """A schema in which any name may stand where one of several may."""
    if isinstance(schema, list):
        return [_opened(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "enum" in schema:
        return {"anyOf": [schema, _A_NAME]}
    return {key: _opened(value) for key, value in schema.items()}


def _map() -> dict[str, Any]:
    """Where maps come from."""
    text = {"type": "string"}
    flag = {"type": "boolean"}
    share = {"type": "number", "exclusiveMinimum": 0, "maximum": 1}
    scattered = _closed({"in": text, "share": share}) | {"required": ["in", "share"]}
    drawn = _closed({"material": text, "creature": text, "player": flag})
    several = {"type": "array", "items": text, "minItems": 1, "maxItems": MOST_DRAWINGS}
    return _closed(
        {
            "scatter": {"type": "object", "additionalProperties": scattered},
            "drawn": {"anyOf": [text, several]},
            "legend": {"type": "object", "additionalProperties": {"anyOf": [text, drawn]}},
        }
    )


def _goals() -> dict[str, Any]:
    """Goals: names, or rewards by name."""
    name = {"type": "string", "pattern": f"^{NAME.pattern}$"}
    reward = {"type": "number", "minimum": -LARGEST_REWARD, "maximum": LARGEST_REWARD}
    sizes = {"minItems": 1, "maxItems": MOST_GOALS, "uniqueItems": True}
    some = {"type": "object", "propertyNames": name, "additionalProperties": reward}
    return {
        "anyOf": [
            {"type": "array", "items": name, **sizes},
            {**some, "minProperties": 1, "maxProperties": MOST_GOALS},
        ]
    }


def _constants() -> dict[str, Any]:
    """Constants with their ranges, section by section."""
    schema = _closed({})
    for key, allowed in ranges(vocabulary("mars")).items():
        section = schema
        for name in key[:-1]:
            section = section["properties"].setdefault(name, _closed({}))
        number = {"minimum": allowed.least, "maximum": allowed.most, "multipleOf": allowed.step}
        section["properties"][key[-1]] = {"type": "number", **number}
    return schema


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _section(kind: type[Rule]) -> dict[str, Any]:
    properties = dict.fromkeys(kind.subjects, _rule(kind))
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _rule(kind: type[Rule]) -> dict[str, Any]:
    """The rules of a family, without their subject."""
    rule = kind.model_json_schema(schema_generator=QuietJsonSchema)
    del rule["properties"]["subject"]
    rule.pop("required")
    rule.pop("$defs", None)
    if "yields" in rule["properties"]:
        anything = rule["properties"]["yields"]
        whole = {"type": "integer", "minimum": 1, "maximum": MAXIMUM}
        anything["additionalProperties"] = {"anyOf": [whole, {"$ref": "#/$defs/Yield"}]}
    if "cases" in rule["properties"]:
        case = BehaviourCase.model_json_schema(schema_generator=QuietJsonSchema)
        sizes = {"minItems": 1, "maxItems": MOST_CASES}
        rule["properties"]["cases"] |= {"items": case, **sizes}
    if kind.shorthand:
        return {"anyOf": [rule["properties"][kind.shorthand], rule]}
    return rule
