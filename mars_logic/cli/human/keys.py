"""Keys from a terminal: bytes to names, and a reader for terminals of Unix and of Windows."""

from __future__ import annotations

import os
import re
import sys
import time
from types import TracebackType
from typing import Final, Self, TextIO

_NAMED: Final = {
    **dict.fromkeys(("\x1b[A", "\x1bOA"), "up"),
    **dict.fromkeys(("\x1b[B", "\x1bOB"), "down"),
    **dict.fromkeys(("\x1b[C", "\x1bOC"), "right"),
    **dict.fromkeys(("\x1b[D", "\x1bOD"), "left"),
    **dict.fromkeys(("\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"), "home"),
    **dict.fromkeys(("\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"), "end"),
    "\x1b[5~": "page up",
    "\x1b[6~": "page down",
    "\x1b": "escape",
    "\t": "tab",
    "\r": "enter",
    "\n": "enter",
    " ": "space",
}
"""Control sequences (ECMA-48 and xterm) of the named keys."""
_KEY: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1bO[@-~]|.", re.DOTALL)
_SCAN_CODES: Final = {
    "H": "up",
    "P": "down",
    "K": "left",
    "M": "right",
    "G": "home",
    "O": "end",
    "I": "page up",
    "Q": "page down",
}
"""The second character of such keys in Windows' console."""
_POLL: Final = 0.02


def decode(text: str) -> list[str]:
    r"""The keys behind what a terminal sent; sequences that have no name here are left out.

    Example:
        >>> decode("w\x1b[A ")
        ['w', 'up', 'space']
    """
    found = []
    for sequence in _KEY.findall(text):
        if sequence in _NAMED:
            found.append(_NAMED[sequence])
        elif sequence.isprintable():
            found.append(sequence)
    return found


if sys.platform == "win32":
    import msvcrt

    class Keys:
        """The keys of the console, without echo."""

        def __init__(self, stream: TextIO) -> None:
            self._stream = stream

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def wait(self, seconds: float) -> list[str]:
            """The keys that are pressed until then, or as soon as there are any."""
            end = time.monotonic() + seconds
            while not msvcrt.kbhit() and time.monotonic() < end:
                time.sleep(_POLL)
            found = []
            while msvcrt.kbhit():
                character = msvcrt.getwch()
                if character == "\x03":
                    raise KeyboardInterrupt
                if character in "\x00\xe0":
                    found += [_SCAN_CODES.get(msvcrt.getwch(), "")]
                else:
                    found += decode(character)
            return [key for key in found if key]

else:
    import select
    import termios
    import tty

    class Keys:
        """The keys of a terminal, without echo and line by line editing, until it is left."""

        def __init__(self, stream: TextIO) -> None:
            self._terminal = stream.fileno()

        def __enter__(self) -> Self:
            self._before = termios.tcgetattr(self._terminal)
            tty.setcbreak(self._terminal)
            settings = termios.tcgetattr(self._terminal)
            # A shell that is returned to by Ctrl-Z would have neither its screen nor its settings.
            never = os.fpathconf(self._terminal, "PC_VDISABLE")
            settings[6][termios.VSUSP] = bytes([never])
            termios.tcsetattr(self._terminal, termios.TCSADRAIN, settings)
            return self

        def __exit__(
            self,
            kind: type[BaseException] | None,
            error: BaseException | None,
            where: TracebackType | None,
        ) -> None:
            try:
                termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)
            except termios.error:
                return  # the terminal is gone

        def wait(self, seconds: float) -> list[str]:
            """The keys that are pressed until then, or as soon as there are any.

            Raises:
                KeyboardInterrupt: The terminal was closed.
            """
            if not self._ready(seconds):
                return []
            sent = self._read()
            while re.search(r"\x1b(\[[0-9;?]*|O)?$", sent) and self._ready(_POLL):
                sent += self._read()  # the rest of a sequence
            return decode(sent)

        def _ready(self, seconds: float) -> bool:
            return bool(select.select([self._terminal], [], [], seconds)[0])

        def _read(self) -> str:
            try:
                sent = os.read(self._terminal, 1024)
            except OSError:
                sent = b""
            if not sent:
                raise KeyboardInterrupt
            return sent.decode(errors="replace")
