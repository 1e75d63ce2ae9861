"""Theories against trajectories: check them, revise them, and score them against a truth."""

from mars_logic.theory.atoms import atoms
from mars_logic.theory.check import CheckReport, Conflict, FieldFinding, Finding, check
from mars_logic.theory.consequences import Consequences, Remaining, consequences
from mars_logic.theory.evidence import Evidence, Occurrence
from mars_logic.theory.log_loss import LogLoss
from mars_logic.theory.ranking import Ranking, rank
from mars_logic.theory.revise import Change, Revision, revise
from mars_logic.theory.score import Measure, Score, score

__all__ = [
    "Change",
    "CheckReport",
    "Conflict",
    "Consequences",
    "Evidence",
    "FieldFinding",
    "Finding",
    "LogLoss",
    "Measure",
    "Occurrence",
    "Ranking",
    "Remaining",
    "Revision",
    "Score",
    "atoms",
    "check",
    "consequences",
    "rank",
    "revise",
    "score",
]
