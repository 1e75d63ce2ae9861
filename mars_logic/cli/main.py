"""The command ``mars-logic``.

Exit status: 0 fine; 1 the answer is no; 2 the input is wrong; 130 interrupted.
"""

from __future__ import annotations

import sys
from _thread import interrupt_main
from io import TextIOWrapper
from threading import Timer
from typing import Annotated

import typer

from mars_logic.cli import (
    ask,
    bench,
    conform,
    experiment,
    explain,
    export,
    importing,
    laws,
    learn,
    plan,
    play,
    prove,
    render,
    report,
    run,
    sample,
    summarise,
    theory,
    verify,
    worlds,
)
from mars_logic.cli.output import say, show_world_warnings_plainly
from mars_logic.errors import InputError

INTERRUPTED = 130

app = typer.Typer(
    name="mars-logic",
    help="Worlds that compile to a simulator, to proofs and to words.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for commands in (
    worlds,
    prove,
    explain,
    ask,
    sample,
    export,
    plan,
    run,
    experiment,
    summarise,
    play,
    learn,
    verify,
    render,
    report,
    theory,
    laws,
    importing,
    conform,
    bench,
):
    commands.register(app)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"mars-logic {version('mars-logic')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
) -> None:
    """Worlds that compile to a simulator, to proofs and to words."""


def main() -> None:
    """Run the command line; every error that is the input's fault is one message, status 2."""
    show_world_warnings_plainly()
    _survive_any_terminal()
    _lose_no_interruption()
    debug = "--debug" in sys.argv
    if debug:
        # Accepted in any place, since one adds it to the end of the line that failed.
        sys.argv = [word for word in sys.argv if word != "--debug"]
    try:
        app()
    except InputError as error:
        if debug:
            raise
        say(str(error))
        sys.exit(2)
    except OSError as error:
        if debug:
            raise
        say(f"{error.filename or 'output'}: {error.strerror or error}")
        sys.exit(2)
    except SystemExit as end:
        if end.code == INTERRUPTED:
            say("interrupted")
        raise


def _survive_any_terminal() -> None:
    """Print what the terminal's character set lacks as an escape, rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _lose_no_interruption() -> None:
    """Repeat an interruption that came where Python cannot raise it, as in a destructor."""
    otherwise = sys.unraisablehook

    def hook(happened: sys.UnraisableHookArgs) -> None:
        if happened.exc_type is KeyboardInterrupt:
            Timer(0.01, interrupt_main).start()
        else:
            otherwise(happened)

    sys.unraisablehook = hook
