"""Which atoms of the truth learners lack in the end, and which false ones they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mars_logic.experiments.rows import Row
from mars_logic.experiments.tables import plain
from mars_logic.theory.score import compared
from mars_logic.world.load import load_theory, load_world_beside

Mistakes = dict[str, Any]


def mistakes(folder: Path, rows: Sequence[Row]) -> list[Mistakes]:
    """The wrong rules after learning, for each learner in each world.

    Args:
        folder: The experiment's folder.
        rows: Its episodes.

    Returns:
        ``agent``, ``world``, ``units`` (how many learning runs), and ``missed`` and ``false``: each
        atom with the number of runs that ended without it, or with it; most frequent first.

    Raises:
        WorldError: A theory or a world in the folder is wrong.
    """
    cells: dict[tuple[str, str], list[Row]] = {}
    for unit in {row.unit: row for row in rows}.values():
        if _theory(folder, unit).is_file():
            cells.setdefault((unit.agent, unit.world_name), []).append(unit)
    return [_of_cell(folder, units) for units in cells.values()]


def mistake_rows(found: Sequence[Mistakes], most: int = 5) -> Iterator[tuple[str, ...]]:
    """A line for each cell in Markdown: agent, world, runs, and its most frequent mistakes."""
    for cell in found:
        listed = (_listed(cell[name][:most]) for name in ("missed", "false"))
        yield plain(cell["agent"]), plain(cell["world"]), str(cell["units"]), *listed


def _of_cell(folder: Path, units: Sequence[Row]) -> Mistakes:
    missed: Counter[str] = Counter()
    false: Counter[str] = Counter()
    truth = load_world_beside(units[0].world, folder)
    for unit in units:
        claimed, true = compared(load_theory(_theory(folder, unit)), truth)
        missed.update(true - claimed)
        false.update(claimed - true)
    return {
        "agent": units[0].agent,
        "world": units[0].world_name,
        "units": len(units),
        "missed": _most_frequent(missed),
        "false": _most_frequent(false),
    }


def _theory(folder: Path, unit: Row) -> Path:
    return folder / "units" / unit.unit / "theory.yaml"


def _most_frequent(counts: Counter[str]) -> list[dict[str, Any]]:
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [{"atom": atom, "units": units} for atom, units in ordered]


def _listed(some: Sequence[dict[str, Any]]) -> str:
    return ", ".join(f"`{each['atom']}` {each['units']}" for each in some) or "–"
