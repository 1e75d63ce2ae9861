"""Agents that a language model plays: of the Mars paper, of SPRING, and with tested rules."""
