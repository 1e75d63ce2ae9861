"""The tables of the Mars paper for our agents and a language model: experiment, cost and page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from mars_logic.experiments import cells
from mars_logic.experiments.comparison import mean_and_score
from mars_logic.experiments.published import (
    FURTHER,
    FURTHER_NAMES,
    PEOPLE,
    PUBLISHED,
    Number,
    Published,
)
from mars_logic.experiments.rows import Row
from mars_logic.experiments.scoreboards.smartplay.episodes import chosen
from mars_logic.experiments.spec import AgentSetting, Spec, read
from mars_logic.experiments.summary import scored
from mars_logic.language.chat import ChatMessage, LanguageModel, Reply, Schema, TokenUsage
from mars_logic.language.scripted import ScriptedModel, script_of
from mars_logic.language.session import LanguageSession
from mars_logic.language.settings import LanguageSettings, require_model
from mars_logic.language.tokens import estimated_tokens, tokens_of
from mars_logic.play.agent import load_agent, takes
from mars_logic.play.episodes import play
from mars_logic.sim import Simulator
from mars_logic.world.load import load_world

NOT_RUN: Final = "not run here"
PAPER: Final = ("react", "reflexion", "skill_library", "ifr", "given_rules")
"""Our implementations of the paper's agents."""
Cell = tuple[str, str]
"""An agent's label and a world."""
_GIVEN: Final = "given_rules"
_NAMES: Final = ("ReAct", "Reflexion", "Skill Library", "IfR")
_ABOUT: Final = (
    "Mean ± standard deviation over episodes; n is their number, where it is not 9. The score is "
    "the geometric mean of success rates in percent. Published numbers (GPT-4, temperature 0.7) "
    "are those of the Mars paper; none of our agents is an exact copy of the published one."
)


@cache
def whole_table() -> Spec:
    """The bundled experiment: all agents, of which :func:`mars_spec` takes some."""
    return read(Path(__file__).with_name("mars.yaml"))


def asks(agent: str) -> bool:
    """Whether a language model plays an agent."""
    return takes(agent, "language")


def mars_spec(
    agents: Sequence[str],
    worlds: str | None,
    language: LanguageSettings,
    *,
    trials: int | None = None,
    lessons: int | None = None,
    length: int | None = None,
) -> Spec:
    """The experiment of a table, or of a part of it.

    Args:
        agents: Who plays, by the labels of the bundled experiment.
        worlds: Where, with commas; by default in all eight.
        language: Settings of the language model, for agents that ask one.
        trials: Episodes that count in each world, instead of nine.
        lessons: Episodes before these of agents that learn, instead of five.
        length: Steps of an episode, instead of 1,000.

    Raises:
        InputError: There is no such world, or an agent asks a language model and none is named, or
            its script is wrong.
    """
    whole = whole_table()
    known = {each.world: each for each in whole.worlds if each.world}
    where = [known[name] for name in chosen(worlds, tuple(known), "--games")]
    settings = []
    for each in (each for each in whole.agents if each.label in agents):
        fields: dict[str, Any] = {"evaluate": trials or each.evaluate}
        if each.learn is not None:
            fields["learn"] = lessons or each.learn
        if asks(each.name):
            require_model(each.name, language)
            if script := script_of(language.model):
                ScriptedModel(script, ())  # refuses a wrong script before anything is played
            stated = language.model_dump(mode="json", exclude={"exchanges", "session"})
            fields["options"] = {"language": stated}
        settings.append(each.model_copy(update=fields))
    about = {"agents": tuple(settings), "worlds": tuple(where), "length": length or whole.length}
    return whole.model_copy(update=about)


def chosen_agents(stated: str | None, usual: Sequence[str]) -> list[str]:
    """Labels of the bundled experiment, as they are stated with commas.

    Raises:
        InputError: There is no such agent.
    """
    known = tuple(each.label for each in whole_table().agents)
    return [*usual] if stated is None else chosen(stated, known, "--agents")


def page(rows: Sequence[Row], agents: Sequence[str]) -> str:
    """Tables 2 and 3 in Markdown: our agents beside the published ones.

    Args:
        rows: Of the experiment; none if nothing was played.
        agents: Our agents, in the order of the columns.
    """
    found = _cells(rows)
    told = [each for each in PUBLISHED if each.name in _NAMES and not each.given]
    given = [each for each in PUBLISHED if each.name == "ReAct" and "default" in each.rewards]
    free = [each for each in agents if each != _GIVEN]
    parts = [_ABOUT]
    parts += _tables("Table 2", found, free, told)
    if _GIVEN in agents:
        both = [each for each in ("react", _GIVEN) if each in agents]
        parts += _tables("Table 3: a model that is given the rules", found, both, given)
    parts += ["## Rewards of the paper's other tables", _further(), PEOPLE]
    return "\n\n".join(parts) + "\n"


