"""The atoms of a rule: its fields as facts, and its id as a term.

Rules are named by terms such as ``collect(stone)``, which stand for ids such as ``collect.stone``.
All numbers are integers; probabilities are in millionths, rounded, but never to what is impossible
or certain.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from mars_logic.world.cell_rules import Beside, Push, Timer
from mars_logic.world.creature_rules import Behaviour, Hunt
from mars_logic.world.projectile_rules import Shoot
from mars_logic.world.rules import (
    Collect,
    Creature,
    Drink,
    Make,
    Neighbour,
    Place,
    Rename,
    Rule,
    Walk,
)
from mars_logic.world.trace_rules import Eat

MILLION = 1_000_000
CAP = 9
"""Maximum amount of each item."""

APPLIED = ("creature", "collect", "place", "make", "eat", "shoot")
"""The families of the rules that a player applies."""

_ROUNDING = 1e-12
"""Tolerance for a sum of decimal probabilities equal to 1."""

_BEHAVIOUR = ("walks", "approaches", "attacks", "shoots")


def term(rule_id: str) -> str:
    """The term for a rule's id: ``collect.stone`` is ``collect(stone)``."""
    family, dot, subject = rule_id.partition(".")
    return f"{family}({subject})" if dot else family


def rule_id(term: str) -> str:
    """The id for a rule's term: ``collect(stone)`` is ``collect.stone``."""
    return term.rstrip(")").replace("(", ".")


def rule_atoms(rule: Rule) -> Iterator[str]:
    """The atoms for the fields of a rule, without ``rule/1`` itself."""
    match rule:
        case Neighbour():
            yield from _neighbour(rule)
        case Rename():
            yield f"rename({rule.subject}, {rule.material})"
        case Walk():
            yield from _walk(rule)
        case Creature():
            yield from _creature(rule)
        case Drink():
            yield from _drink(rule)
        case Collect() if rule.collectable:
            yield from _collect(rule)
        case Place():
            yield from _place(rule)
        case Make():
            yield from _make(rule)
        case Eat():
            yield from _eat(rule)
        case Push():
            yield from _push(rule)
        case Beside():
            yield from _beside(rule)
        case Timer():
            yield from _timer(rule)
        case Behaviour():
            yield from _behaviour(rule)
        case Hunt():
            yield from _hunt(rule)
        case Shoot():
            yield from _shoot(rule)


def _neighbour(rule: Neighbour) -> Iterator[str]:
    if rule.material is not None:
        yield f"neighbour({rule.subject}, {rule.material})"


def _walk(rule: Walk) -> Iterator[str]:
    if rule.walkable:
        yield f"walkable({rule.subject})"
    if rule.health:
        yield f"walk_health({rule.subject}, {rule.health})"
    if rule.deadly:
        yield f"deadly({rule.subject})"


def _creature(rule: Creature) -> Iterator[str]:
    if rule.eatable:
        yield f"eatable({rule.subject})"
    for vital in ("food", "drink", "health"):
        if factor := getattr(rule, f"eaten_{vital}_factor"):
            yield f"eaten_factor({rule.subject}, {vital}, {factor})"
    for way in _BEHAVIOUR:
        if getattr(rule, way):
            yield f"behaves({rule.subject}, {way})"
    yield f"attack_factor({rule.subject}, {rule.attack_health_factor})"
    yield f"arrow_factor({rule.subject}, {rule.arrow_health_factor})"


def _drink(rule: Drink) -> Iterator[str]:
    for vital in ("drink", "food", "health"):
        if points := getattr(rule, vital):
            yield f"drink_effect({rule.subject}, {vital}, {points})"


def _collect(rule: Collect) -> Iterator[str]:
    this = term(rule.id)
    yield f"collectable({rule.subject})"
    for item, amount in rule.requires.items():
        yield f"requires({this}, {item}, {amount})"
    chances = {gain: given.probability for gain, given in rule.yields.items() if given.probability}
    rounded = dict(zip(chances, millionths(list(chances.values())), strict=True))
    for gain, given in rule.yields.items():
        if given.probability is None:
            yield f"yields({this}, {gain}, {given.amount})"
        elif gain in rounded:
            yield f"chance({this}, {gain}, {given.amount}, {rounded[gain]})"
    yield f"leaves({rule.subject}, {rule.leaves})"
    for creature, probability in rule.spawns.items():
        if probability:
            yield f"spawns({this}, {creature}, {millionths([probability])[0]})"


