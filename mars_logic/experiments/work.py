"""Does a unit of work: plays its episodes, and gives back the files to keep."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mars_logic.agent import Agent, load_agent
from mars_logic.episodes import Played
from mars_logic.experiments.record import Files, Phase, Record
from mars_logic.experiments.units import Unit
from mars_logic.learn.study import Lesson, experiments, revisions, study
from mars_logic.logic import Proof
from mars_logic.plan.certificate import certify
from mars_logic.proving import prove
from mars_logic.runs import Result, Run, unreachable
from mars_logic.sim import Observation
from mars_logic.world.dump import to_yaml


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
    if unit.learn is None:
        _play(unit, record)
    else:
        _learn(unit, unit.learn, record)
    return record.files()


class Thoughts:
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


def _play(unit: Unit, record: Record) -> None:
    make: Any = load_agent(unit.agent)
    agent = make(**unit.made_with)
    run = Run(
        unit.agent,
        lambda: agent,
        unit.world,
        unit.name_in_certificates,
        limit=unit.length,
        belief=unit.belief,
    )
    thoughts = Thoughts(agent)
    for seed, episode in unit.played:
        result = run.episode(seed, episode, observer=thoughts)
        phase: Phase = "play" if unit.evaluate is None else "evaluate"
        record.add(phase, result, record.cost(), thoughts.taken)


def _learn(unit: Unit, episodes: int, record: Record) -> None:
    world, name = unit.world, unit.name_in_certificates
    proofs: dict[tuple[int, int], Proof] = {}
    watchers: list[Thoughts] = []
    costs: list[dict[str, float]] = []
    thoughts: list[list[dict[str, Any]]] = []

    def goals(seed: int, episode: int) -> set[str]:
        proofs[seed, episode] = prove(world, map_seed=seed, episode=episode)
        return set(world.achievements) - set(unreachable(proofs[seed, episode]))

    def watch(agent: Agent) -> Thoughts:
        watchers.append(Thoughts(agent))
        return watchers[-1]

    def done(_: Lesson | Played) -> None:
        costs.append(record.cost())
        thoughts.append(watchers[-1].taken)

    def result_of(played: Played) -> Result:
        made = certify(played, world, name, unit.agent, belief=unit.belief)
        return Result(made, played.ended, proofs[played.seed, played.episode], played.seconds)

    found = study(
        world,
        unit.seed,
        episodes,
        unit.evaluate or 0,
        agent=unit.agent,
        limit=unit.length,
        goals=goals,
        watch=watch,
        done=done,
        **unit.made_with,
    )
    told = revisions(found)
    for number, lesson in enumerate(found.lessons, 1):
        changed = sum(each["episode"] == number for each in told)
        cost, taken = costs[number - 1], thoughts[number - 1]
        record.add("learn", result_of(lesson.played), cost, taken, lesson.score, changed)
        record.write(f"theories/e{number}.yaml", to_yaml(lesson.theory))
    last = found.lessons[-1].score
    for number, played in enumerate(found.tests, episodes):
        record.add("evaluate", result_of(played), costs[number], thoughts[number], last, 0)
    record.write("theory.yaml", to_yaml(found.theory))
    record.write("revisions.json", told)
    record.write("experiments.json", experiments(found))