def _further() -> str:
    """Published rewards that none of the agents here corresponds to."""
    lines = [(world, *map(str, numbers)) for world, numbers in FURTHER.items()]
    return cells.table(("reward (published)", *FURTHER_NAMES), lines).strip()


def table_json(rows: Sequence[Row], agents: Sequence[str]) -> list[dict[str, Any]]:
    """The cells of the tables as plain data, published ones with what they were given."""
    found: list[dict[str, Any]] = []
    for (agent, world), (numbers, count) in _cells(rows).items():
        if agent in agents:
            found.append({"agent": agent, "world": world, "episodes": count, **numbers})
    for peer in (each for each in PUBLISHED if each.name in _NAMES):
        for world in peer.rewards:
            about = {"agent": peer.name, "world": world, "published": True, "given": peer.given}
            reward, score = asdict(peer.rewards[world]), asdict(peer.scores[world])
            found.append({**about, "reward": reward, "score": score})
    return found


def _cells(rows: Sequence[Row]) -> dict[Cell, tuple[Mapping[str, Any], int]]:
    """By agent and world: reward and score of the episodes that count, and their number."""
    played: dict[Cell, list[Row]] = {}
    for row in scored(rows):
        played.setdefault((row.agent, row.world_name), []).append(row)
    return {cell: (mean_and_score(some), len(some)) for cell, some in played.items()}


def _tables(
    title: str,
    found: Mapping[Cell, tuple[Mapping[str, Any], int]],
    agents: Sequence[str],
    peers: Sequence[Published],
) -> list[str]:
    heads = [f"{each.name}{' with rules' if each.given else ''} (published)" for each in peers]
    worlds = [each.world or "" for each in whole_table().worlds]
    parts = [f"## {title}"]
    for what, name in (("rewards", "reward"), ("scores", "score, %")):
        lines = [
            [world, *(_ours(found.get((each, world)), what.removesuffix("s")) for each in agents)]
            + [str(getattr(peer, what).get(world, "")) for peer in peers]
            for world in worlds
        ]
        parts.append(cells.table((name, *agents, *heads), lines).strip())
    return parts


def _ours(found: tuple[Mapping[str, Any], int] | None, what: str) -> str:
    if found is None:
        return NOT_RUN
    numbers, count = found
    spread = numbers[what]["std"] if count > 1 else None
    text = str(Number(round(numbers[what]["mean"], 1), spread))
    return text if count == whole_table().agents[0].evaluate else f"{text}, n = {count}"


PROBE: Final = 60
"""Steps that are played without a model; then a history of ten steps has long been full."""


@dataclass(frozen=True)
class AskingCost:
    """What one agent will ask.

    Attributes:
        agent: Its label.
        episodes: In all worlds, those of learning as well.
        requests: At most, if every answer can be read.
        prompt: Tokens read, at most.
        written: Tokens written, if every answer is as long as the settings allow.
    """

    agent: str
    episodes: int
    requests: int
    prompt: int
    written: int


def asking_costs(spec: Spec, language: LanguageSettings) -> list[AskingCost]:
    """The cost of each agent that asks, for episodes that last as long as they may.

    Args:
        spec: An experiment in worlds, with a length.
        language: Settings of the model.
    """
    length = spec.length or 1
    found = []
    for setting in (each for each in spec.agents if "language" in each.options):
        seeds = len(spec.seeds_of(setting)) * len(spec.worlds)
        episodes = seeds * ((setting.learn or 0) + (setting.evaluate or 0))
        steps, session = _probed(setting, spec.worlds[0].world or "default", length, language)
        share = episodes * length / max(1, steps)
        requests = round(session.counts.requests * share)
        prompt = round(session.counts.usage.prompt * share)
        written = requests * language.answer_tokens
        found.append(AskingCost(setting.label, episodes, requests, prompt, written))
    return found


def _probed(
    setting: AgentSetting, world: str, length: int, language: LanguageSettings
) -> tuple[int, LanguageSession]:
    """The steps that an agent played with answers of the shortest form, and what it asked."""
    made: Any = load_agent(setting.name)
    agent = made(language=language)
    model: LanguageModel = _Shortest()
    agent.session = LanguageSession(setting.name, language, model)
    loaded = load_world(world)
    limit = min(PROBE, length)
    played = play(agent, Simulator(loaded), 0, loaded.achievements, limit=limit)
    return len(played.actions), agent.session


class _Shortest:
    """A model whose answers are the shortest that a schema allows."""

    def reply(self, messages: Sequence[ChatMessage], schema: Schema | None = None) -> Reply:
        text = json.dumps(_shortest(schema)) if schema else "-"
        return Reply(text, TokenUsage(tokens_of(messages), estimated_tokens(text)))


def _shortest(schema: Schema) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "object":
        return {name: _shortest(each) for name, each in schema["properties"].items()}
    if schema.get("type") == "array":
        return [_shortest(schema["items"])] * int(schema.get("minItems", 0))
    return "explore(left, 5)"  # a subgoal, a thought or a remark
