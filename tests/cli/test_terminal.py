"""What reaches the terminal: text of others escaped, our own styles as they are."""

from __future__ import annotations

import ast
import io
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.table import Table
from rich.text import Text

from mars_logic.cli.main import show_compiling
from mars_logic.cli.output import EscapingConsole, messages, working
from mars_logic.cli.streams import Escaping
from mars_logic.compiled.compilation import compiling, notify
from mars_logic.data import load, save
from mars_logic.errors import InputError
from mars_logic.system.printable import in_one_line
from tests.cli.conftest import Outcome, Run
from tests.paths import REPOSITORY

RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
RED = "\x1b[31m\x9b2J\u202e\x07evil\r"
COMMAND = [sys.executable, "-m", "mars_logic"]
PRINTING = ("output.py", "streams.py")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    for name in ("NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    return Terminal()


def clean(found: Outcome) -> bool:
    return not RAW.search(found.out + found.err) and "Traceback" not in found.err


# --- Nothing prints otherwise ---------------------------------------------------------------------


def goes_past(code: str) -> Iterator[int]:
    """The lines that print past the streams that escape: by another console or a descriptor."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Attribute(attr="__stdout__" | "__stderr__" | "unescaped"):
                yield node.lineno
            case ast.Attribute(value=ast.Attribute(attr="stdout" | "stderr"), attr="buffer"):
                yield node.lineno
            case ast.Call(func=ast.Attribute(value=ast.Name(id="os"), attr="write")):
                yield node.lineno
            case ast.Call(func=ast.Name(id="Console") | ast.Attribute(attr="Console")):
                yield node.lineno
            case ast.Call(func=ast.Name(id="Progress" | "Live"), keywords=given):
                if "console" not in {each.arg for each in given}:
                    yield node.lineno
            case ast.ImportFrom(module="rich", names=names):
                if "print" in {each.name for each in names}:
                    yield node.lineno


@pytest.mark.parametrize(
    "code",
    [
        "sys.__stdout__.write(text)",
        "sys.stdout.buffer.write(text)",
        "os.write(1, text)",
        "rich.console.Console().print(text)",
        "Console(file=sys.stderr)",
        "Progress(transient=True)",
        "from rich import print",
    ],
)
def test_printing_past_the_streams_is_found(code: str) -> None:
    assert [*goes_past(code)] == [1]


@pytest.mark.slow
def test_nothing_prints_past_the_streams() -> None:
    files = [*(REPOSITORY / "mars_logic").rglob("*.py"), *(REPOSITORY / "agents").glob("*.py")]
    found = [
        f"{file.name}:{line}"
        for file in files
        if not (file.parent.name == "cli" and file.name in PRINTING)
        if file.parts[-2:] != ("biomes", "minetest.py")  # it writes to a pipe of its own
        for line in goes_past(file.read_text(encoding="utf-8"))
    ]
    assert len(files) > 100 and not found


# --- Streams and consoles -------------------------------------------------------------------------


def test_whatever_prints_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", Escaping(stream, fails=True))
    print("a\x1b[31m", "b\nc\td")
    sys.stdout.write("\x9b")
    assert stream.getvalue() == "a\\x1b[31m b\nc\td\n\\x9b"
    assert not hasattr(sys.stdout, "buffer")


def test_a_table_is_styled_and_its_text_escaped(terminal: Terminal) -> None:
    table = Table("head", title=RED)
    table.add_column(Text(RED, style="green"))
    table.add_row(RED, Text(RED))
    EscapingConsole(terminal).print(table, RED)
    codes = re.findall("\x1b\\[[0-9;]*[A-Za-z]", terminal.getvalue())
    plain = re.sub("\x1b\\[[0-9;]*m", "", terminal.getvalue())
    assert "\x1b[1m" in codes, "the heading is bold"
    assert "\x1b[31m" not in codes and not RAW.search(plain)
    assert plain.count("\\x1b[31m\\x9b2J\\u202e\\x07evil") == 3


def test_progress_draws_on_a_terminal(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    from mars_logic.cli.output import progress

    monkeypatch.setattr(sys, "stderr", Escaping(terminal, fails=False))
    with progress() as bars:
        bars.advance(bars.add_task(RED, total=2))
    drawn = terminal.getvalue()
    assert "\x1b[?25l" in drawn, "the cursor is hidden meanwhile"
    assert "\x1b[31m" not in drawn and "\\x1b[31m" in drawn


def test_a_bar_that_joins_another_draws_on_a_terminal(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compilation begins in the middle of other work, whose bar is shown already."""
    monkeypatch.setattr(sys, "stderr", Escaping(terminal, fails=False))
    show_compiling()
    try:
        with working("planning and playing"), compiling():
            time.sleep(0.2)
    finally:
        notify(None, None)
    assert {"planning and playing", "compiling (once)…"} <= set(
        re.findall(r"planning and playing|compiling \(once\)…", terminal.getvalue())
    )
    assert "\\x1b" not in terminal.getvalue()


def test_a_stream_that_fails() -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:  # noqa: ARG002
            raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match="standard output: no space left on device; allowed: "):
        Escaping(Full(), fails=True).write("answer")
    assert Escaping(Full(), fails=False).write("message") == len("message")


