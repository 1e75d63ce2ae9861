"""The command ``play``: a person plays an episode in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from mars_logic.cli.loading import Assignments, Dialect, Hints, known_names, variant
from mars_logic.cli.output import (
    Json,
    Length,
    PublicOnly,
    RecordFolder,
    make_folder,
    print_json,
    refuse,
    require_recording,
    say_written,
    say_wrong,
    screen,
    working,
)
from mars_logic.domains import domain_of
from mars_logic.domains.certificates import (
    GameCertificate,
    PlayerReference,
    certify_game,
    load_game_certificate,
    verify_game,
)
from mars_logic.domains.chance import Seeded
from mars_logic.domains.game import Game
from mars_logic.domains.playing import PlayedGame
from mars_logic.domains.protocol import ActionError, GameOutcome
from mars_logic.domains.runs import certificate_path, game_summary
from mars_logic.domains.together import load_one
from mars_logic.errors import InputError
from mars_logic.system.display import number
from mars_logic.system.documents import write_document
from mars_logic.system.file_names import name_as_text
from mars_logic.system.interruptions import as_interruption
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
    loaded, other = load_one(named)
    if other is not None:
        refuse({"length": length, "record": record}, "with worlds")
        if play_game(other, name_as_text(named), seed, out, FALLBACK, console, as_json):
            raise typer.Exit(_INTERRUPTED)
        return
    assert loaded is not None
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
    raise InputError("play: standard input is no terminal; allowed: a terminal with a keyboard")


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


_HUMAN: Final = PlayerReference(name="human")
_STOP: Final = ("q", "quit")


class GameSession:
    """An episode of a game that is played action by action.

    Args:
        game: The game that is played.
        seed: Decides all random outcomes.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.seed = game, seed
        self.simulator, self._chance = domain_of(game).simulator(game), Seeded(seed)
        self.simulator.reset(self._chance)
        self.outcome = GameOutcome(0, False, self.simulator.score)
        self._actions: list[Any] = []
        self._rewards: list[float] = []

    @property
    def steps(self) -> int:
        """How many actions were taken."""
        return self.played().steps

    @property
    def over(self) -> bool:
        """Whether the episode has come to its end."""
        return self.outcome.done or len(self._actions) == self.game.length

    def act(self, action: Any) -> None:
        """Take an action.

        Raises:
            ActionError: There is no such action, or the game is over.
        """
        self.outcome = self.simulator.step(action, self._chance)
        self._actions.append(action)
        self._rewards.append(self.outcome.reward)

    def played(self) -> PlayedGame:
        """The actions so far, and what they brought."""
        return PlayedGame(tuple(self._actions), tuple(self._rewards), self.outcome, ())


def play_on(session: GameSession, show: Callable[[str], None], ask: Callable[[str], str]) -> None:
    """Let a person play until the game is over or they stop.

    Args:
        session: The game or world in play.
        show: Shows a text.
        ask: Shows a question and returns the answer, a line; nothing where none can come any more.
    """
    domain = domain_of(session.game)
    question = f"{domain.question}, or q to stop: "
    show(f"{session.simulator.manual}\n\n{session.simulator.text()}")
    while not session.over:
        answer = ask(question)
        word = answer.strip().lower()
        if not answer or word in _STOP:
            return
        try:
            session.act(domain.parse_action(answer))
        except ActionError as error:
            show(f"{error}, q")
            continue
        counted = session.outcome.steps is not None  # then the text tells how many
        step = "" if counted else f"\nStep {session.steps} of {session.game.length}."
        show(f"{session.simulator.text()}{step}")
    show("The episode is over.")


def play_game(
    game: Game,
    name: str,
    seed: int,
    out: Path | None,
    fallback: Path,
    console: Console,
    as_json: bool,
) -> bool:
    """Let a person play an episode of a game, and keep it; return whether they were interrupted.

    Args:
        game: The game.
        name: How it can be loaded again.
        seed: Decides all random outcomes.
        out: Where the episode is kept, and gone on with; None if only at the player's wish.
        fallback: Where it is kept at the player's wish.
        console: The terminal.
        as_json: Whether the result is told to programs.

    Raises:
        InputError: Another episode lies in this one's place.
    """
    from mars_logic.cli.human.player import interrupted_once
    from mars_logic.system.interruptions import as_interruption

    session = GameSession(game, seed)
    if out is not None:
        make_folder(out)
        resume(session, certificate_path(out, game, _HUMAN, seed))
    interrupted, wanted = False, out
    with interrupted_once() as ignore_the_next:
        try:
            with as_interruption():
                wanted = _play(session, console, out, fallback)
        except (KeyboardInterrupt, OSError):  # by a key, or because there is no terminal any more
            interrupted = True
        ignore_the_next()
        made = certify_game(session.played(), game, name, seed, _HUMAN)
        kept = _keep_game(made, game, wanted, fallback) if session.steps and wanted else []
    _report_game(made, game, kept, as_json)
    return interrupted


def _play(session: GameSession, console: Console, out: Path | None, fallback: Path) -> Path | None:
    """Let the person play; return where they want the episode kept."""

    def show(text: str) -> None:
        console.print(text, soft_wrap=True)
        console.print()

    def ask(question: str) -> str:
        with suppress(EOFError):
            return console.input(question) + "\n"
        return ""

    play_on(session, show, ask)
    if out is None and session.steps:
        answer = ask(f"Keep the episode in {fallback}? y or n: ")
        return fallback if answer.strip().lower() in ("y", "yes") else None
    return out


def resume(session: GameSession, path: Path) -> None:
    """Carry out what was played earlier, if anything is kept.

    Raises:
        InputError: The kept episode is over, or is another one.
    """
    if not path.exists():
        return
    kept = load_game_certificate(path)
    found = verify_game(kept, session.game)
    same = (kept.seed, kept.player) == (session.seed, _HUMAN)
    if not found.valid or not same or found.over:
        message = (
            "this episode has been played to its end"
            if found.valid and same
            else "this is another episode than the one to be played here"
        )
        allowed = "another seed or folder, or to remove the file"
        raise InputError(f"{path}:1: file: {message}; allowed: {allowed}")
    for action in kept.actions:
        session.act(domain_of(session.game).read_action(action))


def _keep_game(made: GameCertificate, game: Game, folder: Path, fallback: Path) -> list[Path]:
    """Write what was played; where that fails, to where it can be done, rather than lose it."""
    try:
        make_folder(folder)
        path = certificate_path(folder, game, _HUMAN, made.seed)
        write_document(made, path)
    except InputError as error:
        if folder == fallback:
            raise
        say_wrong(str(error))
        return _keep_game(made, game, fallback, fallback)
    return [path]


def _report_game(made: GameCertificate, game: Game, kept: list[Path], as_json: bool) -> None:
    for path in kept:
        say_written(path, f"{number(made.steps, 'step')} of {made.game.name}")
    if as_json:
        games = {made.game.name: game_summary(game, [made])} if made.steps else {}
        document = {"schema": "mars-logic game run 1", "agent": _HUMAN.name, "games": games}
        print_json(document | {"kept": [str(path) for path in kept]})
    elif made.steps:
        print(f"{made.steps} steps, score {made.score}, reward {made.reward}")
