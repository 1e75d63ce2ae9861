"""Runs: episodes of one agent in one world, played or taken from where they are kept."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from mars_logic.data import store
from mars_logic.data.recorder import Recorder
from mars_logic.data.store import file_name
from mars_logic.data.trajectory import About, Trajectory
from mars_logic.errors import InputError
from mars_logic.experiments.proving import prove
from mars_logic.logic import Proof
from mars_logic.play import certificate
from mars_logic.play.agent import Agent, Episode, player_name
from mars_logic.play.certificate import Certificate, LowerBound
from mars_logic.play.episodes import Ended, Observer, Played, play
from mars_logic.sim import Observation, Simulator
from mars_logic.system.file_names import path_named
from mars_logic.system.files import refusal, write_or_refuse
from mars_logic.theory.rulesets import Rules
from mars_logic.theory.rulesets.artefact import rules_text
from mars_logic.world.load import bundled_worlds
from mars_logic.world.theory import Theory, World

RULES = ".rules.json"
"""The ending of the rules that an agent proposed, beside the certificate of the episode."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class EpisodeResult:
    """One episode, with the achievements reachable on its map.

    Attributes:
        certificate: What was played.
        ended: How it ended.
        proof: What is proved about its map.
        seconds: How long each decision took; empty if it was played earlier.
    """

    certificate: Certificate
    ended: Ended
    proof: Proof
    seconds: tuple[float, ...] = ()

    @property
    def complete(self) -> bool:
        """All was reached that is not proved unreachable, leaving out what only luck can give."""
        return self.sure_goals <= set(self.certificate.unlocked)

    @property
    def sure_goals(self) -> set[str]:
        """The achievements that this map may allow without a finite chance."""
        verdicts = self.proof.achievements.items()
        return {
            name
            for name, verdict in verdicts
            if verdict.verdict != "unreachable" and verdict.certainty != "finite_chance"
        }

    @property
    def unreachable(self) -> list[str]:
        """The achievements that are proved unreachable on this map."""
        return unreachable(self.proof)


def unreachable(proof: Proof) -> list[str]:
    """The achievements that are proved unreachable."""
    return [name for name, found in proof.achievements.items() if found.verdict == "unreachable"]


def goals(world: World, proof: Proof) -> set[str]:
    """The achievements after which an episode is over: all that are not proved unreachable."""
    return set(world.achievements) - set(unreachable(proof))


@dataclass(frozen=True)
class CertifiedPlay:
    """Plays episodes in one world: proves what a map allows, plays until that, and certifies it.

    Attributes:
        world: Where it is played.
        world_name: How that world can be loaded again.
        agent_name: As the agent is registered.
        lower_bound: How many steps what was unlocked takes at least, if that is known; it becomes
            part of the certificate. By default it is not known.
        limit: Steps after which an episode ends, if before the world's own length.
        belief: The rules that the agent was given, if any.
        live_on: Whether episodes go on after the last goal.
        smartplay: Whether certificates state SmartPlay's score.
    """

    world: World
    world_name: str
    agent_name: str
    lower_bound: Callable[[World, Played], LowerBound | None] = lambda _world, _played: None
    limit: int | None = None
    belief: Theory | None = None
    live_on: bool = False
    smartplay: bool = False

    def prove(self, seed: int, episode: int) -> Proof:
        """What is proved about the map of an episode."""
        return prove(self.world, map_seed=seed, episode=episode)

    def play(
        self,
        agent: Agent,
        simulator: Simulator,
        seed: int,
        episode: int = 1,
        observer: Observer | None = None,
        proof: Proof | None = None,
    ) -> tuple[Played, EpisodeResult]:
        """Play an episode until everything that its map allows is unlocked, or to its end.

        Args:
            agent: Who plays.
            simulator: One environment (n = 1); it is reset.
            seed: The environment's seed.
            episode: Which episode of that seed.
            observer: Who watches.
            proof: Of :meth:`prove`, if it is at hand.
        """
        proof = proof or self.prove(seed, episode)
        wanted = goals(self.world, proof)
        about = agent, simulator, seed, wanted, episode, observer, self.limit
        played = play(*about, live_on=self.live_on)
        bound = self.lower_bound(self.world, played)
        names = self.world, self.world_name, self.agent_name
        scored = self.smartplay
        certified = certificate.certify(played, *names, bound, self.belief, smartplay=scored)
        return played, EpisodeResult(certified, played.ended, proof, played.seconds)


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


