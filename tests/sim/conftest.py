from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

VECTORS = Path(__file__).parents[1] / "data" / "unit_vectors.npz"


@pytest.fixture(scope="session")
def vectors() -> dict[str, NDArray[np.generic]]:
    """Values recorded from the reference games' libraries."""
    with np.load(VECTORS) as file:
        return {name: file[name] for name in file.files}
