"""Tables of results that RULEARN's program wrote (``.csv``), as recorded episodes.

A row is an episode; one of its columns holds what the player was told, in turn. Its sentences tell
actions and outcomes as far as rules are judged by them: products, values, right digits. Draws,
which would be needed to replay an episode, are not told.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mars_logic.domains.library import collected_games
from mars_logic.domains.load import load_game
from mars_logic.domains.registry import domain_of
from mars_logic.domains.rulearn.domain import puzzle_simulator
from mars_logic.domains.rulearn.episode import PuzzleAction
from mars_logic.domains.rulearn.escape_room.rules import EscapeRoom
from mars_logic.domains.rulearn.function_operator.simulator import evaluated
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.space import SeenEpisode
from mars_logic.errors import InputError
from mars_logic.system.files import read_text
from mars_logic.system.printable import in_one_line

_FAMILIES: Final = {
    "Function_operator_puzzles": "fo",
    "Art_gallery_puzzles": "er",
    "Reactor_puzzles": "re",
}
_COLUMNS: Final = ("puzzle_name", "puzzle_level", "puzzle_index", "round_index", "All_memories_str")
_TOLD: Final = "1"
"""The level at which players were told the rule."""
_MOST_BYTES: Final = 50_000_000
_ALLOWED: Final = "a table of results of RULEARN"
_ROWS: Final = re.compile(
    r"<New Row>|(?=You assign the value )|(?=You just updated your plan)|(?=You can still try )"
    r"|(?=You tried too many times)|(?<=\.\")(?=\d)"
)
_SHOWN: Final = 60
_IGNORED: Final = re.compile(
    r"You entered .*|.* checked <.*|You can still try \d+ times? before the password change!", re.S
)


@dataclass
class TableEpisode:
    """An episode of a table.

    Attributes:
        place: The file and the number of the row, for messages.
        puzzle: The released puzzle that was played.
        steps: Each with ``action``, ``draws`` and ``outcome``, as recordings have them.
        hypothesis: What the player held last; empty if it never said.
        unread: What it was told that is not read.
    """

    place: str
    puzzle: Puzzle
    steps: list[dict[str, Any]] = field(default_factory=list)
    hypothesis: str = ""
    unread: list[str] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The puzzle's id."""
        return self.puzzle.name.rpartition("/")[2]

    @property
    def is_released(self) -> bool:
        """Whether what was told agrees with the released puzzle; people played other ones."""
        space = domain_of(self.puzzle).version_space
        assert space is not None
        steps = tuple((PuzzleAction.read(each["action"]), each["outcome"]) for each in self.steps)
        seen = SeenEpisode(self.place, self.puzzle, self.line["start"], steps)
        return all(each.agrees for each in space.judged(self.puzzle, seen))

    @property
    def line(self) -> dict[str, Any]:
        """The episode as recordings have it."""
        length = self.puzzle.length
        return {
            "id": self.place,
            "family": self.puzzle.domain,
            "puzzle": {"id": self.id},
            "idea": bool(self.hypothesis),
            "step_limit": length,
            "start": puzzle_simulator(self.puzzle, hypotheses="none").start,
            "steps": self.steps,
            "end": {},
        }


def is_result_table(path: Path) -> bool:
    """Whether the name is that of a table."""
    return path.suffix == ".csv"


def read_table(path: Path) -> Iterator[TableEpisode]:
    """The episodes of a table; those in which the rule was told are left out.

    Raises:
        InputError: It is no such table, or a row is of a puzzle that was not released.
    """
    text = read_text(path, _ALLOWED, _MOST_BYTES)
    csv.field_size_limit(_MOST_BYTES)
    try:
        rows = [*csv.DictReader(io.StringIO(text), strict=True)]
    except csv.Error as error:
        raise InputError(f"{path}:1: file: {error}; allowed: {_ALLOWED}") from None
    if not rows:
        raise InputError(f"{path}:1: rows: there is none; allowed: one or more, below their names")
    missing = [name for name in _COLUMNS if name not in rows[0]]
    if missing:
        raise InputError(
            f"{path}:1: {missing[0]}: it is missing; allowed: {_ALLOWED}, with "
            f"{', '.join(_COLUMNS)}"
        )
    for number, row in enumerate(rows, 1):
        if row["puzzle_level"] != _TOLD:
            yield _episode(path, number, row)


def _episode(path: Path, number: int, row: dict[str, str | None]) -> TableEpisode:
    place = f"{path} row {number}"
    family = _FAMILIES.get(row["puzzle_name"] or "")
    called = f"{family}_r{row['round_index']}_{str(row['puzzle_index'] or '').zfill(2)}"
    name = f"rulearn/{called}"
    if family is None or name not in collected_games():
        told = in_one_line(f"{row['puzzle_name']} {row['round_index']} {row['puzzle_index']}")
        raise InputError(
            f"{path}:1: row {number}: puzzle_name: there is no puzzle {told[:_SHOWN]!r}; allowed: "
            f"{', '.join(_FAMILIES)}, with a round and an index of the released ones"
        )
    puzzle = load_game(name)
    assert isinstance(puzzle, Puzzle)
    found = TableEpisode(place, puzzle)
    for told in _ROWS.split(row["All_memories_str"] or ""):
        _read(found, told.strip())
    stated = (row.get("All_assumptions_str") or "").split("<New Row>")
    found.hypothesis = found.hypothesis or stated[-1].strip()
    return found


def _read(episode: TableEpisode, told: str) -> None:
    """Take in what the player was told."""
    if not told or _IGNORED.fullmatch(told):
        return
    for pattern, taken in _FORMS:
        if match := pattern.fullmatch(told):
            taken(episode, match)
            return
    episode.unread.append(in_one_line(told)[:_SHOWN])


