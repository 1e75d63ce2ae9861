"""Estimates of tokens and cost, from exchanges that were kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mars_logic.errors import InputError
from mars_logic.language.chat import TokenUsage
from mars_logic.language.exchanges import Exchange, read_exchanges
from mars_logic.language.settings import Prices
from mars_logic.language.spending import cost


@dataclass(frozen=True)
class CostEstimate:
    """Estimated tokens and cost of an agent.

    Attributes:
        agent: The agent.
        steps: The steps of its episodes in the exchanges.
        requests_a_step: Requests per step.
        prompt_a_step: Tokens read per step.
        completion_a_step: Tokens written per step.
        millions: Millions of tokens, read and written, of all steps asked for.
        cost: Of these; None without prices.
    """

    agent: str
    steps: int
    requests_a_step: float
    prompt_a_step: float
    completion_a_step: float
    millions: float
    cost: float | None

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def estimates(folder: Path, steps: int, prices: Prices | None) -> list[CostEstimate]:
    """The estimate for each agent in a folder of exchanges.

    Args:
        folder: The folder.
        steps: The steps to be played.
        prices: Of tokens.

    Raises:
        InputError: The folder holds no exchanges.
    """
    files = sorted(folder.glob("*__*.jsonl")) if folder.is_dir() else []
    by_agent: dict[str, list[list[Exchange]]] = {}
    for file in files:
        if session := read_exchanges(file):
            by_agent.setdefault(session[0].place.agent, []).append(session)
    if not by_agent:
        told = "there are no exchanges"
        raise InputError(f"{folder}:1: folder: {told}; allowed: a folder of --exchanges")
    return [_estimate(agent, found, steps, prices) for agent, found in sorted(by_agent.items())]


def _estimate(
    agent: str, sessions: Iterable[list[Exchange]], steps: int, prices: Prices | None
) -> CostEstimate:
    seen, requests, prompt, completion = 0, 0, 0, 0
    for session in sessions:
        last: dict[int, int] = {}
        for each in session:
            last[each.place.episode] = max(last.get(each.place.episode, 0), each.place.step)
            prompt += each.reply.usage.prompt
            completion += each.reply.usage.completion
        requests += len(session)
        seen += sum(step + 1 for step in last.values())
    usage = TokenUsage(round(prompt / seen * steps), round(completion / seen * steps))
    return CostEstimate(
        agent,
        seen,
        requests / seen,
        prompt / seen,
        completion / seen,
        usage.total / 1e6,
        cost(usage, prices) if prices else None,
    )
