"""Episodes put together, as compiled code reads them: many short ones at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod
from operator import attrgetter
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import DONE, SEEN, Trajectory, layout_for
from mars_logic.errors import InputError
from mars_logic.theory.evidence.layout import (
    EATS,
    MAKES,
    NAMES_DTYPE,
    OWN_DTYPE,
    PLACES,
    SHOOTS,
    VIEW_DTYPE,
    items_dtype,
    layout_of,
)
from mars_logic.world import names
from mars_logic.world.cell_rules import DARK
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.vocabulary import (
    CELL_FAMILIES,
    CREATURE_FAMILIES,
    PROJECTILE_FAMILIES,
    Vocabulary,
)

_NAMES: Final = ("materials", "objects", "inventory", "facing", "sleeping", "action", "unlocked")
_ARRAYS: Final = attrgetter(*(f"views.{name}" if name in SEEN else name for name in _NAMES))
_MOMENTS: Final = tuple(name in SEEN for name in _NAMES)
_ACTION, _INVENTORY = _NAMES.index("action"), _NAMES.index("inventory")
_DEEDS: Final = {"place": PLACES, "make": MAKES, "eat": EATS, "shoot": SHOOTS}
_NOTHING_OWN: Final = np.zeros(0, OWN_DTYPE)
UNKNOWN: Final = ("first_step", "unlocked")
"""What matters here of what may be unknown of an episode, by bits from the lowest on."""
ENOUGH: Final = 4096
"""So many transitions make a batch: their arrays fit into a processor's cache."""


class _Column(NamedTuple):
    """How an array of a batch lies in memory.

    Attributes:
        dtype: Of its elements.
        shape: Of a row.
        size: Of a row, in bytes.
        record: As which compiled code gets a row, if not as it is.
    """

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    size: int
    record: np.dtype[Any] | None

    @classmethod
    def of(cls, name: str, words: Vocabulary) -> _Column:
        """That of a name; an inventory has room for as many items as its layout."""
        kind, shape = layout_for({**SEEN, **DONE}, words)[name]
        record = VIEW_DTYPE if name in ("materials", "objects") else None
        if name == "inventory":
            shape = (layout_of(words).items,)
            record = items_dtype(*shape)
        dtype = np.dtype(kind)
        return cls(dtype, shape, prod(shape) * dtype.itemsize, record)


@cache
def _columns(words: Vocabulary) -> list[_Column]:
    return [_Column.of(name, words) for name in _NAMES]


@cache
def _known(words: Vocabulary) -> NDArray[np.void]:
    """NAMES_DTYPE[1]: what kernels have to know of a vocabulary."""
    known = np.zeros(1, NAMES_DTYPE)
    known["material_room"] = _eight(127 - (len(words.materials) - 1))
    known["largest_action"] = len(words.actions) - 1
    for code, action in enumerate(words.actions):
        family, _, name = action.partition("_")
        if family in _DEEDS and name in words.subjects.get(family, ()):
            numbers = words.items if family == "eat" else words.subjects[family]
            known["deed"][0, code] = _DEEDS[family]
            known["number"][0, code] = numbers.index(name)
    known["look_room"] = _eight(127 - (len(words.looks) - 1))
    _know_own(known, words)
    known.flags.writeable = False
    return known


def _eight(number: int) -> int:
    """A number in each of eight bytes."""
    return int.from_bytes(bytes([number] * 8), "little")


def _know_own(known: NDArray[np.void], words: Vocabulary) -> None:
    """Note what a vocabulary says of rules of kinds that Crafter lacks."""
    beings = words.subjects["creature"]
    acting, hunted = (words.subjects.get(family, ()) for family in CREATURE_FAMILIES)
    shots = any(words.subjects.get(family) for family in PROJECTILE_FAMILIES)
    known["living"] = bool(words.added_creatures or acting or shots)
    known["shots"] = shots
    known["last_being"] = len(names.LOOKS) - 1 + len(words.added_creatures)
    known["behaving"] = sum(1 << beings.index(being) for being in acting)
    for number, creature in enumerate(words.added_creatures, start=len(names.BEINGS)):
        ground = (words.materials.index(name) for name in creature.ground)
        known["ground"][0, number] = sum(1 << code for code in ground)
    known["hunted"] = sum(1 << beings.index(being) for being in hunted)
    for number, being in enumerate(beings):
        achievement = words.killing.get(being)
        known["killing"][0, number] = (
            words.achievements.index(achievement) if achievement in words.achievements else -1
        )
    known["needs"] = len(words.added_needs)
    pushed, beside, timed = (words.subjects.get(family, ()) for family in CELL_FAMILIES)
    changing = {*beside, *timed}
    for field, listed in (("changing", changing), ("timed", timed), ("pushed", pushed)):
        known[field] = sum(1 << words.materials.index(name) for name in listed)
    known["own"] = is_own(words)


def is_own(words: Vocabulary) -> bool:
    """Whether a world has rules of kinds that Crafter lacks."""
    families = (*CELL_FAMILIES, *CREATURE_FAMILIES, *PROJECTILE_FAMILIES)
    stated = any(words.subjects.get(family) for family in families)
    return bool(stated or words.added_creatures or words.added_needs)


