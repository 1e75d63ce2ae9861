"""The rules of the reactor as data.

Source: RULEARN, section on the reactor, and its code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, cast

from pydantic import (
    BeforeValidator,
    Field,
    PlainSerializer,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    field_validator,
)

from mars_logic.domains.completions import completed
from mars_logic.domains.rulearn.puzzle import Puzzle, PuzzlePart, many
from mars_logic.domains.rulearn.reactor.programs import (
    RELEASED_PROGRAMS,
    Program,
    ReactionCase,
    products,
)
from mars_logic.world.fields import invalid, shown, unknown
from mars_logic.world.uncertain import is_uncertain

HINT_MODES: Final = ("told", "mended", "schematic", "none")
_EXAMPLES: Final = (("C", "A"), ("CA", "B"))
"""The reactions that the reference tells."""
_FALSE: Final = ("CA",)
"""What it tells of the first of them under rule 2, where the reactor makes AC."""
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _material(value: Any) -> str:
    if not isinstance(value, str) or not value or not set(value) <= set(_LETTERS):
        raise invalid(f"{shown(value)} is not a material", "letters from A to Z")
    return value


def _raw(value: Any) -> str:
    if len(_material(value)) != 1:
        raise invalid(f"{shown(value)} is not a raw material", "a letter from A to Z")
    return str(value)


def _many(least: int, most: int, what: str) -> BeforeValidator:
    return many("{} is of no use here", f"a list of {what}", least, most)


Material = Annotated[str, BeforeValidator(_material)]


class PuzzleHint(PuzzlePart):
    """A reaction that the player is told.

    Attributes:
        inputs: The materials, in order.
        products: What they give, by what is told.
    """

    stated = frozenset({"inputs", "products"})

    inputs: Annotated[tuple[Material, ...], _many(2, 2, "two materials")]
    products: Annotated[tuple[Material, ...], _many(1, 3, "one to three materials")]


def _read_program(value: Any, handler: ValidatorFunctionWrapHandler) -> Program:
    if isinstance(value, int) and not isinstance(value, bool):
        if value not in RELEASED_PROGRAMS:
            raise invalid(f"there is no rule {value}", "1, 2, 3, 4, a list of cases")
        return RELEASED_PROGRAMS[value]
    if not isinstance(value, list | tuple) or not value:
        raise invalid(f"{shown(value)} is not a rule", "1, 2, 3, 4, a list of cases")
    found: Program = handler(value)
    for at, case in enumerate(found):
        if at == len(found) - 1 and case.when:
            raise invalid("the last case has an 'if'", "a last case without it, for all else")
        if at < len(found) - 1 and not case.when:
            raise invalid(f"case {at + 1} has no 'if', so those after it never hold", "conditions")
    return found


def _write_program(value: Program) -> Any:
    number = released_number(value)
    return number or [case.model_dump(mode="json") for case in value]


def released_number(program: Program) -> int | None:
    """The number of a released rule; None if it is another one."""
    return next((key for key, each in RELEASED_PROGRAMS.items() if each == program), None)


def _read_hints(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    if isinstance(value, list | tuple):
        return handler(value)
    if value not in HINT_MODES:
        raise unknown("kind of hints", value, (*HINT_MODES, "a list of reactions"))
    return value


def _write_hints(value: Any) -> Any:
    return value if isinstance(value, str) else [each.model_dump(mode="json") for each in value]


HintField = Annotated[
    tuple[PuzzleHint, ...], WrapValidator(_read_hints), PlainSerializer(_write_hints)
]
RawMaterials = Annotated[
    tuple[Annotated[str, BeforeValidator(_raw)], ...], _many(0, 26, "at most 26 letters")
]


class Reactor(Puzzle):
    """A reactor that makes materials of materials, and a target.

    Attributes:
        target: What has to be made.
        materials: The raw materials; without them, A to the highest letter of the target.
        rule: How two materials react: a program, or the number of a released one.
        hints: What the player is told: ``told`` as the reference does, with its mistake;
            ``mended``, ``schematic`` (with X, Y, Z), ``none``; or a list of reactions.
    """

    domain: ClassVar[str] = "reactor"
    stated = Puzzle.stated | {"target", "materials", "hints"}

    target: Material
    materials: RawMaterials = ()
    rule: Annotated[
        tuple[ReactionCase, ...], WrapValidator(_read_program), PlainSerializer(_write_program)
    ]
    hints: HintField = Field(cast(Any, "told"))

    @field_validator("materials")
    @classmethod
    def _target_possible(cls, materials: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        if len(set(materials)) < len(materials):
            raise invalid("a material is listed twice", "each letter once")
        missing = [each for each in info.data.get("target", "") if each not in materials]
        if materials and missing:
            problem = f"no material has the letter {missing[0]} of the target"
            raise invalid(problem, "all letters of the target, and others")
        return materials

    def parts(self) -> dict[str, tuple[Any, ...] | None]:
        """The rule as a whole."""
        stated = self.model_dump(mode="json")

        def program(rule: Any) -> tuple[ReactionCase, ...]:
            return Reactor.model_validate(stated | {"rule": rule, "hints": []}).rule

        return {"rule": completed(stated["rule"], program)}

    @property
    def raw(self) -> tuple[str, ...]:
        """The raw materials."""
        last = _LETTERS.index(max(self.target))
        return self.materials or tuple(_LETTERS[: last + 1])

    @property
    def told(self) -> tuple[PuzzleHint, ...]:
        """The reactions that the player is told.

        With schematic hints they are about X, Y and Z in the place of materials.
        """
        mode: Any = self.hints
        if not isinstance(mode, str):
            return self.hints
        if mode == "none" or is_uncertain(self.rule):
            return ()
        examples = (("XY", "Z"),) if mode == "schematic" else _EXAMPLES
        made: Mapping[tuple[str, str], tuple[str, ...]] = {
            inputs: products(self.rule, *inputs) for inputs in examples
        }
        if mode == "told" and released_number(self.rule) == 2:
            made = {**made, _EXAMPLES[0]: _FALSE}
        return tuple(PuzzleHint(inputs=u, products=v) for u, v in made.items())
