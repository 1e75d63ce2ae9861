"""The models that are compared, as ``onelife.yaml`` states them, and their theories of a world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, model_validator

from mars_logic.experiments.state_ranking.ranking import StateRanking, StateRankingTest
from mars_logic.play.agent import load_agent
from mars_logic.play.learning import study
from mars_logic.play.recording import record
from mars_logic.sim import Simulator
from mars_logic.system import resources
from mars_logic.theory import Evidence, revise
from mars_logic.world.load import load_world
from mars_logic.world.source import parse
from mars_logic.world.theory import Theory, World

Known = Literal["truth", "crafter", "none"]
"""Rules that are known: those of the true world, Crafter's, or none."""


class RankedModel(BaseModel):
    """A model: rules, or what is learned by play.

    Attributes:
        rules: Rules that are given, and no episode.
        learn: The prior of the agent ``inductive``, which plays.
        passive: Whether it acts at random.
        episodes: How many it plays.
        revise: The theory that is revised once by an episode.
        play: The agent that plays the latter.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rules: Known | None = None
    learn: Known | None = None
    passive: bool = False
    episodes: int = 1
    revise: Known | None = None
    play: str = "oracle"

    @model_validator(mode="after")
    def _one_source(self) -> RankedModel:
        if sum(each is not None for each in (self.rules, self.learn, self.revise)) != 1:
            raise ValueError("state one of rules, learn and revise")
        return self


class RankingSpec(BaseModel):
    """A comparison: of which models in which worlds, in how many transitions and trials."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    transitions: int
    trials: int
    seeds: tuple[int, ...]
    models: dict[str, RankedModel]
    worlds: dict[str, tuple[str, ...]]


class LearnedTheory(NamedTuple):
    """A model's theory of a world, and the steps of play that it was learned in."""

    theory: Theory
    steps: int = 0


@dataclass(frozen=True)
class RankingUnit:
    """A unit of work: a model in a world, and the seed of its play."""

    world: str
    model: str
    seed: int


class UnitResult(NamedTuple):
    """What a model achieves in a world after the play of one seed."""

    ranking: StateRanking
    steps: int


@cache
def onelife() -> RankingSpec:
    """The bundled comparison."""
    held = parse(resources.text(__name__, "onelife.yaml"), "onelife.yaml").data
    return RankingSpec.model_validate(_as_tuples(held))


def units(spec: RankingSpec, worlds: Mapping[str, tuple[str, ...]]) -> list[RankingUnit]:
    """All units; rules that are given need one seed alone."""
    return [
        RankingUnit(world, model, seed)
        for world, models in worlds.items()
        for model in models
        for seed in (spec.seeds[:1] if spec.models[model].rules else spec.seeds)
    ]


def ranked_unit(unit: RankingUnit, spec: RankingSpec) -> UnitResult:
    """Learn, and rank true next states by what was learned."""
    world = load_world(unit.world)
    theory, steps = theory_of(spec.models[unit.model], world, unit.seed)
    return UnitResult(StateRankingTest(world, spec.transitions, spec.trials).rank(theory), steps)


def theory_of(model: RankedModel, world: World, seed: int) -> LearnedTheory:
    """A model's theory of a world.

    Args:
        model: The model.
        world: The world.
        seed: Of the play.
    """
    if model.rules:
        return LearnedTheory(known(model.rules, world))
    if model.learn:
        found = study(world, seed, model.episodes, prior=model.learn, passive=model.passive)
        return LearnedTheory(found.theory, sum(each.played.steps for each in found.lessons))
    assert model.revise
    agent = load_agent(model.play)()
    played, trajectory = record(agent, Simulator(world), seed, agent_name=model.play)
    revision = revise(known(model.revise, world), Evidence.of([trajectory]))
    return LearnedTheory(revision.theory, played.steps)


def known(rules: Known, world: World) -> Theory:
    """Rules in a world's dialect."""
    if rules == "truth":
        return world
    blank = Theory.unknown(world.dynamics)
    return in_dialect(blank if rules == "none" else load_world("crafter"), world)


def in_dialect(theory: Theory, world: World) -> Theory:
    """A theory read in a world's dialect and setting; of names that it lacks nothing is known."""
    same = theory.dynamics == world.dynamics
    return (theory if same else replace(theory, dynamics=world.dynamics)).within(world)


def _as_tuples(value: object) -> object:
    if isinstance(value, list):
        return tuple(map(_as_tuples, value))
    if isinstance(value, dict):
        return {name: _as_tuples(part) for name, part in value.items()}
    return value
