"""The command ``scoreboard``: our players of a benchmark beside the published ones."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.conan_corpora import Choices, WalkStart
from mars_logic.cli.game_runs import refuse
from mars_logic.cli.language_model import (
    Endpoint,
    ExchangesFolder,
    LanguageFile,
    LanguageOptions,
    ModelName,
    ReplayFolder,
)
from mars_logic.cli.output import (
    Json,
    Workers,
    make_folder,
    print_json,
    progress,
    require_matplotlib,
    say,
    write_answer,
)
from mars_logic.cli.state_ranking import onelife_board
from mars_logic.errors import InputError
from mars_logic.processes import cores

if TYPE_CHECKING:
    from mars_logic.language.settings import LanguageSettings

_CHART = "scores.png"
_BENCHMARKS = ("rulearn", "smartplay", "conan", "mars", "onelife")
_PUZZLES = ("rulearn/all",)
_SMARTPLAY = (
    "Brackets hold intervals of 95 % by a bootstrap over n episodes. Rows in bold are ours, the "
    "others published (SmartPlay, ICLR 2024). The learner is told the manual alone; in Crafter it "
    "starts from no rules and learns in two episodes before those that count. The oracle is told "
    "rules and state. Crafter's score sums the achievements unlocked so far over all steps until "
    "death or the 10,000th, so that it measures survival: a player that unlocks everything early "
    "and lives on gets about 200,000, seventy times the human score. Minecraft cannot be run here; "
    "in its column we play biome navigation on maps of our own, whose scores are not comparable "
    "with the published ones, and neither are capability scores that contain it."
)


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
    choices: Annotated[
        Choices | None, typer.Option(help="conan: how choices are drawn; standard by default.")
    ] = None,
    explorer: Annotated[
        str | None,
        typer.Option(
            help="conan: how scenes are explored, as in detect; nearest by default.",
            metavar="EXPLORER",
        ),
    ] = None,
    start: Annotated[
        WalkStart | None, typer.Option(help="conan: where; in the centre by default.")
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
    if benchmark not in _BENCHMARKS:
        allowed = ", ".join(_BENCHMARKS)
        raise InputError(f"scoreboard: there is no benchmark '{benchmark}'; allowed: {allowed}")
    asking = LanguageOptions(language, model, endpoint, exchanges, replay)
    of_conan = {"scenes": scenes, "choices": choices, "explorer": explorer, "start": start}
    of_others = {"agents": agents, "games": games, "episodes": episodes}
    if benchmark != "conan":
        refuse(of_conan, "with conan")
    if benchmark == "onelife":
        refuse({"puzzles": puzzles, "players": players}, "with rulearn")
        refuse({"agents": agents, "episodes": episodes}, "with smartplay and mars")
        refuse(asking.stated(), "with others")
        onelife_board(_required(out), games, workers or cores(), as_json=as_json)
        return
    if benchmark == "smartplay":
        refuse({"puzzles": puzzles, "players": players}, "with rulearn")
        _smartplay(out, agents, games, episodes, _model(asking), as_json)
    else:
        if benchmark != "mars":
            refuse(of_others, "with smartplay and mars")
        out = _required(out)
        if benchmark == "mars":
            from mars_logic.cli.mars_board import scoreboard_of_mars

            refuse({"puzzles": puzzles, "players": players}, "with rulearn")
            found = _model(asking) or asking.settings()
            scoreboard_of_mars(
                out, agents, games, episodes, workers, found, exchanges, as_json=as_json
            )
            return
        if benchmark == "conan":
            from mars_logic.cli.conan_board import conan_board

            refuse({"puzzles": puzzles, "players": players}, "with rulearn")
            walk = explorer or "nearest", (start or WalkStart.centre).value
            drawn = (choices or Choices.standard).value
            told = _model(asking)
            conan_board(out, scenes or 100, drawn, walk, workers or cores(), told, as_json=as_json)
            return
        require_matplotlib("--out")
        _rulearn(
            out,
            puzzles,
            players,
            seeds,
            workers or cores(),
            asking.settings(),
            orders=orders,
            as_json=as_json,
        )


def _required(out: Path | None) -> Path:
    """The folder of a scoreboard that keeps its episodes.

    Raises:
        InputError: None is named.
    """
    if out is None:
        raise InputError("--out: episodes have to be kept somewhere; allowed: a folder")
    return out


def _model(asking: LanguageOptions) -> LanguageSettings | None:
    """Settings of the language model that takes part; None if none is named.

    Raises:
        InputError: Something about a model is stated, and none is named.
    """
    named = asking.settings()
    if named.model is None:
        refuse(asking.stated(), "with --model")
        return None
    return named


def _smartplay(
    out: Path | None,
    agents: str | None,
    games: str | None,
    episodes: int | None,
    language: LanguageSettings | None,
    as_json: bool,
) -> None:
    from mars_logic.experiments import smartplay_board as board
    from mars_logic.experiments.plots import as_png
    from mars_logic.experiments.smartplay_page import board_json, board_of, page
    from mars_logic.experiments.smartplay_plot import normalised_chart
    from mars_logic.files import write_atomically

    known = tuple(each for each in board.CONTESTANTS if language or each != board.MODEL)
    contestants = board.chosen(agents, known, "--agents")
    columns = board.chosen(games, tuple(board.TRIALS), "--games")
    many = board.total(contestants, columns, episodes)
    if not many:
        raise InputError("--agents: none of them plays any of these games; allowed: others")
    if out is not None:
        require_matplotlib("--out")
        make_folder(out)
    with progress() as shown:
        bar = shown.add_task("smartplay", total=many)
        folder = out / "episodes" if out else None
        about = contestants, columns, episodes, folder, lambda: shown.advance(bar), language
        named = (language.model if language else None) or board.MODEL
        found = board_of(
            replace(each, contestant=named) if each.contestant == board.MODEL else each
            for each in board.cells(*about)
        )
    contestants = [named if each == board.MODEL else each for each in contestants]
    text = page(found, contestants, columns)
    if out is not None:
        words = ["mars-logic scoreboard smartplay", *(["--agents", agents] if agents else [])]
        words += ["--games", games] if games else []
        words += ["--episodes", str(episodes)] if episodes else []
        head = f"# Scoreboard of SmartPlay\n\nMade by `{' '.join(words)}`. {_SMARTPLAY}\n"
        head += f"\n![Normalised scores by game]({_CHART})\n"
        write_answer(out / "README.md", head + text)
        write_atomically(out / _CHART, as_png(normalised_chart(found, contestants, columns)))
    if as_json:
        document: Any = {"schema": "mars-logic scoreboard 1", "benchmark": "smartplay"}
        print_json(document | board_json(found, contestants, columns))
    else:
        print(text)


def _rulearn(
    out: Path,
    puzzles: list[str] | None,
    players: list[str] | None,
    seeds: int,
    workers: int,
    settings: LanguageSettings | None,
    *,
    orders: bool,
    as_json: bool,
) -> None:
    from mars_logic.experiments.plots import as_png, chart
    from mars_logic.experiments.puzzle_runs import BY_NAME, CONTESTANTS, played_units, puzzle_units
    from mars_logic.experiments.puzzle_scoreboard import report, solved_chart
    from mars_logic.files import write_atomically

    asked = (settings.model or "") if settings else ""
    chosen = players or [each.name for each in CONTESTANTS if asked or not each.asks]
    if unknown := [each for each in chosen if each not in BY_NAME]:
        message = f"there is no contestant '{unknown[0]}'"
        raise InputError(f"--players: {message}; allowed: {', '.join(BY_NAME)}")
    contestants = [each for each in CONTESTANTS if each.name in chosen]
    for each in contestants:
        if each.asks and not asked:
            message = f"'{each.name}' needs a language model"
            raise InputError(f"--model: {message}; allowed: --model NAME, or other --players")
    units = puzzle_units(puzzles or _PUZZLES, contestants, seeds, orders=orders, model=asked)
    if not units:
        raise InputError("scoreboard: no chosen player plays these puzzles; allowed: other players")
    make_folder(out)
    start = time.perf_counter()
    with progress() as shown:
        bar = shown.add_task("rulearn", total=len(units))
        episodes = played_units(
            units, out, workers, lambda: shown.advance(bar), settings if asked else None
        )
    text = f"# Scoreboard of rulearn\n\n{_about()}\n\n{report(episodes)}"
    write_answer(out / "README.md", text)
    write_atomically(out / "solved.png", as_png(chart(solved_chart(episodes))))
    say(f"{len(units)} episodes, {time.perf_counter() - start:.0f} s with {workers} processes")
    if as_json:
        found: Any = [asdict(each) for each in episodes.values()]
        print_json({"schema": "mars-logic scoreboard 1", "benchmark": "rulearn", "episodes": found})
    else:
        print(text)


def _about() -> str:
    return (
        "Made by `mars-logic scoreboard`. Shares are of puzzles solved, with Wilson intervals of "
        "95 %; steps are means of solved puzzles, with intervals over seeds where several were "
        "played. The winning action is not counted. Published: the paper's first version, tables "
        "of the reference's repository (csv), and these with a right 12th code of an escape room "
        "counted as a solution; people had one step more. Ours: idea finds out the rule; told is "
        "given it; baseline supposes nothing."
    )
