"""Trajectories of games as files: Parquet, one row a transition, one episode a file.

A file tells its own columns, as the game's domain declares them, so that it can be read without the
game. docs/trajectories.md describes the format. A file is written whole or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mars_logic.data.description import KEY
from mars_logic.data.trajectory import freeze
from mars_logic.errors import InputError
from mars_logic.system.display import number
from mars_logic.system.files import write_atomically
from mars_logic.system.json_files import value_of
from mars_logic.world.mistakes import mistakes
from mars_logic.world.names import SEED_LIMIT
from mars_logic.world.problems import dotted

if TYPE_CHECKING:
    import pyarrow as pa

    from mars_logic.data.columns import Column
    from mars_logic.data.parquet import Parquet


SCHEMA: Final = "mars-logic game trajectory"
_ALLOWED: Final = "a trajectory of a game, written by mars-logic"
_MOST_SIZE: Final = 1000
"""Numbers in a part of an observation."""
_LARGEST: Final = 2**53

_Number = Annotated[int, Field(ge=-_LARGEST, le=_LARGEST)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)
    low: _Number
    high: _Number
    size: Annotated[int, Field(ge=1, le=_MOST_SIZE)] | None
    texts: Annotated[list[str], Field(min_length=1)] | None = None

    def part(self) -> ObservationPart:
        if self.texts is None:
            return ObservationPart(self.low, self.high, self.size)
        return ObservationPart.of_texts(tuple(self.texts))


class _Document(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)
    schema_: Annotated[Literal["mars-logic game trajectory"], Field(alias="schema")]
    version: Literal[1]
    game: str
    domain: str
    digest: str
    seed: Annotated[int, Field(gt=-SEED_LIMIT, lt=SEED_LIMIT)]
    agent: str
    versions: dict[str, str]
    privileged: bool
    fractions: bool = False
    parts: dict[str, _Part]
    actions: Annotated[list[str], Field(min_length=1)]


def save_game(trajectory: GameTrajectory, path: str | Path) -> None:
    """Write the trajectory of a game: whole or not at all.

    Raises:
        OSError: The folder is missing or cannot be written to.
        ValueError: It has no transition.
    """
    import pyarrow as pa

    from mars_logic.data.columns import text
    from mars_logic.data.store import as_bytes

    if not len(trajectory):
        raise ValueError("a trajectory has no transition")
    about, length = trajectory.about, len(trajectory)
    once = np.zeros(length, np.int64)
    # As in trajectories of worlds, for readers of tables; the description says the same.
    held: dict[str, pa.Array] = {
        "world": text(once, (about.game,)),
        "agent": text(once, (about.agent,)),
        "seed": pa.array(once + about.seed),
        "episode": pa.array(np.ones(length, np.int32)),
        "step": pa.array(np.arange(1, length + 1, dtype=np.int32)),
    }
    score = None if trajectory.score is None else trajectory.score.dtype.type
    kinds = _columns(trajectory.parts, trajectory.actions, score)
    arrays = _arrays(trajectory)
    held |= {name: kind.encode(arrays[name]) for name, kind in kinds.items()}
    write_atomically(Path(path), as_bytes(held, {KEY: _description(trajectory)}))


def load_game_trajectory(path: str | Path) -> GameTrajectory:
    """Read the trajectory of a game, and check that it is complete and well formed.

    Raises:
        InputError: The file is missing, truncated, or no trajectory of a game.
    """
    import pyarrow as pa

    from mars_logic.data.columns import Unfit
    from mars_logic.data.parquet import Parquet

    file = Parquet.open(Path(path), _ALLOWED)
    about = _described(file)
    parts = {name: each.part() for name, each in about.parts.items()}
    whole = np.float64 if about.fractions else np.int64
    kinds = _columns(parts, tuple(about.actions), whole if about.privileged else None)
    table = file.table(
        pa.schema([pa.field(name, kind.type, nullable=False) for name, kind in kinds.items()])
    )
    arrays: dict[str, NDArray[Any]] = {}
    for name, kind in kinds.items():
        try:
            arrays[name] = kind.decode(table.column(name))
        except Unfit as error:
            file.refuse(name, error.found, error.allowed)
    if not file.rows:
        file.refuse("rows", "there are none", "at least one")
    return GameTrajectory(
        about=GameAbout(
            about.game, about.domain, about.digest, about.seed, about.agent, about.versions
        ),
        parts=parts,
        actions=tuple(about.actions),
        seen=freeze({name: _seen(file, name, part, arrays) for name, part in parts.items()}),
        **freeze({name: arrays[name] for name in ("action", "reward", "terminated", "truncated")}),
        score=freeze(arrays)["privileged_score"] if about.privileged else None,
        source=str(path),
    )


def is_game_trajectory(path: Path) -> bool:
    """Whether a file states that it is a trajectory of a game; what cannot be read does not."""
    from mars_logic.data.parquet import Parquet

    try:
        text = Parquet.open(path, _ALLOWED).texts[KEY.encode()]
        found = value_of(text, f"{path}:1", _ALLOWED)
    except (InputError, KeyError):
        return False
    return isinstance(found, dict) and found.get("schema") == SCHEMA


# --- Columns -------------------------------------------------------------------------------------


def _columns(
    parts: Mapping[str, ObservationPart], actions: tuple[str, ...], score: type[np.generic] | None
) -> dict[str, Column]:
    from mars_logic.data.columns import numbers, rewards, words

    def column(part: ObservationPart) -> Column:
        if part.texts is not None:
            return words(part.texts, np.int64)
        return numbers(np.int64, part.low, part.high, f"{part.low} to {part.high}")

    def seen(when: str) -> dict[str, Column]:
        return {
            name: column(part)
            for of, part in parts.items()
            for name in _names(f"{when}_{of}", part)
        }

    scores = {} if score is None else {"privileged_score": numbers(score)}
    done = {
        "action": words(actions, np.int64),
        "reward": rewards(),
        "terminated": numbers(np.bool_),
        "truncated": numbers(np.bool_),
    }
    return seen("before") | done | seen("after") | scores


def _names(of: str, part: ObservationPart) -> list[str]:
    """The columns of a part: one, or one for each of its numbers."""
    return [of] if part.size is None else [f"{of}_{place}" for place in range(part.size)]


def _arrays(trajectory: GameTrajectory) -> dict[str, NDArray[Any]]:
    found: dict[str, NDArray[Any]] = {
        name: getattr(trajectory, name) for name in ("action", "reward", "terminated", "truncated")
    }
    for of, part in trajectory.parts.items():
        for when, rows in (("before", slice(None, -1)), ("after", slice(1, None))):
            seen = trajectory.seen[of][rows].reshape(len(trajectory), -1)
            found |= dict(zip(_names(f"{when}_{of}", part), seen.T, strict=True))
    return found if trajectory.score is None else found | {"privileged_score": trajectory.score}


def _seen(
    file: Parquet, of: str, part: ObservationPart, arrays: Mapping[str, NDArray[Any]]
) -> NDArray[np.int64]:
    """What was seen of a part, from the columns before and after each transition."""
    found = []
    for before, after in zip(
        _names(f"before_{of}", part), _names(f"after_{of}", part), strict=True
    ):
        if (wrong := arrays[before][1:] != arrays[after][:-1]).any():
            step = int(np.argmax(wrong))
            message = f"after step {step} it is {arrays[after][step]}"
            file.refuse(after, message, f"{arrays[before][step + 1]}, as before the next")
        found.append(np.concatenate([arrays[before][:1], arrays[after]]))
    return found[0] if part.size is None else np.stack(found, axis=1)


# --- The description -----------------------------------------------------------------------------


def _description(trajectory: GameTrajectory) -> str:
    about = trajectory.about
    document = {
        "schema": SCHEMA,
        "version": 1,
        **vars(about),
        "versions": dict(about.versions),
        "privileged": trajectory.score is not None,
        "fractions": trajectory.score is not None and trajectory.score.dtype == np.float64,
        "parts": {name: _stated(part) for name, part in trajectory.parts.items()},
        "actions": list(trajectory.actions),
    }
    return json.dumps(document, separators=(",", ":"))


def _stated(part: ObservationPart) -> dict[str, Any]:
    """A part as plain data; texts are stated where there are some."""
    stated = part._asdict()
    return stated if part.texts is not None else {k: v for k, v in stated.items() if k != "texts"}


def _described(file: Parquet) -> _Document:
    if KEY.encode() not in file.texts:
        file.refuse(KEY, "it is missing from the file's metadata")
    text = file.texts[KEY.encode()]
    value_of(text, f"{file.path}:1", _ALLOWED)
    try:
        return _Document.model_validate_json(text)
    except ValidationError as error:
        _refuse(file, error)


def _refuse(file: Parquet, error: ValidationError) -> NoReturn:
    first = mistakes(error)[0]
    file.refuse(dotted(first.place) or KEY, first.message, first.allowed or "")


@dataclass(frozen=True)
class GameAbout:
    """Where a trajectory comes from.

    Attributes:
        game: The name of the game, or the path it was loaded from.
        domain: The domain, which declares the columns.
        digest: The game's digest.
        seed: Decides all random outcomes.
        agent: The label of the player, with what it was told.
        versions: Of the tools that made it.
    """

    game: str
    domain: str
    digest: str
    seed: int
    agent: str
    versions: Mapping[str, str] = field(default_factory=dict)


class ObservationPart(NamedTuple):
    """A part of an observation: whole numbers in a range, or texts.

    Attributes:
        low: The smallest.
        high: The largest.
        size: How many there are; None for a bare number.
        texts: Texts that the numbers are places in; None if they are numbers. Such a part is bare.
    """

    low: int
    high: int
    size: int | None = None
    texts: tuple[str, ...] | None = None

    @classmethod
    def of_texts(cls, texts: tuple[str, ...]) -> ObservationPart:
        """A part that is one of these different texts."""
        return cls(0, len(texts) - 1, None, texts)


@dataclass(frozen=True, eq=False, repr=False)
class GameTrajectory:
    """One episode of T steps from its reset on.

    Attributes:
        about: Where it comes from.
        parts: The parts of an observation, by name.
        actions: The names of the actions; where actions are open, those that were taken.
        seen: For each part, what was seen at the reset and after each step: int64[T + 1], or
            int64[T + 1, size].
        action: int64[T]: the place of each action in ``actions``.
        reward: float64[T].
        terminated: bool[T]: the game was over after this step.
        truncated: bool[T]: the episode was broken off after this step, at its length.
        score: Privileged, since no player sees it: int64[T], or float64[T] where some are no
            whole numbers: the score after each step; None if it is left out.
        source: The file it was read from, or a name.
    """

    about: GameAbout
    parts: Mapping[str, ObservationPart]
    actions: tuple[str, ...]
    seen: Mapping[str, NDArray[np.int64]]
    action: NDArray[np.int64]
    reward: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    score: NDArray[np.int64] | NDArray[np.float64] | None = None
    source: str = ""

    def __len__(self) -> int:
        return len(self.action)

    def __repr__(self) -> str:
        about = f"{self.about.game}, seed {self.about.seed}, {self.about.agent}"
        return f"<GameTrajectory {about}: {number(len(self), 'transition')}>"
