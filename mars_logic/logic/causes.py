"""Causal chains: from an unreachable achievement down to the rule that fails, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from mars_logic.logic.consequences import consequence
from mars_logic.logic.reachability_model import OPTIMISTIC, ReachabilityModel
from mars_logic.logic.rule_atoms import APPLIED, rule_id
from mars_logic.logic.spending import bringing, requiring
from mars_logic.world.goals import condition_of
from mars_logic.world.projectile_rules import Shoot
from mars_logic.world.rules import Collect, Creature, Make, Place, Rule
from mars_logic.world.trace_rules import Eat, UsingCollect

if TYPE_CHECKING:
    import networkx as nx

_OF_THE_MAP = ("walk", "neighbour", "rename")


def causal_chain(
    reachability: ReachabilityModel, achievement: str, blamed: Iterable[str]
) -> tuple[str, ...]:
    """A sentence for each rule on the shortest paths from an achievement to the failing rules.

    Each sentence states a rule's missing precondition, which the next rule on the path would
    provide. A path ends at a failing rule, or in a cycle, which the last sentence states. Later
    paths omit the rules of earlier ones.

    Args:
        reachability: The reachability model of the world.
        achievement: An unreachable achievement.
        blamed: The ids of the rules to give up to make it possible. If empty, the chain consists of
            the rules that would unlock the achievement directly.
    """
    import networkx as nx  # slow to import, and most proofs need no chain

    failures = _Failures(reachability)
    blamed = list(blamed) or failures.giving(achievement)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_edges_from((achievement, rule) for rule in failures.giving(achievement))
    for rule in failures.failing:
        graph.add_edges_from((rule, other) for other in failures.behind(rule, blamed))
    ends = [rule for rule in blamed if graph.has_node(achievement) and rule in graph]
    ways: list[list[str]] = [
        nx.shortest_path(graph, achievement, end)[1:]
        for end in ends
        if nx.has_path(graph, achievement, end)
    ]
    told: dict[str, str] = {}
    for way in sorted(ways, key=len):
        told |= {
            rule: consequence(reachability, reachability.world[rule])
            for rule in way
            if rule not in told
        }
        before = [rule for rule in graph.successors(way[-1]) if rule in way[:-1]]
        if before and way[-1] == list(told)[-1]:
            told[way[-1]] += f" That needs {before[0]} again."
    told |= {
        rule: consequence(reachability, reachability.world[rule])
        for rule in blamed
        if rule not in told
    }
    return tuple(told.values())


class _Failures:
    """The rules that are never applicable, and the rules that would provide their preconditions."""

    def __init__(self, reachability: ReachabilityModel):
        self._world = reachability.world
        self._act = {rule_id(term) for term in reachability.at(OPTIMISTIC, "act")}
        self._have = reachability.at(OPTIMISTIC, "have")
        self._touch = reachability.at(OPTIMISTIC, "touch")
        self.failing = [
            rule.id
            for rule in self._world.rules()
            if rule.family in APPLIED and rule.id not in self._act
        ]

    def giving(self, achievement: str) -> list[str]:
        """The rules that would unlock an achievement."""
        if wanted := condition_of(achievement):
            making = (*self._sources(wanted.subject), *self._laying(wanted.subject))
            return list(making) if wanted.kind in ("have", "reach") else []
        deed, _, subject = achievement.partition("_")
        if deed in ("make", "place", "shoot") or (deed == "eat" and subject in self._world.eat):
            return [f"{deed}.{subject}"]
        if deed == "collect":
            return list(self._sources(subject))
        if achievement in self._world.vocabulary.killing.values():
            return [f"creature.{subject}"]
        return ["place.plant"] if subject == "plant" else []

    def behind(self, rule: str, blamed: Iterable[str]) -> Iterator[str]:
        """The rules that would provide a rule's missing preconditions."""
        failing = self._world[rule]
        for item in self._items(failing):
            yield from self._sources(item)
        ground = self._ground(failing)
        for material in ground:
            yield from self._laying(material)
        if isinstance(failing, Creature):
            yield from (rule for rule in ("option.other_agents",) if rule in blamed)
            yield from self._collecting(lambda collect: failing.subject in collect.spawns)
        if ground or isinstance(failing, Creature):
            yield from (other for other in blamed if other.partition(".")[0] in _OF_THE_MAP)

    def _laying(self, material: str) -> Iterator[str]:
        """The rules that bring about a material."""
        if material in self._world.place:
            yield f"place.{material}"
        yield from self._collecting(partial(_leaves, material=material))

    def _sources(self, item: str) -> Iterator[str]:
        """The rules that give an item."""
        yield from self._collecting(lambda collect: item in collect.yields)
        if item in self._world.make:
            yield f"make.{item}"
        yield from (rule for rule, brings in bringing(self._world).items() if item in brings)

    def _collecting(self, gives: Callable[[Collect], bool]) -> Iterator[str]:
        """The collect rules that give an item, in the world or in its base."""
        base = self._world.base
        for rule in self._world.collect.values():
            former = base.collect.get(rule.subject, rule) if base else rule
            if gives(rule) or (former.collectable and gives(former)):
                yield rule.id

    def _items(self, rule: Rule) -> list[str]:
        """The items that a rule requires and that the player can never hold."""
        match rule:
            case UsingCollect():
                demanded: Iterable[str] = (*rule.requires, *rule.uses)
            case Collect():
                demanded = rule.requires
            case Place() | Make():
                demanded = rule.uses
            case Eat():
                demanded = (rule.subject,)
            case Shoot():
                demanded = (*rule.requires, *rule.uses)
            case Creature():
                demanded = requiring(self._world).get(rule.id, ())
            case _:
                demanded = ()
        return [item for item in demanded if item not in self._have]

    def _ground(self, rule: Rule) -> list[str]:
        """The materials that a rule requires and that are never within reach."""
        match rule:
            case Collect():
                demanded: Sequence[str] = [rule.subject]
            case Place():
                demanded = () if set(rule.where) & self._touch else rule.where
            case Make():
                demanded = rule.nearby
            case _:
                demanded = ()
        return [material for material in demanded if material not in self._touch]


def _leaves(collect: Collect, material: str) -> bool:
    return collect.collectable and collect.leaves == material != collect.subject
