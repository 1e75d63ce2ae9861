"""A data set of recorded episodes in the format of Minari, with a data card.

    python -m mars_logic.benchmarks.dataset played --episodes 20

It holds the nine worlds of the Mars paper and of Crafter, each played by the agents ``random``,
``oracle`` and ``inductive`` (the learner, which learns from one episode to the next), one Minari
data set for each pair. Episode i has the seed ``--seed`` + i. Needs the extra ``minari``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from mars_logic.cli.output import progress
from mars_logic.data.store import load_all
from mars_logic.errors import InputError
from mars_logic.system.files import write_or_refuse
from mars_logic.world.load import bundled_worlds, load_world

AGENTS: Final = ("random", "oracle", "inductive")
RECORDS: Final = "parquet"
"""The folder of the trajectories that the data sets are made of."""


@dataclass(frozen=True)
class DatasetPart:
    """One data set: an agent in a world.

    Attributes:
        name: Its folder.
        world: The world's name.
        agent: The agent's registered name.
        episodes: Number of episodes.
        steps: Number of transitions.
        reward: Mean reward of an episode.
        unlocked: Mean number of achievements of an episode, of 22.
    """

    name: str
    world: str
    agent: str
    episodes: int
    steps: int
    reward: float
    unlocked: float


def worlds() -> tuple[str, ...]:
    """Crafter and the eight worlds of the Mars paper, as released."""
    return tuple(name for name in bundled_worlds() if not name.endswith("_paper"))


def build(
    folder: Path,
    episodes: int,
    seed: int = 0,
    length: int | None = None,
    chosen: Sequence[str] | None = None,
    played: Callable[[], None] = lambda: None,
) -> Iterator[DatasetPart]:
    """Play, record and convert, one world and agent after the other.

    Args:
        folder: A new folder, or one that this command left half done: then it goes on.
        episodes: Episodes of each agent in each world.
        seed: The environment seed of the first.
        length: Steps after which an episode ends, if before the world's own length.
        chosen: The worlds, by default all nine.
        played: Called after each episode, also for those that were there.

    Raises:
        InputError: Minari is not installed, the folder cannot be written to, or it holds a data set
            of other seeds.
    """
    for world in chosen or worlds():
        for agent in AGENTS:
            yield _part(folder, world, agent, range(seed, seed + episodes), length, played)


def _part(
    folder: Path,
    world: str,
    agent: str,
    seeds: range,
    length: int | None,
    played: Callable[[], None],
) -> DatasetPart:
    from mars_logic.envs.offline import save_minari
    from mars_logic.experiments.runs import Run
    from mars_logic.play.agent import load_agent

    name = f"{world.replace('_', '-')}-{agent}-v0"
    records = folder / RECORDS / name
    new = not (folder / name).exists()
    if new:
        records.mkdir(parents=True, exist_ok=True)
        make: Any = load_agent(agent)
        run = Run(agent, make, load_world(world), world, None, records, True, limit=length)
        for each in seeds:
            run.add(each)
            played()
    kept = load_all(records)
    if sorted(each.seed for each in kept.abouts) != [*seeds]:
        message = f"it holds {len(kept)} episodes from seed {min(a.seed for a in kept.abouts)} on"
        raise InputError(f"{records}: {message}; allowed: the same options, or another folder")
    if new:
        save_minari(kept, folder / name, public=True)
    else:
        for _ in seeds:
            played()
    number = len(kept)
    return DatasetPart(
        *(name, world, agent, number, len(kept.action)),
        reward=float(kept.reward.sum()) / number,
        unlocked=float(kept.unlocked.sum()) / number,
    )


def card(parts: Sequence[DatasetPart], command: str) -> str:
    """The data card, in Markdown."""
    rows = "\n".join(
        f"| `{part.name}` | {part.world} | {part.agent} | {part.episodes} | {part.steps:,} | "
        f"{part.reward:.2f} | {part.unlocked:.1f} |"
        for part in parts
    )
    return _CARD.format(
        command=command,
        version=version("mars-logic"),
        episodes=sum(part.episodes for part in parts),
        steps=sum(part.steps for part in parts),
        worlds=", ".join(dict.fromkeys(part.world for part in parts)),
        example=parts[-1].name,
        rows=rows,
    )


_CARD: Final = """# Play of three agents

Worlds: {worlds}. {episodes} episodes, {steps:,} transitions, recorded by mars-logic {version}:

    {command}

## Content

Each folder is a data set of Minari: observations as symbols (materials and objects of the 9 × 7
cells around the player, inventory, facing, sleep, daylight), actions (17 codes), rewards, ends.
What no player can see is left out. With `MINARI_DATASETS_PATH` set to the folder of this file:

    import mars_logic.envs, minari

    dataset = minari.load_dataset("{example}")
    environment = dataset.recover_environment()  # plays on with the same rules

`mars-logic import {example} -o DIR` makes trajectories of it, and `mars-logic check` tests rules
against them. `{records}/` holds the same episodes as Parquet files.

| data set | world | agent | episodes | transitions | mean reward | mean achievements of 22 |
| --- | --- | --- | --- | --- | --- | --- |
{rows}

## Agents

- `random`: uniformly distributed actions.
- `oracle`: plans with the true rules on the whole map; an episode ends with the last achievement
  that its map allows. It is told what a player cannot see.
- `inductive`: starts from Crafter's rules and learns; its episodes are in the order of learning.

## Uses and limits

For offline reinforcement learning, imitation, and the induction of rules. The worlds are games: no
data of people is in it. The oracle seldom fails, so its episodes hold few failures to learn from;
where a map leaves an achievement to luck, it may try to the end. Random episodes seldom leave the
beginning of the tech tree. Seeds are consecutive, so split by episode or by world.

Licence: MIT.
""".replace("{records}", RECORDS)


def main() -> None:
    """Build the data set that the command line describes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="a new folder; or one to go on in")
    parser.add_argument("--episodes", type=int, default=20, help="episodes of each agent and world")
    parser.add_argument("--seed", type=int, default=0, help="environment seed of the first")
    parser.add_argument("--length", type=int, help="steps after which an episode ends")
    parser.add_argument("--world", action="append", help="a world; by default all nine")
    chosen = parser.parse_args()
    parts = []
    about = chosen.folder, chosen.episodes, chosen.seed, chosen.length, chosen.world
    total = len(chosen.world or worlds()) * len(AGENTS) * chosen.episodes
    try:
        with progress(steady=True) as shown:
            bar = shown.add_task("episodes", total=total)
            for part in build(*about, played=lambda: shown.advance(bar)):
                parts.append(part)
                print(f"{part.name}: {part.episodes} episodes, {part.steps:,} transitions")
        command = " ".join(("python -m mars_logic.benchmarks.dataset", *sys.argv[1:]))
        write_or_refuse(chosen.folder / "README.md", card(parts, command))
    except InputError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command goes on")


if __name__ == "__main__":
    main()
