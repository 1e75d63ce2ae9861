"""Cells of each material on ordinary maps, and the verdicts that depend on scarce ones."""

from __future__ import annotations

from collections.abc import Mapping

from mars_logic.logic.ground import Ground
from mars_logic.logic.proof import Scarcity, Step, Verdict
from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.logic.rule_atoms import term
from mars_logic.logic.solve import LimitReachedError


def supplies(reachability: ReachabilityModel) -> dict[str, tuple[int, int]]:
    """For each material of ordinary maps, the least and the most cells of it.

    Empty if a map is given.
    """
    relations = reachability.relations
    known = {zone: (int(low), int(high)) for zone, low, high in relations["abundant"]}
    found: dict[str, tuple[int, int]] = {}
    for zone, material in relations["made_of"]:
        least, most = known.get(zone, (0, 0))
        low, high = found.get(material, (0, 0))
        found[material] = low + least, high + most
    return {} if reachability.given_map else found


def grounds(reachability: ReachabilityModel, creature: str) -> dict[str, int]:
    """The ground on which a creature spawns during play, and the cells of it that a chunk needs."""
    return {on: int(n) for kind, on, n in reachability.relations["spawns_on"] if kind == creature}


def appears_by_luck_alone(reachability: ReachabilityModel, creature: str) -> bool:
    """Whether none spawns within the player's reach, so that only initial ones can be met."""
    entered = reachability.at("finite_chance", "enter")
    homes = reachability.relations["haunts"]
    return {luck for kind, zone, luck in homes if kind == creature and zone in entered} == {
        "finite_chance"
    }


def comes_by_luck_alone(
    reachability: ReachabilityModel, creature: str, witness: tuple[Step, ...]
) -> bool:
    """Whether a witness leads into no zone where the creature lives, but only beside one."""
    acted = frozenset(term(step.rule) for step in witness)
    reach = Ground(reachability.relations, "finite_chance").after(acted)
    at_home, edges = (
        {row[1] for row in reachability.relations[name] if row[0] == creature} & zones
        for name, zones in (("haunts", reach.zones), ("nears", reach.beside))
    )
    return bool(edges) and not at_home


def scarcities(
    reachability: ReachabilityModel, verdicts: Mapping[str, Verdict]
) -> tuple[Scarcity, ...]:
    """Sources of the witnesses that are not common on ordinary maps, the scarcest first.

    ``common/1`` of ``encodings/reach/zones.lp`` says what is. On a given map nothing is scarce:
    what that map holds has been counted.
    """
    try:
        found = supplies(reachability)
        common = {material for (material,) in reachability.relations["common"]}
        users: dict[str, list[str]] = {material: [] for material in found if material not in common}
        for achievement, verdict in verdicts.items():
            sources = {
                source for step in verdict.witness for source in _sources(reachability, step)
            }
            for material in sources & users.keys():
                users[material].append(achievement)
    except LimitReachedError:
        return ()
    ranked = sorted((*found[material], material) for material, names in users.items() if names)
    return tuple(Scarcity(m, low, high, tuple(users[m])) for low, high, m in ranked)


def _sources(reachability: ReachabilityModel, step: Step) -> tuple[str, ...]:
    """The materials that a step takes: collected from, or appeared on by what is hard to meet."""
    family, _, subject = step.rule.partition(".")
    if family == "collect":
        return (subject,)
    if family == "creature" and appears_by_luck_alone(reachability, subject):
        return tuple(grounds(reachability, subject))
    return ()
