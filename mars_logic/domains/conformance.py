"""Episodes of recordings as they stand in a file, and the first thing in which a replay differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from mars_logic.errors import InputError
from mars_logic.system.printable import in_one_line
from mars_logic.world.mistakes import mistakes
from mars_logic.world.problems import dotted

M = TypeVar("M", bound=BaseModel)
RECORDING: Final = "a recording: episodes in JSON, one a line"
_MISSING: Final = "nothing"
_TOLERANCE: Final = 1e-9
"""Relative difference between two numbers that does not count."""


@dataclass(frozen=True)
class RecordingDifference:
    """The first thing in which a simulator does not do what was recorded.

    Attributes:
        file: The recording.
        line: The line of the episode in it.
        episode: The episode's number or name.
        part: The part of the episode: ``setup`` or ``start``, ``step``, ``end``.
        step: The number of the step, from 0; None outside of steps.
        field: What differs, as a path in JSON within that part.
        recorded: What was recorded.
        simulated: What the simulator did.
    """

    file: str
    line: int
    episode: int | str
    part: str
    step: int | None
    field: str
    recorded: str
    simulated: str

    def __str__(self) -> str:
        """In one line."""
        at = self.part if self.step is None else f"{self.part} {self.step}"
        return in_one_line(
            f"{self.file}:{self.line}: episode {self.episode}, {at}: {self.field}: recorded "
            f"{self.recorded}, simulated {self.simulated}"
        )


@dataclass(frozen=True)
class RecordedLine:
    """An episode of a recording as it stands in its file.

    Attributes:
        file: The recording.
        line: The line.
        data: What the line holds.
    """

    file: Path
    line: int
    data: Any

    def read_as(self, kind: type[M]) -> M:
        """The episode, checked by a model.

        Raises:
            InputError: It is wrong.
        """
        try:
            return kind.model_validate(self.data)
        except ValidationError as error:
            first = mistakes(error)[0]
            allowed = first.allowed or RECORDING
            raise self.refusal(dotted(first.place) or "file", first.message, allowed) from None

    def refusal(self, field: str, message: str, allowed: str) -> InputError:
        """The error for something in it.

        Args:
            field: Its path in JSON.
            message: What is wrong.
            allowed: What would be right.
        """
        text = f"{self.file}:{self.line}: {field}: {message}; allowed: {allowed}"
        return InputError(in_one_line(text))


@dataclass(frozen=True)
class ReplayPlace:
    """A part of an episode that is replayed.

    Attributes:
        line: The episode.
        episode: Its number or name.
        part: ``setup`` or ``start``, ``step``, ``end``.
        step: The number of the step, from 0; None outside of steps.
        within: Before the names of fields, as a path.
    """

    line: RecordedLine
    episode: int | str
    part: str
    step: int | None = None
    within: str = ""

    def compared(
        self, recorded: Mapping[str, Any], simulated: Mapping[str, Any]
    ) -> RecordingDifference | None:
        """The first field in which two mappings differ, those that one of them lacks included."""
        for field in [*recorded, *(each for each in simulated if each not in recorded)]:
            mine = recorded.get(field, _MISSING), simulated.get(field, _MISSING)
            if not _same(*mine):
                return self.difference(field, *mine)
        return None

    def difference(self, field: str, recorded: object, simulated: object) -> RecordingDifference:
        """A difference in a field."""
        where = str(self.line.file), self.line.line, self.episode, self.part, self.step
        return RecordingDifference(*where, f"{self.within}{field}", str(recorded), str(simulated))


def _same(one: object, other: object) -> bool:
    """Whether two values of JSON are equal, numbers but for rounding; true is not 1."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= _TOLERANCE * max(abs(one), abs(other))
    return one == other
