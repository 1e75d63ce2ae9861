"""Theories of puzzles against recorded episodes: what was seen speaks for or against each part."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mars_logic.domains.conformance import RecordedLine
from mars_logic.domains.library import collected_games
from mars_logic.domains.load import load_game
from mars_logic.domains.recordings import recorded_lines
from mars_logic.domains.rulearn.actions import action_text
from mars_logic.domains.rulearn.episode import PuzzleAction
from mars_logic.domains.rulearn.escape_room.paintings import paintings
from mars_logic.domains.rulearn.escape_room.rules import EscapeRoom
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator, FunctionTerm
from mars_logic.domains.rulearn.function_operator.simulator import evaluated
from mars_logic.domains.rulearn.parts import RulePart, rule_parts
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.reactor.programs import products
from mars_logic.domains.rulearn.replay import PuzzleRecording
from mars_logic.errors import InputError

_RELATIVE: Final = 1e-9


@dataclass(frozen=True)
class _Seen:
    """What a recorded action says about one part.

    Attributes:
        part: The name of the part.
        agrees: Whether a completion of the part predicts it.
        told: The action and what was seen, in words.
    """

    part: str
    agrees: Callable[[Any], bool]
    told: str


@dataclass
class PartVerdict:
    """How a part of a theory stands to recorded episodes.

    Attributes:
        part: Its name.
        open: Whether nothing is known of a field of it, so that nothing contradicts it.
        support: How many observations it agrees with.
        against: How many it does not.
        counterexample: The first that it does not agree with: where it stands, and what was seen.
    """

    part: str
    open: bool
    support: int = 0
    against: int = 0
    counterexample: str | None = None

    @property
    def verdict(self) -> str:
        """``open``, ``untested``, ``supported`` or ``contradicted``."""
        if self.open:
            return "open"
        if self.against:
            return "contradicted"
        return "supported" if self.support else "untested"


@dataclass
class PuzzleCheck:
    """How a theory stands to recorded episodes.

    Attributes:
        episodes: Episodes about such a puzzle.
        skipped: Episodes about another one.
        parts: The verdict about each part.
    """

    episodes: int = 0
    skipped: int = 0
    parts: list[PartVerdict] = field(default_factory=list)

    @property
    def contradicted(self) -> bool:
        """Whether an observation speaks against a part."""
        return any(each.against for each in self.parts)


def check_puzzle(theory: Puzzle, files: Sequence[Path]) -> PuzzleCheck:
    """Hold a theory against recorded episodes of puzzles that look like its own.

    A part of which something is known is contradicted by an observation that none of its
    completions predicts.

    Raises:
        InputError: A file is no recording, or none of its episodes is about such a puzzle.
    """
    parts = {each.name: each for each in rule_parts(theory)}
    verdicts = {name: PartVerdict(name, each.completions is None) for name, each in parts.items()}
    found = PuzzleCheck(parts=list(verdicts.values()))
    for path in files:
        for line in recorded_lines(path):
            episode = line.read_as(PuzzleRecording)
            if episode.family != theory.domain or not _alike(theory, episode):
                found.skipped += 1
                continue
            found.episodes += 1
            for number, seen in _observations(theory, line, episode):
                _judge(
                    verdicts[seen.part],
                    parts[seen.part],
                    seen,
                    f"{line.file}:{line.line}, step {number}",
                )
    if not found.episodes:
        message = f"no episode is about a puzzle like {theory.name}"
        raise InputError(f"check: {message}; allowed: recordings of its puzzle")
    return found


def _alike(theory: Puzzle, episode: PuzzleRecording) -> bool:
    if isinstance(theory, FunctionOperator):
        shape = [[term.param for term in terms] for terms in theory.functions]
        return bool(episode.start["params_per_function"] == shape)
    if isinstance(theory, EscapeRoom):
        return f"hint_{theory.rule.focus}" in episode.start
    return True


def _judge(verdict: PartVerdict, part: RulePart, seen: _Seen, place: str) -> None:
    if part.completions is None:
        return
    if any(seen.agrees(each) for each in part.completions):
        verdict.support += 1
        return
    verdict.against += 1
    verdict.counterexample = verdict.counterexample or f"{place}: {seen.told}"


def _observations(
    theory: Puzzle, line: RecordedLine, episode: PuzzleRecording
) -> Iterator[tuple[int, _Seen]]:
    """What each step says about a part, with the step's number."""
    read = _Reader(theory, line, episode)
    for number, step in enumerate(episode.steps):
        action = PuzzleAction.read(step.action)
        for seen in read.seen(action, step.outcome):
            yield number, seen


