"""Finds the benchmarks, runs them, and stores their results."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from mars_logic.errors import InputError
from mars_logic.experiments.measurement.interleaving import Bench
from mars_logic.experiments.measurement.machine import machine
from mars_logic.experiments.series import BenchmarkReport, BenchmarkResult
from mars_logic.system.extras import install_hint
from mars_logic.system.files import read_bytes, write_atomically
from mars_logic.system.json_files import value_of
from mars_logic.world.fields import nearest

PACKAGE = "mars_logic.benchmarks"
_REPORT = TypeAdapter(BenchmarkReport)
_MOST_BYTES = 5_000_000


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
                f"{install_hint('bench')}, or --alone and no --out, for numbers without peer"
            )


def run(name: str, bench: Bench) -> BenchmarkReport:
    """Run one benchmark."""
    measure: Callable[[Bench], BenchmarkResult] = import_module(f"{PACKAGE}.{name}").measure
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    facts = machine()  # before the work: the load is others', not ours
    return BenchmarkReport(
        "mars-logic benchmark 1", name, bench.quick, today, facts, measure(bench)
    )


def as_json(report: BenchmarkReport) -> str:
    """A report as the content of a file."""
    return _REPORT.dump_json(report, indent=1).decode() + "\n"


def as_data(report: BenchmarkReport) -> Any:
    """A report as plain data, as it stands in a file."""
    return _REPORT.dump_python(report, mode="json")


def require_own(folder: Path) -> None:
    """Make sure that nothing in a folder is in the way of results.

    Raises:
        InputError: A file of the same name is not the work of an earlier run.
    """
    from mars_logic.experiments.measurement import page

    load_all(folder)
    page.require_own(folder)


def save(report: BenchmarkReport, folder: Path) -> None:
    """Keep a report as ``<name>.json``, and show it on the page with all others of the folder.

    Raises:
        InputError: A file of the same name is not the work of an earlier run.
    """
    from mars_logic.experiments.measurement import page

    require_own(folder)
    write_atomically(folder / f"{report.name}.json", as_json(report))
    page.save(load_all(folder), folder)


def load(path: Path) -> BenchmarkReport:
    """Read a report.

    Raises:
        InputError: The file cannot be read, or holds something else.
    """
    allowed = "what mars-logic bench wrote"
    content = read_bytes(path, allowed, _MOST_BYTES)
    value_of(content, f"{path}:1", allowed)
    try:
        return _REPORT.validate_json(content)
    except ValidationError:
        raise InputError(f"{path}:1: file: no result of a benchmark; allowed: {allowed}") from None


def load_all(folder: Path) -> list[BenchmarkReport]:
    """All reports of a folder, in the order of the table.

    Raises:
        InputError: One cannot be read.
    """
    paths = [folder / f"{name}.json" for name in names()]
    return [load(path) for path in paths if path.exists()]
