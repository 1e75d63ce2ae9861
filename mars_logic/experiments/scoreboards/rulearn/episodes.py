"""Episodes of puzzles for a scoreboard: units of work, done in processes, kept line by line."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from os.path import lexists
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from mars_logic.domains import domain_of, games_of, load_game
from mars_logic.domains.library import collected_games, split_name
from mars_logic.domains.playing import play
from mars_logic.domains.protocol import GamePlayer, Observation
from mars_logic.domains.rulearn.escape_room.rules import EscapeRoom
from mars_logic.domains.rulearn.language_models.quality import HypothesisRecord, hypothesis_record
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.seen_episodes import replayed_episode
from mars_logic.errors import InputError
from mars_logic.experiments.scoreboards.notes import answers_of, folder_of_episodes, player_code
from mars_logic.language.settings import LanguageSettings
from mars_logic.play.agent import Episode
from mars_logic.system.files import append_whole, read_text, write_or_refuse
from mars_logic.system.pools import ProcessDied, in_processes
from mars_logic.world.fields import invalid, shown
from mars_logic.world.mistakes import mistakes
from mars_logic.world.problems import dotted

ORDERS: Final = tuple(itertools.permutations(range(3)))
"""The orders of the digits of a password."""
FILE: Final = "episodes.jsonl"
_WHAT: Final = "episodes of a scoreboard, one a line"
_MOST_BYTES: Final = 100_000_000
_BEGINS: Final = '{"unit": '


@dataclass(frozen=True)
class Contestant:
    """A player with its options.

    Attributes:
        name: What it is called in tables.
        agent: The player.
        options: Its options.
        hints: The hints of reactors; None for those of the reference.
        families: The families that it plays.
        asks: Whether a language model plays it; it takes part where one is named.
    """

    name: str
    agent: str
    options: Mapping[str, Any] = field(default_factory=dict)
    hints: str | None = None
    families: tuple[str, ...] = ("function_operator", "escape_room", "reactor")
    asks: bool = False


CONTESTANTS: Final = (
    Contestant("idea", "idea"),
    Contestant("idea, hints hidden", "idea", {}, "none", ("reactor",)),
    Contestant("told", "told"),
    Contestant("baseline", "baseline"),
    Contestant("hints trusted", "idea", {"trust_hints": True}, None, ("reactor",)),
    Contestant("no revision", "idea", {"revise": False}),
    Contestant("random experiments", "idea", {"experiments": "random"}),
    Contestant("no experiments", "idea", {"experiments": "none"}),
    *(
        Contestant(name, name, asks=True)
        for name in (
            "idea_llm",
            "idea_llm_verified",
            "idea_llm_planner",
            "baseline_llm",
            "told_llm",
        )
    ),
)
BY_NAME: Final = {each.name: each for each in CONTESTANTS}


def _known(name: str) -> str:
    if name not in BY_NAME:
        raise invalid(f"there is no contestant {shown(name)}", ", ".join(BY_NAME))
    return name


def _released(name: str) -> str:
    base, _ = split_name(name)
    if base not in collected_games():
        raise invalid(f"there is no puzzle {shown(name)}", "a puzzle of rulearn")
    return name


@dataclass(frozen=True)
class PuzzleUnit:
    """An episode to play.

    Attributes:
        puzzle: The name of the puzzle.
        contestant: The name of the contestant.
        seed: The seed of the episode.
        order: Of an escape room the place of the order of its digits in ``ORDERS``.
        model: The language model that plays; empty if none does.
    """

    puzzle: Annotated[str, Field(max_length=300), AfterValidator(_released)]
    contestant: Annotated[str, Field(max_length=100), AfterValidator(_known)]
    seed: Annotated[int, Field(ge=0, lt=100)]
    order: Annotated[int, Field(ge=0, lt=len(ORDERS))] = 0
    model: Annotated[str, Field(max_length=300)] = ""


@dataclass(frozen=True)
class PuzzleEpisode:
    """What came of an episode.

    Attributes:
        unit: What was played.
        solved: Whether the puzzle was solved.
        steps: Steps that count.
        actions: All actions.
        repeated: Actions that had been taken before under the same rule.
        seconds: Time of the processor for all decisions.
        hypotheses: The record of the hypotheses that were written; None if there are none.
    """

    unit: PuzzleUnit
    solved: bool
    steps: Annotated[int, Field(ge=0, lt=2**31)]
    actions: Annotated[int, Field(ge=0, lt=2**31)]
    repeated: Annotated[int, Field(ge=0, lt=2**31)]
    seconds: Annotated[float, Field(ge=0, lt=1e9, allow_inf_nan=False)]
    hypotheses: HypothesisRecord | None = None

    @classmethod
    def read(cls, line: str) -> PuzzleEpisode:
        """An episode from a line of JSON.

        Raises:
            ValidationError: It is none.
        """
        return _episodes().validate_json(line, strict=True)


@cache
def _episodes() -> TypeAdapter[PuzzleEpisode]:
    return TypeAdapter(PuzzleEpisode)


def puzzle_units(
    puzzles: Sequence[str],
    contestants: Sequence[Contestant],
    seeds: int,
    *,
    orders: bool,
    model: str = "",
) -> list[PuzzleUnit]:
    """All episodes of a scoreboard, those of the first seed first.

    Args:
        puzzles: Names of puzzles and sets.
        contestants: Who plays.
        seeds: Seeds of each; contestants that ask a language model have one.
        orders: Whether the first contestant plays escape rooms with all orders of their digits.
        model: The language model that plays for those that ask one.
    """
    names = [each for name in puzzles for each in games_of(name)]
    family = {name: load_game(name).domain for name in names}
    found = []
    for seed, contestant, name in itertools.product(range(seeds), contestants, names):
        if family[name] not in contestant.families or (contestant.asks and seed):
            continue
        every = range(len(ORDERS) if orders and _turned(contestant, family[name], seed) else 1)
        asked = model if contestant.asks else ""
        found += [PuzzleUnit(name, contestant.name, seed, order, asked) for order in every]
    return found


def _turned(contestant: Contestant, family: str, seed: int) -> bool:
    return family == "escape_room" and contestant is CONTESTANTS[0] and seed == 0


def played_unit(unit: PuzzleUnit, language: LanguageSettings | None = None) -> PuzzleEpisode:
    """Play an episode.

    Args:
        unit: The episode.
        language: Settings of the language model, for a contestant that asks one.
    """
    contestant = BY_NAME[unit.contestant]
    puzzle = load_game(unit.puzzle)
    assert isinstance(puzzle, Puzzle)
    if contestant.hints and puzzle.domain == "reactor":
        puzzle = puzzle.model_copy(update={"hints": contestant.hints})
    if unit.order and isinstance(puzzle, EscapeRoom):
        digits = tuple(puzzle.rule.digits[each] for each in ORDERS[unit.order])
        rule = puzzle.rule.model_copy(update={"digits": digits})
        puzzle = puzzle.model_copy(update={"rule": rule})
    domain = domain_of(puzzle)
    told = contestant.agent in ("told", "told_llm")
    theory = puzzle if told else domain.untold(puzzle)
    options = dict(contestant.options)
    if contestant.asks and language is not None:
        session = f"{unit.puzzle}__{contestant.name}"
        options["language"] = language.model_copy(update={"session": session})
    player = _Timed(domain.player(contestant.agent, theory, **options))
    played = play(domain.simulator(puzzle), player, unit.seed, puzzle.length)
    solved = bool(played.last.completed)
    many = len(played.actions)
    taken = (domain.action_data(each) for each in played.actions)
    record = hypothesis_record(replayed_episode(unit.puzzle, puzzle, unit.seed, list(taken)))
    about = unit, solved, played.steps, many, record.repeated, player.seconds
    return PuzzleEpisode(*about, record if record.written else None)


class _Timed:
    """A player whose decisions are timed."""

    knows_state = False

    def __init__(self, player: GamePlayer) -> None:
        self._player = player
        self.has_theory = player.has_theory
        self.seconds = 0.0

    def begin(self, episode: Episode) -> None:
        start = time.process_time()
        self._player.begin(episode)
        self.seconds += time.process_time() - start

    def act(self, observation: Observation) -> Any:
        start = time.process_time()
        action = self._player.act(observation)
        self.seconds += time.process_time() - start
        return action

    def end(self, episode: Episode) -> None:
        self._player.end(episode)

    def theory(self) -> list[str]:
        return self._player.theory()


def kept_episodes(folder: Path) -> dict[PuzzleUnit, PuzzleEpisode]:
    """The episodes that a folder holds; a last line that was not written to its end is none.

    Raises:
        InputError: A line is no episode.
    """
    path = folder / FILE
    found: dict[PuzzleUnit, PuzzleEpisode] = {}
    for number, line in enumerate(_whole_lines(path), 1):
        try:
            episode = PuzzleEpisode.read(line)
        except ValidationError as error:
            first = mistakes(error)[0]
            place = dotted(first.place) or "file"
            right = first.allowed or _WHAT
            message = f"{path}:{number}: {place}: {first.message}; allowed: {right}"
            raise InputError(message) from None
        if episode.unit in found:
            raise InputError(f"{path}:{number}: unit: it is there twice; allowed: once")
        found[episode.unit] = episode
    return found


def _whole_lines(path: Path) -> list[str]:
    """The lines of a file that were written to their ends."""
    if not lexists(path):
        return []
    *lines, last = read_text(path, _WHAT, _MOST_BYTES).split("\n")
    return lines if not last or last.startswith(_BEGINS) else [*lines, last]


def _cut(path: Path) -> None:
    """Remove a last line that a process did not write to its end before it was killed."""
    if lexists(path):
        content = read_text(path, _WHAT, _MOST_BYTES)
        whole, _, last = content.rpartition("\n")
        if last.startswith(_BEGINS):
            write_or_refuse(path, f"{whole}\n" if whole else "")


def played_units(
    units: Sequence[PuzzleUnit],
    folder: Path,
    workers: int,
    done: Callable[[], None],
    language: LanguageSettings | None = None,
) -> dict[PuzzleUnit, PuzzleEpisode]:
    """All episodes of a folder, after playing what it does not hold yet.

    An episode is kept as soon as it is over.

    Args:
        units: Episodes that it has to hold.
        folder: Where they are kept.
        workers: How many processes play.
        done: Called after each episode, kept ones included.
        language: Settings of the language model, for contestants that ask one.

    Raises:
        InputError: An episode failed, or the folder holds something else, or episodes that were
            made from something else.
    """
    path = folder / FILE
    found = kept_episodes(folder)
    held = made_from([unit for unit in units if unit in found], language)
    with folder_of_episodes(folder, made_from(units, language), held):
        found = kept_episodes(folder)
        _cut(path)
        missing = [unit for unit in units if unit not in found]
        for _ in range(len(units) - len(missing)):
            done()
        with closing(_played(missing, workers, language)) as played:
            for unit, episode in played:
                found[unit] = episode
                append_whole(path, (json.dumps(asdict(episode)) + "\n").encode())
                done()
    return found


def made_from(units: Sequence[PuzzleUnit], language: LanguageSettings | None) -> dict[str, Any]:
    """What episodes are made from: puzzles, and contestants with their options and code."""
    games = {name: load_game(name) for name in dict.fromkeys(unit.puzzle for unit in units)}
    found: dict[str, Any] = {f"puzzle {name}": game.digest for name, game in games.items()}
    domains = {game.domain: domain_of(game) for game in games.values()}
    for name, model in dict.fromkeys((unit.contestant, unit.model) for unit in units):
        each = BY_NAME[name]
        plays = [domain for family, domain in sorted(domains.items()) if family in each.families]
        codes = [player_code(each.agent, domain.player_class, played_unit) for domain in plays]
        found |= {
            f"{name}{f' of {model}' if model else ''} in {domain.name}": {
                "agent": each.agent,
                "options": dict(each.options),
                "hints": each.hints,
                "language": answers_of(language) if each.asks else {},
                "code": code,
            }
            for domain, code in zip(plays, codes, strict=True)
        }
    return found


def _played(
    units: Sequence[PuzzleUnit], workers: int, language: LanguageSettings | None
) -> Generator[tuple[PuzzleUnit, PuzzleEpisode]]:
    work = partial(played_unit, language=language)
    if workers == 1:
        yield from ((unit, work(unit)) for unit in units)
        return
    for unit, outcome in in_processes(units, workers, work):
        if isinstance(outcome, ProcessDied):
            raise InputError(f"scoreboard: {unit}: {outcome.reason}; allowed: another try")
        yield unit, outcome
