"""Signs that stand for verdicts on a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mars_logic.theory.verdict import Verdict

SIGNS: Final[Mapping[Verdict, str]] = {
    "supported": "✓",
    "contradicted": "✗",
    "undecided": "?",
    "untested": "–",
}
