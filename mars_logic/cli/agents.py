"""The command ``agents``: who can play."""

from __future__ import annotations

import inspect
from typing import Any, Final

from mars_logic.cli.output import Json, console, print_json, print_table
from mars_logic.domains.registry import player_names

KNOWS: Final = {
    "nothing": "nothing",
    "rules": "the rules",
    "rules and state": "the rules and the whole map",
    "simulator": "the rules, the map and the future",
}
"""What agents declare to know, in words; docs/agents.md tells more."""


def agents(as_json: Json = False) -> None:
    """List the agents of worlds and the players of games.

    An agent of an installed package is listed, too. `run` takes their names.

    Example: mars-logic agents
    """
    from mars_logic.play.agent import agent_names

    rows = [_row(name) for name in agent_names()]
    games = list(player_names())
    if as_json:
        print_json({"schema": "mars-logic agents 1", "agents": rows, "players": games})
        return
    asks = {True: " (asks a language model)", False: ""}
    cells = ((row["name"], row["told"], row["about"] + asks[row["model"]]) for row in rows)
    print_table(("agent of worlds", "is told", "what it does"), cells)
    console().print(f"\nPlayers of games and puzzles: {', '.join(games)}")


def _row(name: str) -> dict[str, Any]:
    from mars_logic.play.agent import load_agent, takes

    make: Any = load_agent(name)
    about = " ".join((inspect.getdoc(make) or "").split("\n\n")[0].split()).rstrip(".")
    told = KNOWS[getattr(make, "knows", "nothing")]
    return {"name": name, "told": told, "model": takes(name, "language"), "about": about}
