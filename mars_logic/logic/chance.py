"""Probability of a finite chance: random outcomes with a limited number of trials (cells).

A step with a random outcome succeeds with a known probability in each trial, and each trial takes
a cell. A witness fails if one of its steps fails on all of its cells; that gives a lower bound on
the probability of success. Where one kind of random outcome is necessary, the largest possible
number of cells gives an upper bound: all are tried, for the smallest necessary number of successes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, comb

from mars_logic.logic.estimate import CellEstimate
from mars_logic.logic.proof import Draws, Probability, Step
from mars_logic.logic.reachability_model import OPTIMISTIC, ReachabilityModel
from mars_logic.logic.rule_atoms import MILLION, term
from mars_logic.logic.supply import (
    appears_by_luck_alone,
    comes_by_luck_alone,
    grounds,
    supplies,
)
from mars_logic.world.rules import Make, Place

NEGLIGIBLE = 1e-6
"""Largest probability of failure that is treated as zero."""


_UNPROTECTED = "saplings run out, and nothing can be placed to fence a plant in"
_COMING = "a {} has to come to the edge of the ground where it lives, which the player cannot enter"
_VANISHING = (
    "no {} appears during play where the player gets to ({}), and most of those that are there at "
    "the beginning vanish in the first daylight"
)


@dataclass(frozen=True)
class ChanceTrial:
    """A required number of successes among a number of cells."""

    material: str
    gain: str
    chance: float
    wanted: int
    cells: int

    @property
    def draws(self) -> Draws:
        """The trial without the number of cells."""
        return Draws(f"collect.{self.material}", self.gain, self.chance, self.wanted)

    @property
    def failure(self) -> float:
        """The probability of too few successes."""
        return binomial_below(self.wanted, self.cells, self.chance)


def binomial_below(wanted: int, trials: int, chance: float) -> float:
    """The probability of fewer than `wanted` successes in independent trials."""
    return sum(
        comb(trials, hits) * chance**hits * (1 - chance) ** (trials - hits)
        for hits in range(min(wanted, trials + 1))
    )


def trials_for(wanted: int, chance: float) -> int:
    """Independent trials that bring so many successes, but for a negligible probability."""
    trials = wanted
    while chance < 1 and binomial_below(wanted, trials, chance) > NEGLIGIBLE:
        trials += 1
    return trials


@dataclass(frozen=True)
class Luck:
    """The finite chance of an achievement.

    Attributes:
        negligible: The probability of failure is treated as zero.
        probability: The probability of success, if it can be computed.
        reason: The cause of the chance, in words.
    """

    negligible: bool
    probability: Probability | None
    reason: str | None


class Chances:
    """The finite chances of one reachability model."""

    def __init__(self, reachability: ReachabilityModel):
        """Prepare; most fields are used only with finite chances."""
        self._reachability = reachability

    def of(self, achievement: str, witness: tuple[Step, ...]) -> Luck:
        """The finite chance that a witness for an achievement relies on."""
        for step in witness:
            if reason := self._immeasurable(step, witness):
                return Luck(negligible=False, probability=None, reason=reason)
        trials = list(self._trials(witness))
        failure = sum(trial.failure for trial in trials)
        if failure <= NEGLIGIBLE:
            return Luck(negligible=True, probability=None, reason=None)
        worst = max(trials, key=lambda trial: trial.failure)
        low = max(0.0, 1 - failure)
        high = min(self._at_most(achievement, trial) for trial in trials)
        most = self._most(achievement, worst)
        estimate = None if self._reachability.given_map else self._estimate(low, high, trials, most)
        return Luck(
            negligible=False,
            probability=Probability(
                low, max(low, high), self._method(worst, most, estimate), worst.draws, estimate
            ),
            reason=f"collect.{worst.material} gives {worst.gain} with a probability of "
            f"{worst.chance:g} only, and each try uses a cell of {worst.material} up",
        )

    def _immeasurable(self, step: Step, witness: tuple[Step, ...]) -> str | None:
        """The reason why a step's probability cannot be computed."""
        family, _, being = step.rule.partition(".")
        if family != "creature":
            return None
        if being == "plant":
            protected = ("finite_chance",) in self._reachability.relations["protected"]
            return None if protected else _UNPROTECTED
        if any(other.gain == being for other in witness):
            return None  # collecting spawns it
        if comes_by_luck_alone(self._reachability, being, witness):
            return _COMING.format(being)
        if not appears_by_luck_alone(self._reachability, being):
            return None
        return _VANISHING.format(being, self._what_it_takes(being))

    def _what_it_takes(self, creature: str) -> str:
        """The ground on which a creature spawns during play, and its amount."""
        told = []
        for material, cells in grounds(self._reachability, creature).items():
            text = f"that takes {cells} cells of {material} in a chunk"
            if not self._reachability.given_map:
                low, high = supplies(self._reachability).get(material, (0, 0))
                text += f"; an ordinary map holds {low} to {high} in all"
            told.append(text)
        return ", or ".join(told)

    def _trials(self, witness: tuple[Step, ...]) -> Iterator[ChanceTrial]:
        """The trials that a witness relies on, with the cells divided among their kinds."""
        renewable = self._reachability.at("finite_chance", "renewable")
        wanted: Counter[tuple[str, str]] = Counter()
        for step in witness:
            family, _, material = step.rule.partition(".")
            if family == "collect" and step.gain and material not in renewable:
                wanted[material, step.gain] += step.times
        kinds = Counter(material for material, _ in wanted)
        for (material, gain), times in sorted(wanted.items()):
            fatal = (material,) in self._reachability.relations["fatal"]
            share = 1 if fatal else self._cells(material, gain) // kinds[material]
            yield ChanceTrial(material, gain, self._chance(material, gain), times, share)

    def _chance(self, material: str, gain: str) -> float:
        rows = [*self._reachability.relations["chance"], *self._reachability.relations["spawns"]]
        rule = term(f"collect.{material}")
        return sum(int(row[-1]) for row in rows if row[0] == rule and row[1] == gain) / MILLION

    def _cells(self, material: str, gain: str) -> int:
        """Number of cells of a material within reach without success in their trials."""
        lacking = self._reachability.without(term(f"collect.{material}"), gain)
        return sum(int(row[-1]) for row in lacking["found"] if row[1] == material)

    def _at_most(self, achievement: str, trial: ChanceTrial) -> float:
        """Upper bound on the probability of success of any way to an achievement."""
        most = self._most(achievement, trial)
        if most is None:
            return 1.0
        wanted = self._unavoidable(achievement, trial)
        return 1 - binomial_below(wanted, max(most, trial.cells), trial.chance)

    def _unavoidable(self, achievement: str, trial: ChanceTrial) -> int:
        """The minimum number of necessary successes.

        It exceeds 1 only if the item has no other source and the achievement takes more of it than
        one success brings.
        """
        world, item = self._reachability.world, trial.gain
        gains = [
            given
            for c in world.collect.values()
            for gain, given in c.yields.items()
            if gain == item
        ]
        family, _, subject = achievement.partition("_")
        rule = world[f"{family}.{subject}"] if family in ("place", "make") else None
        if not isinstance(rule, Place | Make) or len(gains) != 1 or item in world.make:
            return 1
        used = sum(amount for other, amount in rule.uses.items() if other == item)
        return max(1, ceil(used / gains[0].amount))

    def _most(self, achievement: str, trial: ChanceTrial) -> int | None:
        """Upper bound on the number of cells to try, if the trials are necessary."""
        if trial.material in self._reachability.at(OPTIMISTIC, "laid"):
            return None
        lacking = self._reachability.without(term(f"collect.{trial.material}"), trial.gain)
        if (OPTIMISTIC, achievement) in lacking["unlock"]:
            return None
        return sum(int(n) for of, n in self._reachability.relations["most"] if of == trial.material)

    def _estimate(
        self, low: float, high: float, trials: Sequence[ChanceTrial], most: int | None
    ) -> CellEstimate:
        """The range, and the share of maps whose numbers of cells lie within its assumptions.

        Of each zone, 1 of 20 maps holds fewer cells than an ordinary one, and 1 of 20 holds more.
        """
        materials = {trial.material for trial in trials}
        zones = sum(
            material in materials for _, material in self._reachability.relations["made_of"]
        )
        return CellEstimate.of((low, max(low, high)), zones if most is None else 2 * zones)

    def _method(self, trial: ChanceTrial, most: int | None, estimate: CellEstimate | None) -> str:
        text = f"{trial.wanted} of {trial.gain} at {trial.chance:g} a cell of {trial.material}; "
        if estimate is None:
            text += f"{trial.cells} cells within reach"
            return text if most is None else f"{text}, {most} on the map"
        cells = f"at least {trial.cells}" if most is None else f"{trial.cells} to {most}"
        return f"{text}an estimate: {cells} cells on {estimate.told}"
