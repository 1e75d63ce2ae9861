from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mars_logic import kernel as kernels

PACKAGE = Path(kernels.__file__).parent


@pytest.fixture(autouse=True)
def _nothing_remembered():
    for cached in (kernels.fingerprint, kernels._imported, kernels._usable):
        cached.cache_clear()
    yield
    for cached in (kernels.fingerprint, kernels._imported, kernels._usable):
        cached.cache_clear()


def write_package(folder, constant):
    """A package of our name: the decorator, and a kernel that calls one of another file."""
    package = folder / "mars_logic"
    (package / "sub").mkdir(parents=True)
    shutil.copy(PACKAGE / "kernel.py", package)
    (package / "__init__.py").write_text("")
    (package / "sub" / "__init__.py").write_text("")
    (package / "unrelated.py").write_text("NUMBER = 1\n")
    (package / "sub" / "numbers.py").write_text(f"CONSTANT = {constant}\n")
    (package / "sub" / "helper.py").write_text(
        "from mars_logic.kernel import kernel\nfrom mars_logic.sub import (\n    numbers,\n)\n"
        "CONSTANT = numbers.CONSTANT\n@kernel\ndef helper(x):\n    return x + CONSTANT\n"
    )
    (package / "use.py").write_text(
        "from mars_logic.kernel import kernel\nfrom mars_logic.sub.helper import helper\n"
        "@kernel\ndef use(x):\n    return helper(x)\n"
        "if __name__ == '__main__':\n    import mars_logic.use as m\n"
        "    print(m.use(0), sum(m.use.stats.cache_hits.values()))\n"
    )
    return package


def environment(folder, cache):
    kept = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")}
    return kept | {"PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(cache), "HOME": str(cache)}


def start(folder, cache):
    return subprocess.Popen(
        [sys.executable, "-m", "mars_logic.use"],
        env=environment(folder, cache),
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    )


def result_and_hits(process):
    output, _ = process.communicate(timeout=100)
    assert process.returncode == 0
    result, hits = map(int, output.split())
    return result, hits


def test_versions_by_turns_neither_confuse_nor_evict_each_other(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    write_package(one, 1)
    write_package(two, 2)
    found = [result_and_hits(start(folder, tmp_path / "cache")) for folder in (one, two, one, two)]
    assert found == [(1, 0), (2, 0), (1, 1), (2, 1)]


def test_an_edit_of_what_a_called_kernel_depends_on_is_noticed(tmp_path):
    package = write_package(tmp_path, 1)
    cache = tmp_path / "cache"
    assert result_and_hits(start(tmp_path, cache)) == (1, 0)
    (package / "unrelated.py").write_text("NUMBER = 22\n")
    assert result_and_hits(start(tmp_path, cache)) == (1, 1)
    (package / "sub" / "numbers.py").write_text("CONSTANT = 3\n")
    assert result_and_hits(start(tmp_path, cache)) == (3, 0)


def test_several_processes_may_start_at_once(tmp_path):
    write_package(tmp_path, 5)
    processes = [start(tmp_path, tmp_path / "cache") for _ in range(4)]
    assert [result_and_hits(process)[0] for process in processes] == [5] * 4
    assert result_and_hits(start(tmp_path, tmp_path / "cache")) == (5, 1)


def test_nothing_is_written_into_the_package(tmp_path):
    package = write_package(tmp_path, 5)
    result_and_hits(start(tmp_path, tmp_path / "cache"))
    left = {path.suffix for path in package.rglob("*") if path.is_file()}
    assert left <= {".py", ".pyc"}


def test_a_fingerprint_covers_what_is_imported_and_nothing_else(tmp_path, monkeypatch):
    package = write_package(tmp_path, 1)
    monkeypatch.setattr(kernels, "_PACKAGE", package)

    def now():
        kernels.fingerprint.cache_clear()
        kernels._imported.cache_clear()
        return kernels.fingerprint(package / "use.py")

    first = now()
    (package / "unrelated.py").write_text("NUMBER = 2\n")
    assert now() == first
    for name in ("use.py", "sub/helper.py", "sub/numbers.py"):
        (package / name).write_text((package / name).read_text() + "# edited\n")
        assert now() != first
        first = now()


def test_every_part_of_the_simulator_that_a_step_needs_is_watched():
    watched, waiting = set(), [PACKAGE / "sim" / "step.py"]
    while waiting:
        file = waiting.pop()
        if file not in watched:
            watched.add(file)
            waiting.extend(kernels._imported(file))
    for name in ("board", "player", "creatures", "balance", "terrain", "codes", "layout", "tables"):
        assert PACKAGE / "sim" / f"{name}.py" in watched
    assert PACKAGE / "world" / "names.py" in watched
    assert not {file.parent.name for file in watched} & {"cli", "plan", "theory"}


def test_where_code_is_kept(tmp_path, monkeypatch):
    source = PACKAGE / "sim" / "step.py"
    monkeypatch.setattr("numba.config.CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    folder = kernels.cache_folder(source)
    assert folder.name == f"sim.step-{kernels.fingerprint(source)[:16]}"
    if sys.platform == "linux":
        assert folder.parent == tmp_path / "xdg" / "mars-logic" / "kernels"
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path / "own"))
    assert kernels.cache_folder(source).parent == tmp_path / "own" / "kernels"


def test_folders_that_were_not_used_for_long_are_removed(tmp_path):
    long_ago = time.time() - 100 * 24 * 3600
    for name, used in (("a-1", long_ago), ("a-2", time.time()), ("a-3", long_ago), ("b-1", 1)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.nbc").write_bytes(b"x")
        (tmp_path / name / "used").touch()
        os.utime(tmp_path / name / "used", (used, used))
    assert kernels._usable(tmp_path / "a-3")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-2", "a-3", "b-1"]


def test_without_a_folder_to_cache_in_kernels_still_compile(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path / "file"))

    def double(number: int) -> int:
        return 2 * number

    assert kernels.kernel(double)(21) == 42


def test_only_the_simulator_imports_numba():
    code = (
        "import sys, mars_logic; mars_logic.load_world('crafter')\n"
        "assert 'numba' not in sys.modules\n"
        "import mars_logic.sim\n"
        "assert 'numba' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
