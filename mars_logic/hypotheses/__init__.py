"""Hypothesised rules from files, in YAML, in logic programs and in sentences, tested on play."""

from mars_logic.hypotheses.checking import check_rules
from mars_logic.hypotheses.documents import Statement, Unreadable, read_rules
from mars_logic.hypotheses.finding import Counterexample, Findings, RuleFinding
from mars_logic.hypotheses.moments import Moment

__all__ = [
    "Counterexample",
    "Findings",
    "Moment",
    "RuleFinding",
    "Statement",
    "Unreadable",
    "check_rules",
    "read_rules",
]
