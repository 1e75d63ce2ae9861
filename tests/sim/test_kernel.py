from __future__ import annotations

import subprocess
import sys

import pytest

from mars_logic import kernel as kernels


@pytest.fixture
def folder(tmp_path):
    kernels._remove_stale_code.cache_clear()
    for name in ("a.nbi", "a.1.nbc", "other.pyc"):
        (tmp_path / name).write_bytes(b"x")
    yield tmp_path
    kernels._remove_stale_code.cache_clear()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_code_from_other_sources_is_removed(folder):
    (folder / kernels._FINGERPRINT).write_text("another fingerprint")
    kernels._remove_stale_code(folder)
    assert names(folder) == [kernels._FINGERPRINT, "other.pyc"]


def test_code_from_unknown_sources_is_removed(folder):
    kernels._remove_stale_code(folder)
    assert names(folder) == [kernels._FINGERPRINT, "other.pyc"]


def test_code_from_the_same_sources_stays(folder):
    (folder / kernels._FINGERPRINT).write_text(kernels._sources())
    kernels._remove_stale_code(folder)
    assert names(folder) == sorted(["a.nbi", "a.1.nbc", "other.pyc", kernels._FINGERPRINT])


def test_only_the_simulator_imports_numba():
    code = (
        "import sys, mars_logic; mars_logic.load_world('crafter')\n"
        "assert 'numba' not in sys.modules\n"
        "import mars_logic.sim\n"
        "assert 'numba' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_a_folder_to_cache_in_kernels_still_compile(monkeypatch):
    def refuse(_):
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr("numba.core.dispatcher.Dispatcher.enable_caching", refuse)

    def double(number: int) -> int:
        return 2 * number

    assert kernels.kernel(double)(21) == 42
