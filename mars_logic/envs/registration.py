"""The names under which Gymnasium finds the worlds and games."""

from __future__ import annotations

from typing import Any

import gymnasium

from mars_logic.domains.library import bundled_games
from mars_logic.world.load import all_bundled_worlds

_WORLD: dict[str, Any] = {
    "entry_point": "mars_logic.envs.env:WorldEnv",
    "vector_entry_point": "mars_logic.envs.vector:WorldVectorEnv",
}
_GAME: dict[str, Any] = {"entry_point": "mars_logic.envs.simulator_env:GameEnv"}
_DETECTIVE: dict[str, Any] = {
    "entry_point": "mars_logic.envs.detective:DetectiveEnv",
    "vector_entry_point": "mars_logic.envs.detective:DetectiveVectorEnv",
}
_PUZZLE: dict[str, Any] = {"entry_point": "mars_logic.envs.family_env:PuzzleEnv"}
PUZZLE_FAMILIES = ("function_operator", "escape_room", "reactor")
"""The domains with an environment each, of which a reset chooses the puzzle."""


def environment_id(name: str) -> str:
    """Gymnasium's name of a bundled world or game: ``mars_logic/TaskDep-v0`` for ``task_dep``."""
    parts = (part[:1].upper() + part[1:] for part in name.split("_"))
    return f"mars_logic/{''.join(parts)}-v0"


def register() -> None:
    """Register all bundled worlds and games, the families of puzzles, and Conan's detective.

    ``mars_logic/World-v0`` takes any ``world``, and ``mars_logic/Game-v0`` any ``game``. What is
    registered already stays as it is.
    """
    for name in all_bundled_worlds():
        _register(name, _WORLD, bundled=name)
    for name in bundled_games():
        _register(name, _GAME, bundled=name)
    for family in PUZZLE_FAMILIES:
        _register(family, _PUZZLE, family=family)
    _register("conan_detective", _DETECTIVE)
    _register("world", _WORLD, world=None)  # None says what is missing
    _register("game", _GAME, game=None)


def _register(name: str, entry_points: dict[str, Any], **given: Any) -> None:
    if environment_id(name) not in gymnasium.registry:
        gymnasium.register(environment_id(name), kwargs=given, **entry_points)
