"""Answers of the templates, as functions of a history and of what a question is about.

A detective applies the same functions to histories that it has simulated: an answer is None where
the subject is not in a history.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from mars_logic.domains.conan.questions.history import Box, Cell, Deed, History, Subject
from mars_logic.domains.conan.vandal.careful_plans import NEEDS
from mars_logic.domains.conan.vandal.log import Why
from mars_logic.domains.conan.vandal.tasks import parts_of_task

NOTHING: Final = "nothing"
"""The answer that a unit was not used, or that nothing came before or after."""
GOAL: Final = "goal"
"""The answer that something was the task itself."""
WAY: Final = "way"
"""The answer that something only stood in the way."""
NO_NEED: Final = "no_need"
"""The answer that a deed served no need."""
NOTHING_EATEN: Final = "eaten_nothing"
IDLE: Final = "wander"
"""The answer that the vandal was busy with nothing."""
_NONE_SAVES: Final = "saved_nothing"


Answer = str | None


def _deed_at(history: History, subject: Subject, kind: str | None = None) -> Deed | None:
    """The deed, of a kind, whose trace is on a subject's cell."""
    if subject.cell is None or subject.cell not in history.changed:
        return None
    deed = history.deeds[history.changed[subject.cell]]
    named = subject.name in (None, deed.name)
    return deed if named and kind in (None, deed.kind) else None


def _purpose(history: History, bracket: int, own: int) -> str:
    """The bracket around one's own, or the task itself.

    Args:
        history: The history.
        bracket: The innermost bracket.
        own: How many brackets are the thing's own.
    """
    names = list(history.around(bracket))
    if names and names[0] in NEEDS:
        return names[0]
    return names[own] if len(names) > own else GOAL


def area(history: History, subject: Subject) -> Answer:
    """The work whose box is marked; of several boxes, the one that overlaps most."""
    best, found = 0.0, None
    for bracket, box in zip(history.brackets, history.boxes, strict=True):
        overlap = _overlap(box, subject.box or (0, 0, 0, 0))
        if overlap > best:
            best, found = overlap, bracket.name
    return found if best >= 0.5 else None


def _overlap(a: Box, b: Box) -> float:
    """Cells in both areas as a share of those in either."""
    width = min(a[2], b[2]) - max(a[0], b[0]) + 1
    height = min(a[3], b[3]) - max(a[1], b[1]) + 1
    if width <= 0 or height <= 0:
        return 0.0
    both = width * height
    sizes = [(box[2] - box[0] + 1) * (box[3] - box[1] + 1) for box in (a, b)]
    return both / (sum(sizes) - both)


def busy(history: History, subject: Subject) -> Answer:
    """The innermost bracket that was open when the agent first stood on a cell."""
    step = history.arrivals.get(subject.cell) if subject.cell else None
    if step is None:
        return None
    found = None
    for bracket in history.brackets:
        if bracket.first < step <= bracket.last or step == bracket.first == 0:
            found = bracket.name
    return found


def next_deed(history: History, subject: Subject) -> Answer:
    """The deed after the one whose trace is on a cell."""
    return _neighbour(history, subject, 1)


def previous_deed(history: History, subject: Subject) -> Answer:
    """The deed before the one whose trace is on a cell."""
    return _neighbour(history, subject, -1)


def _neighbour(history: History, subject: Subject, by: int) -> Answer:
    if _deed_at(history, subject) is None or subject.cell is None:
        return None
    index = history.changed[subject.cell] + by
    return history.deeds[index].key if 0 <= index < len(history.deeds) else NOTHING


def _made_at(history: History, station: Cell | None) -> Iterator[tuple[int, Deed]]:
    """What was made beside a station after it was placed."""
    if station is None or station not in history.changed:
        return
    placed = history.changed[station]
    thing = history.deeds[placed]
    if thing.kind != "place":
        return
    for index in range(placed + 1, len(history.deeds)):
        deed = history.deeds[index]
        if deed.kind != "make" or history.recipes.make[deed.name].source != thing.name:
            continue
        if max(abs(deed.cell[0] - station[0]), abs(deed.cell[1] - station[1])) <= 1:
            yield index, deed


def first_made(history: History, subject: Subject) -> Answer:
    """The first thing made beside a station after it was placed."""
    if subject.cell is None or subject.cell not in history.changed:
        return None
    return next((deed.name for _, deed in _made_at(history, subject.cell)), NOTHING)


def station_purpose(history: History, subject: Subject) -> Answer:
    """The bracket around the placing of a station, or the task."""
    deed = _deed_at(history, subject, "place")
    if deed is None:
        return None
    return _purpose(history, deed.bracket, 1)


def _made(history: History, subject: Subject) -> tuple[int, Deed] | None:
    makes = _made_at(history, subject.cell)
    return next((pair for pair in makes if pair[1].name == subject.name), None)


def made_purpose(history: History, subject: Subject) -> Answer:
    """The bracket around the making of a thing, or the task."""
    made = _made(history, subject)
    return _purpose(history, made[1].bracket, 1) if made else None


def after_making(history: History, subject: Subject) -> Answer:
    """The deed after the making of a thing."""
    made = _made(history, subject)
    if made is None:
        return None
    return history.deeds[made[0] + 1].key if made[0] + 1 < len(history.deeds) else NOTHING


def made_use(history: History, subject: Subject) -> Answer:
    """The first later deed that needs a made thing."""
    made = _made(history, subject)
    if made is None:
        return None
    for deed in history.deeds[made[0] + 1 :]:
        if _needs(history, deed, made[1].name):
            return deed.key
    return NOTHING


