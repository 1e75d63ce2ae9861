"""Panels of what is proved: verdicts with explanations and repairs, and the tech tree."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from nicegui import ui

from mars_logic.workbench.bench import Workbench
from mars_logic.workbench.panels import ProofRow, Proofs, explained, proofs
from mars_logic.workbench.view_panels import Panel
from mars_logic.workbench.worker import Progress


class Proved:
    """The proofs, which two panels show.

    Attributes:
        on_this_map: Whether they are about the map of the seed, not about all ordinary maps.
    """

    def __init__(self, bench: Workbench) -> None:
        """Nothing is proved yet.

        Args:
            bench: What the page works on.
        """
        self._bench = bench
        self._key: Hashable = None
        self._found: Proofs | None = None
        self.on_this_map = False

    @property
    def key(self) -> Hashable:
        """What the proofs depend on."""
        return self._bench.valid, self.seed

    @property
    def seed(self) -> int | None:
        """The seed of the map that they are about; None for all ordinary maps."""
        return self._bench.seed if self.on_this_map else None

    async def get(self, progress: Progress) -> Proofs:
        """The proofs of the last valid text."""
        key, text = self.key, self._bench.valid
        if self._found is None or key != self._key:
            self._found = await self._bench.slow(proofs, text, self.seed, progress=progress)
            self._key = key
        return self._found


class TreePanel(Panel):
    """The tech tree with verdicts."""

    name = "Tech tree"

    def __init__(self, bench: Workbench, want: Callable[[], None], proved: Proved) -> None:
        """Prepare it.

        Args:
            bench: As for all panels.
            want: Likewise.
            proved: What is proved.
        """
        super().__init__(bench, want)
        self._proved = proved

    @property
    def key(self) -> Hashable:
        """What the proofs depend on."""
        return self._proved.key

    def build(self) -> None:
        """Build it empty."""
        self._about = ui.label()
        with ui.element("div").classes("wb-tree").props('tabindex=0 role=region aria-label="Tree"'):
            self._svg = ui.html("", sanitize=False)

    async def refresh(self, progress: Progress) -> None:
        """Draw the tree."""
        key = self.key
        found = await self._proved.get(progress)
        self._about.text = found.about
        self._svg.content = found.tree
        self.shown = key


class ProofsPanel(TreePanel):
    """A verdict for each achievement; an unreachable one with its explanation and repairs."""

    name = "Proofs"

    def __init__(
        self,
        bench: Workbench,
        want: Callable[[], None],
        proved: Proved,
        replace: Callable[[str], None],
    ) -> None:
        """Prepare it.

        Args:
            bench: As for all panels.
            want: Likewise.
            proved: What is proved.
            replace: Changes the text, for repairs.
        """
        super().__init__(bench, want, proved)
        self._replace = replace

    def build(self) -> None:
        """Build the choice of maps, and the list empty."""
        with ui.row(align_items="center"):
            self._about = ui.label().classes("wb-about font-medium")
            ui.switch("On this map alone", on_change=lambda event: self._choose(event.value))
        self._list = ui.column().classes("w-full gap-0")

    def _choose(self, on_this_map: bool) -> None:
        self._proved.on_this_map = on_this_map
        self.bench.stop()
        self.want()

    async def refresh(self, progress: Progress) -> None:
        """List the verdicts, then explain those that fail, one by one."""
        key, text, seed = self.key, self.bench.valid, self._proved.seed
        found = await self._proved.get(progress)
        self._about.text = found.about
        self._list.clear()
        boxes = {}
        failing = [row for row in found.rows if row.verdict == "unreachable"]
        with self._list:
            for row in (*failing, *(row for row in found.rows if row not in failing)):
                boxes[row.achievement] = ui.column().classes(f"wb-proof {row.verdict}")
                self._fill(boxes[row.achievement], row)
        for number, row in enumerate(failing):
            share = number / len(failing)

            def told(what: str, _: float, share: float = share) -> None:
                progress(what, share)

            found_row = await self.bench.slow(explained, text, row, seed, progress=told)
            self._fill(boxes[row.achievement], found_row)
        self.shown = key

    def _fill(self, box: ui.column, row: ProofRow) -> None:
        box.clear()
        with box:
            ui.label(row.achievement.replace("_", " ")).classes("font-medium")
            ui.label(row.words).classes("verdict")
            for sentence in row.sentences:
                ui.label(sentence).classes("wb-why")
            for offer in row.repairs:
                button = ui.button(
                    f"Repair: {offer.words}", on_click=lambda _, text=offer.text: self._mend(text)
                )
                button.props("dense no-caps outline align=left").classes("wb-repair")
                if not offer.text:
                    button.disable()

    def _mend(self, text: str) -> None:
        self._replace(text)
        ui.notify("The text is changed; Ctrl-Z in the editor takes it back.")
