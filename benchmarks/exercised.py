"""Whether a record exercises a wrong rule: something in it might have come out otherwise by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from mars_logic.theory import Evidence, movement_model
from mars_logic.theory.claims import Field, Values, values_of
from mars_logic.theory.evidence.equivalence import condensed
from mars_logic.theory.ranking import likelihood, made_up
from mars_logic.theory.signature_claims import signature_claims
from mars_logic.theory.signatures import Collecting, Health, Hitting, Signature, Span, Unharmed
from mars_logic.world.rules import Rule
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import Alternatives

_MOST: Final = 9
_SHIFTS: Final = range(-_MOST, _MOST + 1)


def exercises(evidence: Evidence, truth: Theory, wrong: Rule, name: str) -> bool:
    """Whether some outcome of what was done has another probability by a wrong rule.

    Outcomes are what was seen and what might have been seen instead; chances count, however few
    tries there were.

    Args:
        evidence: What was seen.
        truth: The true rules.
        wrong: A rule that differs from the true one in one field.
        name: Which.
    """
    field, true = (wrong.id, name), getattr(truth[wrong.id], name)
    if _goes_otherwise(evidence, truth, wrong, field):
        return True
    either = Alternatives.of([(true, 0.5), (getattr(wrong, name), 0.5)])
    doubted = type(wrong).model_validate({"subject": wrong.subject, **_fields(wrong), name: either})
    groups = condensed(evidence, truth.with_rules(doubted))
    values, others = values_of(truth), values_of(truth.with_rules(wrong))
    return any(
        _tells_apart(signature, evidence.dynamics, values, others)
        for signature in groups.signatures
        if any(field in claim.reads for claim in signature_claims(signature, evidence.dynamics))
    )


def _fields(rule: Rule) -> dict[str, object]:
    return {name: getattr(rule, name) for name in rule.field_names()}


def _goes_otherwise(evidence: Evidence, truth: Theory, wrong: Rule, field: Field) -> bool:
    """Whether a creature, or a ripe plant, was seen that goes another way by a wrong rule."""
    if field[1] not in movement_model.WAYS or not _watched(evidence, wrong.subject):
        return False
    ways = (
        movement_model.gait_of(*(getattr(rule, way) for way in movement_model.WAYS))
        for rule in (truth[wrong.id], wrong)
    )
    return len(set(ways)) > 1


def _watched(evidence: Evidence, being: str) -> bool:
    """Whether it was seen for long enough to go somewhere."""
    return bool(movement_model.motions(evidence).get(being)) or any(
        isinstance(signature, Hitting | Unharmed) and signature.being == being
        for signature in evidence.signatures
    )


def _tells_apart(signature: Signature, dynamics: str, truth: Values, wrong: Values) -> bool:
    """Whether an outcome of a deed is likelier by one than by the other."""
    return any(
        _probability(outcome, dynamics, truth) != _probability(outcome, dynamics, wrong)
        for outcome in _outcomes(signature)
    )


def _probability(outcome: Signature, dynamics: str, values: Values) -> float:
    failed, probability = likelihood(values, outcome, dynamics)
    return 0.0 if failed else probability


def _outcomes(signature: Signature) -> Iterator[Signature]:
    """What was seen, and what might have been."""
    yield signature
    yield from made_up(signature)
    health = getattr(signature, "health", None)
    if health is not None:
        yield from (signature._replace(health=each) for each in _healths(health))  # type: ignore[call-arg]
    match signature:
        case Hitting() | Collecting(material="water" | "lava"):
            yield from (signature._replace(food=span) for span in _shifted(signature.food))
    match signature:
        case Hitting() | Collecting():
            yield from (signature._replace(drink=span) for span in _shifted(signature.drink))


def _healths(health: Health) -> Iterable[Health]:
    return (health._replace(after=after) for after in range(_MOST + 1))


def _shifted(span: Span) -> Iterable[Span]:
    return ((span[0] + by, span[1] + by) for by in _SHIFTS)
