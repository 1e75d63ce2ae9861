"""Agents beside published ones, as far as both were measured alike: as many episodes, as long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, Final

from mars_logic.experiments.published import PUBLISHED, Protocol, Published
from mars_logic.experiments.rows import Row
from mars_logic.play.episodes import summarise
from mars_logic.play.privileges import marked
from mars_logic.system.display import number
from mars_logic.world.load import bundled_worlds, load_world

Comparison = dict[str, Any]
_UNTOLD: Final = "the number of published episodes is not stated"


def comparisons(rows: Sequence[Row]) -> list[Comparison]:
    """For each protocol of published results in the worlds that were played, what can be compared.

    Args:
        rows: The episodes by which agents are judged.

    Returns:
        ``trials``, ``length`` and ``protocol`` (in words); ``worlds``: those that are compared;
        ``cells``: of each of our agents in each of these ``agent``, ``world``, ``reward`` and
        ``score`` (``mean`` and ``std``, None where it is not known), of as many episodes as were
        published; ``peers``: of each published agent ``name``, ``reward`` and ``score`` by world;
        and ``differs``: the agents that are not compared with them, and the ``reason``.
    """
    rows = [row for row in rows if _in_bundled_world(row)]
    played = list(dict.fromkeys(row.world_name for row in rows))
    groups: dict[Protocol, list[Published]] = {}
    for peer in PUBLISHED:
        if set(peer.rewards) & set(played):
            groups.setdefault(peer.protocol, []).append(peer)
    return [_comparison(rows, protocol, peers) for protocol, peers in groups.items()]


def _in_bundled_world(row: Row) -> bool:
    """Whether an episode was played in the world of its name, and not in another of that name."""
    name = row.world_name
    return name in bundled_worlds() and load_world(name).digest == row.world_digest


def _comparison(rows: Sequence[Row], protocol: Protocol, peers: Sequence[Published]) -> Comparison:
    published = dict.fromkeys(world for peer in peers for world in peer.rewards)
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.world_name in published:
            groups.setdefault((row.agent, row.world_name), []).append(row)
    cells: list[Comparison] = []
    differs: dict[str, str] = {}
    for (agent, world), some in groups.items():
        if reason := difference(some, protocol):
            differs.setdefault(agent, reason)
        else:
            cells.append({"agent": agent, "world": world} | mean_and_score(counted(some, protocol)))
    compared = {cell["world"] for cell in cells}
    return {
        "protocol": str(protocol),
        "trials": protocol.trials,
        "length": protocol.length,
        "worlds": [world for world in published if world in compared],
        "cells": cells,
        "peers": [
            {
                "name": marked(peer.name, peer.given),
                "reward": {world: asdict(value) for world, value in peer.rewards.items()},
                "score": {world: asdict(value) for world, value in peer.scores.items()},
            }
            for peer in peers
        ],
        "differs": [{"agent": agent, "reason": reason} for agent, reason in differs.items()],
    }


def difference(rows: Sequence[Row], protocol: Protocol) -> str | None:
    """How an agent's episodes in a world differ from a protocol; None if they do not.

    Args:
        rows: The episodes; more than the protocol has are no difference, see :func:`counted`.
        protocol: How the published numbers were measured.
    """
    if protocol.trials is None:
        return _UNTOLD
    if any(row.phase == "learn" for row in rows):
        return "episodes of learning"
    if len(rows) < protocol.trials:
        return number(len(rows), "episode")
    return next(filter(None, (_ends_otherwise(row, protocol) for row in rows)), None)


def _ends_otherwise(row: Row, protocol: Protocol) -> str | None:
    """How the end of an episode differs from what it would have been under a protocol."""
    if not row.ended:
        return "it is not known how its episodes ended"
    if row.ended == "stopped":
        return "episodes that were left before they were over"
    by_length = row.ended == "length" and row.steps != protocol.length
    return f"episodes of {row.steps:,} steps" if by_length or row.steps > protocol.length else None


def counted(rows: Iterable[Row], protocol: Protocol) -> list[Row]:
    """As many episodes as were published: the first of each unit, then the second, and so on."""
    places: dict[str, int] = {}
    ordered = []
    for row in sorted(rows, key=lambda row: (row.unit, row.number)):
        places[row.unit] = places.get(row.unit, 0) + 1
        ordered.append((places[row.unit], row.seed, row.episode, row))
    ordered.sort(key=lambda each: each[:3])
    return [row for *_, row in ordered[: protocol.trials]]


def mean_and_score(rows: Sequence[Row]) -> dict[str, Any]:
    """``reward`` and ``score`` of episodes, each with ``mean`` and ``std``; None: not known."""
    found = summarise(
        [row.reward for row in rows],
        [row.unlocked for row in rows],
        rows[0].achievements,
        [row.unreachable for row in rows],
    )
    reward = {"mean": found.reward_mean, "std": found.reward_std}
    return {"reward": reward, "score": {"mean": found.score, "std": None}}


Column = tuple[str, dict[str, dict[str, Any]]]
"""An agent and its numbers by world: ``mean`` and ``std``."""


def columns(one: Comparison, what: str) -> tuple[list[Column], list[Column]]:
    """The columns of a table of a comparison: of our agents, and of published ones.

    Args:
        one: Of :func:`comparisons`.
        what: ``reward`` or ``score``, which not all that is published has.
    """
    ours: dict[str, dict[str, dict[str, Any]]] = {}
    for cell in one["cells"]:
        ours.setdefault(cell["agent"], {})[cell["world"]] = cell[what]
    return [*ours.items()], [(peer["name"], peer[what]) for peer in one["peers"] if peer[what]]


def not_compared(one: Comparison) -> str:
    """Which agents are not compared with published ones of this protocol, and why; or nothing."""
    peers = ", ".join(peer["name"] for peer in one["peers"])
    agents: dict[str, list[str]] = {}
    for each in one["differs"]:
        agents.setdefault(each["reason"], []).append(each["agent"])
    if not agents:
        return ""
    if _UNTOLD in agents:
        return f"Published results of {peers} are left out: {_UNTOLD}."
    told = "; ".join(f"{', '.join(some)}: {reason}" for reason, some in agents.items())
    left = f"Published results of {peers} ({one['protocol']}) are left out"
    return f"{left}, since episodes differ here: {told}."
