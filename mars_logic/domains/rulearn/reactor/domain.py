"""The reactor as a domain."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from mars_logic.domains.base import Pair, RuleComparison, StepsValue
from mars_logic.domains.rulearn.domain import PuzzleDomain
from mars_logic.domains.rulearn.puzzle import DIALECTS, fact, possible, puzzle_facts
from mars_logic.domains.rulearn.reactor.planner import plan_reactions
from mars_logic.domains.rulearn.reactor.rules import (
    HINT_MODES,
    ProductTemplate,
    Reactor,
    TextPiece,
    products,
)
from mars_logic.domains.rulearn.reactor.simulator import ReactorSimulator
from mars_logic.domains.rulearn.reactor.space import ReactorSpace
from mars_logic.domains.rulearn.reactor.words import program_sentences
from mars_logic.errors import InputError
from mars_logic.world.uncertain import UNKNOWN, is_uncertain

_LETTERS: Final = "ABC"
_POOL = "No fewer do with the materials that the planner considers."


def _made(theory: Reactor, truth: Reactor, size: int) -> Iterator[Pair]:
    names = [
        "".join(letters)
        for many in range(1, size + 1)
        for letters in itertools.product(_LETTERS, repeat=many)
    ]
    pairs = sorted(itertools.product(names, repeat=2), key=lambda each: len(each[0] + each[1]))
    for u, v in pairs:
        yield f"{u} + {v}", products(theory.rule, u, v), products(truth.rule, u, v)


class ReactorDomain(PuzzleDomain[Reactor]):
    """A reactor that makes materials of materials, and a target."""

    name = "reactor"
    kind = Reactor
    simulated_by = ReactorSimulator
    version_space = ReactorSpace
    variants: ClassVar[Mapping[str, tuple[str, ...]]] = {"dialect": DIALECTS, "hints": HINT_MODES}

    comparison = RuleComparison(
        4, f"reactions of all materials of up to {{size}} letters of {_LETTERS}", _made
    )
    priors: ClassVar[Mapping[str, str]] = {
        "told": "the rule",
        "none": "the target and the storage",
    }

    def rules(self, theory: Reactor) -> list[str]:
        """What two materials give."""
        return program_sentences(theory.rule)

    def facts(self, theory: Reactor) -> str:
        """``target``, ``raw``, hints, and the cases of the rule with their products.

        ``piece(Case, Product, Place)`` is joined to others, or, with
        ``interleaved(Case, Product)``, taken in turn with the other; ``of``, ``from``, ``to`` and
        ``reversed`` say what it is.
        """
        lines = [fact("target", theory.target), *(fact("raw", each) for each in theory.raw)]
        for number, hint in enumerate(theory.told, 1):
            lines.append(fact("hint", number, *hint.inputs))
            lines += [fact("hint_product", number, at, p) for at, p in enumerate(hint.products, 1)]
        if not is_uncertain(theory.rule):
            for number, case in enumerate(theory.rule, 1):
                lines.append(fact("case", number))
                if not is_uncertain(case.when):
                    lines += [fact("if", number, each) for each in case.when]
                for place, template in enumerate(case.products, 1):
                    lines += _product(number, place, template)
        return puzzle_facts(theory, lines)

    def answers(self, game: Reactor) -> list[str]:
        """Hints that are false."""
        return [
            f"The hint about {' + '.join(hint.inputs)} is false: the reactor makes "
            f"{' and '.join(products(game.rule, *hint.inputs))}."
            for hint in game.told
            if products(game.rule, *hint.inputs) != hint.products
        ]

    def untold(self, game: Reactor) -> Reactor:
        """Target, materials and hints are told; the rule is unknown."""
        return Reactor.model_validate(dict(game) | {"rule": UNKNOWN, "hints": game.told})

    def _value(self, game: Reactor, theory: Reactor, told: str) -> StepsValue:
        """The fewest reactions with the rule known: a bound for whoever has to find it out."""
        plan = plan_reactions(game.rule, game.target, game.raw)
        if plan is None:
            message = f"no plan was found for {game.target}"
            raise InputError(f"{game.name}: target: {message}; allowed: a target within reach")
        notes = [_POOL if plan.minimal else "Fewer may do: the search was broken off."]
        if theory is not game:
            notes.insert(0, "A bound: the reactions with the rule known.")
        moves = tuple(f"let {u} and {v} react" for u, v in plan.next) if theory is game else ()
        exact = theory is game and plan.minimal
        return StepsValue(told, len(plan.reactions), exact, moves, " ".join(notes))


def _product(case: int, place: int, template: ProductTemplate) -> Iterator[str]:
    yield fact("product", case, place)
    if template.interleave:
        yield fact("interleaved", case, place)
    pieces = template.interleave or template.join
    for at, piece in enumerate(() if is_uncertain(pieces) else pieces or (), 1):
        yield from _piece((case, place, at), piece)
    if not is_uncertain(template.then):
        for at, operation in enumerate(template.then, 1):
            yield fact("then", case, place, at, operation)


def _piece(where: tuple[int, int, int], piece: TextPiece) -> Iterator[str]:
    yield fact("piece", *where)
    for name, field in (("of", piece.of), ("from", piece.begin), ("to", piece.end)):
        yield from possible(name, *where, field=field)
    if piece.reversed is True:
        yield fact("reversed", *where)


DOMAIN = ReactorDomain()
