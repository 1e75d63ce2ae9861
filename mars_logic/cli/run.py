"""The command ``run``: agents play episodes."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from mars_logic.cli.belief import BeliefFile, load_belief
from mars_logic.cli.output import Json, Length, console, make_folder, print_json, progress
from mars_logic.errors import InputError
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
    length: Length = None,
    belief: BeliefFile = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Keep each episode as a certificate here; a later run goes on there."),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(help="Keep each episode as a trajectory (Parquet) here."),
    ] = None,
    public: Annotated[
        bool,
        typer.Option("--public", help="Leave out of trajectories what no agent may know."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Let an agent play, and sum up rewards, success rates and score.

    Score is the geometric mean of the success rates in percent; complete is the share of episodes
    that reached everything that can be reached on their map without a finite chance. What is
    proved unreachable on a map does not count against the rate. With --out, episodes that are there
    already are not played again; times are of those played now, and no part of the JSON.

    Agents are told what they declare to know: nothing (random, inductive), the true rules but no
    map (informed), rules and map (oracle), or these and the future (clairvoyant).

    Example: mars-logic run random default all_three --episodes 20 --out runs
    """
    from mars_logic.agent import load_agent
    from mars_logic.privileges import given, marked
    from mars_logic.runs import Run
    from mars_logic.summaries import milliseconds, summary

    if public and record is None:
        raise InputError("--public: there is no recording; allowed: with --record")
    make: Any = load_agent(agent)
    loaded = {name: load_world(name) for name in worlds}
    rules = load_belief(belief, agent, loaded.values())
    digest = rules.digest if rules is not None else None
    told = given(agent, belief=digest)
    make_agent = make if rules is None else partial(make, belief=rules)
    for folder in filter(None, (out, record)):
        make_folder(folder)
    results: dict[str, Any] = {}
    times: dict[str, float | None] = {}
    with progress() as shown:
        bars = {name: shown.add_task(name, total=episodes) for name in loaded}
        for name, world in loaded.items():
            about = agent, make_agent, world, name, out, record, public
            played = Run(*about, limit=length, belief=rules)
            for i in range(episodes):
                played.add(seed + i)
                shown.advance(bars[name])
            results[name] = summary(played.results, world)
            times[name] = milliseconds(played.results)
    if as_json:
        about_agent = {"agent": agent, "belief": digest, "given": told}
        print_json({"schema": "mars-logic run 1", **about_agent, "worlds": results})
    else:
        _print_totals(results, times)
        if told:
            print(marked(agent, told))
        _print_rates(results)
        _print_luck(results)


def _print_totals(results: dict[str, Any], times: dict[str, float | None]) -> None:
    from rich.table import Table

    table = Table("world", "episodes", "reward", "score", "complete", "ms per decision", box=None)
    for name, found in results.items():
        reward = f"{found['reward']['mean']:.2f} ± {found['reward']['std']:.2f}"
        score, complete = f"{found['score']:.1f} %", f"{found['complete']:.0%}"
        took = times[name]
        shown = "" if took is None else f"{took:.1f}"
        table.add_row(name, str(len(found["episodes"])), reward, score, complete, shown)
    console().print(table)


def _print_rates(results: dict[str, Any]) -> None:
    """Success rates, each with the median step and its quartiles."""
    from rich.table import Table

    table = Table("success rate, median step (quartiles)", *results, box=None)
    names = dict.fromkeys(name for found in results.values() for name in found["success"])
    for achievement in names:
        cells = [_rate(found, achievement) for found in results.values()]
        table.add_row(achievement, *cells)
    console().print()
    console().print(table)


def _rate(found: dict[str, Any], achievement: str) -> str:
    if achievement not in found["success"]:
        return ""
    rate, steps = found["success"][achievement], found["steps"].get(achievement)
    if rate is None:
        return "proved unreachable"
    when = f", {steps['median']:g} ({steps['low']:g}–{steps['high']:g})" if steps else ""
    barred = found["unreachable"].get(achievement)
    return f"{rate:.0%}{when}" + (f", unreachable on {barred}" if barred else "")


def _print_luck(results: dict[str, Any]) -> None:
    """What only a finite chance gives, beside what to expect of it."""
    from rich.table import Table

    rows = [(name, *pair) for name, found in results.items() for pair in found["luck"].items()]
    if not rows:
        return
    heads = ("left to luck", "episodes", "rate", "expected of the tries made", "at most")
    table = Table("world", *heads, box=None)
    for name, achievement, luck in rows:
        expected = "unknown"
        if luck["expected"] is not None:
            low, high = luck["interval"]
            expected = f"{luck['expected']:.0%} (95 % interval {low:.0%}–{high:.0%})"
        shares = (f"{luck['rate']:.0%}", expected, f"{luck['at_most']:.0%}")
        table.add_row(name, achievement, str(luck["episodes"]), *shares)
    console().print()
    console().print(table)
