"""How likely a finite chance is: luck that can be tried only as often as there are cells for it.

A step that counts on luck succeeds with a known probability each time, and there are so many cells
to try it on. A witness fails if one of its steps fails on all of them; that gives a lower bound of
success. Where luck of one kind cannot be done without, even by other means, the most cells that
there may be give an upper bound: all of them are tried, for as many successes as it takes at least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, comb

from mars_logic.logic.estimate import CellEstimate
from mars_logic.logic.facts import MILLION, term
from mars_logic.logic.judge import OPTIMISTIC, Judge
from mars_logic.logic.proof import Draws, Probability, Step
from mars_logic.logic.supply import appears_by_luck_alone, grounds, supplies
from mars_logic.world.rules import Make, Place

NEGLIGIBLE = 1e-6
"""A failure no likelier than this does not make a chance finite."""


_UNPROTECTED = "saplings run out, and nothing can be placed to fence a plant in"
_VANISHING = (
    "no {} appears during play where the player gets to ({}), and most of those that are there at "
    "the beginning vanish in the first daylight"
)


@dataclass(frozen=True)
class Trial:
    """Luck that has to come some times out of a number of cells."""

    material: str
    gain: str
    chance: float
    wanted: int
    cells: int

    @property
    def draws(self) -> Draws:
        """The same without the number of cells."""
        return Draws(f"collect.{self.material}", self.gain, self.chance, self.wanted)

    @property
    def failure(self) -> float:
        """The probability that it does not come often enough."""
        return binomial_below(self.wanted, self.cells, self.chance)


def binomial_below(wanted: int, trials: int, chance: float) -> float:
    """The probability of fewer than `wanted` successes in independent trials."""
    return sum(
        comb(trials, hits) * chance**hits * (1 - chance) ** (trials - hits)
        for hits in range(min(wanted, trials + 1))
    )


@dataclass(frozen=True)
class Luck:
    """What an achievement's finite chance amounts to.

    Attributes:
        negligible: The chance of failing is so small that it does not count.
        probability: The probability of success, if it can be told.
        reason: What the chance hangs on.
    """

    negligible: bool
    probability: Probability | None
    reason: str | None


class Chances:
    """The finite chances of one judgement."""

    def __init__(self, judge: Judge):
        """Prepare; most of it is needed only if there are finite chances."""
        self._judge = judge

    def of(self, achievement: str, witness: tuple[Step, ...]) -> Luck:
        """Judge the luck that a witness for an achievement counts on."""
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
        estimate = None if self._judge.given_map else self._estimate(low, high, trials, most)
        return Luck(
            negligible=False,
            probability=Probability(
                low, max(low, high), self._method(worst, most, estimate), worst.draws, estimate
            ),
            reason=f"collect.{worst.material} gives {worst.gain} with a probability of "
            f"{worst.chance:g} only, and each try uses a cell of {worst.material} up",
        )

    def _immeasurable(self, step: Step, witness: tuple[Step, ...]) -> str | None:
        """Why a step counts on luck for which there is no number."""
        family, _, being = step.rule.partition(".")
        if family != "creature":
            return None
        if being == "plant":
            protected = ("finite_chance",) in self._judge.relations["protected"]
            return None if protected else _UNPROTECTED
        if any(other.gain == being for other in witness):
            return None  # it appears out of what is collected
        if not appears_by_luck_alone(self._judge, being):
            return None
        return _VANISHING.format(being, self._what_it_takes(being))

    def _what_it_takes(self, creature: str) -> str:
        """What a creature appears on during play, and how much of that there is."""
        told = []
        for material, cells in grounds(self._judge, creature).items():
            text = f"that takes {cells} cells of {material} in a chunk"
            if not self._judge.given_map:
                low, high = supplies(self._judge).get(material, (0, 0))
                text += f"; an ordinary map holds {low} to {high} in all"
            told.append(text)
        return ", or ".join(told)

    def _trials(self, witness: tuple[Step, ...]) -> Iterator[Trial]:
        """The finite luck that a witness counts on, the cells shared out between its kinds."""
        renewable = self._judge.at("finite_chance", "renewable")
        wanted: Counter[tuple[str, str]] = Counter()
        for step in witness:
            family, _, material = step.rule.partition(".")
            if family == "collect" and step.gain and material not in renewable:
                wanted[material, step.gain] += step.times
        kinds = Counter(material for material, _ in wanted)
        for (material, gain), times in sorted(wanted.items()):
            fatal = (material,) in self._judge.relations["fatal"]
            share = 1 if fatal else self._cells(material, gain) // kinds[material]
            yield Trial(material, gain, self._chance(material, gain), times, share)

    def _chance(self, material: str, gain: str) -> float:
        rows = [*self._judge.relations["chance"], *self._judge.relations["spawns"]]
        rule = term(f"collect.{material}")
        return sum(int(row[-1]) for row in rows if row[0] == rule and row[1] == gain) / MILLION

    def _cells(self, material: str, gain: str) -> int:
        """How many cells of a material the player gets to without the luck they are tried for."""
        lacking = self._judge.without(term(f"collect.{material}"), gain)
        return sum(int(row[-1]) for row in lacking["found"] if row[1] == material)

    def _at_most(self, achievement: str, trial: Trial) -> float:
        """No way to an achievement succeeds with a higher probability than this."""
        most = self._most(achievement, trial)
        if most is None:
            return 1.0
        wanted = self._unavoidable(achievement, trial)
        return 1 - binomial_below(wanted, max(most, trial.cells), trial.chance)

    def _unavoidable(self, achievement: str, trial: Trial) -> int:
        """How often luck has to come at least, if it has to come at all.

        More than once only if nothing else gives the item, and what unlocks the achievement takes
        more of it than one success brings.
        """
        world, item = self._judge.world, trial.gain
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

    def _most(self, achievement: str, trial: Trial) -> int | None:
        """At most how many cells there are to try, if there is no way around trying them."""
        if trial.material in self._judge.at(OPTIMISTIC, "laid"):
            return None
        lacking = self._judge.without(term(f"collect.{trial.material}"), trial.gain)
        if (OPTIMISTIC, achievement) in lacking["unlock"]:
            return None
        return sum(int(n) for of, n in self._judge.relations["most"] if of == trial.material)

    def _estimate(
        self, low: float, high: float, trials: Sequence[Trial], most: int | None
    ) -> CellEstimate:
        """The range, and on how many maps there are as few and as many cells as it takes.

        Of each zone, 1 of 20 maps holds fewer cells than an ordinary one, and 1 of 20 holds more.
        """
        materials = {trial.material for trial in trials}
        zones = sum(material in materials for _, material in self._judge.relations["made_of"])
        return CellEstimate.of((low, max(low, high)), zones if most is None else 2 * zones)

    def _method(self, trial: Trial, most: int | None, estimate: CellEstimate | None) -> str:
        text = f"{trial.wanted} of {trial.gain} at {trial.chance:g} a cell of {trial.material}; "
        if estimate is None:
            text += f"{trial.cells} cells within reach"
            return text if most is None else f"{text}, {most} on the map"
        cells = f"at least {trial.cells}" if most is None else f"{trial.cells} to {most}"
        return f"{text}an estimate: {cells} cells on {estimate.told}"
