"""The command ``conform``: replays recordings of the reference games."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mars_logic.cli.output import Json, print_json, progress, say_wrong
from mars_logic.errors import InputError

if TYPE_CHECKING:
    from mars_logic.domains.game import Game
    from mars_logic.domains.recordings import RecordingConformance
    from mars_logic.sim import Divergence


_OF_GAMES = ".jsonl"


def conform(
    traces: Annotated[
        list[Path],
        typer.Argument(
            help="Recorded episodes: of worlds (.npz), or of games and puzzles (.jsonl)."
        ),
    ],
    puzzles: Annotated[
        list[Path] | None,
        typer.Option(
            help="A file of a puzzle that recordings name, by its name or that of the file; may be "
            "repeated."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Replay recordings of the reference games.

    The first difference in each is printed. Everything is compared after every step: of worlds map,
    objects, player, reward, daylight, and the position in the random stream; of games all that was
    recorded. Exit status 1 if anything differs, and 2 if a recording is of an unknown puzzle; the
    others are compared all the same.

    Example: mars-logic conform tests/data/golden/*.npz
    """
    worlds = [path for path in traces if path.suffix != _OF_GAMES]
    games = [path for path in traces if path.suffix == _OF_GAMES]
    found, recordings, unknown = [], [], []
    own = _own_puzzles(puzzles or ())
    with progress() as bars:
        bar = bars.add_task("comparing", total=len(traces))
        for path in worlds:
            from mars_logic.sim import conform as compare

            found.append(compare(path))
            bars.advance(bar)
        for path in games:
            from mars_logic.domains.recordings import conform_recording
            from mars_logic.domains.rulearn.replay import UnknownPuzzleError

            try:
                recordings.append(conform_recording(path, own))
            except UnknownPuzzleError as error:
                unknown.append(str(error))
            bars.advance(bar)
    for each in unknown:
        say_wrong(each)
    if as_json:
        rows = [
            {
                "trace": str(result.path),
                "world": result.world,
                "steps": result.steps,
                "agrees": result.agrees,
                "divergence": _divergence(result.divergence),
            }
            for result in found
        ]
        more: dict[str, Any] = {"recordings": [_recording(result) for result in recordings]}
        more |= {"unknown": unknown} if unknown else {}
        print_json({"schema": "mars-logic conformance 1", "traces": rows, **more})
    else:
        for result in found:
            if not result.agrees:
                print(f"{result.path}: {result.world}: {result.divergence}")
        if found:
            agreeing = sum(result.agrees for result in found)
            steps = sum(result.agreed for result in found)
            print(f"{agreeing} of {len(found)} traces agree; {steps:,} steps compared")
        if recordings:
            _print_recordings(recordings)
    if unknown:
        raise typer.Exit(2)
    if not (all(each.agrees for each in found) and all(each.agrees for each in recordings)):
        raise typer.Exit(1)


def _own_puzzles(files: Iterable[Path]) -> dict[str, Game]:
    from mars_logic.domains.load import load_game
    from mars_logic.domains.registry import domain_of

    found: dict[str, Game] = {}
    for file in files:
        game = load_game(file)
        if not domain_of(game).hides_rules:
            raise InputError(f"{file}:1: file: this is a game of {game.domain}; allowed: a puzzle")
        found |= {file.stem: game, game.name.rpartition("/")[2]: game}
    return found


def _print_recordings(found: list[RecordingConformance]) -> None:
    for result in found:
        if result.difference:
            print(result.difference)
    agreeing = sum(result.agrees for result in found)
    episodes, steps = sum(each.episodes for each in found), sum(each.steps for each in found)
    print(
        f"{agreeing} of {len(found)} recordings of games agree; {episodes:,} episodes, "
        f"{steps:,} steps compared"
    )


def _recording(found: RecordingConformance) -> dict[str, object]:
    difference = found.difference
    return {
        "recording": found.file,
        "settings": dict(found.settings),
        "episodes": found.episodes,
        "steps": found.steps,
        "agrees": found.agrees,
        "difference": vars(difference) if difference else None,
    }


def _divergence(found: Divergence | None) -> dict[str, object] | None:
    if found is None:
        return None
    return {
        "subsystem": found.subsystem,
        "step": found.step,
        "what": found.what,
        "expected": _plain(found.expected),
        "actual": _plain(found.actual),
    }


def _plain(value: object) -> object:
    """A number, a truth value or nothing as JSON has it; anything else as text."""
    plain = value.item() if hasattr(value, "item") else value
    return plain if isinstance(plain, int | float | str | None) else str(plain)
