"""A theory of a game against the truth: equal on all inputs up to a size, or how they differ."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeVar

from mars_logic.domains.base import RuleComparison
from mars_logic.domains.completions import likeliest
from mars_logic.domains.game import Game
from mars_logic.domains.registry import domain_of, require_offered
from mars_logic.errors import InputError

G = TypeVar("G", bound=Game)


@dataclass(frozen=True)
class GameScore:
    """How a theory stands to the truth.

    Attributes:
        compared: What was compared, in words.
        inputs: How many inputs were compared, up to the first difference.
        equal: Whether all were equal.
        difference: The first difference, in words; None if there is none.
        open: The fields of the theory that are open; they hold their likeliest values.
    """

    compared: str
    inputs: int
    equal: bool
    difference: str | None
    open: tuple[str, ...]


def score_game(theory: Game, truth: Game, size: int | None = None) -> GameScore:
    """Compare a theory with the true rules of a game, input by input, smaller ones first.

    Args:
        theory: The theory; open fields hold their likeliest values.
        truth: The game.
        size: Of functions, the largest absolute value of the inputs, which are tenths, after the
            values of the parameters; of passwords, how many paintings there are, with every value
            that a hint may name; of reactions, how many of the letters A, B, C a material has.

    Raises:
        InputError: They belong to different domains, or theories of theirs are not compared, or
            they have different numbers of parts, or nothing is known of a field.
    """
    if theory.domain != truth.domain:
        message = f"'{theory.name}' is about {theory.domain}, '{truth.name}' is of {truth.domain}"
        raise InputError(f"score: {message}; allowed: a theory of {truth.domain}")
    require_offered("score", truth, lambda domain: domain.comparison, ("worlds",))
    comparison = domain_of(truth).comparison
    assert comparison is not None
    believed = _filled(theory, truth, comparison)
    size = comparison.size if size is None else size
    count, found = 0, None
    for told, one, other in comparison.pairs(believed, truth, size):
        count += 1
        if not _same(one, other):
            found = f"{told}: the theory says {_shown(one)}, the truth {_shown(other)}"
            break
    compared = comparison.told.format(size=size)
    uncertain = tuple(each for each in theory.uncertain if each.startswith(comparison.rule))
    return GameScore(compared, count, found is None, found, uncertain)


def _filled(theory: G, truth: G, comparison: RuleComparison) -> G:
    stated = theory.model_dump(mode="json", include={*comparison.rule})
    try:
        chosen = likeliest(stated)
    except LookupError:
        space = domain_of(theory).version_space
        parts = space.parts(theory) if space else {}
        part = next((name for name, opened in parts.items() if opened), theory.uncertain[0])
        told = f"{part}: the theory leaves it open, so that it predicts nothing"
        raise InputError(f"{theory.name}: {told}; allowed: a value or alternatives") from None
    known = truth.model_dump(mode="json") | chosen | dict(comparison.given)
    return type(truth).model_validate(known)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return bool(one == other)


def _shown(found: Any) -> str:
    return " and ".join(found) or "nothing" if isinstance(found, tuple) else str(found)
