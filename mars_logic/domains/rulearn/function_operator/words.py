"""Functions and their parameters in words, and back."""

from __future__ import annotations

from typing import Any, Final

from mars_logic.domains.rulearn.function_operator.bases import BASES
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator, FunctionTerm
from mars_logic.domains.rulearn.language import SentenceError, after, heard, named, parts, told

_BASES: Final = {each: each if each == each.strip("-") else f"({each})" for each in BASES}


def function_sentences(puzzle: FunctionOperator) -> list[str]:
    """The functions, one a sentence, then the values of the parameters."""
    functions = [
        f"Function {number} is {' plus '.join(map(_term, terms))}."
        for number, terms in enumerate(puzzle.functions, 1)
    ]
    return functions + [
        f"Parameter {letter} is {told(value, str)}." for letter, value in puzzle.values.items()
    ]


def functions_heard(sentences: list[str]) -> list[list[dict[str, Any]]]:
    """The functions that :func:`function_sentences` tells, as a file states them.

    Raises:
        SentenceError: A sentence cannot be read, or a parameter's value is missing.
    """
    bodies = [each for each in sentences if each.startswith("Function ")]
    values: dict[str, Any] = {}
    for sentence in sentences:
        if sentence not in bodies:
            letter, _, value = after(sentence, "Parameter ", ".").partition(" is ")
            values[letter] = value_heard(value)
    found = []
    for number, sentence in enumerate(bodies, 1):
        terms = parts(after(sentence, f"Function {number} is ", "."), " plus ")
        found.append([_term_read(each, values) for each in terms])
    return found


def _term(term: FunctionTerm) -> str:
    return f"{term.param} times {told(term.basis, _BASES.__getitem__)}"


def term_heard(text: str) -> tuple[str, Any]:
    """The parameter and the basis of a term, as a file states them.

    Raises:
        SentenceError: It cannot be read.
    """
    letter, _, basis = text.partition(" times ")
    return letter, heard(basis, lambda each: named(each, _BASES, "basis"))


def value_heard(text: str) -> Any:
    """The value of a parameter, as a file states it.

    Raises:
        SentenceError: It cannot be read.
    """
    return heard(text, _digit)


def _digit(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise SentenceError(f"{text!r}: this is no value; allowed: a whole number")
    return int(text)


def _term_read(text: str, values: dict[str, Any]) -> dict[str, Any]:
    letter, basis = term_heard(text)
    if letter not in values:
        message = f"parameter {letter!r} has no value"
        raise SentenceError(f"{text!r}: {message}; allowed: 'Parameter {letter} is 3.'")
    return {"param": letter, "coef": values[letter], "basis": basis}
