"""The command ``mars-logic``, also as ``python -m mars_logic``."""

import atexit
import contextlib
import os
import signal
import sys
from pathlib import Path

_INTERRUPTED = 130


def run() -> None:
    """Load and run the command line.

    Loading takes long enough to be interrupted, so that is done here; and a reader that goes away
    (``| head``) ends the process quietly, as it ends other commands.
    """
    ends: list[int] = []
    atexit.register(_end_with, ends)  # registered first, so that it is the last to be called
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if sys.stdin is None:  # it was closed; a file that is opened would take its place
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    try:
        from mars_logic.system.interruptions import (
            as_interruption,
            end_as_interrupted,
            interrupt_again,
        )

        interrupt_again()
        end_as_interrupted()
        with as_interruption():
            from mars_logic.cli.main import main

            main()
    except KeyboardInterrupt:
        ends.append(_INTERRUPTED)
        sys.exit(_INTERRUPTED)
    except SystemExit as end:
        if end.code == _INTERRUPTED:
            ends.append(_INTERRUPTED)
        raise


def _end_with(ends: list[int]) -> None:
    """End an interrupted process with its status.

    Python would end it by the signal instead, if the interruption had passed through an ``exec`` of
    text, as data classes need when they are made, although it was answered since.
    """
    if ends:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(ends[0])


if __name__ == "__main__":
    run()
