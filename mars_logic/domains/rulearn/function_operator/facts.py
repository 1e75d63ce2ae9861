"""The function operator as facts."""

from __future__ import annotations

from mars_logic.domains.rulearn.facts import fact, possible, puzzle_facts
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator


def operator_facts(theory: FunctionOperator) -> str:
    """``term(F, T, Param)``, ``basis(F, T, Basis)``, ``value(Param, Number)``, and ranges."""
    lines = [fact("param_range", *theory.param_range)]
    lines += ["distinct_values."] if theory.params_distinct else []
    for number, terms in enumerate(theory.functions, 1):
        for place, term in enumerate(terms, 1):
            lines.append(fact("term", number, place, term.param))
            lines += possible("basis", number, place, field=term.basis)
    for letter, value in theory.values.items():
        lines += possible("value", letter, field=value)
    return puzzle_facts(theory, lines)
