"""The command ``scoreboard``: our players of a benchmark beside the published ones."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from mars_logic.cli.language_model import (
    Endpoint,
    ExchangesFolder,
    LanguageFile,
    LanguageOptions,
    ModelName,
    ReplayFolder,
)
from mars_logic.cli.output import Json, Workers, refuse
from mars_logic.cli.scoreboards.asked import BoardRequest
from mars_logic.domains.conan.commands.corpora import Choices, CorpusSeed, WalkStart
from mars_logic.errors import InputError

_LANGUAGE: Final = "a language model"
_TAKES: Final[Mapping[str, tuple[str, ...]]] = {
    "rulearn": ("puzzles", "players", _LANGUAGE),
    "smartplay": ("agents", "games", "episodes", _LANGUAGE),
    "conan": ("scenes", "seed", "choices", "explorer", "start", _LANGUAGE),
    "mars": ("agents", "games", "episodes", _LANGUAGE),
    "onelife": ("games",),
}
"""By benchmark, a module of :mod:`mars_logic.cli.scoreboards`: the options that it takes."""


def scoreboard(
    benchmark: Annotated[
        str,
        typer.Argument(
            help="The benchmark: rulearn, smartplay, conan, mars or onelife.", metavar="BENCHMARK"
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Keep episodes and tables here; a later run goes on."),
    ] = None,
    agents: Annotated[
        str | None,
        typer.Option(help="smartplay, mars: agents, separated by commas; by default all."),
    ] = None,
    games: Annotated[
        str | None,
        typer.Option(help="smartplay, mars, onelife: games or worlds, with commas; or all."),
    ] = None,
    episodes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=100_000,
            help="smartplay, mars: episodes of each game; by default as in the paper.",
        ),
    ] = None,
    puzzles: Annotated[
        list[str] | None, typer.Option(help="rulearn: puzzles or sets of them; by default all.")
    ] = None,
    players: Annotated[
        list[str] | None,
        typer.Option(
            help="rulearn: contestants, such as idea; by default all, those that ask a language "
            "model if one is named."
        ),
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, max=100, help="rulearn: seeds of each player.")] = 5,
    orders: Annotated[
        bool,
        typer.Option(
            "--orders/--no-orders", help="rulearn: escape rooms with digits in all six orders."
        ),
    ] = True,
    scenes: Annotated[
        int | None,
        typer.Option(min=1, max=50_000, help="conan: how many scenes; 100 by default."),
    ] = None,
    seed: CorpusSeed = None,
    choices: Annotated[
        Choices | None, typer.Option(help="conan: how choices are drawn; standard by default.")
    ] = None,
    explorer: Annotated[
        list[str] | None,
        typer.Option(
            help="conan: how scenes are explored, as in detect; several times: by each; nearest by "
            "default.",
            metavar="EXPLORER",
        ),
    ] = None,
    start: Annotated[
        list[WalkStart] | None,
        typer.Option(
            help="conan: where walks start, once or for each explorer; centre by default."
        ),
    ] = None,
    workers: Workers = None,
    model: ModelName = None,
    endpoint: Endpoint = None,
    language: LanguageFile = None,
    exchanges: ExchangesFolder = None,
    replay: ReplayFolder = None,
    as_json: Json = False,
) -> None:
    """Play a benchmark and compare with published results.

    Written are README.md with the tables, and the episodes, which are not played again: of rulearn
    a line each, with solved.png, the share solved by step; of smartplay a certificate each, with
    scores.png; of conan scenes, questions and detections; of mars what experiment writes; of
    onelife the result of each model and seed. Tables of rulearn have all episodes that the folder
    holds.

    The contestants of smartplay are random; names (in Messenger: reads roles off names); learner
    (told the manual alone: it reads, plans or learns); oracle (told the rules and the state); and
    model, if a language model is named, which has the paper's history of each game.
    Its Minecraft is played by a stand-in, biome navigation, whose scores are not comparable.
    Players of rulearn whose names end in _llm take part where a language model is named. In conan,
    detectives explore scenes that are made, and answer; so does a language model, if one is named,
    from a log of what was seen. Those of mars are random, informed, oracle and inductive and, with
    a model, the Mars paper's five; language table first tells what these cost. In onelife, given
    and learned rules rank the next states of scenarios, as score --protocol onelife does.

    Example: mars-logic scoreboard smartplay --agents random,learner --games Bandits,Hanoi -o board
    """
    if benchmark not in _TAKES:
        allowed = ", ".join(_TAKES)
        raise InputError(f"scoreboard: there is no benchmark '{benchmark}'; allowed: {allowed}")
    about: dict[str, Any] = {"agents": agents, "games": games, "episodes": episodes}
    about |= {"puzzles": puzzles, "players": players, "scenes": scenes}
    about |= {"seed": seed, "choices": choices and choices.value, "explorer": explorer or None}
    about["start"] = [each.value for each in start or ()] or None
    asking = LanguageOptions(language, model, endpoint, exchanges, replay)
    for option, value in (about | asking.stated()).items():
        name = option if option in about else _LANGUAGE
        if name not in _TAKES[benchmark]:
            takers = (each for each, takes in _TAKES.items() if name in takes)
            refuse({option: value}, f"with {', '.join(takers)}")
    request = BoardRequest(
        benchmark,
        out,
        seeds=seeds,
        orders=orders,
        workers=workers,
        language=asking,
        as_json=as_json,
        **about,
    )
    importlib.import_module(f"mars_logic.cli.scoreboards.{benchmark}").play(request)
