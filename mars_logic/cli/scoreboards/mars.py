"""The tables of the Mars paper: what they cost, their play, and their page."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from mars_logic.cli.experiment import carry_out, here
from mars_logic.cli.language_model import (
    Endpoint,
    ExchangesFolder,
    LanguageFile,
    LanguageOptions,
    ModelName,
    ReplayFolder,
)
from mars_logic.cli.output import Json, Workers, print_json, say, write_answer
from mars_logic.cli.scoreboards.asked import BoardRequest
from mars_logic.errors import InputError

if TYPE_CHECKING:
    from mars_logic.experiments.spec import Spec
    from mars_logic.language.settings import LanguageSettings

_TABLES = ("mars",)
OURS = ("random", "informed", "oracle", "inductive")
"""The agents that take part where no language model is named."""


def table(
    name: Annotated[str, typer.Argument(help="The table: mars.", metavar="TABLE")],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Keep play and table here; a later run goes on.")
    ],
    agents: Annotated[
        str | None, typer.Option(help="Agents, separated by commas; by default the paper's five.")
    ] = None,
    games: Annotated[
        str | None, typer.Option(help="Worlds, with commas; by default all eight.")
    ] = None,
    episodes: Annotated[
        int, typer.Option(min=1, max=100_000, help="Number of evaluated episodes in each world.")
    ] = 9,
    lessons: Annotated[
        int, typer.Option(min=1, max=100_000, help="Number of learning episodes before these.")
    ] = 5,
    length: Annotated[
        int, typer.Option(min=1, max=10_000, help="Steps of an episode, at most.")
    ] = 1000,
    yes: Annotated[bool, typer.Option("--yes", help="Go on without asking.")] = False,
    workers: Workers = None,
    model: ModelName = None,
    endpoint: Endpoint = None,
    language: LanguageFile = None,
    exchanges: ExchangesFolder = None,
    replay: ReplayFolder = None,
    as_json: Json = False,
) -> None:
    """Make Tables 2 and 3 of the Mars paper for a model.

    First it tells what that costs, and asks whether to go on. Agents play nine episodes in each of
    eight worlds, after five of learning where they learn; given_rules, of Table 3, is told the
    rules. The same command goes on where it was interrupted or its budget ended. Written are
    README.md, with the published numbers beside, and a folder of results as experiment makes it.

    Example: mars-logic language table mars -o table --model gpt-4o-mini
    """
    from mars_logic.experiments.scoreboards import mars as board
    from mars_logic.language.settings import require_model

    if name not in _TABLES:
        allowed = ", ".join(_TABLES)
        raise InputError(f"TABLE: there is no table '{name}'; allowed: {allowed}")
    settings = LanguageOptions(language, model, endpoint, exchanges, replay).settings()
    require_model("table", settings)
    who = board.chosen_agents(agents, board.PAPER)
    spec = board.mars_spec(who, games, settings, trials=episodes, lessons=lessons, length=length)
    _require_consent(spec, settings, yes)
    play_table(spec, out, workers, settings, exchanges, as_json=as_json)


def play(asked: BoardRequest) -> None:
    """The same table with our agents that ask no model, and those that do if one is named.

    Raises:
        InputError: A name is unknown, or an agent asks a model and none is named.
    """
    from mars_logic.experiments.scoreboards import mars as board

    settings = asked.model() or asked.language.settings()
    usual = (*OURS, *board.PAPER) if settings.model else OURS
    who = board.chosen_agents(asked.agents, usual)
    spec = board.mars_spec(who, asked.games, settings, trials=asked.episodes)
    exchanges = asked.language.exchanges
    play_table(spec, asked.folder, asked.workers, settings, exchanges, as_json=asked.as_json)


def play_table(
    spec: Spec,
    out: Path,
    workers: int | None,
    settings: LanguageSettings,
    exchanges: Path | None,
    *,
    as_json: bool,
) -> None:
    """Play what is missing of a table, then write and print it.

    Raises:
        InputError: The folder holds something else.
        typer.Exit: It was interrupted, or some of it failed.
    """
    from mars_logic.experiments.results import read
    from mars_logic.experiments.scoreboards import mars as board

    _let_key_be_sent(settings)
    who = [each.label for each in spec.agents]

    def page() -> None:
        try:
            rows = read(out)
        except InputError:  # nothing is done yet
            rows = []
        text = board.page(rows, who)
        about = f"# Tables of the Mars paper\n\nLanguage model: {settings.model or 'none'}.\n\n"
        write_answer(out / "README.md", about + text)
        if as_json:
            told: dict[str, Any] = {"schema": "mars-logic scoreboard 1", "benchmark": "mars"}
            print_json(told | {"model": settings.model, "rows": board.table_json(rows, who)})
        else:
            print(text)

    def outcomes(missing: Any) -> Any:
        return here(missing, workers)

    carry_out(spec, Path(), out, outcomes, exchanges, as_json=as_json, page=page)


def _require_consent(spec: Spec, settings: LanguageSettings, yes: bool) -> None:
    """Tell what a table costs, and ask whether to go on.

    Raises:
        InputError: Nobody can be asked.
        typer.Abort: The answer is no.
    """
    from mars_logic.experiments.scoreboards.mars import asking_costs
    from mars_logic.language.chat import TokenUsage
    from mars_logic.language.spending import cost

    costs = asking_costs(spec, settings)
    for each in costs:
        say(
            f"{each.agent}: {each.episodes} episodes, about {each.requests:,} requests, "
            f"{each.prompt:,} tokens read, at most {each.written:,} written"
        )
    usage = TokenUsage(sum(each.prompt for each in costs), sum(each.written for each in costs))
    line = f"In all about {sum(each.requests for each in costs):,} requests, "
    line += f"{usage.prompt:,} tokens read, at most {usage.completion:,} written"
    if settings.prices:
        line += f", a cost of at most {cost(usage, settings.prices):,.2f}"
    say(f"{line}. Episodes that end early cost less; what is kept is not asked for again.")
    if yes or settings.replay is not None:
        return
    if not sys.stdin.isatty():
        raise InputError("--yes: there is no terminal to ask on whether to go on; allowed: --yes")
    typer.confirm("Go on?", abort=True, err=True)


def _let_key_be_sent(settings: LanguageSettings) -> None:
    """Let processes send the key to the endpoint, which the command line names."""
    from mars_logic.language.settings import KEY_HOSTS

    if settings.endpoint is not None:
        host = urlsplit(settings.endpoint).hostname or ""
        os.environ[KEY_HOSTS] = f"{os.environ.get(KEY_HOSTS, '')} {host}".strip()
