"""Spaces small enough to look at every world of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

from mars_logic.logic.sampling.modifications import MODIFICATIONS, Field
from mars_logic.logic.sampling.problem import SamplingProblem
from mars_logic.logic.sampling.request import Request
from mars_logic.logic.sampling.space import Space, Variant, theory
from mars_logic.world.load import load_world

State = Mapping[str, Variant]
Marginals = dict[Field, dict[int, float]]

TOOLS = ("wood_pickaxe", "stone_pickaxe", "iron_pickaxe", "wood_sword", "stone_sword", "iron_sword")

SMALL: dict[str, tuple[list[str], list[str]]] = {
    "terrain": (
        ["neighbours", "effects"],
        ["neighbour.player", "neighbour.tree", "walk.sand", "walk.stone"],
    ),
    "collecting": (
        ["misleading", "tools", "leaves"],
        [
            "collect.tree.yields",
            "collect.tree.requires",
            "collect.grass.yields",
            "collect.stone.requires",
            "collect.stone.leaves",
        ],
    ),
    "crafting": (
        ["placing", "crafting"],
        ["place.table", "place.furnace", *(f"make.{tool}" for tool in TOOLS)],
    ),
}
"""Modifications, and the rules or fields to which they are restricted."""


def small(name: str) -> SamplingProblem:
    """The problem of sampling from one of :data:`SMALL`, with any number of rules changed.

    The player need not be able to live on, of which so few rules leave nothing to choose.
    """
    modifications, kept = SMALL[name]
    base = load_world("default")
    domains: dict[Field, list[Any]] = {}
    for modification in modifications:
        for field, values in MODIFICATIONS[modification].domains():
            if field[0] in kept or ".".join(field) in kept:
                domains.setdefault(field, []).extend(values)
    request = Request(livable=False)
    return SamplingProblem(Space(base, theory(base, domains), tuple(modifications)), request)


def everything(problem: SamplingProblem) -> list[State]:
    """Every world of the space, valid or not."""
    rules = list(problem.variants)
    return [dict(zip(rules, found, strict=True)) for found in product(*problem.variants.values())]


def weight(problem: SamplingProblem, state: State) -> float:
    """How likely a world is drawn, before the invalid ones are rejected."""
    likely = 1.0
    for rule, variant in state.items():
        usual, *others = problem.variants[rule]
        likely *= 0.5 if variant == usual else 0.5 / len(others)
    return likely


def marginals(problem: SamplingProblem, weighted: Iterable[tuple[State, float]]) -> Marginals:
    """For each field, the share of each of its values."""
    found: dict[Field, Counter[int]] = defaultdict(Counter)
    for state, share in weighted:
        for rule, variant in state.items():
            names = problem.space.open_rules[rule].uncertain_fields
            for name, number in zip(names, variant, strict=True):
                found[rule, name][number] += share  # type: ignore[assignment]
    totals = {field: sum(shares.values()) for field, shares in found.items()}
    return {
        field: {number: share / totals[field] for number, share in shares.items()}
        for field, shares in found.items()
    }


def distance(one: Mapping[int, float], other: Mapping[int, float]) -> float:
    """The total variation of two distributions."""
    return sum(abs(one.get(n, 0.0) - other.get(n, 0.0)) for n in {*one, *other}) / 2
