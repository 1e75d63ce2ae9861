"""Episodes of games as trajectories, by playing a certificate again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.declared_columns import (
    GameAbout,
    GameTrajectory,
    ObservationPart,
    load_game_trajectory,
    save_game,
)
from mars_logic.data.store import SUFFIX
from mars_logic.domains.certificates import GameCertificate
from mars_logic.domains.coded import CodedDomain, coded_domain
from mars_logic.domains.game import Game
from mars_logic.domains.playing import ReplayedGame, replay
from mars_logic.domains.registry import domain, domain_of
from mars_logic.domains.runs import certificate_path
from mars_logic.errors import InputError
from mars_logic.system.json_files import value_of


class _Columns(NamedTuple):
    """What actions and observations are in a trajectory."""

    actions: tuple[str, ...]
    action: NDArray[np.int64]
    parts: Mapping[str, ObservationPart]
    seen: Mapping[str, NDArray[np.int64]]


def _columns(played: ReplayedGame, codes: Sequence[Any], game: Game) -> _Columns:
    """Numbers in a domain that declares them, else JSON."""
    if isinstance(domain_of(game), CodedDomain):
        parts = {
            name: ObservationPart(part.low, part.high, part.size)
            for name, part in coded_domain(game).space(game).items()
        }
        seen = {name: np.array([seen[name] for seen in played.observations]) for name in parts}
        return _Columns(played.actions, np.array(codes, np.int64), parts, seen)
    taken, action = _places(codes)
    texts, observed = _places(played.observations)
    return _Columns(taken, action, {"json": ObservationPart.of_texts(texts)}, {"json": observed})


def _places(items: Sequence[Any]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The different items as JSON, and the place of each item among them."""
    texts = [json.dumps(each, sort_keys=True, ensure_ascii=False) for each in items]
    known = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    return tuple(known), np.array([known[text] for text in texts], np.int64)


def _ends(played: ReplayedGame, game: Game) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether the game was over after each step, and whether it was broken off at its length."""
    done = np.array([each.done for each in played.outcomes], np.bool_)
    truncated = np.zeros(len(done), np.bool_)
    last = played.outcomes[-1:]
    if last and last[0].counted(len(done)) == game.length and not last[0].completed:
        open_end = last[0].steps is not None  # where actions are free, no step is left as well
        truncated[-1] = open_end or not last[0].done
        done[-1] &= not truncated[-1]
    return done, truncated


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
    """
    played = replay(game, certificate.seed, certificate.actions)
    columns = _columns(played, certificate.actions, game)
    terminated, truncated = _ends(played, game)
    return GameTrajectory(
        about=GameAbout(
            game=certificate.game.name,
            domain=game.domain,
            digest=game.digest,
            seed=certificate.seed,
            agent=certificate.player.label,
            versions=certificate.versions,
        ),
        parts=columns.parts,
        actions=columns.actions,
        seen={name: seen.astype(np.int64) for name, seen in columns.seen.items()},
        action=columns.action,
        reward=np.array([each.reward for each in played.outcomes], np.float64),
        terminated=terminated,
        truncated=truncated,
        score=None if public else np.array(played.scores[1:]),
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


def recorded_actions(recorded: GameTrajectory, known: Sequence[str]) -> list[Any]:
    """The actions of a trajectory, as certificates hold them.

    Args:
        recorded: The trajectory.
        known: The names of the actions that its game has.

    Raises:
        ValueError: One is none of the game, or no JSON.
    """
    taken = [recorded.actions[code] for code in recorded.action]
    if isinstance(domain(recorded.about.domain), CodedDomain):
        return [known.index(each) for each in taken]
    return [value_of(each, f"{recorded.source}:1", "an action as JSON") for each in taken]
