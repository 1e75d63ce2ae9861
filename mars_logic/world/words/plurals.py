"""Names as nouns: which of them have a plural, and its spelling."""

from __future__ import annotations

from typing import Final

from mars_logic.world.words.kinds import spaced

_MASS: Final = frozenset(
    (
        *("wood", "stone", "coal", "iron", "copper", "gold", "silver", "tin", "lead", "zinc"),
        *("steel", "bronze", "brass", "ore", "metal", "obsidian", "granite", "marble", "basalt"),
        *("slate", "clay", "glass", "gravel", "sand", "dirt", "mud", "soil", "ash", "dust", "salt"),
        *("sulphur", "sulfur", "quartz", "amber", "jade", "redstone", "flint", "chalk", "cement"),
        *("concrete", "lumber", "timber", "bark", "bamboo", "grass", "hay", "straw", "moss"),
        *("cotton", "wool", "linen", "silk", "leather", "fur", "cloth", "paper", "string", "rope"),
        *("wheat", "rice", "corn", "flour", "dough", "bread", "sugar", "honey", "butter", "cheese"),
        *("meat", "beef", "pork", "mutton", "chicken", "bacon", "fish", "food", "fruit", "soup"),
        *("water", "milk", "oil", "lava", "ice", "snow", "slime", "wax", "resin", "rubber"),
        *("blood", "energy", "charcoal", "gunpowder", "powder", "armour", "armor", "furniture"),
    )
)
"""Nouns without a plural: one has 2 copper, not 2 coppers."""


def is_mass(name: str) -> bool:
    """Whether a name has no plural, by its last word.

    >>> is_mass("iron_ore"), is_mass("iron_bar")
    (True, False)
    """
    return name.rpartition("_")[2] in _MASS


def plural(name: str) -> str:
    """The plural of a name, with blanks, by the rules of English spelling alone.

    >>> [plural(name) for name in ("copper_pickaxe", "berry", "torch", "key", "shears")]
    ['copper pickaxes', 'berries', 'torches', 'keys', 'shears']
    """
    text = spaced(name)
    if text.endswith("y") and text[-2:-1] not in ("", *"aeiou"):
        return f"{text[:-1]}ies"
    if text.endswith(("ss", "sh", "ch", "x", "z")):
        return f"{text}es"
    return text if text.endswith("s") else f"{text}s"
