"""Runs: episodes of one agent in one world, kept as certificates and summed up."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mars_logic.agent import Agent, Episode
from mars_logic.data import store
from mars_logic.data.record import Recorder
from mars_logic.data.store import file_name
from mars_logic.data.trajectory import About, Trajectory
from mars_logic.episodes import Ended, play, summarise
from mars_logic.errors import InputError
from mars_logic.logic import Proof
from mars_logic.plan import certificate
from mars_logic.plan.certificate import Certificate
from mars_logic.proving import prove
from mars_logic.sim import Observation, Simulator
from mars_logic.world.load import bundled_worlds
from mars_logic.world.world import World


@dataclass(frozen=True)
class Result:
    """One episode and what could have been reached on its map."""

    certificate: Certificate
    ended: Ended
    proof: Proof

    @property
    def complete(self) -> bool:
        """Everything reachable was reached, leaving out what only luck can give."""
        return self.sure_goals <= set(self.certificate.unlocked)

    @property
    def sure_goals(self) -> set[str]:
        """What is reachable on this map and not by a finite chance only."""
        verdicts = self.proof.achievements.items()
        return {
            name
            for name, verdict in verdicts
            if verdict.verdict == "reachable" and verdict.certainty != "finite_chance"
        }

    @property
    def row(self) -> dict[str, Any]:
        """The episode as the JSON of ``run`` has it."""
        return {
            "seed": self.certificate.seed,
            "steps": self.certificate.steps,
            "reward": self.certificate.reward,
            "unlocked": self.certificate.unlocked,
            "ended": self.ended,
            "unreachable": unreachable(self.proof),
        }


def unreachable(proof: Proof) -> list[str]:
    """The achievements that are proved unreachable."""
    return [name for name, found in proof.achievements.items() if found.verdict == "unreachable"]


class _Replay:
    """An agent that does what a certificate says."""

    def __init__(self, actions: Iterable[int]) -> None:
        self._actions = iter(actions)

    def begin(self, episode: Episode) -> None:
        """Nothing to prepare."""

    def act(self, observation: Observation) -> int:  # noqa: ARG002
        """The next action."""
        return next(self._actions)

    def end(self, episode: Episode) -> None:
        """Nothing to finish."""


def trajectory_of(kept: Certificate, world: World) -> Trajectory:
    """What the player of a certificate saw: its actions, carried out once more."""
    recorder = Recorder(
        world, kept.seed, agent=kept.agent, name=kept.world.name, episode=kept.episode
    )
    # A goal that nobody reaches, so that all actions are carried out.
    goals, again = {"no achievement"}, _Replay(kept.actions)
    play(again, Simulator(world), kept.seed, goals, kept.episode, recorder, kept.steps)
    return recorder.trajectory()


def _unversioned(trajectory: Trajectory) -> About:
    return replace(trajectory.about, versions={})


def _save(recorded: Trajectory, path: Path) -> None:
    try:
        store.save(recorded, path)
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise InputError(f"{path}:1: file: {what}; allowed: a file that can be written") from None


def _taken(path: Path) -> InputError:
    return InputError(
        f"{path}:1: file: this is another episode than the one to be written here; "
        "allowed: to name another folder, or to remove the file"
    )


@dataclass
class Run:
    """Episodes of one agent in one world.

    Attributes:
        agent_name: As the agent is registered.
        make_agent: Makes the agent; one agent plays all episodes, and may learn.
        world: Where it plays.
        world_name: How that world can be loaded again.
        folder: Where episodes are kept, if anywhere; one that lies there is not played again.
        recordings: Where trajectories are kept, if anywhere.
    """

    agent_name: str
    make_agent: Callable[[], Agent]
    world: World
    world_name: str
    folder: Path | None = None
    recordings: Path | None = None
    results: list[Result] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._agent = self.make_agent()
        self._simulator = Simulator(self.world)

    def add(self, seed: int) -> None:
        """Play the first episode of a seed, or take it from the folder.

        Raises:
            InputError: A file of the episode's name is there and holds something else, or the
                folder cannot be written to.
        """
        proof = prove(self.world, map_seed=seed)
        kept, ended = self._kept(seed, proof) or self._played(seed, proof)
        if self.recordings:
            self._record(kept, self.recordings)
        self.results.append(Result(kept, ended, proof))

    def _record(self, kept: Certificate, folder: Path) -> None:
        """Write the episode's trajectory, unless it is there already."""
        recorded = trajectory_of(kept, self.world)
        path = folder / file_name(recorded.about)
        if not path.exists():
            _save(recorded, path)
        elif _unversioned(store.load(path)) != _unversioned(recorded):
            raise _taken(path)

    def _played(self, seed: int, proof: Proof) -> tuple[Certificate, Ended]:
        played = play(self._agent, self._simulator, seed, self._goals(proof))
        made = certificate.certify(played, self.world, self.world_name, self.agent_name)
        if path := self._path(seed):
            certificate.save(made, path)
        return made, played.ended

    def _goals(self, proof: Proof) -> set[str]:
        return set(self.world.achievements) - set(unreachable(proof))

    def _path(self, seed: int) -> Path | None:
        name = re.sub(r"\W+", "_", self.world.name)
        bundled = self.world.name in bundled_worlds()
        digest = "" if bundled else f"_{self.world.digest[:8]}"
        file = f"{name}{digest}__{self.agent_name}__s{seed}.json"
        return self.folder / file if self.folder else None

    def _kept(self, seed: int, proof: Proof) -> tuple[Certificate, Ended] | None:
        """The episode that lies in the folder, and how it ended; None if there is none."""
        path = self._path(seed)
        if path is None or not path.exists():
            return None
        old = certificate.load(path)
        found = certificate.verify(old, self.world)
        ended: Ended | None = None
        if found.died:
            ended = "death"
        elif self._goals(proof) <= set(found.unlocked):
            ended = "complete"
        elif old.steps == self._simulator.length:
            ended = "length"
        same = (old.seed, old.episode, old.agent) == (seed, 1, self.agent_name)
        if not (found.valid and same and ended):
            raise _taken(path)
        return old, ended

    def summary(self) -> dict[str, Any]:
        """The world's part of the JSON of ``run``."""
        rows = [result.row for result in self.results]
        unlocked = [result.certificate.unlocked for result in self.results]
        found = summarise([row["reward"] for row in rows], unlocked, self.world.achievements)
        return {
            "episodes": rows,
            "reward": {"mean": found.reward_mean, "std": found.reward_std},
            "success": found.success,
            "score": found.score,
            "complete": statistics.fmean(result.complete for result in self.results),
            "luck": self._luck(found.success),
        }

    def _luck(self, success: dict[str, float]) -> dict[str, dict[str, float]]:
        """What only a finite chance gives: how often it came, and how often to expect it."""
        luck: dict[str, dict[str, float]] = {}
        for name in self.world.achievements:
            chances = [
                (verdict.probability.low + verdict.probability.high) / 2
                for result in self.results
                if (verdict := result.proof.achievements[name]).probability
                and verdict.certainty == "finite_chance"
            ]
            if chances:
                luck[name] = {"rate": success[name], "expected": statistics.fmean(chances)}
        return luck
