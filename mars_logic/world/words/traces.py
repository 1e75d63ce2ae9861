"""Rules in words for dialects in which deeds leave traces.

These sentences are for reading: unlike those of :mod:`mars_logic.world.words.sentences`, which
cover Crafter's vocabulary, they are not parsed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mars_logic.world.dialect import AREA, ARROW_POINTS, MAXIMUM, UNARMED_DAMAGE, WASTED
from mars_logic.world.rules import Drink, Make, Neighbour, Place, Rule, Walk
from mars_logic.world.trace_rules import (
    Eat,
    LeavingCreature,
    NeedRule,
    OptionRule,
    SharedRename,
    TraceRule,
    UsingCollect,
)
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.kinds import spaced
from mars_logic.world.words.sentences import tell

_MARKED = {
    "prints_on": "After each step the player leaves a print of the direction it looks in on",
    "water_on": "Drinking leaves a mark of water under the player on",
    "blood_on": "A hit leaves blood under the player on",
}
_OPTIONS = {
    ("boss", True): "Nothing harms the player: health and needs are full after each step.",
    ("boss", False): "The player can be harmed.",
    ("other_agents", True): "Zombies and skeletons live on the map.",
    ("other_agents", False): "Neither zombies nor skeletons live on the map.",
}


def tell_in(rule: Rule, words: Vocabulary) -> str:
    """A rule as one English sentence, in the vocabulary of its dialect."""
    if not words.traced:
        return tell(rule, words)
    text = " ".join(_clauses(rule, words)).replace(" ,", ",").replace(" ;", ";")
    return text if text.endswith(".") else f"{text}."


def always_in(words: Vocabulary) -> tuple[str, str]:
    """What is so in all worlds of a dialect with traces: two paragraphs."""
    width, height = words.view
    blows = ", ".join(f"with {_a(item)} {points}" for item, points in words.damage.items())
    lives = ", ".join(f"{_a(kind)} {health}" for kind, health in words.health_at_first.items())
    return (
        f"The world has {AREA} x {AREA} cells, of which you see {width} x {height} around you. An "
        f"episode ends after {words.length} steps, or when your health is 0. Health, food, drink "
        f"and energy start at {MAXIMUM}, and of these as of every item you can have at most "
        f"{MAXIMUM}. You wake up when your energy is {MAXIMUM} or when your health goes down.",
        f"You act on the cell in front of you. A blow deals {UNARMED_DAMAGE} damage, {blows}; of "
        f"health have at first: {lives}. An arrow deals {ARROW_POINTS}. Of what is collected, made "
        "or killed, remains are left for good. Each achievement is worth 1 point the first time; "
        "each point of health gained or lost counts 0.1.",
    )


def _clauses(rule: Rule, words: Vocabulary) -> Iterator[str]:
    name = spaced(rule.subject)
    match rule:
        case Neighbour():
            where = "The player starts in" if rule.subject == "player" else f"Around {name} lies"
            yield f"{where} {rule.material}" if rule.material else f"Nothing special is at {name}"
        case SharedRename():
            if rule.share:
                material, share = rule.share
                yield f"Of the cells with {name}, a share of {share:g} has {spaced(material)}"
            else:
                yield f"Where the map would have {name}, it has {spaced(rule.whole)}"
        case Walk():
            yield f"{name.capitalize()} can{'' if rule.walkable else 'not'} be walked on"
            if rule.deadly:
                yield "and kills"
            if rule.health:
                yield f"and changes health by {rule.health:+}"
        case LeavingCreature():
            yield from _creature(rule, words)
        case Drink():
            yield f"Drinking from {name} gives {_points(rule)}"
        case UsingCollect():
            yield from _collect(rule)
        case Place():
            yield f"Placing {_a(rule.subject)} uses {_amounts(rule.uses)} and works on"
            yield f"{_any(rule.where)}, bare or with prints"
        case Make():
            yield f"Making {rule.gives} {name} uses {_amounts(rule.uses)}"
            if rule.nearby:
                yield f"and needs {' and '.join(map(_a, rule.nearby))} nearby"
        case Eat():
            verb = "Drinking from" if rule.drink else "Eating"
            yield f"{verb} {_a(rule.subject)} gives {_points(rule)}"
            if rule.leaves:
                yield f"and leaves {_a(rule.leaves)}"
        case NeedRule():
            yield from _need(rule)
        case TraceRule():
            yield f"{_MARKED[rule.subject]} {_any(rule.materials)}"
        case OptionRule():
            yield _OPTIONS[rule.subject, rule.on]


def _creature(rule: LeavingCreature, words: Vocabulary) -> Iterator[str]:
    ways = {
        "walks": "wanders about",
        "approaches": "approaches the player",
        "attacks": "attacks",
        "shoots": "shoots arrows",
    }
    does = [way for field, way in ways.items() if getattr(rule, field)]
    yield f"{_a(rule.subject).capitalize()} {', '.join(does) or 'stays where it is'}"
    if rule.attacks:
        points = words.attack_points["creature"]
        awake, asleep = (-points[state] * rule.attack_health_factor for state in points)
        yield f"and costs {awake} health by a hit, {asleep} if the player sleeps"
    if rule.shoots:
        yield f"and costs {-ARROW_POINTS * rule.arrow_health_factor} health by an arrow"
    if rule.yields:
        yield f"; killed, it gives {_amounts(rule.yields)}"
    if rule.leaves:
        yield f"; where it is killed, {spaced(rule.leaves)} is left"


def _collect(rule: UsingCollect) -> Iterator[str]:
    name = spaced(rule.subject)
    if not rule.collectable:
        yield f"Nothing can be collected from {name}"
        return
    yields = [
        f"{given.amount} {spaced(item)}"
        + ("" if given.probability is None else f" with a {given.probability:.0%} chance")
        for item, given in rule.yields.items()
    ]
    yield f"Collecting from {name} yields {' and '.join(yields) or 'nothing'}"
    if rule.requires:
        yield f", needs {_amounts(rule.requires)}, which is kept"
    if rule.uses:
        yield f", uses up {_amounts(rule.uses)}"
    if rule.leaves != rule.subject:
        yield f"and leaves {spaced(rule.leaves)}"


def _need(rule: NeedRule) -> Iterator[str]:
    counts = f"asleep the counter changes by {rule.asleep:+g} instead of +1, in bed by"
    if rule.subject == "health":
        wasted = 1 - WASTED
        yield f"Without a need unmet, 1 health returns every {rule.every} steps;"
        yield f"{counts} {rule.in_bed:+g}; {wasted} steps with one unmet cost {rule.loss} health"
    else:
        yield f"{rule.loss} {rule.subject} is lost every {rule.every} steps awake;"
        yield f"{counts} {rule.in_bed:+g}"


def _points(rule: Drink | Eat) -> str:
    points = {vital: getattr(rule, vital) for vital in ("food", "drink", "health")}
    return " and ".join(f"{n} {vital}" for vital, n in points.items() if n) or "nothing"


def _amounts(amounts: Mapping[str, int]) -> str:
    return " and ".join(f"{count} {spaced(item)}" for item, count in amounts.items()) or "nothing"


def _any(names: Iterable[str]) -> str:
    return " or ".join(map(spaced, names)) or "nothing"


def _a(name: str) -> str:
    text = spaced(name)
    return f"{'an' if text[0] in 'aeiou' else 'a'} {text}"
