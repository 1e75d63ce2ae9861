"""Input of a report: rows of results, episodes to replay, and learned theories."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, zip_longest
from pathlib import Path
from typing import Annotated, Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from mars_logic.domains.certificates import GameCertificate, game_of_certificate
from mars_logic.domains.game import Game
from mars_logic.experiments.rows import Row
from mars_logic.experiments.summary import given_to
from mars_logic.language.exchanges import Exchange
from mars_logic.play.certificate import Certificate
from mars_logic.play.privileges import marked
from mars_logic.system.display import number
from mars_logic.theory.rulesets import Rules
from mars_logic.views.report.training_curves import TrainedRun
from mars_logic.world.theory import Theory, World

Count = Annotated[int, Field(ge=1, lt=2**31)]


class ReportPart(BaseModel):
    """Read from a file; fields that are not known here are left to others."""

    model_config = ConfigDict(frozen=True, extra="ignore")


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


Claimed = TypeVar("Claimed", Certificate, GameCertificate)


@dataclass(frozen=True, repr=False)
class Kept(Generic[Claimed]):
    """An episode that can be played again.

    Attributes:
        row: Its results.
        path: The file of its certificate or trajectory.
        load: Reads it.
        thoughts: The agent's thoughts.
    """

    row: Row
    path: Path
    load: Callable[[], Claimed]
    thoughts: tuple[Thought, ...] = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.row.number} of {self.row.unit}: {self.path}>"

    @cached_property
    def certificate(self) -> Claimed:
        """The actions."""
        return self.load()


@dataclass(frozen=True, repr=False)
class KeptEpisode(Kept[Certificate]):
    """An episode in a world.

    Attributes:
        world: That world, if it is at hand; else it is loaded by the name in the certificate.
    """

    world: World | None = None


class KeptGame(Kept[GameCertificate]):
    """An episode in a game."""

    @cached_property
    def game(self) -> Game:
        """What was played."""
        return game_of_certificate(self.certificate, self.path)


AnyKept = TypeVar("AnyKept", KeptEpisode, KeptGame)


def chosen(
    every: Sequence[AnyKept], most: int, first: Container[int] = frozenset()
) -> list[AnyKept]:
    """The first episodes of each agent in each world or game, distributed evenly, in their order.

    Args:
        every: What there is.
        most: How many, in all.
        first: The identities of episodes that are taken before all others.
    """
    cells: dict[tuple[str, str], list[AnyKept]] = {}
    for kept in every:
        cells.setdefault((kept.row.agent, kept.row.world_name), []).append(kept)
    turns = chain.from_iterable(zip_longest(*cells.values()))
    ordered = sorted((each for each in turns if each is not None), key=lambda e: id(e) not in first)
    taken = {id(kept) for kept in ordered[:most]}
    return [kept for kept in every if id(kept) in taken]


@dataclass(frozen=True, repr=False)
class GameMaterial:
    """All of a report's input that is about games.

    Attributes:
        rows: The results, in order.
        kept: The episodes that can be told again, in the same order.
        theories: Theories that players may have been given, by their digests.
    """

    rows: tuple[Row, ...] = ()
    kept: tuple[KeptGame, ...] = ()
    theories: Mapping[str, Game] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<GameMaterial: {number(len(self.rows), 'episode')}, {len(self.kept)} kept>"


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
        trained: Training runs.
        sessions: Exchanges with language models, by the names of their files.
        own: Worlds that are told of though nobody played in them, by their names.
    """

    title: str
    place: Path
    rows: tuple[Row, ...]
    kept: tuple[KeptEpisode, ...]
    learned: Mapping[str, LearnedUnit] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    spec: str = ""
    missing: tuple[int, int] | None = None
    games: GameMaterial = field(default_factory=GameMaterial)
    rules: Mapping[str, Rules] = field(default_factory=dict)
    trained: tuple[TrainedRun, ...] = ()
    sessions: Mapping[str, tuple[Exchange, ...]] = field(default_factory=dict)
    own: Mapping[str, World] = field(default_factory=dict)

    def __repr__(self) -> str:
        of_games = f"{number(len(self.games.rows), 'episode')} of games"
        return f"<Material {self.title}: {number(len(self.rows), 'episode')} of worlds, {of_games}>"

    def with_marks(self) -> Material:
        """The same, with what each agent is given besides what it observes as part of its label."""
        told = given_to(self.rows)
        rows = [_marked(row, told) for row in self.rows]
        kept = [replace(each, row=_marked(each.row, told)) for each in self.kept]
        return replace(self, rows=tuple(rows), kept=tuple(kept))

    @property
    def episodes(self) -> list[Row]:
        """All episodes: in worlds, then in games."""
        return [*self.rows, *self.games.rows]

    @property
    def agents(self) -> tuple[str, ...]:
        """All agents, in the order of rows."""
        return tuple(dict.fromkeys(row.agent for row in self.rows))

    @property
    def worlds(self) -> tuple[str, ...]:
        """The names of all worlds, in the order of rows."""
        return tuple(dict.fromkeys(row.world_name for row in self.rows))

    def of(self, agent: str, world: str) -> list[Row]:
        """The rows that judge an agent in a world: for a learner those after learning.

        If it was never tested, its episodes of learning stand for it.
        """
        rows = [row for row in self.rows if (row.agent, row.world_name) == (agent, world)]
        return [row for row in rows if row.phase != "learn"] or rows

    def lessons(self, agent: str, world: str) -> Iterator[list[Row]]:
        """The episodes in which an agent learned a world, unit by unit."""
        units: dict[str, list[Row]] = {}
        for row in self.rows:
            if (row.agent, row.world_name, row.phase) == (agent, world, "learn"):
                units.setdefault(row.unit, []).append(row)
        yield from units.values()


def _marked(row: Row, told: Mapping[str, str]) -> Row:
    return replace(row, agent=marked(row.agent, told.get(row.agent, "")))


PHASES: Final = {
    "play": "played",
    "learn": "learning",
    "evaluate": "test",
}
"""Labels of phases."""
