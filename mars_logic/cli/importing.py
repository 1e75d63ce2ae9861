"""The command ``import``: play and rules of other games and formats, in ours."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from mars_logic.cli.output import (
    Force,
    Json,
    make_folder,
    print_json,
    progress,
    require_ending,
    require_free,
    say_wrong,
    write_answer,
)
from mars_logic.errors import InputError
from mars_logic.system.display import number
from mars_logic.world.dump import to_yaml
from mars_logic.world.load import bundled_worlds, load_world

if TYPE_CHECKING:
    from mars_logic.data import Trajectory
    from mars_logic.world.theory import World


RULES = (".yaml", ".yml")
"""Endings of files with rules."""
LEARNED = (".pl", ".las", ".pddl")
"""Endings of files with what another learner found."""


def import_play(
    sources: Annotated[
        list[Path],
        typer.Argument(
            help="Recordings of the reference games or of crafter's Recorder (.npz), data sets "
            "of Minari (folders), tables of trajectories (.parquet), "
            "results of RULEARN (.csv), a rules file of Crafter (.yaml), or what another learner "
            "found: clauses of Popper (.pl) or ILASP (.las), a learned domain (.pddl).",
            metavar="SOURCE...",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", help="The folder to write to, one file an episode; of rules, a world."
        ),
    ],
    world: Annotated[
        str | None,
        typer.Option(
            help="The world that was played, bundled or a file, where a source does not name it.",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="Leave out what no agent may know.")
    ] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Convert other tools' files to trajectories or worlds.

    What an agent could see is cut out of what a recording holds; nothing is simulated. Rules can so
    be tested on the reference games themselves. What a source lacks stays unknown; steps after
    which it would be needed are left out, which is told. Results of RULEARN become a recording of
    each episode and a file with the player's last hypothesis, both for `check`.

    Example: mars-logic import tests/data/golden/*.npz -o golden
    """
    from mars_logic.data import file_name, save

    if any(source.suffix in RULES for source in sources):
        _import_rules(sources, out, force, as_json)
        return
    if any(source.suffix in LEARNED for source in sources):
        _import_learned(sources, out, world, force, as_json)
        return
    if any(source.suffix == ".csv" for source in sources):
        _import_tables(sources, out, force, as_json)
        return
    make_folder(out)
    given = ImportedAs(load_world(world) if world else None, public)
    written = []
    with progress() as bars:
        bar = bars.add_task("importing", total=len(sources))
        for place, source in enumerate(sources, 1):
            for episode in _format_of(source).episodes(source, place, given):
                path = out / file_name(episode.about)
                require_free(path, force)
                save(episode, path, public=public)
                written.append((source, path, episode))
            bars.advance(bar)
    if as_json:
        rows = [
            {
                "source": str(source),
                "file": str(path),
                "world": episode.about.world,
                "seed": episode.about.seed,
                "episode": episode.about.episode,
                "transitions": len(episode),
            }
            for source, path, episode in written
        ]
        print_json({"schema": "mars-logic import 1", "trajectories": rows})
        return
    transitions = sum(len(episode) for _, _, episode in written)
    print(f"{out}: {len(written)} episode{'s' * (len(written) != 1)}, {transitions:,} transitions")


def _import_rules(sources: list[Path], out: Path, force: bool, as_json: bool) -> None:
    """Write the world of a rules file of another game's."""
    if len(sources) > 1:
        raise InputError("SOURCE: these are several files; allowed: one rules file at a time")
    require_free(out, force)
    require_ending(out, RULES)
    world = load_world(sources[0])
    write_answer(out, to_yaml(world))
    if as_json:
        told = {"source": str(sources[0]), "file": str(out), "digest": world.digest}
        print_json({"schema": "mars-logic import 1", "world": told})
        return
    print(f"{out}: a world, {world.dynamics}, digest {world.digest[:12]}")


def _import_learned(
    sources: list[Path], out: Path, world: str | None, force: bool, as_json: bool
) -> None:
    """Write the rules that another learner found."""
    from mars_logic.cli.rule_files import require_rules_ending, signed, write_rules
    from mars_logic.theory.action_models.learner_rules import learned_rules

    if len(sources) > 1:
        raise InputError("SOURCE: these are several files; allowed: one file of rules at a time")
    require_rules_ending(out)
    require_free(out, force)
    found = learned_rules(
        sources[0], ImportedAs(load_world(world) if world else None, False).required(sources[0])
    )
    for line in found.unreadable:
        say_wrong(f"warning: {line}")
    if not found.rules:
        raise InputError(f"{sources[0]}:1: file: no rule is read; allowed: rules of a world")
    write_rules(out, signed(found, "import", str(sources[0])))
    if as_json:
        print_json(found.to_json())
        return
    print(f"{out}: {number(len(found.rules), 'rule')}, not tested")


