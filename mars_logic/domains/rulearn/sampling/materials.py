"""New targets for reactors, and the proof that they can be made, but hardly by chance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

from mars_logic.domains.rulearn.reactor.planner import ReactionPlanner
from mars_logic.domains.rulearn.reactor.rules import (
    CONDITIONS,
    OPERATIONS,
    RELEASED_PROGRAMS,
    Program,
    Reactor,
    products,
)
from mars_logic.domains.rulearn.sampling.request import Drawing, PuzzleRequest, Shape
from mars_logic.system.display import number

LEAST_REACTIONS: Final = 2
MOST_REACTIONS: Final = 10
"""Reactions that a plan with the rule known may have: some of 14 are left to find out the rule."""
MOST_CHANCE: Final = 0.1
"""How often random play may solve a puzzle: in the released ones it does in 9 % at most."""
EPISODES: Final = 1000
"""Episodes of random play by which that is measured."""
_TAIL: Final = 0.05
"""The probability with which the bound of a chance is too low."""
MOST_CONFLICTS: Final = 5_000
"""Conflicts of the solver after which a plan is taken without proof."""
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_TRIES: Final = 60
"""Random reactions among whose products a target of a new rule is looked for."""
_CUTS: Final = ("middle", "middle_down", 1, -1)


def draw_reactor(
    request: PuzzleRequest, shape: Shape, count: int, drawing: Drawing
) -> dict[str, Any] | None:
    """A random target, and the next released rule or a random new one, as a file states them.

    Args:
        request: What is wanted.
        shape: The sizes.
        count: The number of the puzzle: with it the released rules take turns.
        drawing: Random choices.

    Returns:
        None if no target of this length was met with the rule.
    """
    letters = _LETTERS[: shape["materials"]]
    if request.rules == "released":
        target = "".join(drawing.one(letters) for _ in range(shape["letters"]))
        return {"target": target, "rule": 1 + count // 5 % len(RELEASED_PROGRAMS)}
    rule = new_program(drawing)
    program = Reactor.model_validate({"target": "A", "rule": rule}).rule
    made = _made(program, letters, shape["letters"], drawing)
    if made is None:
        return None
    stated = {} if max(made) == letters[-1] else {"materials": list(letters)}
    return {"target": made, **stated, "rule": rule}


def new_program(drawing: Drawing) -> list[dict[str, Any]]:
    """A random program of one or two cases, as a file states it."""
    cases: list[dict[str, Any]] = [{"products": _products(drawing)}]
    if drawing.number(0, 1):
        when = drawing.some(tuple(CONDITIONS), drawing.number(1, 2))
        cases.insert(0, {"if": when, "products": _products(drawing)})
    return cases


def _products(drawing: Drawing) -> list[dict[str, Any]]:
    """Ways to put one input to, into or in turn with the other; or to split one at a place."""
    host, guest = drawing.some(drawing.one((("first", "second"), ("longer", "shorter"))), 2)
    added: dict[str, Any] = {"of": guest}
    if drawing.number(0, 3) == 0:
        added["reversed"] = True
    kind = drawing.one(("join", "insert", "interleave", "split"))
    cut = drawing.one(_CUTS)
    head, tail = {"of": host, "to": cut}, {"of": host, "from": cut}
    templates: list[dict[str, Any]] = {
        "join": [{"join": [{"of": host}, added]}],
        "insert": [{"join": [head, added, tail]}],
        "interleave": [{"interleave": [{"of": host}, added]}],
        "split": [{"join": [head, added]}, {"join": [tail]}],
    }[kind]
    if drawing.number(0, 2) == 0:
        templates[0]["then"] = [drawing.one(tuple(OPERATIONS))]
    return templates


def _made(program: Program, letters: str, size: int, drawing: Drawing) -> str | None:
    """A material of this length that random reactions make."""
    stored = list(letters)
    for _ in range(_TRIES):
        u, v = drawing.one(stored), drawing.one(stored)
        new = [each for each in products(program, u, v) if len(each) <= size]
        stored += [each for each in dict.fromkeys(new) if each not in stored]
    found = [each for each in stored if len(each) == size]
    return drawing.one(found) if found else None


def reactor_proof(puzzle: Reactor, drawing: Drawing) -> dict[str, Any] | None:
    """A plan, and how often random play makes the target; None if that is not as it should be.

    Proved is that the plan makes the target; and if ``minimal``, that no fewer reactions do within
    the planner's pool of materials. The chance is measured, not proved: that of random play in
    which each reaction takes two random materials of the storage, and the target is submitted as
    soon as it is made. Its bound holds with a confidence of
    95 % (Clopper, Pearson).
    """
    others = RELEASED_PROGRAMS.values()
    new_rule = puzzle.rule not in others
    if new_rule and any(_same(puzzle.rule, each, puzzle.raw) for each in others):
        return None
    planner = ReactionPlanner(puzzle.rule, puzzle.target, puzzle.raw, conflicts=MOST_CONFLICTS)
    plan = planner.plan(puzzle.raw)
    if plan is None or not LEAST_REACTIONS <= len(plan.reactions) <= MOST_REACTIONS:
        return None
    if not _makes(puzzle, plan.reactions):
        return None
    solved = sum(random_play(puzzle, drawing) for _ in range(EPISODES))
    bound = upper_bound(solved, EPISODES)
    if bound > MOST_CHANCE:
        return None
    told = [f"{u} + {v}" for u, v in plan.reactions]
    least = (
        "no fewer do with the materials that the planner considers"
        if plan.minimal
        else "whether fewer do is not known"
    )
    different = ["The rule differs from each released one on some materials."] * new_rule
    return {
        "reactions": [list(each) for each in plan.reactions],
        "minimal": plan.minimal,
        "random_play": {"episodes": EPISODES, "solved": solved, "at_most": round(bound, 4)},
        "words": [
            f"{number(len(told), 'reaction')} make the target: {', '.join(told)}; {least}.",
            f"Random play made it in {solved} of {number(EPISODES, 'episode')}, "
            f"so with a probability of at most {bound:.3f} (95 %).",
            *different,
        ],
    }


def _makes(puzzle: Reactor, plan: Sequence[tuple[str, str]]) -> bool:
    """Whether a plan is possible and makes the target."""
    stored = set(puzzle.raw)
    for u, v in plan:
        if u not in stored or v not in stored:
            return False
        stored |= set(products(puzzle.rule, u, v))
    return puzzle.target in stored


def _same(one: Program, other: Program, raw: Iterable[str]) -> bool:
    """Whether two programs do the same with all materials of one to four letters."""
    letters = list(raw)[:3]
    texts, longest = list(letters), list(letters)
    for _ in range(3):
        longest = [text + letter for text in longest for letter in letters]
        texts += longest
    return all(products(one, u, v) == products(other, u, v) for u in texts for v in texts)


def random_play(puzzle: Reactor, drawing: Drawing) -> bool:
    """Whether an episode of random reactions of two materials makes the target in time."""
    stored = list(puzzle.raw)
    for _ in range(puzzle.length - 1):  # after the last step, nothing can be submitted
        made = products(puzzle.rule, drawing.one(stored), drawing.one(stored))
        stored += [each for each in made if each not in stored]
        if puzzle.target in stored:
            return True
    return False


def upper_bound(successes: int, trials: int) -> float:
    """The largest probability with which so few successes are as likely as 5 % (Clopper, Pearson).

    Args:
        successes: How often it happened.
        trials: How often it was tried.
    """
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        few = math.fsum(
            math.comb(trials, each) * middle**each * (1 - middle) ** (trials - each)
            for each in range(successes + 1)
        )
        low, high = (middle, high) if few > _TAIL else (low, middle)
    return high
