from __future__ import annotations

import errno
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mars_logic.compiled import cache_folders, code_cache
from mars_logic.compiled.kernel import kernel
from mars_logic.errors import KernelWarning

PACKAGE = Path(code_cache.__file__).parent.parent
REMEMBERING = (cache_folders.fingerprint, cache_folders._imported, cache_folders._named_content)


@pytest.fixture(autouse=True)
def _nothing_remembered():
    for cached in REMEMBERING:
        cached.cache_clear()
    cache_folders._warned.clear()
    yield
    for cached in REMEMBERING:
        cached.cache_clear()


def write_package(folder, constant):
    """A package of our name: the decorator, and a kernel that calls one of another file."""
    package = folder / "mars_logic"
    (package / "sub").mkdir(parents=True)
    shutil.copytree(PACKAGE / "compiled", package / "compiled")
    shutil.copytree(PACKAGE / "system", package / "system")
    shutil.copy(PACKAGE / "errors.py", package)
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "sub" / "__init__.py").write_text("", encoding="utf-8")
    (package / "unrelated.py").write_text("NUMBER = 1\n", encoding="utf-8")
    (package / "sub" / "numbers.py").write_text(f"CONSTANT = {constant}\n", encoding="utf-8")
    (package / "sub" / "helper.py").write_text(
        "from mars_logic.compiled.kernel import kernel\n"
        "from mars_logic.sub import (\n    numbers,\n)\n"
        "CONSTANT = numbers.CONSTANT\n@kernel\ndef helper(x):\n    return x + CONSTANT\n",
        encoding="utf-8",
    )
    (package / "use.py").write_text(
        "from mars_logic.compiled.kernel import kernel\nfrom mars_logic.sub.helper import helper\n"
        "@kernel\ndef use(x):\n    return helper(x)\n"
        "if __name__ == '__main__':\n    import mars_logic.use as m\n"
        "    print(m.use(0), sum(m.use.stats.cache_hits.values()))\n",
        encoding="utf-8",
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
        encoding="utf-8",
    )


def result_and_hits(process):
    output, _ = process.communicate(timeout=100)
    assert process.returncode == 0
    result, hits = map(int, output.split())
    return result, hits


@pytest.mark.slow
def test_versions_by_turns_neither_confuse_nor_evict_each_other(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    write_package(one, 1)
    write_package(two, 2)
    found = [result_and_hits(start(folder, tmp_path / "cache")) for folder in (one, two, one, two)]
    assert found == [(1, 0), (2, 0), (1, 1), (2, 1)]


@pytest.mark.slow
def test_an_edit_of_what_a_called_kernel_depends_on_is_noticed(tmp_path):
    package = write_package(tmp_path, 1)
    cache = tmp_path / "cache"
    assert result_and_hits(start(tmp_path, cache)) == (1, 0)
    (package / "unrelated.py").write_text("NUMBER = 22\n", encoding="utf-8")
    assert result_and_hits(start(tmp_path, cache)) == (1, 1)
    (package / "sub" / "numbers.py").write_text("CONSTANT = 3\n", encoding="utf-8")
    assert result_and_hits(start(tmp_path, cache)) == (3, 0)


@pytest.mark.slow
def test_several_processes_may_start_at_once(tmp_path):
    write_package(tmp_path, 5)
    processes = [start(tmp_path, tmp_path / "cache") for _ in range(4)]
    assert [result_and_hits(process)[0] for process in processes] == [5] * 4
    assert result_and_hits(start(tmp_path, tmp_path / "cache")) == (5, 1)


@pytest.mark.slow
def test_processes_that_are_killed_leave_nothing_that_is_taken_for_code(tmp_path):
    write_package(tmp_path, 5)
    chance = random.Random(0)
    for _ in range(4):
        process = start(tmp_path, tmp_path / "cache")
        time.sleep(chance.uniform(0.5, 2.5))
        process.kill()
        process.communicate()
    assert result_and_hits(start(tmp_path, tmp_path / "cache"))[0] == 5
    assert result_and_hits(start(tmp_path, tmp_path / "cache")) == (5, 1)


def test_nothing_is_written_into_the_package(tmp_path):
    package = write_package(tmp_path, 5)
    result_and_hits(start(tmp_path, tmp_path / "cache"))
    left = {path.suffix for path in package.rglob("*") if path.is_file()}
    assert left <= {".py", ".pyc"}


def test_a_fingerprint_covers_what_is_imported_and_nothing_else(tmp_path, monkeypatch):
    package = write_package(tmp_path, 1)
    monkeypatch.setattr(cache_folders, "_PACKAGE", package)

    def now():
        for cached in REMEMBERING:
            cached.cache_clear()
        return cache_folders.fingerprint(package / "use.py")

    first = now()
    (package / "unrelated.py").write_text("NUMBER = 2\n", encoding="utf-8")
    assert now() == first
    for name in ("use.py", "sub/helper.py", "sub/numbers.py"):
        (package / name).write_text(
            (package / name).read_text(encoding="utf-8") + "# edited\n", encoding="utf-8"
        )
        assert now() != first
        first = now()


def test_every_part_of_the_simulator_that_a_step_needs_is_watched():
    watched, waiting = set(), [PACKAGE / "sim" / "step.py"]
    while waiting:
        file = waiting.pop()
        if file not in watched:
            watched.add(file)
            waiting.extend(cache_folders._imported(file))
    for name in (
        "board",
        "player",
        "creatures",
        "spawning",
        "terrain",
        "codes",
        "layout",
        "rules_record",
    ):
        assert PACKAGE / "sim" / f"{name}.py" in watched
    assert PACKAGE / "world" / "names.py" in watched
    assert not {file.parent.name for file in watched} & {"cli", "plan", "theory"}


def test_where_code_is_kept(tmp_path, monkeypatch):
    source = PACKAGE / "sim" / "step.py"
    monkeypatch.setattr("numba.config.CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    folder = cache_folders.cache_folder(source)
    assert folder.name == f"sim.step-{cache_folders.fingerprint(source)[:16]}"
    if sys.platform == "linux":
        assert folder.parent == tmp_path / "xdg" / "mars-logic" / "kernels"
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path / "own"))
    assert cache_folders.cache_folder(source).parent == tmp_path / "own" / "kernels"


