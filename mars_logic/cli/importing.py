"""The command ``import``: play of other games and formats as trajectories."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mars_logic.cli.output import Json, make_folder, print_json, progress, require_free
from mars_logic.errors import InputError

if TYPE_CHECKING:
    from mars_logic.data import Trajectory


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("import")(import_play)


def import_play(
    sources: Annotated[
        list[Path],
        typer.Argument(
            help="Recordings of the reference games (.npz), or data sets of Minari (folders).",
            metavar="SOURCE...",
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The folder to write to, one file an episode.")
    ],
    public: Annotated[
        bool, typer.Option("--public", help="Leave out what no agent may know.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    as_json: Json = False,
) -> None:
    """Make trajectories of play recorded elsewhere.

    What an agent could see is cut out of what a recording holds; nothing is simulated. Rules can so
    be tested on the reference games themselves.

    Example: mars-logic import tests/data/golden/*.npz -o golden
    """
    from mars_logic.data import file_name, save

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
