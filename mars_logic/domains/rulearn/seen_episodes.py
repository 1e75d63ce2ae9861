"""Kept episodes of puzzles, as their player saw them: recordings and certificates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mars_logic.domains.certificates import (
    game_of_certificate,
    is_game_certificate,
    load_game_certificate,
    verify_game,
)
from mars_logic.domains.chance import Seeded
from mars_logic.domains.conformance import RecordedLine
from mars_logic.domains.game import Game
from mars_logic.domains.recordings import recorded_lines
from mars_logic.domains.registry import domain_of
from mars_logic.domains.rulearn.episode import PuzzleAction
from mars_logic.domains.rulearn.observations import SeenStep
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.replay import PuzzleRecording, recorded_puzzle
from mars_logic.errors import InputError

_ENDINGS: Final = (".jsonl", ".json")


@dataclass(frozen=True)
class SeenEpisode:
    """An episode.

    Attributes:
        place: Where it stands: a file, with a line if there are several in it.
        puzzle: What was played.
        start: What was visible before the first action.
        steps: The actions, each with what the player saw of its outcome.
        values: Of a function operator, the values of its parameters in the end, if they are known.
    """

    place: str
    puzzle: Puzzle
    start: Mapping[str, Any]
    steps: tuple[SeenStep, ...]
    values: Mapping[str, int] | None = None


def puzzle_files(paths: Sequence[Path]) -> list[Path]:
    """These files, and of folders the recordings and certificates in them."""
    found: list[Path] = []
    for path in paths:
        inside = sorted(each for end in _ENDINGS for each in path.rglob(f"*{end}"))
        found += inside if path.is_dir() else [path]
    return found


def seen_episodes(paths: Sequence[Path]) -> Iterator[SeenEpisode]:
    """The episodes of puzzles in recordings and certificates.

    Raises:
        InputError: A file is neither, or is not about a puzzle that can be loaded.
    """
    for path in puzzle_files(paths):
        if path.suffix == ".json":
            yield certified_episode(path)
        else:
            yield from map(_recorded, recorded_lines(path))


def holds_puzzles(paths: Sequence[Path]) -> bool:
    """Whether the first of some files is a recording, or a certificate of a game."""
    first = next(iter(puzzle_files(paths)), None)
    return first is not None and (first.suffix == ".jsonl" or is_game_certificate(first))


def certified_episode(path: Path) -> SeenEpisode:
    """The episode of a certificate, played again.

    Raises:
        InputError: It is no certificate of a puzzle, or does not replay.
    """
    kept = load_game_certificate(path)
    game = game_of_certificate(kept, path)
    if problems := verify_game(kept, game).problems:
        raise InputError(f"{path}:1: file: {problems[0]}; allowed: a certificate that replays")
    return replayed_episode(str(path), game, kept.seed, kept.actions)


def replayed_episode(place: str, game: Game, seed: int, actions: Sequence[Any]) -> SeenEpisode:
    """The episode of some actions, as JSON has them.

    Args:
        place: Where it stands.
        game: What was played.
        seed: Decides all random outcomes.
        actions: The actions.

    Raises:
        InputError: The game is no puzzle.
    """
    if not isinstance(game, Puzzle):
        message = f"'{game.name}' is a game of {game.domain}, not a puzzle"
        raise InputError(f"{place}:1: game: {message}; allowed: an episode of a puzzle")
    domain = domain_of(game)
    simulator: Any = domain.simulator(game)
    chance = Seeded(seed)
    simulator.reset(chance)
    start, steps = simulator.observe(), []
    for data in actions:
        action: PuzzleAction = domain.read_action(data)
        simulator.step(action, chance)
        steps.append((action, simulator.observe()))
    values = getattr(simulator, "values", None)
    return SeenEpisode(place, game, start, tuple(steps), values)


def _recorded(line: RecordedLine) -> SeenEpisode:
    recorded = line.read_as(PuzzleRecording)
    puzzle = recorded_puzzle(line, recorded)
    steps = tuple((PuzzleAction.read(step.action), step.outcome) for step in recorded.steps)
    return SeenEpisode(f"{line.file}:{line.line}", puzzle, recorded.start, steps)
