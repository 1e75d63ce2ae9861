"""Names that files about scenes may hold, and answers in words.

No two answers of one type have the same words.
"""

from __future__ import annotations

from typing import Final

from mars_logic.domains.conan.codes import CODES, ITEMS, OBJECTS
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS

SPECIAL: Final = {
    "nothing": "nothing",
    "goal": "it was the task itself",
    "way": "clearing the way",
    "get_tree": "getting wood",
    "get_apple_tree": "getting an apple",
    "get_apple": "getting an apple",
    "get_drink": "having a drink",
    "get_water": "filling a bucket with water",
    "get_lava": "filling a bucket with lava",
    "collect_tree": "cutting a tree",
    "collect_apple_tree": "cutting an apple tree",
    "drink_water": "drinking",
    "fill_water": "filling a bucket with water",
    "fill_lava": "filling a bucket with lava",
    "hands": "its bare hands",
    "arrow": "an arrow of a skeleton",
    "apple": "an apple",
    "wood": "wood",
    "sapling": "a sapling",
    "steak": "a steak",
    "beef": "beef",
    "sleep_none": "sleeping",
    "no_need": "serving no need",
    "wander": "nothing in particular",
    "died_alive": "it lived",
    "died_monster": "a monster killed it",
    "died_thirst": "it died of thirst",
    "died_hunger": "it died of hunger",
    "died_exhaustion": "it died of exhaustion",
    "saved_food": "eating",
    "saved_drink": "drinking",
    "saved_energy": "sleeping",
    "saved_monsters": "no monsters about",
    "saved_nothing": "none of this kind",
    "eaten_nothing": "nothing",
    "eaten_apple": "apples",
    "eaten_beef": "beef",
    "eaten_apple+beef": "apples and beef",
    "need_food": "seeing to its hunger",
    "need_drink": "seeing to its thirst",
    "need_energy": "seeing to its tiredness",
    "flee": "fleeing",
    "self_defence": "self-defence",
    "iron_sword": "an iron sword",
    "iron_pickaxe": "an iron pickaxe",
}
"""Answers whose words do not follow from their keys."""
THINGS: Final = tuple(dict.fromkeys((*CODES, *ITEMS, *OBJECTS)))
"""Names of everything that a deed can be about."""
_VERBS: Final = ("get", "collect", "make", "place", "kill", "defeat", "eat", "fill", "drink")
_DEEDS: Final = tuple(f"{verb}_{thing}" for verb in _VERBS for thing in THINGS)
BRACKETS: Final = ("flee", "need_food", "need_drink", "need_energy", *_DEEDS)
"""Names of the parts of plans."""
ANSWERS_BY_NAME: Final = frozenset((*SPECIAL, *ALL_TASKS, *BRACKETS, *THINGS))
"""Keys of answers."""
_GERUNDS: Final = {
    "get": "getting",
    "collect": "mining",
    "make": "making",
    "place": "placing",
    "kill": "killing",
    "defeat": "hunting",
    "eat": "eating",
}
_UNCOUNTED: Final = ("stone", "coal", "iron", "wood", "beef")


def noun(name: str) -> str:
    """A name with its article: ``a wood pickaxe``, ``iron``."""
    if name in _UNCOUNTED or not name:
        return name
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name.replace('_', ' ')}"


def phrase(answer: str) -> str:
    """The words of an answer, such as ``making a stone pickaxe`` for ``make_stone_pickaxe``."""
    if answer in SPECIAL:
        return SPECIAL[answer]
    if "+" in answer:
        return " and ".join(map(phrase, answer.split("+")))
    verb, _, name = answer.partition("_")
    return f"{_GERUNDS[verb]} {noun(name)}" if verb in _GERUNDS else noun(answer)
