"""Options of commands about games of Messenger."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from mars_logic.domains.game import Game
from mars_logic.errors import InputError

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
