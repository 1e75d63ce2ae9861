"""Sight and knowledge: the same planner with more or less in view, by true and by learned rules.

Each unit is a world and a seed: a learner learns the world there, and then all players play the
same maps, far from those of learning. Which of the two limits the learner, its knowledge or its
play by what it sees, is the difference between the rows of one column.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import TypeAdapter

from mars_logic.experiments.proving import prove
from mars_logic.experiments.runs import EpisodeResult, goals
from mars_logic.experiments.work import DecisionLog
from mars_logic.plan.observed_map import MapTracker
from mars_logic.plan.planner import Decision, Planner
from mars_logic.play.agent import Agent, Episode, Knows, load_agent
from mars_logic.play.certificate import certify
from mars_logic.play.episodes import Ended, Observer, Played, play
from mars_logic.play.learning import far_seed, study
from mars_logic.play.oracle_base import OracleBase
from mars_logic.sim import Observation, Simulator
from mars_logic.system.file_names import name_as_text
from mars_logic.system.files import write_atomically
from mars_logic.world.load import load_world
from mars_logic.world.theory import Theory, World

from .failures import doing, failure, layers
from .units import kept

WORLDS = ("default", "task_dep", "crafter")
SAMPLED = "sampled world"
LESSONS = 5
"""Episodes of learning before the learner is judged."""
TRUE, LEARNED = "true rules", "learned rules"
WHOLE, TERRAIN, SEEN = "whole map", "whole terrain, things in view", "seen map"
ROWS = tuple((rules, sight) for rules in (TRUE, LEARNED) for sight in (WHOLE, TERRAIN, SEEN))


class WholeMapPlayer(OracleBase):
    """The oracle, by given rules."""

    def __init__(self, belief: Theory | None = None) -> None:
        super().__init__()
        self._belief = belief

    def make_planner(self, world: World, length: int) -> Planner:
        """A planner by these rules."""
        return Planner(self._belief or world, length=length)


class TerrainPlayer:
    """Knows the whole terrain and its place in it, and of things what was in view.

    Attributes:
        decision: What it decided last.
    """

    knows: ClassVar[Knows] = "rules and state"

    def __init__(self, belief: Theory | None = None) -> None:
        self.decision: Decision | None = None
        self._belief = belief

    def begin(self, episode: Episode) -> None:
        """Start an episode."""
        rules = self._belief or episode.world
        assert rules is not None and episode.state is not None
        self._state, self._planner = episode.state, Planner(rules, length=episode.length)
        self._observed: MapTracker | None = None
        self._start, self._items = episode.start, episode.words.items

    def act(self, observation: Observation) -> int:
        """The planner's action."""
        if self._observed is None:
            self._observed = MapTracker(observation, self._start, self._items)
        observed = self._observed
        state = self._state()
        observed.seen = replace(
            observed.seen, materials=state.materials, position=(state.x, state.y)
        )
        self.decision = self._planner.decide(observed.seen, observed.status)
        return self.decision.action

    def note(
        self,
        action: int,
        reward: float,  # noqa: ARG002
        unlocked: Iterable[str],
        done: bool,  # noqa: ARG002
        after: Observation,
    ) -> None:
        """See what came of an action."""
        assert self._observed is not None
        self._observed.note(action, unlocked, after)

    def end(self, episode: Episode) -> None:
        """Finish the episode; the agent keeps nothing."""


def _informed(belief: Theory | None) -> Agent:
    make: Any = load_agent("informed")
    agent: Agent = make(belief)
    return agent


_PLAYERS: dict[str, Callable[[Theory | None], Agent]] = {
    WHOLE: WholeMapPlayer,
    TERRAIN: TerrainPlayer,
    SEEN: _informed,
}


@dataclass(frozen=True)
class SightJob:
    """A unit of work.

    Attributes:
        group: The column of the table: a bundled world's name, or :data:`SAMPLED`.
        world: The world's name, or the path of its file.
        seed: Of learning.
        episodes: Episodes of each player.
        length: Steps after which an episode ends, if before the world's own length.
        code: The digest of the code.
        folder: Where outcomes are kept.
    """

    group: str
    world: str
    seed: int
    episodes: int
    length: int | None
    code: str
    folder: Path


@dataclass(frozen=True)
class SightEpisode:
    """An episode of one player.

    Attributes:
        rules: By which rules it played.
        sight: By which part of the map.
        seed: The map's seed.
        ended: How it ended.
        steps: How many steps it took.
        reward: The sum of rewards.
        missed: Achievements that are reachable on this map, not only by a finite chance, and were
            not unlocked.
        failure: The class of the failure; None if nothing was missed.
        doing: What the agent was doing when it failed: a layer of its decisions.
    """

    rules: str
    sight: str
    seed: int
    ended: Ended
    steps: int
    reward: float
    missed: tuple[str, ...]
    failure: str | None
    doing: str | None


