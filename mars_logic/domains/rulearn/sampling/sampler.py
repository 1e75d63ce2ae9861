"""Draws new puzzles until one is well posed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from mars_logic.domains import domain, games_of, load_game
from mars_logic.domains.game import Game
from mars_logic.domains.rulearn.sampling.functions import draw_functions, functions_proof
from mars_logic.domains.rulearn.sampling.materials import draw_reactor, reactor_proof
from mars_logic.domains.rulearn.sampling.request import Drawing, PuzzleRequest
from mars_logic.domains.rulearn.sampling.rooms import draw_rooms, rooms_proof
from mars_logic.errors import InputError

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
    """The rules of all released puzzles of a family."""
    return frozenset(_rules(load_game(each)) for each in games_of(f"rulearn/{family}"))


def _rules(puzzle: Game) -> str:
    """All that makes a puzzle, whatever it is called and whatever is told of it."""
    return json.dumps(puzzle.model_dump(mode="json", exclude=set(_TOLD)), sort_keys=True)
