"""The panel of an agent's rules: sentences or a file, with verdicts against play."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final

from nicegui import ui
from nicegui.events import UploadEventArguments

from mars_logic.theory.rulesets.documents import MAX_BYTES
from mars_logic.workbench.bench import Workbench
from mars_logic.workbench.rule_tests import UnreadLine, tested
from mars_logic.workbench.view_panels import Panel
from mars_logic.workbench.worker import Progress

_SENTENCES: Final = "sentences.txt"
_ENDINGS: Final = (".txt", ".md", ".yaml", ".yml", ".lp", ".json")
_REJECTED: Final = f"Allowed: one file of at most {MAX_BYTES:,} bytes: {', '.join(_ENDINGS)}."
_EXAMPLE: Final = "Collecting from a tree needs nothing.\nCows can be eaten."


class RulesPanel(Panel):
    """Rules that anyone states of this world, tested."""

    name = "Rules of an agent"

    def __init__(self, bench: Workbench, want: Callable[[], None]) -> None:
        """Prepare it.

        Args:
            bench: As for all panels.
            want: Likewise.
        """
        super().__init__(bench, want)
        self._file = _SENTENCES
        self._confirmed: dict[str, str] = {}

    @property
    def key(self) -> Hashable:
        """The world, the rules, what unread lines mean, and the page's episodes."""
        confirmed = tuple(sorted(self._confirmed.items()))
        return super().key, self._rules.value, self._file, confirmed, self.bench.plays_now

    def build(self) -> None:
        """Build the field for sentences, the choice of a file, and the results empty."""
        self._rules = ui.textarea(
            "Rules, one sentence a line", value=_EXAMPLE, on_change=self._typed
        ).props("outlined autogrow debounce=400")
        self._rules.classes("w-full wb-rules")
        with ui.row(align_items="center").classes("w-full"):
            self._upload = ui.upload(
                label=f"or a file: {', '.join(_ENDINGS)}",
                on_upload=self._uploaded,
                on_rejected=lambda: ui.notify(_REJECTED, type="negative"),
                max_file_size=MAX_BYTES,
                max_files=1,
                auto_upload=True,
            ).classes("w-72 wb-upload")
            self._upload.props("flat bordered")
            self._upload.props["accept"] = ",".join(_ENDINGS)
            ui.button("Write sentences", on_click=self._anew).props("flat dense no-caps")
            self._about = ui.label().classes("wb-about font-medium")
        self._unread = ui.column().classes("w-full gap-1 wb-unread")
        self._frame = ui.element("iframe").classes("wb-frame")
        self._frame.props('title="Rules with verdicts" sandbox="allow-scripts"')
        self._frame.visible = False

    def _typed(self) -> None:
        self.bench.stop()
        self.want()

    async def _uploaded(self, event: UploadEventArguments) -> None:
        content = await event.file.read()
        self._state(event.file.name, content.decode("utf-8", "replace"))
        self._upload.reset()

    def _anew(self) -> None:
        self._state(_SENTENCES, _EXAMPLE)

    def _state(self, file: str, text: str) -> None:
        """Take the text of a file for the rules."""
        self._file, self._confirmed = file, {}
        self._rules.value = text
        self.want()

    async def refresh(self, progress: Progress) -> None:
        """Test the rules."""
        key = self.key
        found = await self.bench.slow(
            tested,
            self.bench.valid,
            self.bench.seed,
            self._rules.value or "",
            self._file,
            self.bench.plays_now,
            dict(self._confirmed),
            progress=progress,
        )
        self._about.text = f"{self._file}: {found.about}"
        self._unread.clear()
        with self._unread:
            for line in found.unread:
                self._ask(line)
        self._frame.visible = True
        self._frame.props(f'src="{self.bench.framed("rules", found.page)}"')
        self.shown = key

    def _ask(self, line: UnreadLine) -> None:
        """Show a line that cannot be read, with buttons for what it may mean."""
        ui.label(f"{line.place}: {line.text}: {line.problem}").classes("text-negative")
        for sentence in line.proposals:
            ui.button(
                f"It means: {sentence}",
                on_click=lambda _, said=sentence: self._confirm(line.place, said),
            ).props("outline dense no-caps align=left").classes("wb-proposal")

    def _confirm(self, place: str, sentence: str) -> None:
        self._confirmed[place] = sentence
        self.want()
