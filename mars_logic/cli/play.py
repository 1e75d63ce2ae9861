"""The command ``play``: a person plays an episode in the terminal."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from mars_logic.cli.output import Json, Length, make_folder, messages, print_json, say
from mars_logic.errors import InputError
from mars_logic.world.load import bundled_worlds, load_world

if TYPE_CHECKING:
    from mars_logic.human import Game, Kept, Places
    from mars_logic.logic import Proof

FALLBACK = Path("plays")
"""Where an episode is kept at a player's wish who has named no folder."""
_INTERRUPTED = 130


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("play")(play)


def play(
    world: Annotated[
        str,
        typer.Argument(
            help="A bundled world or a world file.",
            metavar="WORLD",
            autocompletion=lambda: list(bundled_worlds()),
        ),
    ],
    seed: Annotated[int, typer.Option(min=0, max=2**60, help="The environment's seed.")] = 0,
    length: Length = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Keep the episode as a certificate here, and go on with one that is."),
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="Keep it as a trajectory (Parquet) here; likewise.")
    ] = None,
    public: Annotated[
        bool,
        typer.Option("--public", help="Leave out of the trajectory what no player may know."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Play an episode yourself, with the keyboard, in the terminal.

    You see what agents see, and are scored as they are. Who reads the manual, or takes steps back,
    is named so in what is kept: human_with_manual, human_with_undo. Keys are told under h.

    Example: mars-logic play all_three --seed 3 --out plays --record plays
    """
    console = _terminal()
    if public and record is None:
        raise InputError("--public: there is no recording; allowed: with --record")
    loaded = load_world(world)
    for folder in filter(None, (out, record)):
        make_folder(folder)

    from mars_logic.human import Game, Places, Session
    from mars_logic.human.keep import resume
    from mars_logic.proving import prove
    from mars_logic.runs import goals

    places = Places(loaded, world, seed, out, record, public)
    earlier = places.earlier()
    with messages().status("preparing"):
        proof = prove(loaded, map_seed=seed)
        session = Session(loaded, seed, goals(loaded, proof), length)
        resume(session, earlier)
    game = Game(session, places.told, str(FALLBACK))
    interrupted, files = _play_and_keep(game, console, places, earlier)
    _report(game, places, proof, files, as_json)
    if interrupted:
        raise typer.Exit(_INTERRUPTED)


def _terminal() -> Console:
    """The terminal to draw on: standard output, or standard error if that goes elsewhere.

    Raises:
        InputError: There is none, or no keyboard.
    """
    for stream in (sys.stdout, sys.stderr):
        if sys.stdin.isatty() and stream.isatty():
            return Console(file=stream, highlight=False, markup=False, emoji=False)
    raise InputError("play: this is no terminal; allowed: a terminal with a keyboard")


def _play_and_keep(
    game: Game, console: Console, places: Places, earlier: list[Kept]
) -> tuple[bool, list[Path]]:
    """Let the person play; return whether they were interrupted, and what files were written."""
    from mars_logic.human.player import interrupted_once
    from mars_logic.human.player import play as play_on

    interrupted = False
    with interrupted_once() as ignore_the_next:
        try:
            try:
                play_on(game, console, sys.stdin)
            except KeyboardInterrupt:
                interrupted = True
            ignore_the_next()
        except KeyboardInterrupt:  # the signal of a terminal that was found closed before it came
            interrupted = True
        return interrupted, _keep(game, places, earlier)


def _keep(game: Game, places: Places, earlier: list[Kept]) -> list[Path]:
    """Write what was played; where that fails, to where it can be done, rather than lose it."""
    if game.keep_anyway:
        return _keep_in(FALLBACK, game, places)
    try:
        return places.save(game.session, earlier)
    except InputError as error:
        say(str(error))
        return _keep_in(FALLBACK, game, places)


def _keep_in(folder: Path, game: Game, places: Places) -> list[Path]:
    make_folder(folder)
    return replace(places, out=folder, record=None).save(game.session, [])


def _report(game: Game, places: Places, proof: Proof, files: list[Path], as_json: bool) -> None:
    """What was played, in the form of `run` for programs, and of `plan` for people."""
    from mars_logic.cli.plan import death_of, print_episode
    from mars_logic.plan.certificate import certify
    from mars_logic.runs import Result
    from mars_logic.summaries import summary

    session, world = game.session, places.world
    played = session.played()
    made = certify(played, world, places.name, session.agent)
    found = Result(made, played.ended, proof)
    for path in files:
        say(f"kept in {path}")
    if as_json:
        worlds = {places.name: summary([found], world)} if session.steps else {}
        document = {"schema": "mars-logic run 1", "agent": session.agent, "worlds": worlds}
        print_json(document | {"kept": [str(path) for path in files]})
    elif session.steps:
        print_episode(found, death_of(world, found), None)
