"""Theories against trajectories: check them, revise them, score them."""

from mars_logic.theory.check import Conflict, FieldFinding, Finding, Report, check
from mars_logic.theory.evidence import Evidence, Where

__all__ = [
    "Conflict",
    "Evidence",
    "FieldFinding",
    "Finding",
    "Report",
    "Where",
    "check",
]
