"""Theories of puzzles against recorded episodes: what was seen speaks for or against each part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mars_logic.domains.rulearn.observations import (
    ObservationReader,
    PartObservation,
    RulePart,
    rule_parts,
)
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.seen_episodes import seen_episodes
from mars_logic.errors import InputError


@dataclass
class PartVerdict:
    """How a part of a theory stands to recorded episodes.

    Attributes:
        part: Its name.
        open: Whether nothing is known of a field of it, so that nothing contradicts it.
        support: How many observations it agrees with.
        against: How many it does not.
        place: Where the first stands that it does not agree with: an episode.
        step: Which step of it, from 0.
        saw: What was seen there.
    """

    part: str
    open: bool
    support: int = 0
    against: int = 0
    place: str | None = None
    step: int = 0
    saw: str = ""

    @property
    def counterexample(self) -> str | None:
        """The first observation that it does not agree with, and where it stands."""
        return None if self.place is None else f"{self.place}, step {self.step}: {self.saw}"

    @property
    def verdict(self) -> str:
        """``open``, ``untested``, ``supported`` or ``contradicted``."""
        if self.open:
            return "open"
        if self.against:
            return "contradicted"
        return "supported" if self.support else "untested"


@dataclass
class PuzzleCheck:
    """How a theory stands to recorded episodes.

    Attributes:
        episodes: Episodes about such a puzzle.
        skipped: Episodes about another one.
        steps: Steps of the former.
        parts: The verdict about each part.
    """

    episodes: int = 0
    skipped: int = 0
    steps: int = 0
    parts: list[PartVerdict] = field(default_factory=list)

    @property
    def contradicted(self) -> bool:
        """Whether an observation speaks against a part."""
        return any(each.against for each in self.parts)


def check_puzzle(theory: Puzzle, files: Sequence[Path]) -> PuzzleCheck:
    """Hold a theory against kept episodes of puzzles that look like its own.

    A part of which something is known is contradicted by an observation that none of its
    completions predicts.

    Args:
        theory: The theory.
        files: Recordings, certificates, or folders of them.

    Raises:
        InputError: A file is neither, or none of the episodes is about such a puzzle.
    """
    parts = {each.name: each for each in rule_parts(theory)}
    verdicts = {name: PartVerdict(name, each.completions is None) for name, each in parts.items()}
    found = PuzzleCheck(parts=list(verdicts.values()))
    for episode in seen_episodes(files):
        if episode.puzzle.domain != theory.domain or not theory.fits(episode.start):
            found.skipped += 1
            continue
        found.episodes += 1
        found.steps += len(episode.steps)
        read = ObservationReader(theory, episode.start, episode.puzzle.all_hung)
        for number, step in enumerate(episode.steps):
            for seen in read.seen(*step):
                _judge(verdicts[seen.part], parts[seen.part], seen, (episode.place, number))
    if not found.episodes:
        message = f"no episode is about a puzzle like {theory.name}"
        raise InputError(f"check: {message}; allowed: episodes of its puzzle")
    return found


def _judge(
    verdict: PartVerdict, part: RulePart, seen: PartObservation, where: tuple[str, int]
) -> None:
    if part.completions is None:
        return
    if not seen.contradicts(part):
        verdict.support += 1
        return
    verdict.against += 1
    if verdict.place is None:
        (verdict.place, verdict.step), verdict.saw = where, seen.told
