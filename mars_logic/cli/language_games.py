"""Games that a language model plays, through an agent that is registered for worlds and games."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mars_logic.cli.game_runs import run_games
from mars_logic.cli.language_model import print_counts

if TYPE_CHECKING:
    from mars_logic.domains.game import Game
    from mars_logic.language.settings import LanguageSettings


def plays_games(agent: str) -> bool:
    """Whether an agent that a language model plays can play games, too."""
    from mars_logic.play.agent import agent_names, load_agent

    return agent in agent_names() and getattr(load_agent(agent), "plays_games", False)


def run_language_games(
    agent: str,
    games: Mapping[str, Game],
    settings: LanguageSettings,
    *,
    episodes: int,
    seed: int,
    options: Mapping[str, Any],
    out: Path | None,
    explain: bool,
    as_json: bool,
) -> None:
    """Let a language model play games, and sum up its results.

    Every exchange is kept, in a file for each episode.

    Raises:
        InputError: No model is named, or it gave no reply.
    """
    from mars_logic.language.session import summed
    from mars_logic.play.agent import load_agent

    make: Any = load_agent(agent)
    seats = {
        name: make(
            language=settings.model_copy(update={"session": f"{game.name}__{agent}"}), **options
        )
        for name, game in games.items()
    }
    run_games(
        *(agent, games, episodes, seed),
        prior=None,
        belief=None,
        learn=False,
        noise=0.0,
        out=out,
        record=None,
        public=False,
        explain=explain,
        as_json=as_json,
        options={"model": settings.model or "", **options},
        seats=seats,
    )
    counts = [seat.counts for seat in seats.values() if seat.counts is not None]
    if counts and not as_json:
        print_counts(summed(counts), settings)
