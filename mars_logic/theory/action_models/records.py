"""Records: a state, an action, the state after it, and whether each goal was reached by it.

Source: From Laws to Motivation, sections 3.1 and 3.2, and appendix D.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import Trajectory
from mars_logic.errors import InputError
from mars_logic.system.display import number
from mars_logic.theory.action_models.action_goals import goals
from mars_logic.theory.action_models.states import States
from mars_logic.theory.action_models.success import Circumstances, judge
from mars_logic.world import names
from mars_logic.world.known_names import require_no_added_names

FAILED, SUCCEEDED, SILENT = 0, 1, -1
"""Label of a record for a goal; silent: no information."""


@dataclass(frozen=True, eq=False, repr=False)
class Records:
    """n records of one dialect.

    Attributes:
        dynamics: The dialect.
        before: The states in which actions were chosen.
        action: uint8[n]: codes of ``names.ACTIONS``.
        after: The states after them.
        outcome: int8[n, 23]: :data:`SUCCEEDED`, :data:`FAILED` or :data:`SILENT` for each of
            ``goals(dynamics)``.
        chosen: bool[n]: selected by outcome, so that their success rate is no estimate.
        places: object[n]: where each stands, as text; empty where nobody asked.
        shown: int8[n, 23]: what the states of labelled records show by themselves; where a label
            says the opposite, ``outcome`` is silent. None without labels.
    """

    dynamics: names.Dynamics
    before: States
    action: NDArray[np.uint8]
    after: States
    outcome: NDArray[np.int8]
    chosen: NDArray[np.bool_]
    places: NDArray[np.object_] | None = None
    shown: NDArray[np.int8] | None = None

    def __len__(self) -> int:
        return len(self.action)

    def __repr__(self) -> str:
        return f"<Records {self.dynamics}: {number(len(self), 'record')}>"

    def __getitem__(self, which: NDArray[np.int64] | NDArray[np.bool_]) -> Records:
        """Some of the records, by a mask or an array of numbers."""
        return Records(
            self.dynamics,
            self.before[which],
            self.action[which],
            self.after[which],
            self.outcome[which],
            self.chosen[which],
            self.places[which] if self.places is not None else None,
            self.shown[which] if self.shown is not None else None,
        )

    def place(self, i: int) -> str:
        """Where a record stands: its file and number."""
        return f"record {i + 1}" if self.places is None else str(self.places[i])

    @classmethod
    def join(cls, parts: Sequence[Records]) -> Records:
        """All records of some of one dialect.

        Raises:
            InputError: There is none, or their dialects differ.
        """
        if not parts:
            raise InputError("records: there are none; allowed: at least one file")
        dialects = sorted({part.dynamics for part in parts})
        if len(dialects) > 1:
            raise InputError(
                f"records: their dialects differ ({', '.join(dialects)}); allowed: records of one"
            )
        return cls(
            parts[0].dynamics,
            States.join([part.before for part in parts]),
            np.concatenate([part.action for part in parts]),
            States.join([part.after for part in parts]),
            np.concatenate([part.outcome for part in parts]),
            np.concatenate([part.chosen for part in parts]),
            np.concatenate([part._placed() for part in parts]),
            np.concatenate([part._shown() for part in parts]),
        )

    def _placed(self) -> NDArray[np.object_]:
        if self.places is not None:
            return self.places
        return np.array([self.place(i) for i in range(len(self))], np.object_)

    def _shown(self) -> NDArray[np.int8]:
        return self.outcome if self.shown is None else self.shown

    @property
    def disputed(self) -> NDArray[np.bool_]:
        """bool[n, 23]: where a label says the opposite of what the states show."""
        found: NDArray[np.bool_] = (self._shown() != SILENT) & (self.outcome == SILENT)
        return found

    @classmethod
    def of(cls, trajectory: Trajectory) -> Records:
        """Every transition of a trajectory, judged by what was seen of it.

        Hunger and thirst are taken off exactly, and the achievements that were unlocked tell more
        than the states do.
        """
        from mars_logic.theory.evidence.layout import MOVED, STAYED
        from mars_logic.theory.evidence.steps import steps  # they need numba

        about = trajectory.about
        require_no_added_names(about.adds, trajectory.source or about.world, "an action model")
        happened = steps(trajectory)
        seen = States.of(trajectory.before)
        after = States.of(trajectory.after)
        unlocked = trajectory.unlocked
        known = Circumstances(
            food=happened["food"],
            drink=happened["drink"],
            unlocked=unlocked,
            reached=(np.cumsum(unlocked, axis=0) > unlocked) | bool(about.unknown),
        )
        outcome = judge(trajectory.about.dynamics, seen, trajectory.action, after, known)
        moving = outcome[:, -1] != SILENT
        outcome[moving & (happened["shift"] == MOVED), -1] = SUCCEEDED
        outcome[moving & (happened["shift"] == STAYED), -1] = FAILED
        outcome[moving & (happened["shift"] != MOVED) & (happened["shift"] != STAYED), -1] = SILENT
        chosen = np.zeros(len(trajectory), np.bool_)
        dynamics, name = trajectory.about.dynamics, trajectory.source or about.world
        places = np.array([f"{name} step {i + 1}" for i in range(len(trajectory))], np.object_)
        return cls(dynamics, seen, trajectory.action, after, outcome, chosen, places)

    def about(self, goal: str) -> Records:
        """The same, silent of all other goals."""
        outcome = np.full_like(self.outcome, SILENT)
        column = goals(self.dynamics).index(goal)
        outcome[:, column] = self.outcome[:, column]
        return replace(self, outcome=outcome)

    def of_goal(self, goal: str) -> NDArray[np.int8]:
        """int8[n]: what each record says of one goal."""
        column: NDArray[np.int8] = self.outcome[:, goals(self.dynamics).index(goal)]
        return column
