"""What a learner believes: a theory, revised as little as possible where it is contradicted."""

from __future__ import annotations

from dataclasses import dataclass, field

from mars_logic.data.trajectory import Trajectory
from mars_logic.logic.solve import LimitReachedError
from mars_logic.theory import Evidence, chances, check, revise
from mars_logic.theory.revise import Change
from mars_logic.world.names import Dynamics
from mars_logic.world.theory import Theory

DOUBTFUL = 0.03
"""A chance is doubted that would have come with a probability of 1 less this."""
_OFTEN = 10
"""After so many more of what is known, chances are looked at again."""


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
        doubts: What collecting was believed to bring by chance, and never did though it was tried
            often: pairs of a material and an item. No contradiction yet, but nothing to plan with.
    """

    prior: Theory
    theory: Theory
    past: Evidence
    surprises: list[Surprise] = field(default_factory=list)
    doubts: frozenset[tuple[str, str]] = frozenset()
    _known: int = 0
    _counted: int = 0

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
        tries = int(evidence.rows["count"].sum())
        if len(evidence.rows) == self._known and tries < self._counted + _OFTEN:
            return None
        self._counted = tries
        self._known = len(evidence.rows)
        if check(self.theory, evidence).conflicts:
            self._revise(evidence, episode, len(now))
        return evidence

    def doubt(self, evidence: Evidence) -> None:
        """Note which chances never came though they were tried often."""
        found = set()
        for material, rule in self.theory.collect.items():
            if {"collectable", "requires", "yields"} & set(rule.uncertain_fields):
                continue
            if all(given.probability is None for given in rule.yields.values()):
                continue
            tries = chances.collected(
                chances.attempts(evidence, material), rule.collectable, rule.requires
            )
            for rate in chances.yield_rates(tries, rule.yields, self.theory.dynamics):
                if not rate.times and (1 - rate.probability) ** rate.of < DOUBTFUL:
                    found.add((material, rate.what))
        self.doubts = frozenset(found)

    @property
    def practical(self) -> Theory:
        """The theory to plan with: without what is doubted."""
        rules = []
        for material in sorted({material for material, _ in self.doubts}):
            rule = self.theory.collect[material]
            kept = {
                i: given for i, given in rule.yields.items() if (material, i) not in self.doubts
            }
            rules.append(type(rule).model_validate(rule.model_dump() | {"yields": kept}))
        return self.theory.with_rules(*rules, name=self.theory.name) if rules else self.theory

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
