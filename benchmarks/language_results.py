"""Results of language-model agents in the worlds of the Mars paper, beside the published ones.

``python -m mars_logic.benchmarks.language_results`` prints the table, in which nothing is filled in
that was not played. With ``--language FILE`` (settings of a language model, see docs/language.md)
it first plays what is missing in the folder ``--out``: every agent, nine episodes in each world,
after five episodes of learning for those that learn, as in the paper.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from mars_logic.experiments import results
from mars_logic.experiments.layout import RESULTS
from mars_logic.experiments.published import PUBLISHED, REWARDS, Number
from mars_logic.experiments.rows import Row
from mars_logic.experiments.settings import learns
from mars_logic.language.settings import LanguageSettings, read_settings
from mars_logic.play.agent import agent_names, takes

NOT_RUN: Final = "not run here"
TRIALS: Final = 9
LESSONS: Final = 5
LENGTH: Final = 1000
_PEERS: Final = ("ReAct", "Reflexion", "Skill Library", "IfR")


def agents() -> list[str]:
    """The agents that a language model plays."""
    return [name for name in agent_names() if takes(name, "language")]


def spec(settings: LanguageSettings, worlds: Sequence[str], length: int = LENGTH) -> dict[str, Any]:
    """The experiment: each agent in each world, one after the other with the same memory.

    Args:
        settings: Of the language model.
        worlds: Where.
        length: Steps of an episode, at most.
    """
    stated = settings.model_dump(exclude_unset=True)
    chosen = [{"name": name, "evaluate": TRIALS} for name in agents()]
    return {
        "agents": [
            each | {"options": {"language": stated}} | ({"learn": LESSONS} if learns(name) else {})
            for each in chosen
            if (name := str(each["name"]))
        ],
        "worlds": [*worlds],
        "seeds": [0],
        "length": length,
    }


def table(rows: Sequence[Row]) -> str:
    """Mean rewards by world: of each agent that was played, and of published ones.

    Args:
        rows: The rows of an experiment.
    """
    heads = ("world", *agents(), *(f"{name} (published)" for name in _PEERS))
    lines = [heads, ("---",) * len(heads)]
    peers = [
        next(each for each in PUBLISHED if each.name == name and not each.given) for name in _PEERS
    ]
    for world in REWARDS:
        ours = [_reward(rows, name, world) for name in agents()]
        lines.append((world, *ours, *(str(each.rewards.get(world, "")) for each in peers)))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _reward(rows: Sequence[Row], agent: str, world: str) -> str:
    rewards = [
        row.reward
        for row in rows
        if (row.agent, row.world_name) == (agent, world) and row.phase != "learn"
    ]
    if not rewards:
        return NOT_RUN
    spread = statistics.stdev(rewards) if len(rewards) > 1 else None
    return str(Number(statistics.fmean(rewards), spread))


def main() -> None:
    """Play if asked to, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, help="the folder of the experiment")
    parser.add_argument("--language", type=Path, help="settings of the language model")
    parser.add_argument("--worlds", nargs="*", default=list(REWARDS), help="where to play")
    parser.add_argument("--length", type=int, default=LENGTH, help="steps of an episode, at most")
    stated = parser.parse_args()
    if stated.language and stated.out:
        stated.out.mkdir(parents=True, exist_ok=True)
        asked = spec(read_settings(stated.language), stated.worlds, stated.length)
        path = stated.out.with_suffix(".spec.yaml")
        path.write_text(yaml.safe_dump(asked, sort_keys=False), encoding="utf-8")
        command = [sys.executable, "-m", "mars_logic", "experiment", path, "-o", stated.out]
        subprocess.run(list(map(str, command)), check=False)
    played = stated.out is not None and (stated.out / RESULTS).exists()
    print(table(results.read(stated.out / RESULTS) if played else []))


if __name__ == "__main__":
    main()
