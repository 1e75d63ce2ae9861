"""What the page works on: a draft, what it says, and the processes that find out what follows."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any, Final, TypeVar

from mars_logic.workbench import panels
from mars_logic.workbench.draft import Draft
from mars_logic.workbench.reading import ManualLine, TextMistake, TextReading
from mars_logic.workbench.worker import Ended, Job, Progress, Worker

T = TypeVar("T")

READ_LIMIT: Final = 10.0
"""Seconds after which the reading of a text is given up."""
_MOST_PLAYS: Final = 8
"""Episodes of the page that are remembered."""


class Workbench:
    """A draft with its workers.

    Attributes:
        draft: The text and its file.
        reading: What the text says, as far as it was read.
        valid: The last text that states a world; empty before there is one.
        manual: Its manual.
        words: The names of that world.
        seed: The seed of the map that is shown.
        frames: Pages that are shown in frames, by name.
        plays: Episodes that were played on the page: the world's digest, the seed, the actions.
    """

    def __init__(self, draft: Draft) -> None:
        """Prepare it.

        Args:
            draft: What is edited.
        """
        self.draft = draft
        self.reading = TextReading()
        self.valid = ""
        self.manual: tuple[ManualLine, ...] = ()
        self.words = self.reading.words
        self.seed = 0
        self.frames: dict[str, str] = {}
        self._made = 0
        self._digest = ""
        self.plays: deque[tuple[str, int, tuple[int, ...]]] = deque(maxlen=_MOST_PLAYS)
        self._quick = Worker(self.folder, first=panels.load_reading)
        self._pictures = Worker(self.folder, first=panels.load_pictures)
        self._slow = Worker(self.folder, first=panels.load_logic)

    @property
    def folder(self) -> Path:
        """Where the text may name files."""
        return self.draft.path.parent

    def start(self) -> None:
        """Start the processes: they load what they need before the first keystroke."""
        for worker in self._workers:
            worker.start()

    def typed(self, text: str) -> None:
        """The text is another one: what follows from the former one is no longer wanted."""
        self.draft.text = text
        self.stop()

    async def read(self) -> bool:
        """Read the text; return whether it is still the same one afterwards."""
        text = self.draft.text
        try:
            found = await self.quick(panels.reading, text, limit=READ_LIMIT)
        except Ended as end:
            told = f"this text cannot be read: {end}"
            found = TextReading((TextMistake(1, told, told),))
        if text != self.draft.text:
            return False
        self.reading = found
        if found.is_world:
            if text != self.valid:
                self.stop()
            self.valid, self.manual, self.words = text, found.manual, found.words
            self._digest = found.digest
        return True

    async def quick(self, job: Job[T], text: str, *args: Any, limit: float | None = None) -> T:
        """Do a job that takes no time."""
        return await self._quick.do(job, text, self.draft.path, *args, limit=limit)

    async def slow(self, job: Job[T], text: str, *args: Any, progress: Progress) -> T:
        """Do a job about the last valid text, which is ended when the text changes.

        Raises:
            Ended: It has changed.
        """
        if text != self.valid:
            raise Ended("the text has changed")
        return await self._slow.do(job, text, self.draft.path, *args, progress=progress)

    async def picture(self, job: Job[T], text: str, *args: Any) -> T:
        """Do a job that takes a moment once the simulator is loaded."""
        return await self._pictures.do(job, text, self.draft.path, *args)

    def stop(self) -> None:
        """End slow work, and begin to load what comes next takes."""
        if self._slow.is_busy:
            self._slow.end()
            self._slow.start()

    def framed(self, name: str, page: str) -> str:
        """The address of a page in a frame, another one for each content."""
        self.frames[name] = page
        self._made += 1
        return f"frame/{name}?{self._made}"

    @property
    def plays_now(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Episodes of the page in the last valid world: seeds with actions."""
        return tuple(each[1:] for each in self.plays if each[0] == self._digest)

    def played(self, digest: str, seed: int, actions: tuple[int, ...]) -> None:
        """Remember an episode that was played on the page, in place of its former part."""
        last = self.plays[-1] if self.plays else None
        if last and last[:2] == (digest, seed) and _begins(actions, last[2]):
            self.plays.pop()
        self.plays.append((digest, seed, actions))

    def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.end()

    @property
    def _workers(self) -> tuple[Worker, ...]:
        return self._quick, self._pictures, self._slow


def _begins(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether one of two episodes is the beginning of the other."""
    return all(a == b for a, b in zip(one, other, strict=False))