def _needs(history: History, deed: Deed, item: str) -> bool:
    if deed.kind == "kill":
        return deed.weapon == item and deed.why != Why.ARROW
    if deed.kind == "collect":
        ways = history.recipes.collect.values()
        return any(item in way.requires for each in ways for way in each if way.source == deed.name)
    if deed.kind in ("place", "make"):
        rules = history.recipes.place if deed.kind == "place" else history.recipes.make
        return deed.name in rules and item in rules[deed.name].uses
    if deed.kind == "fill":
        return item == "bucket"
    return deed.kind == "eat" and deed.name == item


def collected_purpose(history: History, subject: Subject) -> Answer:
    """The bracket around the getting of a unit, the task, or the way it stood in."""
    deed = _deed_at(history, subject, "collect")
    if deed is None:
        return None
    return WAY if deed.why == Why.WAY else _purpose(history, deed.bracket, 1)


def wood_use(history: History, subject: Subject) -> Answer:
    """What the wood of a tree was spent on."""
    return _use(history, subject, "wood")


def unit_use(history: History, subject: Subject) -> Answer:
    """What a mined unit was spent on."""
    return _use(history, subject, subject.name or "")


def _use(history: History, subject: Subject, item: str) -> Answer:
    deed = _deed_at(history, subject, "collect")
    if deed is None or subject.cell is None:
        return None
    spent = history.uses[history.changed[subject.cell]].get(item)
    return NOTHING if spent is None else history.deeds[spent].key


def tree_reason(history: History, subject: Subject) -> Answer:
    """Whether a tree was cut for wood, for an apple, or to clear the way."""
    deed = _deed_at(history, subject, "collect")
    if deed is None or deed.name not in ("tree", "apple_tree"):
        return None
    if deed.why == Why.WAY:
        return WAY
    own = next(history.around(deed.bracket), "")
    return "apple" if own in ("get_apple_tree", "need_food") else "wood"


def weapon(history: History, subject: Subject) -> Answer:
    """The best sword that was held, bare hands, or an arrow."""
    deed = _deed_at(history, subject, "kill")
    if deed is None:
        return None
    return "arrow" if deed.why == Why.ARROW else deed.weapon or "hands"


def kill_reason(history: History, subject: Subject) -> Answer:
    """The task, beef, steak, the way, or an arrow that was not the agent's."""
    deed = _deed_at(history, subject, "kill")
    if deed is None:
        return None
    if deed.why == Why.ARROW:
        return "arrow"
    if deed.why == Why.DEFENCE:
        return "self_defence"
    around = list(history.around(deed.bracket))
    if around and around[0] == "need_food" and deed.why == Why.PLANNED:
        return "beef"
    if not around or around[0] != f"defeat_{deed.name}":
        return WAY
    if "make_steak" in around:
        return "steak"
    return "beef" if "get_beef" in parts_of_task(history.task) else GOAL


def task(history: History, _: Subject) -> Answer:
    """The task of the scene."""
    return history.task


def need_served(history: History, subject: Subject) -> Answer:
    """The need that the deed whose trace is on a cell served, or none."""
    deed = _deed_at(history, subject)
    if deed is None or deed.why == Why.ARROW:
        return None
    if deed.why != Why.PLANNED:
        return NO_NEED
    return _need_around(history, deed.bracket) or NO_NEED


def _need_around(history: History, bracket: int) -> Answer:
    return next((name for name in history.around(bracket) if name.startswith("need_")), None)


def last_need(history: History, _: Subject) -> Answer:
    """The need that was served last, or none."""
    needs = [each.name for each in history.brackets if each.name.startswith("need_")]
    return needs[-1] if needs else NO_NEED


def outcome(history: History, _: Subject) -> Answer:
    """Whether the vandal lived, and if not, what killed it."""
    return f"died_{history.outcome}" if history.outcome else None


def death(history: History, _: Subject) -> Answer:
    """What killed the vandal; nothing is asked of one that lived."""
    return None if history.outcome in ("", "alive") else f"died_{history.outcome}"


def busy_at_death(history: History, _: Subject) -> Answer:
    """The innermost bracket that was open when the vandal died."""
    if death(history, Subject()) is None:
        return None
    last = len(history.trail) - 1
    open_ = [each.name for each, ended in history.brackets_with_ends if ended is None]
    return open_[-1] if open_ and last else IDLE


def saved_by(history: History, _: Subject) -> Answer:
    """The one change that would have kept the vandal alive, or that none would have."""
    if death(history, Subject()) is None or len(history.saved_by) > 1:
        return None
    return f"saved_{history.saved_by[0]}" if history.saved_by else _NONE_SAVES


def eaten(history: History, _: Subject) -> Answer:
    """The kinds of food that were eaten."""
    foods = sorted({deed.name for deed in history.deeds if deed.kind == "eat"})
    return f"eaten_{'+'.join(foods)}" if foods else NOTHING_EATEN


ANSWERS: Final[dict[str, Callable[[History, Subject], Answer]]] = {
    function.__name__: function
    for function in (
        *(area, busy, next_deed, previous_deed, first_made, station_purpose, made_purpose),
        *(after_making, made_use, collected_purpose, wood_use, unit_use, tree_reason, weapon),
        *(kill_reason, task),
        *(need_served, last_need, outcome, death, busy_at_death, saved_by, eaten),
    )
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
"""All answers about survival, by type."""
