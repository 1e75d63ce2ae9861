from __future__ import annotations

from pathlib import Path

from tests.paths import DATA, SHARED

SELECTION = sorted((DATA / "golden").glob("*.npz"))
"""Recorded episodes that cover both dialects, all nine worlds and every kind of event."""

ALL = sorted((SHARED / "reference" / "golden").glob("*.npz"))
"""All recorded episodes, where they are at hand."""

TRACES: list[Path] = ALL or SELECTION
