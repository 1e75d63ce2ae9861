"""Version of the installed program, with the commit where it runs from a checkout."""

from __future__ import annotations

import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

_CHECKOUT: Final = Path(__file__).parent.parent.parent
_CODE: Final = ("mars_logic", "agents", "encodings", "worlds", "benchmarks")
_SECONDS: Final = 10


@cache
def installed_version() -> str:
    """The version, such as ``0.1.0`` or ``0.1.0 (commit 1a2b3c4)``.

    "with changes" follows the commit if code, encodings or worlds differ from it. The commit is
    left out where the program does not run from a git checkout of its own, or git is missing.
    """
    try:
        number = version("mars-logic")
    except PackageNotFoundError:
        number = "unknown"
    commit = _git("rev-parse", "--short", "HEAD") if (_CHECKOUT / ".git").exists() else ""
    if not commit:
        return number
    changes = ", with changes" if _git("status", "--porcelain", "--", *_CODE) else ""
    return f"{number} (commit {commit}{changes})"


def _git(*arguments: str) -> str:
    """What git prints in the checkout; empty where it cannot be asked."""
    command = ("git", "-C", str(_CHECKOUT), *arguments)
    try:
        ran = subprocess.run(
            command, capture_output=True, encoding="utf-8", timeout=_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return ran.stdout.strip()
