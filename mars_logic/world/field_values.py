"""The domain of each rule field: its possible values under no evidence.

Source: Appendix A.5 of the Mars paper (the fields that its generator varies) and the values in the
released worlds. The domain of a field that no world varies is Crafter's value alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations
from typing import Any

from mars_logic.world import names
from mars_logic.world.families import families_of
from mars_logic.world.need_rules import LONGEST_INTERVAL
from mars_logic.world.rules import Rule
from mars_logic.world.usual import crafter_rules
from mars_logic.world.vocabulary import Vocabulary, vocabulary

_TOOLS_FOR_COLLECTING = ("sapling", "wood_pickaxe", "stone_pickaxe", "iron_pickaxe")
_BUILDING_MATERIALS = ("wood", "stone", "coal", "iron", "diamond")
_PLANT_ANYWHERE = [name for name in names.NATURAL if name != "tree"]
_USUAL_NAMES = vocabulary("crafter")
"""The names whose rules the paper's generator varies."""
_MOST_USED = 4
MOST_NEARBY = 2
"""Most materials that have to be nearby together."""
_SIGNS = (-1, 0, 1)
_FLAGS = (False, True)
_USUAL_GROUND = ["grass", "sand", "path"]
"""Ground on which stations are placed."""


def _one_each(items: Iterable[str]) -> list[dict[str, int]]:
    return [{item: 1} for item in items]


def _chances(items: Iterable[str]) -> list[dict[str, dict[str, float]]]:
    return [{item: {"amount": 1, "probability": p}} for p in (0.1, 0.5) for item in items]


def found_items(words: Vocabulary) -> tuple[str, ...]:
    """Items that are found rather than made."""
    return (*names.RESOURCES, *(item for item in _added_items(words) if not _is_made(words, item)))


def _added_items(words: Vocabulary) -> tuple[str, ...]:
    return words.holdable[len(_USUAL_NAMES.holdable) :] if words.wide else ()


def _is_made(words: Vocabulary, item: str) -> bool:
    return item in words.subjects["make"]


def _tools(words: Vocabulary) -> tuple[str, ...]:
    return (*_TOOLS_FOR_COLLECTING, *(item for item in _added_items(words)))


def _left(words: Vocabulary) -> tuple[str, ...]:
    return (*names.NATURAL, *(material.name for material in words.added))


def stations(words: Vocabulary) -> tuple[str, ...]:
    """Materials that only the player places, so that things may be made beside them."""
    placed = words.subjects["place"]
    return tuple(name for name in words.materials if name in placed and name not in words.natural)


def _yields(subject: str, words: Vocabulary) -> list[Any]:
    if subject in names.LIQUIDS:
        return [{}, {"drink": 1}]
    resources = found_items(words)
    return [{}, *_one_each(resources), *_chances(resources)]


def _uses(subject: str, words: Vocabulary) -> list[Any]:
    if subject in names.PLACEABLE and subject not in ("table", "furnace"):
        return []
    items = (*_BUILDING_MATERIALS, *found_items(words)[len(names.RESOURCES) :])
    return [{item: n} for item in items for n in range(1, _MOST_USED + 1)]


def _where(subject: str, words: Vocabulary) -> list[Any]:
    if subject == "plant":
        return [_PLANT_ANYWHERE]
    if subject in names.PLACEABLE:
        return []
    return [_USUAL_GROUND, list(_left(words))]


def _added_ground(words: Vocabulary) -> list[str]:
    """Added materials that look like ground."""
    return [material.name for material in words.added if material.looks == "ground"]


def _nearby(subject: str, words: Vocabulary) -> list[Any]:
    if subject in names.TOOLS:
        return [["table"], ["table", "furnace"]]
    return stations_nearby(words)


def stations_nearby(words: Vocabulary) -> list[Any]:
    """Sets of at most two stations, small ones first; an added material may be a station, too."""
    added = (material.name for material in words.added)
    return _few(tuple(dict.fromkeys((*stations(words), *added))))


def materials_nearby(words: Vocabulary) -> list[Any]:
    """Sets of at most two materials, small ones first."""
    return _few(words.placed_on)


def _few(materials: tuple[str, ...]) -> list[Any]:
    sizes = range(MOST_NEARBY + 1)
    return [list(each) for size in sizes for each in combinations(materials, size)]


def _made_of(subject: str, words: Vocabulary) -> list[Any]:
    return [] if subject in names.TOOLS else _any_amounts(found_items(words))


_DOMAINS: dict[tuple[str, str], Callable[[str, Vocabulary], list[Any]]] = {
    ("neighbour", "material"): lambda _, __: list(names.NATURAL),
    ("rename", "material"): lambda _, __: list(names.NATURAL),
    ("walk", "walkable"): lambda _, __: list(_FLAGS),
    ("walk", "health"): lambda _, __: list(_SIGNS),
    ("walk", "deadly"): lambda _, __: list(_FLAGS),
    ("collect", "collectable"): lambda _, __: list(_FLAGS),
    ("collect", "requires"): lambda _, words: [{}, *_one_each(_tools(words))],
    ("collect", "yields"): _yields,
    ("collect", "leaves"): lambda _, words: list(_left(words)),
    ("collect", "spawns"): lambda _, words: [{}, *({name: 0.1} for name in words.creatures)],
    ("place", "uses"): _uses,
    ("place", "where"): _where,
    ("make", "uses"): _made_of,
    ("make", "nearby"): _nearby,
    **{("drink", n): lambda _, __: list(_SIGNS) for n in ("drink", "food", "health")},
    **{("eat", n): lambda _, __: list(range(-9, 10)) for n in ("food", "health", "drink")},
}


def usual_rule(rule_id: str, words: Vocabulary = _USUAL_NAMES) -> Rule:
    """Crafter's rule; of an added name the rule that takes the least to say.

    Raises:
        KeyError: There is no such rule.
    """
    known = crafter_rules().rule(rule_id)
    if known is not None:
        return known
    family, _, subject = rule_id.partition(".")
    if subject not in words.subjects.get(family, ()):
        raise KeyError(rule_id)
    kind = next(kind for kind in families_of(words) if kind.family == family)
    least = _LEAST[family](subject, words) if family in _LEAST else {}
    return kind.model_validate({"subject": subject, **least}, context=words)


_LEAST: dict[str, Callable[[str, Vocabulary], dict[str, Any]]] = {
    "walk": lambda _, __: {"walkable": False},
    "creature": lambda _, __: {"eatable": False},
    "place": lambda _, words: {
        "uses": {"wood": 1},
        "where": [*_USUAL_GROUND, *_added_ground(words)],
    },
    "make": lambda _, __: {"uses": {"wood": 1}, "nearby": ["table"]},
    # Nothing is done, lost or changed.
    "push": lambda subject, _: {"onto": [], "leaves": subject},
    "beside": lambda subject, _: {"becomes": {subject: subject}, "chance": 0.0},
    "timer": lambda subject, _: {"becomes": subject, "chance": 0.0},
    "behaviour": lambda _, __: {"cases": [{"act": "stay"}]},
    "projectile": lambda _, __: {"harm": 0, "damage": 0, "breaks": {}},
    "need": lambda _, __: {"every": LONGEST_INTERVAL, "loss": 0, "empty": 0},
}


@cache
def domain(rule_id: str, field: str, words: Vocabulary = _USUAL_NAMES) -> tuple[Any, ...]:
    """The domain of a field, the usual value first.

    Args:
        rule_id: The rule.
        field: The field.
        words: The vocabulary, Crafter's by default.

    Raises:
        KeyError: There is no such rule.
    """
    usual = usual_rule(rule_id, words)
    found = [getattr(usual, field)]
    for value in _stated(usual, field, words):
        checked = getattr(usual.with_fields({field: value}, words), field)
        if checked not in found:
            found.append(checked)
    return tuple(found)


@cache
def unusual(rule_id: str, field: str, words: Vocabulary = _USUAL_NAMES) -> tuple[Any, ...]:
    """Values outside a field's domain that are as simple as those in it.

    Hypotheses for a field all of whose usual values are refuted: any single required item, any
    set of at most two nearby stations, and as used resources one each of up to three, some amount
    of one, or more of a resource that the usual rule uses; in a world that adds items, these too.

    Raises:
        KeyError: There is no such rule.
    """
    usual = usual_rule(rule_id, words)
    make = _UNUSUAL.get((usual.family, field))
    stated = (
        getattr(usual.with_fields({field: value}, words), field)
        for value in (make(usual, words) if make else ())
    )
    return tuple(
        value for value in dict.fromkeys(stated) if value not in domain(rule_id, field, words)
    )


def _any_uses(rule: Any, words: Vocabulary) -> list[dict[str, int]]:
    """Amounts of used resources, in order of description length."""
    resources = found_items(words)
    some = [{item: n} for n in range(1, _MOST_USED + 1) for item in resources]
    more = [{**rule.uses, item: n} for item in rule.uses for n in range(2, _MOST_USED + 1)]
    return [*some, *more, *_one_of_several(resources)]


def _any_held(rule: Any, words: Vocabulary) -> list[dict[str, int]]:
    """The same; and of all that can be held, where a world adds items, any one or two."""
    found = _any_uses(rule, words)
    if not words.wide:
        return found
    items = words.holdable
    some = [{item: n} for n in range(1, _MOST_USED + 1) for item in items]
    return [*found, *some, *(dict.fromkeys(each, 1) for each in combinations(items, 2))]


def _any_amounts(resources: tuple[str, ...]) -> list[dict[str, int]]:
    some = [{item: n} for n in range(1, _MOST_USED + 1) for item in resources]
    return [*some, *_one_of_several(resources)]


def _one_of_several(resources: tuple[str, ...]) -> list[dict[str, int]]:
    return [dict.fromkeys(each, 1) for k in (2, 3) for each in combinations(resources, k)]


_UNUSUAL: dict[tuple[str, str], Callable[[Any, Vocabulary], list[Any]]] = {
    ("collect", "requires"): lambda _, words: _one_each(words.holdable),
    ("place", "uses"): _any_held,
    ("make", "uses"): _any_held,
    ("make", "nearby"): lambda _, words: stations_nearby(words),
}


def _stated(rule: Rule, field: str, words: Vocabulary) -> list[Any]:
    if rule.family == "creature":
        return list(_SIGNS if field.endswith("_factor") else _FLAGS)
    make = _DOMAINS.get((rule.family, field))
    return make(rule.subject, words) if make else []
