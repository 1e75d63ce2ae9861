"""Consequences of the rules of an explanation, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mars_logic.logic.base_facts import former_gains, former_loot
from mars_logic.logic.reachability_model import OPTIMISTIC, ReachabilityModel
from mars_logic.logic.shortage import Shortage
from mars_logic.logic.spending import requiring
from mars_logic.world.projectile_rules import Shoot
from mars_logic.world.rules import Collect, Creature, Make, Neighbour, Place, Rule, Walk
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import Eat, OptionRule, UsingCollect
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.kinds import spaced

_OPTIONS = {
    "boss": "so it never tires and never sleeps",
    "other_agents": "so none is ever met",
}
_IN_THE_WAY = "which prevents it"


def consequence(reachability: ReachabilityModel, rule: Rule) -> str:
    """A sentence: the rule's id, its statement and its consequence.

    Example:
        ``collect.diamond: Collecting from diamond needs an iron pickaxe, yields 1 coal and leaves
        a path, so no diamond is ever obtained.``
    """
    from mars_logic.world.words import tell_in

    said = tell_in(rule, reachability.world.vocabulary).rstrip(".")
    return f"{rule.id}: {said}, {_effects(reachability, rule)}."


def shortfall(rule: Rule, shortages: Sequence[Shortage], words: Vocabulary) -> str:
    """A sentence: the rule's id, its statement and the material of which it takes too many cells.

    Example:
        ``place.table: Placing a table uses 9 wood and works on grass, but that takes 9 cells of
        lava, which are used up, and only 5 are within reach.``
    """
    from mars_logic.world.words import tell_in

    return f"{rule.id}: {tell_in(rule, words).rstrip('.')}, but {lacking(shortages)}."


def lacking(shortages: Sequence[Shortage]) -> str:
    """The material of which a rule takes more cells than exist."""
    parts = [
        f"{'more than ' * short.more}{short.needed} cells of {short.material}, which are used up, "
        f"and only {short.cells} {'is' if short.cells == 1 else 'are'} within reach"
        for short in shortages
    ]
    if not parts:
        return "more of something is used up than can ever be had"
    return f"that takes {'; and '.join(parts)}"


def _effects(reachability: ReachabilityModel, rule: Rule) -> str:
    match rule:
        case Collect():
            return _collecting(reachability, rule)
        case Place() if not rule.where:
            return "so it can never be placed"
        case Place():
            missing = _missing(reachability, rule.uses)
            if not set(rule.where) & reachability.at(OPTIMISTIC, "touch"):
                missing.append("none of this ground is ever reached")
        case Make():
            missing = _missing(reachability, rule.uses)
            afar = [m for m in rule.nearby if m not in reachability.at(OPTIMISTIC, "touch")]
            missing += [f"no {_either(afar)} is ever nearby"] if afar else []
        case Walk() if rule.walkable:
            return "so the player cannot stand there and survive"
        case Walk():
            return "so the player cannot cross it on foot"
        case Creature():
            base = reachability.world.base
            former = base.creature.get(rule.subject) if isinstance(base, World) else None
            was = former_loot(rule, former) if former else []
            gains = reachability.at(OPTIMISTIC, "gain")
            lost = [item for item in was if item not in gains]
            missing = _missing(reachability, requiring(reachability.world).get(rule.id, ()))
            if missing and not lost:
                return f"but {' and '.join(missing)}"
            return f"so no {_either(lost)} is ever obtained" if lost else "but none is ever met"
        case OptionRule():
            return _OPTIONS[rule.subject]
        case Eat():
            missing = _missing(reachability, (rule.subject,))
        case Shoot():
            missing = _missing(reachability, (*rule.requires, *rule.uses))
        case _:
            return _layout(reachability, rule)
    return f"but {' and '.join(missing)}" if missing else _IN_THE_WAY


def _layout(reachability: ReachabilityModel, rule: Rule) -> str:
    """Consequence of a map rule: a missing material, or an obstacle."""
    former = rule.subject
    if isinstance(rule, Neighbour):
        base = reachability.world.base
        former = (base.neighbour[rule.subject].material if isinstance(base, World) else None) or ""
        if rule.material and rule.material not in reachability.at(OPTIMISTIC, "pass"):
            return "which the player cannot cross"
    if former and former not in reachability.at(OPTIMISTIC, "touch"):
        return f"so no {former} is ever within reach"
    return "so the map lacks what it has in the base"


def _collecting(reachability: ReachabilityModel, rule: Collect) -> str:
    taken = (*rule.requires, *(rule.uses if isinstance(rule, UsingCollect) else ()))
    missing = _missing(reachability, taken) if rule.collectable else []
    if rule.subject not in reachability.at(OPTIMISTIC, "touch"):
        missing.append(_out_of_reach(reachability, rule.subject))
    if missing:
        return f"but {' and '.join(missing)}"
    base = reachability.world.base
    was = base.collect.get(rule.subject) if isinstance(base, World) else None
    if was is not None:
        gains = reachability.at(OPTIMISTIC, "gain")
        lost = [gain for gain in former_gains(rule, was) if gain not in gains]
        if lost:
            return f"so no {_either(lost)} is ever obtained"
        if was.collectable and (not rule.collectable or rule.leaves != was.leaves):
            return f"so it no longer leaves {was.leaves}"
    return _IN_THE_WAY


def _out_of_reach(reachability: ReachabilityModel, material: str) -> str:
    """That no cell of a material is ever within reach, and why not if nothing brings it about."""
    if (material,) not in reachability.relations["nowhere"]:
        return f"no {material} is ever within reach"
    place = "this map" if reachability.given_map else "no map"
    has = "has no" if reachability.given_map else "has any"
    return f"{place} {has} {spaced(material)}, and no rule places or leaves any"


def _missing(reachability: ReachabilityModel, amounts: Iterable[str]) -> list[str]:
    held = reachability.at(OPTIMISTIC, "have")
    lacking = [item for item in amounts if item not in held]
    return [f"no {_either(lacking)} is ever obtained"] if lacking else []


def _either(things: Sequence[str]) -> str:
    *others, last = (thing.replace("_", " ") for thing in things)
    return f"{', '.join(others)} or {last}" if others else last
