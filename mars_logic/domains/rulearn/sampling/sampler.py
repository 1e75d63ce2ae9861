"""Draws new puzzles until one is well posed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import ConfigDict, Field

from mars_logic.domains import domain, games_of, load_game
from mars_logic.domains.game import Game
from mars_logic.domains.rulearn.sampling.functions import draw_functions, functions_proof
from mars_logic.domains.rulearn.sampling.materials import draw_reactor, reactor_proof
from mars_logic.domains.rulearn.sampling.request import Drawing, PuzzleRequest
from mars_logic.domains.rulearn.sampling.rooms import draw_rooms, rooms_proof
from mars_logic.errors import InputError
from mars_logic.system.documents import DocumentPart, read_document, write_document
from mars_logic.system.files import refusal, write_or_refuse

MOST_DRAWS: Final = 1000
"""Draws after which there is taken to be no puzzle of a kind."""
_SHORT: Final = {"function_operator": "fo", "escape_room": "er", "reactor": "re"}
_TOLD: Final = ("name", "title", "length", "dialect", "hints")
"""Fields in which two puzzles with the same rules may differ."""


@dataclass(frozen=True)
class PuzzleSample:
    """A new puzzle.

    Attributes:
        puzzle: Its rules.
        proof: What shows that it is well posed, as plain data; ``words`` tells it.
        draws: Random puzzles that were drawn until this one was.
    """

    puzzle: Game
    proof: Mapping[str, Any]
    draws: int


def sample_name(request: PuzzleRequest, seed: int, number: int) -> str:
    """What a sampled puzzle is called."""
    return f"{_SHORT[request.family]}_s{seed}_{number:04d}"


def draw_puzzle(request: PuzzleRequest, seed: int, number: int) -> PuzzleSample:
    """The puzzle with this number: the first random one that is well posed and not released.

    Puzzles of different numbers may be alike where there are few of a kind.

    Raises:
        InputError: Of so many random puzzles none is.
    """
    kind = domain(request.family).kind
    shape = request.shape(number)
    purpose = f"{json.dumps(request.to_json())} {number}"
    drawing = Drawing(seed, purpose)
    for draws in range(1, MOST_DRAWS + 1):
        stated = _drawn(request, number, drawing)
        if stated is None:
            continue
        puzzle = kind.model_validate({"name": sample_name(request, seed, number), **stated})
        if _rules(puzzle) in _released(request.family):
            continue
        proof = _proof(puzzle, Drawing(seed, f"{purpose} {draws}"))
        if proof is not None:
            return PuzzleSample(puzzle, proof, draws)
    sizes = ", ".join(f"{name}={size}" for name, size in shape.items())
    message = f"none of {MOST_DRAWS} random puzzles with {sizes} is well posed and new"
    raise InputError(f"--size: {message}; allowed: other sizes")


def _drawn(request: PuzzleRequest, number: int, drawing: Drawing) -> dict[str, Any] | None:
    shape = request.shape(number)
    if request.family == "function_operator":
        return draw_functions(request, shape, drawing)
    if request.family == "escape_room":
        return draw_rooms(request, shape, drawing)
    return draw_reactor(request, shape, number, drawing)


def _proof(puzzle: Any, drawing: Drawing) -> dict[str, Any] | None:
    if puzzle.domain == "function_operator":
        return functions_proof(puzzle)
    if puzzle.domain == "escape_room":
        return rooms_proof(puzzle)
    return reactor_proof(puzzle, drawing)


@cache
def _released(family: str) -> frozenset[str]:
    return frozenset(_rules(load_game(each)) for each in games_of(f"rulearn/{family}"))


def _rules(puzzle: Game) -> str:
    """All that makes a puzzle, whatever it is called and whatever is told of it."""
    return json.dumps(puzzle.model_dump(mode="json", exclude=set(_TOLD)), sort_keys=True)


_SCHEMA: Final = "mars-logic sampled puzzle 1"
_WHAT: Final = "a proof written by sample"
_MOST_BYTES: Final = 1_000_000


class ProofInWords(DocumentPart):
    """What is proved of a puzzle: in words, and as data of its family."""

    model_config = ConfigDict(extra="allow")

    words: list[str]


class SampledPuzzle(DocumentPart):
    """What is known of a sampled puzzle: the document beside its file.

    Attributes:
        format: The schema of the document.
        puzzle: What it is called.
        file: The name of its file.
        family: Its family.
        rules: The kind of rules that was wanted.
        size: The sizes that were wanted.
        seed: The seed.
        number: Its number among the puzzles of the seed.
        digest: The digest of its rules.
        sizes: Its sizes.
        draws: Random puzzles that were drawn until this one was.
        proof: What shows that it is well posed.
        versions: Of this program and the solver.
    """

    format: Literal["mars-logic sampled puzzle 1"] = Field(alias="schema")
    puzzle: str
    file: str
    family: str
    rules: str
    size: str
    seed: int
    number: int
    digest: str
    sizes: dict[str, int]
    draws: int
    proof: ProofInWords
    versions: dict[str, str]


class PuzzleFolder:
    """A folder of puzzles that were sampled; nothing in it is replaced.

    Args:
        path: The folder; it is made with the first puzzle.
        request: What kind of puzzles is wanted.
        seed: The same seed gives the same files.
    """

    def __init__(self, path: Path, request: PuzzleRequest, seed: int) -> None:
        self._path, self._request, self._seed = path, request, seed

    def add(self, number: int) -> SampledPuzzle:
        """What is known of the puzzle with this number: kept, or drawn and written now.

        Raises:
            InputError: Another file bears its name, it cannot be written, or there is no such
                puzzle.
        """
        name = sample_name(self._request, self._seed, number)
        file = self._path / f"{name}.yaml"
        beside = file.with_suffix(".json")
        about = {"puzzle": name, "file": file.name, **self._request.to_json()}
        about |= {"seed": self._seed, "number": number}
        kept = _kept(beside, about)
        if os.path.lexists(file):
            if kept is None or load_game(file).digest != kept.digest:
                raise _taken(file)
            return kept
        sample = draw_puzzle(self._request, self._seed, number)
        known = {
            "digest": sample.puzzle.digest,
            "sizes": dict(self._request.shape(number)),
            "draws": sample.draws,
            "proof": sample.proof,
            "versions": {each: version(each) for each in ("mars-logic", "clingo")},
        }
        sampled = SampledPuzzle.model_validate({"schema": _SCHEMA, **about, **known})
        try:
            self._path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise refusal(self._path, error, "a folder to write to") from None
        # The puzzle is written last, so its presence implies complete files.
        write_document(sampled, beside)
        write_or_refuse(file, sample.puzzle.to_yaml())
        return sampled


def _kept(path: Path, about: dict[str, Any]) -> SampledPuzzle | None:
    """What was written of a puzzle, if anything was.

    Raises:
        InputError: It is about another puzzle than the one that is wanted, or no such document.
    """
    if not os.path.lexists(path):
        return None
    found = read_document(path, SampledPuzzle, _WHAT, _SCHEMA, _MOST_BYTES)
    if any(getattr(found, key) != value for key, value in about.items()):
        raise _taken(path)
    return found


def _taken(file: Path) -> InputError:
    message = "this is another file than the one to be written here"
    return refusal(file, message, "another folder, or to remove the file")
