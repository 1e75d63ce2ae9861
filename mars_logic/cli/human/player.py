"""The loop between a game and a terminal."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Final, Self, TextIO

from rich.console import Console, ConsoleDimensions, Group
from rich.control import Control

from mars_logic.cli.human.game import HumanGame
from mars_logic.cli.human.screen import ScreenStyle, draw, room

_LOOK_AGAIN: Final = 0.25
"""Seconds after which to see whether the terminal has another size."""
_SIGNALS: Final = ("SIGINT", "SIGHUP", "SIGTERM")
_MANY: Final = ("truecolor", "256")


def look_of(console: Console) -> ScreenStyle:
    """The capabilities of a console."""
    if console.color_system is None or console.no_color:
        return ScreenStyle("none", pixels=False)
    if console.color_system not in _MANY:
        return ScreenStyle("few", pixels=False)
    return ScreenStyle("many", pixels="utf" in console.encoding)


def play(game: HumanGame, console: Console, keyboard: TextIO) -> None:
    """Let a person play until they leave.

    Args:
        game: The game that is played.
        console: A terminal to draw on.
        keyboard: A terminal to read keys from.

    Raises:
        KeyboardInterrupt: By Ctrl-C, or because the terminal was closed.
    """
    look = look_of(console)
    try:
        with Keys(keyboard) as keys, console.screen(hide_cursor=True) as screen:
            while not game.over:
                console.size = size = _size(console)
                console.control(Control.home())  # else it goes on where the last one ended
                screen.update(Group(*draw(game, *size, look)))
                pressed: list[str] = []
                while not pressed and _size(console) == size:
                    pressed = keys.wait(_LOOK_AGAIN)
                for key in pressed:
                    game.press(key, room(size.height))
    except OSError:  # there is no terminal any more
        raise KeyboardInterrupt from None


def _size(console: Console) -> ConsoleDimensions:
    """As it is now, whatever the environment said at the start."""
    return ConsoleDimensions(*os.get_terminal_size(console.file.fileno()))


@contextmanager
def interrupted_once() -> Iterator[Callable[[], None]]:
    """Let one interruption through, so that what follows, saving, is not interrupted as well.

    A terminal that hangs up, and a request to end, count as interruptions.

    Yields:
        A function after which no interruption at all comes through.
    """

    def ignore() -> None:
        for number in wanted:
            signal.signal(number, signal.SIG_IGN)

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        ignore()
        raise KeyboardInterrupt

    wanted = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    before = {number: signal.signal(number, interrupt) for number in wanted}
    try:
        yield ignore
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
