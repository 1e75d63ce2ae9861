"""The oracle agent on many maps of nine worlds: what it reaches, and why not the rest.

Usage: python benchmarks/oracle.py --seeds 20

Prints Markdown: one table of worlds, and one of failures. A failure is an achievement that is
proved reachable on its map and was not unlocked.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import product
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from mars_logic.world.load import RELEASED_WORLDS

LIMIT = 3000
"""Steps in an episode, at most (mars ends at 1000)."""
_RECENT = 60

if TYPE_CHECKING:
    from mars_logic.agent import Episode
    from mars_logic.sim import Observation, State


@dataclass
class Outcome:
    """One episode."""

    world: str
    seed: int
    unlocked: int
    reward: float
    steps: int
    complete: bool
    milliseconds: float
    slowest: float
    failures: dict[str, str] = field(default_factory=dict)


class Watched:
    """The oracle, with notes on what it decided, how long that took, and what cost health."""

    knows = "rules and state"

    def __init__(self) -> None:
        from mars_logic.agent import load_agent

        self.agent: Any = load_agent("oracle")()
        self.times: list[float] = []
        self.decisions: list[Any] = []
        self.losses: list[tuple[int, str, int]] = []
        self._before: State | None = None

    def begin(self, episode: Episode) -> None:
        """Start to watch an episode."""
        self.episode = episode
        self.agent.begin(episode)

    def act(self, observation: Observation) -> int:
        """The oracle's action."""
        self._note()
        begun = time.perf_counter()
        action: int = self.agent.act(observation)
        self.times.append(time.perf_counter() - begun)
        self.decisions.append(self.agent.decision)
        return action

    def end(self, episode: Episode) -> None:
        """Note the last step."""
        self._note()
        self.agent.end(episode)

    def _note(self) -> None:
        """Blame the health lost in the last step on something."""
        assert self.episode.state is not None
        after, before = self.episode.state(), self._before
        self._before = after
        if before is None or not self.decisions:
            return
        lost = int(before.inventory[0]) - int(after.inventory[0])
        if lost > 0:
            self.losses.append((after.step, self._cause(before, after, lost), lost))

    def _cause(self, before: State, after: State, lost: int) -> str:
        from mars_logic.plan.seen import KINDS
        from mars_logic.world.names import ITEMS, MATERIALS

        lore = self.agent.planner.lore
        action = self.decisions[-1].action
        ground = int(after.materials[after.x, after.y])
        if 1 <= action <= 4 and (lore.deadly[ground] or lore.walk_health[ground] < 0):
            return f"walking on {MATERIALS[ground]}"
        x, y = before.x + before.facing[0], before.y + before.facing[1]
        ahead = MATERIALS[before.materials[x, y]] if 0 <= x < 64 and 0 <= y < 64 else "none"
        if action == 5 and ahead in lore.world.collect and lore.collect_effect(ahead).health < 0:
            return f"collecting {ahead}"
        near = [o for o in before.objects if abs(o["x"] - after.x) + abs(o["y"] - after.y) <= 2]
        kinds = [int(o["kind"]) for o in near]
        if lost > 1 or (after.inventory[1:4] > 0).all():
            for kind in kinds:
                if kind == KINDS.index("arrow"):
                    return "killed by arrows"
            for kind in kinds:
                if lore.blow(kind):
                    return f"killed by {KINDS[kind]}"
        empty = [item for item, n in zip(ITEMS[1:4], after.inventory[1:4], strict=True) if n <= 0]
        words = {"food": "starved", "drink": "died of thirst", "energy": "exhausted"}
        return words[empty[0]] if empty else "killed by arrows" if lost > 1 else "unknown"


def episode(job: tuple[str, int]) -> Outcome:
    """Play one episode."""
    from mars_logic import load_world
    from mars_logic.episodes import play
    from mars_logic.proving import prove
    from mars_logic.sim import Simulator

    name, seed = job
    world = load_world(name)
    verdicts = prove(world, map_seed=seed).achievements
    goals = [a for a, verdict in verdicts.items() if verdict.verdict != "unreachable"]
    sure = {
        a
        for a, v in verdicts.items()
        if v.verdict == "reachable" and v.certainty != "finite_chance"
    }
    agent = Watched()
    played = play(agent, Simulator(world), seed, goals, limit=LIMIT)
    missing = [a for a in goals if a not in played.unlocked]
    return Outcome(
        name,
        seed,
        len(played.unlocked),
        played.reward,
        played.steps,
        sure <= set(played.unlocked),
        1000 * statistics.fmean(agent.times),
        1000 * max(agent.times),
        {a: classify(agent, a, played.ended == "death") for a in missing},
    )


