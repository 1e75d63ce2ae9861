"""What the commands share: consoles, one JSON document, warnings, and how errors end a run."""

from __future__ import annotations

import json
import signal
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer
from rich.console import Console

from mars_logic.errors import InputError
from mars_logic.files import write_atomically
from mars_logic.world.problems import WorldWarning

if TYPE_CHECKING:
    from rich.progress import Progress

_HALF_A_MINUTE, _HOURS = 30.0, 3 * 3600.0

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document to standard output.")]
Length = Annotated[
    int | None,
    typer.Option(min=1, help="Steps after which an episode ends, if before the world's own."),
]


def console() -> Console:
    """The console for answers; wide enough not to break lines when the output is not a screen."""
    return _console(sys.stdout)


def messages() -> Console:
    """The console for everything that is no answer: progress, warnings, errors."""
    return _console(sys.stderr)


def _console(stream: TextIO) -> Console:
    width = None if stream.isatty() else 120
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)


def progress(*, steady: bool = False) -> Progress:
    """Bars for long work, on standard error; they vanish when it is done.

    Args:
        steady: Tell the time left by the speed of the last hours, for work in large pieces.
    """
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    shown = messages()
    return Progress(
        *columns,
        TimeRemainingColumn(),
        console=shown,
        transient=True,
        speed_estimate_period=_HOURS if steady else _HALF_A_MINUTE,
        disable=not shown.is_terminal,
    )


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
    """Print the one JSON document of a command."""
    print(json.dumps(document, indent=2, ensure_ascii=False))


def say(line: str) -> None:
    """Print a line as it is, to standard error."""
    print(line, file=sys.stderr)


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


def require_free(out: Path | None, force: bool) -> None:
    """Refuse to replace a file, unless asked to, or to start work whose result has no place.

    Raises:
        InputError: The file exists, it is a folder, or its folder does not exist.
    """
    if out is None:
        return
    if out.is_dir():
        raise InputError(f"{out}:1: file: this is a folder; allowed: the name of a file")
    if not out.parent.is_dir():
        raise InputError(
            f"{out}:1: file: no such folder; allowed: a file in an existing folder, "
            f"which mkdir -p '{out.parent}' makes"
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
    try:
        write_atomically(path, text)
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise InputError(f"{path}:1: file: {what}; allowed: a file that can be written") from None


def show_world_warnings_plainly() -> None:
    """Print each oddity of a world file as one line, instead of as Python prints warnings."""
    otherwise = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if issubclass(category, WorldWarning):
            say(f"warning: {message}")
        else:
            otherwise(message, category, *place, **more)

    warnings.simplefilter("always", WorldWarning)
    warnings.showwarning = show
