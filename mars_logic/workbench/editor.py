"""The editor: the text, its mistakes at their lines, and what may be written next."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from nicegui import ui
from nicegui.events import GenericEventArguments, ValueChangeEventArguments

from mars_logic.workbench.bench import Workbench
from mars_logic.workbench.completion import Offers, end_of_change, offers
from mars_logic.workbench.reading import TextMistake, TextReading

_MOST_IN_LINE: Final = 160
"""Characters of a message that stand behind its line."""
_FIRST_BASE: Final = "default"
_MOST_OFFERS: Final = 14
_MARKER: Final = "\u2060"
"""Takes the place of a word until what completes it is written; it takes no room."""
_MOVES: Final = ("up", "down", "left", "right", "home", "end", "page-up", "page-down")
"""Keys that move the cursor, by the names of event modifiers."""
_ARRIVAL: Final = 30.0
"""Seconds within which the browser has to answer."""
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
        self._bench = bench
        self._typed = typed
        self._offers = Offers(0)
        self._chosen = 0
        self._code = (
            ui.codemirror(
                bench.draft.text,
                language="YAML",
                indent="  ",
                theme="basicLight",
                line_wrapping=True,
                on_change=self._changed,
                keymap={
                    "Mod-s": lambda _: save(),
                    "Alt-ArrowDown": lambda _: self._choose(1),
                    "Alt-ArrowUp": lambda _: self._choose(-1),
                    "Alt-Enter": lambda _: self._complete(self._chosen),
                },
            )
            .classes("wb-editor")
            .props('aria-label="The world, in YAML"')
        )
        # Where the cursor is moved to is not told, so that nothing is offered there.
        self._code.on("mousedown", lambda: self._offer(Offers(0)), [])
        for key in _MOVES:
            self._code.on(f"keydown.{key}", self._moved, ["altKey"])
        self._place = 0
        self._former = bench.draft.text
        with ui.row().classes("wb-offers"):
            self._offered = ui.row().classes("wb-options")
            self._offered.props('role=listbox aria-label="What may be written here"')
            self._told = ui.label().classes("wb-hint").props("role=status")
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

    def show(self, reading: TextReading) -> None:
        """Show what the text says: its mistakes, or that it has none."""
        lines: dict[int, list[TextMistake]] = {}
        for mistake in reading.mistakes:
            lines.setdefault(mistake.line, []).append(mistake)
        # As properties of the editor they would reach the browser together with the text as it was
        # here, which would take back what is typed at this moment.
        marks = [self._mark(line, some) for line, some in lines.items()]
        self._code.run_method("setDecorations", marks)
        told = {line: "\n".join(each.told for each in some) for line, some in lines.items()}
        self._code.run_method("setLineTooltips", told)
        self._mistakes.clear()
        with self._mistakes:
            if not self.text.strip():
                self._beginning()
                return
            for mistake in reading.mistakes:
                self._button(mistake)
            for warning in reading.warnings:
                ui.label(f"warning: {warning}")
            if reading.open:
                ui.label(f"This is a theory: {len(reading.open)} fields are open.")
            elif reading.is_world:
                ui.label(f"Valid: {reading.name}, digest {reading.digest[:12]}").classes("wb-valid")
                ui.label(_HINT).classes("wb-hint")

    def _beginning(self) -> None:
        """Offer a text to begin with."""
        text = f"name: {Path(self._bench.draft.name).stem}\nbase: {_FIRST_BASE}\n"

        def begin() -> None:
            self.text = text

        ui.label("The text is empty.").classes("wb-begin")
        ui.button(f"Begin with the rules of {_FIRST_BASE}", on_click=begin).props(
            "outline dense no-caps"
        )
        ui.label(_HINT).classes("wb-hint")

    def warn(self, message: str) -> None:
        """Show a message."""
        ui.notify(message, type="warning", multi_line=True)

    def _button(self, mistake: TextMistake) -> None:
        told = f"{mistake.line}: {mistake.told}"
        button = ui.button(told, on_click=lambda: self._code.reveal_line(mistake.line))
        button.props("flat dense no-caps align=left color=negative").classes("wb-error w-full")

    def _mark(self, line: int, mistakes: list[TextMistake]) -> dict[str, Any]:
        """How a line with mistakes looks: coloured, with the first message behind it.

        The style sheet writes the message, so that it is no part of what the browser edits.
        """
        short = mistakes[0].short
        told = short if len(short) <= _MOST_IN_LINE else f"{short[:_MOST_IN_LINE]}…"
        attributes = {"data-told": told}
        return {"kind": "line", "line": line, "class": "wb-mistake", "attributes": attributes}

    def _changed(self, event: ValueChangeEventArguments[str]) -> None:
        text = event.value or ""
        if _MARKER in text:
            return
        self._place = end_of_change(self._former, text)
        self._former = text
        self._typed(text)
        self._offer(offers(text, self._place, self._bench.words))

    def _moved(self, event: GenericEventArguments) -> None:
        if not event.args["altKey"]:
            self._offer(Offers(0))

    def _offer(self, found: Offers) -> None:
        """Offer what may be written where the text was changed last."""
        if found.words or self._offers.words:
            self._offers = Offers(found.start, found.words[:_MOST_OFFERS])
            self._choose(-self._chosen)

    def _choose(self, by: int) -> None:
        """Mark another one of what is offered."""
        words = self._offers.words
        self._chosen = (self._chosen + by) % max(1, len(words))
        self._offered.clear()
        with self._offered:
            for number, word in enumerate(words):
                button = ui.button(
                    word.strip(": \n"), on_click=lambda _, n=number: self._complete(n)
                )
                button.props("outline dense no-caps size=sm tabindex=-1 role=option")
                button.props(f"aria-selected={str(number == self._chosen).lower()}")
                button.classes("wb-offer").on("mousedown.prevent", lambda: None, [])
        chosen = words[self._chosen].strip(": \n") if words else ""
        self._told.text = f"Alt-Enter writes {chosen}" if words else ""
        if len(words) > 1:
            self._told.text += ", Alt-Down and Alt-Up choose"

    async def _complete(self, number: int) -> None:
        """Write what is offered, with the cursor behind it."""
        if number >= len(self._offers.words):
            return
        word = self._offers.words[number]
        before, after = self.text[: self._offers.start], self.text[self._place :]
        # Where a text is replaced and not inserted, CodeMirror puts the cursor behind it. It gets
        # two changes if the first one has arrived before the second one is made.
        self.text = f"{before}{_MARKER}{after}"
        with contextlib.suppress(TimeoutError):  # the browser has left
            await self._code.run_method("getThemes", timeout=_ARRIVAL)
        self.text = self.text.replace(_MARKER, word, 1)
