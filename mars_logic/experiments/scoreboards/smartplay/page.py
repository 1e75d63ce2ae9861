"""The page of SmartPlay's scoreboard: raw, normalised and capability scores, beside published ones.

Intervals are of 95 %, by a bootstrap over episodes, from 5 episodes on.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from mars_logic.domains.scores import Weights, capability_scores, published, scaled
from mars_logic.experiments.scoreboards.smartplay.episodes import (
    CRAFTER,
    STAND_INS,
    BoardCell,
    bundled_setting,
)
from mars_logic.experiments.statistics import bootstrap_mean
from mars_logic.experiments.tables import folded, in_markdown
from mars_logic.play.unlock_score import MARKS
from mars_logic.world.vocabulary import vocabulary

_WEIGHTS: Final[tuple[Weights, ...]] = ("code", "paper")
_ROUNDING: Final = 0.0051
"""Difference between printed scores of two digits and exact ones that rounding explains."""
Board = Mapping[tuple[str, str], BoardCell]
"""By contestant and game: its episodes."""


def board_of(cells: Iterable[BoardCell]) -> Board:
    """The cells by contestant and game."""
    return {(cell.contestant, cell.game): cell for cell in cells}


def _mean(cell: BoardCell) -> float:
    return statistics.fmean(cell.scores)


def _interval(cell: BoardCell) -> tuple[float, float] | None:
    if len(set(cell.scores)) == 1:
        return None
    return bootstrap_mean(np.array(cell.scores), np.ones(len(cell.scores)))


def _means(board: Board, contestant: str) -> dict[str, float]:
    return {game: _mean(cell) for (name, game), cell in board.items() if name == contestant}


def capabilities(scores: Mapping[str, float], weights: Weights) -> dict[str, float] | None:
    """Capability scores; None if a game is missing."""
    complete = all(game in scores for game in published().games)
    return capability_scores(scores, weights) if complete else None


def board_json(board: Board, contestants: Sequence[str], games: Sequence[str]) -> dict[str, Any]:
    """The scoreboard as plain values."""
    known = published()
    ours: dict[str, Any] = {}
    for contestant in contestants:
        means = _means(board, contestant)
        rows: dict[str, Any] = {}
        for game in games:
            cell = board.get((contestant, game))
            if cell is None:
                rows[game] = None
                continue
            rows[game] = {
                "player": cell.player,
                "episodes": len(cell.scores),
                "score": _mean(cell),
                "interval": _interval(cell),
                "normalised": scaled(game, _mean(cell)),
                "completion": statistics.fmean(cell.completed) if cell.completed else None,
                "scores": list(cell.scores),
                "lives": [dict(each) for each in cell.lives],
            }
        found = {weights: capabilities(means, weights) for weights in _WEIGHTS}
        ours[contestant] = {"games": rows, "capabilities": found}
    others = {}
    for player, scores in known.scores.items():
        raw = dict(zip(known.games, scores, strict=True))
        others[player] = {
            "score": raw,
            "normalised": {game: scaled(game, each) for game, each in raw.items()},
            "printed": dict(zip(known.games, known.normalised[player], strict=True)),
            "capabilities": {weights: capability_scores(raw, weights) for weights in _WEIGHTS},
        }
    not_here = [game for game in games if bundled_setting(game) is None]
    return {"ours": ours, "published": others, "not_available": not_here}


def largest_difference() -> float:
    """The largest difference between published normalised scores as printed and as computed."""
    known = published()
    return max(
        abs(scaled(game, score) - printed)
        for player, scores in known.scores.items()
        for game, score, printed in zip(known.games, scores, known.normalised[player], strict=True)
    )


def page(board: Board, contestants: Sequence[str], games: Sequence[str]) -> str:
    """The scoreboard as Markdown."""
    difference = largest_difference()
    verdict = "all within rounding" if difference <= _ROUNDING else "not all within rounding"
    weights = (
        folded(f"Capability scores, weights of the {each}", _capability(board, contestants, each))
        for each in _WEIGHTS
    )
    parts = [
        ("Crafter: achievements unlocked, and steps lived", _lives(board, contestants)),
        ("Scores", _raw(board, contestants, games)),
        ("Normalised scores", _normalised(board, contestants, games)),
        ("Capability scores", "\n".join(weights)),
    ]
    told = "".join(f"\n## {title}\n\n{text}" for title, text in parts if text)
    return (
        f"{told}\nPublished normalised scores, computed from the raw ones, differ from the printed "
        f"ones by at most {difference:.4f}: {verdict}.\n"
    )


def _heads(games: Sequence[str]) -> list[str]:
    return [f"{game} (stand-in)" if game in STAND_INS else game for game in games]


def _missing(game: str) -> str:
    return "not available" if bundled_setting(game) is None else "–"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.2f}"


def _raw(board: Board, contestants: Sequence[str], games: Sequence[str]) -> str:
    rows = []
    for contestant in contestants:
        found = (board.get((contestant, game)) for game in games)
        cells = [_cell(cell, game) for cell, game in zip(found, games, strict=True)]
        rows.append([f"**{contestant}**", *cells])
    known = published()
    for player in known.scores:
        rows.append([player, *(_number(known.score(player, game)) for game in games)])
    return in_markdown(("player", *_heads(games)), rows)


def _cell(cell: BoardCell | None, game: str) -> str:
    if cell is None:
        return _missing(game)
    ends = _interval(cell)
    spread = f" [{_number(ends[0])}, {_number(ends[1])}]" if ends else ""
    return f"{_number(_mean(cell))}{spread}, n = {len(cell.scores)}"


def _normalised(board: Board, contestants: Sequence[str], games: Sequence[str]) -> str:
    rows = []
    for contestant in contestants:
        means = _means(board, contestant)
        shown = (
            f"{scaled(game, means[game]):.2f}" if game in means else _missing(game)
            for game in games
        )
        rows.append([f"**{contestant}**", *shown])
    known = published()
    for player in known.scores:
        scores = (known.score(player, game) for game in games)
        pairs = zip(games, scores, strict=True)
        rows.append([player, *(f"{scaled(game, score):.2f}" for game, score in pairs)])
    return in_markdown(("player", *_heads(games)), rows)


def _lives(board: Board, contestants: Sequence[str]) -> str:
    """Unlocked rates first, since the score measures survival."""
    found = {n: board[n, CRAFTER].lives for n in contestants if (n, CRAFTER) in board}
    if not found:
        return ""
    rates = [
        [name, *(_share(name in each["names"] for each in lives) for lives in found.values())]
        for name in vocabulary("crafter").achievements
    ]
    heads = ("player", "unlocked of 22", "steps lived", "to the end")
    marks = [f"score at {mark:,}" for mark in MARKS]
    rows = [[f"**{contestant}**", *_life(lives)] for contestant, lives in found.items()]
    each = folded("Share of episodes in which each was unlocked", in_markdown(("", *found), rates))
    return f"{in_markdown((*heads, *marks), rows)}\n{each}"


def _life(lives: Sequence[Mapping[str, Any]]) -> list[str]:
    means = [statistics.fmean(each["at"][str(mark)] for each in lives) for mark in MARKS]
    unlocked = statistics.fmean(each["unlocked"] for each in lives)
    steps = statistics.fmean(each["steps"] for each in lives)
    alive = _share(each["steps"] >= MARKS[-1] - 1 for each in lives)
    return [f"{unlocked:.1f}", f"{steps:,.0f}", alive, *map(_number, means)]


def _share(found: Iterable[bool]) -> str:
    return f"{statistics.fmean(found):.0%}"


def _capability(board: Board, contestants: Sequence[str], weights: Weights) -> str:
    known = published()
    rows = []
    for contestant in contestants:
        scores = capabilities(_means(board, contestant), weights)
        cells = ["–"] * len(known.capabilities)
        if scores is not None:
            cells = [f"{scores[each]:.2f}" for each in known.capabilities]
        rows.append([f"**{contestant}**", *cells])
    for player, raw in known.scores.items():
        found = capability_scores(dict(zip(known.games, raw, strict=True)), weights)
        rows.append([player, *(f"{found[each]:.2f}" for each in known.capabilities)])
    note = "\nCapability scores need all seven games; a dash means that one is missing.\n"
    return in_markdown(("player", *known.capabilities), rows) + note
