"""The notebooks run from the first cell to the last."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.paths import REPOSITORY

NOTEBOOKS = sorted((REPOSITORY / "docs" / "notebooks").glob("*.ipynb"))
SECONDS_A_CELL = 300


def test_there_are_four() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["learning", "logic", "own_worlds", "training"]


@pytest.mark.long
@pytest.mark.filterwarnings("default")  # of Jupyter's own packages
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path: Path, tmp_path: Path) -> None:
    pytest.importorskip("ipykernel", reason="needs the extra 'notebooks'")
    nbclient: Any = pytest.importorskip("nbclient", reason="needs the extra 'notebooks'")
    nbformat: Any = pytest.importorskip("nbformat", reason="needs the extra 'notebooks'")
    if path.stem == "training":
        pytest.importorskip("stable_baselines3", reason="needs the extra 'rl'")
    notebook = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=SECONDS_A_CELL, resources=where).execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in cells)
