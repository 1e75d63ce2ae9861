"""Shared parts of the commands: consoles, JSON output, warnings, and exit on errors."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TextIO, cast

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from mars_logic.cli.streams import Escaping
from mars_logic.errors import InputError, KernelWarning
from mars_logic.system.extras import install_hint
from mars_logic.system.files import unreplaceable, write_or_refuse
from mars_logic.system.printable import escaped, escaped_in_json, shortened
from mars_logic.world.problems import WorldWarning

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

_HALF_A_MINUTE, _HOURS = 30.0, 3 * 3600.0
_latest: deque[Progress] = deque(maxlen=1)
"""The bars that were made last."""

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document to standard output.")]
Length = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=1_000_000,
        help="End episodes after so many steps, if the world does not end them before.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
LiveOn = Annotated[
    bool,
    typer.Option(
        "--live-on", help="Play on after the last achievement, until death or the last step."
    ),
]
RecordFolder = Annotated[
    Path | None,
    typer.Option("--record", help="Keep each episode as a trajectory (Parquet) here."),
]
PublicOnly = Annotated[
    bool,
    typer.Option("--public", help="Leave out of trajectories what no player may know."),
]
Processes = Annotated[
    int, typer.Option(min=1, max=256, help="Processes; the files are the same with any number.")
]
Workers = Annotated[
    int | None,
    typer.Option(min=1, max=1024, help="Processes; as many as there are cores by default."),
]
Threads = Annotated[
    int, typer.Option(min=1, max=1024, help="Threads of PyTorch; results depend on their number.")
]
Device = Annotated[
    str, typer.Option(help="Where networks compute: cpu, cuda, or auto: a GPU if there is one.")
]
Trust = Annotated[
    bool,
    typer.Option(
        "--trust",
        help="Read models of earlier versions. They may run code: only if you trust their author.",
    ),
]


class EscapingConsole(Console):
    """A console that escapes text before styling, so that all control codes are its own.

    Args:
        file: Where to write; what is written there is not escaped again.
        width: Columns (None: as many as the terminal has).
    """

    def __init__(self, file: TextIO, width: int | None = None) -> None:
        super().__init__(file=file, width=width, highlight=False, markup=False, emoji=False)

    def render_str(self, text: str, **how: Any) -> Text:
        """Turn plain text into what is laid out."""
        return super().render_str(escaped(text), **how)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Turn anything into pieces of text of one style, and codes (``control``)."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else escaped(text), style, control)


def console() -> EscapingConsole:
    """The console for answers; wide enough not to break lines when the output is not a screen."""
    return _console(sys.stdout)


def messages() -> EscapingConsole:
    """The console for everything that is no answer: progress, warnings, errors."""
    return _console(sys.stderr)


def _console(stream: TextIO) -> EscapingConsole:
    file = cast(TextIO, stream.unescaped) if isinstance(stream, Escaping) else stream
    return EscapingConsole(file, None if stream.isatty() else 120)


def screen(stream: TextIO) -> EscapingConsole:
    """A console that fills a terminal, and that fails where the terminal is closed (OSError)."""
    return EscapingConsole(stream.stream if isinstance(stream, Escaping) else stream)


def print_table(
    heads: Iterable[str], rows: Iterable[Iterable[str]], *, pad_edge: bool = True
) -> None:
    """Print rows under their heads, without the blanks that fill the last column."""
    from rich.table import Table

    table = Table(*heads, box=None, pad_edge=pad_edge)
    for row in rows:
        table.add_row(*row)
    shown = console()
    with shown.capture() as text:
        shown.print(table)
    shown.file.write("".join(f"{line.rstrip()}\n" for line in text.get().splitlines()))


def progress(*, steady: bool = False) -> Progress:
    """Bars for long work, on standard error; they vanish when it is done.

    Args:
        steady: Tell the time left by the speed of the last hours, for work in large pieces.
    """
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    period = _HOURS if steady else _HALF_A_MINUTE
    return _shown_last(*columns, TimeRemainingColumn(), speed_estimate_period=period)


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show what is done, and for how long, where nobody knows how much is left."""
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    text = TextColumn("{task.description}", markup=False)
    with _shown_last(SpinnerColumn(), text, TimeElapsedColumn()) as shown:
        shown.add_task(what, total=None)
        yield


def _shown_last(*columns: ProgressColumn, **how: Any) -> Progress:
    """Bars on standard error, to which :func:`progress_shown` lets others be added."""
    from rich.progress import Progress

    shown = messages()
    latest = Progress(*columns, console=shown, transient=True, disable=not shown.is_terminal, **how)
    _latest.append(latest)
    return latest