class _Reader:
    """Reads the steps of an episode, and keeps what they depend on."""

    def __init__(self, theory: Puzzle, line: RecordedLine, episode: PuzzleRecording) -> None:
        self._theory, self._changed = theory, False
        self._focus = ""
        self._paintings: list[Any] = []
        if isinstance(theory, EscapeRoom):
            self._focus = episode.start[f"hint_{theory.rule.focus}"]
            name = f"rulearn/{episode.puzzle.get('id')}"
            if name not in collected_games():
                raise line.refusal("puzzle.id", f"there is no puzzle {name}", "a released puzzle")
            room = load_game(name)
            assert isinstance(room, EscapeRoom)
            hung = (each for one in room.rooms for each in room.hung(one))
            self._paintings = [paintings()[each] for each in hung]

    def seen(self, action: PuzzleAction, shown: Mapping[str, Any]) -> Iterator[_Seen]:
        """What an action says."""
        theory, told = self._theory, action_text(action)
        if action.do == "enter_code" and shown["digits"] and not self._changed:
            named = theory.letters if isinstance(theory, FunctionOperator) else ()
            for at, (digit, right) in enumerate(
                zip(shown["entered"], shown["digits"], strict=True)
            ):
                part = f"parameter {named[at]}" if named else f"digit {at + 1}"
                says = f"{told}: digit {at + 1} is {'right' if right else 'wrong'}"
                yield _Seen(part, self._digit(int(digit), right), says)
        elif action.do == "evaluate" and not self._changed:
            says = f"{told} is {shown['value'] if shown['error'] is None else shown['error']}"
            yield _Seen(f"function {action.function}", _evaluation(action, shown), says)
        elif action.do == "react" and len(action.materials) == 2 and shown["error"] is None:
            says = f"{told} gives {' and '.join(shown['products'])}"
            yield _Seen("rule", _reaction(action, shown), says)
        self._note(shown)

    def _note(self, shown: Mapping[str, Any]) -> None:
        if isinstance(self._theory, EscapeRoom):
            self._focus = shown.get(f"hint_{self._theory.rule.focus}", self._focus)
        elif shown.get("changed"):
            self._changed = True

    def _digit(self, digit: int, right: bool) -> Callable[[Any], bool]:
        focus, seen = self._focus, self._paintings
        if isinstance(self._theory, FunctionOperator):
            return lambda value: (value == digit) == right
        return lambda term: (term.value(seen, focus) % 10 == digit) == right


def _evaluation(action: PuzzleAction, shown: Mapping[str, Any]) -> Callable[[Any], bool]:
    def agrees(stated: list[dict[str, Any]]) -> bool:
        terms = [FunctionTerm.model_validate(each) for each in stated]
        values = {term.param: term.coef for term in terms}
        value, error = evaluated(terms, values, action.input)
        if value is None or shown["value"] is None:
            return bool(error == shown["error"])
        return math.isclose(value, shown["value"], rel_tol=_RELATIVE, abs_tol=_RELATIVE)

    return agrees


def _reaction(action: PuzzleAction, shown: Mapping[str, Any]) -> Callable[[Any], bool]:
    u, v = action.materials
    return lambda program: list(products(program, u, v)) == shown["products"]
