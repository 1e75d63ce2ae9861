"""The four verdicts on a rule, a field or an assertion; docs/theory.md defines them."""

from __future__ import annotations

from typing import Literal

Verdict = Literal["supported", "contradicted", "undecided", "untested"]
