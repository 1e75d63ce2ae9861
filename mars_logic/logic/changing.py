"""Proofs about worlds in which what the player places becomes something else, or makes it.

They are proofs about a world without such rules, in which at most as much can be achieved: what
grows, or is made beside something, is placed there by a rule of its own. So nothing is proved
unreachable in this way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from mars_logic.logic.certainty import Outcome
from mars_logic.logic.growth import grown_from, placed_rule, with_growth
from mars_logic.logic.productions import Production, have_room, productions
from mars_logic.logic.proof import Proof, Step, Verdict
from mars_logic.logic.solve import unaccounted
from mars_logic.logic.sustainability import UNKNOWN
from mars_logic.world.adds import Adds
from mars_logic.world.known_names import unjudged_rule
from mars_logic.world.rules import Place
from mars_logic.world.theory import World

if TYPE_CHECKING:
    from numpy.typing import NDArray


def as_if_still(world: World, area: NDArray[Any] | None) -> World | None:
    """A world in which cells do not change, and at most as much can be achieved.

    No rule is about what changes before it has changed, so that it does not matter when that is,
    and whether it happens where the player does not want it.

    Args:
        world: The world.
        area: The map to judge it on, as :func:`mars_logic.logic.prove` takes it, if there is one.

    Returns:
        That world; None if cells do not change, or do so otherwise than this.
    """
    if not world.timer or world.push or any(_serves(world, name) for name in world.timer):
        return None
    if any(world.timer[name].near for name in grown_from(world).values()):
        return None  # whether what it waits for is beside it depends on where it is placed
    made = productions(world)
    if made is None or (made and (area is None or not have_room(world, made, area))):
        return None
    still = _without_changes(_with_productions(with_growth(world), made))
    return None if unjudged_rule(still) else still


def _with_productions(world: World, made: Mapping[str, Production]) -> World:
    """The world in which each product can be placed on what it is made beside."""
    if not made:
        return world
    more = world.adding(Adds(placed=tuple(made)))
    rules = [
        Place.model_validate(
            {"subject": name, "uses": world.place[each.placed].uses, "where": each.partners},
            context=more.vocabulary,
        )
        for name, each in made.items()
    ]
    return more.with_rules(*rules).to_world()


def _without_changes(world: World) -> World:
    rules = [rule for rule in world.rules() if rule.family not in ("timer", "beside")]
    own = {**world.own, "adds": replace(world.adds, timed=(), beside=())}
    own |= {"name": world.name, "title": world.title, "base": world.base}
    return World.from_rules(world.dynamics, rules, **own)


def _serves(world: World, material: str) -> bool:
    """Whether the player, a creature or a shot can do something with cells of a material."""
    collect, walk = world.collect.get(material), world.walk.get(material)
    if (collect and collect.collectable) or (walk and walk.walkable):
        return True
    sites = (rule.where for rule in world.place.values())
    stations = (rule.nearby for rule in world.make.values())
    grounds = (each.ground for each in world.vocabulary.added_creatures)
    flights = (rule.over for rule in world.projectile.values())
    return any(material in some for group in (sites, stations, grounds, flights) for some in group)


def proof_of_changing(world: World, still: Proof) -> Proof:
    """The proof of a world by that of the world that :func:`as_if_still` gives."""
    grown = grown_from(world)
    sources = {name: each.placed for name, each in (productions(world) or {}).items()} | grown
    reason = unaccounted(unjudged_rule(world) or "")
    verdicts = {}
    for name in world.achievements:
        found = still.achievements[name]
        if found.verdict != "reachable":
            verdicts[name] = Verdict(name, "unknown", found.reason or reason)
            continue
        applied = {step.rule for step in found.witness}
        by_luck = any(
            world.timer[placed].chance < 1
            for name, placed in grown.items()
            if f"place.{name}" in applied
        )
        verdicts[name] = replace(
            found,
            witness=_placed(found, sources),
            certainty="almost_sure" if by_luck and found.certainty == "sure" else found.certainty,
        )
    rules: dict[str, Outcome] = {
        rule: outcome if outcome == "reachable" else "unknown"
        for rule, outcome in still.rules.items()
        if placed_rule(rule, sources) == rule
    }
    upkeep = still.upkeep if still.upkeep.verdict == "sustainable" else UNKNOWN
    return replace(
        still,
        world=world.name,
        digest=world.digest,
        achievements=verdicts,
        rules=rules,
        upkeep=upkeep,
    )


def _placed(verdict: Verdict, sources: Mapping[str, str]) -> tuple[Step, ...]:
    """A witness in which what grows or is made is placed as what it comes from."""
    steps = [replace(step, rule=placed_rule(step.rule, sources)) for step in verdict.witness]
    groups = groupby(steps, key=lambda step: (step.rule, step.gain))
    return tuple(
        Step(rule, sum(each.times for each in some), gain) for (rule, gain), some in groups
    )
