"""Programs in words, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mars_logic.domains.rulearn.language import (
    Phrase,
    SentenceError,
    after,
    listed,
    named,
    opened,
    parts,
)
from mars_logic.domains.rulearn.reactor.rules import (
    Place,
    ProductTemplate,
    Program,
    ReactionCase,
    TextPiece,
)
from mars_logic.world.uncertain import is_uncertain

INPUTS: Final = {
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
OPERATIONS: Final = {
    "reverse": "is reversed",
    "rotate_left": "has its first letter moved to the end",
    "rotate_right": "has its last letter moved to the start",
    "drop_adjacent_repeats": "keeps one of equal letters side by side",
    "drop_repeats": "keeps the first of equal letters",
    "sort": "is sorted",
}
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
_LETTERS, _TURN = "the letters of ", " in turn with the letters of "
_THEN = ", then the result "


def program_sentences(program: Any) -> list[str]:
    """A rule in sentences, one a case; one if it is open as a whole.

    Args:
        program: A program, ``UNKNOWN``, or alternatives.
    """
    if is_uncertain(program):
        return [f"The rule is {_PROGRAM.tell(program)}."]
    return _program(program).split(" / ")


def program_heard(sentence: str) -> Any:
    """The open rule that :func:`program_sentences` tells, as a file states it.

    Raises:
        SentenceError: The sentence cannot be read.
    """
    return _PROGRAM.hear(after(sentence, "The rule is ", "."))


def _program(program: Program) -> str:
    return " / ".join(_case(each, len(program)) for each in program)


def _program_heard(text: str) -> Any:
    return [case_heard(each) for each in parts(text, " / ")]


def _case(case: ReactionCase, many: int) -> str:
    made = _PRODUCTS.tell(case.products)
    if not is_uncertain(case.when) and not case.when:
        return f"{'Always' if many == 1 else 'Otherwise'}: {made}."
    return f"If {_WHEN.tell(case.when)}: {made}."


def case_heard(text: str) -> dict[str, Any]:
    """A case of a rule, as a file states it.

    Raises:
        SentenceError: It cannot be read.
    """
    when, mark, made = after(text, "", ".").partition(": ")
    if not mark:
        raise SentenceError(f"{text!r}: this cannot be read; allowed: 'Always: …'")
    products = _PRODUCTS.hear(made)
    if when in ("Always", "Otherwise"):
        return {"products": products}
    return {"if": _WHEN.hear(after(when, "If ")), "products": products}


def _template(template: ProductTemplate) -> str:
    bare = template.model_copy(update={"then": ()})
    idiom = next((phrase for phrase, each in _TEMPLATES.items() if each == bare), None)
    then = f"{_THEN}{_OPERATION.tell(template.then)}" if template.then else ""
    return (idiom or _pieces(template)) + then


def _pieces(template: ProductTemplate) -> str:
    if template.interleave:
        return f"{_LETTERS}{_TURNS.tell(template.interleave)}"
    return _PIECES * is_uncertain(template.join) + _JOINED.tell(template.join)


def _template_heard(text: str) -> dict[str, Any]:
    pieces, *then = parts(text, _THEN)
    found = {"then": _OPERATION.hear(then[0])} if then else {}
    if pieces in _IDIOMS:
        return {**_IDIOMS[pieces], **found}
    if len(parts(pieces, _TURN)) == 2:
        return {"interleave": _TURNS.hear(after(pieces, _LETTERS)), **found}
    if pieces.startswith(_PIECES):
        return {"join": _JOINED.hear(pieces.removeprefix(_PIECES)), **found}
    return {"join": _JOIN.hear(pieces), **found}


def _piece(piece: TextPiece) -> str:
    found = _INPUT.tell(piece.of)
    for name, _, mark, phrase, usual in _OF_PIECES:
        if getattr(piece, name) != usual:
            found += mark + phrase.tell(getattr(piece, name))
    return found


def _piece_heard(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _, name, mark, phrase, _ in reversed(_OF_PIECES):
        text, *stated = parts(text, mark)
        if stated:
            found[name] = phrase.hear(stated[0])
    return {"of": _INPUT.hear(text), **found}


def _place(place: Place) -> str:
    return f"position {place}" if isinstance(place, int) else _NAMED.tell(place)


def _place_heard(text: str) -> Any:
    number = text.removeprefix("position ")
    if number != text and number.removeprefix("-").isdecimal():
        return int(number)
    return _NAMED.hear(text)


_NAMED: Final = named(_PLACES, "place")
_PLACE: Final = opened(Phrase(_place, _place_heard))
_INPUT: Final = opened(named(INPUTS, "input"))
_DIRECTION: Final = opened(named({True: "backwards", False: "forwards"}, "direction"))
_OF_PIECES: Final = (
    ("begin", "from", " from ", _PLACE, "start"),
    ("end", "to", " up to ", _PLACE, "end"),
    ("reversed", "reversed", " read ", _DIRECTION, False),
)
"""Fields of a piece: their names here and in files, what stands before them, and what is usual."""
_JOIN: Final = listed(Phrase(_piece, _piece_heard), " followed by ")
_JOINED: Final = opened(_JOIN)
_TURNS: Final = listed(Phrase(_piece, _piece_heard), _TURN)
_OPERATION: Final = opened(listed(named(OPERATIONS, "operation"), " and ", empty="stays"))
_WHEN: Final = opened(listed(named(CONDITIONS, "condition"), " or "))
_PRODUCTS: Final = listed(Phrase(_template, _template_heard), "; and ")
_PROGRAM: Final = opened(Phrase(_program, _program_heard))
_TEMPLATES: Final = {
    phrase: ProductTemplate.model_validate(each) for phrase, each in _IDIOMS.items()
}
