"""Evidence: the distinct signatures in trajectories, each counted and with an example."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import Trajectory
from mars_logic.errors import InputError
from mars_logic.system.display import number
from mars_logic.theory.evidence.batches import Batch, Turn
from mars_logic.theory.evidence.decode import decoded
from mars_logic.theory.evidence.layout import KIND, MAKING, START, layout_of
from mars_logic.theory.evidence.own_constants import without_constants
from mars_logic.theory.signatures import Signature
from mars_logic.world import names
from mars_logic.world.adds import NOTHING, Adds, vocabulary_with
from mars_logic.world.vocabulary import Vocabulary

if TYPE_CHECKING:
    from mars_logic.theory.evidence.reader import Reader


class Occurrence(NamedTuple):
    """One transition: the trajectory it is in, and the step, counted from 1 (0: its beginning)."""

    source: str
    step: int

    def __str__(self) -> str:
        return f"{self.source} step {self.step}"


@dataclass
class SeenSignature:
    """The count and the first occurrence of a signature."""

    first: Occurrence
    count: int = 0


class Evidence:
    """Evidence on the rules from trajectories.

    Attributes:
        dynamics: The dialect of the trajectories.
        adds: The names that their worlds add to it.
        transitions: How many transitions were read.
    """

    def __init__(self, dynamics: names.Dynamics, adds: Adds = NOTHING) -> None:
        """Begin with none."""
        self.dynamics = dynamics
        self.adds = adds
        self.transitions = 0
        self._sources: list[str] = []
        self._own_map = False  # whether the map of a trajectory is not the generator's alone
        self._own_constants = False  # whether the constants of one are not its dialect's
        self._taken: set[Hashable] = set()
        self._reader: Reader | None = None
        self._rows: NDArray[np.void] | None = np.empty(0, layout_of(self.words).row_dtype)
        self._signatures: dict[Signature, SeenSignature] | None = {}

    @classmethod
    def of(cls, trajectories: Iterable[Trajectory], *, threads: int | None = None) -> Evidence:
        """The evidence in trajectories of one dialect with the same added names.

        Args:
            trajectories: Episodes from their beginnings on; they are asked for one by one. The
                same episode counts once.
            threads: How many threads read them; by default one for each processor, but at most
                four. Any number gives the same result.

        Raises:
            InputError: There is none, their dialects or added names differ, or one holds values
                that cannot be.
        """
        rest = iter(trajectories)
        first = next(rest, None)
        if first is None:
            raise InputError("trajectories: there are none; allowed: at least one")
        evidence = cls(first.about.dynamics, first.about.adds)
        evidence._read(chain([first], rest), threads)
        return evidence

    def add(self, trajectory: Trajectory) -> None:
        """Take in one more trajectory.

        Raises:
            InputError: It is of another dialect, of a world that adds other names, or holds values
                that cannot be.
        """
        self._read([trajectory], threads=1)

    def growing(self) -> Growing:
        """Take in a trajectory step by step while it grows, and nothing else until it is over."""
        return Growing(self)

    def without(self, *kinds: type) -> Evidence:
        """The same without the signatures of some kinds."""
        kept = [type(signature) not in kinds for signature in self.signatures]
        return self.of_rows(self.rows[kept])

    def __repr__(self) -> str:
        return f"<Evidence: {number(self.transitions, 'transition')}, {len(self.rows)} distinct>"

    @property
    def words(self) -> Vocabulary:
        """The names that the trajectories hold."""
        return vocabulary_with(self.dynamics, self.adds)

    @property
    def signatures(self) -> dict[Signature, SeenSignature]:
        """Every distinct signature, in order of first occurrence.

        Within a trajectory, what creatures do comes after what the player does.
        """
        if self._signatures is None:
            first = zip(self.rows["trajectory"].tolist(), self.rows["step"].tolist(), strict=True)
            seen = (
                SeenSignature(Occurrence(self._sources[trajectory], step), count)
                for (trajectory, step), count in zip(
                    first, self.rows["count"].tolist(), strict=True
                )
            )
            self._signatures = dict(zip(decoded(self.rows, self.words), seen, strict=True))
        return self._signatures

    @property
    def rows(self) -> NDArray[np.void]:
        """``row_dtype``[n]: the same as compiled code counts it; not to be changed."""
        if self._rows is None:
            assert self._reader is not None
            self._rows = self._of_rules(self._reader.table.in_order())
        return self._rows

    def of_kinds(self, *kinds: type) -> Evidence:
        """Evidence in the same trajectories that consists of signatures of some kinds."""
        kept = [isinstance(signature, kinds) for signature in self.signatures]
        return self.of_rows(self.rows[np.array(kept, np.bool_)])

    def of_rows(self, rows: NDArray[np.void]) -> Evidence:
        """Evidence in the same trajectories that consists of other rows."""
        found = Evidence(self.dynamics, self.adds)
        found.transitions = self.transitions
        found._sources = [*self._sources]
        found._own_map, found._own_constants = self._own_map, self._own_constants
        found._rows, found._signatures = self._of_rules(rows), None
        return found

    def _of_rules(self, rows: NDArray[np.void]) -> NDArray[np.void]:
        """The rows that are evidence of rules: those that depend on constants of a world are none.

        Where a map is drawn, its start is none.

        Nor is making something beside the void: it hides what is nearby at the edges of the map,
        and no view tells them from those of a drawing.
        """
        if self._own_constants:
            rows = without_constants(rows, layout_of(self.words))
        if not self._own_map:
            return rows
        words = rows["words"].view(np.uint64)
        kinds, nearby = KIND.get(words), layout_of(self.words).around.get(words)
        kept: NDArray[np.void] = rows[(kinds != START) & ((kinds != MAKING) | (nearby != 0))]
        return kept

    def _extend(self, trajectory: Trajectory, number: int | None) -> tuple[Evidence, int]:
        """Take in what has come since; its evidence, and the number of the trajectory."""
        from mars_logic.theory.evidence.reader import Reader, Refused  # they need numba

        if number is None:
            self._reader = Reader(self.rows)
            number = self._number(trajectory)
        assert self._reader is not None
        before = self._reader.read
        try:
            rows = self._reader.extend(Batch.of([Turn.of(number, trajectory)]))
        except Refused as refused:
            raise refused.why from None
        new = self.of_rows(rows)
        new.transitions = len(trajectory) - before
        self.transitions += new.transitions
        self._rows = self._signatures = None
        return new, number

    def _read(self, trajectories: Iterable[Trajectory], threads: int | None) -> None:
        from mars_logic.theory.evidence.reader import Reader, read_all  # they need numba

        if self._reader is None:
            self._reader = Reader(self.rows)
        self._rows = self._signatures = None
        self.transitions += read_all(self._numbered(trajectories), self._reader, threads)

    def _numbered(self, trajectories: Iterable[Trajectory]) -> Iterator[tuple[int, Trajectory]]:
        """Trajectories that were not read yet, with the numbers by which rows know them."""
        for trajectory in trajectories:
            identity = trajectory.identity
            if identity not in self._taken:
                self._taken.add(identity)
                yield self._number(trajectory), trajectory

    def _number(self, trajectory: Trajectory) -> int:
        """The number by which rows know a trajectory of this vocabulary."""
        if trajectory.about.dynamics != self.dynamics:
            raise InputError(
                f"{trajectory.source}:1: dynamics: these are {trajectory.about.dynamics}, "
                f"those of the other trajectories {self.dynamics}; allowed: trajectories of "
                "one dialect"
            )
        adds = trajectory.about.adds
        if adds is not self.adds and adds != self.adds:
            raise InputError(
                f"{trajectory.source or trajectory.about.world}:1: adds: this is play of a world "
                "with other added names than that of the other trajectories; allowed: trajectories "
                "with the same names"
            )
        self._own_map |= trajectory.about.own_map
        self._own_constants |= trajectory.about.own_constants
        self._sources.append(trajectory.source or trajectory.about.world)
        return len(self._sources) - 1


class Growing:
    """A trajectory that is taken in while it grows."""

    def __init__(self, evidence: Evidence) -> None:
        """Begin.

        Args:
            evidence: What all is added to.
        """
        self._evidence = evidence
        self._number: int | None = None

    def read(self, trajectory: Trajectory) -> Evidence:
        """Take in what has come since the last time.

        Args:
            trajectory: All there is of it by now.

        Returns:
            The evidence in just what is new.

        Raises:
            InputError: It is of another dialect, or holds values that cannot be.
        """
        new, self._number = self._evidence._extend(trajectory, self._number)
        return new
