"""The commands ``language``: what would be sent to a language model, and what it would cost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.language_model import (
    AgentOptions,
    LanguageFile,
    LanguageOptions,
    agent_options,
    asking_players,
)
from mars_logic.cli.output import Json, Length, print_json, print_table, refuse
from mars_logic.cli.scoreboards.mars import table
from mars_logic.domains import domain_of, load_game
from mars_logic.domains.library import names_a_game
from mars_logic.domains.load import game_in
from mars_logic.domains.registry import require_offered
from mars_logic.errors import InputError
from mars_logic.world.load import bundled_worlds, load_world

if TYPE_CHECKING:
    from mars_logic.language.chat import ChatMessage, Reply, Schema
    from mars_logic.language.settings import LanguageSettings


def _agents() -> list[str]:
    from mars_logic.play.agent import agent_names, takes

    return [name for name in agent_names() if takes(name, "language")]


def show_prompt(
    agent: Annotated[
        str, typer.Argument(help="The agent that asks.", metavar="AGENT", autocompletion=_agents)
    ],
    world: Annotated[
        str,
        typer.Argument(
            help="A bundled world or game, or a file.",
            metavar="WORLD",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    seed: Annotated[int, typer.Option(min=0, max=2**60, help="The environment's seed.")] = 0,
    length: Length = None,
    language: LanguageFile = None,
    options: AgentOptions = None,
    as_json: Json = False,
) -> None:
    """Print exactly what an agent would send first; nothing is sent.

    An agent that asks later than at its first step plays until then.

    Example: mars-logic language show-prompt react default --seed 3
    """
    from mars_logic.language.tokens import tokens_of

    settings = LanguageOptions(language).settings()
    try:
        if names_a_game(world) or game_in(Path(world)) is not None:
            refuse({"length": length, "option": options}, "with worlds")
            _play_game(agent, world, seed, settings)
        else:
            _play_world(agent, world, seed, length, settings, options or [])
    except _AskedError as asked:
        messages, schema = asked.messages, asked.schema
    else:
        raise InputError(
            "--length: no prompt is sent within so few steps; allowed: a longer episode"
        )
    tokens = tokens_of(messages)
    if as_json:
        about: dict[str, Any] = {"schema": "mars-logic prompt 1", "agent": agent, "world": world}
        about |= {"seed": seed, "tokens_estimated": tokens, "answer_schema": schema}
        print_json(about | {"messages": [each.to_json() for each in messages]})
        return
    for each in messages:
        print(f"--- {each.speaker}")
        print(each.text)
    print(f"--- about {tokens:,} tokens")


def show_schema(
    world: Annotated[
        str,
        typer.Argument(
            help="A bundled world or puzzle, or a file.",
            metavar="WORLD",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
) -> None:
    """Print the JSON schema in which rules are asked for.

    About a world these are facts: one field of one rule each, with the names that the world has,
    and nothing that cannot be read. About a puzzle it is the rule, as a file states it.

    Example: mars-logic language schema default
    """
    if not (names_a_game(world) or game_in(Path(world)) is not None):
        from mars_logic.world.words.fact_data import facts_schema

        print_json(facts_schema(load_world(world).vocabulary))
        return

    game = load_game(world)
    require_offered("language schema", game, lambda each: each.sentences, ("worlds",))
    print_json(domain_of(game).sentence_reading().rule_schema(game))


def _play_world(
    agent: str,
    world: str,
    seed: int,
    length: int | None,
    settings: LanguageSettings,
    options: list[str],
) -> None:
    """Play an episode of a world until the agent asks something."""
    from mars_logic.language.session import LanguageSession
    from mars_logic.play.agent import load_agent, require_player, takes
    from mars_logic.play.episodes import play
    from mars_logic.sim import Simulator

    if not takes(agent, "language"):
        told = f"no language model plays the agent '{agent}'"
        raise InputError(f"AGENT: {told}; allowed: {', '.join(_agents())}")
    loaded = load_world(world)
    require_player(agent, loaded)
    make: Any = load_agent(agent)
    player = make(language=settings, **agent_options(agent, options))
    player.session = LanguageSession(agent, settings, _Asked())
    play(player, Simulator(loaded), seed, loaded.achievements, limit=length)


def _play_game(agent: str, name: str, seed: int, settings: LanguageSettings) -> None:
    """Play an episode of a game until the player asks something."""
    from mars_logic.domains.playing import play
    from mars_logic.language.session import LanguageSession

    game = load_game(name)
    domain = domain_of(game)
    if agent not in asking_players([domain]):
        told = f"no language model plays the agent '{agent}' in {game.name}"
        allowed = ", ".join(asking_players([domain])) or "another game"
        raise InputError(f"AGENT: {told}; allowed: {allowed}")
    told_rules = domain.player_class(agent).usual_prior == "told"
    theory = game if told_rules else domain.untold(game)
    player: Any = domain.player(agent, theory, language=settings)
    player.opens = lambda name, chosen: LanguageSession(name, chosen, _Asked())
    play(domain.simulator(game), player, seed, game.length)


def estimate_cost(
    folder: Annotated[
        Path, typer.Argument(help="A folder of kept exchanges.", metavar="EXCHANGES")
    ],
    language: LanguageFile = None,
    worlds: Annotated[int, typer.Option(min=1, max=1_000_000, help="Worlds to be played.")] = 8,
    trials: Annotated[int, typer.Option(min=1, max=1_000_000, help="Episodes in each world.")] = 9,
    steps: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Steps of an episode, at most.")
    ] = 1000,
    as_json: Json = False,
) -> None:
    """Estimate tokens and cost of a table of results, from exchanges that were kept.

    For each agent, the tokens of a step in these exchanges are multiplied by the steps of the table
    (by default that of Table 2 of the Mars paper: 8 worlds, 9 trials, 1,000 steps), and by the
    prices in the settings. An episode that ends early costs less.

    Example: mars-logic language cost exchanges --language prices.yaml
    """
    from mars_logic.language.estimates import estimates
    from mars_logic.language.settings import read_settings

    prices = read_settings(language).prices if language else None
    found = estimates(folder, worlds * trials * steps, prices)
    if as_json:
        about = {"schema": "mars-logic language-cost 1", "steps": worlds * trials * steps}
        print_json(about | {"agents": {each.agent: each.to_json() for each in found}})
        return
    heads = ("steps seen", "requests a step", "tokens a step", "million tokens", "cost")
    rows = []
    for each in found:
        cost = "" if each.cost is None else f"{each.cost:,.2f}"
        read, written = each.prompt_a_step, each.completion_a_step
        row = f"{each.steps}", f"{each.requests_a_step:.2f}", f"{read:,.0f} + {written:,.0f}"
        rows.append((each.agent, *row, f"{each.millions:,.1f}", cost))
    print_table(("agent", *heads), rows)


class _AskedError(Exception):
    """What was asked first."""

    def __init__(self, messages: Sequence[ChatMessage], schema: Schema | None) -> None:
        super().__init__()
        self.messages = messages
        self.schema = schema


class _Asked:
    """A model that answers nothing."""

    def reply(self, messages: Sequence[ChatMessage], schema: Schema | None = None) -> Reply:
        raise _AskedError(messages, schema)


group = typer.Typer(
    no_args_is_help=True, help="Show prompts of models, estimate costs, make tables."
)
group.command("show-prompt")(show_prompt)
group.command("schema")(show_schema)
group.command("cost")(estimate_cost)
group.command("table")(table)
