"""Functions as people and language models write them: formulas and values among other text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from mars_logic.domains.rulearn.function_operator.bases import BASES
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator
from mars_logic.domains.rulearn.language import SentenceError
from mars_logic.world.uncertain import UNKNOWN

_FORMULA: Final = re.compile(
    r"\b(?:function|f)[ _]*([0-9]{1,2})(?: ?\(x\)| of x)? *(?:=|:| is| equals) *"
)
_VALUE: Final = re.compile(
    r"(?<![a-z0-9^(])([a-z]) *(?:=|:| is| equals) *([0-9])"
    r"(?![0-9.]*[0-9a-z*/^(]| *(?:or|to)\b| *[-+*/])"
)
_WRITINGS: Final = (
    ("−", "-"),
    ("–", "-"),
    ("·", "*"),
    ("×", "*"),
    ("²", "^2"),
    ("³", "^3"),
    ("**", "^"),
    (" times ", " * "),
    (" plus ", " + "),
    (" minus ", " - "),
    (" squared", "^2"),
    (" cubed", "^3"),
    ("the absolute value of x", "abs(x)"),
    ("√|x|", "sqrt(abs(x))"),
    ("|x|", "abs(x)"),
    ("e^(x)", "exp(x)"),
    ("e^x", "exp(x)"),
    ("sgn(", "sign("),
    (" / ", "/"),
    ("{", "("),
    ("}", ")"),
)
_ENDS: Final = re.compile(
    r"\.(?![0-9])|[\n;]|, (?=[a-z ]*[a-z]{2})| (?:where|with|and|so|because|for)\b"
)
"""Where a formula ends among other text."""


@dataclass(frozen=True)
class _Term:
    """A term as it is written: a letter, a value, or neither, with its basis."""

    letter: str | None
    value: int | None
    basis: str


def functions_read(text: str, theory: FunctionOperator) -> dict[str, Any]:
    """The functions that a text states, as a file states them; the rest is open.

    Args:
        text: The text.
        theory: What the manual tells: parameters of each function, in order.

    Raises:
        SentenceError: It states none and no value, or one that cannot be read.
    """
    text = text.lower()
    for written, plain in _WRITINGS:
        text = text.replace(written, plain)
    shape = [[term.param for term in terms] for terms in theory.functions]
    marks = list(_FORMULA.finditer(text))
    ends = [*(each.start() for each in marks), len(text)][1:]
    formulas = {int(mark[1]): text[mark.end() : end] for mark, end in zip(marks, ends, strict=True)}
    letters = set(theory.letters)
    values = {letter: int(value) for letter, value in _VALUE.findall(text) if letter in letters}
    if not formulas and not values:
        raise SentenceError("it states no function; allowed: 'Function 1 is a times x.'")
    bases: list[list[str | None]] = [[None] * len(each) for each in shape]
    for number, body in formulas.items():
        if not 1 <= number <= len(shape):
            raise SentenceError(f"there is no function {number}; allowed: 1 to {len(shape)}")
        _place(number, _terms(body, letters), shape[number - 1], bases[number - 1], values)
    functions = [
        [
            {
                "param": letter,
                "coef": values.get(letter, UNKNOWN.value),
                "basis": basis or UNKNOWN.value,
            }
            for letter, basis in zip(names, found, strict=True)
        ]
        for names, found in zip(shape, bases, strict=True)
    ]
    return {"functions": functions}


def _place(
    number: int,
    terms: Sequence[_Term],
    names: Sequence[str],
    bases: list[str | None],
    values: dict[str, int],
) -> None:
    """Give terms to the places of a function: by their letters, the others in order."""
    if len(terms) != len(names):
        told = f"function {number} has {len(names)} terms, and {len(terms)} are stated"
        raise SentenceError(f"{told}; allowed: terms with {', '.join(names)} in this order")
    for term in sorted(terms, key=lambda each: each.letter is None):
        free = [at for at, name in enumerate(names) if bases[at] is None]
        fitting = [at for at in free if term.letter in (None, names[at])]
        if not fitting:
            told = f"function {number} has no further term with {term.letter}"
            raise SentenceError(f"{told}; allowed: {', '.join(names)} in this order")
        bases[fitting[0]] = term.basis
        value = term.value if term.letter is None else None
        if value is not None and values.setdefault(names[fitting[0]], value) != value:
            told = f"parameter {names[fitting[0]]} has two values"
            raise SentenceError(f"{told}; allowed: one")


def _terms(body: str, letters: set[str]) -> list[_Term]:
    body = _ENDS.split(body)[0]
    return [_term(sign, text, letters) for sign, text in _signed(re.sub(r"\s", "", body))]


def _signed(body: str) -> list[tuple[str, str]]:
    """The summands of a formula with their signs; what is in parentheses stays together."""
    found: list[tuple[str, str]] = []
    depth, sign, begin = 0, "+", 0
    for at, letter in enumerate(body):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and letter in "+-" and (at == 0 or body[at - 1] not in "*/^+-"):
            if body[begin:at]:
                found.append((sign, body[begin:at]))
            sign, begin = letter, at + 1
    return [*found, (sign, body[begin:])]


def _term(sign: str, text: str, letters: set[str]) -> _Term:
    for coefficient, rest in _splits(text, letters):
        basis = _basis(rest)
        if sign == "-":
            basis = {"x": "-x", "-x": "x"}.get(basis or "")
        if basis is not None:
            number = coefficient.isdecimal()
            value = int(coefficient or 1) if number or not coefficient else None
            return _Term(None if value is not None else coefficient, value, basis)
    allowed = ", ".join(BASES)
    raise SentenceError(f"'{text}' is no term; allowed: a parameter times one of {allowed}")


def _splits(text: str, letters: set[str]) -> list[tuple[str, str]]:
    """Ways to part a term in its coefficient and the rest."""
    found = []
    for pattern in (r"([a-z])(?![a-z]{2})(.*)", r"([a-z])(.*)", r"([0-9])(?![0-9])(.*)"):
        match = re.fullmatch(pattern, text)
        if match and (match[1] in letters or match[1].isdecimal()):
            found.append((match[1], match[2]))
    for pattern in (r"(.*)\*([a-z])", r"(.*)\*([0-9])"):
        match = re.fullmatch(pattern, text)
        if match and (match[2] in letters or match[2].isdecimal()):
            found.append((match[2], match[1]))
    return [*found, ("", text)]


def _basis(text: str) -> str | None:
    """The basis that the rest of a term names; None if it names none."""
    if text.startswith("/"):
        text = f"1{text}"
    text = _bare(text.removeprefix("*"))
    return _NAMES.get(text or "1")


def _bare(text: str) -> str:
    """A text without spaces and the parentheses around it."""
    text = text.replace(" ", "")
    while text.startswith("(") and text.endswith(")") and ")" not in text[1:-1]:
        text = text[1:-1]
    return text


_NAMES: Final = {_bare(each): each for each in BASES} | {
    "sinx": "sin(x)",
    "cosx": "cos(x)",
    "1/(x^2)": "1/x^2",
    "(1/x)": "1/x",
    "sqrt|x|": "sqrt(abs(x))",
    "sqrt(|x|)": "sqrt(abs(x))",
    "absx": "abs(x)",
    "x*x": "x^2",
    "xsin(x)": "x*sin(x)",
    "sin(x)*x": "x*sin(x)",
    "x^0": "1",
}
