"""What the rules of an explanation take away, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mars_logic.logic.former import former_gains
from mars_logic.logic.judge import OPTIMISTIC, Judge
from mars_logic.logic.shortage import Shortage
from mars_logic.world.rules import Collect, Creature, Make, Neighbour, Place, Rule, Walk
from mars_logic.world.world import World

_IN_THE_WAY = "which stands in the way"


def consequence(judge: Judge, rule: Rule) -> str:
    """A sentence: the rule's id, what it says, and what comes of it.

    Example:
        ``collect.diamond: Collecting from diamond needs an iron pickaxe, yields 1 coal and leaves
        a path, so no diamond is ever obtained.``
    """
    from mars_logic.world.words import tell

    said = tell(rule).rstrip(".")
    return f"{rule.id}: {said}, {_effects(judge, rule)}."


def shortfall(rule: Rule, shortages: Sequence[Shortage]) -> str:
    """A sentence: the rule's id, what it says, and which cells it takes more of than there are.

    Example:
        ``place.table: Placing a table uses 9 wood and works on grass, but that takes 9 cells of
        lava, which are used up, and only 5 are within reach.``
    """
    from mars_logic.world.words import tell

    return f"{rule.id}: {tell(rule).rstrip('.')}, but {lacking(shortages)}."


def lacking(shortages: Sequence[Shortage]) -> str:
    """Which cells something takes more of than there are."""
    parts = [
        f"{'more than ' * short.more}{short.needed} cells of {short.material}, which are used up, "
        f"and only {short.cells} {'is' if short.cells == 1 else 'are'} within reach"
        for short in shortages
    ]
    if not parts:
        return "more of something is used up than can ever be had"
    return f"that takes {'; and '.join(parts)}"


def _effects(judge: Judge, rule: Rule) -> str:
    match rule:
        case Collect():
            return _collecting(judge, rule)
        case Place() if not rule.where:
            return "so it can never be placed"
        case Place():
            missing = _missing(judge, rule.uses)
            if not set(rule.where) & judge.at(OPTIMISTIC, "touch"):
                missing.append("none of this ground is ever reached")
        case Make():
            missing = _missing(judge, rule.uses)
            afar = [m for m in rule.nearby if m not in judge.at(OPTIMISTIC, "touch")]
            missing += [f"no {_either(afar)} is ever nearby"] if afar else []
        case Walk():
            return "so nobody gets across on foot"
        case Creature():
            return "but none is ever met"
        case _:
            return _layout(judge, rule)
    return f"but {' and '.join(missing)}" if missing else _IN_THE_WAY


def _layout(judge: Judge, rule: Rule) -> str:
    """What comes of a rule of the map: something that it lacks, or something in the way."""
    former = rule.subject
    if isinstance(rule, Neighbour):
        base = judge.world.base
        former = (base.neighbour[rule.subject].material if isinstance(base, World) else None) or ""
        if rule.material and rule.material not in judge.at(OPTIMISTIC, "pass"):
            return "which nobody gets across"
    if former and former not in judge.at(OPTIMISTIC, "touch"):
        return f"so no {former} is ever within reach"
    return "so the map lacks what it would have otherwise"


def _collecting(judge: Judge, rule: Collect) -> str:
    missing = _missing(judge, rule.requires) if rule.collectable else []
    if rule.subject not in judge.at(OPTIMISTIC, "touch"):
        missing.append(f"no {rule.subject} is ever within reach")
    if missing:
        return f"but {' and '.join(missing)}"
    base = judge.world.base
    if isinstance(base, World):
        was = base.collect[rule.subject]
        gains = judge.at(OPTIMISTIC, "gain")
        lost = [gain for gain in former_gains(rule, was) if gain not in gains]
        if lost:
            return f"so no {_either(lost)} is ever obtained"
        if was.collectable and (not rule.collectable or rule.leaves != was.leaves):
            return f"so it no longer leaves {was.leaves}"
    return _IN_THE_WAY


def _missing(judge: Judge, amounts: Iterable[str]) -> list[str]:
    held = judge.at(OPTIMISTIC, "have")
    lacking = [item for item in amounts if item not in held]
    return [f"no {_either(lacking)} is ever obtained"] if lacking else []


def _either(things: Sequence[str]) -> str:
    *others, last = (thing.replace("_", " ") for thing in things)
    return f"{', '.join(others)} or {last}" if others else last
