"""What a proof says: a verdict for each achievement of a world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from mars_logic.logic.estimate import CellEstimate, Estimate
    from mars_logic.logic.upkeep import Upkeep

Outcome = Literal["reachable", "unreachable", "depends", "unknown"]
Certainty = Literal["sure", "almost_sure", "finite_chance"]

CERTAINTIES: tuple[Certainty, ...] = ("sure", "almost_sure", "finite_chance")
"""Kinds of certainty, the best first."""


@dataclass(frozen=True)
class Step:
    """Applying a rule some times in a row.

    Attributes:
        rule: The rule's id; ``sleep`` for sleeping, which no rule of a world describes.
        times: How often it is applied with success.
        gain: The item or creature that luck has to bring each time, if the step counts on luck.
    """

    rule: str
    times: int
    gain: str | None = None


@dataclass(frozen=True)
class Draws:
    """Luck that comes with the same chance each time it is tried.

    Attributes:
        rule: The rule whose application tries it.
        gain: The item or creature that it brings.
        chance: How likely that is each time.
        wanted: How often it has to come.
    """

    rule: str
    gain: str
    chance: float
    wanted: int


@dataclass(frozen=True)
class Probability:
    """A range that holds the probability of success, and how it was found.

    Attributes:
        low: At least so high.
        high: At most so high.
        method: How that was found, in words.
        draws: The luck that it hangs on most, if one is known.
        estimate: Without a map: on how many maps that is so, by the cells on sampled maps.
    """

    low: float
    high: float
    method: str
    draws: Draws | None = None
    estimate: CellEstimate | None = None


@dataclass(frozen=True)
class Repair:
    """Changes of rules that make an achievement possible, none of which can be left out.

    Attributes:
        changes: What to change, in words.
        words: All changes in one sentence.
        certainty: How certain the achievement is then; None if its verdict is ``unknown`` then.
    """

    changes: tuple[str, ...]
    words: str
    certainty: Certainty | None


@dataclass(frozen=True)
class Explanation:
    """Why an achievement is unreachable.

    Attributes:
        achievement: Its name.
        chain: From the achievement down to the rule that fails, a sentence for each rule.
        rules: The smallest sets of rules to give up to make it possible, by their ids; those first
            whose repair is surest and has the fewest changes.
        repairs: For each of these sets, the smallest changes that are enough; None if only the map
            could help.
        contrast: The changed rules that took the achievement away, compared with the world's base;
            none without one.
        complete: Whether there are no other smallest sets.
    """

    achievement: str
    chain: tuple[str, ...]
    rules: tuple[tuple[str, ...], ...]
    repairs: tuple[Repair | None, ...]
    contrast: tuple[str, ...]
    complete: bool

    def to_json(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "achievement": self.achievement,
            "chain": list(self.chain),
            "explanations": [
                {"rules": list(rules), "repair": repair and asdict(repair)}
                for rules, repair in zip(self.rules, self.repairs, strict=True)
            ],
            "complete": self.complete,
            "contrast": list(self.contrast),
        }


@dataclass(frozen=True)
class Verdict:
    """What is proved about one achievement.

    Attributes:
        achievement: Its name.
        verdict: ``reachable``, ``unreachable``, ``depends`` where it is proved to depend on the
            map, or ``unknown`` where nothing is proved.
        reason: Why it is unknown, what luck a finite chance hangs on, why there is nothing to
            explain it with, or what ripe plants do besides being eaten.
        certainty: How certain it is, if reachable.
        probability: The chance of success, for a finite chance that can be computed.
        estimate: The chance of success on maps in general, if a sample of maps was asked for.
        witness: Interactions that unlock it, in an order that works: as few as were found.
        at_least: So many interactions are proved necessary, in plans that count on no worse luck
            than the certainty says; None without a witness.
        explanation: If unreachable, the ids of the fewest rules to give up to make it possible.
        words: A sentence for each of them, saying what it takes away.
        examples: If it depends on the map: the seed of a map on which it is reachable, and that of
            one on which it is unreachable, by verdict.
    """

    achievement: str
    verdict: Outcome
    reason: str | None = None
    certainty: Certainty | None = None
    probability: Probability | None = None
    estimate: Estimate | None = None
    witness: tuple[Step, ...] = ()
    at_least: int | None = None
    explanation: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    examples: Mapping[Outcome, int] = field(default_factory=dict)

    @property
    def interactions(self) -> int:
        """How many interactions the witness has."""
        return sum(step.times for step in self.witness)

    @property
    def fewest(self) -> bool:
        """Whether the witness is proved to have the fewest interactions."""
        return self.interactions == self.at_least

    def to_json(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        probability = self.probability
        estimate = self.estimate or (probability and probability.estimate)
        return {
            "verdict": self.verdict,
            "reason": self.reason,
            "certainty": self.certainty,
            "probability": None
            if probability is None
            else {
                "low": probability.low,
                "high": probability.high,
                "method": probability.method,
            },
            "estimate": estimate and estimate.to_json(),
            "witness": [asdict(step) for step in self.witness],
            "interactions": self.interactions,
            "at_least": self.at_least,
            "fewest": self.fewest,
            "explanation": list(self.explanation),
            "words": list(self.words),
        } | ({"examples": dict(self.examples)} if self.examples else {})


@dataclass(frozen=True)
class Scarcity:
    """A source that ordinary maps hold little of.

    Attributes:
        material: What is collected from, or what creatures appear on.
        low: Cells that an ordinary map holds at least.
        high: Cells that it holds at most.
        achievements: Those whose witnesses take it.
    """

    material: str
    low: int
    high: int
    achievements: tuple[str, ...]


@dataclass(frozen=True)
class Proof:
    """The verdicts on all achievements of a world, in the order of its counters.

    Attributes:
        world: The world's name.
        digest: The world's digest.
        map_seed: The seed of the map that the proof is about; None for all ordinary maps.
        achievements: A verdict for each achievement.
        upkeep: Whether the player can live on, and on what.
        rules: For the id of each rule that a player applies (and ``sleep``), whether that can
            be done.
        scarce: Sources that the witnesses take and that are scarce on ordinary maps, the scarcest
            first; none for a given map.
    """

    world: str
    digest: str
    map_seed: int | None
    achievements: Mapping[str, Verdict]
    upkeep: Upkeep
    rules: Mapping[str, Outcome]
    scarce: tuple[Scarcity, ...] = ()

    @property
    def all_reachable(self) -> bool:
        """Whether every achievement is proved reachable."""
        return all(verdict.verdict == "reachable" for verdict in self.achievements.values())

    def to_json(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "world": self.world,
            "digest": self.digest,
            "map_seed": self.map_seed,
            "achievements": {name: v.to_json() for name, v in self.achievements.items()},
            "upkeep": self.upkeep.to_json(),
            "rules": dict(self.rules),
            "scarce": [asdict(source) for source in self.scarce],
        }
