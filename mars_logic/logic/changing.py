"""Proofs about worlds in which what the player places becomes something else, or makes it.

They are proofs about a world without such rules, in which at most as much can be achieved: what
grows, is made beside something, or is pushed, is placed there by a rule of its own. So nothing is
proved unreachable in this way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from mars_logic.logic.arrangements import arrangements, has_room
from mars_logic.logic.certainty import Outcome
from mars_logic.logic.growth import grown_from, placed_rule, with_growth
from mars_logic.logic.productions import have_room, lasting, productions, serves
from mars_logic.logic.proof import Proof, Step, Verdict
from mars_logic.logic.regions import START
from mars_logic.logic.solve import unaccounted
from mars_logic.logic.sustainability import UNKNOWN
from mars_logic.world.adds import Adds
from mars_logic.world.known_names import unjudged_rule
from mars_logic.world.rules import Place
from mars_logic.world.theory import World
from mars_logic.world.vocabulary import CELL_FAMILIES

if TYPE_CHECKING:
    from numpy.typing import NDArray


def as_if_still(
    world: World, area: NDArray[Any] | None, start: tuple[int, int] = START
) -> World | None:
    """A world in which cells do not change, and at most as much can be achieved.

    No rule is about what changes before it has changed, so that it does not matter when that is,
    and whether it happens where the player does not want it.

    Args:
        world: The world.
        area: The map to judge it on, as :func:`mars_logic.logic.prove` takes it, if there is one.
        start: The player's first cell on it.

    Returns:
        That world; None if cells do not change, or do so otherwise than this.
    """
    changing = (*world.timer, *world.beside, *world.push)
    if not changing or any(serves(world, name) for name in world.timer):
        return None
    if any(world.timer[name].near for name in grown_from(world).values()):
        return None  # whether what it waits for is beside it depends on where it is placed
    made, arranged = productions(world), arrangements(world)
    if made is None or arranged is None:
        return None
    if made and (area is None or not have_room(world, made, area)):
        return None
    unmoved = not world.push and not lasting(world)
    if not unmoved and (area is None or not has_room(world, arranged, area, start)):
        return None
    placed = {name: (world.place[each.placed].uses, each.partners) for name, each in made.items()}
    placed |= {name: (each.uses, each.grounds) for name, each in arranged.items()}
    still = _without_changes(_with_placing(with_growth(world), placed))
    return None if unjudged_rule(still) else still


def _with_placing(world: World, placed: Mapping[str, tuple[Any, tuple[str, ...]]]) -> World:
    """The world in which more can be placed: by name, what that uses, and onto what."""
    if not placed:
        return world
    more = world.adding(Adds(placed=tuple(placed)))
    rules = [
        Place.model_validate(
            {"subject": name, "uses": uses, "where": where}, context=more.vocabulary
        )
        for name, (uses, where) in placed.items()
    ]
    return more.with_rules(*rules).to_world()


def _without_changes(world: World) -> World:
    rules = [rule for rule in world.rules() if rule.family not in CELL_FAMILIES]
    own = {**world.own, "adds": replace(world.adds, pushed=(), beside=(), timed=())}
    own |= {"name": world.name, "title": world.title, "base": world.base}
    return World.from_rules(world.dynamics, rules, **own)


def proof_of_changing(world: World, still: Proof) -> Proof:
    """The proof of a world by that of the world that :func:`as_if_still` gives."""
    grown, arranged = grown_from(world), arrangements(world) or {}
    sources = {name: each.placed for name, each in (productions(world) or {}).items()} | grown
    sources |= {name: each.placed for name, each in arranged.items()}
    partners = {name: each.partner for name, each in arranged.items() if each.partner}
    chances = {name: world.timer[placed].chance for name, placed in grown.items()}
    chances |= {name: each.chance for name, each in arranged.items()}
    reason = unaccounted(unjudged_rule(world) or "")
    verdicts = {}
    for name in world.achievements:
        found = still.achievements[name]
        if found.verdict != "reachable":
            verdicts[name] = Verdict(name, "unknown", found.reason or reason)
            continue
        applied = {step.rule.partition(".")[2] for step in found.witness if _is_placing(step)}
        by_luck = any(chance < 1 for product, chance in chances.items() if product in applied)
        verdicts[name] = replace(
            found,
            witness=_placed(found, sources, partners),
            certainty="almost_sure" if by_luck and found.certainty == "sure" else found.certainty,
            # One partner serves for several products, so that there may be shorter plans.
            at_least=None if applied & partners.keys() else found.at_least,
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


def _is_placing(step: Step) -> bool:
    return step.rule.startswith("place.")


def _placed(
    verdict: Verdict, sources: Mapping[str, str], partners: Mapping[str, str]
) -> tuple[Step, ...]:
    """A witness in which what grows or is made is placed as what it comes from."""
    steps = []
    for step in verdict.witness:
        product = step.rule.partition(".")[2]
        if _is_placing(step) and product in partners:
            steps.append(replace(step, rule=f"place.{partners[product]}"))
        steps.append(replace(step, rule=placed_rule(step.rule, sources)))
    groups = groupby(steps, key=lambda step: (step.rule, step.gain))
    return tuple(
        Step(rule, sum(each.times for each in some), gain) for (rule, gain), some in groups
    )