def test_folders_that_were_not_used_for_long_are_removed(tmp_path):
    long_ago = time.time() - 100 * 24 * 3600
    for name, used in (("a-1", long_ago), ("a-2", time.time()), ("a-3", long_ago), ("b-1", 1)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.nbc").write_bytes(b"x")
        os.utime(tmp_path / name, (used, used))
    code_cache._tidy(tmp_path / "a-3")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-2", "a-3", "b-1"]


def test_what_a_killed_process_was_writing_is_removed(tmp_path):
    for name, age in (("old", 2 * code_cache._UNFINISHED_SECONDS), ("new", 0)):
        path = tmp_path / f"{name}{code_cache._UNFINISHED}"
        path.touch()
        os.utime(path, (time.time() - age, time.time() - age))
    code_cache._tidy(tmp_path)
    assert [path.stem for path in tmp_path.iterdir()] == ["new"]


def new_functions(folder):
    """A function that doubles and one that triples, as if a new process had imported them."""
    source = folder / "functions.py"
    source.write_text(
        "def double(x):\n    return 2 * x\ndef triple(x):\n    return 3 * x\n", encoding="utf-8"
    )
    space = {"__name__": __name__}
    exec(compile(source.read_text(encoding="utf-8"), str(source), "exec"), space)
    return kernel(space["double"]), kernel(space["triple"])


def hits(compiled):
    return sum(compiled.stats.cache_hits.values())


@pytest.fixture
def cached(tmp_path, monkeypatch):
    """Files of compiled code by the name of their function."""
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path / "cache"))
    double, triple = new_functions(tmp_path)
    assert (double(4), triple(4)) == (8, 12)
    files = [*(tmp_path / "cache").rglob("*.nbc")]
    again, _ = new_functions(tmp_path)
    assert again(4) == 8 and hits(again) == 1
    return {name: path for name in ("double", "triple") for path in files if name in path.name}


def swap_bit(content, at):
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


