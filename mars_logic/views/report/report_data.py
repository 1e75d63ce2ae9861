"""Input of a report: rows of results, episodes to replay, and learned theories."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from mars_logic.display import number
from mars_logic.experiments import rows
from mars_logic.experiments.rows import Row
from mars_logic.experiments.summary import given_to
from mars_logic.play.certificate import Certificate
from mars_logic.play.episodes import Ended
from mars_logic.play.privileges import marked
from mars_logic.theory.rulesets import Rules
from mars_logic.views.report.game_data import GameMaterial
from mars_logic.world.names import Dynamics
from mars_logic.world.theory import Theory

Phase = Literal["play", "learn", "evaluate"]
Count = Annotated[int, Field(ge=1, lt=2**31)]


class ReportPart(BaseModel):
    """Read from a file; fields that are not known here are left to others."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class ReportRow(ReportPart):
    """One episode's results.

    Attributes:
        unit: Episodes of one agent in one world from one seed belong together.
        agent: What to call the agent with its settings.
        world: How the world can be loaded.
        world_name: What to call it.
        world_digest: Which version of it.
        dynamics: Its dialect.
        seed: The environment's seed.
        episode: Which episode of that seed.
        phase: Whether it was played, learned in, or played to test what was learned.
        steps: How many.
        reward: The sum of all rewards.
        ended: Why; None if that is not known.
        unlocked: The step at which each achievement was first reached.
        unreachable: What is proved unreachable.
        complete: Whether all was reached that can be; None if that is not known.
        precision: Of the belief after the episode; None but for a learner.
        recall: The same.
        revisions: How often the belief was changed in the episode.
        certificate: The file to play it again from, from the folder; None if there is none.
        agent_name: The agent as it is registered.
        options: What its class was called with, as JSON.
        belief: The digest of the belief that it was given, if any.
    """

    unit: str
    agent: str
    world: str
    world_name: str
    world_digest: str
    dynamics: Dynamics
    seed: int
    episode: int
    phase: Phase = "play"
    steps: int
    reward: float
    ended: Ended | None = None
    unlocked: dict[str, int]
    unreachable: tuple[str, ...] = ()
    complete: bool | None = None
    precision: float | None = None
    recall: float | None = None
    revisions: int | None = None
    certificate: str | None = None
    agent_name: str = ""
    options: str = "{}"
    belief: str | None = None

    def __repr__(self) -> str:
        reached = number(len(self.unlocked), "achievement")
        return f"<ReportRow {self.unit}: {reached} in {number(self.steps, 'step')}>"

    __str__ = __repr__

    @classmethod
    def of(cls, row: rows.Row) -> ReportRow:
        """A row as it was read."""
        return cls.model_construct(**{name: getattr(row, name) for name in cls.model_fields})

    def counted(self) -> rows.Row:
        """The row as summaries take it, without its cost."""
        return rows.Row(
            unit=self.unit,
            number=0,
            agent=self.agent,
            agent_name=self.agent_name or self.agent,
            options=self.options,
            belief=self.belief,
            world=self.world,
            world_name=self.world_name,
            world_digest=self.world_digest,
            dynamics=self.dynamics,
            seed=self.seed,
            episode=self.episode,
            phase=self.phase,
            steps=self.steps,
            reward=self.reward,
            ended=self.ended or "",
            unlocked=self.unlocked,
            unreachable=self.unreachable,
            complete=self.complete,
            precision=self.precision,
            recall=self.recall,
            changes_recall=None,
            revisions=self.revisions,
            seconds_per_decision=math.nan,
            seconds=math.nan,
            peak_memory_mib=math.nan,
        )


class Thought(ReportPart):
    """An agent's thought from a step on: the layer of its planner and the reason.

    Steps count decisions from 1: the thought of step k led to the k-th action.
    """

    step: Count
    layer: str
    what: str


