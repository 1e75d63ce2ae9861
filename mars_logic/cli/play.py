"""The command ``play``: a person plays an episode in the terminal."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mars_logic.cli.game_play import play_game
from mars_logic.cli.game_runs import refuse
from mars_logic.cli.loading import Assignments, Dialect, Hints, known_names, variant
from mars_logic.cli.output import (
    Json,
    Length,
    PublicOnly,
    RecordFolder,
    make_folder,
    print_json,
    require_recording,
    say_written,
    say_wrong,
    screen,
    working,
)
from mars_logic.display import number
from mars_logic.domains import load_rules
from mars_logic.domains.game import Game
from mars_logic.errors import InputError
from mars_logic.file_names import name_as_text
from mars_logic.interruptions import as_interruption
from mars_logic.world.known_names import require_unmarked

if TYPE_CHECKING:
    from rich.console import Console

    from mars_logic.cli.human import HumanGame, Places, SavedGame
    from mars_logic.logic import Proof

FALLBACK = Path("plays")
"""Where an episode is kept at a player's wish who has named no folder."""
_INTERRUPTED = 130


def play(
    world: Annotated[
        str,
        typer.Argument(
            help="A world or game: a bundled one, or a file.",
            metavar="WORLD",
            autocompletion=known_names,
        ),
    ],
    seed: Annotated[int, typer.Option(min=0, max=2**60, help="The environment's seed.")] = 0,
    length: Length = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="Keep the episode as a certificate here.",
        ),
    ] = None,
    record: RecordFolder = None,
    public: PublicOnly = False,
    dialect: Dialect = None,
    hints: Hints = None,
    assignments: Assignments = None,
    as_json: Json = False,
) -> None:
    """Play an episode with the keyboard.

    You see what agents see, and are scored as they are. Who reads the manual, or takes steps back,
    is named so in what is kept: human_with_manual, human_with_undo. Keys are told under h.

    In a game you read the manual and choose by number. An episode that --out or --record kept
    before its end goes on.

    Example: mars-logic play all_three --seed 3 --out plays --record plays
    """
    console = _terminal()
    require_recording(public, record)
    named = variant(world, dialect, hints, assignments)
    loaded = load_rules(named)
    if isinstance(loaded, Game):
        refuse({"length": length, "record": record}, "with worlds")
        if play_game(loaded, name_as_text(named), seed, out, FALLBACK, console, as_json):
            raise typer.Exit(_INTERRUPTED)
        return
    if record:
        require_unmarked(loaded)
    for folder in filter(None, (out, record)):
        make_folder(folder)

    from mars_logic.cli.human import HumanGame, Places, PlaySession
    from mars_logic.cli.human.saves import resume
    from mars_logic.experiments.proving import prove
    from mars_logic.experiments.runs import goals

    places = Places(loaded, name_as_text(world), seed, out, record, public)
    earlier = places.earlier()
    with working("preparing"):
        proof = prove(loaded, map_seed=seed)
        session = PlaySession(loaded, seed, goals(loaded, proof), length)
        resume(session, earlier)
    game = HumanGame(session, places.told, str(FALLBACK))
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
            return screen(stream)
    raise InputError("play: this is no terminal; allowed: a terminal with a keyboard")


def _play_and_keep(
    game: HumanGame, console: Console, places: Places, earlier: list[SavedGame]
) -> tuple[bool, list[Path]]:
    """Let the person play; return whether they were interrupted, and what files were written."""
    from mars_logic.cli.human.player import interrupted_once
    from mars_logic.cli.human.player import play as play_on

    interrupted = False
    with interrupted_once() as ignore_the_next:
        try:
            try:
                with as_interruption():
                    play_on(game, console, sys.stdin)
            except KeyboardInterrupt:
                interrupted = True
            ignore_the_next()
        except KeyboardInterrupt:  # the signal of a terminal that was found closed before it came
            interrupted = True
        return interrupted, _keep(game, places, earlier)


def _keep(game: HumanGame, places: Places, earlier: list[SavedGame]) -> list[Path]:
    """Write what was played; where that fails, to where it can be done, rather than lose it."""
    if game.keep_anyway:
        return _keep_in(FALLBACK, game, places)
    try:
        return places.save(game.session, earlier)
    except InputError as error:
        say_wrong(str(error))
        return _keep_in(FALLBACK, game, places)


def _keep_in(folder: Path, game: HumanGame, places: Places) -> list[Path]:
    make_folder(folder)
    return replace(places, out=folder, record=None).save(game.session, [])


def _report(
    game: HumanGame, places: Places, proof: Proof, files: list[Path], as_json: bool
) -> None:
    """The played episode, in the form of `run` for programs, and of `plan` for people."""
    from mars_logic.cli.plan import death_of, print_episode
    from mars_logic.experiments.run_summaries import summary
    from mars_logic.experiments.runs import EpisodeResult
    from mars_logic.play.certificate import certify

    session, world = game.session, places.world
    played = session.played()
    made = certify(played, world, places.name, session.agent)
    found = EpisodeResult(made, played.ended, proof)
    for path in files:
        say_written(path, f"{number(session.steps, 'step')} of {places.name}")
    if as_json:
        worlds = {places.name: summary([found], world)} if session.steps else {}
        document = {"schema": "mars-logic run 1", "agent": session.agent, "worlds": worlds}
        print_json(document | {"kept": [str(path) for path in files]})
    elif session.steps:
        print_episode(found, death_of(world, found), None)
