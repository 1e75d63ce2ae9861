"""Commands in this process, for fixtures that outlive a test."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mars_logic.cli.main import main


def command(folder: Path, *arguments: str) -> None:
    """Run a command in a folder."""
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as ended:
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["mars-logic", *arguments])
        main()
    assert not ended.value.code, arguments