def classify(agent: Watched, achievement: str, died: bool) -> str:
    """Why an achievement was not unlocked."""
    steps = len(agent.decisions)
    if died:
        recent = Counter[str]()
        for step, cause, lost in agent.losses:
            if step > steps - _RECENT:
                recent[cause] += lost
        cause = recent.most_common(1)[0][0] if recent else "unknown"
        return cause if cause.split()[0] in ("killed", "starved", "died") else f"died: {cause}"
    planner = agent.agent.planner
    assert planner is not None and planner.plan is not None
    if achievement in planner.plan.given_up:
        verb, _, what = achievement.partition("_")
        if verb in ("kill", "defeat") or achievement == "eat_cow":
            return f"no {what} comes"
        return "planner gave up (out of reach by its belief)"
    layers = Counter(decision.layer for decision in agent.decisions[-300:])
    layer = layers.most_common(1)[0][0]
    about = Counter(d.about for d in agent.decisions[-300:] if d.layer == layer).most_common(1)
    doing = about[0][0]
    return {
        "wait": f"out of time waiting for {doing}",
        "needs": f"out of time staying alive ({doing})",
        "rest": "out of time resting",
        "reflex": f"out of time fighting ({doing})",
    }.get(layer, f"lost (out of time at {doing})")


def main() -> None:
    """Play all, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--worlds", nargs="*", default=RELEASED_WORLDS)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--each", action="store_true", help="also list each failed episode")
    options = parser.parse_args()
    from rich.console import Console
    from rich.progress import Progress

    jobs = list(product(options.worlds, range(options.first, options.first + options.seeds)))
    outcomes: list[Outcome] = []
    pool = ProcessPoolExecutor(options.processes, mp_context=get_context("spawn"))
    with pool, Progress(console=Console(file=sys.stderr)) as progress:
        bar = progress.add_task("episodes", total=len(jobs))
        for outcome in pool.map(episode, jobs):
            outcomes.append(outcome)
            progress.advance(bar)
    print_worlds(outcomes, options.worlds)
    print_failures(outcomes)
    if options.each:
        for outcome in outcomes:
            if outcome.failures:
                print(outcome.world, outcome.seed, outcome.steps, outcome.failures)


def print_worlds(outcomes: list[Outcome], worlds: list[str]) -> None:
    """One row for each world."""
    print("| world | achievements | reward | complete | steps | ms per step | slowest step, ms |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for world in worlds:
        some = [o for o in outcomes if o.world == world]
        mean = {
            name: statistics.fmean(getattr(o, name) for o in some)
            for name in ("unlocked", "reward", "complete", "steps", "milliseconds")
        }
        print(
            f"| {world} | {mean['unlocked']:.2f} | {mean['reward']:.2f} | {mean['complete']:.0%} "
            f"| {mean['steps']:.0f} | {mean['milliseconds']:.1f} "
            f"| {max(o.slowest for o in some):.0f} |"
        )


def print_failures(outcomes: list[Outcome]) -> None:
    """One row for each kind of failure, with the episodes and achievements that it cost."""
    missed, episodes = Counter[str](), Counter[str]()
    where: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        for reason in outcome.failures.values():
            missed[reason] += 1
            where.setdefault(reason, Counter())[outcome.world] += 1
        episodes.update(set(outcome.failures.values()))
    print("\n| failure | episodes | achievements missed | worlds (achievements missed) |")
    print("| --- | --- | --- | --- |")
    for reason, count in sorted(missed.items(), key=lambda item: (-item[1], item[0])):
        places = ", ".join(f"{world} {n}" for world, n in where[reason].items())
        print(f"| {reason} | {episodes[reason]} | {count} | {places} |")
    print(f"\n{len(outcomes)} episodes, {sum(missed.values())} failures.")


if __name__ == "__main__":
    main()
