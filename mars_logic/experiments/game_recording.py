"""Episodes of games as trajectories, by playing a certificate again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from mars_logic.data.game_store import load_game_trajectory, save_game
from mars_logic.data.game_trajectory import GameAbout, GameTrajectory, ObservationPart
from mars_logic.data.store import SUFFIX
from mars_logic.domains.certificates import GameCertificate
from mars_logic.domains.coded import CodedDomain, coded_domain
from mars_logic.domains.game import Game
from mars_logic.domains.registry import domain_of
from mars_logic.domains.replay import replay
from mars_logic.domains.runs import certificate_path
from mars_logic.errors import InputError


def require_numbers(games: Iterable[Game]) -> None:
    """Refuse games whose actions and observations are no numbers, which trajectories consist of.

    Raises:
        InputError: One is such a game.
    """
    for game in games:
        if not isinstance(domain_of(game), CodedDomain):
            message = f"episodes of {game.name} are no tables of numbers"
            raise InputError(f"--record: {message}; allowed: --out, for certificates")


def recorded_game(
    certificate: GameCertificate, game: Game, *, public: bool = False
) -> GameTrajectory:
    """The trajectory of an episode.

    Args:
        certificate: What was done.
        game: What was played.
        public: Whether to leave out what no player may know: the score.

    Raises:
        ActionError: The actions are none of the game.
        InputError: The actions of this kind of game are no numbers.
    """
    played = replay(game, certificate.seed, certificate.actions)
    parts = {
        name: ObservationPart(part.low, part.high, part.size)
        for name, part in coded_domain(game).space(game).items()
    }
    done = np.array([each.done for each in played.outcomes], np.bool_)
    truncated = np.zeros(len(done), np.bool_)
    truncated[-1:] = ~done[-1:] & (len(done) == game.length)
    return GameTrajectory(
        about=GameAbout(
            game=certificate.game.name,
            domain=game.domain,
            digest=game.digest,
            seed=certificate.seed,
            agent=certificate.player.label,
            versions=certificate.versions,
        ),
        parts=parts,
        actions=played.actions,
        seen={
            name: np.array([seen[name] for seen in played.observations], np.int64) for name in parts
        },
        action=np.array(certificate.actions, np.int64),
        reward=np.array([each.reward for each in played.outcomes], np.float64),
        terminated=done,
        truncated=truncated,
        score=None if public else np.array(played.scores[1:], np.float64),
    )


def record_game(
    folder: Path, game: Game, certificate: GameCertificate, *, public: bool = False
) -> Path:
    """Write the trajectory of an episode, named as its certificate would be.

    Args:
        folder: Where to.
        game: What was played.
        certificate: What was done.
        public: Whether to leave out the score.

    Raises:
        InputError: What lies in its place is no trajectory, or one of another episode.
    """
    path = certificate_path(folder, game, certificate.player, certificate.seed)
    path = path.with_suffix(SUFFIX)
    found = recorded_game(certificate, game, public=public)
    if path.exists() and not _is_same(load_game_trajectory(path), found):
        message = "this is not the trajectory of the episode that would be kept here"
        allowed = "another folder, or to remove the file"
        raise InputError(f"{path}:1: file: {message}; allowed: {allowed}")
    save_game(found, path)
    return path


def _is_same(kept: GameTrajectory, found: GameTrajectory) -> bool:
    about = (kept.about.digest, kept.about.seed, kept.about.agent)
    same = about == (found.about.digest, found.about.seed, found.about.agent)
    return same and np.array_equal(kept.action, found.action)
