"""The domain of each rule field: its possible values under no evidence.

Source: Appendix A.5 of the Mars paper (the fields that its generator varies) and the values in the
released worlds. The domain of a field that no world varies is Crafter's value alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Any

from mars_logic.world import names
from mars_logic.world.rules import FAMILIES, Rule
from mars_logic.world.usual import crafter_rules

_TOOLS_FOR_COLLECTING = ("sapling", "wood_pickaxe", "stone_pickaxe", "iron_pickaxe")
_BUILDING_MATERIALS = ("wood", "stone", "coal", "iron", "diamond")
_PLANT_ANYWHERE = [name for name in names.NATURAL if name != "tree"]
_MOST_USED = 4
_SIGNS = (-1, 0, 1)
_FLAGS = (False, True)


def _one_each(items: tuple[str, ...]) -> list[dict[str, int]]:
    return [{item: 1} for item in items]


def _chances(items: tuple[str, ...]) -> list[dict[str, dict[str, float]]]:
    return [{item: {"amount": 1, "probability": p}} for p in (0.1, 0.5) for item in items]


def _yields(subject: str) -> list[Any]:
    if subject in names.LIQUIDS:
        return [{}, {"drink": 1}]
    return [{}, *_one_each(names.RESOURCES), *_chances(names.RESOURCES)]


def _uses(subject: str) -> list[Any]:
    if subject not in ("table", "furnace"):
        return []
    return [{item: n} for item in _BUILDING_MATERIALS for n in range(1, _MOST_USED + 1)]


_DOMAINS: dict[tuple[str, str], Callable[[str], list[Any]]] = {
    ("neighbour", "material"): lambda _: list(names.NATURAL),
    ("rename", "material"): lambda _: list(names.NATURAL),
    ("walk", "walkable"): lambda _: list(_FLAGS),
    ("walk", "health"): lambda _: list(_SIGNS),
    ("walk", "deadly"): lambda _: list(_FLAGS),
    ("collect", "collectable"): lambda _: list(_FLAGS),
    ("collect", "requires"): lambda _: [{}, *_one_each(_TOOLS_FOR_COLLECTING)],
    ("collect", "yields"): _yields,
    ("collect", "leaves"): lambda _: list(names.NATURAL),
    ("collect", "spawns"): lambda _: [{}, *({creature: 0.1} for creature in names.CREATURES)],
    ("place", "uses"): _uses,
    ("place", "where"): lambda subject: [_PLANT_ANYWHERE] if subject == "plant" else [],
    ("make", "nearby"): lambda _: [["table"], ["table", "furnace"]],
    **{("drink", name): lambda _: list(_SIGNS) for name in ("drink", "food", "health")},
}


@cache
def domain(rule_id: str, field: str) -> tuple[Any, ...]:
    """The domain of a field, Crafter's value first.

    Raises:
        KeyError: There is no such rule.
    """
    usual = crafter_rules()[rule_id]
    found = [getattr(usual, field)]
    for value in _stated(usual, field):
        checked = getattr(_with(usual, field, value), field)
        if checked not in found:
            found.append(checked)
    return tuple(found)


@cache
def unusual(rule_id: str, field: str) -> tuple[Any, ...]:
    """Values outside a field's domain that are as simple as those in it.

    Hypotheses for a field all of whose usual values are refuted: any single required item, any
    set of nearby stations, and as used resources one each of up to three, some amount of one, or
    more of a resource that Crafter uses.

    Raises:
        KeyError: There is no such rule.
    """
    usual = crafter_rules()[rule_id]
    make = _UNUSUAL.get((usual.family, field))
    stated = (getattr(_with(usual, field, value), field) for value in (make(usual) if make else ()))
    return tuple(value for value in dict.fromkeys(stated) if value not in domain(rule_id, field))


def _any_uses(rule: Any) -> list[dict[str, int]]:
    """Amounts of used resources, in order of description length."""
    some = [{item: n} for n in range(1, _MOST_USED + 1) for item in names.RESOURCES]
    more = [{**rule.uses, item: n} for item in rule.uses for n in range(2, _MOST_USED + 1)]
    sets = [dict.fromkeys(each, 1) for k in (2, 3) for each in combinations(names.RESOURCES, k)]
    return [*some, *more, *sets]


_UNUSUAL: dict[tuple[str, str], Callable[[Any], list[Any]]] = {
    ("collect", "requires"): lambda _: _one_each(names.HOLDABLE),
    ("place", "uses"): _any_uses,
    ("make", "uses"): _any_uses,
    ("make", "nearby"): lambda _: [[], ["table"], ["furnace"], ["table", "furnace"]],
}


def _stated(rule: Rule, field: str) -> list[Any]:
    if rule.family == "creature":
        return list(_SIGNS if field.endswith("_factor") else _FLAGS)
    make = _DOMAINS.get((rule.family, field))
    return make(rule.subject) if make else []


def _with(rule: Rule, field: str, value: Any) -> Rule:
    kind = next(kind for kind in FAMILIES if kind.family == rule.family)
    return kind.model_validate(rule.model_dump() | {field: value})
