"""Lexicographic preferences: the first model in the order of some preferred literals.

The answer is independent of the solver's state and search strategy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import clingo

from mars_logic.logic.solve import LimitReachedError, Session
from mars_logic.system.interruptions import held_back


class Wishes(clingo.Propagator):
    """Decides the first open preference, so that the first model found is the best.

    A preference is dropped only after the solver has derived its conflict with the preferences
    granted before it.
    """

    def __init__(self) -> None:
        """Begin without preferences."""
        self.wishes: Sequence[int] = ()
        """Literals of the program, the most important first."""
        self._literals: list[int] = []
        self._decided: list[tuple[int, int]] = []

    def init(self, init: clingo.PropagateInit) -> None:
        """Before each search: translate the preferences to solver literals."""
        self._literals = [init.solver_literal(wish) for wish in self.wishes]
        self._decided = []

    def decide(self, _: int, assignment: clingo.Assignment, fallback: int) -> int:
        """The first undecided preference, else the solver's own choice."""
        if not self._literals:
            return fallback
        # All preferences before a decided one are settled as long as that decision stands.
        level, settled = assignment.decision_level, 0
        while self._decided:
            decided_at, place = self._decided[-1]
            if decided_at < level:
                settled = max(settled, place + 1)
                break
            settled = place
            self._decided.pop()
        for place in range(settled, len(self._literals)):
            if assignment.is_free(self._literals[place]):
                self._decided.append((level, place))
                return self._literals[place]
        return fallback


@dataclass
class Lexicographic(Session):
    """A session that finds the first model in the order of some preferences."""

    _wishes: Wishes = field(init=False, repr=False, default_factory=Wishes)

    def __post_init__(self) -> None:
        """Load and ground."""
        super().__post_init__()
        self._control.register_propagator(self._wishes)

    def first(self, wishes: Sequence[int], literals: Sequence[int]) -> list[int] | None:
        """The preferences that hold in the lexicographically first model.

        Args:
            wishes: Preferred atoms, most important first, by their numbers in :meth:`literals`.
            literals: Atoms that have to hold (those with a minus must not).

        Returns:
            The satisfied preferences; None if there are no models.

        Raises:
            LimitReachedError: The search was given up.
        """
        found: list[int] | None = None

        def keep(model: clingo.Model) -> None:
            nonlocal found
            found = [*filter(model.is_true, wishes)]

        settings = self._settings
        settings.models, settings.opt_mode = 1, "ignore"
        self._wishes.wishes = wishes
        try:
            with held_back():
                result = self._control.solve(literals, on_model=keep)
        finally:
            self._wishes.wishes = ()
        if found is None and not result.exhausted:
            raise LimitReachedError
        return found
