"""A learner's belief: a theory with minimal revisions on contradiction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import Trajectory
from mars_logic.logic.solve import LimitReachedError
from mars_logic.play.learner import BeliefReport, RevisionEvent, Trial
from mars_logic.theory import Consequences, Evidence, consequences, phrasing, revise
from mars_logic.theory.cell_fitting import fitted
from mars_logic.theory.check import Conflict
from mars_logic.theory.claims import Field
from mars_logic.theory.evidence import Growing
from mars_logic.theory.monitor import Monitor
from mars_logic.theory.problem import CHANGE
from mars_logic.theory.revise import Change, with_values
from mars_logic.theory.revise import Ties as Ties
from mars_logic.theory.signatures import Collecting
from mars_logic.world import names
from mars_logic.world.adds import NOTHING, Adds
from mars_logic.world.rules import Creature, Neighbour, Rule
from mars_logic.world.theory import Theory, World
from mars_logic.world.uncertain import Alternatives, is_uncertain

from .assertions import asserted, confidence, creatures_that_vary
from .next_try import Try
from .posterior import RECIPES, Posterior
from .prior import KINDS
from .rates import pooled
from .recipes import rule_of
from .shooter_evidence import ShooterEvidence
from .terrain import Surroundings, findings

DOUBTFUL = 0.03
"""A chance is doubted that would have come with a probability of 1 less this."""
LEVEL = 1e-3
"""A true probability, or way of creatures to go, is given up with at most this probability."""
SURE = 0.9
"""Posterior from which a value replaces a believed one that is not excluded."""
_BY_CHANCE = ("requires", "yields", "spawns")
_ARROWS = [(f"creature.{b}", f) for b in names.BEINGS for f in ("shoots", "arrow_health_factor")]


@dataclass
class Belief:
    """A theory and all that was seen.

    Attributes:
        prior: The initial belief.
        theory: The current belief.
        seen: All that was seen.
        surprises: When it changed.
        doubts: Believed random yields that never occurred in many tries, as pairs of a material and
            an item: not contradicted, but excluded from planning.
        surroundings: Observed adjacencies of materials.
        met: The materials that were in view in episodes that are over.
        shots: Who was seen to shoot, and who had the opportunity.
        trials: The experiments that were made.
        revises: Whether the theory is ever changed.
        ties: Which of equally short revisions is taken.
    """

    prior: Theory
    theory: Theory
    seen: Evidence
    surprises: list[RevisionEvent] = field(default_factory=list)
    doubts: frozenset[tuple[str, str]] = frozenset()
    surroundings: Surroundings = field(default_factory=Surroundings)
    met: set[str] = field(default_factory=set)
    shots: ShooterEvidence = field(default_factory=ShooterEvidence)
    trials: list[Trial] = field(default_factory=list)
    revises: bool = True
    ties: Ties = "usual"
    _growing: Growing | None = None
    _closed: int = 0

    def __post_init__(self) -> None:
        """Watch what comes in."""
        self._words = self.theory.vocabulary
        self._monitor = Monitor(self.theory, LEVEL)
        self.posterior = Posterior(self.prior, self.theory, self._monitor)

    @classmethod
    def begin(
        cls, prior: Theory, adds: Adds = NOTHING, *, revises: bool = True, ties: Ties = "usual"
    ) -> Belief:
        """Believe a prior, before anything was seen in a world that adds some names."""
        return cls(prior, prior, Evidence(prior.dynamics, adds), revises=revises, ties=ties)

    def look(self, now: Trajectory, episode: int) -> Evidence:
        """Take in what the present episode shows so far; revise the theory if it must be.

        Returns:
            The evidence in what is new of it.
        """
        if self._growing is None:
            self._growing = self.seen.growing()
        new = self._growing.read(now)
        about = self._monitor.see(new)
        collected = {s.material for s in new.signatures if isinstance(s, Collecting)}
        counts = [f"collect.{material}" for material in collected if self._chancy(material)]
        self.posterior.see(self._monitor.news, counts, len(now))
        for signature in self._monitor.news:
            self.shots.see(signature)
        if about and self.revises:
            about = self._reconsider(about, episode, len(now))
        if about and self.revises:
            self._revise(about, episode, len(now))
        for material in sorted(collected):
            self._prefer(material, episode, len(now))
        self._doubt(collected)
        return new

    def _prefer(self, material: str, episode: int, step: int) -> None:
        """Adopt values that are much more probable than believed ones not yet excluded."""
        rule = self.theory.collect[material]
        if not self.revises or self.posterior.vain(rule.id):
            return
        for name in _BY_CHANCE:
            if name in rule.uncertain_fields:
                continue
            weights = self.posterior.weights((rule.id, name))
            best, weight = pooled(weights)
            if weight < SURE or weights.get(getattr(rule, name), 0.0) > 1 - SURE:
                continue
            after = rule.with_fields({name: best}, self._words)
            came = [f"{r.what} {r.times} times of {r.of}" for r in self._monitor.rates(material)]
            saw = "; ".join(came) or "what came, so often"
            did = f"collecting from {material}, all in all"
            conflict = Conflict(((rule.id, name),), did, saw, None, step)
            self._change(self.theory.with_rules(after, name="belief"))
            change = Change(rule, after, (conflict,))
            self.surprises.append(RevisionEvent(episode, step, (change,)))
            return

    def _reconsider(self, about: Set[Field], episode: int, step: int) -> set[Field]:
        """Adopt the most probable values for place and make rules that never succeeded.

        Returns:
            The fields that are still contradicted.
        """
        left = set(about)
        for rule_id in dict.fromkeys(rule for rule, _ in sorted(about)):
            rule = self.theory[rule_id]
            if rule.family not in RECIPES:
                continue
            if rule.uncertain_fields:
                if self.posterior.untold(rule_id):
                    left = {name for name in left if name[0] != rule_id}  # nothing is to be settled
                continue
            found = self.posterior.likeliest(rule_id)
            if found is None:
                continue
            left = {name for name in left if name[0] != rule_id}
            after = rule.with_fields(found, self._words)
            if after == rule:
                continue
            because = tuple(
                Conflict(
                    tuple((rule_id, name) for name in found), *phrasing.told(signature), None, step
                )
                for signature in self._monitor.news
                if rule_of(signature) == rule_id
            )
            self._change(self.theory.with_rules(after, name="belief"))
            self.surprises.append(RevisionEvent(episode, step, (Change(rule, after, because),)))
        return left

    def _chancy(self, material: str) -> bool:
        """Whether a material's yield is uncertain."""
        rule = f"collect.{material}"
        chances = (rule, "requires"), (rule, "yields"), (rule, "spawns")
        vain = self.posterior.vain(rule) is not None
        return vain or any(len(self.posterior.weights(name)) > 1 for name in chances)

    def _doubt(self, materials: Iterable[str]) -> None:
        """Note which chances never came though they were tried often."""
        for material in materials:
            yields = self.theory.collect[material].yields
            yields = {} if is_uncertain(yields) else yields
            never = {
                (material, rate.what)
                for rate in self._monitor.rates(material)
                if rate.what in yields
                and not rate.times
                and (1 - rate.probability) ** rate.of < DOUBTFUL
            }
            self.doubts = frozenset(d for d in self.doubts if d[0] != material) | never

    def practical(self, aim: Try | None = None) -> World:
        """The theory for planning: without doubted yields, and with open fields settled.

        Args:
            aim: What to try next, of added things.
        """
        rules: list[Rule] = []
        for material in sorted({material for material, _ in self.doubts}):
            rule = self.theory.collect[material]
            if "yields" not in rule.uncertain_fields:
                kept = {
                    i: given for i, given in rule.yields.items() if (material, i) not in self.doubts
                }
                rules.append(rule.with_fields({"yields": kept}, self._words))
        for rule_id, fields in aim.fields.items() if aim else ():
            rules.append(self.theory[rule_id].with_fields(fields, self._words))
        theory = self.theory.with_rules(*rules, name=self.theory.name) if rules else self.theory
        return theory if isinstance(theory, World) else self._weighed(theory).sample(self._closed)

    @property
    def open(self) -> tuple[str, ...]:
        """The rules with which experiments can be made and of which not all is known."""
        rules = self.theory.rules()
        return tuple(r.id for r in rules if r.family in KINDS and r.uncertain_fields)

    @property
    def to_try(self) -> tuple[str, ...]:
        """The place and make rules of added things that never worked, and may yet."""
        if not self._words.wide:
            return ()
        recipes = self.posterior.recipes
        return tuple(
            r for r in recipes if self.theory[r].uncertain_fields and self.posterior.untold(r)
        )

    def _weighed(self, theory: Theory) -> Theory:
        """The theory with posterior weights for its open fields."""
        rules = [
            rule.with_fields(
                {
                    name: Alternatives.of(self.posterior.weights((rule.id, name)).items())
                    for name in rule.uncertain_fields
                },
                self._words,
            )
            for rule in theory.rules()
            if rule.family in KINDS and rule.uncertain_fields
        ]
        return theory.with_rules(*rules, name=theory.name)

    def told(self) -> BeliefReport:
        """The values with a posterior above 1/2; other fields are unknown."""
        theory = asserted(
            self.prior,
            self.theory,
            self.seen,
            self.posterior,
            {*self._harmless()},
            LEVEL,
            self.met,
        )
        if self.revises:
            cells = fitted(theory, self.seen, LEVEL, CHANGE)
            theory = with_values(theory, cells, theory.name) if cells else theory
        sure = dict(confidence(theory, self.posterior))
        return BeliefReport(
            theory, tuple(self.surprises), tuple(self.trials), sure, self._inexpressible()
        )

    def _inexpressible(self) -> dict[Field, tuple[str, ...]]:
        """The fields of which no value explains all tries, with tries of each outcome in words."""
        found: dict[Field, tuple[str, ...]] = {}
        for rule in self.posterior.recipes:
            for name in self.posterior.inexpressible(rule):
                tries = [s for s in self._monitor.kinds if rule_of(s) == rule]
                told = dict.fromkeys(": ".join(phrasing.told(each)) for each in tries)
                found[rule, name] = tuple(told)
        return found

    def consequences(self) -> Consequences | None:
        """The certain and open fields over all theories consistent with the evidence.

        None if the search was given up.
        """
        try:
            return consequences(self.theory, self.seen, level=LEVEL)
        except LimitReachedError:
            return None

    def _peaceful(self) -> Iterator[Change]:
        """Creatures that never shot, though they had every opportunity."""
        for creature in creatures_that_vary(self.theory):
            rule = self.theory.creature[creature]
            if rule.shoots is True and self.shots.harmless(creature, LEVEL):
                after = _with(rule, shoots=False)
                did = f"watching a {creature} within range"
                saw = f"no arrow came in {self.shots.near[creature]} steps"
                conflict = Conflict(((rule.id, "shoots"),), did, saw, None, 1)
                yield Change(rule, after, (conflict,))

    def _harmless(self) -> Iterator[Field]:
        """Creatures known not to shoot from statistical evidence."""
        for creature in names.CREATURES:
            rule = self.theory.creature[creature]
            if rule.shoots is False and self.shots.harmless(creature, LEVEL):
                yield rule.id, "shoots"

    def close(self, ground: NDArray[np.uint8], episode: int, whole: Trajectory) -> None:
        """The end of an episode.

        Args:
            ground: uint8[64, 64]: the cells seen, as each was when it was first seen.
            episode: Which episode it was.
            whole: All of it.
        """
        self._growing = None
        self._closed += 1
        self.shots.add(whole)
        codes = np.unique(whole.views.materials).tolist()
        self.met.update(self._words.materials[code] for code in codes)
        if not whole.about.own_map:
            self.surroundings.add(ground)
        if not self.revises:
            return
        peaceful = [*self._peaceful()]
        changes = [*peaceful]
        for found in findings(self.prior, self.theory, self.surroundings):
            before = self.theory[f"neighbour.{found.region}"]
            after = Neighbour(subject=found.region, material=found.material)
            saw = f"{found.material} on {found.times} of {found.of} cells beside it"
            did = f"looking at what lies around {found.region}"
            conflict = Conflict(((before.id, "material"),), did, saw, None, found.of)
            changes.append(Change(before, after, (conflict,)))
        if changes:
            self._change(self.theory.with_rules(*(each.after for each in changes), name="belief"))
            self.surprises.append(RevisionEvent(episode, len(whole), tuple(changes)))
        hidden = [*self._hidden()]
        if peaceful or hidden:  # so other creatures shot the arrows attributed to these
            self._revise(_ARROWS, episode, len(whole), hidden)

    def _hidden(self) -> Iterator[Creature]:
        """Creatures that are thought to shoot, but were not in sight when arrows hit."""
        for creature in creatures_that_vary(self.theory):
            rule = self.theory.creature[creature]
            if rule.shoots is True and self.shots.absent(creature, LEVEL):
                yield rule

    def _revise(
        self, about: Iterable[Field], episode: int, step: int, innocent: Sequence[Creature] = ()
    ) -> None:
        """Change the theory so that it explains all, without arrows of innocent creatures."""
        disarmed = [_with(rule, shoots=False) for rule in innocent]
        try:
            found = revise(
                *(self.theory.with_rules(*disarmed, name="belief"), self.seen),
                name="belief",
                about=about,
                fixed=[*self._harmless(), *((rule.id, "shoots") for rule in innocent)],
                level=LEVEL,
                ties=self.ties,
            )
        except LimitReachedError:
            return
        if found.changes:
            armed = [_with(found.theory.creature[rule.subject], shoots=True) for rule in innocent]
            self._change(found.theory.with_rules(*armed, name="belief"))
            self.surprises.append(RevisionEvent(episode, step, found.changes))

    def _change(self, theory: Theory) -> None:
        self.theory = theory
        self._monitor.judge(theory)
        self.posterior.believe(theory)
        self._doubt({material for material, _ in self.doubts})


def _with(rule: Creature, *, shoots: bool) -> Creature:
    return Creature.model_validate(rule.model_dump() | {"shoots": shoots})
