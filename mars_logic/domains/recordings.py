"""Recordings of the references' games, and whether the simulators do the same.

A recording is a file of JSON, an episode a line. Two forms are known, told apart by the field that
names an episode: that of SmartPlay's games (``episode``), and that of RULEARN's puzzles (``id``).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from mars_logic.domains.conformance import RECORDING, RecordedLine, RecordingDifference
from mars_logic.domains.game import Game
from mars_logic.system.json_files import read_json_lines

if TYPE_CHECKING:
    from mars_logic.domains.space import SeenEpisode

_MOST_BYTES: Final = 100_000_000
_USUAL: Final = "mars_logic.domains.coded_replay"
_FORMS: Final = {"id": "mars_logic.domains.rulearn.replay"}
"""By the field that names an episode: the module whose ``replayed`` carries it out."""

Replayed = tuple[str, int, RecordingDifference | None]
"""The setting or kind of an episode, how many steps agree, and the first difference."""


@dataclass(frozen=True)
class RecordingConformance:
    """How a recording compares with the simulators.

    Attributes:
        file: The recording.
        episodes: Episodes that were compared, up to the first difference.
        steps: Steps that agree in every field; attempts at what is no action are not counted.
        settings: For each setting of a game, or family of puzzles, its episodes.
        difference: The first difference; None if there is none.
    """

    file: str
    episodes: int
    steps: int
    settings: Mapping[str, int]
    difference: RecordingDifference | None

    @property
    def agrees(self) -> bool:
        """Whether there is no difference."""
        return self.difference is None


def conform_recording(
    path: Path, puzzles: Mapping[str, Game] = MappingProxyType({})
) -> RecordingConformance:
    """Replay the episodes of a recording, with the recording as the source of chance.

    Args:
        path: The recording.
        puzzles: Puzzles of one's own, by the id that recordings give them.

    Raises:
        InputError: The file is no recording, one of a game that is not bundled, or its draws are
            missing, left over or impossible.
    """
    episodes = steps = 0
    settings: dict[str, int] = {}
    for line in recorded_lines(path):
        setting, agreed, found = _form(line, puzzles)(line)
        episodes, steps = episodes + 1, steps + agreed
        settings[setting] = settings.get(setting, 0) + 1
        if found is not None:
            return RecordingConformance(str(path), episodes, steps, settings, found)
    return RecordingConformance(str(path), episodes, steps, settings, None)


def recorded_lines(path: Path) -> Iterator[RecordedLine]:
    """The episodes of a recording, not read yet.

    Raises:
        InputError: The file is no recording.
    """
    number = 0
    for number, held in read_json_lines(path, RECORDING, _MOST_BYTES):
        yield RecordedLine(path, number, held)
    if not number:
        raise RecordedLine(path, 1, None).refusal("file", "the file is empty", RECORDING)


def seen_in(line: RecordedLine) -> SeenEpisode:
    """What the player of a recorded episode saw; recordings of puzzles alone hold it.

    Raises:
        InputError: It is none of a released puzzle.
    """
    found: SeenEpisode = importlib.import_module(_FORMS["id"]).seen(line)
    return found


def _form(line: RecordedLine, puzzles: Mapping[str, Game]) -> Callable[[RecordedLine], Replayed]:
    named = line.data if isinstance(line.data, dict) else {}
    module = next((_FORMS[field] for field in _FORMS if field in named), _USUAL)
    replayed: Callable[..., Replayed] = importlib.import_module(module).replayed
    return replayed if module == _USUAL else partial(replayed, own=puzzles)
