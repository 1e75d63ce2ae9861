"""Causal chains: from an unreachable achievement down to the rule that fails, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from mars_logic.logic.consequences import consequence
from mars_logic.logic.judge import OPTIMISTIC, Judge
from mars_logic.world import names
from mars_logic.world.rules import Collect, Make, Place, Rule

if TYPE_CHECKING:
    import networkx as nx

_OF_THE_MAP = ("walk", "neighbour", "rename")


def causal_chain(judge: Judge, achievement: str, blamed: Iterable[str]) -> tuple[str, ...]:
    """A sentence for each rule on the shortest way from an achievement to a rule that is to blame.

    Each sentence says what a rule lacks, and the next rule would give that. The last rule is to
    blame; where the chain bites its own tail, its sentence says so. Other rules to blame follow.

    Args:
        judge: The judgement of the world.
        achievement: What is unreachable.
        blamed: The ids of the rules that have to be given up to make it possible.
    """
    import networkx as nx  # takes its time, and most proofs need no chain

    blamed = list(blamed)
    failures = _Failures(judge)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_edges_from((achievement, rule) for rule in failures.giving(achievement))
    for rule in failures.failing:
        graph.add_edges_from((rule, other) for other in failures.behind(rule, blamed))
    ends = [rule for rule in blamed if graph.has_node(achievement) and rule in graph]
    ways = [
        nx.shortest_path(graph, achievement, end)[1:]
        for end in ends
        if nx.has_path(graph, achievement, end)
    ]
    way: list[str] = min(ways, key=len, default=blamed)
    sentences = [consequence(judge, judge.world[rule]) for rule in way]
    before = [rule for rule in graph.successors(way[-1]) if rule in way[:-1]] if ways else []
    if before:
        sentences[-1] += f" That would take {before[0]}, and the circle is closed."
    sentences += [consequence(judge, judge.world[rule]) for rule in blamed if rule not in way]
    return tuple(sentences)


class _Failures:
    """Which rules can never be applied, and what would give what they lack."""

    def __init__(self, judge: Judge):
        self._world = judge.world
        self._act = {term.rstrip(")").replace("(", ".") for term in judge.at(OPTIMISTIC, "act")}
        self._have = judge.at(OPTIMISTIC, "have")
        self._touch = judge.at(OPTIMISTIC, "touch")
        self.failing = [
            rule.id
            for rule in self._world.rules()
            if rule.family in ("collect", "place", "make") and rule.id not in self._act
        ]

    def giving(self, achievement: str) -> list[str]:
        """The rules that would unlock an achievement."""
        deed, _, subject = achievement.partition("_")
        if deed in ("make", "place"):
            return [f"{deed}.{subject}"]
        if deed == "collect":
            return list(self._sources(subject))
        return ["place.plant"] if subject == "plant" else []

    def behind(self, rule: str, blamed: Iterable[str]) -> Iterator[str]:
        """The rules that would give what a rule lacks."""
        for thing in self._lacking(self._world[rule]):
            if thing in names.HOLDABLE:
                yield from self._sources(thing)
                continue
            if thing in names.PLACEABLE:
                yield f"place.{thing}"
            yield from (other for other in blamed if other.partition(".")[0] in _OF_THE_MAP)
            for other in self._world.collect.values():
                if other.leaves == thing and other.subject != thing and other.collectable:
                    yield other.id

    def _sources(self, item: str) -> Iterator[str]:
        """The rules that give an item, or did so in the base."""
        base = self._world.base
        for rule in self._world.collect.values():
            former = base.collect[rule.subject] if base else rule
            if item in rule.yields or (item in former.yields and former.collectable):
                yield rule.id
        if item in names.TOOLS:
            yield f"make.{item}"

    def _lacking(self, rule: Rule) -> Iterator[str]:
        match rule:
            case Collect():
                yield from (item for item in rule.requires if item not in self._have)
                if rule.subject not in self._touch:
                    yield rule.subject
            case Place():
                yield from (item for item in rule.uses if item not in self._have)
                if not set(rule.where) & self._touch:
                    yield from rule.where
            case Make():
                yield from (item for item in rule.uses if item not in self._have)
                yield from (material for material in rule.nearby if material not in self._touch)
