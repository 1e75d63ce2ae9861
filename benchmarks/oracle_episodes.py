"""One episode of the benchmark ``oracle``: played, kept, and its failures classified."""

from __future__ import annotations

import signal
import statistics
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import TypeAdapter

from mars_logic.experiments.luck import Hope, hopes
from mars_logic.experiments.runs import EpisodeResult, Run
from mars_logic.plan.planner import Decision
from mars_logic.play.agent import Agent, Episode, Knows, load_agent
from mars_logic.play.bound import lower_bounds
from mars_logic.play.damage_log import cause_of_death
from mars_logic.play.episodes import Ended, play
from mars_logic.sim import Observation, Simulator
from mars_logic.system.files import write_atomically
from mars_logic.world.load import load_world
from mars_logic.world.theory import World

from .units import kept

Who = Literal["oracle", "clairvoyant"]

_LATELY = 300
"""Out of time: what most of so many last decisions were about."""


@dataclass(frozen=True)
class OracleJob:
    """An episode to play.

    Attributes:
        who: Who plays.
        group: The row of the table: a bundled world's name, or ``sampled``.
        world: The world's name, or the path of its file.
        seed: The environment's seed.
        folder: Where certificates and outcomes are kept.
    """

    who: Who
    group: str
    world: str
    seed: int
    folder: Path


@dataclass(frozen=True)
class OracleOutcome:
    """The result of an episode.

    Attributes:
        schema: Name and version of this format.
        who: Who played.
        group: The row of the table.
        world: The world's name, or its file's.
        digest: The world's digest.
        seed: The environment's seed.
        ended: How it ended.
        steps: How many steps it took.
        reward: The sum of rewards.
        unlocked: The step at which each achievement was reached.
        unreachable: What is proved unreachable on this map.
        missed: Why each achievement was missed that is reachable, and not only by a finite chance.
        died_of: What cost most health before death, if the player died.
        luck: What was left to luck.
        milliseconds: A decision in the mean.
        slowest: The slowest decision in milliseconds.
        slowest_replan: The slowest one that made a new plan; the oracle's only.
        lower_bounds: How many steps k achievements take at least on this map, for each k for which
            that is known.
    """

    schema: Literal["mars-logic oracle outcome 2"]
    who: Who
    group: str
    world: str
    digest: str
    seed: int
    ended: Ended
    steps: int
    reward: float
    unlocked: dict[str, int]
    unreachable: list[str]
    missed: dict[str, str]
    died_of: str | None
    luck: dict[str, Hope]
    milliseconds: float
    slowest: float
    slowest_replan: float | None
    lower_bounds: dict[int, int] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether everything was reached but what hangs on luck."""
        return not self.missed

    @property
    def bound(self) -> int | None:
        """How many steps as many achievements take at least as do not hang on luck."""
        return self.lower_bounds.get(sum(name not in self.luck for name in self.unlocked))

    @property
    def steps_needed(self) -> int:
        """The step at which all was reached that does not hang on luck (if it was)."""
        sure = (step for name, step in self.unlocked.items() if name not in self.luck)
        return max(sure, default=0)


_OUTCOME = TypeAdapter(OracleOutcome)


def warm_up() -> None:
    """Compile before anything is timed, and leave interruptions to who started this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    world = load_world("default")
    play(load_agent("oracle")(), Simulator(world), 0, world.achievements, limit=30)


def played(job: OracleJob) -> OracleOutcome:
    """The outcome of an episode: as it is kept, or played and kept now.

    Raises:
        InputError: A file of its name holds something else.
    """
    world = load_world(job.folder / job.world if job.world.endswith(".yaml") else job.world)
    watched = Watched()
    make_clairvoyant: Callable[..., Agent] = load_agent("clairvoyant")
    agent = watched if job.who == "oracle" else make_clairvoyant(shorten=False)
    run = Run(job.who, lambda: agent, world, job.world, job.folder)
    certificate = run.path(job.seed)
    assert certificate is not None
    kept_at = certificate.with_suffix(".outcome.json")
    if kept_at.exists():
        return kept(_OUTCOME, kept_at, who=job.who, seed=job.seed, digest=world.digest)
    result = run.episode(job.seed, kept_at=certificate, anew=True)
    outcome = _outcome(job, world, result, watched)
    write_atomically(kept_at, _OUTCOME.dump_json(outcome, indent=1).decode() + "\n")
    return outcome


def _outcome(
    job: OracleJob, world: World, result: EpisodeResult, watched: Watched
) -> OracleOutcome:
    kept = result.certificate
    died = result.ended == "death"
    cause = cause_of_death(world, kept.seed, kept.episode, kept.actions) if died else None
    missed = sorted(result.sure_goals - set(kept.unlocked))
    given_up = _given_up(watched.decisions)
    pairs = zip(result.seconds, watched.replanned, strict=False)
    replans = [1000 * seconds for seconds, replanned in pairs if replanned]
    return OracleOutcome(
        "mars-logic oracle outcome 2",
        job.who,
        job.group,
        Path(job.world).stem,
        world.digest,
        kept.seed,
        result.ended,
        kept.steps,
        kept.reward,
        kept.unlocked,
        result.unreachable,
        dict.fromkeys(missed, f"died: {cause}" if died else given_up),
        cause,
        hopes(result, world),
        1000 * statistics.fmean(result.seconds),
        1000 * max(result.seconds),
        max(replans, default=None),
        _bounds(world, kept.seed) if job.who == "oracle" else {},
    )


def _bounds(world: World, seed: int) -> dict[int, int]:
    steps = lower_bounds(world, seed).steps
    return {number: least for number, least in enumerate(steps, 1) if least is not None}


class Watched:
    """The oracle, with notes on its decisions.

    Attributes:
        decisions: What it decided.
        replanned: Whether it made a new plan for that.
    """

    knows: ClassVar[Knows] = "rules and state"

    def __init__(self) -> None:
        self.decisions: list[Decision] = []
        self.replanned: list[bool] = []
        self._oracle: Any = load_agent("oracle")()

    def begin(self, episode: Episode) -> None:
        """Start an episode."""
        self._oracle.begin(episode)

    def act(self, observation: Observation) -> int:
        """The oracle's action."""
        plans = self._oracle.planner.plans
        action: int = self._oracle.act(observation)
        self.decisions.append(self._oracle.decision)
        self.replanned.append(self._oracle.planner.plans > plans)
        return action

    def end(self, episode: Episode) -> None:
        """Finish it."""
        self._oracle.end(episode)


def _given_up(decisions: list[Decision]) -> str:
    """What an episode's last steps went by with, of one that ran out of time."""
    lately: list[Any] = [(decision.layer, decision.about) for decision in decisions[-_LATELY:]]
    if not lately:
        return "out of time"
    layer, about = Counter(lately).most_common(1)[0][0]
    return f"out of time: {layer} ({about})"
