"""Rivals of a stated value: the values nearest to it, which evidence for it has to exclude."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import ValidationError

from mars_logic.world import names
from mars_logic.world.field_values import found_items, stations
from mars_logic.world.rules import Rule
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.nouns import CRAFTER

_CHANCE: Final = 0.2
"""How far the nearest probabilities are apart: beyond what counts as equal (theory/score.py)."""


def rivals(rule: Rule, field: str, value: Any, words: Vocabulary = CRAFTER) -> tuple[Any, ...]:
    """The valid values of a field that differ least from one.

    Args:
        rule: The rule; its other fields do not matter.
        field: One of its fields.
        value: A value of the field.
        words: The vocabulary.

    Example:
        >>> from mars_logic import load_world
        >>> rivals(load_world("default")["walk.sand"], "health", 0)
        (-1, 1)
    """
    plain = rule.with_fields({field: value}, words).model_dump(mode="json")
    found: dict[Any, None] = {}
    for near in _near(rule, field, plain[field], words):
        try:
            changed = rule.with_fields({field: near}, words)
        except ValidationError:
            continue
        found[getattr(changed, field)] = None
    return tuple(found)


def _near(rule: Rule, field: str, value: Any, words: Vocabulary) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value - 1, value + 1)
    elif isinstance(value, str) or value is None:
        yield from words.holdable if rule.family == "eat" else words.left
    elif field in ("where", "nearby"):
        others = words.placed_on if field == "where" else stations(words)
        for material in dict.fromkeys((*value, *others)):
            yield [m for m in (*value, material) if (m == material) <= (m not in value)]
    elif field == "yields":
        yield from _yields(rule, value, words)
    elif field == "spawns":
        yield from _spawns(value)
    else:
        for item in words.holdable:
            for amount in (value.get(item, 0) - 1, value.get(item, 0) + 1):
                rest = {each: n for each, n in value.items() if each != item}
                yield rest | ({item: amount} if amount > 0 else {})


def _yields(rule: Rule, value: Mapping[str, Any], words: Vocabulary) -> Iterator[dict[str, Any]]:
    if not value:
        kinds = ("drink",) if rule.subject in names.LIQUIDS else found_items(words)
        for item in kinds:
            yield from ({item: 1}, {item: {"amount": 1, "probability": _CHANCE}})
    for item, given in value.items():
        yield {each: other for each, other in value.items() if each != item}
        amount = given if isinstance(given, int) else given["amount"]
        chance = 1.0 if isinstance(given, int) else given["probability"]
        for n, p in (
            *((n, chance) for n in (amount - 1, amount + 1)),
            *((amount, round(p, 4)) for p in (chance - _CHANCE, chance + _CHANCE)),
        ):
            yield {**value, item: n if p == 1 else {"amount": n, "probability": p}}


def _spawns(value: Mapping[str, float]) -> Iterator[dict[str, float]]:
    yield {}
    for creature in names.CREATURES:
        chance = value.get(creature, 0.0)
        yield from ({creature: round(p, 4)} for p in (chance - _CHANCE, chance + _CHANCE))
