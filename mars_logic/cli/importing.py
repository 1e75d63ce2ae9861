"""The command ``import``: play and rules of other games and formats, in ours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mars_logic.cli.output import (
    Force,
    Json,
    make_folder,
    print_json,
    progress,
    require_ending,
    require_free,
    write_answer,
)
from mars_logic.errors import InputError
from mars_logic.world.dump import to_yaml
from mars_logic.world.load import load_world

if TYPE_CHECKING:
    from mars_logic.data import Trajectory


RULES = (".yaml", ".yml")
"""Endings of files with rules."""


def import_play(
    sources: Annotated[
        list[Path],
        typer.Argument(
            help="Recordings of the reference games (.npz), data sets of Minari (folders), or a "
            "rules file of Crafter (.yaml).",
            metavar="SOURCE...",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", help="The folder to write to, one file an episode; of rules, a world."
        ),
    ],
    public: Annotated[
        bool, typer.Option("--public", help="Leave out what no agent may know.")
    ] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Make trajectories or a world of others' files.

    What an agent could see is cut out of what a recording holds; nothing is simulated. Rules can so
    be tested on the reference games themselves.

    Example: mars-logic import tests/data/golden/*.npz -o golden
    """
    from mars_logic.data import file_name, save

    if any(source.suffix in RULES for source in sources):
        _import_rules(sources, out, force, as_json)
        return
    make_folder(out)
    written = []
    with progress() as bars:
        bar = bars.add_task("importing", total=len(sources))
        for source in sources:
            for episode in _episodes(source, public):
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


def _episodes(source: Path, public: bool) -> Iterator[Trajectory]:
    """The episodes of one source, in turn."""
    if not source.is_dir():
        from mars_logic.data import from_trace
        from mars_logic.sim import load_trace

        yield from_trace(load_trace(source), public=public)
        return
    from mars_logic.envs.offline import is_minari, load_minari

    if not is_minari(source):
        raise InputError(
            f"{source}:1: folder: this is no data set; allowed: recordings (.npz), "
            "or a data set of Minari"
        )
    yield from load_minari(source)