class Turn(NamedTuple):
    """An episode with the number by which it is known, and its arrays as in a batch."""

    number: int
    episode: Trajectory
    arrays: tuple[NDArray[Any], ...]
    steps: int
    own: NDArray[np.void]

    @classmethod
    def of(cls, number: int, episode: Trajectory) -> Turn:
        """Look up the arrays.

        Raises:
            InputError: They have not the same number of moments, or of transitions.
        """
        arrays: tuple[NDArray[Any], ...] = _ARRAYS(episode)
        own = _NOTHING_OWN
        if episode.about.adds:
            words = episode.about.words
            if is_own(words):
                own = _own(episode, words)
            arrays = _with_room(arrays, layout_of(words).items, len(words.added_needs))
        lengths = tuple(map(len, arrays))
        steps = lengths[_ACTION]
        if lengths != tuple([steps + moments for moments in _MOMENTS]):
            at = next(i for i, n in enumerate(lengths) if n != steps + _MOMENTS[i])
            raise InputError(
                f"{_source(episode)}:1: {_NAMES[at]}: it has {lengths[at]} moments; allowed: "
                f"{steps + _MOMENTS[at]}"
            )
        return cls(number, episode, arrays, steps, own)


class Batch(NamedTuple):
    """E episodes of one vocabulary with N transitions in all.

    Attributes:
        arrays: Materials, objects, inventory, facing and sleeping, with N + E rows; action and
            unlocked, with N.
        lengths: int64[E]: how many transitions each episode has.
        crafter: The dialect.
        known: NAMES_DTYPE[1]: its names, with those that the world adds.
        own: OWN_DTYPE[N + E], of the same moments; none in worlds with Crafter's kinds of rules.
        unknown: int64[E]: what is not known of each episode, as bits.
        numbers: int64[E]: by which the episodes are known.
        episodes: The episodes themselves.
    """

    arrays: tuple[NDArray[Any], ...]
    lengths: NDArray[np.int64]
    crafter: bool
    known: NDArray[np.void]
    own: NDArray[np.void]
    unknown: NDArray[np.int64]
    numbers: NDArray[np.int64]
    episodes: tuple[Trajectory, ...]

    @classmethod
    def of(cls, turns: Sequence[Turn]) -> Batch:
        """Put episodes together; one alone is not copied."""
        numbers, episodes, arrays, steps, own = zip(*turns, strict=True)
        words = episodes[0].about.words
        return cls(
            tuple(map(_joined, zip(*arrays, strict=True), _columns(words))),
            np.array(steps, np.int64),
            episodes[0].about.dynamics == "crafter",
            _known(words),
            np.concatenate(own),
            np.array([_unknown(each) for each in episodes], np.int64),
            np.array(numbers, np.int64),
            episodes,
        )

    def refusal(self, episode: int) -> InputError:
        """The mistakes in an episode that holds values out of range."""
        trajectory = self.episodes[episode]
        views, source = trajectory.views, _source(trajectory)
        words = trajectory.about.words
        for name, array, most in (
            ("materials", views.materials, len(words.materials) - 1),
            ("objects", views.objects, len(words.looks) - 1),
            ("inventory", views.inventory, MAXIMUM),
            ("action", trajectory.action, len(words.actions) - 1),
        ):
            if array.size and array.max() > most:
                return InputError(
                    f"{source}:1: {name}: {array.max()} is too large; allowed: 0 to {most}"
                )
        return InputError(
            f"{source}:1: facing: not a direction; allowed: (-1, 0), (1, 0), (0, -1), (0, 1)"
        )


def _unknown(trajectory: Trajectory) -> int:
    return sum(1 << bit for bit, what in enumerate(UNKNOWN) if what in trajectory.about.unknown)


def _source(trajectory: Trajectory) -> str:
    return trajectory.source or trajectory.about.world


def _own(episode: Trajectory, words: Vocabulary) -> NDArray[np.void]:
    """OWN_DTYPE[T + 1]: the points of added needs, and whether it is night."""
    own = np.zeros(len(episode.views), OWN_DTYPE)
    needs = len(words.added_needs)
    if needs:
        own["points"][:, :needs] = episode.views.inventory[:, -needs:]
    own["night"] = episode.views.daylight < DARK
    return own


def _with_room(
    arrays: tuple[NDArray[Any], ...], items: int, needs: int
) -> tuple[NDArray[Any], ...]:
    """The arrays of an episode with an inventory of so many items, without added needs."""
    inventory = arrays[_INVENTORY]
    wider = np.zeros((len(inventory), items), inventory.dtype)
    held = inventory.shape[1] - needs
    wider[:, :held] = inventory[:, :held]
    return (*arrays[:_INVENTORY], wider, *arrays[_INVENTORY + 1 :])


def _joined(arrays: Sequence[NDArray[Any]], column: _Column) -> NDArray[Any]:
    """One array of many, as the kernels were compiled for: contiguous and read-only."""
    if len(arrays) > 1:
        joined = _concatenated(arrays, column)
        if joined is not None:
            return joined
    array = arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
    if array.dtype != column.dtype or not array.flags.c_contiguous or array.flags.writeable:
        array = np.ascontiguousarray(array, column.dtype).view()
        array.flags.writeable = False
    if column.record:
        array = array.reshape(len(array), -1).view(column.record)[:, 0]
    return array


def _concatenated(arrays: Sequence[NDArray[Any]], column: _Column) -> NDArray[Any] | None:
    """As numpy does it; for many short arrays this is faster, and no other thread interferes.

    None if they are not as they should be.
    """
    try:
        joined = b"".join(arrays)  # type: ignore[arg-type]  # arrays are buffers
    except TypeError:  # some are not contiguous
        return None
    rows = sum(map(len, arrays))
    if len(joined) != rows * column.size:  # of another type
        return None
    if column.record:
        return np.frombuffer(joined, column.record)
    return np.frombuffer(joined, column.dtype).reshape(rows, *column.shape)
