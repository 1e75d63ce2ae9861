"""Reachability by rules in worlds with traces.

The proofs of :mod:`mars_logic.logic.prove` reckon with Crafter's vocabulary: with its maps,
supplies and creatures. Here nothing is used up, and the map holds each material that it can
generate, so that only an unreachable achievement is proved. See ``encodings/reach_trace.lp``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import clingo

from mars_logic import resources
from mars_logic.logic.facts import facts
from mars_logic.logic.rule_atoms import rule_id
from mars_logic.world.theory import World
from mars_logic.world.words.kinds import spaced

FILES: Final = ("reach_trace.lp", "show_reached.lp")
"""The encodings."""


@dataclass(frozen=True)
class RuleVerdict:
    """What the rules say of an achievement.

    Attributes:
        level: Derivation steps before the one that reaches it; None if it is unreachable.
        reasons: Why it is unreachable, one sentence each.
    """

    level: int | None
    reasons: tuple[str, ...] = ()

    @property
    def reachable(self) -> bool:
        """Whether the rules do not exclude it."""
        return self.level is not None


def prove_by_rules(world: World) -> Mapping[str, RuleVerdict]:
    """A verdict on each achievement of a world with traces, in the order of its counters.

    Example:
        >>> import mars_logic
        >>> found = prove_by_rules(mars_logic.load_world("conan"))
        >>> [name for name, verdict in found.items() if not verdict.reachable]
        ['collect_water']
    """
    control = clingo.Control(["--warn=none"])
    for file in FILES:
        control.load(resources.encoding(file))
    control.add("base", [], facts(world) + "".join(f"{atom}. " for atom in _map_atoms(world)))
    control.ground([("base", [])])
    levels: dict[str, int] = {}
    reasons: dict[str, list[str]] = {}
    with control.solve(yield_=True) as models:
        for symbol in next(iter(models)).symbols(shown=True):
            name, what = symbol.arguments
            if symbol.name == "reached":
                levels[name.name] = what.number
            else:
                reasons.setdefault(name.name, []).append(_told(what))
    return {
        name: RuleVerdict(levels.get(name), tuple(sorted(reasons.get(name, ()))))
        for name in world.achievements
    }


def _map_atoms(world: World) -> Iterator[str]:
    """What the generator can put on a map, and what lives there."""
    natural = {*world.vocabulary.subjects["rename"]}
    for subject in natural:
        rule = world.rename[subject]
        material = getattr(rule, "whole", rule.material)
        yield f"generated({material})"
        share = getattr(rule, "share", None)
        if share:
            yield f"generated({share[0]})"
    others = "other_agents" not in world.option or world.option["other_agents"].on
    for kind in world.vocabulary.creatures:
        if others or kind == "cow":
            yield f"lives({kind})"


def _told(what: clingo.Symbol) -> str:
    first = what.arguments[0]
    rule = rule_id(str(first))
    match what.name:
        case "no_rule":
            return f"no rule yields {spaced(first.name)}"
        case "item":
            return f"{rule} takes {spaced(what.arguments[1].name)}, which nothing gives"
        case "excessive":
            return f"{rule} takes more of an item than can be held"
    return f"{rule} has no place where it applies"
