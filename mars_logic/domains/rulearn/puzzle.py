"""What the rules of all puzzles share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import SerializerFunctionWrapHandler, model_serializer

from mars_logic.domains.game import Game, Length, Open, word

Dialect = Literal["faithful", "mended"]
DIALECTS: Final = ("faithful", "mended")
STEPS: Final = 15


class Puzzle(Game):
    """The rules of a puzzle, or a theory of them.

    Attributes:
        length: Steps after which the puzzle is lost. (The winning action is not counted.)
        dialect: Whether the faults of the reference are kept.
    """

    stated = Game.stated | {"dialect"}

    length: Length = STEPS
    dialect: Annotated[Dialect, word("dialect", DIALECTS)] = "faithful"


class PuzzlePart(Open):
    """A part of a puzzle's rules. Files name its fields by their aliases and leave out defaults."""

    @model_serializer(mode="wrap")
    def _named_as_in_files(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        written: Mapping[str, Any] = handler(self)
        fields = type(self).model_fields
        return {
            fields[name].alias or name: value
            for name, value in written.items()
            if fields[name].is_required() or getattr(self, name) != fields[name].default
        }
