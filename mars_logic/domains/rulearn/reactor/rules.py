"""The rules of the reactor as data.

Source: RULEARN, section on the reactor, and its code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, cast

from pydantic import (
    BeforeValidator,
    Field,
    PlainSerializer,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    field_validator,
    model_validator,
)

from mars_logic.domains.completions import completed
from mars_logic.domains.game import word
from mars_logic.domains.rulearn.puzzle import Puzzle, PuzzlePart, many
from mars_logic.world.fields import Flag, invalid, shown, unknown
from mars_logic.world.uncertain import is_uncertain

SOURCES: Final = ("first", "second", "longer", "shorter")
PLACES: Final = ("start", "end", "middle", "middle_down")
CONDITIONS: Final[Mapping[str, Callable[[str, str], bool]]] = {
    "equal_lengths": lambda u, v: len(u) == len(v),
    "one_letter": lambda u, v: len(set(u + v)) == 1,
    "even_total": lambda u, v: len(u + v) % 2 == 0,
    "first_single": lambda u, v: len(u) == 1,  # noqa: ARG005
    "second_single": lambda u, v: len(v) == 1,  # noqa: ARG005
    "first_longer": lambda u, v: len(u) > len(v),
    "second_longer": lambda u, v: len(v) > len(u),
}
OPERATIONS: Final[Mapping[str, Callable[[str], str]]] = {
    "reverse": lambda text: text[::-1],
    "rotate_left": lambda text: text[1:] + text[:1],
    "rotate_right": lambda text: text[-1:] + text[:-1],
    "drop_adjacent_repeats": lambda text: "".join(
        letter for at, letter in enumerate(text) if not at or text[at - 1] != letter
    ),
    "drop_repeats": lambda text: "".join(dict.fromkeys(text)),
    "sort": lambda text: "".join(sorted(text)),
}
MOST_LETTERS: Final = 1000
"""A number beyond it cannot be a place in a material."""

Source = Literal["first", "second", "longer", "shorter"]
Place = str | int


def _place(value: Any) -> Place:
    whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MOST_LETTERS
    if whole or (isinstance(value, str) and value in PLACES):
        found: Place = value
        return found
    raise invalid(f"{shown(value)} is no place", f"{', '.join(PLACES)}, a whole number")


def _words(kind: str, choices: tuple[str, ...]) -> BeforeValidator:
    def check(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple):
            raise invalid(f"{shown(value)} is not a list", f"a list of {', '.join(choices)}")
        for each in value:
            if each not in choices:
                raise unknown(kind, each, choices)
        return tuple(value)

    return BeforeValidator(check)


def _some(least: int, most: int, what: str) -> BeforeValidator:
    several = f"{least} {what}" if least == most else f"{least} to {most} {what}"
    return many(f"{{}} is not a list of {several}", several, least, most)


class TextPiece(PuzzlePart):
    """A part of one of the two inputs.

    Attributes:
        of: Which input; ``longer`` is the first, and ``shorter`` the second, if they are equally
            long.
        begin: Where it begins, ``from`` in a file: a place, or an integer as in a Python slice.
        end: Where it ends, ``to`` in a file.
        reversed: Whether it is read backwards.
    """

    of: Annotated[Source, word("input", SOURCES)]
    begin: Annotated[Place, BeforeValidator(_place)] = Field("start", alias="from")
    end: Annotated[Place, BeforeValidator(_place)] = Field("end", alias="to")
    reversed: Flag = False

    def text(self, u: str, v: str) -> str:
        """The part of these inputs."""
        longer, shorter = (v, u) if len(v) > len(u) else (u, v)
        host = {"first": u, "second": v, "longer": longer, "shorter": shorter}[self.of]
        found = host[_at(self.begin, len(host)) : _at(self.end, len(host))]
        return found[::-1] if self.reversed else found


def _at(place: Place, size: int) -> int:
    if isinstance(place, int):
        return place
    return {"start": 0, "end": size, "middle": (size + 1) // 2, "middle_down": size // 2}[place]


class ProductTemplate(PuzzlePart):
    """How a product is made: either ``join`` or ``interleave`` is stated.

    Attributes:
        join: Pieces, one after the other.
        interleave: Two pieces, whose letters alternate; the rest of the longer one follows.
        then: Operations on the result, in order.
    """

    stated = frozenset({"interleave"})

    join: Annotated[tuple[TextPiece, ...], _some(1, 6, "pieces such as {of: first}")] = ()
    interleave: Annotated[tuple[TextPiece, ...], _some(2, 2, "pieces such as {of: first}")] = ()
    then: Annotated[tuple[str, ...], _words("operation", tuple(OPERATIONS))] = ()

    @model_validator(mode="after")
    def _one_kind(self) -> ProductTemplate:
        if bool(self.join) == bool(self.interleave):
            raise invalid("a product is made in one way", "either join or interleave")
        return self

    def text(self, u: str, v: str) -> str:
        """The product of these inputs; empty if there is none."""
        parts = [piece.text(u, v) for piece in self.join or self.interleave]
        found = "".join(parts) if self.join else interleaved(*parts)
        for operation in self.then:
            found = OPERATIONS[operation](found)
        return found


def interleaved(one: str, other: str) -> str:
    """The letters of two texts in turn, then what is left of the longer one."""
    pairs = "".join(a + b for a, b in zip(one, other, strict=False))
    size = len(pairs) // 2
    return pairs + one[size:] + other[size:]


class ReactionCase(PuzzlePart):
    """What is made in one case.

    Attributes:
        when: Conditions of which one must hold, ``if`` in a file; none in the last case.
        products: How each product is made.
    """

    stated = frozenset({"products"})

    when: Annotated[tuple[str, ...], _words("condition", tuple(CONDITIONS))] = Field((), alias="if")
    products: Annotated[tuple[ProductTemplate, ...], _some(1, 3, "products")]

    def holds(self, u: str, v: str) -> bool:
        """Whether it is the case."""
        return not self.when or any(CONDITIONS[each](u, v) for each in self.when)


Program = tuple[ReactionCase, ...]


def products(program: Program, u: str, v: str) -> tuple[str, ...]:
    """What two materials give: the products of the first case that holds, without empty ones."""
    case = next(each for each in program if each.holds(u, v))
    return tuple(found for each in case.products if (found := each.text(u, v)))


def _joined(*pieces: Mapping[str, Any]) -> dict[str, Any]:
    return {"join": list(pieces)}


def _program(*cases: Mapping[str, Any]) -> Program:
    return tuple(ReactionCase.model_validate(each) for each in cases)


_FIRST, _SECOND, _SHORTER = ({"of": each} for each in ("first", "second", "shorter"))
RELEASED_PROGRAMS: Final[Mapping[int, Program]] = {
    1: _program({"products": [_joined(_FIRST, _SECOND)]}),
    2: _program({"products": [_joined(_SECOND, _FIRST)]}),
    3: _program(
        {
            "products": [
                _joined(
                    {"of": "longer", "to": "middle"}, _SHORTER, {"of": "longer", "from": "middle"}
                )
            ]
        }
    ),
    4: _program(
        {"if": ["equal_lengths", "one_letter"], "products": [_joined(_FIRST, _SECOND)]},
        {
            "products": [
                _joined({"of": "longer", "to": 1}, _SHORTER),
                _joined({"of": "longer", "from": 1}),
            ]
        },
    ),
}
"""The rules of the released puzzles, by number."""


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