@dataclass(frozen=True)
class SightOutcome:
    """The episodes of a unit.

    Attributes:
        schema: Name and version of this format.
        group: The column of the table.
        digest: The world's digest.
        seed: Of learning.
        number: Episodes of each player.
        length: Steps after which an episode ended, if before the world's own length.
        code: The digest of the code.
        episodes: All of them.
    """

    schema: Literal["mars-logic sight outcome 1"]
    group: str
    digest: str
    seed: int
    number: int
    length: int | None
    code: str
    episodes: tuple[SightEpisode, ...] = field(repr=False)


_OUTCOME = TypeAdapter(SightOutcome)


def played(job: SightJob) -> SightOutcome:
    """The episodes of a unit: as they are kept, or played and kept now.

    Raises:
        InputError: A file of its name holds something else.
    """
    world = load_world(job.world)
    kept_at = job.folder / f"{Path(job.world).stem}__s{job.seed}.json"
    about: dict[str, Any] = {
        "group": job.group,
        "digest": world.digest,
        "seed": job.seed,
        "number": job.episodes,
        "length": job.length,
        "code": job.code,
    }
    if kept_at.exists():
        return kept(_OUTCOME, kept_at, **about)
    episodes = tuple(_Unit(world, job).all())
    outcome = SightOutcome("mars-logic sight outcome 1", **about, episodes=episodes)
    write_atomically(kept_at, _OUTCOME.dump_json(outcome, indent=1).decode() + "\n")
    return outcome


class _Unit:
    """Plays the episodes of a unit."""

    def __init__(self, world: World, job: SightJob) -> None:
        self._world, self._job = world, job
        self._log: DecisionLog | None = None

    def all(self) -> Iterator[SightEpisode]:
        """Learn, and let all players play the maps of evaluation."""
        job = self._job
        taken: list[list[dict[str, Any]]] = []
        found = study(
            *(self._world, job.seed, LESSONS, job.episodes),
            play_one=self._play,
            watch=self._watch,
            done=lambda _: taken.append(self._taken()),
        )
        for test, told in zip(found.tests, taken[LESSONS:], strict=True):
            yield self._told(LEARNED, SEEN, test, told)
        for rules, sight in ROWS:
            if (rules, sight) != (LEARNED, SEEN):
                belief = found.theory if rules == LEARNED else None
                for number in range(job.episodes):
                    agent = _PLAYERS[sight](belief)
                    seed = far_seed(job.seed, number)
                    test = self._play(agent, Simulator(self._world), seed, 1, self._watch(agent))
                    yield self._told(rules, sight, test, self._taken())

    def _play(
        self, agent: Agent, simulator: Simulator, seed: int, episode: int, log: Observer | None
    ) -> Played:
        proof = prove(self._world, map_seed=seed, episode=episode)
        wanted = goals(self._world, proof)
        return play(agent, simulator, seed, wanted, episode, log, self._job.length)

    def _watch(self, agent: Agent) -> DecisionLog:
        self._log = DecisionLog(agent)
        return self._log

    def _taken(self) -> list[dict[str, Any]]:
        assert self._log is not None
        return self._log.taken

    def _told(
        self, rules: str, sight: str, test: Played, taken: Sequence[dict[str, Any]]
    ) -> SightEpisode:
        proof = prove(self._world, map_seed=test.seed)
        name = name_as_text(self._job.world)
        certificate = certify(test, self._world, name, sight)
        sure = EpisodeResult(certificate, test.ended, proof).sure_goals
        missed = tuple(sorted(sure - set(test.unlocked)))
        died = test.ended == "death"
        return SightEpisode(
            *(rules, sight, test.seed, test.ended, test.steps, test.reward, missed),
            failure(self._world, test) if missed else None,
            doing(layers(taken, test.steps), died=died) if missed else None,
        )


def document(outcomes: Sequence[SightOutcome], machine: dict[str, str]) -> dict[str, Any]:
    """All results as one JSON document."""
    groups = dict.fromkeys(outcome.group for outcome in outcomes)
    episodes = {
        group: [e for outcome in outcomes if outcome.group == group for e in outcome.episodes]
        for group in groups
    }
    return {
        "schema": "mars-logic sight 1",
        "machine": machine,
        "lessons": LESSONS,
        "lengths": sorted({outcome.length for outcome in outcomes if outcome.length}),
        "units": dict(Counter(outcome.group for outcome in outcomes)),
        "rows": [
            {
                "rules": rules,
                "sight": sight,
                "worlds": {
                    group: _summary([e for e in some if (e.rules, e.sight) == (rules, sight)])
                    for group, some in episodes.items()
                },
            }
            for rules, sight in ROWS
        ],
    }


def _summary(episodes: Sequence[SightEpisode]) -> dict[str, Any]:
    """One cell of the table."""
    failures = Counter((e.failure, e.doing) for e in episodes if e.failure is not None)
    return {
        "episodes": len(episodes),
        "reward": statistics.fmean(e.reward for e in episodes),
        "complete": sum(not e.missed for e in episodes),
        "died": sum(bool(e.missed) and e.ended == "death" for e in episodes),
        "steps": statistics.median(e.steps for e in episodes),
        "failures": [
            {"failure": what, "doing": where, "episodes": number}
            for (what, where), number in failures.most_common()
        ],
    }
