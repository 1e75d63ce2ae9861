"""Hypothesised rules from files, in YAML, in logic programs and in sentences, tested on play.

What this package exports is imported when it is asked for: a process that reads a program needs
little of it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mars_logic.theory.rulesets.checking import check_rules
    from mars_logic.theory.rulesets.context import Context
    from mars_logic.theory.rulesets.documents import read_rules, statements_of
    from mars_logic.theory.rulesets.library import LibraryScore, score_library
    from mars_logic.theory.rulesets.rule_report import (
        Counterexample,
        RuleFinding,
        Rules,
        Unreadable,
    )
    from mars_logic.theory.rulesets.stated import Statement

__all__ = [
    "Context",
    "Counterexample",
    "LibraryScore",
    "RuleFinding",
    "Rules",
    "Statement",
    "Unreadable",
    "check_rules",
    "read_rules",
    "score_library",
    "statements_of",
]
_MODULES: Final = {
    "Counterexample": "rule_report",
    "Rules": "rule_report",
    "Context": "context",
    "RuleFinding": "rule_report",
    "Statement": "stated",
    "Unreadable": "rule_report",
    "check_rules": "checking",
    "read_rules": "documents",
    "statements_of": "documents",
    "LibraryScore": "library",
    "score_library": "library",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