DAMAGES = {
    "empty": lambda content, _: content[:0],
    "digest alone": lambda content, _: content[: code_cache._DIGEST_BYTES],
    "truncated": lambda content, _: content[: len(content) // 2],
    "one byte missing": lambda content, _: content[:-1],
    "longer": lambda content, _: content + b"x",
    "a bit of the digest": lambda content, _: swap_bit(content, 3),
    "a bit in the middle": lambda content, _: swap_bit(content, len(content) // 2),
    "zeros": lambda content, _: bytes(len(content)),
    "text": lambda *_: b"this is no code\n" * 100,
    "of another function": lambda _, other: other,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_replaced(damage, cached, tmp_path):
    before = cached["double"].read_bytes()
    cached["double"].write_bytes(damage(before, cached["triple"].read_bytes()))
    double, triple = new_functions(tmp_path)
    assert (double(4), triple(4)) == (8, 12)
    assert (hits(double), hits(triple)) == (0, 1)
    double, _ = new_functions(tmp_path)
    assert double(5) == 10 and hits(double) == 1


def test_code_of_another_version_of_the_compiler_is_not_read(cached, tmp_path, monkeypatch):
    monkeypatch.setattr(code_cache, "_VERSIONS", ("0.1", "0.1", "3.0"))
    double, _ = new_functions(tmp_path)
    double(4)
    assert hits(double) == 0 and cached["double"].exists(), "both versions keep their code"


def test_contents_that_cannot_be_unpickled_are_replaced(cached, tmp_path):
    double, _ = new_functions(tmp_path)
    pickled = b"cno_such_module\nno_such_class\n."
    cached["double"].write_bytes(double._cache._cache_file._digest(pickled) + pickled)
    assert double(4) == 8 and hits(double) == 0
    assert len(cached["double"].read_bytes()) > 100


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders")
def test_a_pipe_is_no_compiled_code(cached, tmp_path):
    cached["double"].unlink()
    os.mkfifo(cached["double"])
    double, _ = new_functions(tmp_path)
    assert double(4) == 8 and cached["double"].is_file()


def test_a_file_that_cannot_be_replaced_ends_nothing(cached, tmp_path):
    cached["double"].unlink()
    (cached["double"] / "full").mkdir(parents=True)
    double, _ = new_functions(tmp_path)
    with pytest.warns(KernelWarning, match="compiled code cannot be cached: .*directory"):
        assert double(4) == 8
    assert not [*cached["double"].parent.glob(f"*{code_cache._UNFINISHED}")]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS])
def test_a_full_disk_costs_one_warning(number, tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(code_cache._Files, "save", fail)
    double, triple = new_functions(tmp_path)
    with pytest.warns(KernelWarning, match=os.strerror(number).lower()) as told:
        assert (double(4), triple(4)) == (8, 12)
    assert len(told) == 1


def test_without_a_folder_to_cache_in_kernels_still_compile(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path / "file"))
    double, triple = new_functions(tmp_path)
    with pytest.warns(KernelWarning, match="file.kernels: compiled code cannot be cached") as told:
        assert (double(21), triple(2)) == (42, 6)
    assert len(told) == 1


def test_without_a_home_folder_kernels_still_compile(tmp_path, monkeypatch):
    monkeypatch.setattr("numba.config.CACHE_DIR", "")
    monkeypatch.setattr(
        cache_folders, "user_cache_path", lambda *_, **__: Path("~/.cache/mars-logic")
    )
    monkeypatch.chdir(tmp_path)
    with pytest.warns(KernelWarning, match="there is no home folder") as told:
        double, triple = new_functions(tmp_path)
        cache_folders.warn_if_unwritable()
    assert (double(21), triple(2)) == (42, 6)
    assert len(told) == 1 and not (tmp_path / "~").exists()


def test_files_may_not_be_longer_than_so(tmp_path):
    resource = pytest.importorskip("resource")
    write_package(tmp_path, 5)
    process = subprocess.run(
        [sys.executable, "-m", "mars_logic.use"],
        env=environment(tmp_path, tmp_path / "cache"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
        encoding="utf-8",
    )
    assert (process.returncode, process.stdout) == (0, "5 0\n")
    assert process.stderr.count("KernelWarning") == 1 and "too large" in process.stderr
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


@pytest.mark.slow
def test_functions_of_other_packages_are_cached_as_ours_are(tmp_path):
    """numba's own cache finds no folder: the import would end with an error."""
    write_package(tmp_path, 5)
    (tmp_path / "__pycache__").write_text("in the way", encoding="utf-8")
    (tmp_path / "other.py").write_text(
        "from numba import njit\n@njit(cache=True)\ndef half(x):\n    return x / 2\n",
        encoding="utf-8",
    )
    (tmp_path / "mars_logic" / "use.py").write_text(
        "from mars_logic.compiled.kernel import import_compiled, kernel\n"
        "half = import_compiled('other').half\n"
        "@kernel\ndef use(x):\n    return int(half(x))\n"
        "if __name__ == '__main__':\n    import mars_logic.use as m\n"
        "    print(m.use(6), sum(m.half.stats.cache_hits.values()))\n",
        encoding="utf-8",
    )
    cache = tmp_path / "cache"
    assert result_and_hits(start(tmp_path, cache)) == (3, 0)
    (used,) = cache.rglob("use.*.nbc")
    (half,) = cache.rglob("other.half-*.nbc")
    used.unlink()
    assert result_and_hits(start(tmp_path, cache)) == (3, 1)
    used.unlink()
    half.write_bytes(half.read_bytes()[:-100])
    assert result_and_hits(start(tmp_path, cache)) == (3, 0)


def test_only_the_simulator_imports_numba():
    code = (
        "import sys, mars_logic; mars_logic.load_world('crafter')\n"
        "assert 'numba' not in sys.modules\n"
        "import mars_logic.sim\n"
        "assert 'numba' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_folder_that_others_can_write_to_is_not_used(tmp_path):
    folder = tmp_path / "kernels" / "some"
    folder.mkdir(parents=True)
    cache_folders.require_home(folder)
    folder.parent.chmod(0o777)
    with pytest.raises(PermissionError, match="others can write to it"):
        cache_folders.require_home(folder)
