"""Programs decided by clingo: those that explain experiments, the shortest first.

What programs make is evaluated here; ``encodings/rulearn/programs.lp`` weighs length and hints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mars_logic.domains.rulearn.clingo_models import Facts, certain_and_possible, costs
from mars_logic.domains.rulearn.reactor.programs import Program, products

_ENCODING: Final = "rulearn/programs.lp"
_PARTS: Final = 1000
"""Parts of a bit that lengths are rounded to, since clingo's numbers are whole."""

Pair = tuple[str, str]
Products = tuple[str, ...]


@dataclass(frozen=True)
class ProgramProblem:
    """Programs, and what is known of the one that is the rule.

    Attributes:
        programs: Each with its length in bits.
        seen: What pairs of materials gave.
        hints: What they are said to give; a hint may be false.
        hint_bits: Length that a hint adds to a program which does not explain it.
    """

    programs: Sequence[tuple[Program, float]]
    seen: Mapping[Pair, Products]
    hints: Mapping[Pair, Products]
    hint_bits: float

    def facts(self, pairs: Sequence[Pair] = ()) -> str:
        """As facts, with what programs make of these pairs."""
        found = Facts()
        told = [("seen", *each) for each in self.seen.items()]
        told += [("hint", *each) for each in self.hints.items()]
        for example, (kind, _, _) in enumerate(told):
            found.add(kind, example, *([round(self.hint_bits * _PARTS)] * (kind == "hint")))
        for number, (program, bits) in enumerate(self.programs):
            found.add("program", number)
            found.add("bits", number, round(bits * _PARTS))
            for example, (_, pair, made) in enumerate(told):
                if products(program, *pair) == made:
                    found.add("explains", number, example)
            for place, pair in enumerate(pairs):
                found.add("makes", number, place, "+".join(products(program, *pair)))
        return str(found)


def explanations(problem: ProgramProblem) -> list[tuple[Program, float]]:
    """The programs that explain what was seen, the shortest first.

    Returns:
        Each with its length in bits, and with that of the hints which it does not explain.
    """
    found = costs(_ENCODING, problem.facts(), "chosen")
    return [(problem.programs[atoms[0][0]][0], cost / _PARTS) for cost, atoms in found]


def known_products(
    problem: ProgramProblem, pairs: Sequence[Pair]
) -> tuple[Mapping[Pair, Products], Mapping[Pair, frozenset[Products]]]:
    """The consequences: products that are certain, and those that are still open.

    Args:
        problem: The programs and what is known.
        pairs: The pairs of materials that are asked about.

    Returns:
        By pair: the products, or all that are possible. Both are empty if nothing explains what was
        seen.
    """
    certain, possible = certain_and_possible(_ENCODING, problem.facts(pairs), "made", 2)
    still: dict[Pair, set[Products]] = {}
    for place, made in possible - certain:
        still.setdefault(pairs[place], set()).add(_apart(made))
    return (
        {pairs[place]: _apart(made) for place, made in sorted(certain)},
        {pair: frozenset(still[pair]) for pair in pairs if pair in still},
    )


def _apart(made: str) -> Products:
    return tuple(made.split("+")) if made else ()
