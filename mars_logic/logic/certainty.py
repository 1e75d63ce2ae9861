"""Verdicts and kinds of certainty."""

from __future__ import annotations

from typing import Literal

Outcome = Literal["reachable", "unreachable", "depends", "unknown"]
Certainty = Literal["sure", "almost_sure", "finite_chance"]

CERTAINTIES: tuple[Certainty, ...] = ("sure", "almost_sure", "finite_chance")
"""Kinds of certainty, the best first."""
