"""Ranks observed outcomes among alternatives: a measure of learned world models.

For each kind of action, the observed outcome is mixed with made-up ones, and the theory ranks them
by likelihood. The mean of 1/rank of the true one is the mean
reciprocal rank (OneLife, arXiv 2510.12088, section 4, "state ranking"; there over whole states of
Crafter, here over what of a state depends on rules).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, Final

from mars_logic.system.display import number
from mars_logic.theory.claims import Values, values_of
from mars_logic.theory.evidence import Evidence
from mars_logic.theory.outcomes import outcomes
from mars_logic.theory.signature_claims import collecting_gates, matches, signature_claims
from mars_logic.theory.signatures import (
    Collecting,
    Eating,
    Health,
    Held,
    Hitting,
    Making,
    Passage,
    Placing,
    Signature,
    Standing,
    Tread,
)
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.theory import Theory

_BLOWS: Final = (-7, -2, -1, 1, 2)
"""Made-up changes of health."""


@dataclass(frozen=True, repr=False)
class Ranking:
    """How well a theory ranks true outcomes above false ones.

    Attributes:
        mrr: The mean reciprocal rank of what came, each kind of deed counting the same; None if
            nothing was seen that could be ranked.
        first: The share in which it is ranked first and alone.
        by_deed: The mean reciprocal rank for each kind of deed, such as ``collect stone``.
        outcomes: How many distinct outcomes were ranked.
    """

    mrr: float | None
    first: float | None
    by_deed: dict[str, float]
    outcomes: int

    def __repr__(self) -> str:
        mrr = "none" if self.mrr is None else f"{self.mrr:.3f}"
        return f"<Ranking: mean reciprocal rank {mrr} of {number(self.outcomes, 'outcome')}>"

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "mrr": self.mrr,
            "rank_1": self.first,
            "outcomes": self.outcomes,
            "by_deed": self.by_deed,
        }


def rank(theory: Theory, evidence: Evidence) -> Ranking:
    """Rank what was seen, by a theory.

    Args:
        theory: What is believed; what it leaves open tells nothing apart.
        evidence: What was seen; every distinct thing counts once.
    """
    values = values_of(theory.adding(evidence.adds))
    ranks: dict[str, list[float]] = {}
    for signature in evidence.signatures:
        rivals = [*dict.fromkeys(made_up(signature))]
        if rivals:
            true = likelihood(values, signature, evidence.dynamics)
            others = [likelihood(values, each, evidence.dynamics) for each in rivals]
            better, equal = sum(o > true for o in others), sum(o == true for o in others)
            ranks.setdefault(_deed(signature), []).append(1 + better + equal / 2)
    if not ranks:
        return Ranking(None, None, {}, 0)
    by_deed = {deed: _mean(1 / each for each in found) for deed, found in sorted(ranks.items())}
    firsts = [_mean(float(each == 1) for each in found) for found in ranks.values()]
    count = sum(map(len, ranks.values()))
    return Ranking(_mean(by_deed.values()), _mean(firsts), by_deed, count)


def _mean(numbers: Iterable[float]) -> float:
    found = [*numbers]
    return math.fsum(found) / len(found)


def _deed(signature: Signature) -> str:
    """The kind of a deed; what succeeds and what fails are of different kinds."""
    match signature:
        case Passage(material=material):
            return f"step onto {material}"
        case Tread(ground=ground):
            return f"move on {ground}"
        case Collecting(material=material, held=held, held_after=after, left=left):
            return f"collect {material}{_failed(held == after and left == material)}"
        case Placing(thing=thing, held=held, held_after=after):
            return f"place {thing}{_failed(held == after)}"
        case Making(tool=tool, held=held, held_after=after):
            return f"make {tool}{_failed(held == after)}"
        case Eating(item=item):
            return f"eat {item}"
        case Hitting(being=being):
            return f"hit {being}"
        case _:
            return "stand"


def _failed(nothing: bool) -> str:
    return ", to no effect" if nothing else ""


# --- Likelihood ---------------------------------------------------------------------------------


def likelihood(values: Values, signature: Signature, dynamics: str) -> tuple[int, float]:
    """Sort key of an outcome: first its number of failed claims, then its probability.

    Returns:
        Minus the number of claims that it fails, and the probability of what was received.
    """
    failed = sum(
        claim.judge(values).holds is False for claim in signature_claims(signature, dynamics)
    )
    failed += _in_no_world(signature)
    probability = 1.0
    if isinstance(signature, Collecting):
        probability = _of_collecting(values, signature, dynamics)
    return -failed, round(probability, 9)


def _in_no_world(signature: Signature) -> bool:
    """Whether an outcome is against the game's own constants: no rule takes without placing."""
    if not isinstance(signature, Placing):
        return False
    placed = signature.planted or signature.left == signature.thing
    return not placed and signature.held != signature.held_after