def trajectory_of(kept: Certificate, world: World, *, public: bool = False) -> Trajectory:
    """The observations of a certificate's player, from a replay of its actions.

    Args:
        kept: The certificate.
        world: Where it was played.
        public: Leave out what is privileged.
    """
    simulator = Simulator(world)
    recorder = Recorder(
        world,
        kept.seed,
        agent=kept.agent,
        name=kept.world.name,
        episode=kept.episode,
        simulator=None if public else simulator,
    )
    # A goal that nobody reaches, so that all actions are carried out.
    nothing, again = {"no achievement"}, _Replay(kept.actions)
    play(again, simulator, kept.seed, nothing, kept.episode, recorder, kept.steps)
    return recorder.trajectory()


def _identity(trajectory: Trajectory) -> tuple[About, bool]:
    """The identity of a trajectory: equal for equal ones."""
    return replace(trajectory.about, versions={}), trajectory.privileged is None


def certificate_name(world: World, agent: str, seed: int, episode: int = 1) -> str:
    """The name of the file of an episode, with its number if it is not the first of its seed."""
    name = re.sub(r"\W+", "_", world.name)
    digest = "" if world.name in bundled_worlds() else f"_{world.digest[:8]}"
    later = f"e{episode}" if episode > 1 else ""
    return f"{name}{digest}__{agent}__s{seed}{later}.json"


def save_trajectory(recorded: Trajectory, path: Path) -> None:
    """Write a trajectory, whole or not at all.

    Raises:
        InputError: The file cannot be written.
    """
    try:
        store.save(recorded, path)
    except OSError as error:
        raise refusal(path, error, "a file that can be written") from None


