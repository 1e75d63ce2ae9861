"""How far a training run has come, as its checkpoint tells."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from mars_logic.training.checkpoint import Content
from mars_logic.training.curve import Count, Mean, Point
from mars_logic.training.settings_file import ALLOWED
from mars_logic.world.mistakes import refusal

_OTHERS: Final = ("envs", "begin", "learner")
"""What a checkpoint holds beside the progress."""


@dataclass(frozen=True)
class TrainingProgress:
    """How far a run has come.

    Attributes:
        steps: Steps in all environments together.
        every: Steps between rows of the curve.
        next: Steps at which the next row is due.
        best: The highest reward of a row of the curve; None before there is one.
        points: The curve: its rows so far.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    steps: Count
    every: Annotated[Count, Field(ge=1)]
    next: Annotated[Count, Field(ge=1)]
    best: Mean | None
    points: list[Point]

    @classmethod
    def of(cls, content: Content, path: Path) -> TrainingProgress:
        """What a checkpoint tells.

        Raises:
            InputError: A value is missing or wrong.
        """
        about = {name: value for name, value in content.items() if name not in _OTHERS}
        try:
            return TypeAdapter(cls).validate_python(about)
        except ValidationError as error:
            raise refusal(path, error, ALLOWED) from None
