"""Options of commands that let language models play, and what is printed of their answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.output import say
from mars_logic.errors import InputError

if TYPE_CHECKING:
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
        help="Keep all exchanges here (by default in ./exchanges), and go on from those kept.",
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
_OWN = ("belief", "language")
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


def stated_options(stated: list[str]) -> dict[str, Any]:
    """Options as ``NAME=VALUE``; a value is plain YAML.

    Raises:
        InputError: One is not of that form.
    """
    import yaml

    found: dict[str, Any] = {}
    for each in stated:
        name, sign, value = each.partition("=")
        if not sign or name in _OWN:
            raise InputError(f"--option: '{each}' is no option; allowed: NAME=VALUE")
        try:
            found[name] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise InputError(f"--option: '{each}' is no plain value; allowed: NAME=VALUE") from None
    return found


def askers() -> list[str]:
    """The agents of worlds that a language model plays."""
    from mars_logic.play.agent import agent_names, takes

    return [name for name in agent_names() if takes(name, "language")]


def language_settings(
    agent: str,
    file: Path | None,
    *,
    asks: bool,
    others: Callable[[], list[str]] = askers,
    model: str | None,
    endpoint: str | None,
    exchanges: Path | None,
    replay: Path | None,
) -> LanguageSettings | None:
    """The settings for an agent that a language model plays; None for any other.

    Args:
        agent: Its name.
        file: The settings file, if any.
        asks: Whether a language model plays it.
        others: The agents that one plays, for a message.
        model: The option of this name, and the next ones too; they overrule the file.
        endpoint: An address.
        exchanges: A folder.
        replay: A folder.

    Raises:
        InputError: The agent takes none of these options, a value is wrong, or no model is named.
    """
    given = {
        "--language": file,
        "--model": model,
        "--endpoint": endpoint,
        "--exchanges": exchanges,
        "--replay": replay,
    }
    if not asks:
        for option, value in given.items():
            if value is not None:
                told = f"no language model plays the agent '{agent}'"
                raise InputError(f"{option}: {told}; allowed: {', '.join(others()) or 'none'}")
        return None
    from mars_logic.language.settings import LanguageSettings, changed, read_settings

    settings = read_settings(file) if file else LanguageSettings()
    folders = {"exchanges": exchanges and str(exchanges), "replay": replay and str(replay)}
    return changed(settings, model=model, endpoint=endpoint, **folders)


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
        line += f", {counts.mended} mended after a question"
    say(line)
    if settings.replay is None:
        say(f"exchanges: {settings.exchanges}")
