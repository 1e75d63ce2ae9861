"""The command ``experiment``: agents × worlds × seeds, in parallel, kept and resumed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.output import (
    INTERRUPTED,
    Json,
    Trust,
    Workers,
    make_folder,
    pipes_may_break,
    print_json,
    progress,
    say,
)
from mars_logic.errors import InputError
from mars_logic.system.interruptions import as_interruption

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.progress import Progress

    from mars_logic.experiments.spec import Spec
    from mars_logic.experiments.units import Unit
    from mars_logic.experiments.work import Failure

_TOLD = 5


def experiment(
    spec: Annotated[
        Path, typer.Argument(help="The experiment: agents, worlds, seeds (YAML).", metavar="SPEC")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to keep results in.")],
    workers: Workers = None,
    scheduler: Annotated[
        str | None,
        typer.Option(help="Work on the Dask cluster of this scheduler.", metavar="ADDRESS"),
    ] = None,
    wait: Annotated[
        float,
        typer.Option(
            min=1,
            max=86_400,
            help="Seconds to wait for the scheduler and its first worker.",
            metavar="SECONDS",
        ),
    ] = 60,
    exchanges: Annotated[
        Path | None,
        typer.Option(
            help="Keep exchanges with language models here, instead of inside the folder.",
            metavar="FOLDER",
        ),
    ] = None,
    trust: Trust = False,
    as_json: Json = False,
) -> None:
    """Let agents play in worlds and games, with every seed.

    Each agent in each world with each seed is a unit of work, and is kept whole or not at all: the
    same command goes on where it was interrupted, and a spec that asks for more adds to what is
    there. A unit that was damaged is set aside, and played again. Exit status 1: some units failed;
    they are tried again next time.

    Example: mars-logic experiment spec.yaml -o results
    """
    from mars_logic.experiments import spec as specs

    if workers and scheduler is not None:
        raise InputError(
            "--workers: the cluster of --scheduler has its own workers; allowed: one of the two"
        )

    def outcomes(missing: Sequence[Unit]) -> Iterator[tuple[Unit, Any]]:
        return _outcomes(missing, workers, scheduler, wait)

    carry_out(specs.read(spec), spec.parent, out, outcomes, exchanges, trust=trust, as_json=as_json)


def carry_out(
    asked: Spec,
    beside: Path,
    out: Path,
    outcomes: Callable[[Sequence[Unit]], Iterator[tuple[Unit, Any]]],
    exchanges: Path | None = None,
    *,
    trust: bool = False,
    as_json: bool = False,
    page: Callable[[], None] | None = None,
) -> None:
    """Play what is missing in a folder of results, and print what was done.

    Args:
        asked: The experiment.
        beside: Where its files are looked for.
        out: The folder.
        outcomes: Does units of work.
        exchanges: Where exchanges with language models are kept, if not in the folder.
        trust: Whether agents may read files that could run code.
        as_json: Whether to print JSON.
        page: Prints in place of the counts, once all is done that could be.

    Raises:
        InputError: Something of the experiment, or in the folder, is missing, wrong or another.
        typer.Exit: It was interrupted, or units failed (status 1).
    """
    from mars_logic.experiments.folder import ResultsFolder
    from mars_logic.experiments.layout import RESULTS
    from mars_logic.experiments.units import units_of
    from mars_logic.experiments.worlds import as_kept, beliefs_of, places_of

    make_folder(out)
    with ResultsFolder(out) as folder:
        with progress() as shown:
            count = sum(where.sample.count for where in asked.worlds if where.sample)
            bar = shown.add_task("sampling worlds", total=count, visible=count > 0)
            places = places_of(asked, beside, out, lambda: shown.advance(bar))
        beliefs = beliefs_of(asked, places, beside, out)
        units = units_of(asked, places, beliefs, beside, trust=trust, out=out, exchanges=exchanges)
        missing = folder.begin(as_kept(asked, places, beliefs), units)
        _tell_what_is_set_aside(folder.set_aside, missing)
        failed: dict[str, Failure] = {}
        try:
            with as_interruption(), pipes_may_break(), _bars(units, missing) as advance:
                for unit, outcome in outcomes(missing):
                    if isinstance(outcome, dict):
                        folder.keep(unit, outcome)
                    else:
                        folder.fail(unit, outcome)
                        failed[unit.name] = outcome
                    advance(unit)
        except KeyboardInterrupt:
            done = folder.collect(units)
            say(f"{done} of {len(units)} units are done; the same command goes on")
            raise typer.Exit(INTERRUPTED) from None
        except InputError:  # the cluster is of no use any more
            folder.collect(units)
            raise
        done = folder.collect(units)
    counts = {"asked": len(units), "done": done, "now": len(missing) - len(failed)}
    if page is not None:
        page()
    elif as_json:
        reasons = {name: failure.reason for name, failure in failed.items()}
        about: dict[str, Any] = {"schema": "mars-logic experiment 1", "units": counts}
        aside = {name: str(place) for name, (place, _) in folder.set_aside.items()}
        about |= {"failed": reasons, "set_aside": aside, "results": str(out / RESULTS)}
        print_json(about)
    else:
        now, results = counts["now"], out / RESULTS
        print(f"{results}: {done} of {len(units)} units are done, {now} of them now")
    if failed and (page is not None or not as_json):
        _print_failures(failed, out)
    if failed:
        raise typer.Exit(1)


def _tell_what_is_set_aside(
    set_aside: dict[str, tuple[Path, str]], missing: Sequence[Unit]
) -> None:
    again = {unit.name for unit in missing}
    for name, (place, why) in set_aside.items():
        then = "; it is played again" if name in again else ""
        say(f"warning: {name} is incomplete ({why}), and was moved to {place}{then}")


def _print_failures(failed: dict[str, Failure], out: Path) -> None:
    for name, failure in [*failed.items()][:_TOLD]:
        print(f"failed: {name}: {failure.reason}")
    if failed:
        more = f"{len(failed) - _TOLD} more failed; " if len(failed) > _TOLD else ""
        print(f"{more}see {out / 'failures'}; the same command tries them again")


def _outcomes(
    missing: Sequence[Unit], workers: int | None, scheduler: str | None, wait: float
) -> Iterator[tuple[Unit, Any]]:
    if missing and scheduler is not None:
        from mars_logic.experiments.cluster import on_cluster

        return on_cluster(missing, scheduler, wait, say)
    return here(missing, workers)


def here(missing: Sequence[Unit], workers: int | None) -> Iterator[tuple[Unit, Any]]:
    """Units that are done by processes of this machine, each with its outcome."""
    if not missing:
        return iter(())
    from mars_logic.compiled.cache_folders import warn_if_unwritable
    from mars_logic.experiments.cluster import in_processes
    from mars_logic.system.processes import cores

    warn_if_unwritable()
    return in_processes(missing, min(workers or cores(), len(missing)))


@contextmanager
def _bars(units: Sequence[Unit], missing: Sequence[Unit]) -> Iterator[Callable[[Unit], None]]:
    """A bar for each cell of the table that is being worked on, and one for all; on a terminal."""
    totals = Counter(unit.cell for unit in units)
    left = Counter(unit.cell for unit in missing)
    with progress(steady=True) as shown:
        whole = shown.add_task("all units", total=len(units), completed=len(units) - len(missing))
        bars = {
            cell: shown.add_task(
                " in ".join(cell), total=total, completed=total - left[cell], visible=False
            )
            for cell, total in totals.items()
        }

        def advance(unit: Unit) -> None:
            shown.advance(whole)
            shown.advance(bars[unit.cell])
            left[unit.cell] -= 1
            _show_some(shown, [(bars[cell], left[cell]) for cell in totals])

        _show_some(shown, [(bars[cell], left[cell]) for cell in totals])
        yield advance


def _show_some(shown: Progress, bars: list[tuple[Any, int]]) -> None:
    """Show as many cells with work left as there is room for, those that are furthest first."""
    room = max(1, shown.console.height - 3)
    open_bars = sorted((left, task) for task, left in bars if left)[:room]
    visible = {task for _, task in open_bars}
    for task, _ in bars:
        shown.update(task, visible=task in visible)