def _import_tables(sources: list[Path], out: Path, force: bool, as_json: bool) -> None:
    """Write each episode of RULEARN's results, and the hypothesis that it ended with."""
    from mars_logic.domains.rulearn.result_tables import is_result_table, read_table

    if other := [source for source in sources if not is_result_table(source)]:
        raise InputError(
            f"{other[0]}:1: file: it is given together with tables; allowed: tables (.csv) alone"
        )
    every = [(source, episode) for source in sources for episode in read_table(source)]
    found = [(source, episode) for source, episode in every if episode.is_released]
    for _, episode in every:
        if not episode.is_released:
            say_wrong(
                f"warning: {episode.place}: left out, since its rules are not those of the puzzle "
                f"{episode.id}"
            )
    if not found:
        raise InputError(
            f"{sources[0]}:1: rows: none is of a released puzzle; allowed: play of released puzzles"
        )
    make_folder(out)
    files = []
    for place, (source, episode) in enumerate(found, 1):
        path = out / f"{source.stem}__{episode.id}__{place}.jsonl"
        require_free(path, force)
        write_answer(path, json.dumps(episode.line) + "\n")
        if episode.hypothesis:
            require_free(path.with_suffix(".txt"), force)
            write_answer(path.with_suffix(".txt"), episode.hypothesis + "\n")
        files.append({"source": episode.place, "file": str(path), "unread": len(episode.unread)})
        for told in episode.unread:
            say_wrong(f"warning: {episode.place}: not read: {told}")
    if as_json:
        print_json({"schema": "mars-logic import 1", "recordings": files})
        return
    hypotheses = sum(bool(episode.hypothesis) for _, episode in found)
    print(f"{out}: {len(found)} episodes of puzzles, {hypotheses} hypotheses")


# --- Formats --------------------------------------------------------------------------------------


class ImportedAs(NamedTuple):
    """What the user says of all sources.

    Attributes:
        world: The world that was played; None if the sources state it.
        public: Leave out what is privileged.
    """

    world: World | None
    public: bool

    def required(self, source: Path) -> World:
        """The world.

        Raises:
            InputError: It is not given.
        """
        if self.world is None:
            found = f"{source}:1: world: the file does not name the world that was played"
            raise InputError(f"{found}; allowed: with --world WORLD")
        return self.world


class PlayFormat(NamedTuple):
    """A format in which play comes.

    Attributes:
        name: In words.
        fits: Whether a source is of it, by its name and its first bytes.
        episodes: Its episodes, given the source, its number, and what the user says.
    """

    name: str
    fits: Callable[[Path], bool]
    episodes: Callable[[Path, int, ImportedAs], Iterator[Trajectory]]


def _is_recorders(source: Path) -> bool:
    """Whether a source is an archive with the array by which Recorder's episodes are known."""
    from mars_logic.system.array_files import read_arrays

    try:
        return source.suffix == ".npz" and bool(read_arrays(source, ("player_pos",), _MOST_PLACES))
    except InputError:
        return False  # what is wrong is told by the reader of the last format


_MOST_PLACES: Final = 1_000_000


def _of_recorder(source: Path, number: int, given: ImportedAs) -> Iterator[Trajectory]:
    from mars_logic.data.crafter_recording import from_recorder

    yield from_recorder(source, given.world or load_world("crafter"), number)


def _of_trace(source: Path, number: int, given: ImportedAs) -> Iterator[Trajectory]:  # noqa: ARG001
    from mars_logic.data import from_trace
    from mars_logic.sim import load_trace

    yield from_trace(load_trace(source), public=given.public)


def _of_minari(source: Path, number: int, given: ImportedAs) -> Iterator[Trajectory]:  # noqa: ARG001
    from mars_logic.envs.offline import is_minari, load_minari

    if not is_minari(source):
        allowed = ", ".join(each.name for each in FORMATS if each.episodes is not _of_log)
        raise InputError(f"{source}:1: folder: this is no data set; allowed: {allowed}")
    yield from load_minari(source, given.world)


def _of_table(source: Path, number: int, given: ImportedAs) -> Iterator[Trajectory]:  # noqa: ARG001
    from mars_logic.data.store import load_all

    yield from load_all(source, world=given.world)


def _of_log(source: Path, number: int, given: ImportedAs) -> Iterator[Trajectory]:  # noqa: ARG001
    raise InputError(
        f"{source}:1: observation: words tell the nearest cell of a kind, and not all that is in "
        "view; allowed: arrays of views, or for logs in Mars's words `mars-logic "
        "learn-action-models`, for totals of Recorder `mars-logic summarise`"
    )


FORMATS: Final = (
    PlayFormat("data sets of Minari (folders)", Path.is_dir, _of_minari),
    PlayFormat("tables (.parquet)", lambda source: source.suffix == ".parquet", _of_table),
    PlayFormat("logs in words (.jsonl)", lambda source: source.suffix == ".jsonl", _of_log),
    PlayFormat("Recorder's (.npz)", _is_recorders, _of_recorder),
    PlayFormat("recordings of the reference games (.npz)", lambda _: True, _of_trace),
)
"""How play comes in; the first that fits a source reads it."""


def _format_of(source: Path) -> PlayFormat:
    return next(each for each in FORMATS if each.fits(source))