# --- Commands -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of all kinds that hold text which steers a terminal."""
    from mars_logic import load_world
    from mars_logic.agents.random import RandomAgent
    from mars_logic.experiments.runs import Run as Play

    folder = tmp_path_factory.mktemp("hostile")
    world = load_world("default")
    Play("random", RandomAgent, world, "default", folder, folder, False, limit=20).add(0)
    (kept,), (recorded,) = folder.glob("*.json"), folder.glob("*.parquet")
    document = json.loads(kept.read_text(encoding="utf-8"))
    (folder / "agent.json").write_text(json.dumps(document | {"agent": RED}), encoding="utf-8")
    document["world"]["name"] = RED
    (folder / "world.json").write_text(json.dumps(document), encoding="utf-8")
    from dataclasses import replace

    played = load(recorded)
    named = replace(played, about=replace(played.about, agent=RED, world=f"{RED}.yaml"))
    save(named, folder / "named.parquet")
    texts = {
        "sentences.txt": f"Collecting from iron needs {RED}.\nNight {RED} falls.\n",
        "shown.lp": f'lucky("{RED}").\n',
        "field.yaml": f'base: default\ncollect: {{"a{RED}b": 1}}\n'.replace("\r", ""),
        "title.yaml": 'base: default\ntitle: "\\e[31m\\u202e"\n',
        "name.yaml": 'base: default\nname: "\\e]0;title\\a"\n',
        "spec.yaml": 'agents: ["\\e[31m"]\nworlds: ["\\x9b2J"]\nseeds: [0]\n',
        f"f{RED}.yaml": "base: default\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


CASES = [
    ["verify", "agent.json"],
    ["verify", "world.json"],
    ["verify", "agent.json", "--json"],
    ["render", "world.json", "-o", "no.gif"],
    ["summarise", "agent.json"],
    ["summarise", "agent.json", "--json"],
    ["summarise", "named.parquet"],
    ["check", "default", "named.parquet"],
    ["check", "default", "named.parquet", "--json"],
    ["check", "sentences.txt", "named.parquet"],
    ["check", "sentences.txt", "named.parquet", "--json"],
    ["revise", "default", "named.parquet", "--json"],
    ["ask", "default", "shown.lp"],
    ["ask", "default", "shown.lp", "--json"],
    ["validate", "field.yaml", "title.yaml", "name.yaml", "--json"],
    ["show", f"f{RED}.yaml", "--as", "yaml"],
    ["prove", f"f{RED}.yaml", "default"],
    ["prove", f"f{RED}.yaml", "--json"],
    ["diff", f"f{RED}.yaml", "crafter"],
    ["experiment", "spec.yaml", "-o", "x"],
    ["report", RED, "-o", f"{RED}.html"],
    ["run", RED, RED],
    ["explain", "default", RED],
    ["explain", RED, "collect_wood"],
    ["sample", "-o", "x", "--must", RED],
    ["sample", "-o", "x", "--difficulty", RED],
    ["plan", RED, f"--{RED}"],
    [RED],
]


@pytest.mark.parametrize("arguments", CASES, ids=lambda each: in_one_line(" ".join(each)))
def test_no_command_prints_what_steers_a_terminal(
    arguments: list[str], hostile: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(hostile)
    found = run(*arguments)
    assert clean(found), repr(found)
    assert found.status in (0, 1, 2)
    if "--json" in arguments and found.status < 2:
        assert found.json


# --- The streams of a process ---------------------------------------------------------------------


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = line.replace("mars-logic", f"{sys.executable} -m mars_logic")
    return subprocess.run(
        ["sh", "-c", command], cwd=folder, capture_output=True, encoding="utf-8", timeout=120
    )


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="a POSIX shell closes streams")
@pytest.mark.parametrize(
    ("line", "status", "told"),
    [
        ("mars-logic worlds >&-", 2, "standard output: bad file descriptor; allowed: "),
        ("mars-logic show default --json >&-", 2, "standard output: bad file descriptor; "),
        ("mars-logic show default >/dev/full", 2, "standard output: no space left on device; "),
        ("mars-logic worlds --json >/dev/full", 2, "standard output: no space left on device; "),
        ("mars-logic show nothing 2>&-", 2, ""),
        ("mars-logic show nothing 2>/dev/full", 2, ""),
        ("mars-logic show default -o file.yaml >&- 2>&-", 0, ""),
        ("mars-logic validate file.yaml 2>/dev/full", 0, ""),
        ("mars-logic worlds >&- 2>&-", 2, ""),
        ("mars-logic play default <&- >&-", 2, "play: standard input is no terminal"),
    ],
)
def test_closed_and_full_streams(line: str, status: int, told: str, tmp_path: Path) -> None:
    if "/dev/full" in line and not Path("/dev/full").exists():
        pytest.skip("there is no disk that is always full")
    (tmp_path / "file.yaml").write_text("base: default\n", encoding="utf-8")
    found = shell(line.replace("-o file.yaml", "-o new.yaml"), tmp_path)
    assert found.returncode == status, found.stderr
    assert told in found.stderr and "Traceback" not in found.stderr
    assert "Exception ignored" not in found.stderr
    assert (tmp_path / "new.yaml").exists() == ("-o" in line)


@pytest.mark.slow
def test_what_is_written_does_not_end_up_where_standard_output_was(tmp_path: Path) -> None:
    """A file that is opened while descriptor 1 is closed would get that number."""
    found = shell("mars-logic run random default --episodes 1 --length 9 --out kept >&-", tmp_path)
    assert found.returncode == 2
    (kept,) = (tmp_path / "kept").iterdir()
    assert json.loads(kept.read_text(encoding="utf-8"))["steps"] == 9


def test_messages_need_no_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    stream: Any = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    messages().print("told", RED)
    assert "told" in stream.getvalue() and not RAW.search(stream.getvalue())
