"""The editor: the text, its mistakes at their lines, and what may be written next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from mars_logic.workbench.bench import Workbench
from mars_logic.workbench.reading import Mistake, Reading

_MOST_IN_LINE: Final = 160
"""Characters of a message that stand behind its line."""
_HINT: Final = "Ctrl-S saves, Ctrl-Z undoes; Escape, then Tab, leaves the editor."


class Editor:
    """The left side."""

    def __init__(
        self,
        bench: Workbench,
        typed: Callable[[str], None],
        save: Callable[[], Any],
    ) -> None:
        """Build it.

        Args:
            bench: What the page works on.
            typed: Told the text whenever it changes.
            save: Saves it.
        """
        self._typed = typed
        self._code = (
            ui.codemirror(
                bench.draft.text,
                language="YAML",
                indent="  ",
                theme="basicLight",
                line_wrapping=True,
                on_change=self._changed,
                keymap={"Mod-s": lambda _: save()},
            )
            .classes("wb-editor")
            .props('aria-label="The world, in YAML"')
        )
        self._mistakes = ui.column().classes("wb-mistakes").props("role=log aria-label=Mistakes")
        with self._mistakes:
            ui.label(_HINT).classes("wb-hint")

    @property
    def text(self) -> str:
        """The text."""
        return self._code.value or ""

    @text.setter
    def text(self, text: str) -> None:
        self._code.value = text

    def show(self, reading: Reading) -> None:
        """Show what the text says: its mistakes, or that it has none."""
        lines: dict[int, list[Mistake]] = {}
        for mistake in reading.mistakes:
            lines.setdefault(mistake.line, []).append(mistake)
        self._code.decorations[:] = [
            spec for line, some in lines.items() for spec in self._marks(line, some)
        ]
        self._code.line_tooltips = {
            line: "\n".join(each.told for each in some) for line, some in lines.items()
        }
        self._mistakes.clear()
        with self._mistakes:
            for mistake in reading.mistakes:
                self._button(mistake)
            for told in reading.warnings:
                ui.label(f"warning: {told}")
            if reading.open:
                ui.label(f"This is a theory: {len(reading.open)} fields are open.")
            elif reading.is_world:
                ui.label(f"Valid: {reading.name}, digest {reading.digest[:12]}").classes("wb-valid")
                ui.label(_HINT).classes("wb-hint")

    def warn(self, message: str) -> None:
        """Show a message."""
        ui.notify(message, type="warning", multi_line=True)

    def _button(self, mistake: Mistake) -> None:
        told = f"{mistake.line}: {mistake.told}"
        button = ui.button(told, on_click=lambda: self._code.reveal_line(mistake.line))
        button.props("flat dense no-caps align=left color=negative").classes("wb-error w-full")

    def _marks(self, line: int, mistakes: list[Mistake]) -> list[dict[str, Any]]:
        """How a line with mistakes looks: coloured, with the first message behind it."""
        rows = self.text.split("\n")
        end = sum(len(row) + 1 for row in rows[:line]) - 1
        short = mistakes[0].short
        told = short if len(short) <= _MOST_IN_LINE else f"{short[:_MOST_IN_LINE]}…"
        return [
            {"kind": "line", "line": line, "class": "wb-mistake"},
            {"kind": "widget", "position": end, "text": told, "class": "wb-told", "side": 1},
        ]

    def _changed(self, event: ValueChangeEventArguments[str]) -> None:
        self._typed(event.value or "")
