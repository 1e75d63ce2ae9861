"""Functions as people and language models write them: formulas, and values of parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from mars_logic.domains.rulearn.function_operator.rules import BASES, FunctionOperator
from mars_logic.domains.rulearn.function_operator.words import TERMS, VALUE
from mars_logic.domains.rulearn.language import SentenceError
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.words.contract import cannot_read

_EQUALS: Final = r" *(?:=|:|\bis equal to\b|\bis\b|\bequals\b) *"
_FORMULA: Final = re.compile(
    rf"(?:the )?(?:function|f)[ _#]*([0-9]{{1,2}})(?: ?\(x\)| of x)?{_EQUALS}(.+)"
)
_VALUE: Final = re.compile(
    rf"(?:the )?(?:value of )?(?:the )?(?:parameter )?([a-z]){_EQUALS}([0-9])"
)
_LINK: Final = re.compile(r"\s*[;,]\s*(?:(?:and|so|where|with)\s+)?|\s+(?:and|so|where|with)\s+")
"""What stands between two formulas or values of a sentence."""
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


@dataclass(frozen=True)
class _Term:
    """A term as it is written: a letter, a value, or neither, with its basis."""

    letter: str | None
    value: int | None
    basis: str


@dataclass(frozen=True)
class FunctionsReader:
    """What is stated of functions so far; what is not is open.

    Attributes:
        shape: The parameters of each function, in order.
        bases: By the number of a function, from 0, its bases.
        values: By parameter its value.
    """

    shape: tuple[tuple[str, ...], ...]
    bases: Mapping[int, Sequence[Any]] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)

    whole_only: ClassVar[bool] = False

    @classmethod
    def of(cls, theory: FunctionOperator) -> FunctionsReader:
        """A reader for a puzzle."""
        return cls(tuple(tuple(term.param for term in terms) for terms in theory.functions))

    @staticmethod
    def forms(theory: FunctionOperator) -> list[str]:
        """A function, and the value of a parameter."""
        letters = [term.param for term in theory.functions[0]]
        bases = ("x", "(-x)", "sin(x)", *(["1"] * len(letters)))
        terms = [f"{letter} times {basis}" for letter, basis in zip(letters, bases, strict=False)]
        return [f"Function 1 is {' plus '.join(terms)}.", f"Parameter {letters[0]} is 3."]

    def plus(self, sentence: str) -> FunctionsReader:
        """The same with the functions and values of one more sentence.

        Raises:
            SentenceError: It cannot be read, states another value than a sentence before, or
                something that the puzzle does not have.
        """
        found = self._told(sentence)
        if found is not None:
            return found
        found = self
        for clause in _clauses(sentence):
            if match := _VALUE.fullmatch(clause):
                found = found._with_value(match[1], int(match[2]))
            elif match := _FORMULA.fullmatch(clause):
                found = found._with_formula(int(match[1]), match[2], sentence)
            else:
                raise SentenceError(cannot_read(clause, sentence), sentence, clause)
        return found

    def stated(self) -> dict[str, Any]:
        """The functions, as a file states them."""
        unknown = UNKNOWN.value
        return {
            "functions": [
                [
                    {"param": letter, "coef": self.values.get(letter, unknown), "basis": basis}
                    for letter, basis in zip(
                        names, self.bases.get(at, [unknown] * len(names)), strict=True
                    )
                ]
                for at, names in enumerate(self.shape)
            ]
        }

    def _told(self, sentence: str) -> FunctionsReader | None:
        """With a sentence that mars-logic tells; None if it is another one."""
        told = re.fullmatch(r"(?:Function ([0-9]+)|Parameter ([a-z])) is (.+)\.", sentence)
        if told is None:
            return None
        try:
            if told[2]:
                return self._with_value(told[2], VALUE.hear(told[3]))
            terms = TERMS.hear(told[3])
        except SentenceError:
            return None
        at = self._place(int(told[1]), len(terms))
        if [letter for letter, _ in terms] != list(self.shape[at]):
            allowed = f"terms with {', '.join(self.shape[at])} in this order"
            raise SentenceError(f"its parameters are others; allowed: {allowed}", sentence)
        return self._with_bases(at, [basis for _, basis in terms], {})

    def _place(self, number: int, terms: int) -> int:
        """The place of a function, if it can have so many terms."""
        if not 1 <= number <= len(self.shape):
            raise SentenceError(f"there is no function {number}; allowed: 1 to {len(self.shape)}")
        names = self.shape[number - 1]
        if terms != len(names):
            told = f"function {number} has {len(names)} terms, and {terms} are stated"
            raise SentenceError(f"{told}; allowed: terms with {', '.join(names)} in this order")
        return number - 1

    def _with_value(self, letter: str, value: Any) -> FunctionsReader:
        letters = sorted({each for names in self.shape for each in names})
        if letter not in letters:
            allowed = ", ".join(letters)
            raise SentenceError(f"there is no parameter {letter}; allowed: {allowed}")
        if self.values.get(letter, value) != value:
            raise SentenceError(f"parameter {letter} has two values; allowed: one")
        return FunctionsReader(self.shape, self.bases, {**self.values, letter: value})

    def _with_formula(self, number: int, body: str, sentence: str) -> FunctionsReader:
        letters = {each for names in self.shape for each in names}
        terms = [_term(sign, text, letters, sentence) for sign, text in _signed(body)]
        at = self._place(number, len(terms))
        return self._with_bases(at, *_in_places(number, terms, self.shape[at]))

    def _with_bases(
        self, at: int, bases: Sequence[Any], values: Mapping[str, int]
    ) -> FunctionsReader:
        if self.bases.get(at, bases) != bases:
            raise SentenceError(f"function {at + 1} is stated twice; allowed: once")
        found = FunctionsReader(self.shape, {**self.bases, at: bases}, self.values)
        for letter, value in values.items():
            found = found._with_value(letter, value)
        return found


def _clauses(sentence: str) -> list[str]:
    """The formulas and values of a sentence, in plain letters; none is cut inside parentheses."""
    text = sentence.lower().rstrip()
    text = text[:-1] if text.endswith((".", "!")) else text
    for written, plain in _WRITINGS:
        text = text.replace(written, plain)
    found, begin = [], 0
    for link in _LINK.finditer(text):
        if text.count("(", 0, link.start()) == text.count(")", 0, link.start()):
            found.append(text[begin : link.start()].strip())
            begin = link.end()
    return [*found, text[begin:].strip()]


def _in_places(
    number: int, terms: Sequence[_Term], names: Sequence[str]
) -> tuple[list[str], dict[str, int]]:
    """Terms in the places of a function: by their letters, the others in order.

    Returns:
        Their bases, and the values of parameters that they state.
    """
    bases: dict[int, str] = {}
    values: dict[str, int] = {}
    for term in sorted(terms, key=lambda each: each.letter is None):
        fitting = [
            at for at, name in enumerate(names) if at not in bases and term.letter in (None, name)
        ]
        if not fitting:
            told = f"function {number} has no further term with {term.letter}"
            raise SentenceError(f"{told}; allowed: {', '.join(names)} in this order")
        bases[fitting[0]] = term.basis
        value = term.value
        if value is not None and values.setdefault(names[fitting[0]], value) != value:
            told = f"parameter {names[fitting[0]]} has two values"
            raise SentenceError(f"{told}; allowed: one")
    return [bases[at] for at in range(len(names))], values


def _signed(body: str) -> list[tuple[str, str]]:
    """The summands of a formula with their signs; what is in parentheses stays together."""
    body = re.sub(r"\s*([-+*/^()])\s*", r"\1", body)
    found: list[tuple[str, str]] = []
    depth, sign, begin = 0, "+", 0
    for at, letter in enumerate(body):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and letter in "+-" and (at == 0 or body[at - 1] not in "*/^+-"):
            if body[begin:at]:
                found.append((sign, body[begin:at]))
            sign, begin = letter, at + 1
    return [*found, (sign, body[begin:])]


def _term(sign: str, text: str, letters: set[str], sentence: str) -> _Term:
    for coefficient, rest in _splits(re.sub(r"\s", "", text), letters):
        basis = _basis(rest)
        if sign == "-":
            basis = {"x": "-x", "-x": "x"}.get(basis or "")
        if basis is not None:
            number = coefficient.isdecimal()
            value = int(coefficient or 1) if number or not coefficient else None
            return _Term(None if value is not None else coefficient, value, basis)
    allowed = f"a parameter times one of {', '.join(BASES)}"
    raise SentenceError(f"{cannot_read(text, sentence)}; allowed: {allowed}", sentence, text)


def _splits(text: str, letters: set[str]) -> list[tuple[str, str]]:
    """Ways to part a term in its coefficient and the rest."""
    found = []
    for pattern in (r"([a-z])(?![a-z]{2})(.*)", r"([a-z])(.*)", r"([0-9])(?![0-9])(.*)"):
        match = re.fullmatch(pattern, text)
        if match and (match[1] in letters or match[1].isdecimal()):
            found.append((match[1], match[2]))
    for pattern in (r"(.+)\*([a-z])", r"(.+)\*([0-9])"):
        match = re.fullmatch(pattern, text)
        if match and (match[2] in letters or match[2].isdecimal()):
            found.append((match[2], match[1]))
    return [*found, ("", text)] if text else []


def _basis(text: str) -> str | None:
    """The basis that the rest of a term names; None if it names none."""
    if text == "*":
        return None
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
