"""SmartPlay's scoreboard: our players in its seven games, as many trials as in the paper.

Each contestant has a seat in each game: one of the players of the game's domain or, in Crafter, an
agent. Episodes are kept as certificates, so that a scoreboard that was interrupted goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from mars_logic.domains.library import names_a_game
from mars_logic.domains.load import load_game
from mars_logic.domains.registry import domain_of
from mars_logic.domains.runs import GameRun, Prior
from mars_logic.domains.scores import published
from mars_logic.errors import InputError
from mars_logic.experiments.runs import Run
from mars_logic.experiments.scoreboards.notes import (
    answers_of,
    folder_of_episodes,
    player_code,
)
from mars_logic.language.settings import LanguageSettings
from mars_logic.play.agent import load_agent, plays_games
from mars_logic.play.unlock_score import smartplay_row
from mars_logic.system.kept import code_of
from mars_logic.world.fields import nearest
from mars_logic.world.load import load_world

TRIALS: Final[Mapping[str, int]] = {
    "Bandits": 20,
    "RockPaperScissors": 20,
    "Hanoi": 10,
    "MessengerL1": 100,
    "MessengerL2+": 100,
    "Crafter": 10,
    "Minecraft": 20,
}
"""By game: the trials in the paper."""
CRAFTER: Final = "Crafter"
STAND_INS: Final[Mapping[str, str]] = {"Minecraft": "BiomeNavigation@goal=plains"}
"""By game that cannot be played here: what is played in its stead, with other maps."""


@dataclass(frozen=True)
class Seat:
    """Who plays a game for a contestant.

    Attributes:
        player: One of the players of the game's domain, or an agent.
        prior: What a player with a theory is told at first.
        options: Of the player's class.
        lessons: Episodes in which it learns, before those that count.
    """

    player: str
    prior: Prior | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    lessons: int = 0


MODEL: Final = "model"
"""The contestant that is a language model."""
CONTESTANTS: Final[Mapping[str, Mapping[str, Seat]]] = {
    "random": {
        "bandits": Seat("random"),
        "rock_paper_scissors": Seat("random"),
        "hanoi": Seat("random"),
        "messenger": Seat("random"),
        "crafter": Seat("random"),
        "biomes": Seat("random"),
    },
    "names": {"messenger": Seat("names")},
    "learner": {
        "bandits": Seat("bayes", "none"),
        "rock_paper_scissors": Seat("bayes", "none"),
        "hanoi": Seat("oracle"),  # told nothing but the manual, which holds all rules
        "messenger": Seat("reader"),
        "crafter": Seat("inductive", options={"prior": "none"}, lessons=2),
        "biomes": Seat("explorer"),
    },
    "oracle": {
        "bandits": Seat("oracle"),
        "rock_paper_scissors": Seat("oracle"),
        "hanoi": Seat("oracle"),
        "messenger": Seat("oracle"),
        "crafter": Seat("oracle"),
    },
    MODEL: {domain: Seat("smartplay") for domain in published().histories},
}
"""By contestant: its seat in each domain; where it has none, it does not play."""


@dataclass(frozen=True)
class BoardCell:
    """The episodes of a contestant in a game.

    Attributes:
        contestant: Who played.
        game: A column of SmartPlay's tables.
        player: The player or agent in its seat.
        seeds: Of the episodes.
        scores: SmartPlay's score of each.
        completed: Of each whether the goal was reached; empty in games without one.
        lives: In Crafter: the numbers of ``smartplay_row`` of each, and ``names``, what was
            unlocked; elsewhere empty.
    """

    contestant: str
    game: str
    player: str
    seeds: tuple[int, ...]
    scores: tuple[float, ...]
    completed: tuple[bool, ...] = ()
    lives: tuple[Mapping[str, Any], ...] = ()


def bundled_setting(game: str) -> str | None:
    """The bundled game or world that is played for a column; None if there is none."""
    if game == CRAFTER:
        return "crafter"
    name = STAND_INS.get(game, published().settings[game])
    return name if names_a_game(name) else None


def seat_of(contestant: str, game: str) -> Seat | None:
    """Who plays a game for a contestant; None if nobody does."""
    name = bundled_setting(game)
    if name is None:
        return None
    domain = "crafter" if game == CRAFTER else load_game(name).domain
    seat = CONTESTANTS[contestant].get(domain)
    if seat is None or game == CRAFTER:
        return seat
    known = seat.player in domain_of(load_game(name)).players or plays_games(seat.player)
    return seat if known else None


def chosen(given: str | None, known: Sequence[str], option: str) -> list[str]:
    """The names in a list with commas; all that are known if none is given.

    Raises:
        InputError: One is unknown, or none is left.
    """
    names = [each.strip() for each in given.split(",")] if given is not None else list(known)
    for name in names:
        if name not in known:
            message = f"there is no '{name}'{nearest(name, known)}"
            raise InputError(f"{option}: {message}; allowed: {', '.join(known)}")
    return list(dict.fromkeys(names))


def trials(game: str, episodes: int | None) -> int:
    """How many episodes of a game count."""
    return TRIALS[game] if episodes is None else episodes


def total(contestants: Sequence[str], games: Sequence[str], episodes: int | None) -> int:
    """How many episodes a scoreboard takes, lessons included."""
    seats = [(game, seat_of(each, game)) for each in contestants for game in games]
    return sum(trials(game, episodes) + seat.lessons for game, seat in seats if seat)


def cells(
    contestants: Sequence[str],
    games: Sequence[str],
    episodes: int | None,
    folder: Path | None,
    done: Callable[[], None] = lambda: None,
    language: LanguageSettings | None = None,
) -> Iterator[BoardCell]:
    """Play what is not kept yet.

    Args:
        contestants: Who plays.
        games: Columns of SmartPlay's tables.
        episodes: Episodes of each game; by default those of the paper.
        folder: Where certificates are kept, if they are.
        done: Called after each episode.
        language: Settings of the model that takes part, if one does.

    Raises:
        InputError: What lies in an episode's place is another one, or the folder holds episodes
            that were made from something else; or the language model gave no answer.
    """
    seats = [
        (contestant, game, seat)
        for game in games
        for contestant in contestants
        if (seat := seat_of(contestant, game))
    ]
    with _held(folder, seats, language):
        for contestant, game, seat in seats:
            within = folder / contestant if folder else None
            if within is not None:
                within.mkdir(parents=True, exist_ok=True)
            play = _crafter if game == CRAFTER else _game
            asked = language if contestant == MODEL else None
            yield play(contestant, game, seat, trials(game, episodes), within, done, asked)


def _held(
    folder: Path | None,
    seats: Sequence[tuple[str, str, Seat]],
    language: LanguageSettings | None,
) -> AbstractContextManager[None]:
    """The folder of the certificates, with a note of what they are made from."""
    if folder is None:
        return nullcontext()
    folder.mkdir(parents=True, exist_ok=True)
    held = [
        f"{contestant} in {game}"
        for contestant, game, _ in seats
        if any((folder / contestant).glob(f"{bundled_setting(game)}__*.json"))
    ]
    about = {
        f"{contestant} in {game}": _made_from(game, seat)
        | (answers_of(language) if contestant == MODEL else {})
        for contestant, game, seat in seats
    }
    return folder_of_episodes(folder, about, held)


def _made_from(game: str, seat: Seat) -> dict[str, Any]:
    name = bundled_setting(game)
    assert name is not None
    about = {
        "player": seat.player,
        "prior": seat.prior,
        "options": dict(seat.options),
        "lessons": seat.lessons,
    }
    if game == CRAFTER:
        code = code_of(_crafter, load_agent(seat.player))
        return {**about, "game": load_world(name).digest, "code": code}
    rules = load_game(name)
    code = player_code(seat.player, domain_of(rules).player_class, _game)
    return {**about, "game": rules.digest, "code": code}


def _game(
    contestant: str,
    game: str,
    seat: Seat,
    episodes: int,
    folder: Path | None,
    done: Callable[[], None],
    language: LanguageSettings | None,
) -> BoardCell:
    name = bundled_setting(game)
    assert name is not None
    options = dict(seat.options)
    rules = load_game(name)
    about = rules, name, seat.player
    run = GameRun(*about, prior=seat.prior, folder=folder, options=options, language=language)
    found = []
    for seed in range(episodes):
        found.append(run.add(seed).certificate)
        done()
    completed = tuple(each.completed for each in found if each.completed is not None)
    scores = tuple(float(each.score) for each in found)
    return BoardCell(contestant, game, seat.player, tuple(range(episodes)), scores, completed)


def _crafter(
    contestant: str,
    game: str,
    seat: Seat,
    episodes: int,
    folder: Path | None,
    done: Callable[[], None],
    language: LanguageSettings | None,
) -> BoardCell:
    """Lives of an agent; one that learns plays everything again unless all of it is kept."""
    world = load_world("crafter")
    options = dict(seat.options)
    if language is not None:
        options["language"] = language.model_copy(update={"session": f"crafter__{seat.player}"})
    make = partial(load_agent(seat.player), **options)
    run = Run(seat.player, make, world, "crafter", folder, live_on=True, smartplay=True)
    seeds = range(seat.lessons + episodes)
    paths = [run.path(seed) for seed in seeds]
    remembers = seat.lessons > 0 or language is not None  # exchanges are one conversation
    run.anew = remembers and not all(path and path.exists() for path in paths)
    found = []
    for seed in seeds:
        found.append(run.add(seed).certificate)
        done()
    lives = [
        smartplay_row(each.unlocked, each.steps) | {"names": sorted(each.unlocked)}
        for each in found[seat.lessons :]
    ]
    scores = tuple(float(each["score"]) for each in lives)
    about = contestant, game, seat.player, tuple(seeds[seat.lessons :])
    return BoardCell(*about, scores, lives=tuple(lives))
