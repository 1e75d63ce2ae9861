"""Reads trajectories of worlds and of games, which their files tell apart."""

from __future__ import annotations

from pathlib import Path

from mars_logic.data import store
from mars_logic.data.collection import Trajectories
from mars_logic.data.declared_columns import (
    GameTrajectory,
    is_game_trajectory,
    load_game_trajectory,
)
from mars_logic.data.trajectory import Trajectory
from mars_logic.errors import InputError


def load(path: str | Path) -> Trajectory | GameTrajectory:
    """Read the trajectory of one episode, and check that it is complete and well formed.

    Raises:
        InputError: The file is missing, truncated, no trajectory of a version known here, or holds
            several episodes.
    """
    return load_game_trajectory(path) if is_game_trajectory(Path(path)) else store.load(path)


def load_all(*paths: str | Path) -> Trajectories | tuple[GameTrajectory, ...]:
    """Read files, and the files of folders in the order of their names.

    Returns:
        The episodes of worlds as one collection; those of games one by one.

    Raises:
        InputError: A file is missing, truncated, or no trajectory of a version known here; there is
            none in a folder; some are of worlds and some of games; or dialects of worlds differ.
    """
    files = [file for path in paths for file in store.files_in(Path(path))]
    games = [file for file in files if is_game_trajectory(file)]
    if not games:
        return store.load_all(*files)
    if worlds := [file for file in files if file not in games]:
        message = f"this is of a world, and {games[0]} of a game"
        raise InputError(f"{worlds[0]}:1: schema: {message}; allowed: worlds alone, or games alone")
    return tuple(map(load_game_trajectory, games))
