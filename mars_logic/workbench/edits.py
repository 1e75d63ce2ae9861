"""Changes of a world's text that buttons make: added names, repairs, drawings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal, get_args

from mars_logic.errors import InputError
from mars_logic.workbench.reading import theory_of
from mars_logic.world.adds import COLOUR, LONGEST, LOOKS, NAME
from mars_logic.world.dump import stated_rule
from mars_logic.world.rules import Rule
from mars_logic.world.source import parse
from mars_logic.world.text_edits import with_value

What = Literal["material", "item"]
WHATS: Final[tuple[What, ...]] = get_args(What)


def with_added(text: str, what: What, name: str, looks: str, colour: str) -> str:
    """The text with an added name.

    Args:
        text: The text of a world.
        what: A material or an item.
        name: The name.
        looks: One of ``adds.LOOKS``, for a material.
        colour: As ``#rrggbb``, for a material.

    Raises:
        InputError: The text or an argument is wrong, or the name is there already.
    """
    if not NAME.fullmatch(name) or len(name) > LONGEST:
        raise InputError(f"name: '{name}' is no name; allowed: a word such as copper or iron_key")
    adds = _section(_data(text), "adds")
    key = "materials" if what == "material" else "items"
    there = adds.get(key) or ({} if what == "material" else [])
    if name in there:
        raise InputError(f"name: '{name}' is added already; allowed: another name")
    if what == "item":
        return with_value(text, ("adds", "items"), [*there, name])
    if looks not in LOOKS:
        raise InputError(f"looks: '{looks}' is unknown; allowed: {', '.join(LOOKS)}")
    if not COLOUR.fullmatch(colour):
        raise InputError(f"colour: '{colour}' is no colour; allowed: for example #b87333")
    about = {"looks": looks, "colour": colour}
    if isinstance(there, list):  # names alone, which get their looks from the vocabulary
        stated = dict.fromkeys(there) | {name: about}
        return with_value(text, ("adds", "materials"), stated)
    return with_value(text, ("adds", "materials", name), about)


def with_rules(text: str, path: Path, rules: Sequence[Rule]) -> str:
    """The text with some rules as they are given.

    Args:
        text: The text of a world.
        path: Its file.
        rules: The rules.

    Raises:
        InputError: The text is wrong, or its format has no such place.
    """
    theory, _ = theory_of(text, path)
    for rule in rules:
        former = theory.base.rule(rule.id) if theory.base else None
        text = with_value(text, (rule.family, rule.subject), stated_rule(rule, former))
    changed, _ = theory_of(text, path)
    if any(changed.rule(rule.id) != rule for rule in rules):
        raise InputError("the page cannot change files of this format; allowed: to edit the text")
    return text


def with_drawings(text: str, drawings: Sequence[str], legend: dict[str, Any]) -> str:
    """The text with drawn maps.

    Args:
        text: The text of a world.
        drawings: The drawings, at least one: rows of characters, one a cell; or files of them.
        legend: What characters mean that the text's legend has not.

    Raises:
        InputError: The text is wrong.
    """
    given = _section(_data(text), "map")
    if "scatter" in given:
        text = with_value(text, ("map",), None)
        given = {}
    drawn = drawings[0] if len(drawings) == 1 else [*drawings]
    text = with_value(text, ("map", "drawn"), drawn)
    known = _section(given, "legend")
    for sign, meaning in legend.items():
        if known.get(sign) != meaning:
            text = with_value(text, ("map", "legend", sign), meaning)
    return text


def _data(text: str) -> dict[str, Any]:
    return parse(text, "text").data if text.strip() else {}


def _section(data: dict[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key)
    return found if isinstance(found, dict) else {}
