"""Names of worlds and games by their digests."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def distinct_names(found: Iterable[tuple[str, str]]) -> dict[str, str]:
    """A name for each digest; what has the same name is told apart by its digest.

    Args:
        found: Names, or paths they were loaded from, with digests.
    """
    digests: dict[str, dict[str, None]] = {}
    for name, digest in found:
        digests.setdefault(Path(name).stem, {})[digest] = None
    return {
        digest: f"{name} {digest[:8]}" if len(several) > 1 else name
        for name, several in digests.items()
        for digest in several
    }
