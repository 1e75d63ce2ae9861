"""Makes pages of docs/results again.

Usage: python -m mars_logic.benchmarks.results [PAGE ...] [--minutes N] [--check]

Without names, all pages that a command makes. --minutes N shares N minutes of processor time among
them in proportion to what their whole tables take: a page then has fewer seeds, and the same
tables. --check tells of each page whether the code that it measures has changed since. Work is
kept in a folder, and goes on there when the same command is given again. Seeds, commands and
measured code stand in benchmarks/specs/pages.yaml.
"""

from __future__ import annotations

import argparse
import datetime
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from mars_logic.cli.output import make_folder
from mars_logic.errors import InputError
from mars_logic.experiments import spec as specs
from mars_logic.system.files import write_atomically
from mars_logic.system.installed import installed_version

from .result_pages import (
    CHECKOUT,
    RESULTS,
    Origin,
    ResultPage,
    age,
    code_digest,
    read_list,
    with_origin,
)

WORK: Final = Path("runs/results")
INTERRUPTED: Final = 130
_BESIDE: Final = (".png", ".json", ".csv")
"""Endings of what lies beside a page and belongs to it."""


def main() -> int:
    """Make the pages, or tell their age; return the exit status."""
    options = _options()
    try:
        pages = read_list()
        if options.check:
            print("\n".join(_ages(pages.pages)))
            return 0
        wanted = pages.named(options.pages)
        for page, size in sizes(wanted, options.minutes):
            remake(page, size, options.work, options.out)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
        return INTERRUPTED
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="such as oracle or README.md")
    parser.add_argument("--minutes", type=float, help="of processor time, for all together")
    parser.add_argument("--check", action="store_true", help="only tell the age of each page")
    parser.add_argument("--work", type=Path, default=WORK, help="where work is kept")
    parser.add_argument("--out", type=Path, default=RESULTS, help="where the pages go")
    return parser.parse_args()


def sizes(pages: Sequence[ResultPage], minutes: float | None) -> list[tuple[ResultPage, int]]:
    """How many seeds each page gets.

    Args:
        pages: Those to make.
        minutes: For all of them; None for the whole tables.
    """
    whole = sum(max(page.sizes.values()) for page in pages)
    return [
        (page, max(page.sizes))
        if minutes is None
        else (page, page.size(minutes * max(page.sizes.values()) / whole))
        for page in pages
    ]


def remake(page: ResultPage, size: int, work: Path, out: Path) -> None:
    """Run a page's commands, and put the page where it belongs.

    Args:
        page: The page.
        size: The number of seeds.
        work: Where work is kept: in a folder of this page, size and code.
        out: ``docs/results`` or another folder.

    Raises:
        InputError: A command failed, or made no such page.
    """
    code, version = code_digest(page.measures), installed_version()
    folder = work / f"{page.page.replace('/', '-').removesuffix('.md')}-{size}-{code[:12]}"
    make_folder(folder)
    file = folder / Path(page.page).name
    spent = folder / "minutes.txt"
    minutes = earlier = float(spent.read_text(encoding="utf-8")) if spent.is_file() else 0.0
    before = os.times()
    for command in commands(page, size, folder, file):
        print(f"$ {shlex.join(command)}", flush=True)
        module = ["-m", "mars_logic"] if command[0] == "mars-logic" else []
        try:
            ran = subprocess.run([sys.executable, *module, *command[1:]], cwd=CHECKOUT, check=False)
        finally:  # the same command goes on where this one was interrupted
            minutes = earlier + _minutes_of_children(before)
            write_atomically(spent, f"{minutes}\n")
        if ran.returncode:
            raise InputError(f"{page.page}: exit status {ran.returncode} of {shlex.join(command)}")
    if not file.is_file():
        raise InputError(f"{page.page}: its commands wrote no {file}")
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    origin = Origin(version, today, page.seeds(size), minutes, code)
    target = out / page.page
    make_folder(target.parent)
    for beside in sorted(folder.iterdir()):
        if beside.suffix in _BESIDE:
            shutil.copyfile(beside, target.parent / beside.name)
    text = file.read_text(encoding="utf-8")
    write_atomically(target, with_origin(text, page, origin))


def _minutes_of_children(since: os.times_result) -> float:
    """Minutes of processor time that processes of this one have taken since then."""
    now = os.times()
    return (
        now.children_user + now.children_system - since.children_user - since.children_system
    ) / 60


def commands(page: ResultPage, size: int, folder: Path, file: Path) -> Iterator[list[str]]:
    """The commands of a page; the first word of each is ``mars-logic`` or ``python``.

    Args:
        page: The page.
        size: The number of seeds.
        folder: Where work is kept.
        file: The page that is made there.
    """
    values: dict[str, object] = {"n": size, "out": folder.resolve(), "file": file.resolve()}
    if seeds := page.seeds(size):
        values |= {"first": seeds[0], "last": seeds[-1]}
    if page.spec is not None:
        spec = folder.resolve() / "spec.yaml"
        write_atomically(spec, _with_seeds(CHECKOUT / page.spec, tuple(seeds or ())).to_yaml())
        values["spec"] = spec
    for command in page.commands:
        yield shlex.split(
            command.format_map({name: shlex.quote(str(v)) for name, v in values.items()})
        )


def _with_seeds(file: Path, seeds: tuple[int, ...]) -> specs.Spec:
    """A spec with other seeds; its files of worlds are named so that they are found anywhere."""
    spec = specs.read(file)
    worlds = [
        where.model_copy(update={"world": str((file.parent / where.world).resolve())})
        if where.world and (file.parent / where.world).is_file()
        else where
        for where in spec.worlds
    ]
    return spec.model_copy(update={"seeds": seeds, "worlds": tuple(worlds)})


def _ages(pages: Sequence[ResultPage]) -> Iterator[str]:
    for page in pages:
        file = RESULTS / page.page
        if not file.is_file():
            yield f"{page.page}: is not there"
        else:
            told = age(file.read_text(encoding="utf-8"), page)
            yield f"{page.page}: {told or 'made with this code'}"


if __name__ == "__main__":
    sys.exit(main())
