"""The rows of an experiment's results: read from a Parquet file, and checked value by value."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, get_args

import pyarrow as pa

from mars_logic.data.parquet import Parquet
from mars_logic.domains.registry import domain, domain_names
from mars_logic.errors import InputError
from mars_logic.experiments import record
from mars_logic.play.episodes import Ended
from mars_logic.system.json_files import value_of
from mars_logic.world.fields import shown
from mars_logic.world.names import DYNAMICS, SEED_LIMIT
from mars_logic.world.vocabulary import vocabulary

MOST: Final = 100_000
"""Episodes whose results are read at once."""
_LONGEST: Final = 10_000
"""Characters of a text."""
_LARGEST: Final = 1e9
"""The largest reward, and the longest time in seconds, that a row may tell."""
_ALLOWED: Final = f"results of mars-logic experiment, Parquet of the schema '{record.SCHEMA}'"


@dataclass(frozen=True, slots=True)
class Row:
    """An episode, as far as summaries need it; see docs/experiments.md.

    Of one that no experiment played it is not all known: the defaults stand for that. ``dynamics``
    of one in a game is its domain, ``complete`` None if the game has no goal, and only games have
    ``score`` and, seldom, ``normalised``.
    """

    unit: str
    agent: str
    agent_name: str
    world: str
    world_name: str
    world_digest: str
    dynamics: str
    seed: int
    episode: int
    steps: int
    reward: float
    number: int = 1
    phase: str = "play"
    ended: str = ""
    unlocked: dict[str, int] = field(default_factory=dict)
    unreachable: tuple[str, ...] = ()
    goals: tuple[str, ...] | None = None
    complete: bool | None = None
    precision: float | None = None
    recall: float | None = None
    changes_recall: float | None = None
    revisions: int | None = None
    seconds_per_decision: float = math.nan
    seconds: float = math.nan
    peak_memory_mib: float = math.nan
    options: str = "{}"
    belief: str | None = None
    certificate: str | None = None
    score: float | None = None
    normalised: float | None = None

    @property
    def is_game(self) -> bool:
        """Whether it was played in a game, not in a world."""
        return self.dynamics in domain_names()

    @property
    def is_puzzle(self) -> bool:
        """Whether it was played in a game that hides its rules."""
        return self.is_game and domain(self.dynamics).hides_rules

    @property
    def achievements(self) -> tuple[str, ...]:
        """Those that the world states, else all of its dialect; a game has none."""
        if self.goals is not None:
            return self.goals
        return () if self.is_game else vocabulary(self.dynamics).achievements


_DEFAULTS: Final = {
    "options": "{}",
    "belief": None,
    "goals": None,
    "certificate": None,
    "score": None,
    "normalised": None,
}
"""Columns that older results lack, with what holds for these."""
_WANTED: Final = pa.schema([record.COLUMNS.field(each.name) for each in fields(Row)])


def read(file: Path) -> Iterator[Row]:
    """The rows of one file.

    Raises:
        InputError: It is missing, no result of an experiment, too large, or a value is wrong.
    """
    source = Parquet.open(file, _ALLOWED)
    if source.texts.get(b"schema") != record.SCHEMA.encode():
        source.refuse("file", "this is no result of an experiment")
    if source.rows > MOST:
        source.refuse("rows", f"there are {source.rows:,}", f"at most {MOST:,}")
    for number, values in enumerate(source.records(_WANTED, _DEFAULTS), 1):
        yield _row(f"{file}:{number}", values)


def is_table(file: Path) -> bool:
    """Whether a file says of itself that it holds results of an experiment."""
    try:
        texts = Parquet.open(file, _ALLOWED).texts
    except InputError:
        return False
    return texts.get(b"schema") == record.SCHEMA.encode()


_UNIT: Final = re.compile(r"[A-Za-z0-9+-][A-Za-z0-9._+-]{0,220}__s(\d{1,20})", re.ASCII)


def seed_of(unit: str) -> int:
    """The seed in the name of a unit.

    Raises:
        ValueError: There is none.
    """
    found = _UNIT.fullmatch(unit)
    if found is None:
        raise ValueError(unit)
    return int(found[1])


# --- Checks --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Check:
    """The allowed content of a column.

    Attributes:
        holds: Whether a value is allowed; it has the type of its column and is not null.
        allowed: The allowed values, in words.
        null: Whether null is, too.
    """

    holds: Callable[[Any], bool]
    allowed: str
    null: bool = False


def _between(low: float, high: float, *, null: bool = False) -> _Check:
    ends = (f"{end:,.0f}" if abs(end) < 2**53 else f"{end:.4g}" for end in (low, high))
    # Not a number is neither above nor below anything.
    return _Check(lambda value: low <= value <= high, f"a number from {' to '.join(ends)}", null)


def _one_of(*names: str) -> _Check:
    return _Check(lambda value: value in names, ", ".join(names))


def _is_object(text: str) -> bool:
    try:
        return isinstance(value_of(text, "options", "a mapping"), dict)
    except InputError:
        return False


def _anything(_: Any) -> bool:
    return True


_TEXT: Final = _Check(_anything, "a text")
_COUNT: Final = _between(1, 2**31 - 1)
_SHARE: Final = _between(0, 1, null=True)
_TIME: Final = _between(0, _LARGEST)
_CHECKS: Final[Mapping[str, _Check]] = {
    "unit": _Check(
        lambda name: _UNIT.fullmatch(name) is not None,
        "WORLD__LABEL__sSEED in letters, digits and . + - _, such as default__random__s0",
    ),
    "number": _COUNT,
    "agent": _TEXT,
    "agent_name": _TEXT,
    "world": _TEXT,
    "world_name": _TEXT,
    "world_digest": _TEXT,
    "dynamics": _one_of(*DYNAMICS, *domain_names()),
    "seed": _between(1 - SEED_LIMIT, SEED_LIMIT - 1),
    "episode": _COUNT,
    "phase": _one_of(*get_args(record.Phase)),
    "steps": _between(0, 2**31 - 1),
    "reward": _between(-_LARGEST, _LARGEST),
    "ended": _one_of(*get_args(Ended)),
    "unlocked": _Check(_anything, "a map from achievements to steps"),
    "unreachable": _Check(_anything, "a list of achievements"),
    "goals": _Check(_anything, "a list of achievements, or null", null=True),
    "complete": _Check(_anything, "true or false", null=True),
    "score": _between(-_LARGEST, _LARGEST, null=True),
    "normalised": _between(-_LARGEST, _LARGEST, null=True),
    "precision": _SHARE,
    "recall": _SHARE,
    "changes_recall": _SHARE,
    "revisions": _between(0, 2**31 - 1, null=True),
    "seconds_per_decision": _TIME,
    "seconds": _TIME,
    "peak_memory_mib": _TIME,
    "options": _Check(_is_object, "a JSON object"),
    "belief": _Check(_anything, "a digest, or null", null=True),
    "certificate": _Check(_anything, "a file in the folder, or null", null=True),
}


def _row(place: str, values: dict[str, Any]) -> Row:
    """A row of which every value is allowed; null stands for what older results lack.

    Args:
        place: The file and the number of the row, which stands where other messages have a line.
        values: By the names of columns.
    """
    for name, value in values.items():
        check, default = _CHECKS[name], _DEFAULTS.get(name)
        if value is None:
            if not check.null and default is None:
                raise _refusal(place, name, "this is null", check.allowed)
            values[name] = default
        elif isinstance(value, str) and len(value) > _LONGEST:
            what = f"a text of {len(value):,} characters"
            raise _refusal(place, name, what, f"at most {_LONGEST:,}")
        elif not check.holds(value):
            raise _refusal(place, name, f"this is {shown(value)}", check.allowed)
    goals = values.get("goals")  # which older results lack
    more = {
        "unlocked": dict(values["unlocked"]),
        "unreachable": tuple(values["unreachable"]),
        "goals": None if goals is None else tuple(goals),
    }
    row = Row(**values | more)
    if row.steps == 0 and not row.is_puzzle:  # what solves a puzzle does not count as a step
        raise _refusal(place, "steps", "this is 0", _COUNT.allowed)
    required = "score" if row.is_game else "complete"
    if getattr(row, required) is None:
        raise _refusal(place, required, "this is null", _CHECKS[required].allowed)
    _require_achievements(place, row)
    return row


def _require_achievements(place: str, row: Row) -> None:
    """Refuse a row with achievements that its world lacks, or at steps that it lacks."""
    known = row.achievements
    for name in (*row.unlocked, *row.unreachable):
        if name not in known:
            what = f"there is no achievement {shown(name)} in its world"
            field = "unlocked" if name in row.unlocked else "unreachable"
            raise _refusal(place, field, what, ", ".join(known))
    for name, step in row.unlocked.items():
        if step is None or not 1 <= step <= row.steps:
            what = f"{name} is unlocked at step {shown(step)}"
            raise _refusal(place, "unlocked", what, f"1 to {row.steps}")


def _refusal(place: str, name: str, what: str, allowed: str) -> InputError:
    return InputError(f"{place}: {name}: {what}; allowed: {allowed}")