def _taken(path: Path) -> InputError:
    return InputError(
        f"{path}:1: file: this is another episode than the one to be written here; "
        "allowed: another place, or to remove the file"
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
            The rules that an agent proposed by the end of each lie beside it.
        recordings: Where trajectories are kept, if anywhere.
        public: Whether trajectories leave out what is privileged.
        lower_bound: How many steps what was unlocked takes at least, if that is known; it becomes
            part of the certificate. By default it is not known.
        limit: Steps after which an episode ends, if before the world's own length.
        belief: The rules that ``make_agent`` gives the agent, if any; an episode that was played
            with others is another one.
        live_on: Whether episodes go on after the last goal, to death or their length; an episode
            that was played otherwise is another one.
        smartplay: Whether new certificates state SmartPlay's score.
        anew: Whether :meth:`add` plays episodes that are kept already, so that an agent remembers
            them.
        results: The episodes so far.
        recorded: The files of their trajectories.
        agent: Who plays.
    """

    agent_name: str
    make_agent: Callable[[], Agent]
    world: World
    world_name: str
    folder: Path | None = None
    recordings: Path | None = None
    public: bool = False
    lower_bound: Callable[[World, Played], LowerBound | None] = lambda _world, _played: None
    limit: int | None = None
    belief: Theory | None = None
    live_on: bool = False
    smartplay: bool = False
    anew: bool = False
    results: list[EpisodeResult] = field(default_factory=list)
    recorded: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.agent = self.make_agent()
        self._simulator = Simulator(self.world)
        self._play = CertifiedPlay(
            self.world,
            self.world_name,
            self.agent_name,
            self.lower_bound,
            self.limit,
            self.belief,
            self.live_on,
            self.smartplay,
        )

    @property
    def player(self) -> str:
        """The agent's name in records."""
        return player_name(self.agent_name, self.belief)

    def add(self, seed: int) -> EpisodeResult:
        """Play the first episode of a seed, or take it from the folder; see :meth:`episode`.

        Raises:
            InputError: A file is there and holds something else, or it cannot be written.
        """
        recorder = self._recorder(seed) if self.recordings else None
        path = self.path(seed)
        found = self.episode(seed, kept_at=None if self.anew else path, observer=recorder)
        if self.anew and path:
            self._keep_once(found.certificate, path)
        if path and hasattr(self.agent, "proposed"):
            self._keep_rules(path.with_suffix(RULES), self.agent.proposed())
        if self.recordings and recorder:
            self._record(found, recorder, self.recordings)
        self.results.append(found)
        return found

    def episode(
        self,
        seed: int,
        episode: int = 1,
        kept_at: Path | None = None,
        *,
        anew: bool = False,
        observer: Observer | None = None,
    ) -> EpisodeResult:
        """Play an episode and keep it, or take it from where it is kept.

        Args:
            seed: The environment's seed.
            episode: Which episode of that seed.
            kept_at: The file of its certificate; None to keep it nowhere.
            anew: Play it in any case, and replace the file.
            observer: Who watches, if it is played.

        Raises:
            InputError: The file is there and holds something else, or it cannot be written.
        """
        proof = self._play.prove(seed, episode)
        if kept_at and kept_at.exists() and not anew:
            return self._kept(seed, episode, proof, kept_at)
        _, result = self._play.play(self.agent, self._simulator, seed, episode, observer, proof)
        _LOG.info("%s, seed %d: %d steps", self.world_name, seed, result.certificate.steps)
        if kept_at:
            certificate.save(result.certificate, kept_at)
        return result

    def _keep_rules(self, path: Path, proposed: Rules) -> None:
        """Keep the rules that an agent has proposed by the end of an episode.

        Raises:
            InputError: The file cannot be written.
        """
        told = proposed.model_copy(update={"rules_from": self.player})
        write_or_refuse(path, rules_text(told, path))

    def _keep_once(self, played: Certificate, path: Path) -> None:
        """Keep a certificate, unless the same one is kept already.

        Raises:
            InputError: The file holds something else, or it cannot be written.
        """
        if not path.exists():
            certificate.save(played, path)
        elif certificate.load(path).model_copy(update={"versions": played.versions}) != played:
            raise _taken(path)

    def _recorder(self, seed: int) -> Recorder:
        return Recorder(
            self.world,
            seed,
            agent=self.player,
            name=self.world_name,
            simulator=None if self.public else self._simulator,
        )

    def _record(self, found: EpisodeResult, recorder: Recorder, folder: Path) -> None:
        """Write the episode's trajectory, unless it is there already."""
        if found.seconds:
            recorded = recorder.trajectory()
        else:  # it was played earlier
            recorded = trajectory_of(found.certificate, self.world, public=self.public)
        path = folder / path_named(file_name(recorded.about))
        if not path.exists():
            save_trajectory(recorded, path)
        elif _identity(store.load(path)) != _identity(recorded):
            raise _taken(path)
        self.recorded.append(path)

    def path(self, seed: int) -> Path | None:
        """Where the first episode of a seed is kept, if anywhere."""
        file = certificate_name(self.world, self.player, seed)
        return self.folder / path_named(file) if self.folder else None

    def _kept(self, seed: int, episode: int, proof: Proof, path: Path) -> EpisodeResult:
        """The episode in a file, and how it ended."""
        old = certificate.load(path)
        found = certificate.verify(old, self.world)
        length = min(self._simulator.length, self.limit or self._simulator.length)
        wanted = goals(self.world, proof)
        reached = max((found.unlocked.get(name, math.inf) for name in wanted), default=1)
        ended: Ended | None = None
        if not self.live_on and reached <= old.steps:
            ended = "complete" if reached == old.steps else None
        elif found.died:
            ended = "death"
        elif old.steps == length:
            ended = "length"
        belief = self.belief.digest if self.belief is not None else None
        asked = seed, episode, self.player, belief
        same = (old.seed, old.episode, old.agent, old.belief) == asked
        if not (found.valid and same and ended and old.steps <= length):
            raise _taken(path)
        return EpisodeResult(old, ended, proof)
