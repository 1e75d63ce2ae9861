"""How well theories predict whole states: ``score --protocol`` and ``scoreboard onelife``."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from mars_logic.cli.output import (
    make_folder,
    print_json,
    print_table,
    progress,
    say,
    say_wrong,
    write_answer,
)
from mars_logic.errors import InputError
from mars_logic.extras import install_hint
from mars_logic.files import write_or_refuse
from mars_logic.json_files import read_json
from mars_logic.world.known_names import require_known_kinds

if TYPE_CHECKING:
    from mars_logic.experiments.state_ranking.models import RankingUnit, UnitResult
    from mars_logic.experiments.state_ranking.ranking import StateMetrics
    from mars_logic.world.theory import Theory, World

_SCHEMA = "mars-logic state ranking 1"
_PACKAGE = "jsonpatch"
_VERSIONS = ("Python", "mars-logic", "numba")
_MOST_BYTES = 1_000_000


def require_jsonpatch(option: str) -> None:
    """Refuse the protocol where states cannot be compared.

    Raises:
        InputError: jsonpatch is not installed.
    """
    if find_spec(_PACKAGE) is None:
        message = f"the package '{_PACKAGE}' is not installed"
        raise InputError(f"{option}: {message}; allowed: first {install_hint('onelife')}")


def score_states(
    theory: Theory,
    truth: World,
    names: tuple[str, str],
    transitions: int,
    trials: int,
    *,
    as_json: bool,
) -> None:
    """Print how a theory ranks true next states.

    Args:
        theory: What is believed.
        truth: The true world.
        names: The names of both, as they were given.
        transitions: Of each scenario.
        trials: Of each transition.
        as_json: Whether to print JSON.

    Raises:
        InputError: A world adds names, or a package is missing.
    """
    require_jsonpatch("--protocol")
    require_known_kinds(theory, "score", "the protocol")
    require_known_kinds(truth, "score", "the protocol")
    from mars_logic.experiments.state_ranking.models import in_dialect
    from mars_logic.experiments.state_ranking.page import PUBLISHED
    from mars_logic.experiments.state_ranking.ranking import StateRankingTest

    if theory.dynamics != truth.dynamics:
        told = f"it is of the dialect {theory.dynamics}, the truth of {truth.dynamics}"
        say_wrong(f"warning: {names[0]}:1: dynamics: {told}: its rules are read as of the latter")
    believed = in_dialect(theory, truth)
    if believed.adds != truth.adds:
        told = f"it has names that {names[1]} lacks"
        raise InputError(f"{names[0]}:1: adds: {told}; allowed: a theory of that world")
    test = StateRankingTest(truth, transitions, trials)
    with progress() as shown:
        bar = shown.add_task("scenarios", total=len(test.names))
        found = test.rank(believed, lambda _: shown.advance(bar))
    if as_json:
        about = {"schema": _SCHEMA, "protocol": "onelife", "theory": names[0], "truth": names[1]}
        print_json(about | found.to_json())
        return
    means = {name: each.mean for name, each in found.scenarios.items()}
    means["all scenarios"] = found.mean
    means |= {f"{name} (published, Crafter-OO)": mean for name, mean in PUBLISHED.items()}
    heads = ("scenario", "MRR", "Rank@1", "edit distance", "normalised")
    print_table(heads, ((name, *_cells(mean)) for name, mean in means.items()))
    if found.left_out:
        say(f"left out, since {names[1]} has no case of it: {', '.join(found.left_out)}")


def _cells(mean: StateMetrics) -> tuple[str, ...]:
    return (
        f"{mean.mrr:.3f}",
        f"{mean.rank_1:.1%}",
        f"{mean.raw:.2f}",
        f"{mean.normalised:.4f}",
    )


def onelife_board(out: Path, worlds: str | None, workers: int, *, as_json: bool) -> None:
    """Learn, rank, and write and print the comparison with OneLife.

    Args:
        out: The folder; units that are done there are not done again.
        worlds: Worlds of the comparison, with commas; None for all.
        workers: How many processes.
        as_json: Whether to print JSON.

    Raises:
        InputError: A world is none of the comparison's, or the folder holds something else.
    """
    from mars_logic.experiments.measurement.machine import machine
    from mars_logic.experiments.scoreboards.notes import folder_of_episodes
    from mars_logic.experiments.scoreboards.smartplay.episodes import chosen
    from mars_logic.experiments.state_ranking import models, page, simulated
    from mars_logic.kept import code_of, digest_of_plain
    from mars_logic.pools import ProcessDied, in_processes
    from mars_logic.theory import revise

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
    with folder_of_episodes(kept, made_from, holds=any(kept.glob("*__*.json"))), progress() as bar:
        missing = [unit for unit in every if not _file(kept, unit).exists()]
        shown = bar.add_task("onelife", total=len(every), completed=len(every) - len(missing))
        for unit, result in in_processes(missing, workers, work):
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
    if as_json:
        document: dict[str, Any] = {"schema": "mars-logic scoreboard 1", "benchmark": "onelife"}
        print_json(document | {"units": page.as_data(found)})
    else:
        print(text)


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
