"""Agents beside published ones, as far as both were measured alike: as many episodes, as long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mars_logic.episodes import summarise
from mars_logic.experiments.published import PUBLISHED, Protocol, Published
from mars_logic.experiments.results import Row
from mars_logic.privileges import marked

Comparison = dict[str, Any]


def comparisons(rows: Sequence[Row]) -> list[Comparison]:
    """For each protocol of published results in the worlds that were played, what can be compared.

    Args:
        rows: The episodes by which agents are judged.

    Returns:
        ``trials``, ``length`` and ``protocol`` (in words); ``worlds``: those that are compared;
        ``cells``: of each of our agents in each of these ``agent``, ``world``, ``reward`` (``mean``
        and ``std``) and ``score``, of as many episodes as were published; ``peers``: of each
        published agent ``name``, ``rewards`` and ``scores`` by world; and ``differs``: why agents
        are not compared, by their labels.
    """
    played = list(dict.fromkeys(row.world_name for row in rows))
    groups: dict[Protocol, list[Published]] = {}
    for peer in PUBLISHED:
        if set(peer.rewards) & set(played):
            groups.setdefault(peer.protocol, []).append(peer)
    return [_comparison(rows, protocol, peers) for protocol, peers in groups.items()]


def _comparison(rows: Sequence[Row], protocol: Protocol, peers: Sequence[Published]) -> Comparison:
    published = dict.fromkeys(world for peer in peers for world in peer.rewards)
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.world_name in published:
            groups.setdefault((row.agent, row.world_name), []).append(row)
    cells, differs = [], {}
    for (agent, world), some in groups.items():
        if reason := difference(some, protocol):
            differs.setdefault(agent, reason)
        else:
            cells.append({"agent": agent, "world": world} | _mean(counted(some, protocol)))
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
                "rewards": {world: str(value) for world, value in peer.rewards.items()},
                "scores": {world: str(value) for world, value in peer.scores.items()},
            }
            for peer in peers
        ],
        "differs": differs,
    }


def difference(rows: Sequence[Row], protocol: Protocol) -> str | None:
    """How an agent's episodes in a world differ from a protocol; None if they do not.

    Args:
        rows: The episodes; more than the protocol has are no difference, see :func:`counted`.
        protocol: How the published numbers were measured.
    """
    if protocol.trials is None:
        return "the number of published episodes is not told"
    if any(row.phase == "learn" for row in rows):
        return "episodes of learning"
    if len(rows) < protocol.trials:
        return "1 episode" if len(rows) == 1 else f"{len(rows)} episodes"
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


def _mean(rows: Sequence[Row]) -> dict[str, Any]:
    found = summarise(
        [row.reward for row in rows],
        [row.unlocked for row in rows],
        rows[0].achievements,
        [row.unreachable for row in rows],
    )
    return {"reward": {"mean": found.reward_mean, "std": found.reward_std}, "score": found.score}
