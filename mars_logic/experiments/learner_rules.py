"""The rules that learners hold: wrong ones in the end, and precision and recall by kind of rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from mars_logic.experiments.layout import UNITS
from mars_logic.experiments.rows import Row
from mars_logic.experiments.summary import mean
from mars_logic.experiments.tables import plain
from mars_logic.theory.atoms import KINDS
from mars_logic.theory.score import Measure, by_kind, compared
from mars_logic.world.load import load_theory, load_world_beside
from mars_logic.world.theory import Theory

Mistakes = dict[str, Any]
Kinds = dict[str, Any]
QUANTITIES: Final = ("precision", "recall")


def kinds(folder: Path, rows: Sequence[Row]) -> list[Kinds]:
    """Precision and recall by kind of rule after each lesson, for each learner in each world.

    Args:
        folder: The experiment's folder, in which the theories lie.
        rows: Its episodes.

    Returns:
        ``agent``, ``world``, and ``curve``: of each learning episode ``episode``, ``units``, and
        for each kind ``precision`` and ``recall``, each with ``mean`` and ``interval`` over units;
        None where nothing of the kind is claimed, or true.

    Raises:
        WorldError: A theory or a world in the folder is wrong.
    """
    cells: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.phase == "learn" and _theory(folder, row).is_file():
            cells.setdefault((row.agent, row.world_name), []).append(row)
    return [
        {"agent": agent, "world": world, "curve": _curve(folder, lessons)}
        for (agent, world), lessons in cells.items()
    ]


def kind_rows(found: Sequence[Kinds]) -> Iterator[tuple[str, ...]]:
    """A line for each cell: agent, world, runs, and what is held of each kind in the end."""
    for cell in found:
        last = cell["curve"][-1]
        held = (last[kind][name] for kind in KINDS for name in QUANTITIES)
        shown = (f"{100 * each['mean']:.1f}" if each else "–" for each in held)
        yield cell["agent"], cell["world"], str(last["units"]), *shown


def _curve(folder: Path, lessons: Sequence[Row]) -> list[Kinds]:
    truth = load_world_beside(lessons[0].world, folder)
    measured = [(row.episode, _measured(_theory(folder, row), truth)) for row in lessons]
    return [
        {"episode": number, "units": len(some)} | {kind: _means(kind, some) for kind in KINDS}
        for number in sorted({row.episode for row in lessons})
        if (some := [found for episode, found in measured if episode == number])
    ]


def _measured(file: Path, truth: Theory) -> dict[str, Measure]:
    return {str(kind): of for kind, of in by_kind(*compared(load_theory(file), truth)).items()}


def _means(kind: str, units: Sequence[dict[str, Measure]]) -> Kinds:
    return {name: mean([getattr(unit[kind], name) for unit in units]) for name in QUANTITIES}


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
        if _theory(folder, unit, last=True).is_file():
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
        claimed, true = compared(load_theory(_theory(folder, unit, last=True)), truth)
        missed.update(true - claimed)
        false.update(claimed - true)
    return {
        "agent": units[0].agent,
        "world": units[0].world_name,
        "units": len(units),
        "missed": _most_frequent(missed),
        "false": _most_frequent(false),
    }


def _most_frequent(counts: Counter[str]) -> list[dict[str, Any]]:
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [{"atom": atom, "units": units} for atom, units in ordered]


def _listed(some: Sequence[dict[str, Any]]) -> str:
    return ", ".join(f"`{each['atom']}` {each['units']}" for each in some) or "–"


def _theory(folder: Path, row: Row, *, last: bool = False) -> Path:
    """The theory after a lesson, or at the end of its unit."""
    name = "theory.yaml" if last else f"theories/e{row.number}.yaml"
    return folder / UNITS / row.unit / name
