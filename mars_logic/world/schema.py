"""The JSON schema of world files, for completion and validation in editors."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from mars_logic.world import names
from mars_logic.world.dialect import LONGEST_EPISODE, MAXIMUM
from mars_logic.world.maps import MOST_DRAWINGS
from mars_logic.world.rules import FAMILIES, Rule, Yield
from mars_logic.world.validate import DOMAIN

ID = "mars-logic world 1"


class _Quiet(GenerateJsonSchema):
    """Empty defaults cannot be written as JSON, and need no warning."""

    ignored_warning_kinds = {"non-serializable-default", "skipped-choice"}  # noqa: RUF012


def json_schema() -> dict[str, Any]:
    """The schema (JSON Schema 2020-12) of our world format.

    All fields are optional in it, since a world with a base states only the differences;
    ``mars-logic validate`` checks a file's completeness.
    """
    sections = {kind.family: _section(kind) for kind in FAMILIES}
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
            **sections,
        },
        "$defs": {"Yield": Yield.model_json_schema(schema_generator=_Quiet)},
    }


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


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _section(kind: type[Rule]) -> dict[str, Any]:
    rule = kind.model_json_schema(schema_generator=_Quiet)
    del rule["properties"]["subject"]
    rule.pop("required")
    rule.pop("$defs", None)
    if "yields" in rule["properties"]:
        anything = rule["properties"]["yields"]
        whole = {"type": "integer", "minimum": 1, "maximum": MAXIMUM}
        anything["additionalProperties"] = {"anyOf": [whole, {"$ref": "#/$defs/Yield"}]}
    if kind.shorthand:
        rule = {"anyOf": [rule["properties"][kind.shorthand], rule]}
    properties = dict.fromkeys(kind.subjects, rule)
    return {"type": "object", "additionalProperties": False, "properties": properties}
