"""The parts of a puzzle's rule, each with its completions: what it says if open fields are filled.

A part is judged by itself: a function, the value of a parameter, a digit, or the reactor's rule.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from mars_logic.domains.rulearn.escape_room.digits import DigitTerm
from mars_logic.domains.rulearn.escape_room.rules import EscapeRoom
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.reactor.rules import Reactor
from mars_logic.world.uncertain import UNKNOWN

MOST: Final = 10_000
"""Completions of a part that are looked at; a part with more is open."""


@dataclass(frozen=True)
class RulePart:
    """A part of a rule.

    Attributes:
        name: What it is called, such as ``function 1``, ``parameter a``, ``digit 2``, ``rule``.
        place: Its number from 0 among those of its kind.
        completions: What it may be; None if nothing is known of a field, or of too many.
    """

    name: str
    place: int
    completions: tuple[Any, ...] | None


def rule_parts(theory: Puzzle) -> list[RulePart]:
    """The parts of a theory's rule."""
    stated = theory.model_dump(mode="json")
    if isinstance(theory, FunctionOperator):
        return _functions(theory, stated)
    if isinstance(theory, EscapeRoom):
        rule = stated["rule"]
        return [
            RulePart(f"digit {at + 1}", at, _completed(digit, DigitTerm.model_validate))
            for at, digit in enumerate(rule["digits"])
        ]
    assert isinstance(theory, Reactor)
    found = _completed(stated["rule"], lambda rule: _program(theory, rule))
    return [RulePart("rule", 0, found)]


def _functions(theory: FunctionOperator, stated: Mapping[str, Any]) -> list[RulePart]:
    low, high = theory.param_range
    values = {term["param"]: term["coef"] for each in stated["functions"] for term in each}
    found = []
    for at, terms in enumerate(stated["functions"]):
        opened = [term | {"coef": _ranged(term["coef"], low, high)} for term in terms]
        found.append(RulePart(f"function {at + 1}", at, _completed(opened, _one_value_each)))
    for at, letter in enumerate(theory.letters):
        options = _completed(_ranged(values[letter], low, high), lambda value: value)
        known = None if values[letter] == UNKNOWN.value else options
        found.append(RulePart(f"parameter {letter}", at, known))
    return found


def _ranged(coef: Any, low: int, high: int) -> Any:
    """The values of a parameter of which nothing is known."""
    if coef != UNKNOWN.value:
        return coef
    return {"one_of": [{"value": each, "weight": 1.0} for each in range(low, high + 1)]}


def _one_value_each(terms: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
    values: dict[str, Any] = {}
    same = all(values.setdefault(term["param"], term["coef"]) == term["coef"] for term in terms)
    return terms if same else None


def _program(theory: Reactor, rule: Any) -> Any:
    stated = theory.model_dump(mode="json") | {"rule": rule, "hints": []}
    return Reactor.model_validate(stated).rule


def _completed(stated: Any, make: Any) -> tuple[Any, ...] | None:
    """All that a part may be; None if a field is unknown or there are too many."""
    try:
        found = list(itertools.islice(completions(stated), MOST + 1))
    except LookupError:
        return None
    made = (make(each) for each in found)
    return tuple(each for each in made if each is not None) if len(found) <= MOST else None


def completions(stated: Any) -> Iterator[Any]:
    """What a rule in JSON may be, its open fields filled with each of their alternatives.

    Raises:
        LookupError: Nothing is known of a field.
    """
    if stated == UNKNOWN.value:
        raise LookupError(stated)
    if isinstance(stated, Mapping) and set(stated) == {"one_of"}:
        for option in stated["one_of"]:
            yield from completions(option["value"])
    elif isinstance(stated, Mapping):
        for chosen in itertools.product(*map(list_of, stated.values())):
            yield dict(zip(stated, chosen, strict=True))
    elif isinstance(stated, list):
        yield from map(list, itertools.product(*map(list_of, stated)))
    else:
        yield stated


def list_of(stated: Any) -> list[Any]:
    """The completions in a list, at most one more than are looked at."""
    return list(itertools.islice(completions(stated), MOST + 1))


def likeliest(stated: Any) -> Any:
    """A rule in JSON, its open fields filled with their likeliest alternatives.

    Raises:
        LookupError: Nothing is known of a field.
    """
    if stated == UNKNOWN.value:
        raise LookupError(stated)
    if isinstance(stated, Mapping) and set(stated) == {"one_of"}:
        return likeliest(max(stated["one_of"], key=lambda each: each["weight"])["value"])
    if isinstance(stated, Mapping):
        return {key: likeliest(value) for key, value in stated.items()}
    return [likeliest(each) for each in stated] if isinstance(stated, list) else stated
