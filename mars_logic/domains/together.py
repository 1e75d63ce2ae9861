"""Loads several rules at once: worlds alone, or games alone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from mars_logic.domains.game import Game
from mars_logic.domains.library import games_of, names_a_game
from mars_logic.domains.load import load_rules, load_rules_theory
from mars_logic.errors import InputError
from mars_logic.system.file_names import name_as_text
from mars_logic.world.theory import Theory, World


def load_all(names: Iterable[str]) -> tuple[dict[str, World], dict[str, Game]]:
    """Worlds, or games, by the names by which they can be loaded again; sets of games are resolved.

    Raises:
        InputError: Some are worlds and some are games.
        WorldError: One cannot be loaded.
    """
    each = [one for name in names for one in (games_of(name) if names_a_game(name) else (name,))]
    loaded = {name_as_text(name): load_rules(name) for name in each}
    worlds = {name: rules for name, rules in loaded.items() if isinstance(rules, World)}
    games = {name: rules for name, rules in loaded.items() if isinstance(rules, Game)}
    if worlds and games:
        _mixed(next(iter(games)), next(iter(worlds)))
    return worlds, games


def load_two(
    names: tuple[str, str],
) -> tuple[tuple[Theory, Theory] | None, tuple[Game, Game] | None]:
    """Two worlds, or two games, or theories of these.

    Raises:
        InputError: One is a world and one is a game.
        WorldError: One cannot be loaded.
    """
    one, other = map(load_rules_theory, names)
    if isinstance(one, Game) and isinstance(other, Game):
        return None, (one, other)
    if isinstance(one, Game) or isinstance(other, Game):
        return _mixed(*(names if isinstance(one, Game) else names[::-1]))
    return (one, other), None


def load_one(name: str) -> tuple[World | None, Game | None]:
    """A world, or a game.

    Raises:
        WorldError: It cannot be loaded.
    """
    loaded = load_rules(name)
    return (None, loaded) if isinstance(loaded, Game) else (loaded, None)


def load_if_game(name: str | Path) -> Game | None:
    """A game, or a theory of one; None if the name means something of a world.

    Raises:
        WorldError: It cannot be loaded.
    """
    loaded = load_rules_theory(name)
    return loaded if isinstance(loaded, Game) else None


def _mixed(game: str, world: str) -> NoReturn:
    message = f"'{game}' is a game, and '{world}' is a world"
    raise InputError(f"WORLD: {message}; allowed: worlds alone, or games alone")
