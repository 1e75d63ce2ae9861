"""Transitions as facts for logic programs: those that a program asks for, each distinct one once.

The predicates are described in ``encodings/facts/transitions.lp``. Steps that look alike in all
that a program mentions are one transition to it, with a count and an example.
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
from mars_logic.theory.rulesets.vocabulary import KINDS, STATES
from mars_logic.world import names
from mars_logic.world.vocabulary import Vocabulary

Asked = Mapping[str, frozenset[str] | None]
"""The predicates that a program mentions; for those of fluents or items also which (None: all)."""
Values = NDArray[np.int64]
Tell = Callable[[int], tuple[str, ...]]
"""From a value to the further arguments of the facts that it stands for."""
Made = Iterable[tuple[Values, Tell]]

_DIRECTIONS: Final = {(-1, 0): 0, (1, 0): 1, (0, -1): 2, (0, 1): 3}
_SIDES: Final = ("left", "right", "up", "down")
_NEAR: Final = (slice(CENTRE[0] - 1, CENTRE[0] + 2), slice(CENTRE[1] - 1, CENTRE[1] + 2))


@dataclass(frozen=True)
class TransitionColumn:
    """One thing that is seen in every transition of a trajectory.

    Attributes:
        predicate: Of the facts that tell it.
        values: int64[T].
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
        """Take in a trajectory."""
        if not len(trajectory):
            return
        columns = [*_columns(trajectory, self.asked)]
        rows = np.ascontiguousarray(
            np.stack([column.values for column in columns], axis=1)
            if columns
            else np.zeros((len(trajectory), 1), np.int64)
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
        self.words: Vocabulary = trajectory.about.words

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


def _whole(values: NDArray[np.generic]) -> Values:
    return values.astype(np.int64)


def _named(choices: Iterable[str]) -> Tell:
    told = tuple((f",{name}",) for name in choices)
    return lambda value: told[value] if value < len(told) else ()


def _seen(play: _Play, materials: str, objects: str) -> Made:
    """The content of cells, by columns of steps: the object if there is one, else the material."""
    known, here = play.words.materials, play.steps[objects]
    looks = (names.kind_of_look(look) for look in names.LOOKS)
    values = np.where(here == 0, _whole(play.steps[materials]), _whole(here) + len(known))
    yield values, _named((*known, *looks))


def _present(cells: NDArray[np.uint8], wanted: Iterable[int]) -> Values:
    """Which codes are among cells (uint8[T, width, height]): bit i for the i-th."""
    found = np.zeros(len(cells), np.int64)
    for bit, code in enumerate(wanted):
        found |= _whole((cells == code).any(axis=(1, 2))) << bit
    return found


def _set(choices: tuple[str, ...]) -> Tell:
    return lambda bits: tuple(f",{name}" for i, name in enumerate(choices) if bits >> i & 1)


def _within(part: tuple[slice, slice]) -> Callable[[_Play, frozenset[str] | None], Made]:
    def make(play: _Play, _: frozenset[str] | None) -> Made:
        views, known = play.trajectory.before, play.words.materials
        yield _present(views.materials[:, *part], range(1, len(known))), _set(known[1:])
        kinds = [names.LOOKS.index(kind) for kind in KINDS]
        yield _present(views.kinds[:, *part], kinds), _set(KINDS)

    return make


def _fluents(which: str) -> Callable[[_Play, frozenset[str] | None], Made]:
    def make(play: _Play, asked: frozenset[str] | None) -> Made:
        views: Views = getattr(play.trajectory, which)
        for fluent in (*play.words.items, *STATES):
            if asked is None or fluent in asked:
                yield _fluent(views, fluent, play.words)

    return make


def _fluent(views: Views, fluent: str, words: Vocabulary) -> tuple[Values, Tell]:
    def number(value: int) -> tuple[str, ...]:
        return (f",{fluent},{value}",)

    if fluent in words.items:
        return _whole(views.inventory[:, words.items.index(fluent)]), number
    if fluent == "sleeping":
        return _whole(views.sleeping), number
    if fluent == "daylight":
        return _whole(np.round(views.daylight * 100)), number
    if fluent == "ground":
        return _whole(views.materials[:, *CENTRE]), lambda v: (f",ground,{words.materials[v]}",)
    codes = [_DIRECTIONS[x, y] for x, y in views.facing.tolist()]
    return np.array(codes, np.int64), lambda v: (f",facing,{_SIDES[v]}",)


def _changes(sign: int) -> Callable[[_Play, frozenset[str] | None], Made]:
    def make(play: _Play, asked: frozenset[str] | None) -> Made:
        before, after = (
            _whole(v.inventory) for v in (play.trajectory.before, play.trajectory.after)
        )
        for code, item in enumerate(play.words.items):
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
            yield _whole(change), told


def _threats(play: _Play, _: frozenset[str] | None) -> Made:
    for code, being in enumerate(names.BEINGS):
        told = lambda n, being=being: (f",{being}",) if n else ()  # noqa: E731
        yield _whole(play.steps["near"][:, code] > 0), told
    yield _whole(play.steps["arrows"] > 0), lambda n: (",arrow",) if n else ()


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
    yield _whole(np.round(play.trajectory.reward * 10)), lambda n: (f",{n}",)


def _unlocked(play: _Play, _: frozenset[str] | None) -> Made:
    _require_known(play, "unlocked")
    for code, name in enumerate(play.words.achievements):
        told = lambda n, name=name: (f",{name}",) if n else ()  # noqa: E731
        yield _whole(play.trajectory.unlocked[:, code]), told


def _flag(value: int) -> tuple[str, ...]:
    return ("",) if value else ()


_EVERYWHERE: Final = (slice(None), slice(None))
_PREDICATES: Final[dict[str, Callable[[_Play, frozenset[str] | None], Made]]] = {
    "did": lambda play, _: [(_whole(play.steps["action"]), _named(play.words.actions))],
    "chose": lambda play, _: [(_whole(play.trajectory.action), _named(play.words.actions))],
    "faces": lambda play, _: _seen(play, "target", "object"),
    "ahead": lambda play, _: [(_whole(play.steps["target"]), _named(play.words.materials))],
    "becomes": lambda play, _: _seen(play, "target_after", "object_after"),
    "before": _fluents("before"),
    "after": _fluents("after"),
    "gained": _changes(1),
    "lost": _changes(-1),
    "near": _within(_NEAR),
    "sees": _within(_EVERYWHERE),
    "moved": lambda play, _: [(_whole(play.steps["shift"] == MOVED), _flag)],
    "stayed": lambda play, _: [(_whole(play.steps["shift"] == STAYED), _flag)],
    "need": _needs,
    "threat": _threats,
    "unlocked": _unlocked,
    "rewarded": _rewarded,
    "ends": lambda play, _: [(_whole(play.trajectory.done), _flag)],
}
