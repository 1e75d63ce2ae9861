"""The command ``run``: agents play episodes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from mars_logic.cli.output import Json, console, make_folder, print_json, progress
from mars_logic.world.load import bundled_worlds, load_world


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("run")(run)


def _agents() -> list[str]:
    from mars_logic.agent import agent_names

    return list(agent_names())


def run(
    agent: Annotated[
        str, typer.Argument(help="Who plays.", metavar="AGENT", autocompletion=_agents)
    ],
    worlds: Annotated[
        list[str],
        typer.Argument(
            help="Bundled worlds or world files.",
            metavar="WORLD...",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    episodes: Annotated[int, typer.Option(min=1, help="Episodes in each world.")] = 10,
    seed: Annotated[
        int, typer.Option(min=0, max=2**60, help="Episode i uses environment seed SEED + i.")
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option(help="Keep each episode as a certificate here; a later run goes on there."),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(help="Keep what the agent saw of each episode here, as a trajectory."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Let an agent play, and sum up rewards, success rates and score.

    Score is the geometric mean of the success rates in percent; complete is the share of episodes
    that reached everything that can be reached on their map without a finite chance.
    With --out, episodes that are there already are not played again.

    Example: mars-logic run random default all_three --episodes 20 --out runs
    """
    from mars_logic.agent import load_agent
    from mars_logic.runs import Run

    make_agent = load_agent(agent)
    loaded = {name: load_world(name) for name in worlds}
    for folder in filter(None, (out, record)):
        make_folder(folder)
    results: dict[str, Any] = {}
    with progress() as shown:
        bars = {name: shown.add_task(name, total=episodes) for name in loaded}
        for name, world in loaded.items():
            played = Run(agent, make_agent, world, name, out, record)
            for i in range(episodes):
                played.add(seed + i)
                shown.advance(bars[name])
            results[name] = played.summary()
    if as_json:
        print_json({"schema": "mars-logic run 1", "agent": agent, "worlds": results})
    else:
        _print_tables(results)


def _print_tables(results: dict[str, Any]) -> None:
    from rich.table import Table

    totals = Table("world", "episodes", "reward", "score", "complete", box=None)
    for name, found in results.items():
        reward = f"{found['reward']['mean']:.2f} ± {found['reward']['std']:.2f}"
        score, complete = f"{found['score']:.1f} %", f"{found['complete']:.0%}"
        totals.add_row(name, str(len(found["episodes"])), reward, score, complete)
    console().print(totals)
    rates = Table("success rate", *results, box=None)
    names = dict.fromkeys(name for found in results.values() for name in found["success"])
    for achievement in names:
        shares = [found["success"].get(achievement) for found in results.values()]
        rates.add_row(achievement, *("" if s is None else f"{s:.0%}" for s in shares))
    console().print()
    console().print(rates)
