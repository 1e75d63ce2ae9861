"""The keys with which a person plays, and what an action changed, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mars_logic.errors import InputError
from mars_logic.sim import Observation
from mars_logic.world.vocabulary import Vocabulary

ACTION_KEYS: Final = {
    "move_left": ("a", "left"),
    "move_right": ("d", "right"),
    "move_up": ("w", "up"),
    "move_down": ("s", "down"),
    "do": ("space",),
    "sleep": ("tab", "z"),
    "noop": (".",),
    "place_stone": ("r",),
    "place_table": ("t",),
    "place_furnace": ("f",),
    "place_plant": ("p",),
    "make_wood_pickaxe": ("1",),
    "make_stone_pickaxe": ("2",),
    "make_iron_pickaxe": ("3",),
    "make_wood_sword": ("4",),
    "make_stone_sword": ("5",),
    "make_iron_sword": ("6",),
}
"""The keys of each of Crafter's actions; those of Crafter's own window, and arrows."""
_MORE_KEYS: Final = {
    "place_bed": ("b",),
    "make_steak": ("7",),
    "make_bucket": ("8",),
    "make_bed": ("9",),
    "eat_apple": ("e",),
    "eat_beef": ("g",),
    "eat_steak": ("y",),
    "drink": ("c",),
}
_SPARE: Final = "0ijklnox"
"""Keys for the actions of further dialects, in order."""


def changes(before: Observation, after: Observation, items: Sequence[str]) -> list[str]:
    """Changes of the inventory, as ``wood +1``."""
    gained = (after.inventory[0] - before.inventory[0]).tolist()
    return [f"{item} {n:+d}" for item, n in zip(items, gained, strict=True) if n]


def action_keys(words: Vocabulary) -> dict[str, tuple[str, ...]]:
    """The keys of each action of a dialect.

    Raises:
        InputError: There are more actions than keys.
    """
    known = {**ACTION_KEYS, **_MORE_KEYS}
    strange = [action for action in words.actions if action not in known]
    if len(strange) > len(_SPARE):
        message = f"{words.name} has more actions than there are keys"
        raise InputError(f"play: {message}; allowed: at most {len(known) + len(_SPARE)}")
    known |= {action: (key,) for action, key in zip(strange, _SPARE, strict=False)}
    return {action: keys for action, keys in known.items() if action in words.actions}


def spoken(action: str) -> str:
    """An action in words."""
    words = {"noop": "do nothing", "do": "act on what is before you"}
    return words.get(action, action.replace("_", " "))
