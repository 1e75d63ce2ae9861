"""Where tests find their data, and the references' recordings where they are at hand."""

from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
DATA = REPOSITORY / "tests" / "data"
SHARED = REPOSITORY.parent / "shared"