class RevisionEntry(ReportPart):
    """A rule that changed, as in the JSON of ``learn``.

    Attributes:
        episode: The unit's episode, from 1.
        step: After how many steps of it.
        rule: The rule's id.
        words: The rule before and after.
        because: What was seen, if anything.
    """

    episode: Count
    step: Annotated[int, Field(ge=0, lt=2**31)]
    rule: str
    words: tuple[str, str]
    because: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class LearnedUnit:
    """Results of a learner's unit.

    Attributes:
        theory: The belief at the end.
        revisions: How it came about, in order.
    """

    theory: Theory
    revisions: tuple[RevisionEntry, ...] = ()

    def __repr__(self) -> str:
        return f"<LearnedUnit: {self.theory!r}, {number(len(self.revisions), 'revision')}>"


@dataclass(frozen=True, repr=False)
class KeptEpisode:
    """An episode that can be replayed.

    Attributes:
        row: Its results.
        number: Number of the episode in its unit, from 1.
        path: The file of its certificate or trajectory.
        load: Reads it.
        thoughts: The agent's thoughts.
    """

    row: ReportRow
    number: int
    path: Path
    load: Callable[[], Certificate]
    thoughts: tuple[Thought, ...] = ()

    def __repr__(self) -> str:
        return f"<KeptEpisode {self.number} of {self.row.unit}: {self.path}>"

    @cached_property
    def certificate(self) -> Certificate:
        """The actions."""
        return self.load()


@dataclass(frozen=True, repr=False)
class Material:
    """All input of a report.

    Attributes:
        title: What to call it.
        place: The folder from which the rows' worlds are found.
        rows: The results, in order.
        kept: The episodes that can be played again, in the same order.
        learned: What was learned, by unit.
        left_out: Files that were not used, each with the reason.
        spec: The experiment's spec in YAML; empty without one.
        missing: How many units have results, and how many were asked for; None if that is all.
        games: What is about games; all else is about worlds.
        rules: Rules that anyone proposed, by the name of their file.
    """

    title: str
    place: Path
    rows: tuple[ReportRow, ...]
    kept: tuple[KeptEpisode, ...]
    learned: Mapping[str, LearnedUnit] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    spec: str = ""
    missing: tuple[int, int] | None = None
    games: GameMaterial = field(default_factory=GameMaterial)
    rules: Mapping[str, Rules] = field(default_factory=dict)

    def __repr__(self) -> str:
        of_games = f"{number(len(self.games.rows), 'episode')} of games"
        return f"<Material {self.title}: {number(len(self.rows), 'episode')} of worlds, {of_games}>"

    def with_marks(self) -> Material:
        """The same, with what each agent is given besides what it observes as part of its label."""
        told = given_to(row.counted() for row in self.rows)
        rows = [_marked(row, told) for row in self.rows]
        kept = [replace(each, row=_marked(each.row, told)) for each in self.kept]
        return replace(self, rows=tuple(rows), kept=tuple(kept))

    @property
    def episodes(self) -> list[Row]:
        """All episodes, as summaries take them: in worlds, then in games."""
        return [*(row.counted() for row in self.rows), *self.games.rows]

    @property
    def agents(self) -> tuple[str, ...]:
        """All agents, in the order of rows."""
        return tuple(dict.fromkeys(row.agent for row in self.rows))

    @property
    def worlds(self) -> tuple[str, ...]:
        """The names of all worlds, in the order of rows."""
        return tuple(dict.fromkeys(row.world_name for row in self.rows))

    def of(self, agent: str, world: str) -> list[ReportRow]:
        """The rows that judge an agent in a world: for a learner those after learning.

        If it was never tested, its episodes of learning stand for it.
        """
        rows = [row for row in self.rows if (row.agent, row.world_name) == (agent, world)]
        return [row for row in rows if row.phase != "learn"] or rows

    def lessons(self, agent: str, world: str) -> Iterator[list[ReportRow]]:
        """The episodes in which an agent learned a world, unit by unit."""
        units: dict[str, list[ReportRow]] = {}
        for row in self.rows:
            if (row.agent, row.world_name, row.phase) == (agent, world, "learn"):
                units.setdefault(row.unit, []).append(row)
        yield from units.values()


def _marked(row: ReportRow, told: Mapping[str, str]) -> ReportRow:
    return row.model_copy(update={"agent": marked(row.agent, told.get(row.agent, ""))})


PHASES: Final[Mapping[Phase, str]] = {
    "play": "played",
    "learn": "learning",
    "evaluate": "test",
}
"""Labels of phases."""
