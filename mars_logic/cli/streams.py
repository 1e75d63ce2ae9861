"""Standard output and error as all commands write to them, whichever way they print.

Commands print text of others as well as ours: names, sentences, messages about files. So the
streams themselves escape what would steer a terminal (``mars_logic.system.printable``), and nothing
that prints can forget to. Only what `rich` draws, whose consoles escape the text before they style
it (``mars_logic.cli.output``), goes past that.
"""

from __future__ import annotations

import contextlib
import os
import sys
from io import TextIOWrapper
from typing import Any, Final, TextIO

from mars_logic.errors import InputError
from mars_logic.system.printable import escaped

_STANDARD: Final = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))
"""The standard streams, in the order of their descriptors, and how they are opened."""
_NO_BYTES: Final = ("buffer", "detach")


class Unescaped:
    """A stream of text that is written as it is, and that may fail.

    Where standard output fails (a full disk, a descriptor that is closed), the answer is lost, and
    that is an error of the input. Where standard error fails, there is no place left to say so.

    Args:
        stream: The stream that takes the text.
        fails: Whether a failure is an error, rather than passed over.
    """

    def __init__(self, stream: TextIO, fails: bool) -> None:
        self.stream: Final = stream
        self._fails = fails

    def __getattr__(self, name: str) -> Any:
        if name in _NO_BYTES:  # else what writes bytes would not be escaped
            raise AttributeError(name)
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write some text.

        Raises:
            InputError: It cannot be written.
        """
        try:
            self.stream.write(text)
        except OSError as error:
            self._lose(error)
        return len(text)

    def flush(self) -> None:
        """Write what is held back.

        Raises:
            InputError: It cannot be written.
        """
        try:
            self.stream.flush()
        except OSError as error:
            self._lose(error)

    def _lose(self, error: OSError) -> None:
        if not self._fails:
            return
        with contextlib.suppress(OSError):  # what is still held back is written nowhere at the end
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.stream.fileno())
            os.close(nowhere)
        what = (error.strerror or str(error)).lower()
        raise InputError(
            f"standard output: {what}; allowed: a file, pipe or terminal that can be written to"
        ) from None


class Escaping(Unescaped):
    """A text stream that escapes the control characters of terminals."""

    def __init__(self, stream: TextIO, fails: bool) -> None:
        super().__init__(stream, fails)
        self.unescaped: Final = Unescaped(stream, fails)
        """The same stream for what has been escaped before it was styled."""

    def write(self, text: str) -> int:
        """Write some text, escaped.

        Raises:
            InputError: It cannot be written.
        """
        super().write(escaped(text))
        return len(text)


def open_closed() -> None:
    """Give the standard streams that are closed their descriptors back, to be read or written not.

    Else the next file that is opened, perhaps one of results, would get the number of standard
    output, and what a library writes there.
    """
    for number, (name, mode) in enumerate(_STANDARD):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)  # gets the lowest number: this one
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def escape() -> None:
    """Make standard output and error escape what is printed, from now on.

    What the terminal's character set lacks is printed as an escape, too.
    """
    open_closed()
    for name, fails in (("stdout", True), ("stderr", False)):
        stream = getattr(sys, name)
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
        if not isinstance(stream, Escaping):
            setattr(sys, name, Escaping(stream, fails))
