"""Names that files about scenes may hold: parts of plans, and answers to questions."""

from __future__ import annotations

from typing import Final

from mars_logic.domains.conan.codes import CODES, ITEMS, OBJECTS
from mars_logic.domains.conan.questions.phrases import SPECIAL
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS

THINGS: Final = tuple(dict.fromkeys((*CODES, *ITEMS, *OBJECTS)))
"""Names of everything that a deed can be about."""
_VERBS: Final = ("get", "collect", "make", "place", "kill", "defeat", "eat", "fill", "drink")
_DEEDS: Final = tuple(f"{verb}_{thing}" for verb in _VERBS for thing in THINGS)
BRACKETS: Final = ("flee", "need_food", "need_drink", "need_energy", *_DEEDS)
"""Names of the parts of plans."""
ANSWERS_BY_NAME: Final = frozenset((*SPECIAL, *ALL_TASKS, *BRACKETS, *THINGS))
"""Keys of answers."""
