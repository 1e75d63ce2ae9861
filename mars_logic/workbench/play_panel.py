"""The panel to play in: keys move the player."""

from __future__ import annotations

from typing import Final

from nicegui import ui

from mars_logic.errors import InputError
from mars_logic.play.action_keys import spoken
from mars_logic.workbench.key_presses import on_keys
from mars_logic.workbench.playing import PlayerView, scene
from mars_logic.workbench.view_panels import Panel
from mars_logic.workbench.worker import Ended, Progress

_UNDO: Final = "u"


class PlayPanel(Panel):
    """An episode on the map of the seed, in the hands of a person."""

    name = "Play"

    def build(self) -> None:
        """Build the picture, which takes the keys while it has the focus."""
        self._actions: tuple[int, ...] = ()
        self._scene: PlayerView | None = None
        with ui.row(align_items="center"):
            ui.button("Begin anew", on_click=self._anew).props("flat dense no-caps")
            ui.label("Click the picture, or go to it with Tab; u takes a step back.").classes(
                "wb-hint"
            )
        self._view = ui.element("div").classes("wb-play")
        self._view.props('role=application aria-label="The game; keys play"')
        on_keys(self._view, self._press)
        with self._view:
            self._image = ui.html("", sanitize=False)
        self._status = ui.label().classes("wb-status").props("role=status")
        self._news = ui.label().classes("wb-news").props("aria-live=polite")
        with ui.expansion("Keys").classes("w-full"):
            self._keys = ui.label().classes("wb-hint whitespace-pre-line")

    async def refresh(self, progress: Progress) -> None:
        """Show the beginning of an episode on the map of the seed."""
        progress("preparing", 0.0)
        key = self.key
        self._actions = ()
        await self._show()
        self.shown = key

    async def _anew(self) -> None:
        self.shown = None
        self.want()

    async def _press(self, key: str) -> None:
        if self._scene is None or self.is_stale:
            return
        if key == _UNDO:
            self._actions = self._actions[:-1]
        elif key in self._scene.keys and not self._scene.ended:
            self._actions = (*self._actions, self._scene.keys[key])
        else:
            return
        try:
            await self._show()
        except (Ended, InputError) as error:
            ui.notify(str(error), type="negative")

    async def _show(self) -> None:
        actions = self._actions
        found = await self.bench.picture(scene, self.bench.valid, self.bench.seed, actions)
        if actions != self._actions:
            return  # another key was pressed meanwhile
        self._scene = found
        self._image.content = f'<img src="{found.picture}" alt="What the player sees">'
        self._status.text = found.status
        self._news.text = found.news
        keys: dict[int, list[str]] = {}
        for key, code in found.keys.items():
            keys.setdefault(code, []).append("space" if key == " " else key)
        self._keys.text = "\n".join(
            f"{' or '.join(some)}: {spoken(found.names[code])}" for code, some in keys.items()
        )
        if actions:
            self.bench.played(found.digest, self.bench.seed, actions)
