"""Replays recorded episodes of RULEARN's puzzles.

Such an episode has ``id``, ``family``, ``puzzle`` (with its ``id``), ``idea`` (whether hypotheses
may be written), ``step_limit``, ``start`` (what is visible), ``steps`` (each with ``action``,
``draws``, ``outcome``) and ``end``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, StrictBool, StrictInt, StrictStr

from mars_logic.domains.chance import MissingDrawError
from mars_logic.domains.conformance import RecordedLine, RecordingDifference, ReplayPlace
from mars_logic.domains.library import collected_games
from mars_logic.domains.load import load_game
from mars_logic.domains.protocol import ActionError
from mars_logic.domains.rulearn.domain import puzzle_simulator
from mars_logic.domains.rulearn.episode import PuzzleAction, RecordedDraws
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.space import SeenEpisode
from mars_logic.errors import InputError
from mars_logic.world.fields import unknown

_PREFIX: Final = "rulearn/"


class _Step(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    action: dict[str, Any]
    draws: list[dict[str, Any]]
    outcome: dict[str, Any]


class PuzzleRecording(BaseModel):
    """A recorded episode."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: StrictStr
    family: StrictStr
    puzzle: dict[str, Any]
    idea: StrictBool
    step_limit: StrictInt
    start: dict[str, Any]
    steps: list[_Step]
    end: dict[str, Any]


def replayed(
    line: RecordedLine, own: Mapping[str, Puzzle] = MappingProxyType({})
) -> tuple[str, int, RecordingDifference | None]:
    """The family of an episode, how many steps agree, and the first difference.

    Args:
        line: The episode.
        own: Puzzles of one's own, by the id that recordings give them.

    Raises:
        UnknownPuzzleError: It is no episode of one of these or of a released puzzle.
        InputError: Its draws are missing, left over or impossible.
    """
    recorded = line.read_as(PuzzleRecording)
    return recorded.family, *_Replay(line, recorded, recorded_puzzle(line, recorded, own)).run()


def seen(line: RecordedLine) -> SeenEpisode:
    """What the player of a recorded episode saw.

    Raises:
        InputError: It is no episode of a released puzzle.
    """
    recorded = line.read_as(PuzzleRecording)
    steps = tuple((PuzzleAction.read(step.action), step.outcome) for step in recorded.steps)
    puzzle = recorded_puzzle(line, recorded)
    return SeenEpisode(f"{line.file}:{line.line}", puzzle, recorded.start, steps)


class UnknownPuzzleError(InputError):
    """An episode is of a puzzle that is not at hand."""


def recorded_puzzle(
    line: RecordedLine,
    recorded: PuzzleRecording,
    own: Mapping[str, Puzzle] = MappingProxyType({}),
) -> Puzzle:
    """The puzzle that an episode is of.

    Args:
        line: The episode, for messages.
        recorded: What it holds.
        own: Puzzles of one's own, by the id that recordings give them.

    Raises:
        UnknownPuzzleError: There is none of this id.
    """
    called = str(recorded.puzzle.get("id"))
    name = f"{_PREFIX}{called}"
    if called in own:
        return own[called]
    if name not in collected_games():
        message = unknown("puzzle", name, collected_games()).message()
        refused = line.refusal("puzzle.id", message, "a released puzzle, or one of --puzzles FILE")
        raise UnknownPuzzleError(str(refused))
    puzzle = load_game(name)
    assert isinstance(puzzle, Puzzle)
    return puzzle


class _Replay:
    """One episode, replayed until something differs."""

    def __init__(self, line: RecordedLine, recorded: PuzzleRecording, puzzle: Puzzle) -> None:
        self._line, self._recorded = line, recorded
        puzzle = puzzle.model_copy(update={"length": recorded.step_limit})
        self._simulator = puzzle_simulator(
            puzzle, hypotheses="required" if recorded.idea else "none"
        )
        self._place = partial(ReplayPlace, line, recorded.id)

    def run(self) -> tuple[int, RecordingDifference | None]:
        """How many actions agree, and the first difference."""
        family, start = self._simulator.game.domain, self._place("start")
        if family != self._recorded.family:
            return 0, start.difference("family", self._recorded.family, family)
        if found := start.compared(self._recorded.start, self._simulator.start):
            return 0, found
        for number, step in enumerate(self._recorded.steps):
            if found := self._step(number, step):
                return number, found
        state = self._simulator.snapshot()
        end = {
            "success": state.success if state.done else None,
            "steps": state.steps,
            "hypotheses": state.hypotheses,
        }
        return len(self._recorded.steps), self._place("end").compared(self._recorded.end, end)

    def _step(self, number: int, step: _Step) -> RecordingDifference | None:
        draws = RecordedDraws(step.draws)
        try:
            outcome = self._simulator.step(PuzzleAction.read(step.action), draws)
        except ActionError as error:
            return self._place("step", number).difference("action", step.action, error)
        except MissingDrawError as error:
            message = f"the outcome of {error} is missing or impossible"
            raise self._line.refusal(f"steps[{number}].draws", message, error.allowed) from None
        if draws.left:
            message = f"{draws.left} of the outcomes are left over"
            allowed = f"{len(step.draws) - draws.left} outcomes"
            raise self._line.refusal(f"steps[{number}].draws", message, allowed)
        return self._place("step", number, "outcome.").compared(step.outcome, outcome.record)
