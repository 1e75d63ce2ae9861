"""The command ``mars-logic``, also as ``python -m mars_logic``."""

import signal
import sys


def run() -> None:
    """Load and run the command line.

    Loading takes long enough to be interrupted, so that is done here; and a reader that goes away
    (``| head``) ends the process quietly, as it ends other commands.
    """
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        from mars_logic.cli.main import main

        main()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    run()
