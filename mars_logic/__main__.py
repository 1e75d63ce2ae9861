"""The command ``mars-logic``, also as ``python -m mars_logic``."""

import os
import signal
import sys
from pathlib import Path


def run() -> None:
    """Load and run the command line.

    Loading takes long enough to be interrupted, so that is done here; and a reader that goes away
    (``| head``) ends the process quietly, as it ends other commands.
    """
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if sys.stdin is None:  # it was closed; a file that is opened would take its place
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    try:
        from mars_logic.interruptions import as_interruption, end_as_interrupted

        end_as_interrupted()
        with as_interruption():
            from mars_logic.cli.main import main

            main()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    run()
