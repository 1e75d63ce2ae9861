"""Recall of learners by kind of rule: terrain, survival and task dependencies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from mars_logic.experiments.rows import Row
from mars_logic.experiments.summary import mean
from mars_logic.theory.atoms import KINDS
from mars_logic.theory.score import Measure, by_kind, compared
from mars_logic.world.load import load_theory, load_world_beside
from mars_logic.world.theory import Theory

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


def _theory(folder: Path, lesson: Row) -> Path:
    return folder / "units" / lesson.unit / "theories" / f"e{lesson.number}.yaml"
