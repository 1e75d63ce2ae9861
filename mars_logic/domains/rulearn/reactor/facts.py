"""The reactor as facts."""

from __future__ import annotations

from collections.abc import Iterator

from mars_logic.domains.rulearn.facts import fact, possible, puzzle_facts
from mars_logic.domains.rulearn.reactor.programs import ProductTemplate, TextPiece
from mars_logic.domains.rulearn.reactor.rules import Reactor
from mars_logic.world.uncertain import is_uncertain


def reactor_facts(theory: Reactor) -> str:
    """``target``, ``raw``, hints, and the cases of the rule with their products.

    ``piece(Case, Product, Place)`` is joined to others, or, with ``interleaved(Case, Product)``,
    taken in turn with the other; ``of``, ``from``, ``to`` and ``reversed`` say what it is.
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
