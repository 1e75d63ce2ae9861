"""The folder: whole units or none, and no work of others touched."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from mars_logic.errors import InputError
from mars_logic.experiments.folder import ResultsFolder
from mars_logic.experiments.layout import RESULTS, SPEC
from mars_logic.experiments.spec import Spec
from mars_logic.experiments.work import Failure, carry_out
from tests.experiments.units import unit

ASKED = Spec.model_validate({"agents": ("random",), "worlds": ("default",), "seeds": [0, 1, 2]})
UNITS = [unit(seed) for seed in range(3)]


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return carry_out(UNITS[0])


@pytest.mark.slow
def test_what_is_kept_is_not_missing(tmp_path: Path, files: dict[str, bytes]) -> None:
    with ResultsFolder(tmp_path / "new") as folder:
        assert folder.begin(ASKED, UNITS) == UNITS
        folder.fail(UNITS[0], Failure("no luck", "none at all"))
        folder.fail(UNITS[1], Failure("no luck", "none at all"))
        folder.keep(UNITS[0], files)
        assert folder.collect(UNITS) == 1
    path = tmp_path / "new"
    assert [each.name for each in (path / "failures").iterdir()] == [f"{UNITS[1].name}.txt"]
    assert pq.read_table(path / RESULTS).num_rows == 1
    with ResultsFolder(path) as folder:
        assert folder.begin(ASKED, UNITS) == UNITS[1:]


def test_half_of_a_unit_is_none(tmp_path: Path, files: dict[str, bytes]) -> None:
    with ResultsFolder(tmp_path) as folder, pytest.raises(OSError, match="this is a folder"):
        folder.keep(UNITS[0], files | {"certificates": b"a file in place of a folder"})
    assert [*(tmp_path / "units").iterdir()] == []
    (tmp_path / "units" / ".begun-killed").mkdir()
    with ResultsFolder(tmp_path) as folder:
        assert folder.begin(ASKED, UNITS) == UNITS
    assert [*(tmp_path / "units").iterdir()] == []


def test_only_one_at_a_time(tmp_path: Path) -> None:
    with (
        ResultsFolder(tmp_path),
        pytest.raises(InputError, match="another mars-logic experiment runs in this folder"),
        ResultsFolder(tmp_path),
    ):
        pass
    with ResultsFolder(tmp_path):
        pass


def test_a_spec_may_add_but_not_change_what_is_done(
    tmp_path: Path, files: dict[str, bytes]
) -> None:
    with ResultsFolder(tmp_path) as folder:
        folder.begin(ASKED, UNITS[:1])
        folder.keep(UNITS[0], files)
        assert folder.begin(ASKED, UNITS) == UNITS[1:]
        before = (tmp_path / SPEC).read_text(encoding="utf-8")
        wider = ASKED.model_copy(update={"seeds": (1, 2)})
        with pytest.raises(InputError, match="default__random__s0 is not in the spec; allowed: "):
            folder.begin(wider, UNITS[1:])
        longer = [replace(each, length=31) for each in UNITS]
        with pytest.raises(InputError, match="default__random__s0 has length 30, not 31"):
            folder.begin(wider, longer)
        assert (tmp_path / SPEC).read_text(encoding="utf-8") == before


def test_nothing_of_the_users_is_replaced(tmp_path: Path) -> None:
    (tmp_path / SPEC).write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"spec.yaml:1: file: not made by .*; allowed: "):
        ResultsFolder(tmp_path).__enter__()
    assert [path.name for path in tmp_path.iterdir()] == [SPEC]
