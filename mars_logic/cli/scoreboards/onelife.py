"""The comparison with OneLife: given and learned rules rank the next states of scenarios."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from mars_logic.cli.output import make_folder, progress, write_answer
from mars_logic.cli.scoreboards.asked import BoardRequest
from mars_logic.cli.state_ranking import require_jsonpatch
from mars_logic.errors import InputError
from mars_logic.system.files import write_or_refuse
from mars_logic.system.json_files import read_json

if TYPE_CHECKING:
    from mars_logic.experiments.state_ranking.models import RankingUnit, UnitResult

_VERSIONS = ("Python", "mars-logic", "numba")
_MOST_BYTES = 1_000_000


def play(asked: BoardRequest) -> None:
    """Learn, rank, and write and print the comparison.

    Raises:
        InputError: A world is none of the comparison's, or the folder holds something else.
    """
    from mars_logic.experiments.measurement.machine import machine
    from mars_logic.experiments.scoreboards.notes import folder_of_episodes
    from mars_logic.experiments.scoreboards.smartplay.episodes import chosen
    from mars_logic.experiments.state_ranking import models, page, simulated
    from mars_logic.system.kept import code_of, digest_of_plain
    from mars_logic.system.pools import ProcessDied, in_processes
    from mars_logic.theory import revise

    out, worlds = asked.folder, asked.games
    require_jsonpatch("scoreboard")
    spec = models.onelife()
    taken = chosen(worlds, tuple(spec.worlds), "--games")
    every = models.units(spec, {name: spec.worlds[name] for name in taken})
    kept = out / "units"
    make_folder(kept)
    made_from = {
        "spec": digest_of_plain(spec.model_dump()),
        "code": code_of(models.ranked_unit, revise),
    }
    work = partial(models.ranked_unit, spec=spec)
    held = made_from if any(kept.glob("*__*.json")) else {}
    with folder_of_episodes(kept, made_from, held), progress() as bar:
        missing = [unit for unit in every if not _file(kept, unit).exists()]
        shown = bar.add_task("onelife", total=len(every), completed=len(every) - len(missing))
        for unit, result in in_processes(missing, asked.processes, work):
            if isinstance(result, ProcessDied):
                raise InputError(f"scoreboard: {unit.model}, {unit.world}: {result.reason}")
            text = TypeAdapter(models.UnitResult).dump_json(result, indent=1).decode()
            write_or_refuse(_file(kept, unit), text + "\n")
            bar.advance(shown)
        found = {unit: _read(_file(kept, unit)) for unit in every}
    versions = {name: held for name, held in machine().items() if name in _VERSIONS}
    command = "mars-logic scoreboard onelife" + (f" --games {worlds}" if worlds else "")
    sizes = {"futures": simulated.FUTURES, "worlds": simulated.WORLDS}
    text = page.page(found, spec, command, versions, sizes)
    write_answer(out / "README.md", text)
    asked.tell(text, lambda: {"units": page.as_data(found)})


def _file(folder: Path, unit: RankingUnit) -> Path:
    model = unit.model.replace(", ", "-").replace(" ", "_").replace("'", "")
    return folder / f"{unit.world}__{model}__s{unit.seed}.json"


def _read(path: Path) -> UnitResult:
    """The kept result of a unit.

    Raises:
        InputError: The file is damaged.
    """
    from mars_logic.experiments.state_ranking.models import UnitResult

    allowed = "a unit of a scoreboard, as mars-logic wrote it, or to remove it"
    held = read_json(path, allowed, _MOST_BYTES)
    try:
        return TypeAdapter(UnitResult).validate_python(held)
    except ValidationError:
        raise InputError(f"{path}:1: file: this is no such unit; allowed: {allowed}") from None
