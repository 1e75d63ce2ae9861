"""File layout of an experiment's folder; docs/experiments.md describes it."""

from __future__ import annotations

from typing import Final

SPEC: Final = "spec.yaml"
RESULTS: Final = "results.parquet"
UNITS: Final = "units"
"""A folder for each unit, which holds :data:`ABOUT`, :data:`ROWS`, and what else is kept."""
FAILURES: Final = "failures"
DAMAGED: Final = "damaged"
"""Units that were not whole, as they were found."""
ABOUT: Final = "unit.json"
ROWS: Final = "episodes.parquet"
