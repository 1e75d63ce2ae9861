"""Files are read through one door, ``mars_logic.system.files``, and readers that come through it.

What lies outside it is listed here with a reason; what is listed and no longer there fails, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("mars_logic", "agents")

ALWAYS = {
    *("open", "eval", "exec", "json.load", "json.loads", "yaml.load", "yaml.load_all"),
    *("yaml.safe_load", "yaml.safe_load_all", "yaml.full_load", "yaml.unsafe_load", "yaml.compose"),
    *("yaml.parse", "pickle.load", "pickle.loads", "pickle.Unpickler", "np.load", "numpy.load"),
    *("np.fromfile", "np.loadtxt", "np.genfromtxt", "np.memmap", "pq.read_table", "pq.ParquetFile"),
    *("pq.read_metadata", "pq.read_schema", "torch.load", "zipfile.ZipFile", "tarfile.open"),
    *("gzip.open", "io.open", "codecs.open", "os.open", "os.system", "os.popen", "marshal.loads"),
    *("shelve.open", "sqlite3.connect", "csv.reader", "tomllib.load", "tomllib.loads"),
    *("configparser.ConfigParser", "fcntl.flock", "fcntl.lockf"),
}
"""Calls by their dotted names."""
METHODS = {"read_text", "read_bytes"}
"""Methods of any object: of a path, mostly."""
OPENERS = {"Parquet", "webbrowser"}
"""What ``X.open`` is allowed of: the door's own reader, and a browser."""
MODES = set("rwaxbt+")

EXCEPTIONS: dict[str, tuple[set[str], str]] = {
    # The door itself.
    "mars_logic/system/files.py": ({".open", "os.open", "fcntl.flock", "fcntl.lockf"}, "the door"),
    "mars_logic/system/json_files.py": ({"json.loads"}, "the reader of JSON"),
    "mars_logic/system/resources.py": ({".read_text", "yaml.load"}, "the package's own files"),
    "mars_logic/world/source.py": ({"yaml.compose", "yaml.parse"}, "the reader of YAML"),
    "mars_logic/data/parquet.py": (
        {".open", "pq.read_metadata", "pq.ParquetFile"},
        "the reader of Parquet; a file's size and kind are checked first, by the door",
    ),
    "mars_logic/system/array_files.py": (
        {".open", "zipfile.ZipFile"},
        "the reader of archives; a file's size and kind are checked first, by the door",
    ),
    # Reviewed exceptions.
    "mars_logic/__main__.py": ({".open"}, "the null device, where standard input is closed"),
    "mars_logic/cli/streams.py": ({"open", "os.open"}, "standard streams and the null device"),
    "mars_logic/compiled/cache_folders.py": (
        {".read_text", ".read_bytes"},
        "the package's sources",
    ),
    "mars_logic/compiled/code_cache.py": (
        {".read_bytes", "pickle.loads"},
        "compiled code in a folder that only its owner can write to",
    ),
    "mars_logic/domains/biomes/minetest.py": (
        {".open", ".read_text", "os.open"},
        "the pipes and the log of a server, in a folder that this process makes",
    ),
    "mars_logic/experiments/measurement/machine.py": ({".read_text"}, "/proc/cpuinfo"),
    "mars_logic/experiments/record.py": ({".read_text"}, "/proc/PID/status"),
    "mars_logic/logic/sandbox.py": ({".read_text", "os.open"}, "/proc/self/statm; null device"),
    "mars_logic/system/extras.py": ({".read_text"}, "what pip tells of the installation"),
    "mars_logic/notebook.py": ({".read_bytes"}, "a film that this process has just made"),
    "mars_logic/views/film.py": ({".read_bytes"}, "a film that this process has just made"),
    "mars_logic/training/earlier_format.py": (
        {"json.loads", "pickle.loads", "torch.load", "zipfile.ZipFile"},
        "files of earlier versions, where the user trusts them (--trust)",
    ),
}


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return f"{_dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else "?"


def _is_opening(call: ast.Call, name: str) -> bool:
    """Whether ``X.open(...)`` opens a file: its argument, if any, is a mode or a keyword."""
    if name.split(".")[-2] in OPENERS:
        return False
    modes = [each.value for each in call.args if isinstance(each, ast.Constant)]
    stated = any(each.arg in ("mode", "encoding", "buffering") for each in call.keywords)
    told = any(isinstance(each, str) and each and set(each) <= MODES for each in modes)
    return stated or told or name.split(".")[0] in ("archive", "path", "file")


def _shell(call: ast.Call) -> bool:
    return any(
        each.arg == "shell" and not (isinstance(each.value, ast.Constant) and not each.value.value)
        for each in call.keywords
    )


def _imported(tree: ast.Module) -> dict[str, str]:
    """Other names of functions and modules: by the name here, the usual one."""
    usual = {"numpy": "np", "pyarrow.parquet": "pq"}
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for each in node.names:
                found[each.asname or each.name] = f"{node.module}.{each.name}"
        elif isinstance(node, ast.Import):
            for each in node.names:
                if each.asname:
                    found[each.asname] = usual.get(each.name, each.name)
    return found


def _uses(tree: ast.Module) -> Iterator[str]:
    """What a module calls, or hands on, that reads a file or text of unknown origin."""
    known = _imported(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute):
            name = _dotted(node)
            first, dot, rest = name.partition(".")
            for each in {name, known.get(first, first) + dot + rest} & ALWAYS:
                if isinstance(node.ctx, ast.Load):
                    yield each
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                yield f".{node.attr}"
        if isinstance(node, ast.Call):
            name = _dotted(node.func)
            if name.endswith(".open") and name not in ALWAYS and _is_opening(node, name):
                yield ".open"
            if _shell(node):
                yield "shell=True"


def _found() -> dict[str, set[str]]:
    files = (file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py")))
    found = {
        file.relative_to(ROOT).as_posix(): {*_uses(ast.parse(file.read_text(encoding="utf-8")))}
        for file in files
    }
    return {file: uses for file, uses in found.items() if uses}


def test_files_are_read_through_the_door_alone() -> None:
    strange = {
        file: sorted(more)
        for file, uses in _found().items()
        if (more := uses - EXCEPTIONS.get(file, (set[str](), ""))[0])
    }
    assert not strange, "read through mars_logic.system.files, or list it with a reason"


def test_every_exception_is_used_and_has_a_reason() -> None:
    found = _found()
    unused = {
        file: sorted(left)
        for file, (uses, reason) in EXCEPTIONS.items()
        if (left := uses - found.get(file, set())) or not reason
    }
    assert not unused, "these exceptions are no longer needed"


@pytest.mark.parametrize(
    "line",
    [
        "open('a')",
        "path.open('rb')",
        "Path('a').open(encoding='utf-8')",
        "Path('a').read_text()",
        "x.read_bytes()",
        "import json; json.loads(x)",
        "from json import loads; loads(x)",
        "import json as j; j.load(x)",
        "map(json.loads, x)",
        "import pickle; pickle.loads(x)",
        "import numpy; numpy.load(x)",
        "import pyarrow.parquet as parquet; parquet.read_table(x)",
        "eval(x)",
        "subprocess.run('x', shell=True)",
    ],
)
def test_the_check_sees(line: str) -> None:
    assert [*_uses(ast.parse(line))]


@pytest.mark.parametrize("line", ["posterior.open(rule)", "Parquet.open(path, allowed)", "re.open"])
def test_the_check_leaves_others(line: str) -> None:
    assert not [*_uses(ast.parse(line))]
