"""Options of commands that let language models play, and what is printed of their answers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.output import say, say_wrong
from mars_logic.errors import InputError

if TYPE_CHECKING:
    from mars_logic.domains.base import Domain
    from mars_logic.domains.game import Game
    from mars_logic.language.chat import BudgetReachedError
    from mars_logic.language.session import AnswerCounts
    from mars_logic.language.settings import LanguageSettings

ModelName = Annotated[
    str | None,
    typer.Option(
        "--model", help="The language model that plays, or scripted:FILE.", metavar="NAME"
    ),
]
Endpoint = Annotated[
    str | None,
    typer.Option(help="Address of an OpenAI-compatible endpoint.", metavar="URL"),
]
LanguageFile = Annotated[
    Path | None,
    typer.Option("--language", help="Settings of the language model (YAML).", metavar="FILE"),
]
ExchangesFolder = Annotated[
    Path | None,
    typer.Option(
        "--exchanges",
        help="Keep all exchanges here (by default in ./exchanges), and reuse those that are there.",
        metavar="FOLDER",
    ),
]
ReplayFolder = Annotated[
    Path | None,
    typer.Option("--replay", help="Answer from these exchanges alone, offline.", metavar="FOLDER"),
]
AgentOptions = Annotated[
    list[str] | None,
    typer.Option("--option", help="An option of the agent's class.", metavar="NAME=VALUE"),
]
_OWN = ("belief", "language", "trust")
"""Options of agents' classes that have options of the command line of their own."""


def agent_options(
    agent: str, stated: list[str], others: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, Any]:
    """Options of an agent's class, as ``NAME=VALUE``; a value is plain YAML.

    Args:
        agent: As it is registered.
        stated: The options as they are written.
        others: Options that are known already.

    Raises:
        InputError: One is not of that form, unknown, missing or wrong.
    """
    from mars_logic.experiments.settings import wrong_options

    found: dict[str, Any] = {**others, **stated_options(stated)}
    for (_, name), message, allowed in wrong_options(agent, found):
        raise InputError(f"--option: {name}: {message}; allowed: {allowed}")
    return found


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def stated_options(stated: list[str]) -> dict[str, Any]:
    """Options as ``NAME=VALUE``; a value is plain YAML.

    Raises:
        InputError: One is not of that form.
    """
    from mars_logic.world.problems import WorldError
    from mars_logic.world.source import value_of

    found: dict[str, Any] = {}
    for each in stated:
        name, sign, value = each.partition("=")
        if not sign or name in _OWN:
            raise InputError(f"--option: '{each}' is no option; allowed: NAME=VALUE")
        try:
            found[name] = value_of(value, "--option")
        except WorldError:
            if not _is_text(value):  # the name of a file may have bytes that are no UTF-8
                found[name] = value
                continue
            raise InputError(
                f"--option: '{each}' has no plain value; allowed: text, numbers, true, false, null"
            ) from None
    return found


@dataclass(frozen=True)
class LanguageOptions:
    """What a command line states of a language model; None for what it does not.

    Attributes:
        language: The settings file.
        model: The model's name; this and the next ones overrule the file.
        endpoint: An address.
        exchanges: A folder.
        replay: A folder.
    """

    language: Path | None = None
    model: str | None = None
    endpoint: str | None = None
    exchanges: Path | None = None
    replay: Path | None = None

    def stated(self) -> dict[str, Any]:
        """The options by their names."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def settings(self) -> LanguageSettings:
        """The settings that they come to.

        Raises:
            InputError: The file cannot be read, or a value is wrong.
        """
        from mars_logic.language.settings import LanguageSettings, changed, read_settings

        settings = read_settings(self.language) if self.language else LanguageSettings()
        kept, replayed = (each and str(each) for each in (self.exchanges, self.replay))
        about = {"model": self.model, "endpoint": self.endpoint}
        return changed(settings, **about, exchanges=kept, replay=replayed)


def askers() -> list[str]:
    """The agents of worlds that a language model plays."""
    from mars_logic.play.agent import agent_names, takes

    return [name for name in agent_names() if takes(name, "language")]


def asking_players(families: Iterable[Domain[Any]]) -> list[str]:
    """The players of these domains that a language model plays."""
    from mars_logic.play.agent import agent_names, plays_games

    found = [
        name
        for family in families
        for name in family.players
        if "language" in inspect.signature(family.player_class(name)).parameters
    ]
    return [*dict.fromkeys(found), *(name for name in agent_names() if plays_games(name))]


def agent_settings(agent: str, options: LanguageOptions) -> LanguageSettings | None:
    """The settings for an agent of worlds that asks a language model; None for any other.

    Raises:
        InputError: The agent takes none of these options, or a value is wrong.
    """
    from mars_logic.play.agent import takes

    return _settings(agent, options, asks=takes(agent, "language"), others=askers)


def player_settings(
    agent: str, games: Iterable[Game], options: LanguageOptions
) -> LanguageSettings | None:
    """The settings for a player of games that asks a language model; None for any other.

    Raises:
        InputError: The player takes none of these options, a value is wrong, or no model is named.
    """
    from mars_logic.domains import domain_of
    from mars_logic.language.settings import require_model

    families = {domain_of(game).name: domain_of(game) for game in games}.values()
    asking = asking_players(families)
    settings = _settings(agent, options, asks=agent in asking, others=lambda: asking)
    if settings is not None:
        require_model(agent, settings)
    return settings


def _settings(
    agent: str, options: LanguageOptions, *, asks: bool, others: Callable[[], list[str]]
) -> LanguageSettings | None:
    if asks:
        return options.settings()
    for option, value in options.stated().items():
        if value is not None:
            told = f"no language model plays the agent '{agent}'"
            raise InputError(f"--{option}: {told}; allowed: {', '.join(others()) or 'none'}")
    return None


def print_counts(counts: AnswerCounts, settings: LanguageSettings) -> None:
    """Requests, tokens, cost and unreadable answers, in a line."""
    told: dict[str, Any] = counts.to_json(settings)
    tokens = told["tokens"]
    line = f"{told['model']}: {counts.requests} requests, "
    line += f"{tokens['prompt']:,} tokens read, {tokens['completion']:,} written"
    if told["cost"] is not None:
        line += f", cost {told['cost']:.4g}"
    rate = told["unreadable_rate"] or 0.0
    line += f"; unreadable: {counts.unreadable} of {counts.asked} answers ({rate:.1%})"
    if counts.mended:
        line += f", {counts.mended} corrected after a question"
    if counts.cut:
        line += f", {counts.cut} cut off"
    say(line)
    if settings.replay is None and counts.kept:
        say(
            f"{counts.kept} of {counts.requests} answers came from kept exchanges, "
            "without a request to the model"
        )
    if settings.replay is None:
        say(f"exchanges: {settings.exchanges}")


def summed_counts(players: Iterable[Any]) -> AnswerCounts:
    """The counts of all players that asked a language model, together."""
    from mars_logic.language.session import summed

    counts = (getattr(player, "counts", None) for player in players)
    return summed([each for each in counts if each is not None])


def end_at_budget(stopped: BudgetReachedError | None) -> None:
    """End with status 1 if the budget was reached."""
    if stopped:
        say_wrong(str(stopped))
        raise typer.Exit(1)
