"""The tech tree of a world as an and-or graph, with the verdicts of a proof.

A *rule* is an and-node: it takes everything that points to it. A *thing* is an or-node: any rule
that points to it brings it about. Things are what is held (``wood``), placed (``table``), done to
creatures (``cow``), and ``rest``; most stand for an achievement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import networkx as nx

from mars_logic.logic.certainty import Outcome
from mars_logic.logic.proof import Proof
from mars_logic.world.projectile_rules import Shoot
from mars_logic.world.rules import Collect, Creature, Make, Place, Yield
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import Eat
from mars_logic.world.tree import placed_only

Status = Literal["witness", "reachable", "unknown", "unreachable"]
Tie = Literal["takes", "holds", "gives"]
"""How an edge ties two nodes: a rule takes (uses up) or only holds a thing, or gives it."""

REST = "rest"


_WIDTH = 14
"""Characters of a detail that a box has room for."""


@dataclass(frozen=True)
class Node:
    """A rule or a thing.

    Attributes:
        name: Unique: a rule's id, or the name of a thing.
        is_rule: Whether it is an and-node.
        title: What to call it.
        detail: What else to say about it, in few words.
        status: Whether it is part of a witness, reachable at all, in doubt, or unreachable.
        layer: Even for rules, odd for things. A node comes after all that it is first brought
            about from.
    """

    name: str
    is_rule: bool
    title: str
    detail: str
    status: Status
    layer: int


@dataclass(frozen=True)
class Edge:
    """A thing that a rule takes, holds or gives; the label is the amount or the probability."""

    source: str
    target: str
    tie: Tie
    label: str


@dataclass(frozen=True)
class TechTree:
    """An and-or graph: its nodes, in the order of rules and things, and its edges."""

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def tech_tree(world: World, proof: Proof, goal: str | None = None) -> TechTree:
    """The tech tree of a world.

    Args:
        world: The world.
        proof: What is proved about it.
        goal: The achievement whose witness is told apart; by default those of all achievements.

    Raises:
        ValueError: The world has no such achievement.
    """
    if goal is not None and goal not in world.achievements:
        raise ValueError(f"goal must be one of {', '.join(world.achievements)}, not {goal}")
    edges = tuple(_edges(world))
    details = _details(world)
    layers = _layers(list(details), edges)
    status = _statuses(world, proof, goal, edges, list(details))
    things = dict.fromkeys(name for edge in edges for name in (edge.source, edge.target))
    nodes = [Node(rule, True, *details[rule], status[rule], layers[rule]) for rule in details]
    nodes += [
        Node(thing, False, thing.replace("_", " "), "", status[thing], layers[thing])
        for thing in things
        if thing not in details
    ]
    title = world.name if goal is None else f"{world.name}: {goal}"
    return TechTree(title, tuple(nodes), edges)


def _details(world: World) -> dict[str, tuple[str, str]]:
    """For the id of each rule that is drawn: its title, and what else to say."""
    details: dict[str, tuple[str, str]] = {}
    stations = placed_only(world)
    for rule in world.rules():
        match rule:
            case Collect(collectable=True) if rule.yields:
                turns = "" if rule.leaves == rule.subject else f"leaves {rule.leaves}"
                details[rule.id] = f"collect from {rule.subject}", turns
            case Creature(subject="plant"):
                details[rule.id] = "eat ripe plant", ""
            case Creature():
                details[rule.id] = f"{'eat' if rule.eatable else 'defeat'} {rule.subject}", ""
            case Place():
                details[rule.id] = f"place {rule.subject}", f"on {_few(rule.where)}"
            case Make():
                near = [m for m in rule.nearby if m not in stations]
                title = f"make {rule.subject.replace('_', ' ')}"
                details[rule.id] = title, f"near {_few(near)}" if near else ""
            case Eat():
                details[rule.id] = f"eat {rule.subject.replace('_', ' ')}", ""
            case Shoot():
                details[rule.id] = f"shoot {rule.subject.replace('_', ' ')}", ""
    details["sleep"] = "sleep", "until rested"
    return details


def _few(materials: Sequence[str]) -> str:
    if not materials:
        return "nothing"
    told = ", ".join(materials)
    return told if len(told) <= _WIDTH else f"{len(materials)} materials"


def _edges(world: World) -> Iterator[Edge]:
    stations, items = placed_only(world), world.vocabulary.items
    for rule in world.rules():
        match rule:
            case Collect(collectable=True) if rule.yields:
                yield from _amounts(rule.requires, rule.id, "holds")
                for item, given in rule.yields.items():
                    yield Edge(rule.id, item, "gives", _gain(given))
            case Creature(subject="plant"):
                yield Edge("plant", rule.id, "takes", "")
                yield Edge(rule.id, "eaten plant", "gives", "")
            case Creature():
                yield Edge(rule.id, rule.subject, "gives", "")
            case Place():
                yield from _amounts(rule.uses, rule.id, "takes")
                yield Edge(rule.id, _placed(rule.subject, items), "gives", "")
            case Make():
                yield from _amounts(rule.uses, rule.id, "takes")
                for material in rule.nearby:
                    if material in stations:
                        yield Edge(_placed(material, items), rule.id, "holds", "")
                yield Edge(
                    rule.id, rule.subject, "gives", "" if rule.gives == 1 else f"{rule.gives}"
                )
            case Eat():
                yield Edge(rule.subject, rule.id, "takes", "")
                yield Edge(rule.id, f"eaten {rule.subject}", "gives", "")
            case Shoot():
                yield from _amounts(rule.requires, rule.id, "holds")
                yield from _amounts(rule.uses, rule.id, "takes")
                yield Edge(rule.id, f"shot {rule.subject}", "gives", "")
    yield Edge("sleep", REST, "gives", "")


def _placed(subject: str, items: tuple[str, ...]) -> str:
    return f"placed {subject}" if subject in items else subject


def _amounts(amounts: Mapping[str, int], rule: str, tie: Tie) -> Iterator[Edge]:
    for item, amount in amounts.items():
        yield Edge(item, rule, tie, "" if amount == 1 else str(amount))


def _gain(given: Yield) -> str:
    amount = "" if given.amount == 1 else str(given.amount)
    chance = "" if given.probability is None else f"{given.probability:.0%}"
    return " at ".join(part for part in (amount, chance) if part)


def _layers(rules: Sequence[str], edges: Sequence[Edge]) -> dict[str, int]:
    """The layer of each node: how many rules have to be applied before, at least, twice over.

    What nothing brings about is put where it would come, were its missing part there.
    """
    needs: dict[str, set[str]] = {rule: set() for rule in rules}
    gives: dict[str, set[str]] = {rule: set() for rule in rules}
    for edge in edges:
        if edge.tie == "gives":
            gives[edge.source].add(edge.target)
        else:
            needs[edge.target].add(edge.source)
    layers: dict[str, int] = {}
    while waiting := [rule for rule in rules if rule not in layers]:
        missing = {rule: len(needs[rule] - set(layers)) for rule in waiting}
        fewest = min(missing.values())
        ready = [rule for rule in waiting if missing[rule] == fewest]
        for rule in ready if fewest == 0 else ready[:1]:
            known = [layers[thing] for thing in needs[rule] if thing in layers]
            layers[rule] = 1 + max(known, default=-1)
        # Only rules of the first layer count, so that a thing gets the least layer that it can.
        for rule in ready if fewest == 0 else ready[:1]:
            for thing in gives[rule]:
                layers[thing] = min(layers.get(thing, layers[rule] + 1), layers[rule] + 1)
    for thing in sorted({thing for things in needs.values() for thing in things} - set(layers)):
        layers[thing] = 1  # no rule gives it
    return layers


def _status(outcome: Outcome) -> Status:
    return "unknown" if outcome == "depends" else outcome


def _statuses(
    world: World, proof: Proof, goal: str | None, edges: Sequence[Edge], rules: Sequence[str]
) -> dict[str, Status]:
    goals = world.achievements if goal is None else (goal,)
    used = {step.rule for name in goals for step in proof.achievements[name].witness}
    status: dict[str, Status] = {
        rule: "witness" if rule in used else _status(proof.rules[rule]) for rule in rules
    }
    order: tuple[Status, ...] = ("witness", "reachable", "unknown", "unreachable")
    graph = nx.DiGraph((edge.source, edge.target) for edge in edges)
    for thing in sorted(set(graph) - set(rules)):
        ways = [status[rule] for rule in graph.predecessors(thing)]
        status[thing] = min(ways, key=order.index, default="unreachable")
    return status
