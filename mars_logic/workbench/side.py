"""The right side: one panel for each thing that follows from the last valid text."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from nicegui import background_tasks, ui

from mars_logic.errors import InputError
from mars_logic.workbench.bench import Workbench
from mars_logic.workbench.draw_panel import DrawPanel
from mars_logic.workbench.play_panel import PlayPanel
from mars_logic.workbench.proof_panels import ProofsPanel, Proved, TreePanel
from mars_logic.workbench.rules_panel import RulesPanel
from mars_logic.workbench.view_panels import FilmPanel, ManualPanel, MapPanel, Panel
from mars_logic.workbench.worker import Ended

_SECOND: Final = 1.0
"""Seconds between two times that are shown of work that takes long."""
_PAUSE: Final = 0.3
"""Seconds after which work that a change has ended is begun anew."""


class Side:
    """The panels, of which the one in view is kept up to date."""

    def __init__(self, bench: Workbench, replace: Callable[[str], None]) -> None:
        """Build them.

        Args:
            bench: What the page works on.
            replace: Changes the text.
        """
        self._bench = bench
        self._wanted = asyncio.Event()
        self._is_open = True
        proved = Proved(bench)
        panels: list[Panel] = [
            MapPanel(bench, self.want),
            DrawPanel(bench, self.want, replace),
            ManualPanel(bench, self.want),
            TreePanel(bench, self.want, proved),
            ProofsPanel(bench, self.want, proved, replace),
            FilmPanel(bench, self.want),
            PlayPanel(bench, self.want),
            RulesPanel(bench, self.want),
        ]
        self._panels: Final = {panel.name: panel for panel in panels}
        with ui.tabs(on_change=lambda _: self._chosen()).props(
            'dense no-caps align=left outside-arrows mobile-arrows aria-label="What follows"'
        ) as self._tabs:
            for panel in panels:
                ui.tab(panel.name)
        self._progress = ui.row().classes("wb-progress").props("role=status")
        with self._progress:
            self._told = ui.label("The world has not been read yet.").classes("whitespace-nowrap")
            self._time = ui.label().props("aria-hidden=true").classes("whitespace-nowrap")
            self._bar = ui.linear_progress(show_value=False).props("instant-feedback")
        self._bar.visible = False
        self._begun = 0.0
        ui.timer(_SECOND, self._tick)
        with ui.tab_panels(self._tabs, value=panels[0].name, animated=False, keep_alive=True):
            for panel in panels:
                with ui.tab_panel(panel.name):
                    panel.build()

    def start(self) -> None:
        """Begin to keep the panel in view up to date."""
        background_tasks.create(self._work(), name="show what follows")

    def close(self) -> None:
        """The browser has left."""
        self._is_open = False
        self._wanted.set()

    def want(self) -> None:
        """Bring the panel in view up to date, as soon as possible."""
        self._wanted.set()

    def _chosen(self) -> None:
        self._bench.stop()
        self.want()

    async def _work(self) -> None:
        while self._is_open:
            await self._wanted.wait()
            self._wanted.clear()
            if not self._is_open:
                return
            panel = self._panels[str(self._tabs.value or next(iter(self._panels)))]
            if not self._bench.valid:
                self._tell("There is no valid world yet.", None)
            elif panel.is_stale:
                await self._refresh(panel)
            else:
                self._tell(self._about(), None)

    async def _refresh(self, panel: Panel) -> None:
        key = panel.key
        self._tell(f"{panel.name}…", 0.0)
        try:
            await panel.refresh(lambda what, share: self._tell(f"{what}…", share))
        except Ended:
            self._tell("This was ended; it begins anew.", None)
            await asyncio.sleep(_PAUSE)
            self.want()
        except InputError as error:
            panel.shown = key
            self._tell(str(error), None)
        else:
            self._tell(self._about(), None)

    def _about(self) -> str:
        """What the panels are about."""
        if self._bench.valid == self._bench.draft.text:
            return f"of {self._bench.reading.name}"
        return "of the last valid text"

    def _tell(self, told: str, share: float | None) -> None:
        """Show what is done and which share of it is; without a share, it is done or has none."""
        if share is None or not self._bar.visible:
            self._begun = time.monotonic()
        self._told.text = told
        self._bar.visible = share is not None
        self._bar.value = share or 0.0
        self._bar.props(remove="indeterminate") if share else self._bar.props("indeterminate")
        self._tick()

    def _tick(self) -> None:
        """Show for how many seconds work has gone on."""
        seconds = int(time.monotonic() - self._begun) if self._bar.visible else 0
        self._time.text = f"{seconds} s" if seconds else ""
