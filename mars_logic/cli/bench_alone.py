"""Runs a benchmark from its own file."""

from __future__ import annotations

import sys
from pathlib import Path

from mars_logic.cli.main import main


def alone(file: str) -> None:
    """Run the benchmark in this file, as its name after ``mars-logic bench`` would."""
    sys.argv[1:1] = ["bench", Path(file).stem]
    main()
