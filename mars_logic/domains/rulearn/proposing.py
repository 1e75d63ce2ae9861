"""What an unread sentence about a puzzle may mean: sentences on parts of its rule, ranked by cues.

As for worlds, a proposal is no reading: it counts once a person has confirmed it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

from mars_logic.domains.game import options
from mars_logic.domains.rulearn.escape_room.rules import ATTRIBUTES, FOCUS, DigitTerm
from mars_logic.domains.rulearn.escape_room.words import DIGIT
from mars_logic.domains.rulearn.function_operator.rules import RELEASED, FunctionTerm, basis_choices
from mars_logic.domains.rulearn.function_operator.words import TERMS
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.reactor.words import CONDITIONS, INPUTS, OPERATIONS
from mars_logic.domains.rulearn.reading import require_read
from mars_logic.system.resources import values_at
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.words.contract import without_lead
from mars_logic.world.words.mentions import Phrase, found_phrases, mentions
from mars_logic.world.words.proposing import MOST, ProposedSentence, Proposer

_LEAST: Final = 0.5
"""The least agreement of a line with a sentence that is proposed, from 0 to 1."""
_NONE: Final = "filler"
"""The key of phrases that mean nothing by themselves."""
_ORDERS: Final = (
    ("first", "second", "order"),
    ("second", "first", "swapped"),
    ("longer", "shorter", "order"),
    ("shorter", "longer", "swapped"),
)


class _Candidate(NamedTuple):
    """A sentence about a part of a rule, and what a line mentions that means it."""

    sentence: str
    features: frozenset[str]


def rule_proposals(line: str, theory: Puzzle) -> tuple[ProposedSentence, ...]:
    """What an unread sentence may mean, the likeliest first.

    Args:
        line: The sentence.
        theory: What the manual of the puzzle tells.
    """
    known = [*_CANDIDATES[theory.domain](theory)]
    often = Counter(feature for each in known for feature in each.features)
    weight = {each: math.log(1 + len(known) / count) for each, count in often.items()}
    seen = mentions(without_lead(line))
    phrases = {each: feature for each, feature in _phrases().items() if feature in (*often, _NONE)}
    found = found_phrases(seen.words, phrases)
    mentioned = frozenset(feature for feature, _ in found) - {_NONE}

    def likeness(each: _Candidate) -> float:
        both = sum(weight[feature] for feature in mentioned & each.features)
        every = sum(weight[feature] for feature in (*mentioned, *each.features))
        return 2 * both / every if every else 0.0

    ranked = sorted(known, key=likeness, reverse=True)[: MOST + 1]
    likely = [each for each in ranked if likeness(each) >= _LEAST]
    accounted = {at for _, span in found for at in span.places}
    left = {at for at in seen.content - accounted if seen.words[at][0].isalnum()}
    plain = not left and not seen.doubtful and bool(seen.negations) == ("not" in mentioned)
    alone = plain and [each.features == mentioned for each in likely] == [True] + [False] * (
        len(likely) - 1
    )
    return tuple(
        ProposedSentence(each.sentence, alone and number == 0)
        for number, each in enumerate(likely[:MOST])
    )


@cache
def _phrases() -> Mapping[Phrase, str]:
    held = values_at(Path(__file__).with_name("cues.yaml"))
    return {tuple(each.split()): feature for feature, listed in held.items() for each in listed}


def _functions(theory: Any) -> Iterator[_Candidate]:
    """Which functions of x a function of the puzzle has."""
    for number, terms in enumerate(theory.functions, 1):
        letters = [each.param for each in terms]
        allowed = tuple(options(terms[0].basis) or RELEASED)
        for bases in basis_choices(len(terms), allowed):
            told = TERMS.tell(
                [
                    FunctionTerm(param=letter, coef=UNKNOWN, basis=basis)
                    for letter, basis in zip(letters, bases, strict=True)
                ]
            )
            features = (f"function {number}", *(f"basis {each}" for each in bases))
            yield _Candidate(f"Function {number} is {told}.", frozenset(features))


def _digits(theory: Any) -> Iterator[_Candidate]:
    """How many paintings of which kind a digit counts."""
    focus = theory.rule.focus
    values = {
        each: [None, *listed, *({"not": value} for value in listed), *([FOCUS] * (each == focus))]
        for each, listed in ATTRIBUTES.items()
    }
    for place, *chosen in product(range(1, len(theory.rule.digits) + 1), *values.values()):
        wanted = {n: v for n, v in zip(values, chosen, strict=True) if v is not None}
        features = {f"digit {place}"}
        for each in wanted.values():
            name = each["not"] if isinstance(each, Mapping) else each
            features |= {"hinted" if name == FOCUS else str(name)}
            features |= {"not"} if isinstance(each, Mapping) else set()
        if wanted:
            term = DIGIT.tell(DigitTerm.model_validate({"count": wanted}))
            yield _Candidate(f"Digit {place} is {term}.", frozenset(features))


def _cases(theory: Any) -> Iterator[_Candidate]:  # noqa: ARG001
    """What the reactor makes of both inputs, under one condition or always."""
    made = {
        f"{INPUTS[one]} followed by {INPUTS[other]}": {one, other, order}
        for one, other, order in _ORDERS
    }
    made["the shorter input in the middle of the longer one"] = {"shorter", "longer", "middle"}
    made["the second input in the middle of the first one"] = {"second", "first", "middle"}
    conditions = {f"If {told}": {name} for name, told in CONDITIONS.items()}
    conditions = {"Always": set(), "Otherwise": {"otherwise"}, **conditions}
    then = {"": set(), **{f", then the result {told}": {n} for n, told in OPERATIONS.items()}}
    for (when, one), (what, two), (more, three) in product(
        conditions.items(), made.items(), then.items()
    ):
        yield _Candidate(f"{when}: {what}{more}.", frozenset(one | two | three))


def proposer_about(theory: Puzzle) -> Proposer:
    """Proposals about a puzzle, of which a theory holds what its manual tells."""
    return Proposer(partial(rule_proposals, theory=theory), partial(require_read, theory=theory))


_CANDIDATES: Final[Mapping[str, Callable[[Any], Iterator[_Candidate]]]] = {
    "function_operator": _functions,
    "escape_room": _digits,
    "reactor": _cases,
}
