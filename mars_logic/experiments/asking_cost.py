"""What an experiment will ask a language model: estimated by playing a little without one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from mars_logic.experiments.spec import AgentSetting, Spec
from mars_logic.language.chat import ChatMessage, LanguageModel, Reply, Schema, TokenUsage
from mars_logic.language.session import LanguageSession
from mars_logic.language.settings import LanguageSettings
from mars_logic.language.tokens import estimated_tokens, tokens_of
from mars_logic.play.agent import load_agent
from mars_logic.play.episodes import play
from mars_logic.sim import Simulator
from mars_logic.world.load import load_world

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
