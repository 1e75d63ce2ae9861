"""Loads what commands are given: worlds, games, sets of games, variants of games, beliefs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from mars_logic.cli.rule_files import load_believed
from mars_logic.domains import bundled_games, game_sets
from mars_logic.domains.game import Game
from mars_logic.domains.library import with_choices
from mars_logic.errors import InputError
from mars_logic.world.load import all_bundled_worlds, bundled_worlds
from mars_logic.world.theory import Theory

Dialect = Annotated[
    str | None,
    typer.Option(
        help="Puzzles: as in the reference, faults included, or with its faults corrected."
    ),
]
Hints = Annotated[
    str | None,
    typer.Option(help="Reactors: hints as released, corrected, schematic, or none."),
]
Assignments = Annotated[
    str | None,
    typer.Option(help="Messenger: the split that games are drawn from, or all assignments."),
]
ObservationKind = Annotated[
    str | None, typer.Option("--observation", help="Messenger: grid, text, or state.")
]
SentencesFile = Annotated[
    Path | None,
    typer.Option("--sentences", help="Messenger: make manuals of the sentences in this file."),
]
BeliefFile = Annotated[
    str | None,
    typer.Option(
        "--belief",
        help="Rules to play by, or to start learning from: a world or theory, bundled or a file, "
        "or rules as check writes them.",
        metavar="THEORY",
        autocompletion=lambda: list(bundled_worlds()),
    ),
]


def known_names() -> list[str]:
    """The names of all that is bundled, for completion."""
    return [*all_bundled_worlds(), *bundled_games(), *game_sets()]


def variant(
    name: str,
    dialect: str | None = None,
    hints: str | None = None,
    assignments: str | None = None,
    observation: str | None = None,
) -> str:
    """The name of a variant of a game or of a set.

    Args:
        name: A game, a set or a file.
        dialect: What was chosen; None if nothing was.
        hints: Likewise, as for the next two.
        assignments: See there.
        observation: See there.
    """
    chosen = {"dialect": dialect, "hints": hints}
    chosen |= {"assignments": assignments, "observation": observation}
    given = {key: value for key, value in chosen.items() if value is not None}
    return with_choices(name, given) if given else name


def with_sentences(games: Mapping[str, Game], path: Path | None) -> dict[str, Game]:
    """Games whose manuals are made of the sentences of a file.

    Raises:
        InputError: One is no game of Messenger.
    """
    if path is None:
        return dict(games)
    from mars_logic.domains.messenger.manuals import labelled_sentences
    from mars_logic.domains.messenger.rules import Messenger

    for name, game in games.items():
        if game.domain != "messenger":
            raise InputError(f"--sentences: {name} has no manual of this kind; allowed: Messenger")
        assert isinstance(game, Messenger)
        labelled_sentences(path, game.assignments)
    return {name: game.model_copy(update={"sentences": str(path)}) for name, game in games.items()}


def load_belief(source: str | None, agent: str, worlds: Iterable[Theory]) -> Theory | None:
    """The belief that an agent is given; None if none is asked for.

    Args:
        source: A bundled world, or a file.
        agent: Who is given it.
        worlds: Where it plays.

    Raises:
        InputError: The agent takes no belief, or this one is wrong, of another dialect, or with
            names that the agent does not know.
    """
    from mars_logic.experiments.settings import learns
    from mars_logic.play.agent import (
        agent_names,
        require_dialect,
        require_player,
        require_same_names,
        takes_belief,
    )

    if source is None:
        return None
    if not takes_belief(agent):
        allowed = ", ".join(name for name in agent_names() if takes_belief(name))
        raise InputError(f"--belief: the agent '{agent}' takes no belief; allowed: {allowed}")
    belief = load_believed(source)
    require_player(agent, belief)
    for world in worlds:
        require_dialect(belief, world.dynamics, source)
        if not learns(agent):  # a learner takes the names that it meets
            require_same_names(belief, world, source)
    return belief
