"""Functions and their parameters in words, and back."""

from __future__ import annotations

from typing import Any, Final

from mars_logic.domains.rulearn.function_operator.rules import BASES, FunctionOperator, FunctionTerm
from mars_logic.domains.rulearn.language import Phrase, SentenceError, listed, named, opened

_BASIS: Final = opened(
    named({each: each if each == each.strip("-") else f"({each})" for each in BASES}, "basis")
)


def function_sentences(puzzle: FunctionOperator) -> list[str]:
    """The functions, one a sentence, then the values of the parameters."""
    functions = [
        f"Function {number} is {TERMS.tell(terms)}."
        for number, terms in enumerate(puzzle.functions, 1)
    ]
    return functions + [
        f"Parameter {letter} is {VALUE.tell(value)}." for letter, value in puzzle.values.items()
    ]


def _term(term: FunctionTerm) -> str:
    return f"{term.param} times {_BASIS.tell(term.basis)}"


def _term_heard(text: str) -> tuple[str, Any]:
    letter, _, basis = text.partition(" times ")
    return letter, _BASIS.hear(basis)


def _digit(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise SentenceError(f"{text!r}: this is no value; allowed: a whole number")
    return int(text)


TERMS: Final = listed(Phrase(_term, _term_heard), " plus ")
"""The terms of a function, heard as pairs of a parameter and a basis."""
VALUE: Final = opened(Phrase(str, _digit))
"""The value of a parameter."""
