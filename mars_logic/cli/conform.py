"""The command ``conform``: replays recorded episodes of the reference games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mars_logic.cli.output import Json, print_json, progress

if TYPE_CHECKING:
    from mars_logic.sim import Divergence


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("conform")(conform)


def conform(
    traces: Annotated[list[Path], typer.Argument(help="Recorded episodes (.npz).")],
    as_json: Json = False,
) -> None:
    """Replay recorded episodes of the reference games, and print the first difference in each.

    Everything is compared after every step: map, objects, player, reward, daylight, and the
    position in the random stream. Exit status 1 if anything differs.

    Example: mars-logic conform tests/data/golden/*.npz
    """
    from mars_logic.sim import conform as compare

    found = []
    with progress() as bars:
        bar = bars.add_task("comparing", total=len(traces))
        for path in traces:
            found.append(compare(path))
            bars.advance(bar)
    if as_json:
        rows = [
            {
                "trace": str(result.path),
                "world": result.world,
                "steps": result.steps,
                "agrees": result.agrees,
                "divergence": _divergence(result.divergence),
            }
            for result in found
        ]
        print_json({"schema": "mars-logic conformance 1", "traces": rows})
    else:
        for result in found:
            if not result.agrees:
                print(f"{result.path}: {result.world}: {result.divergence}")
        agreeing = sum(result.agrees for result in found)
        steps = sum(result.agreed for result in found)
        print(f"{agreeing} of {len(found)} traces agree; {steps:,} steps compared")
    if not all(result.agrees for result in found):
        raise typer.Exit(1)


def _divergence(found: Divergence | None) -> dict[str, object] | None:
    if found is None:
        return None
    return {
        "subsystem": found.subsystem,
        "step": found.step,
        "what": found.what,
        "expected": _plain(found.expected),
        "actual": _plain(found.actual),
    }


def _plain(value: object) -> object:
    """A number, a truth value or nothing as JSON has it; anything else as text."""
    plain = value.item() if hasattr(value, "item") else value
    return plain if isinstance(plain, int | float | str | None) else str(plain)
