"""A person plays a game in the terminal: the manual, what is seen, and numbered actions."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mars_logic.cli.output import make_folder, print_json, say_written, say_wrong
from mars_logic.display import number
from mars_logic.documents import write_document
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
from mars_logic.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

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
        """What was played so far."""
        return PlayedGame(tuple(self._actions), tuple(self._rewards), self.outcome, ())


def play_on(session: GameSession, show: Callable[[str], None], ask: Callable[[str], str]) -> None:
    """Let a person play until the game is over or they stop.

    Args:
        session: What is played.
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
        game: What is played.
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
    from mars_logic.interruptions import as_interruption

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
        kept = _keep(made, game, wanted, fallback) if session.steps and wanted else []
    _report(made, game, kept, as_json)
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
        InputError: What is kept was played to its end, or is another episode.
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


def _keep(made: GameCertificate, game: Game, folder: Path, fallback: Path) -> list[Path]:
    """Write what was played; where that fails, to where it can be done, rather than lose it."""
    try:
        make_folder(folder)
        path = certificate_path(folder, game, _HUMAN, made.seed)
        write_document(made, path)
    except InputError as error:
        if folder == fallback:
            raise
        say_wrong(str(error))
        return _keep(made, game, fallback, fallback)
    return [path]


def _report(made: GameCertificate, game: Game, kept: list[Path], as_json: bool) -> None:
    for path in kept:
        say_written(path, f"{number(made.steps, 'step')} of {made.game.name}")
    if as_json:
        games = {made.game.name: game_summary(game, [made])} if made.steps else {}
        document = {"schema": "mars-logic game run 1", "agent": _HUMAN.name, "games": games}
        print_json(document | {"kept": [str(path) for path in kept]})
    elif made.steps:
        print(f"{made.steps} steps, score {made.score}, reward {made.reward}")
