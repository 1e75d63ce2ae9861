"""Kept episodes of games, as their player saw them: recordings and certificates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from mars_logic.data.declared_columns import is_game_trajectory
from mars_logic.domains.certificates import (
    game_of_certificate,
    is_game_certificate,
    load_game_certificate,
    verify_game,
)
from mars_logic.domains.chance import Seeded
from mars_logic.domains.game import Game
from mars_logic.domains.recordings import recorded_lines, seen_in
from mars_logic.domains.registry import domain_of
from mars_logic.domains.space import SeenEpisode
from mars_logic.errors import InputError

_ENDINGS: Final = (".jsonl", ".json")


def _files(paths: Sequence[Path]) -> list[Path]:
    """These files, and of folders the recordings and certificates in them."""
    found: list[Path] = []
    for path in paths:
        inside = sorted(each for end in _ENDINGS for each in path.rglob(f"*{end}"))
        found += inside if path.is_dir() else [path]
    return found


def seen_episodes(paths: Sequence[Path]) -> Iterator[SeenEpisode]:
    """The episodes of games in recordings and certificates.

    Raises:
        InputError: A file is neither, or is not about a game that can be loaded.
    """
    for path in _files(paths):
        if path.suffix == ".json":
            yield certified_episode(path)
        else:
            yield from map(seen_in, recorded_lines(path))


def holds_games(paths: Sequence[Path]) -> bool:
    """Whether the first of some files is a recording, or a certificate of a game.

    Raises:
        InputError: It is a trajectory of a game, which holds numbers for training.
    """
    tables = (table for each in paths for table in sorted(each.rglob("*.parquet")))
    first = next(iter(_files(paths)), None) or next(tables, None)
    if first is None:
        return False
    if first.suffix == ".parquet" and is_game_trajectory(first):
        allowed = "certificates, as run --out writes them, or recordings (.jsonl)"
        message = "rules are not tested against trajectories of games"
        raise InputError(f"{first}:1: file: {message}; allowed: {allowed}")
    return first.suffix == ".jsonl" or is_game_certificate(first)


def certified_episode(path: Path) -> SeenEpisode:
    """The episode of a certificate, played again.

    Raises:
        InputError: It is no certificate of a game, or does not replay.
    """
    kept = load_game_certificate(path)
    game = game_of_certificate(kept, path)
    if problems := verify_game(kept, game).problems:
        raise InputError(f"{path}:1: file: {problems[0]}; allowed: a certificate that replays")
    return replayed_episode(str(path), game, kept.seed, kept.actions)


def replayed_episode(place: str, game: Game, seed: int, actions: Sequence[Any]) -> SeenEpisode:
    """The episode of some actions.

    Args:
        place: Where it stands.
        game: What was played.
        seed: Decides all random outcomes.
        actions: The actions, as JSON has them.
    """
    domain = domain_of(game)
    simulator = domain.simulator(game)
    chance = Seeded(seed)
    simulator.reset(chance)
    start, steps = simulator.observe(), []
    for action in map(domain.read_action, actions):
        simulator.step(action, chance)
        steps.append((action, simulator.observe()))
    values = getattr(simulator, "values", None)
    return SeenEpisode(place, game, start, tuple(steps), values)
