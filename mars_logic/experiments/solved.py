"""Episodes of puzzles summed up: how many were solved, and in how many steps."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from mars_logic.domains.certificates import GameCertificate
from mars_logic.domains.game import Game
from mars_logic.domains.registry import domain, domain_of
from mars_logic.domains.seen_episodes import replayed_episode
from mars_logic.domains.space import SeenEpisode
from mars_logic.experiments.rows import Row
from mars_logic.experiments.statistics import wilson
from mars_logic.experiments.tables import in_markdown

PUZZLES: Final = (
    "agent",
    "domain",
    "puzzles",
    "episodes",
    "solved",
    "95 % interval",
    "steps when solved",
)
HYPOTHESES: Final = (
    "hypotheses",
    "read",
    "read in part",
    "contradicted when written",
    "right in the end",
    "solved after revision",
    "solved without",
    "repeated actions",
)
_NOTES: Final = """\
*Solved* has Wilson's interval. *Steps* are means over solved episodes; the action that solves a
puzzle does not count.
"""


def solved(episodes: Sequence[Row | GameCertificate]) -> dict[str, Any]:
    """What came of episodes of puzzles, as plain values.

    Args:
        episodes: At least one.

    Returns:
        ``episodes``, their number; ``solved``, a ``rate`` with the ends of its 95 % ``interval`` by
        Wilson's method; ``steps``, the mean of the steps that count in solved episodes, None if
        none was solved. The action that solves a puzzle does not count.
    """
    steps = [each.steps for each in episodes if _is_solved(each)]
    return {
        "episodes": len(episodes),
        "solved": {
            "rate": len(steps) / len(episodes),
            "interval": wilson(len(steps), len(episodes)),
        },
        "steps": statistics.fmean(steps) if steps else None,
    }


def _is_solved(episode: Row | GameCertificate) -> bool:
    return bool(episode.complete if isinstance(episode, Row) else episode.completed)


def puzzle_results(judged: Iterable[Row]) -> list[dict[str, Any]]:
    """What came of puzzles, for each agent in each family.

    Args:
        judged: The episodes by which agents are judged; those of other games are left out.
    """
    cells: dict[tuple[str, str], list[Row]] = {}
    for row in judged:
        if row.is_puzzle:
            cells.setdefault((row.agent, row.dynamics), []).append(row)
    return [
        {
            "agent": agent,
            "domain": family,
            "puzzles": len({row.world_name for row in some}),
            **solved(some),
        }
        for (agent, family), some in cells.items()
    ]


def puzzle_rows(found: Iterable[dict[str, Any]]) -> list[tuple[str, ...]]:
    """A line for each agent in each family, under :data:`PUZZLES`."""
    return [
        (
            row["agent"],
            row["domain"],
            str(row["puzzles"]),
            str(row["episodes"]),
            f"{row['solved']['rate']:.1%}",
            "{:.1%} to {:.1%}".format(*row["solved"]["interval"]),
            "" if row["steps"] is None else f"{row['steps']:.2f}",
        )
        for row in found
    ]


def hypothesis_cells(found: dict[str, Any]) -> tuple[str, ...]:
    """The cells of a line under :data:`HYPOTHESES`.

    Args:
        found: As ``hypothesis_summary`` has it.
    """
    shares = (found[each] for each in ("read", "partly", "contradicted", "right"))
    pairs = (found["with_revision"], found["without_revision"])
    repeated = "" if found["repeated"] is None else f"{found['repeated']:.2f}"
    return (
        str(found["written"]),
        *("" if share is None else f"{share:.1%}" for share in shares),
        *(f"{solved} of {many}" for solved, many in pairs),
        repeated,
    )


def puzzle_part(found: Sequence[dict[str, Any]]) -> list[str]:
    """The part of a page about puzzles; nothing without any."""
    return ["## Puzzles\n", in_markdown(PUZZLES, puzzle_rows(found)), _NOTES] if found else []


def by_family(
    games: Mapping[str, Game], played: Mapping[str, Sequence[GameCertificate]]
) -> dict[str, dict[str, Any]]:
    """What came of games that hide their rules, by domain.

    Args:
        games: What was played, by name.
        played: The episodes of each.
    """
    found: dict[str, list[GameCertificate]] = {}
    for name, game in games.items():
        if domain_of(game).hides_rules:
            found.setdefault(game.domain, []).extend(played.get(name, ()))
    counted = Counter(game.domain for game in games.values())
    return {family: {"puzzles": counted[family], **solved(some)} for family, some in found.items()}


def hypotheses_by_family(
    games: Mapping[str, Game], played: Mapping[str, Sequence[GameCertificate]]
) -> dict[str, dict[str, Any]]:
    """What the hypotheses that were written are worth, by domain; nothing without any."""
    found: dict[str, list[SeenEpisode]] = {}
    for name, some in played.items():
        seen = (replayed_episode(name, games[name], each.seed, each.actions) for each in some)
        found.setdefault(games[name].domain, []).extend(seen)
    judged = {family: domain(family).hypotheses(some) for family, some in found.items()}
    return {family: each for family, each in judged.items() if each}
