"""Finds the benchmarks, runs them, and keeps what they found."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from mars_logic.errors import InputError
from mars_logic.files import write_atomically
from mars_logic.measure.machine import machine
from mars_logic.measure.report import Report, Result
from mars_logic.measure.rounds import Bench
from mars_logic.world.fields import nearest

PACKAGE = "mars_logic.benchmarks"
_REPORT = TypeAdapter(Report)


def names() -> tuple[str, ...]:
    """The names of all benchmarks, in the order of the table."""
    found: tuple[str, ...] = import_module(PACKAGE).NAMES
    return found


def chosen(wanted: list[str]) -> list[str]:
    """The wanted benchmarks in the order of the table; all, if none is named.

    Raises:
        InputError: There is no benchmark of such a name.
    """
    known = names()
    for name in wanted:
        if name not in known:
            hint, allowed = nearest(name, known), ", ".join(known)
            raise InputError(f"bench: there is no benchmark '{name}'{hint}; allowed: {allowed}")
    return [name for name in known if name in wanted or not wanted]


def require_packages(*, peers: bool, plots: bool) -> None:
    """Make sure that the packages of the extra "bench" are there as far as they are needed.

    Raises:
        InputError: One is not installed.
    """
    needed = ["crafter"] * peers + ["matplotlib"] * plots
    for package in needed:
        if find_spec(package) is None:
            raise InputError(
                f"bench: the package '{package}' is not installed; allowed: first "
                "pip install 'mars-logic[bench]', or --alone and no --out, for numbers without peer"
            )


def run(name: str, bench: Bench) -> Report:
    """Run one benchmark."""
    measure: Callable[[Bench], Result] = import_module(f"{PACKAGE}.{name}").measure
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    facts = machine()  # before the work: the load is others', not ours
    return Report("mars-logic benchmark 1", name, bench.quick, today, facts, measure(bench))


def as_json(report: Report) -> str:
    """A report as the content of a file."""
    return _REPORT.dump_json(report, indent=1).decode() + "\n"


def require_own(folder: Path) -> None:
    """Make sure that nothing in a folder is in the way of results.

    Raises:
        InputError: A file of the same name is not the work of an earlier run.
    """
    from mars_logic.measure import page

    load_all(folder)
    page.require_own(folder)


def save(report: Report, folder: Path) -> None:
    """Keep a report as ``<name>.json``, and show it on the page with all others of the folder.

    Raises:
        InputError: A file of the same name is not the work of an earlier run.
    """
    from mars_logic.measure import page

    require_own(folder)
    write_atomically(folder / f"{report.name}.json", as_json(report))
    page.save(load_all(folder), folder)


def load(path: Path) -> Report:
    """Read a report.

    Raises:
        InputError: The file cannot be read, or holds something else.
    """
    try:
        return _REPORT.validate_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}:1: {(error.strerror or str(error)).lower()}") from None
    except ValidationError:
        raise InputError(
            f"{path}:1: no result of a benchmark; allowed: what mars-logic bench wrote"
        ) from None


def load_all(folder: Path) -> list[Report]:
    """All reports of a folder, in the order of the table.

    Raises:
        InputError: One cannot be read.
    """
    paths = [folder / f"{name}.json" for name in names()]
    return [load(path) for path in paths if path.exists()]
