"""What ordinary maps hold of each material, and which verdicts hang on what is scarce there."""

from __future__ import annotations

from collections.abc import Mapping

from mars_logic.logic.judge import Judge
from mars_logic.logic.proof import Scarcity, Step, Verdict
from mars_logic.logic.solve import LimitReachedError


def supplies(judge: Judge) -> dict[str, tuple[int, int]]:
    """For each material of ordinary maps, the least and the most cells of it.

    Empty if a map is given.
    """
    relations = judge.relations
    known = {(zone, dynamics): (low, high) for dynamics, zone, low, high in relations["ordinary"]}
    found: dict[str, tuple[int, int]] = {}
    for zone, material in relations["made_of"]:
        for (dynamics,) in relations["dynamics"]:
            least, most = known.get((zone, dynamics), (0, 0))
            low, high = found.get(material, (0, 0))
            found[material] = low + int(least), high + int(most)
    return {} if judge.given_map else found


def grounds(judge: Judge, creature: str) -> dict[str, int]:
    """On what a creature appears during play, and how many cells of it that takes in a chunk."""
    return {on: int(n) for kind, on, n in judge.relations["spawns_on"] if kind == creature}


def appears_by_luck_alone(judge: Judge, creature: str) -> bool:
    """Whether none appears where the player gets to, so that only the first ones can be met."""
    entered = judge.at("finite_chance", "enter")
    homes = judge.relations["haunts"]
    return {luck for kind, zone, luck in homes if kind == creature and zone in entered} == {
        "finite_chance"
    }


def scarcities(judge: Judge, verdicts: Mapping[str, Verdict]) -> tuple[Scarcity, ...]:
    """Sources of the witnesses that are not common on ordinary maps, the scarcest first.

    ``common/1`` of ``encodings/zones.lp`` says what is. On a given map nothing is scarce: what
    that map holds has been counted.
    """
    try:
        found = supplies(judge)
        common = {material for (material,) in judge.relations["common"]}
        users: dict[str, list[str]] = {material: [] for material in found if material not in common}
        for achievement, verdict in verdicts.items():
            sources = {source for step in verdict.witness for source in _sources(judge, step)}
            for material in sources & users.keys():
                users[material].append(achievement)
    except LimitReachedError:
        return ()
    ranked = sorted((*found[material], material) for material, names in users.items() if names)
    return tuple(Scarcity(m, low, high, tuple(users[m])) for low, high, m in ranked)


def _sources(judge: Judge, step: Step) -> tuple[str, ...]:
    """The materials that a step takes: collected from, or appeared on by what is hard to meet."""
    family, _, subject = step.rule.partition(".")
    if family == "collect":
        return (subject,)
    if family == "creature" and appears_by_luck_alone(judge, subject):
        return tuple(grounds(judge, subject))
    return ()
