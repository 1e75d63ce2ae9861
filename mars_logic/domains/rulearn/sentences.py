"""Reads sentences about the rules of puzzles, as ``Domain.sentences`` names it."""

from mars_logic.domains.rulearn.proposing import proposer_about
from mars_logic.domains.rulearn.reading import forms, rule_reading, rule_schema

__all__ = ["forms", "proposer_about", "rule_reading", "rule_schema"]
