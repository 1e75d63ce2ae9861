"""The buttons above, and what they ask: save, save as, add a name, share, copy as a test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from nicegui import ui

from mars_logic.errors import InputError
from mars_logic.workbench.bench import Workbench
from mars_logic.workbench.edits import WHATS, with_added
from mars_logic.workbench.panels import pytest_of
from mars_logic.workbench.shared import whole_page
from mars_logic.workbench.worker import Ended
from mars_logic.world.adds import LOOKS


class Dialogs:
    """What the buttons do."""

    def __init__(
        self,
        bench: Workbench,
        replace: Callable[[str], None],
        renamed: Callable[[], None],
    ) -> None:
        """Prepare it.

        Args:
            bench: What the page works on.
            replace: Changes the text.
            renamed: Told when the text was saved.
        """
        self._bench = bench
        self._replace = replace
        self._renamed = renamed

    def buttons(self) -> None:
        """Build the buttons."""
        for label, act in (
            ("Save", self.save),
            ("Save as", self._save_as),
            ("Add", self._add),
            ("Share", self._share),
            ("Copy as test", self._copy_test),
        ):
            ui.button(label, on_click=act).props("flat dense no-caps").classes("px-2")
        self._revert = ui.button("Discard changes", on_click=self._discard)
        self._revert.props("flat dense no-caps").classes("px-2")

    async def save(self) -> None:
        """Save the text; ask first where that would lose what others wrote."""
        await self._save(self._bench.draft.path)

    async def _save(self, path: Path) -> None:
        draft = self._bench.draft
        try:
            obstacle = draft.obstacle(path)
            if obstacle and not await _confirmed(f"{obstacle} Replace it?", "Replace"):
                return
            draft.save(path)
        except InputError as error:
            ui.notify(str(error), type="negative", multi_line=True)
            return
        self._renamed()
        ui.notify(f"Saved as {draft.name}.")

    async def _save_as(self) -> None:
        name = await _asked("Save as", "Name of the file", self._bench.draft.name)
        if name is None:
            return
        try:
            path = self._bench.draft.beside(name)
        except InputError as error:
            ui.notify(str(error), type="negative")
            return
        await self._save(path)

    async def _discard(self) -> None:
        if await _confirmed("Return to what was saved last?", "Discard"):
            self._bench.draft.revert()
            self._replace(self._bench.draft.text)
            self._renamed()

    def _add(self) -> None:
        with ui.dialog() as dialog, ui.card():
            ui.label("Add a name to the game's").classes("text-lg")
            what = ui.select([*WHATS], value="material", label="What")
            name = ui.input("Name").props("autofocus")
            looks = ui.select([*LOOKS], value=LOOKS[0], label="Looks like")
            colour = ui.color_input("Colour", value="#b87333")
            for each in (what, name, looks, colour):
                each.classes("w-full")
            for each in (looks, colour):
                each.bind_visibility_from(what, "value", lambda value: value == "material")

            def add() -> None:
                text = self._bench.draft.text
                try:
                    changed = with_added(text, what.value, name.value, looks.value, colour.value)
                except InputError as error:
                    ui.notify(str(error), type="negative", multi_line=True)
                    return
                self._replace(changed)
                dialog.close()

            name.on("keydown.enter", add)
            _end(dialog, "Add", add)
        dialog.open()

    async def _share(self) -> None:
        page = await self._made("Making the page", whole_page, self._bench.seed)
        if page is not None:
            ui.download.content(page, f"{Path(self._bench.draft.name).stem}.html", "text/html")

    async def _copy_test(self) -> None:
        test = await self._made("Proving what holds", pytest_of)
        if test is None:
            return
        ui.clipboard.write(test)
        with ui.dialog() as dialog, ui.card():
            ui.label("Copied: a test for pytest, for a file beside the world's.")
            ui.code(test, language="python").classes("wb-test")
            ui.button("Close", on_click=dialog.close)
        dialog.open()

    async def _made(self, what: str, job: Callable[..., Any], *args: Any) -> Any:
        """The result of a job about the last valid text; None if there is none."""
        if not self._bench.valid:
            ui.notify("There is no valid world yet.", type="warning")
            return None
        note = ui.notification(f"{what}…", spinner=True, timeout=None)
        try:
            return await self._bench.slow(
                job,
                self._bench.valid,
                *args,
                progress=lambda told, _: setattr(note, "message", f"{told}…"),
            )
        except Ended:
            ui.notify("The text has changed meanwhile.", type="warning")
        except InputError as error:
            ui.notify(str(error), type="negative", multi_line=True)
        finally:
            note.dismiss()
        return None


async def _confirmed(question: str, yes: str) -> bool:
    with ui.dialog() as dialog, ui.card():
        ui.label(question)
        _end(dialog, yes, lambda: dialog.submit(True))
    return bool(await dialog)


async def _asked(title: str, label: str, given: str) -> str | None:
    """What a person writes; None if they go back."""
    with ui.dialog() as dialog, ui.card():
        ui.label(title).classes("text-lg")
        field = ui.input(label, value=given).props("autofocus")
        field.on("keydown.enter", lambda: dialog.submit(field.value))
        _end(dialog, "OK", lambda: dialog.submit(field.value))
    answer = await dialog
    return None if answer is None else str(answer).strip()


def _end(dialog: ui.dialog, yes: str, act: Callable[[], Any]) -> None:
    with ui.row():
        ui.button(yes, on_click=act).props("no-caps")
        ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
