"""Conflicts of a request: minimal unsatisfiable sets of requests and principles."""

from __future__ import annotations

from dataclasses import dataclass

from mars_logic.logic.sampling.problem import SamplingProblem
from mars_logic.logic.sampling.request import Request
from mars_logic.logic.sampling.space import Space
from mars_logic.world.words import tell

_WORDS = {
    "unlock": "{0} can be unlocked",
    "useful": "something is collected with the {0}",
    "somewhere": "there is {0} on the map",
    "rises": "something raises {0}",
    "balance": "what harms and what heals balance each other, within 3",
    "supply": "there is as much {0} as everything uses together",
    "effect": "values without effect do not change",
    "permutation": "terrains change places, so that none is lost",
    "yields": "what is yielded changes in one of the paper's three kinds",
    "sustained": "what never runs dry brings back as much {0} as living on takes",
    "flammability": "what is flammable is made with a furnace, and no furnace is built from it",
}
"""Each principle of encodings/ in words."""


@dataclass(frozen=True)
class RequestConflict:
    """A minimal unsatisfiable set of principles.

    Attributes:
        modifications: The allowed modifications.
        principles: Terms of principles and requests; without any of them, the others can hold.
        words: The same in words.
    """

    modifications: tuple[str, ...]
    principles: tuple[str, ...]
    words: tuple[str, ...]


def conflict(request: Request) -> RequestConflict:
    """Why a request is impossible: a minimal conflict, in words.

    Each combination of modifications is examined; the smallest conflict is returned.

    Raises:
        ValueError: The request is possible.
        LimitReachedError: A search was given up.
    """
    found = [
        RequestConflict(names, core, tuple(_words(name, request) for name in core))
        for names in request.combinations
        if (core := _core(names, request)) is not None
    ]
    if len(found) < len(request.combinations):
        raise ValueError("the request is possible")
    return min(found, key=lambda each: len(each.principles))


def _core(modifications: tuple[str, ...], request: Request) -> tuple[str, ...] | None:
    """A minimal unsatisfiable set of principles; None if all are satisfiable.

    The result is deterministic: principles are removed in their order, the paper's first and
    requested ones last.
    """
    problem = SamplingProblem(Space.of(modifications, request.must), request, relaxed=True)
    fixed, difficulties = _split(problem.principles)
    cores = [_shrunk(problem, [*fixed, *one]) for one in difficulties]
    if any(core is None for core in cores):
        return None
    return min((core for core in cores if core is not None), key=len)


def _split(principles: list[str]) -> tuple[list[str], list[list[str]]]:
    """All principles but difficulties, in order; and each difficulty, or none."""
    fixed = [name for name in principles if not name.startswith("difficulty")]
    fixed.sort(key=lambda name: name.startswith(("must", "forbid")))
    difficulties = [[name] for name in principles if name.startswith("difficulty")]
    return fixed, difficulties or [[]]


def _shrunk(problem: SamplingProblem, principles: list[str]) -> tuple[str, ...] | None:
    if problem.upholds(principles):
        return None
    core = principles
    for name in principles:
        rest = [other for other in core if other != name]
        if not problem.upholds(rest):
            core = rest
    return tuple(core)


def _words(principle: str, request: Request) -> str:
    name, _, subject = principle.rstrip(")").partition("(")
    if name == "must":
        return f"must: {tell(request.must[int(subject)])}"
    if name == "forbid":
        return f"forbidden: {tell(request.forbid[int(subject)])}"
    if name == "difficulty":
        return _difficulty(request)
    return _WORDS[name].format(subject.replace("_", " ") if name != "unlock" else subject)


def _difficulty(request: Request) -> str:
    low, high = request.difficulty or (0, 0)
    if low < high:
        return f"{low} to {high} rules change"
    return f"{low} rule changes" if low == 1 else f"{low} rules change"
