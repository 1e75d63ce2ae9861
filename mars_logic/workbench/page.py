"""The page: the editor on the left, what follows on the right, and buttons above."""

from __future__ import annotations

import asyncio
from typing import Final

from nicegui import background_tasks, ui

from mars_logic.errors import InputError
from mars_logic.system.resources import text_at
from mars_logic.workbench.bench import Workbench
from mars_logic.workbench.dialogs import Dialogs
from mars_logic.workbench.editor import Editor
from mars_logic.workbench.shared import TEMPLATES
from mars_logic.workbench.side import Side

_PAUSE: Final = 0.15
"""Seconds without a keystroke after which the text is read."""


def build(bench: Workbench) -> None:
    """Build the page for a browser that opens it."""
    Page(bench).start()


class Page:
    """The page in one browser."""

    def __init__(self, bench: Workbench) -> None:
        """Build it.

        Args:
            bench: What it works on.
        """
        self._bench = bench
        self._client = ui.context.client
        self._changed = asyncio.Event()
        self._is_open = True
        ui.add_css(text_at(TEMPLATES / "workbench.css"))
        dialogs = Dialogs(bench, self.replace, self._renamed)
        with ui.row().classes("wb-bar"):
            self._name = ui.label().classes("wb-name")
            self._state = ui.label().classes("wb-hint").props("role=status")
            ui.space()
            dialogs.buttons()
        with ui.element("main").classes("wb-main"):
            with ui.column().classes("wb-left"):
                self._editor = Editor(bench, self._typed, dialogs.save)
            with ui.column().classes("wb-right"):
                self._side = Side(bench, self.replace)
        self._renamed()

    def start(self) -> None:
        """Read the text, now and after each change."""
        self._bench.start()
        self._client.on_delete(self._closed)
        if self._bench.draft.restored:
            ui.notify("The text that was not saved the last time is here again.", timeout=8000)
        self._changed.set()
        background_tasks.create(self._follow(), name="read the text")
        self._side.start()

    def replace(self, text: str) -> None:
        """Change the text, as by a keystroke: the editor can undo it."""
        self._editor.text = text

    def _typed(self, text: str) -> None:
        self._bench.typed(text)
        self._changed.set()

    def _renamed(self) -> None:
        draft = self._bench.draft
        self._name.text = draft.name
        self._state.text = "saved" if draft.is_saved else "not saved"

    def _closed(self) -> None:
        self._is_open = False
        self._changed.set()
        self._side.close()

    async def _follow(self) -> None:
        """Read the text whenever it has changed and no key was pressed for a moment."""
        while self._is_open:
            await self._changed.wait()
            self._changed.clear()
            await asyncio.sleep(_PAUSE)
            if self._changed.is_set() or not self._is_open:
                continue
            with self._client:
                self._keep()
            if await self._bench.read() and self._is_open:
                self._editor.show(self._bench.reading)
                self._side.want()

    def _keep(self) -> None:
        try:
            self._bench.draft.keep()
        except InputError as error:
            self._editor.warn(f"The text is not saved yet: {error}")
        self._renamed()
