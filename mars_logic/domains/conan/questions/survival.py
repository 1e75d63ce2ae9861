"""Answers of the templates about survival, as functions of a history and a subject."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mars_logic.domains.conan.questions.history import Deed, History, Subject
from mars_logic.domains.conan.vandal.log import Why

NO_NEED: Final = "no_need"
"""The answer that a deed served no need."""
NOTHING_EATEN: Final = "eaten_nothing"
IDLE: Final = "wander"
"""The answer that the vandal was busy with nothing."""
_NONE_SAVES: Final = "saved_nothing"


def need_served(history: History, subject: Subject) -> str | None:
    """The need that the deed whose trace is on a cell served, or none."""
    deed = _deed(history, subject)
    if deed is None or deed.why == Why.ARROW:
        return None
    if deed.why != Why.PLANNED:
        return NO_NEED
    return _need_around(history, deed.bracket) or NO_NEED


def _deed(history: History, subject: Subject) -> Deed | None:
    if subject.cell is None or subject.cell not in history.changed:
        return None
    return history.deeds[history.changed[subject.cell]]


def _need_around(history: History, bracket: int) -> str | None:
    return next((name for name in history.around(bracket) if name.startswith("need_")), None)


def last_need(history: History, _: Subject) -> str | None:
    """The need that was served last, or none."""
    needs = [each.name for each in history.brackets if each.name.startswith("need_")]
    return needs[-1] if needs else NO_NEED


def outcome(history: History, _: Subject) -> str | None:
    """Whether the vandal lived, and if not, what killed it."""
    return f"died_{history.outcome}" if history.outcome else None


def death(history: History, _: Subject) -> str | None:
    """What killed the vandal; nothing is asked of one that lived."""
    return None if history.outcome in ("", "alive") else f"died_{history.outcome}"


def busy_at_death(history: History, _: Subject) -> str | None:
    """The innermost bracket that was open when the vandal died."""
    if death(history, Subject()) is None:
        return None
    last = len(history.trail) - 1
    open_ = [each.name for each, ended in history.brackets_with_ends if ended is None]
    return open_[-1] if open_ and last else IDLE


def saved_by(history: History, _: Subject) -> str | None:
    """The one change that would have kept the vandal alive, or that none would have."""
    if death(history, Subject()) is None or len(history.saved_by) > 1:
        return None
    return f"saved_{history.saved_by[0]}" if history.saved_by else _NONE_SAVES


def eaten(history: History, _: Subject) -> str | None:
    """The kinds of food that were eaten."""
    foods = sorted({deed.name for deed in history.deeds if deed.kind == "eat"})
    return f"eaten_{'+'.join(foods)}" if foods else NOTHING_EATEN


SURVIVAL_ANSWERS: Final[dict[str, Callable[[History, Subject], str | None]]] = {
    function.__name__: function
    for function in (need_served, last_need, outcome, death, busy_at_death, saved_by, eaten)
}
"""The functions by the names that templates use."""
SURVIVAL_POOLS: Final = {
    "need": ("need_food", "need_drink", "need_energy", NO_NEED),
    "last_need": ("need_food", "need_drink", "need_energy", NO_NEED),
    "outcome": tuple(
        f"died_{name}" for name in ("alive", "monster", "thirst", "hunger", "exhaustion")
    ),
    "death": tuple(f"died_{name}" for name in ("monster", "thirst", "hunger", "exhaustion")),
    "busy": ("need_food", "need_drink", "need_energy", IDLE),
    "saved": ("saved_food", "saved_drink", "saved_energy", "saved_monsters", _NONE_SAVES),
    "eaten": ("eaten_apple", "eaten_beef", "eaten_apple+beef", NOTHING_EATEN),
}
"""All answers of each type."""
