"""What a learner believes: a theory, revised as little as possible when something contradicts it."""

from __future__ import annotations

from dataclasses import dataclass, field

from mars_logic.data.trajectory import Trajectory
from mars_logic.logic.solve import LimitReachedError
from mars_logic.theory import Evidence, check, revise
from mars_logic.theory.revise import Change
from mars_logic.world.names import Dynamics
from mars_logic.world.theory import Theory


@dataclass(frozen=True)
class Surprise:
    """A moment at which the belief had to change.

    Attributes:
        episode: Which episode it was, from 1.
        step: After how many steps of it.
        changes: The rules that changed, each with what was seen.
    """

    episode: int
    step: int
    changes: tuple[Change, ...]


@dataclass
class Belief:
    """A theory and all that was seen.

    Attributes:
        prior: What was believed at first.
        theory: What is believed now.
        past: What earlier episodes showed.
        surprises: When it changed.
    """

    prior: Theory
    theory: Theory
    past: Evidence
    surprises: list[Surprise] = field(default_factory=list)
    _known: int = 0

    @classmethod
    def begin(cls, prior: Theory, dynamics: Dynamics) -> Belief:
        """Believe a prior, before anything was seen."""
        return cls(prior, prior, Evidence(dynamics))

    def look(self, now: Trajectory, episode: int) -> Evidence | None:
        """Take in what the present episode shows so far; revise the theory if it must be.

        Returns:
            All evidence; None if nothing was seen that is new in kind.
        """
        evidence = self.past.of_rows(self.past.rows)
        evidence.add(now)
        if len(evidence.rows) == self._known:
            return None
        self._known = len(evidence.rows)
        if check(self.theory, evidence).conflicts:
            self._revise(evidence, episode, len(now))
        return evidence

    def close(self, whole: Trajectory) -> None:
        """Keep what an episode has shown."""
        self.past.add(whole)
        self._known = len(self.past.rows)

    def _revise(self, evidence: Evidence, episode: int, step: int) -> None:
        try:
            found = revise(self.theory, evidence, name="belief")
        except LimitReachedError:
            return
        if found.changes:
            self.theory = found.theory
            self.surprises.append(Surprise(episode, step, found.changes))
