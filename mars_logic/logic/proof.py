"""A proof: a verdict for each achievement of a world, as data and in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from mars_logic.logic.certainty import Certainty, Outcome
from mars_logic.logic.estimate import NOTHING, CellEstimate, Estimate, Range
from mars_logic.logic.repair_data import Repair
from mars_logic.system.display import html_table, number

if TYPE_CHECKING:
    from mars_logic.logic.sustainability import Sustainability


@dataclass(frozen=True)
class Step:
    """Repeated application of a rule.

    Attributes:
        rule: The rule's id; ``sleep`` for sleeping, which no rule of a world describes.
        times: Number of successful applications.
        gain: The random item or creature that each application has to yield, if any.
    """

    rule: str
    times: int
    gain: str | None = None


@dataclass(frozen=True)
class Draws:
    """Independent trials with equal probability of success.

    Attributes:
        rule: The rule whose application tries it.
        gain: The item or creature that a success yields.
        chance: Probability of success in each trial.
        wanted: Required number of successes.
    """

    rule: str
    gain: str
    chance: float
    wanted: int


@dataclass(frozen=True)
class Probability:
    """A range of the probability of success, and its method.

    Attributes:
        low: Lower bound.
        high: Upper bound.
        method: Method of the bounds, in words.
        draws: The decisive trials, if known.
        estimate: Without a map: the share of maps on which the range holds, from sampled maps.
    """

    low: float
    high: float
    method: str
    draws: Draws | None = None
    estimate: CellEstimate | None = None


@dataclass(frozen=True, repr=False)
class Explanation:
    """Why an achievement is unreachable.

    Attributes:
        achievement: Its name.
        chain: From the achievement to the failing rule, a sentence for each rule.
        rules: The smallest sets of rules to give up to make it possible, by their ids, in order
            of their repair's certainty and number of changes.
        repairs: For each of these sets, the smallest sufficient changes; None if only another map
            could help.
        contrast: The rule changes from the world's base that made the achievement unreachable;
            empty without a base.
        complete: Whether there are no other smallest sets.
    """

    achievement: str
    chain: tuple[str, ...]
    rules: tuple[tuple[str, ...], ...]
    repairs: tuple[Repair | None, ...]
    contrast: tuple[str, ...]
    complete: bool

    def __repr__(self) -> str:
        return f"<Explanation {self.achievement}: {number(len(self.repairs), 'repair')}>"

    def __str__(self) -> str:
        mends = (f"  - {each.words}" if each else "  - another map" for each in self.repairs)
        return "\n".join((*self.chain, *mends))

    def to_json(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "achievement": self.achievement,
            "chain": list(self.chain),
            "explanations": [
                {"rules": list(rules), "repair": repair and repair.to_json()}
                for rules, repair in zip(self.rules, self.repairs, strict=True)
            ],
            "complete": self.complete,
            "contrast": list(self.contrast),
        }


@dataclass(frozen=True, repr=False)
class Verdict:
    """The proved result for one achievement.

    Attributes:
        achievement: Its name.
        verdict: ``reachable``, ``unreachable``, ``depends`` where it is proved to depend on the
            map, or ``unknown`` where nothing is proved.
        reason: The cause of an unknown verdict, of a finite chance or of a missing explanation, or
            a warning about ripe plants.
        certainty: Its certainty, if reachable.
        probability: The chance of success, for a finite chance that can be computed.
        estimate: The chance of success on maps in general, if a sample of maps was asked for.
        witness: Interactions that unlock it, in a valid order: the shortest plan found.
        at_least: Proved lower bound on the interactions of plans at this certainty; None without
            a witness, and where none is proved.
        explanation: If unreachable, the ids of the fewest rules to give up to make it possible.
        words: A sentence for each of them on its consequence.
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

    def __repr__(self) -> str:
        sure = f", {self.certainty.replace('_', ' ')}" if self.certainty else ""
        return f"<Verdict {self.achievement}: {self.verdict}{sure}>"

    def __str__(self) -> str:
        return f"{self.achievement}: {verdict_words(self)}"

    @property
    def probability_range(self) -> Range:
        """The range of the probability that a verdict on one map implies."""
        if self.verdict == "unreachable":
            return 0.0, 0.0
        if self.verdict == "reachable" and self.certainty != "finite_chance":
            return 1.0, 1.0
        found = self.probability
        return NOTHING if found is None else (found.low, found.high)

    @property
    def interactions(self) -> int:
        """Number of interactions of the witness."""
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
    """A scarce source on ordinary maps.

    Attributes:
        material: The material to collect from, or on which creatures spawn.
        low: Minimum number of cells on an ordinary map.
        high: Maximum number of cells on it.
        achievements: Those whose witnesses use it.
    """

    material: str
    low: int
    high: int
    achievements: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Proof:
    """The verdicts on all achievements of a world, in the order of its counters.

    ``print`` shows every verdict in words; a notebook shows them as a table.

    Attributes:
        world: The world's name.
        digest: The world's digest.
        map_seed: The seed of the proof's map; None for all ordinary maps.
        achievements: A verdict for each achievement.
        upkeep: Whether the player can survive indefinitely, and the rules applied for it.
        rules: For the id of each rule that a player applies (and ``sleep``), whether that can
            be done.
        scarce: Sources of the witnesses that are scarce on ordinary maps, the scarcest first; empty
            for a given map.
    """

    world: str
    digest: str
    map_seed: int | None
    achievements: Mapping[str, Verdict]
    upkeep: Sustainability
    rules: Mapping[str, Outcome]
    scarce: tuple[Scarcity, ...] = ()

    @property
    def all_reachable(self) -> bool:
        """Whether every achievement is proved reachable."""
        return all(verdict.verdict == "reachable" for verdict in self.achievements.values())

    def __repr__(self) -> str:
        return f"<Proof {self.world}: {counted(self)} achievements reachable>"

    def __str__(self) -> str:
        return "\n".join(proof_lines(self))

    def _repr_html_(self) -> str:
        rows = (
            (name.replace("_", " "), verdict_words(verdict), " ".join(verdict.words))
            for name, verdict in self.achievements.items()
        )
        return html_table(rows, (), f"{self.world}: {counted(self)} achievements reachable")

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


