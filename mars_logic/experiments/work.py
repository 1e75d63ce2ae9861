"""Does a unit of work: plays its episodes, and gives back the files to keep."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mars_logic.domains.game import Game
from mars_logic.experiments.game_work import play_unit
from mars_logic.experiments.record import Files, Phase, Record
from mars_logic.experiments.runs import CertifiedPlay, EpisodeResult, Run
from mars_logic.experiments.units import Unit
from mars_logic.play.agent import Agent, load_agent, model_player
from mars_logic.play.episodes import Observer, Played
from mars_logic.play.learning import LearningEpisode, experiments, revisions, study
from mars_logic.sim import Observation, Simulator
from mars_logic.world.dump import to_yaml
from mars_logic.world.theory import Theory, World


@dataclass(frozen=True)
class Failure:
    """A unit that could not be done.

    Attributes:
        reason: In one line.
        details: A traceback, or the same line.
    """

    reason: str
    details: str


Outcome = Files | Failure


def attempt(unit: Unit) -> Outcome:
    """Do a unit of work; what goes wrong is an answer too."""
    try:
        return carry_out(unit)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        return Failure(reason, traceback.format_exc())


def carry_out(unit: Unit) -> Files:
    """Do a unit of work."""
    record = Record(unit)
    if isinstance(unit.world, Game):
        play_unit(unit, unit.world, record)
    elif unit.learn is None:
        _play(unit, unit.world, record)
    else:
        _learn(unit, unit.world, unit.learn, record)
    return record.files()


def _rules_given(unit: Unit) -> Theory | None:
    """The belief of an agent in a world."""
    assert not isinstance(unit.belief, Game)
    return unit.belief


class DecisionLog:
    """An observer that takes down what an agent decides, as far as it tells, run by run."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.taken: list[dict[str, Any]] = []
        self._step = 0

    def begin(self, observation: Observation) -> None:  # noqa: ARG002
        """Forget the episode before."""
        self.taken, self._step = [], 0

    def note(
        self,
        action: int,  # noqa: ARG002
        reward: float,  # noqa: ARG002
        unlocked: Iterable[str],  # noqa: ARG002
        done: bool,  # noqa: ARG002
        after: Observation,  # noqa: ARG002
    ) -> None:
        """Ask for the decision behind the step that was taken."""
        self._step += 1
        decision = getattr(self._agent, "decision", None)
        if decision is None:
            return
        meant = {"layer": decision.layer, "what": decision.about}
        if not self.taken or meant.items() - self.taken[-1].items():
            self.taken.append({"step": self._step, **meant})


def _play(unit: Unit, world: World, record: Record) -> None:
    make: Any = load_agent(unit.agent)
    agent = make(**unit.made_with)
    run = Run(
        model_player(unit.agent, unit.made_with),
        lambda: agent,
        world,
        unit.name_in_certificates,
        limit=unit.length,
        belief=_rules_given(unit),
        live_on=unit.live_on,
    )
    thoughts = DecisionLog(agent)
    for seed, episode in unit.played:
        result = run.episode(seed, episode, observer=thoughts)
        phase: Phase = "play" if unit.evaluate is None else "evaluate"
        record.add(phase, result, record.cost(), thoughts.taken)


def _learn(unit: Unit, world: World, episodes: int, record: Record) -> None:
    certified = CertifiedPlay(
        world,
        unit.name_in_certificates,
        unit.agent,
        limit=unit.length,
        belief=_rules_given(unit),
        live_on=unit.live_on,
    )
    results: list[EpisodeResult] = []
    watchers: list[DecisionLog] = []
    costs: list[dict[str, float]] = []
    thoughts: list[list[dict[str, Any]]] = []

    def play_one(
        agent: Agent, simulator: Simulator, seed: int, episode: int, observer: Observer | None
    ) -> Played:
        played, result = certified.play(agent, simulator, seed, episode, observer)
        results.append(result)
        return played

    def watch(agent: Agent) -> DecisionLog:
        watchers.append(DecisionLog(agent))
        return watchers[-1]

    def done(_: LearningEpisode | Played) -> None:
        costs.append(record.cost())
        thoughts.append(watchers[-1].taken)

    found = study(
        world,
        unit.seed,
        episodes,
        unit.evaluate or 0,
        agent=unit.agent,
        play_one=play_one,
        watch=watch,
        done=done,
        **unit.made_with,
    )
    told = revisions(found)
    for number, lesson in enumerate(found.lessons, 1):
        changed = sum(each["episode"] == number for each in told)
        of = results[number - 1], costs[number - 1], thoughts[number - 1]
        record.add("learn", *of, lesson.score, changed)
        record.write(f"theories/e{number}.yaml", to_yaml(lesson.theory))
    last = found.lessons[-1].score
    for of in zip(results[episodes:], costs[episodes:], thoughts[episodes:], strict=True):
        record.add("evaluate", *of, last, 0)
    record.write("theory.yaml", to_yaml(found.theory))
    record.write("revisions.json", told)
    record.write("experiments.json", experiments(found))