def progress_shown() -> Progress | None:
    """The bars that are on the screen now, to which one can be added."""
    latest = _latest[-1] if _latest else None
    return latest if latest is not None and latest.live.is_started else None


@contextmanager
def pipes_may_break() -> Iterator[None]:
    """Let a process or a connection that goes away be an error, rather than the end of this one.

    The command line ends quietly where the reader of its output goes away; that is meant for
    output alone.
    """
    if not hasattr(signal, "SIGPIPE"):
        yield
        return
    before = signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGPIPE, before)


INTERRUPTED: Final = 130
"""Exit status of a command that was interrupted and can go on."""


def make_folder(path: Path) -> None:
    """Make a folder for results, if there is none.

    Raises:
        InputError: It cannot be made, or not be written to.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise InputError(f"{path}:1: folder: {what}; allowed: a folder to write to") from None


def print_json(document: Any) -> None:
    """Print the one JSON document of a command: valid whatever its texts and the character set."""
    any_letter = "utf" in (sys.stdout.encoding or "").lower()
    print(escaped_in_json(json.dumps(document, indent=2, ensure_ascii=not any_letter)))


def say(line: str) -> None:
    """Print a line to standard error."""
    print(line, file=sys.stderr)


def say_written(path: Path | None, what: str) -> None:
    """Tell on standard error what a file that was written holds, if one was asked for."""
    if path is not None:
        say(f"{path}: {what}")


def say_wrong(message: str) -> None:
    """Print what is wrong with the input, without repeating more of it than one can read."""
    say(shortened(message))


def require_ending(out: Path, endings: Sequence[str]) -> None:
    """Refuse a name that does not say what the file will hold.

    Raises:
        InputError: The name ends otherwise.
    """
    if out.suffix not in endings:
        raise InputError(
            f"{out}:1: file: unknown kind '{out.suffix}'; "
            f"allowed: names that end in {', '.join(endings)}"
        )


def require_matplotlib(option: str) -> None:
    """Refuse an option for pictures where they cannot be drawn.

    Raises:
        InputError: matplotlib is not installed.
    """
    if find_spec("matplotlib") is None:
        message = "the package 'matplotlib' is not installed"
        raise InputError(f"{option}: {message}; allowed: first {install_hint('bench')}")


def require_recording(public: bool, record: Path | None) -> None:
    """Refuse to leave something out of trajectories that are not kept.

    Raises:
        InputError: There is no recording.
    """
    if public and record is None:
        raise InputError("--public: there is no recording; allowed: with --record")


def require_free(out: Path | None, force: bool) -> None:
    """Refuse to replace a file, unless asked to, or to start work whose result has no place.

    Raises:
        InputError: The file exists, something else is there, or its folder does not exist or cannot
            be written to.
    """
    if out is None:
        return
    if obstacle := unreplaceable(out):
        raise InputError(f"{out}:1: file: {obstacle}; allowed: the name of a file")
    if not out.parent.is_dir():
        raise InputError(
            f"{out}:1: file: no such folder; allowed: a file in an existing folder, "
            f"which mkdir -p '{out.parent}' makes"
        )
    if not os.access(out.parent, os.W_OK):
        raise InputError(
            f"{out}:1: file: its folder cannot be written to; allowed: a file in another folder"
        )
    if out.exists() and not force:
        raise InputError(
            f"{out}:1: file: it exists already; allowed: another name, or --force to replace it"
        )


def write_answer(path: Path, text: str) -> None:
    """Write a file that the user asked for, whole or not at all.

    Raises:
        InputError: It cannot be written.
    """
    write_or_refuse(path, text)


def show_world_warnings_plainly() -> None:
    """Print each oddity of a world file or of the cache as one line, not as Python does."""
    otherwise = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if issubclass(category, WorldWarning | KernelWarning):
            say_wrong(f"warning: {message}")
        else:
            otherwise(message, category, *place, **more)

    for category in (WorldWarning, KernelWarning):
        warnings.simplefilter("always", category)
    warnings.showwarning = show


def refuse(options: Mapping[str, object], allowed: str) -> None:
    """Refuse options that do not apply.

    Args:
        options: By their names, the values; one that was not given is false, or None.
        allowed: Where they do.

    Raises:
        InputError: One was given.
    """
    for name, value in options.items():
        if value:
            raise InputError(f"--{name}: this option does not apply here; allowed: {allowed}")
