"""The code of docs/trajectories.md runs, and its table is complete."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from mars_logic.data import file_name, save
from mars_logic.domains import load_game
from mars_logic.domains.runs import GameRun
from mars_logic.domains.trajectories import record_game
from tests.data_layer.play import recorded
from tests.paths import REPOSITORY

PAGE = (REPOSITORY / "docs" / "trajectories.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which the page's recordings lie."""
    folder = tmp_path / "played"
    folder.mkdir()
    for seed in range(2):
        save(recorded(seed), folder / file_name(recorded(seed).about))
    (folder / "all_three__script__s0.parquet").rename(folder / "all_three__random__s0.parquet")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "towers").mkdir()
    run = GameRun(load_game("Hanoi3Disk"), "Hanoi3Disk", "oracle", noise=0.2)
    record_game(tmp_path / "towers", load_game("Hanoi3Disk"), run.add(0).certificate)
    return folder


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.usefixtures("played")
@pytest.mark.filterwarnings("default")
def test_the_code_runs(block: str) -> None:
    for package in re.findall(r"^import (\w+)", block, re.MULTILINE):
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    exec(block, {})


def test_the_table_names_every_column(played: Path) -> None:
    table = PAGE.partition("| column |")[2].partition("\n\n")[0]
    told = re.findall(r"`(\w+)`", "".join(row.split("|")[1] for row in table.splitlines()[2:]))
    hidden = re.findall(r"`…(_\w+)`", table)
    names = {*told, *(f"privileged{name}" for name in hidden)}
    assert names == set(pq.read_schema(next(played.iterdir())).names)