def proof_lines(
    proof: Proof,
    name: str | None = None,
    *,
    witnesses: bool = False,
    sums: Iterable[str] = (),
    remarks: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Every verdict, with its explanation.

    Args:
        proof: The proof.
        name: What to call the world; by default its name.
        witnesses: Whether to show how each achievement is reached.
        sums: Lines about all achievements together.
        remarks: What is to be said on achievements besides, a line each.
    """
    place = "" if proof.map_seed is None else f" on the map of seed {proof.map_seed}"
    yield f"{name or proof.world}: {counted(proof)} achievements reachable{place}"
    for line in sums:
        yield f"  {line}"
    for achievement, verdict in proof.achievements.items():
        yield f"  {achievement:<20} {verdict_words(verdict)}"
        for line in remarks.get(achievement, "").splitlines() if remarks else ():
            yield f"      {line}"
        for step in verdict.witness if witnesses else ():
            times = f"{step.times} x " if step.times > 1 else ""
            gain = f", until it gives {step.gain}" if step.gain else ""
            yield f"      {times}{step.rule}{gain}"
        for sentence in verdict.words:
            yield f"      {sentence}"
        for line in _estimated(verdict.estimate) if verdict.estimate else ():
            yield f"      {line}"
    for source in proof.scarce:
        yield f"  {'scarce':<20} {_scarce(source)}"
    yield from _upkeep(proof.upkeep, in_full=witnesses)


def counted(proof: Proof) -> str:
    """How many achievements are reachable, of how many."""
    verdicts = proof.achievements.values()
    return f"{sum(verdict.verdict == 'reachable' for verdict in verdicts)} of {len(verdicts)}"


def verdict_words(verdict: Verdict) -> str:
    """A verdict with its certainty, its probability and the length of its witness."""
    parts: list[str] = [verdict.verdict]
    if verdict.certainty:
        parts.append(verdict.certainty.replace("_", " "))
    if verdict.probability:
        parts.append(_probability(verdict.probability))
    if verdict.witness:
        parts.append(_interactions(verdict))
    if verdict.reason:
        parts.append(verdict.reason)
    return ", ".join(parts)


def _interactions(verdict: Verdict) -> str:
    told = number(verdict.interactions, "interaction")
    if verdict.at_least is None:
        return told
    proved = "proved fewest" if verdict.fewest else f"at least {verdict.at_least} proved necessary"
    return f"{told} ({proved})"


def _probability(found: Probability) -> str:
    return f"probability {_range(found.low, found.high)} ({found.method})"


def _range(low: float, high: float) -> str:
    told = f"{low:.3g}", f"{high:.3g}"
    return told[0] if told[0] == told[1] else " to ".join(told)


def _scarce(source: Scarcity) -> str:
    amount = f"an ordinary map holds {source.low} to {source.high} cells of {source.material}"
    depend = "depends" if len(source.achievements) == 1 else "depend"
    return f"{amount}, on which {', '.join(source.achievements)} {depend}"


def _estimated(found: Estimate) -> Iterator[str]:
    mean = f"mean {_range(*found.mean)} (95 % interval {_range(*found.mean_interval)})"
    quantile = f"5 % quantile {_range(*found.quantile)} ({_range(*found.quantile_interval)})"
    if found.known:
        yield f"estimate from {found.maps} maps: {mean}, {quantile}"
    elif not found.played:
        yield (
            f"no estimate from {found.maps} maps: the probability cannot be computed on any of "
            "them (--execute tells how often an executor succeeds)"
        )
    if found.played:
        rate = f"{found.played.rate:.3g} (95 % interval {_range(*found.played.interval)})"
        played = f"{found.played.successes} of {found.maps} maps"
        yield f"played: on {played} an executor did it, {rate}; the best player does no worse"


def _upkeep(upkeep: Sustainability, *, in_full: bool) -> Iterator[str]:
    """Whether the player can live on, and what on."""
    parts: list[str] = [upkeep.verdict]
    if upkeep.for_an_episode and upkeep.verdict != "sustainable":
        parts.append("but enough for one episode")
    if upkeep.lacking:
        *others, last = upkeep.lacking
        parts.append(f"short of {', '.join(others)} and {last}" if others else f"short of {last}")
    elif upkeep.times:
        doings = [f"{times} x {rule}" for rule, times in upkeep.times.items()]
        parts.append(f"by {', '.join(doings)} in 1,000 steps")
    yield f"  {'living on':<20} {', '.join(parts)}"
    for vital in upkeep.needed if in_full else ():
        gains = {rule: of[vital] for rule, of in upkeep.brought.items() if vital in of}
        gains = {"living and sleeping": upkeep.rest.get(vital, 0), **gains}
        told = [f"{points:+g} {rule}" for rule, points in gains.items() if points]
        total = f"= {upkeep.balance(vital):+g}"
        yield f"      {vital:<7} {-upkeep.needed[vital]:+d} needs, {', '.join([*told, total])}"