def _of_collecting(values: Values, signature: Collecting, dynamics: str) -> float:
    """The probability of what was received; 1 where the theory leaves that open."""
    gates = [(values(field), passes) for field, passes in collecting_gates(signature)]
    rule = f"collect.{signature.material}"
    yields, spawns = values((rule, "yields")), values((rule, "spawns"))
    certain = all(len(found) == 1 for found in (yields, spawns, *(found for found, _ in gates)))
    if not certain or not all(passes(found[0]) for found, passes in gates):
        return 1.0
    liquid = signature.material in names.LIQUIDS
    effect = values((f"drink.{signature.material}", "drink")) if liquid else (0,)
    drunk = effect[0] if len(effect) == 1 else 0
    came = sum(
        outcome.probability
        for outcome in outcomes(yields[0], dynamics)
        if matches(signature, outcome.gains, drunk)
    )
    (appearing,) = spawns
    if signature.appeared:
        return came * float(appearing.get(signature.appeared, 0.0))
    return came * (1 - sum(appearing.values())) if signature.clear else came


# --- What might have been -----------------------------------------------------------------------


@singledispatch
def made_up(signature: Signature) -> Iterator[Signature]:  # noqa: ARG001
    """Other outcomes of the same deed in the same situation; none for what is no deed."""
    yield from ()


@made_up.register
def _(signature: Passage) -> Iterator[Signature]:
    yield signature._replace(moved=not signature.moved)


@made_up.register(Tread)
@made_up.register(Standing)
@made_up.register(Hitting)
@made_up.register(Eating)
def _(signature: Tread | Standing | Hitting | Eating) -> Iterator[Signature]:
    for health in _other_health(signature.health):
        yield signature._replace(health=health)


@made_up.register
def _(signature: Collecting) -> Iterator[Signature]:
    for material in names.NATURAL:
        if material != signature.left:
            yield signature._replace(left=material)
    for held in _other_held(signature.held, signature.held_after):
        yield signature._replace(held_after=held)
    if signature.health:
        for health in _other_health(signature.health):
            yield signature._replace(health=health)
    for creature in names.CREATURES:
        if signature.clear and creature != signature.appeared:
            yield signature._replace(appeared=creature)


@made_up.register
def _(signature: Placing) -> Iterator[Signature]:
    for held in _other_held(signature.held, signature.held_after):
        yield signature._replace(held_after=held)
    if signature.thing == "plant":
        yield signature._replace(planted=not signature.planted)
    else:
        other = signature.thing if signature.left == signature.material else signature.material
        yield signature._replace(left=other)


@made_up.register
def _(signature: Making) -> Iterator[Signature]:
    for held in _other_held(signature.held, signature.held_after):
        yield signature._replace(held_after=held)


def _other_health(health: Health) -> Iterator[Health]:
    for change in _BLOWS:
        after = health.before + health.recovery + change
        if 0 < after <= MAXIMUM and after != health.after:
            yield health._replace(after=after)
    if health.after != health.before:
        yield health._replace(after=health.before)


def _other_held(before: Held, after: Held) -> Iterator[Held]:
    """One item more or fewer than what came, and what was held before."""
    if after != before:
        yield before
    for item, had in after.named():
        for change in (-1, 1):
            amount = had + change
            if item not in names.TOOLS and 0 <= amount <= MAXIMUM:
                yield after.with_amounts({item: amount})
