"""Transitions as facts for logic programs: those that a program asks for, each distinct one once.

The predicates are described in ``encodings/transitions.lp``. Steps that look alike in all that a
program mentions are one transition to it, with a count and an example.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import CENTRE, Trajectory, Views
from mars_logic.errors import InputError
from mars_logic.theory.evidence import Occurrence
from mars_logic.theory.evidence.layout import MOVED, STAYED
from mars_logic.theory.evidence.steps import steps
from mars_logic.theory.rulesets.vocabulary import FLUENTS, KINDS
from mars_logic.world import names
from mars_logic.world.known_names import require_no_added_names
from mars_logic.world.vocabulary import vocabulary

Asked = Mapping[str, frozenset[str] | None]
"""The predicates that a program mentions; for those of fluents or items also which (None: all)."""
Values = NDArray[np.int16]
Tell = Callable[[int], tuple[str, ...]]
"""From a value to the further arguments of the facts that it stands for."""

_DIRECTIONS: Final = {(-1, 0): 0, (1, 0): 1, (0, -1): 2, (0, 1): 3}
_SIDES: Final = ("left", "right", "up", "down")
_OBJECTS_FROM: Final = len(names.MATERIALS)
_NEAR: Final = (slice(CENTRE[0] - 1, CENTRE[0] + 2), slice(CENTRE[1] - 1, CENTRE[1] + 2))


@dataclass(frozen=True)
class TransitionColumn:
    """One thing that is seen in every transition of a trajectory.

    Attributes:
        predicate: Of the facts that tell it.
        values: int16[T].
        tell: From a value to facts.
    """

    predicate: str
    values: Values
    tell: Tell


@dataclass
class Group:
    """Transitions that look alike: where the first one is, and how many there are."""

    first: Occurrence
    count: int = 0


@dataclass
class Transitions:
    """The distinct transitions in trajectories, as far as a program asks.

    Attributes:
        asked: What it asks for.
        groups: The distinct transitions; the index of each is its name in facts.
        facts: All facts about them.
    """

    asked: Asked
    groups: list[Group] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    _known: dict[bytes, int] = field(default_factory=dict)

    def add(self, trajectory: Trajectory) -> None:
        """Take in a trajectory.

        Raises:
            InputError: Its world adds names, which programs do not know.
        """
        about = trajectory.about
        require_no_added_names(about.adds, trajectory.source or about.world, "a rule program")
        if not len(trajectory):
            return
        columns = [*_columns(trajectory, self.asked)]
        rows = np.ascontiguousarray(
            np.stack([column.values for column in columns], axis=1)
            if columns
            else np.zeros((len(trajectory), 1), np.int16)
        )
        keys = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
        _, first, counts = np.unique(keys, return_index=True, return_counts=True)
        source = trajectory.source or trajectory.about.world
        for at in np.argsort(first):
            step = int(first[at])
            key = rows[step].tobytes()
            number = self._known.get(key)
            if number is None:
                number = self._known[key] = len(self.groups)
                self.groups.append(Group(Occurrence(source, step + 1)))
                self.facts += _facts(number, columns, rows[step].tolist())
            self.groups[number].count += int(counts[at])


def _facts(number: int, columns: list[TransitionColumn], row: list[int]) -> Iterator[str]:
    yield f"transition({number})."
    for column, value in zip(columns, row, strict=False):
        for arguments in column.tell(value):
            yield f"{column.predicate}({number}{arguments})."


# --- Columns ------------------------------------------------------------------------------------


class _Play:
    """The sources of columns, each computed on first use."""

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory

    @cached_property
    def steps(self) -> Any:
        """The events of each transition."""
        return steps(self.trajectory)


def _columns(trajectory: Trajectory, asked: Asked) -> Iterator[TransitionColumn]:
    play = _Play(trajectory)
    for predicate, make in _PREDICATES.items():
        if predicate in asked:
            yield from (
                TransitionColumn(predicate, *found) for found in make(play, asked[predicate])
            )


Made = Iterable[tuple[Values, Tell]]


def _short(values: NDArray[np.generic]) -> Values:
    return values.astype(np.int16)


def _named(choices: Iterable[str]) -> Tell:
    told = tuple((f",{name}",) for name in choices)
    return lambda value: told[value] if value < len(told) else ()


_action = _named(names.ACTIONS)
_thing = _named((*names.MATERIALS, *(names.kind_of_look(look) for look in names.LOOKS)))


def _seen(materials: NDArray[np.uint8], objects: NDArray[np.uint8]) -> Values:
    """The content of cells: the object if there is one, else the material."""
    return np.where(objects == 0, _short(materials), _short(objects) + _OBJECTS_FROM)


def _cells(views: Views) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    return views.materials, views.kinds


def _present(views: Views, part: tuple[slice, slice], of: str) -> Values:
    """Which materials, or objects, are in a part of the view: bit i for the i-th."""
    materials, objects = (cells[:, *part] for cells in _cells(views))
    if of == "materials":
        wanted, cells = range(1, len(names.MATERIALS)), materials
    else:
        wanted, cells = (names.LOOKS.index(kind) for kind in KINDS), objects  # type: ignore[assignment]
    found = np.zeros(len(views), np.int16)
    for bit, code in enumerate(wanted):
        found |= _short((cells == code).any(axis=(1, 2))) << bit
    return found


def _set(choices: tuple[str, ...]) -> Tell:
    return lambda bits: tuple(f",{name}" for i, name in enumerate(choices) if bits >> i & 1)


def _within(part: tuple[slice, slice]) -> Callable[[_Play, frozenset[str] | None], Made]:
    def make(play: _Play, _: frozenset[str] | None) -> Made:
        views = play.trajectory.before
        yield _present(views, part, "materials"), _set(names.MATERIALS[1:])
        yield _present(views, part, "objects"), _set(KINDS)

    return make


def _fluents(which: str) -> Callable[[_Play, frozenset[str] | None], Made]:
    def make(play: _Play, asked: frozenset[str] | None) -> Made:
        views: Views = getattr(play.trajectory, which)
        for fluent in FLUENTS:
            if asked is None or fluent in asked:
                yield _fluent(views, fluent)

    return make


def _fluent(views: Views, fluent: str) -> tuple[Values, Tell]:
    def number(value: int) -> tuple[str, ...]:
        return (f",{fluent},{value}",)

    if fluent in names.ITEMS:
        return _short(views.inventory[:, names.ITEMS.index(fluent)]), number
    if fluent == "sleeping":
        return _short(views.sleeping), number
    if fluent == "daylight":
        return _short(np.round(views.daylight * 100)), number
    if fluent == "ground":
        return _short(views.materials[:, *CENTRE]), lambda v: (f",ground,{names.MATERIALS[v]}",)
    codes = [_DIRECTIONS[x, y] for x, y in views.facing.tolist()]
    return np.array(codes, np.int16), lambda v: (f",facing,{_SIDES[v]}",)


def _changes(sign: int) -> Callable[[_Play, frozenset[str] | None], Made]:
    def make(play: _Play, asked: frozenset[str] | None) -> Made:
        before, after = (
            _short(v.inventory) for v in (play.trajectory.before, play.trajectory.after)
        )
        for code, item in enumerate(names.ITEMS):
            if asked is None or item in asked:
                change = sign * (after[:, code] - before[:, code])
                told = lambda n, item=item: (f",{item},{n}",) if n > 0 else ()  # noqa: E731
                yield np.maximum(change, 0), told

    return make


def _needs(play: _Play, asked: frozenset[str] | None) -> Made:
    found = play.steps
    for vital, change in (
        ("food", found["food"][:, 0]),
        ("drink", found["drink"][:, 0]),
        ("health", found["recovery"]),
    ):
        if asked is None or vital in asked:
            told = lambda n, vital=vital: (f",{vital},{n}",) if n else ()  # noqa: E731
            yield _short(change), told


def _threats(play: _Play, _: frozenset[str] | None) -> Made:
    for code, being in enumerate(names.BEINGS):
        told = lambda n, being=being: (f",{being}",) if n else ()  # noqa: E731
        yield _short(play.steps["near"][:, code] > 0), told
    yield _short(play.steps["arrows"] > 0), lambda n: (",arrow",) if n else ()


def _require_known(play: _Play, what: str) -> None:
    """Refuse to tell something of play in which it is not known.

    Raises:
        InputError: It is not.
    """
    trajectory = play.trajectory
    if what in trajectory.about.unknown:
        raise InputError(
            f"{trajectory.source or trajectory.about.world}:1: {what}: the program asks for it, "
            "and it is not known here; allowed: programs that do not, or other recordings"
        )


def _rewarded(play: _Play, _: frozenset[str] | None) -> Made:
    _require_known(play, "reward")
    yield _short(np.round(play.trajectory.reward * 10)), lambda n: (f",{n}",)


def _unlocked(play: _Play, _: frozenset[str] | None) -> Made:
    _require_known(play, "unlocked")
    achievements = vocabulary(play.trajectory.about.dynamics).achievements
    for code, name in enumerate(achievements):
        told = lambda n, name=name: (f",{name}",) if n else ()  # noqa: E731
        yield _short(play.trajectory.unlocked[:, code]), told


def _flag(value: int) -> tuple[str, ...]:
    return ("",) if value else ()


_EVERYWHERE: Final = (slice(None), slice(None))
_PREDICATES: Final[dict[str, Callable[[_Play, frozenset[str] | None], Made]]] = {
    "did": lambda play, _: [(_short(play.steps["action"]), _action)],
    "chose": lambda play, _: [(_short(play.trajectory.action), _action)],
    "faces": lambda play, _: [(_seen(play.steps["target"], play.steps["object"]), _thing)],
    "ahead": lambda play, _: [(_short(play.steps["target"]), _thing)],
    "becomes": lambda play, _: [
        (_seen(play.steps["target_after"], play.steps["object_after"]), _thing)
    ],
    "before": _fluents("before"),
    "after": _fluents("after"),
    "gained": _changes(1),
    "lost": _changes(-1),
    "near": _within(_NEAR),
    "sees": _within(_EVERYWHERE),
    "moved": lambda play, _: [(_short(play.steps["shift"] == MOVED), _flag)],
    "stayed": lambda play, _: [(_short(play.steps["shift"] == STAYED), _flag)],
    "need": _needs,
    "threat": _threats,
    "unlocked": _unlocked,
    "rewarded": _rewarded,
    "ends": lambda play, _: [(_short(play.trajectory.done), _flag)],
}
