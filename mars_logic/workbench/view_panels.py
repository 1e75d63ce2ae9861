"""Panels that show the world: its map, its manual, and the oracle's film."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable
from typing import ClassVar

from nicegui import ui

from mars_logic.workbench.bench import Workbench
from mars_logic.workbench.panels import map_picture
from mars_logic.workbench.shared import film, manual_html
from mars_logic.workbench.worker import Progress
from mars_logic.world.names import SEED_LIMIT

_DICE: random.Random = random.SystemRandom()


class Panel:
    """What one tab shows.

    Attributes:
        name: The tab's name.
        shown: What is shown now, as ``key`` tells it.
    """

    name: ClassVar[str]

    def __init__(self, bench: Workbench, want: Callable[[], None]) -> None:
        """Prepare it.

        Args:
            bench: What the page works on.
            want: Asks for ``refresh``, once the panel is in view.
        """
        self.bench = bench
        self.want = want
        self.shown: Hashable = None

    @property
    def key(self) -> Hashable:
        """What the content depends on."""
        return self.bench.valid, self.bench.seed

    @property
    def is_stale(self) -> bool:
        """Whether something else should be shown by now."""
        return self.shown != self.key

    def build(self) -> None:
        """Build what it always has."""

    async def refresh(self, progress: Progress) -> None:
        """Show what follows from the last valid text.

        Args:
            progress: Told how far it is.

        Raises:
            InputError: This cannot be told of the world.
            Ended: The text has changed.
        """


class MapPanel(Panel):
    """The map of a seed, with dice for another one."""

    name = "Map"

    def build(self) -> None:
        """Build the field of the seed and the dice."""
        with ui.row(align_items="center"):
            self._seed = ui.number(
                "Seed", value=self.bench.seed, min=0, max=SEED_LIMIT - 1, precision=0
            )
            self._seed.props("dense").classes("w-40")
            self._seed.on_value_change(lambda _: self._choose())
            ui.button("Roll the dice", icon="casino", on_click=self._roll).props(
                "flat dense no-caps"
            )
        self._picture = ui.element("div").classes("wb-map")
        with self._picture:
            self._image = ui.html("", sanitize=False)

    def _roll(self) -> None:
        self._seed.value = _DICE.randrange(1000)

    def _choose(self) -> None:
        if self._seed.value is not None and 0 <= self._seed.value < SEED_LIMIT:
            self.bench.seed = int(self._seed.value)
            self.want()

    async def refresh(self, progress: Progress) -> None:  # noqa: ARG002
        """Draw the map."""
        key, seed = self.key, self.bench.seed
        url = await self.bench.picture(map_picture, self.bench.valid, seed)
        self._image.content = f'<img src="{url}" alt="The map of seed {seed}, with a legend">'
        self.shown = key


class ManualPanel(Panel):
    """The manual, with the sentences marked that the base's has not."""

    name = "Manual"

    @property
    def key(self) -> Hashable:
        """The manual is the same on all maps."""
        return self.bench.valid

    def build(self) -> None:
        """Build it empty."""
        ui.label("Marked sentences are not in the manual of the base.").classes("wb-hint")
        self._html = ui.html("", sanitize=False).classes("wb-manual")

    async def refresh(self, progress: Progress) -> None:  # noqa: ARG002
        """Show the manual, which was told when the text was read."""
        self._html.content = manual_html(self.bench.manual)
        self.shown = self.key


class FilmPanel(Panel):
    """The oracle's episode on the map of the seed, in the report's player."""

    name = "Film"

    def build(self) -> None:
        """Build the frame of the film."""
        self._frame = ui.element("iframe").classes("wb-frame")
        self._frame.props('title="The oracle plays this map" sandbox="allow-scripts"')

    async def refresh(self, progress: Progress) -> None:
        """Let the oracle play, and show it."""
        key = self.key
        page = await self.bench.slow(film, self.bench.valid, self.bench.seed, progress=progress)
        self._frame.props(f'src="{self.bench.framed("film", page)}"')
        self.shown = key
