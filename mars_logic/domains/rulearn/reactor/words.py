"""Programs in words, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mars_logic.domains.rulearn.language import SentenceError, after, heard, named, parts, told
from mars_logic.domains.rulearn.reactor.programs import (
    Place,
    ProductTemplate,
    Program,
    ReactionCase,
    TextPiece,
)
from mars_logic.world.uncertain import is_uncertain

_INPUTS: Final = {
    "first": "the first input",
    "second": "the second input",
    "longer": "the longer input",
    "shorter": "the shorter input",
}
_PLACES: Final = {
    "start": "its start",
    "end": "its end",
    "middle": "its middle",
    "middle_down": "its middle rounded down",
}
CONDITIONS: Final = {
    "equal_lengths": "both inputs are equally long",
    "one_letter": "all letters of both inputs are the same",
    "even_total": "the inputs have an even number of letters together",
    "first_single": "the first input is a single letter",
    "second_single": "the second input is a single letter",
    "first_longer": "the first input is the longer one",
    "second_longer": "the second input is the longer one",
}
_OPERATIONS: Final = {
    "reverse": "is reversed",
    "rotate_left": "has its first letter moved to the end",
    "rotate_right": "has its last letter moved to the start",
    "drop_adjacent_repeats": "keeps one of equal letters side by side",
    "drop_repeats": "keeps the first of equal letters",
    "sort": "is sorted",
}
_DIRECTIONS: Final = {True: "backwards", False: "forwards"}
_IDIOMS: Final[Mapping[str, Mapping[str, Any]]] = {
    "the shorter input in the middle of the longer one": {
        "join": [
            {"of": "longer", "to": "middle"},
            {"of": "shorter"},
            {"of": "longer", "from": "middle"},
        ]
    },
    "the second input in the middle of the first one": {
        "join": [
            {"of": "first", "to": "middle"},
            {"of": "second"},
            {"of": "first", "from": "middle"},
        ]
    },
}
"""Phrases for what is often said of whole products."""
_PIECES = "the pieces "
_THEN, _NEXT, _AND, _TURN = ", then ", " followed by ", "; and ", " in turn with the letters of "


def program_sentences(program: Any) -> list[str]:
    """A rule in sentences, one a case; one if it is open as a whole.

    Args:
        program: A program, ``UNKNOWN``, or alternatives.
    """
    if is_uncertain(program):
        return [f"The rule is {told(program, _program)}."]
    return _program(program).split(" / ")


def program_heard(sentences: list[str]) -> Any:
    """The rule that :func:`program_sentences` tells, as a file states it.

    Raises:
        SentenceError: A sentence cannot be read.
    """
    if len(sentences) == 1 and sentences[0].startswith("The rule is "):
        return heard(after(sentences[0], "The rule is ", "."), _program_read)
    return [case_heard(each) for each in sentences]


def _program(program: Program) -> str:
    return " / ".join(_case(each, len(program)) for each in program)


def _program_read(text: str) -> Any:
    return [case_heard(each) for each in parts(text, " / ")]


def _case(case: ReactionCase, many: int) -> str:
    made = _AND.join(_template(each) for each in case.products)
    if not is_uncertain(case.when) and not case.when:
        return f"{'Always' if many == 1 else 'Otherwise'}: {made}."
    return f"If {told(case.when, _conditions)}: {made}."


def case_heard(text: str) -> dict[str, Any]:
    """A case of a rule, as a file states it.

    Raises:
        SentenceError: It cannot be read.
    """
    when, mark, made = after(text, "", ".").partition(": ")
    if not mark:
        raise SentenceError(f"{text!r}: this cannot be read; allowed: 'Always: …'")
    products = [_template_read(each) for each in parts(made, _AND)]
    if when in ("Always", "Otherwise"):
        return {"products": products}
    return {"if": heard(after(when, "If "), _conditions_read), "products": products}


def _conditions(names: tuple[str, ...]) -> str:
    return " or ".join(CONDITIONS[each] for each in names)


def _conditions_read(text: str) -> list[str]:
    return [named(each, CONDITIONS, "condition") for each in parts(text, " or ")]


def _template(template: ProductTemplate) -> str:
    bare = template.model_copy(update={"then": ()})
    idiom = next((phrase for phrase, each in _TEMPLATES.items() if each == bare), None)
    then = told(template.then, _operations) if template.then else ""
    return (idiom or _pieces(template)) + (f"{_THEN}the result {then}" if then else "")


def _pieces(template: ProductTemplate) -> str:
    if template.interleave:
        one, other = map(_piece, template.interleave)
        return f"the letters of {one}{_TURN}{other}"
    if is_uncertain(template.join):
        return f"{_PIECES}{told(template.join, _joined)}"
    return _joined(template.join)


def _joined(pieces: tuple[TextPiece, ...]) -> str:
    return _NEXT.join(map(_piece, pieces))


def _joined_read(text: str) -> list[dict[str, Any]]:
    return list(map(_piece_read, parts(text, _NEXT)))


def _template_read(text: str) -> dict[str, Any]:
    pieces, *then = parts(text, f"{_THEN}the result ")
    found: dict[str, Any] = {}
    if then:
        found["then"] = heard(then[0], _operations_read)
    if pieces in _IDIOMS:
        return {**_IDIOMS[pieces], **found}
    if len(turns := parts(pieces, _TURN)) == 2:
        turns[0] = after(turns[0], "the letters of ")
        return {"interleave": list(map(_piece_read, turns)), **found}
    if pieces.startswith(_PIECES):
        return {"join": heard(pieces.removeprefix(_PIECES), _joined_read), **found}
    return {"join": _joined_read(pieces), **found}


def _operations(names: tuple[str, ...]) -> str:
    return " and ".join(_OPERATIONS[each] for each in names) or "stays"


def _operations_read(text: str) -> list[str]:
    if text == "stays":
        return []
    return [named(each, _OPERATIONS, "operation") for each in parts(text, " and ")]


def _piece(piece: TextPiece) -> str:
    found = told(piece.of, _INPUTS.__getitem__)
    if piece.begin != "start":
        found += f" from {told(piece.begin, _place)}"
    if piece.end != "end":
        found += f" up to {told(piece.end, _place)}"
    if piece.reversed is not False:
        found += f" read {told(piece.reversed, _DIRECTIONS.__getitem__)}"
    return found


def _piece_read(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    text, *way = parts(text, " read ")
    text, *end = parts(text, " up to ")
    text, *begin = parts(text, " from ")
    if way:
        found["reversed"] = heard(way[0], lambda each: named(each, _DIRECTIONS, "direction"))
    if end:
        found["to"] = heard(end[0], _place_read)
    if begin:
        found["from"] = heard(begin[0], _place_read)
    return {"of": heard(text, lambda each: named(each, _INPUTS, "input")), **found}


def _place(place: Place) -> str:
    return f"position {place}" if isinstance(place, int) else _PLACES[place]


def _place_read(text: str) -> Place:
    number = text.removeprefix("position ")
    if number != text and number.removeprefix("-").isdecimal():
        return int(number)
    return named(text, _PLACES, "place")


_TEMPLATES: Final = {
    phrase: ProductTemplate.model_validate(each) for phrase, each in _IDIOMS.items()
}
