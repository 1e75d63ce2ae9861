"""The loop between a game and a terminal."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, TextIO

from rich.console import Console, ConsoleDimensions, Group
from rich.control import Control

from mars_logic.cli.human.game import HumanGame
from mars_logic.cli.human.keys import Keys
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
