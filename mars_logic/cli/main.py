"""The command ``mars-logic``.

Exit status: 0 fine; 1 the answer is no; 2 the input is wrong; 130 interrupted.
"""

from __future__ import annotations

import sys
from _thread import interrupt_main
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Annotated, Final

import typer
from typer.main import get_command

from mars_logic.cli import streams, usage
from mars_logic.cli.output import (
    messages,
    progress_shown,
    say,
    say_wrong,
    show_world_warnings_plainly,
)
from mars_logic.cli.sections import Sections, functions
from mars_logic.compiled.compilation import notify
from mars_logic.errors import InputError, unsupported
from mars_logic.system.printable import in_one_line
from mars_logic.world.problems import NotAWorldError

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


INTERRUPTED = 130


def application(command: str | None = None) -> typer.Typer:
    """The command line.

    Args:
        command: The command that will be run; the modules of others are then not imported, which
            takes longer than most commands run. By default all are.
    """
    app = typer.Typer(
        name="mars-logic",
        cls=Sections,
        help="Worlds that compile to a simulator, to proofs and to words.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    for name, made in functions(command):
        if isinstance(made, typer.Typer):
            app.add_typer(made, name=name)
        else:
            app.command(name)(made)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"mars-logic {version('mars-logic')}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Log progress to standard error.")
    ] = False,
) -> None:
    """Worlds that compile to a simulator, to proofs and to words."""


def main() -> None:
    """Run the command line; every error that is the input's fault is one message, status 2."""
    streams.escape()
    show_world_warnings_plainly()
    show_compiling()
    _lose_no_interruption()
    # Accepted in any place, since one adds them to the end of the line that failed.
    debug = _taken("--debug")
    if _taken("--verbose", "-v"):
        _log()
    app = application(next(iter(sys.argv[1:]), None))
    try:
        _run(app)
    except (InputError, OSError, usage.UsageError) as error:
        if debug:
            raise
        say_wrong(_with_words_in_one_line(_told(error, app)))
        sys.exit(2)
    except SystemExit as end:
        if end.code == INTERRUPTED:
            say("interrupted")
        raise


def _taken(*names: str) -> bool:
    """Whether an option is among the words of the command line, from which it is taken away."""
    found = any(word in names for word in sys.argv[1:])
    sys.argv = [word for word in sys.argv if word not in names]
    return found


def _log() -> None:
    """Write the log of this package, and of no other, to standard error."""
    import logging

    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s", "%H:%M:%S"))
    logger = logging.getLogger("mars_logic")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)


def _current_folder_is_gone() -> bool:
    """Whether paths have no beginning any more."""
    try:
        Path.cwd()
    except OSError:
        return True
    return False


def _run(app: typer.Typer) -> None:
    """Run a command, and write all that it printed, so that a failure to is not passed over."""
    try:
        sys.exit(app(prog_name=usage.COMMAND, standalone_mode=False))
    finally:
        sys.stdout.flush()


def _told(error: Exception, app: typer.Typer) -> str:
    if isinstance(error, usage.UsageError):
        return usage.told(error, sys.argv[1:], get_command(app))
    if isinstance(error, OSError) and _current_folder_is_gone():
        return ".:1: folder: the current folder was removed; allowed: a folder that exists"
    if isinstance(error, OSError):
        what = (error.strerror or str(error)).lower()
        return f"{error.filename or 'output'}:1: file: {what}; allowed: another file or folder"
    if isinstance(error, NotAWorldError) and (kind := _game_instead(error)):
        problem = error.problem
        command = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
        place = f"{problem.file}:{problem.line}: {problem.field}"
        return str(unsupported(place, f"`{command}`", ["worlds"], kind))
    return str(error)


def _game_instead(error: NotAWorldError) -> str | None:
    """The domain of what was named in a world's place; None if that is no game."""
    from mars_logic.domains import domain_names, games_of, load_rules_theory
    from mars_logic.domains.library import names_a_game

    if error.domain is not None:
        return error.domain if error.domain in domain_names() else None
    try:
        name = error.problem.file
        found = load_rules_theory(games_of(name)[0]) if names_a_game(name) else None
    except InputError:
        return None
    return getattr(found, "domain", None)


def _with_words_in_one_line(message: str) -> str:
    """A message in which no word of the command line has line ends, which would split it."""
    for word in (each for each in sys.argv[1:] if not each.isprintable()):
        message = message.replace(word, in_one_line(word))
    return message


def _lose_no_interruption() -> None:
    """Repeat an interruption that came where Python cannot raise it, as in a destructor."""
    otherwise = sys.unraisablehook

    def hook(happened: sys.UnraisableHookArgs) -> None:
        if happened.exc_type is KeyboardInterrupt:
            Timer(0.01, interrupt_main).start()
        else:
            otherwise(happened)

    sys.unraisablehook = hook


_TEXT: Final = "compiling (once)…"


class _Bar:
    """A bar that moves while something is compiled, below the bars that are shown already."""

    def __init__(self) -> None:
        self._ours: Progress | None = None
        self._added: tuple[Progress, TaskID] | None = None

    def begin(self) -> None:
        shown = progress_shown() or self._start()
        self._added = shown, shown.add_task(_TEXT, total=None)

    def end(self) -> None:
        if self._added is not None:
            shown, task = self._added
            shown.remove_task(task)
            self._added = None
        if self._ours is not None:
            self._ours.stop()
            self._ours = None

    def _start(self) -> Progress:
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}", markup=False), BarColumn())
        console = messages()
        self._ours = Progress(*columns, TimeElapsedColumn(), console=console, transient=True)
        self._ours.start()
        return self._ours


def show_compiling() -> None:
    """Show a bar on standard error while kernels are compiled, if that is a terminal."""
    if messages().is_terminal:
        bar = _Bar()
        notify(bar.begin, bar.end)