def _add(episode: TableEpisode, action: dict[str, Any], **shown: Any) -> None:
    free = action["do"] == "hypothesise"
    steps = sum(each["action"]["do"] != "hypothesise" for each in episode.steps) + (not free)
    outcome = {"steps": steps, "done": False, "success": None} | shown
    episode.steps.append({"action": action, "draws": [], "outcome": outcome})


def _reacted(episode: TableEpisode, match: re.Match[str]) -> None:
    materials, products = match[1].split(" and "), match[2].split(" and ")
    _add(episode, {"do": "react", "materials": materials}, error=None, products=products)


def _refused(episode: TableEpisode, match: re.Match[str]) -> None:
    materials = re.findall(r"<([A-Z]+)>", match[1])
    error = "unknown_material" if len(materials) == 1 else "too_many"
    _add(episode, {"do": "react", "materials": materials}, error=error, products=[])


def _evaluated(episode: TableEpisode, match: re.Match[str]) -> None:
    typed, number = match[1].strip(), int(match[2])
    if evaluated([], {}, typed)[0] is None:
        episode.unread.append(f"the input {in_one_line(typed)[:_SHOWN]!r}")
        return
    action = {"do": "evaluate", "function": number, "input": typed}
    _add(episode, action, value=float(match[3]), error=None)


def _divided(episode: TableEpisode, match: re.Match[str]) -> None:
    action = {"do": "evaluate", "function": int(match[2]), "input": match[1].strip()}
    _add(episode, action, value=None, error="division_by_zero")


def _entered(episode: TableEpisode, match: re.Match[str]) -> None:
    typed = match[1].strip()
    entered = "".join(each for each in typed if each in "0123456789")
    digits = [
        each == "correct" for each in re.findall(r"digit \S+ is (correct|incorrect)", match[2])
    ]
    whole = len(digits) == len(entered) == len(episode.puzzle.code_parts)
    shown = {"entered": entered, "digits": digits if whole else []}
    _add(episode, {"do": "enter_code", "code": typed}, correct=False, changed=False, **shown)


def _opened(episode: TableEpisode, match: re.Match[str]) -> None:
    code = match[1].strip()
    entered = "".join(each for each in code if each in "0123456789")
    right = [True] * len(entered) if len(entered) == len(episode.puzzle.code_parts) else []
    shown = {"correct": True, "changed": False, "entered": entered, "digits": right}
    _add(episode, {"do": "enter_code", "code": code}, **shown)


def _changed(episode: TableEpisode, match: re.Match[str]) -> None:
    if not episode.steps or episode.steps[-1]["action"]["do"] != "enter_code":
        episode.unread.append(in_one_line(match[0])[:_SHOWN])
        return
    hint = {"hint_color": match["hint"]} if "hint" in match.groupdict() else {}
    episode.steps[-1]["outcome"] |= {"changed": True} | hint


def _passed(episode: TableEpisode, match: re.Match[str]) -> None:
    rooms = {room.name: room for room in _rooms(episode.puzzle)}
    if match[1] not in rooms:
        episode.unread.append(in_one_line(match[0])[:_SHOWN])
        return
    shown = {"room": match[1], "paintings": list(rooms[match[1]].paintings)}
    _add(episode, {"do": "pass", "to": match[1]}, **shown)


def _rooms(puzzle: Puzzle) -> Any:
    return puzzle.rooms if isinstance(puzzle, EscapeRoom) else ()


def _hypothesised(episode: TableEpisode, match: re.Match[str]) -> None:
    episode.hypothesis = match[1].strip()
    _add(episode, {"do": "hypothesise", "text": episode.hypothesis})


def _malformed(episode: TableEpisode, _: re.Match[str]) -> None:
    _add(episode, {"do": "malformed"})


def _forced(episode: TableEpisode, _: re.Match[str]) -> None:
    _add(episode, {"do": "brute_force"})


def _forms() -> Iterator[tuple[str, Callable[[TableEpisode, re.Match[str]], None]]]:
    yield r"By turning on the reactor (.*?) turned into (.*?) after the reaction\..*", _reacted
    yield r"You tried to put (<.*>) into the <Reactor>, but .*", _refused
    yield r"You selected (<.*>) to react, there are more than 2 reactants .*", _refused
    yield (
        r"You assign the value (.*?) to x of the function #(\d+), and then the function outputs "
        r"(-?[\d.]+(?:e[-+]?\d+)?)\. \(.*\)",
        _evaluated,
    )
    yield (
        r"You assign the value (.*?) to x of the function #(\d+), and then the function outputs "
        r"Error, your input cause the function divided by zero.*",
        _divided,
    )
    yield r".*'s decision is (.*?), but the password was incorrect\.(.*)", _entered
    yield r"(.*?) is  ?the correct input for <.*>\.?", _opened
    yield (
        r"You tried too many times, the password is now changed\. .*"
        r"\b[Ff]ocus on (?P<hint>[a-z]+)\b.*",
        _changed,
    )
    yield r"You tried too many times, the value of parameters have been reassigned.*", _changed
    yield r"You successfully pass the .* and arrived at (.*) from .*", _passed
    yield (
        r"You just updated your plan and your hypothesis,? ?following is your new hypothesis and "
        r"plan: ?(.*)",
        _hypothesised,
    )
    yield r"(?:Error, your input|You should select) .*", _malformed
    yield ".*could not be opened by brute force.*", _forced


_FORMS: Final = tuple((re.compile(pattern, re.S), taken) for pattern, taken in _forms())
