"""Loads what commands are given: worlds, games, sets of games, and variants of games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, NoReturn

import typer

from mars_logic.domains import bundled_games, game_sets, games_of, load_rules, load_rules_theory
from mars_logic.domains.game import Game
from mars_logic.domains.library import names_a_game, with_choices
from mars_logic.errors import InputError
from mars_logic.file_names import name_as_text
from mars_logic.world.load import all_bundled_worlds
from mars_logic.world.theory import Theory, World

Dialect = Annotated[
    str | None,
    typer.Option(help="Puzzles: faithful to the reference, faults included, or mended."),
]
Hints = Annotated[
    str | None,
    typer.Option(help="Reactors: hints as told, mended, schematic, or none."),
]


def known_names() -> list[str]:
    """The names of all that is bundled, for completion."""
    return [*all_bundled_worlds(), *bundled_games(), *game_sets()]


def variant(name: str, dialect: str | None, hints: str | None) -> str:
    """The name of a variant of a game or of a set.

    Args:
        name: A game, a set or a file.
        dialect: What was chosen; None if nothing was.
        hints: Likewise.
    """
    chosen = {"dialect": dialect, "hints": hints}
    given = {key: value for key, value in chosen.items() if value is not None}
    return with_choices(name, given) if given else name


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


def load_two(names: tuple[str, str]) -> tuple[Theory, Theory] | tuple[Game, Game]:
    """Two worlds, or two games, or theories of these.

    Raises:
        InputError: One is a world and one is a game.
        WorldError: One cannot be loaded.
    """
    one, other = map(load_rules_theory, names)
    if isinstance(one, Game):
        return (one, other) if isinstance(other, Game) else _mixed(*names)
    return _mixed(*names[::-1]) if isinstance(other, Game) else (one, other)


def _mixed(game: str, world: str) -> NoReturn:
    message = f"'{game}' is a game, and '{world}' is a world"
    raise InputError(f"WORLD: {message}; allowed: worlds alone, or games alone")
