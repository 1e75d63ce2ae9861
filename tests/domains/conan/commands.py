"""Commands in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def command(folder: Path, *arguments: str) -> str:
    """Run a command in a folder; return what it prints."""
    ran = subprocess.run(
        [sys.executable, "-m", "mars_logic", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout
