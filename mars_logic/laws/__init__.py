"""Laws learned from records: what actions cost, bring and need, with what remains open.

Importing this package imports no simulator; only :mod:`mars_logic.laws.attempts` does, when it
plays.

Example:
    >>> from pathlib import Path
    >>> from mars_logic.laws import as_theory, learn, read
    >>> laws = learn(read([Path("records.json")]))  # doctest: +SKIP
    >>> laws["make_iron_pickaxe"].branches[0].bounds.least()  # doctest: +SKIP
"""

from mars_logic.laws.as_theory import as_theory
from mars_logic.laws.files import read, write
from mars_logic.laws.learn import Law, Laws, learn
from mars_logic.laws.predicates import Clause, Predicates, clauses, predicates
from mars_logic.laws.records import Records
from mars_logic.laws.source import python_source, situation
from mars_logic.laws.states import States
from mars_logic.laws.words import tell

__all__ = [
    "Clause",
    "Law",
    "Laws",
    "Predicates",
    "Records",
    "States",
    "as_theory",
    "clauses",
    "learn",
    "predicates",
    "python_source",
    "read",
    "situation",
    "tell",
    "write",
]
