"""The folder of an experiment: finished units are complete in it, unfinished ones are absent."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Container, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final

from mars_logic.data.parquet import Parquet
from mars_logic.errors import InputError
from mars_logic.experiments import record, whole
from mars_logic.experiments.layout import ABOUT, DAMAGED, FAILURES, RESULTS, ROWS, SPEC, UNITS
from mars_logic.experiments.record import Files
from mars_logic.experiments.spec import MAX_BYTES, Spec
from mars_logic.experiments.units import Unit, without_limits
from mars_logic.experiments.work import Failure
from mars_logic.system.files import locked, read_bytes, write_atomically

_RESULTS: Final = "results of mars-logic experiment"
_BEGUN: Final = ".begun-"
_MARK: Final = "# Made by mars-logic experiment, in whose folder this lies.\n"
_SHOWN: Final = 3


class ResultsFolder:
    """Keeps units; use it in a ``with`` statement, in which nobody else can.

    Attributes:
        path: The folder.
        set_aside: The units that were not whole: by their names, where they lie now, and why.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.set_aside: dict[str, tuple[Path, str]] = {}
        self._held = contextlib.ExitStack()

    def __enter__(self) -> ResultsFolder:
        """Take the folder.

        Raises:
            InputError: Another process has it, or it holds something else.
        """
        spec = self.path / SPEC
        if os.path.lexists(spec) and not _is_ours(spec):
            raise InputError(
                f"{spec}:1: file: not made by mars-logic experiment; allowed: another folder"
            )
        self.path.mkdir(parents=True, exist_ok=True)
        if not self._held.enter_context(locked(self.path / ".lock", wait=False)):
            raise InputError(
                f"{self.path}:1: folder: another mars-logic experiment runs in this folder; "
                "allowed: another folder, or to wait until it is done"
            )
        (self.path / UNITS).mkdir(exist_ok=True)
        for left in (self.path / UNITS).glob(f"{_BEGUN}*"):
            shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the folder to others."""
        self._held.close()

    def begin(self, spec: Spec, units: Sequence[Unit]) -> list[Unit]:
        """Note what is asked for now, and set aside units that are not whole.

        Returns:
            The units that are not done yet; those set aside are among them.

        Raises:
            InputError: Units that are done are not asked for any more, or not as they are.
        """
        asked = {unit.name: unit for unit in units}
        done, damaged = self._found(asked)
        problems = [
            told for name, identity in done.items() if (told := _differs(name, identity, asked))
        ]
        if problems:
            more = f" and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
            raise InputError(
                f"{self.path / SPEC}:1: spec: this folder holds units that differ from the "
                f"spec: {'; '.join(problems[:_SHOWN])}{more}; "
                "allowed: a spec that only adds to what is done, or another folder"
            )
        for name, why in damaged.items():
            self.set_aside[name] = self._moved(name), why
        write_atomically(self.path / SPEC, _MARK + spec.to_yaml())
        return [unit for unit in units if unit.name not in done]

    def _found(self, asked: Container[str]) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
        """What each unit that is done depended on, and what is wrong with those that are not whole.

        What lies among the units and is none of them is left alone.
        """
        done, damaged = {}, {}
        for unit in sorted((self.path / UNITS).iterdir()):
            if unit.name in asked or os.path.lexists(unit / ABOUT):
                try:
                    done[unit.name] = whole.identity(unit)
                except InputError as error:
                    damaged[unit.name] = str(error).partition("; allowed: ")[0]
        return done, damaged

    def _moved(self, name: str) -> Path:
        """Set a unit aside, under a name that nothing there has; return where it lies now."""
        places = self.path / DAMAGED
        places.mkdir(exist_ok=True)
        names = (name if number == 1 else f"{name}.{number}" for number in count(1))
        place = next(place for each in names if not os.path.lexists(place := places / each))
        (self.path / UNITS / name).rename(place)
        return place

    def keep(self, unit: Unit, files: Files) -> None:
        """Keep what came of a unit, whole or not at all."""
        units = self.path / UNITS
        begun = Path(tempfile.mkdtemp(dir=units, prefix=_BEGUN))
        try:
            for name, content in files.items():
                (begun / name).parent.mkdir(parents=True, exist_ok=True)
                write_atomically(begun / name, content)
            begun.chmod(units.stat().st_mode)
            begun.rename(units / unit.name)
        except BaseException:
            shutil.rmtree(begun, ignore_errors=True)
            raise
        self._failure(unit).unlink(missing_ok=True)

    def fail(self, unit: Unit, failure: Failure) -> None:
        """Note why a unit was not done; it is tried again next time."""
        self._failure(unit).parent.mkdir(exist_ok=True)
        write_atomically(self._failure(unit), f"{failure.reason}\n\n{failure.details}")

    def _failure(self, unit: Unit) -> Path:
        return self.path / FAILURES / f"{unit.name}.txt"

    def collect(self, units: Sequence[Unit]) -> int:
        """Write the rows of all units that are done to one file; return how many units that is."""
        paths = [self.path / UNITS / unit.name / ROWS for unit in units]
        names = record.COLUMNS.names  # older results lack some; the rows' reader knows which
        found = [
            Parquet.open(path, _RESULTS).table(record.COLUMNS, names)
            for path in paths
            if path.exists()
        ]
        write_atomically(self.path / RESULTS, record.as_parquet(record.together(found)))
        return len(found)


def _is_ours(spec: Path) -> bool:
    try:
        return read_bytes(spec, "", MAX_BYTES + len(_MARK)).startswith(_MARK.encode())
    except InputError:
        return False


def _differs(name: str, done: dict[str, Any], asked: dict[str, Unit]) -> str | None:
    """How a unit that is done differs from what is asked for, if it does."""
    unit = asked.get(name)
    if unit is None:
        return f"{name} is not in the spec"
    wanted = unit.identity()
    before = {**done, "options": without_limits(done.get("options", {}))}
    changed = _changes(before, wanted)
    return f"{name} has {', '.join(changed)}" if changed else None


def _changes(done: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    return [
        f"{field} {json.dumps(done.get(field))}, not {json.dumps(wanted.get(field))}"
        for field in {**done, **wanted}
        if done.get(field) != wanted.get(field)
    ]
