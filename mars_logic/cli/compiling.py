"""Tells on a terminal that kernels are being compiled, which a first run does for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mars_logic.cli.output import messages, progress_shown
from mars_logic.compilation import notify

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

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
