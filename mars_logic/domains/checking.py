"""Theories of games against kept episodes: what was seen speaks for or against each part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mars_logic.domains.game import Game
from mars_logic.domains.registry import domain_of, require_offered
from mars_logic.domains.seen_episodes import seen_episodes
from mars_logic.domains.space import StepJudgement
from mars_logic.errors import InputError


@dataclass
class PartVerdict:
    """How a part of a theory stands to kept episodes.

    Attributes:
        part: Its name.
        open: Whether nothing is known of a field of it, so that nothing contradicts it.
        support: How many observations it agrees with.
        against: How many it does not.
        counterexample: The first that it does not agree with: where it stands, and what was seen.
    """

    part: str
    open: bool
    support: int = 0
    against: int = 0
    counterexample: str | None = None

    @property
    def verdict(self) -> str:
        """``open``, ``untested``, ``supported`` or ``contradicted``."""
        if self.open:
            return "open"
        if self.against:
            return "contradicted"
        return "supported" if self.support else "untested"

    def count(self, judgement: StepJudgement, place: str) -> None:
        """Take in what was seen at a place."""
        self.support += judgement.agrees
        self.against += not judgement.agrees
        if not judgement.agrees and self.counterexample is None:
            self.counterexample = f"{place}, step {judgement.step}: {judgement.told}"


@dataclass
class GameCheck:
    """How a theory stands to kept episodes.

    Attributes:
        episodes: Episodes about such a game.
        skipped: Episodes about another one.
        parts: The verdict about each part.
    """

    episodes: int = 0
    skipped: int = 0
    parts: list[PartVerdict] = field(default_factory=list)

    @property
    def contradicted(self) -> bool:
        """Whether an observation speaks against a part."""
        return any(each.against for each in self.parts)


def check_game(theory: Game, files: Sequence[Path]) -> GameCheck:
    """Hold a theory against kept episodes of games that look like its own.

    A part of which something is known is contradicted by an observation that none of its
    completions predicts.

    Args:
        theory: The theory.
        files: Recordings, certificates, or folders of them.

    Raises:
        InputError: Theories of its domain are not checked, a file is neither, or none of the
            episodes is about such a game.
    """
    require_offered("check", theory, lambda domain: domain.version_space, ("worlds",))
    space = domain_of(theory).version_space
    assert space is not None
    verdicts = {name: PartVerdict(name, opened) for name, opened in space.parts(theory).items()}
    found = GameCheck(parts=list(verdicts.values()))
    for episode in seen_episodes(files):
        if episode.game.domain != theory.domain or not space.fits(theory, episode.start):
            found.skipped += 1
            continue
        found.episodes += 1
        for each in space.judged(theory, episode):
            verdicts[each.part].count(each, episode.place)
    if not found.episodes:
        message = f"no episode is about a game like {theory.name}"
        raise InputError(f"check: {message}; allowed: episodes of its game")
    return found
