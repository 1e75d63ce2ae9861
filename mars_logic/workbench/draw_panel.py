"""The panel to draw maps in: cells are painted with materials and creatures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from nicegui import ui
from nicegui.events import MouseEventArguments

from mars_logic.errors import InputError
from mars_logic.workbench.bench import Workbench
from mars_logic.workbench.drawing import Brush, DrawingForm, begun, form, painted, removed, resized
from mars_logic.workbench.key_presses import on_keys
from mars_logic.workbench.view_panels import Panel
from mars_logic.workbench.worker import Ended, Job, Progress
from mars_logic.world.maps import LARGEST, SMALLEST

_SIZE: Final = (12, 9)
"""Columns and rows of a new drawing."""
_FIRST: Final = "water"
_MOVES: Final = {
    "ArrowLeft": (-1, 0),
    "ArrowRight": (1, 0),
    "ArrowUp": (0, -1),
    "ArrowDown": (0, 1),
}


class DrawPanel(Panel):
    """A form for drawn maps."""

    name = "Draw"

    def __init__(
        self, bench: Workbench, want: Callable[[], None], replace: Callable[[str], None]
    ) -> None:
        """Prepare it.

        Args:
            bench: As for all panels.
            want: Likewise.
            replace: Changes the text.
        """
        super().__init__(bench, want)
        self._replace = replace
        self._brush = _FIRST
        self._form: DrawingForm | None = None
        self._number = 0
        self._stroke: dict[tuple[int, int], None] = {}
        self._cursor = (0, 0)
        self._is_down = False
        self._changing = asyncio.Lock()

    @property
    def key(self) -> tuple[str, int]:
        """The world, and which of its drawings is shown."""
        return self.bench.valid, self._number

    def build(self) -> None:
        """Build the choice of a drawing, its size, the palette and the canvas."""
        with ui.row(align_items="center"):
            self._which = ui.select({0: ""}, value=0, label="Drawing").classes("w-28 wb-draw")
            self._which.on_value_change(lambda event: self._show(event.value))
            self._add = ui.button("Add a drawing", on_click=self._one_more)
            self._remove = ui.button("Remove it", on_click=self._one_less)
            for each in (self._add, self._remove):
                each.props("flat dense no-caps")
            self._columns, self._rows = (
                ui.number(label, value=size, min=SMALLEST, max=LARGEST, precision=0).classes("w-16")
                for label, size in zip(("Columns", "Rows"), _SIZE, strict=True)
            )
            self._resize = ui.button("Draw a map", on_click=self._sized).props("dense no-caps")
        self._palette = ui.row().classes("wb-palette")
        self._palette.props('role=radiogroup aria-label="What is painted"')
        self._hint = ui.label().classes("wb-hint")
        self._canvas = ui.element("div").classes("wb-canvas")
        self._canvas.props('role=application aria-label="The drawing; arrows move, space paints"')
        on_keys(self._canvas, self._press)
        with self._canvas:
            self._image = ui.interactive_image(
                on_mouse=self._mouse, events=["mousedown", "mousemove", "mouseup", "mouseleave"]
            )
        self._visible(False)

    def _visible(self, is_drawn: bool) -> None:
        for each in (self._canvas, self._which, self._add, self._remove):
            each.visible = is_drawn

    async def refresh(self, progress: Progress) -> None:  # noqa: ARG002
        """Show a drawing of the last valid text."""
        text, number = self.key
        found = await self.bench.picture(form, text, number)
        if number != self._number:
            return  # another one was chosen meanwhile
        self._form = found
        self._visible(found is not None)
        self._resize.text = "Change the size" if found else "Draw a map"
        self._hint.text = (
            "Choose, then paint: with the mouse, or with arrows and space."
            if found
            else "Maps are generated. A drawing takes their place."
        )
        self._palette.clear()
        if found:
            self._number = found.number
            every = range(found.count)
            names = {each: f"{each + 1}: seed {each}" for each in every}
            self._which.set_options(names, value=found.number)
            self._remove.set_enabled(found.count > 1)
            x, y = self._cursor
            self._cursor = min(x, found.columns - 1), min(y, found.rows - 1)
            self._columns.value, self._rows.value = found.columns, found.rows
            self._image.set_source(found.picture)
            self._mark()
            with self._palette:
                for brush in found.brushes:
                    self._choice(brush)
        self.shown = text, self._number

    def _show(self, number: int | None) -> None:
        """Show another one of the drawings."""
        if number is not None and number != self._number:
            self._number = number
            self.want()

    def _choice(self, brush: Brush) -> None:
        button = ui.button(on_click=lambda: self._choose(brush.name)).props("flat dense")
        chosen = brush.name == self._brush
        button.props(f'role=radio aria-checked={str(chosen).lower()} aria-label="{brush.name}"')
        button.classes("chosen" if chosen else "")
        with button:
            ui.html(f'<img src="{brush.icon}" alt="">', sanitize=False)
            ui.tooltip(brush.name)

    def _choose(self, name: str) -> None:
        self._brush = name
        self._palette.clear()
        with self._palette:
            for brush in self._form.brushes if self._form else ():
                self._choice(brush)

    async def _mouse(self, event: MouseEventArguments) -> None:
        if self._form is None:
            return
        if event.type == "mousedown":
            self._is_down, self._stroke = True, {}
        if self._is_down and event.type in ("mousedown", "mousemove"):
            unit = self._form.unit
            self._cursor = int(event.image_x // unit), int(event.image_y // unit)
            self._stroke[self._cursor] = None
            self._mark()
        elif self._is_down:
            self._is_down = False
            await self._paint()

    async def _press(self, key: str) -> None:
        if self._form is None:
            return
        if key in _MOVES:
            (x, y), (right, down) = self._cursor, _MOVES[key]
            self._cursor = (x + right) % self._form.columns, (y + down) % self._form.rows
            self._mark()
        elif key in (" ", "Enter"):
            self._stroke = {self._cursor: None}
            await self._paint()

    def _mark(self) -> None:
        """Show the cursor, and the cells that will be painted."""
        unit = self._form.unit if self._form else 0
        cells = dict.fromkeys((*self._stroke, self._cursor))
        self._image.content = "".join(
            f'<rect x="{x * unit}" y="{y * unit}" width="{unit}" height="{unit}" '
            f'fill="{"#fff8" if (x, y) in self._stroke else "none"}" stroke="#e0218a" '
            'stroke-width="2" />'
            for x, y in cells
        )

    async def _paint(self) -> None:
        cells, self._stroke = [*self._stroke], {}
        await self._change(painted, self._number, cells, self._brush)

    async def _sized(self) -> None:
        if self._columns.value is None or self._rows.value is None:
            return
        size = int(self._columns.value), int(self._rows.value)
        if self._form is None:
            await self._change(begun, *size)
        else:
            await self._change(resized, self._number, *size)

    async def _one_more(self) -> None:
        await self._change(begun, *_SIZE)
        if self._form:
            self._number = self._form.count  # once the text is read

    async def _one_less(self) -> None:
        await self._change(removed, self._number)

    async def _change(self, job: Job[str], *args: Any) -> None:
        async with self._changing:  # each change is made to the text after the one before
            try:
                self._replace(await self.bench.quick(job, self.bench.draft.text, *args))
            except (InputError, Ended) as error:
                ui.notify(str(error), type="negative", multi_line=True)
                self._mark()