def _place(rule: Place) -> Iterator[str]:
    for item, amount in rule.uses.items():
        yield f"uses({term(rule.id)}, {item}, {amount})"
    for material in rule.where:
        yield f"where({rule.subject}, {material})"
    if rule.subject != "plant":
        yield f"puts({rule.subject}, {rule.subject})"


def _make(rule: Make) -> Iterator[str]:
    for item, amount in rule.uses.items():
        yield f"uses({term(rule.id)}, {item}, {amount})"
    for material in rule.nearby:
        yield f"nearby({rule.subject}, {material})"
    yield f"gives({rule.subject}, {rule.gives})"


def _eat(rule: Eat) -> Iterator[str]:
    yield f"uses({term(rule.id)}, {rule.subject}, 1)"
    for vital in ("food", "health", "drink"):
        if points := getattr(rule, vital):
            yield f"grants({term(rule.id)}, {vital}, {points})"
    if rule.leaves:
        yield f"grants({term(rule.id)}, {rule.leaves}, 1)"


def _push(rule: Push) -> Iterator[str]:
    yield f"push_leaves({rule.subject}, {rule.leaves})"
    for ground in rule.onto:
        yield f"push_onto({rule.subject}, {ground})"
        becomes = rule.becomes.get(ground, rule.subject)
        yield f"push_becomes({rule.subject}, {ground}, {becomes})"


def _beside(rule: Beside) -> Iterator[str]:
    if not rule.chance:
        return
    yield f"beside_chance({rule.subject}, {millionths([rule.chance])[0]})"
    for place, (other, becomes) in enumerate(rule.becomes.items()):
        yield f"turns_beside({rule.subject}, {other}, {becomes}, {place})"


def _timer(rule: Timer) -> Iterator[str]:
    yield f"timer({rule.subject}, {rule.becomes})"
    yield f"timer_after({rule.subject}, {rule.after})"
    if rule.chance:
        yield f"timer_chance({rule.subject}, {millionths([rule.chance])[0]})"
    if rule.when != "always":
        yield f"timer_when({rule.subject}, {rule.when})"
    yield from (f"timer_near({rule.subject}, {material})" for material in rule.near)


def _behaviour(rule: Behaviour) -> Iterator[str]:
    if any(case.act == "flee" and case.chance >= 1 for case in rule.cases):
        yield f"elusive({rule.subject})"
    for number, case in enumerate(rule.cases, start=1):
        this = f"{rule.subject}, {number}"
        yield f"case({this}, {case.act})"
        if case.chance > 0:
            yield f"case_luck({this}, {'sure' if case.chance >= 1 else 'maybe'})"
        if case.when != "always":
            yield f"case_when({this}, {case.when})"
        for name in ("within", "beyond", "health", "held"):
            value = getattr(case, name)
            if value is not None:
                yield f"case_{name}({this}, {value})"
        if case.act == "shoot":
            yield f"case_shot({this}, {case.projectile})"
        if case.act in ("approach", "flee"):
            if case.straight > 0:
                yield f"case_axis({this}, long)"
            if case.straight < 1:
                yield f"case_axis({this}, short)"
    for material, becomes in rule.grazes.items():
        yield f"grazes({rule.subject}, {material}, {becomes})"


def _hunt(rule: Hunt) -> Iterator[str]:
    this = f"creature({rule.subject})"
    yield from (f"requires({this}, {item}, {n})" for item, n in rule.requires.items())
    yield from (f"loot({rule.subject}, {item}, {n})" for item, n in rule.yields.items())
    yield from (f"hurts({item}, {rule.subject}, {n})" for item, n in rule.damage.items())
    if rule.touch:
        yield f"touch_health({rule.subject}, {rule.touch})"


def _shoot(rule: Shoot) -> Iterator[str]:
    this = term(rule.id)
    yield from (f"requires({this}, {item}, {n})" for item, n in rule.requires.items())
    yield from (f"uses({this}, {item}, {n})" for item, n in rule.uses.items())


def millionths(probabilities: Sequence[float]) -> list[int]:
    """Probabilities of mutually exclusive events, in millionths.

    None is rounded to 0, and they sum to a million if and only if one of them always occurs; the
    correction is added to the largest. (A sum of 1 up to rounding errors counts as 1.)
    """
    rounded = [max(1, round(probability * MILLION)) for probability in probabilities]
    total, certain = sum(rounded), math.fsum(probabilities) >= 1 - _ROUNDING
    if certain or total >= MILLION:
        largest = max(range(len(rounded)), key=rounded.__getitem__)
        rounded[largest] += (MILLION if certain else MILLION - 1) - total
    return rounded
