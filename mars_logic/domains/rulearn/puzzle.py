"""What the rules of all puzzles share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import BeforeValidator, SerializerFunctionWrapHandler, model_serializer

from mars_logic.domains.game import Game, Length, Open, options, word
from mars_logic.world.fields import invalid, shown

Dialect = Literal["faithful", "mended"]
DIALECTS: Final = ("faithful", "mended")
STEPS: Final = 15


class CodeShape(NamedTuple):
    """Codes of a door: so many digits of a closed range, and whether no two are equal."""

    size: int = 0
    low: int = 0
    high: int = 9
    distinct: bool = False


class Puzzle(Game):
    """The rules of a puzzle, or a theory of them.

    Attributes:
        rule_field: The field that holds the rule.
        length: Steps after which the puzzle is lost. (The winning action is not counted.)
        dialect: Whether the faults of the reference are kept.
    """

    stated = Game.stated | {"dialect"}
    rule_field: ClassVar[str] = "rule"

    length: Length = STEPS
    dialect: Annotated[Dialect, word("dialect", DIALECTS)] = "faithful"

    @property
    def code_shape(self) -> CodeShape:
        """What codes the door takes, if there is one."""
        return CodeShape()

    @property
    def code_parts(self) -> tuple[str, ...]:
        """Of which parts of the rule the digits of a code come, one a digit."""
        return ()

    def code_digit(self, part: Any, seen: Sequence[Any], focus: str) -> int:  # noqa: ARG002
        """The digit of a code by a part of the rule.

        Args:
            part: What the part is, as :meth:`parts` has it.
            seen: All paintings.
            focus: What the hint names.
        """
        digit: int = part
        return digit

    def parts(self) -> dict[str, tuple[Any, ...] | None]:
        """The parts of the rule: what each may be; None if nothing is known of a field of it."""
        return {}

    def with_values(self, values: Mapping[str, int]) -> Self:  # noqa: ARG002
        """The puzzle after the values of parameters have changed, if it has any."""
        return self

    @property
    def all_hung(self) -> tuple[int, ...] | None:
        """The numbers of all paintings; None where there are none."""
        return None

    def fits(self, start: Mapping[str, Any]) -> bool:  # noqa: ARG002
        """Whether a puzzle of the family that begins so can be one that a theory is about."""
        return True


def many(problem: str, allowed: str, least: int = 1, most: int = 1000) -> BeforeValidator:
    """A validator for a list of so many things.

    Args:
        problem: What is wrong otherwise; ``{}`` stands for what is stated.
        allowed: What would be right.
        least: The smallest number of things.
        most: The largest.
    """

    def check(value: Any) -> Any:
        if not isinstance(value, list | tuple) or not least <= len(value) <= most:
            raise invalid(problem.replace("{}", shown(value)), allowed)
        return value

    return BeforeValidator(check)


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


def fact(name: str, *arguments: int | str) -> str:
    """A fact.

    Example:
        >>> fact("value", "a", 3)
        'value("a", 3).'
    """
    told = (str(each) if isinstance(each, int) else f'"{_escaped(each)}"' for each in arguments)
    return f"{name}({', '.join(told)})." if arguments else f"{name}."


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def possible(name: str, *arguments: int | str, field: Any) -> list[str]:
    """Facts that a field may hold these values, its last argument; none if it is unknown."""
    return [fact(name, *arguments, each) for each in options(field) or ()]


def puzzle_facts(puzzle: Puzzle, more: list[str]) -> str:
    """The facts that all puzzles have, and others, one a line."""
    about = [fact("length", puzzle.length), fact("dialect", puzzle.dialect)]
    return "\n".join([*about, *more]) + "\n"
