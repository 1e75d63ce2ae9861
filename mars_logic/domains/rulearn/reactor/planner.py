"""Fewest reactions for a target when the rule is known, proved by clingo within a pool."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import clingo

from mars_logic.domains.rulearn.reactor.reactions import (
    Inputs,
    Yield,
    pool,
    reactions,
    useful,
)
from mars_logic.domains.rulearn.reactor.rules import Program, products
from mars_logic.system import resources
from mars_logic.system.interruptions import held_back

MOST_CONFLICTS: Final = 50_000
"""Conflicts of the solver after which the best plan so far is taken."""
_CONFLICTS_OF_OTHERS: Final = 500
"""Conflicts after which the search for further shortest plans ends."""
_OPTIONS: Final = ("--warn=none", "--configuration=crafty", "--sat-prepro=2")


@dataclass(frozen=True)
class ReactionPlan:
    """Reactions that make a target.

    Attributes:
        reactions: The inputs of each, in an order in which they are possible.
        minimal: Whether it is proved that no fewer do within the pool of materials.
        next: Reactions with which such a plan may begin; not all if the search for them ended
            early.
    """

    reactions: tuple[Inputs, ...]
    minimal: bool
    next: tuple[Inputs, ...]


class ReactionPlanner:
    """Plans for a target by a rule, from any storage.

    Args:
        program: How two materials react.
        target: What is to be made.
        raw: The raw materials.
        conflicts: Conflicts of the solver after which a plan is taken without proof.
    """

    def __init__(
        self,
        program: Program,
        target: str,
        raw: Iterable[str],
        *,
        conflicts: int = MOST_CONFLICTS,
    ) -> None:
        self._program, self._target, self._conflicts = program, target, conflicts
        self._table = reactions(program, sorted(pool(program, target, raw)))
        self._known: dict[frozenset[str], ReactionPlan | None] = {}

    def plan(self, storage: Iterable[str]) -> ReactionPlan | None:
        """The fewest reactions that make the target of what is in storage.

        Materials beyond the pool are of no use to it.

        Returns:
            A plan; None if there is none within the pool, or none was found in time.
        """
        stored = frozenset(each for each in storage if each in self._table.place)
        if stored not in self._known:
            self._known[stored] = self._planned(stored)
        return self._known[stored]

    def _planned(self, stored: frozenset[str]) -> ReactionPlan | None:
        if self._target in stored:
            return ReactionPlan((), True, ())
        yields = useful(self._table, stored, self._target)
        chosen, first, minimal = _solved(yields, stored, self._target, self._conflicts)
        if not chosen:
            return None
        pairs = [(u, v) for u in sorted(stored) for v in sorted(stored)]
        made = {pair: set(products(self._program, *pair)) for pair in pairs}
        begins = [pair for pair, all_of in made.items() if any(all_of >= set(y) for y in first)]
        order = _ordered(chosen, yields, stored)
        found = tuple(_turned(self._program, made, pair) for made, pair in order)
        return ReactionPlan(found, minimal, tuple(begins))


def plan_reactions(program: Program, target: str, storage: Iterable[str]) -> ReactionPlan | None:
    """The fewest reactions that make a target of what is in storage, by a planner for it alone."""
    stored = tuple(storage)
    return ReactionPlanner(program, target, stored).plan(stored)


def _solved(
    yields: Mapping[Yield, tuple[Inputs, ...]], stored: Iterable[str], target: str, conflicts: int
) -> tuple[list[Yield], list[Yield], bool]:
    """The yields of a plan, those with which such plans may begin, and whether it is minimal.

    Where the search from below does not end in time, one from above finds a plan without proof.
    """
    names = list(yields)
    facts = _facts(yields, stored, target)
    for strategy in ("usc", "bb"):
        control = clingo.Control([*_OPTIONS, f"--opt-strategy={strategy}"])
        control.load(resources.encoding("rulearn/reactions.lp"))
        control.add("base", [], facts + "#show next/1.")
        with held_back():
            control.ground([("base", [])])
            chosen, first, done = _solve(control, conflicts)
            if chosen and done:
                first = _others(control) or first
        if chosen or done:
            break
    return [names[each] for each in chosen], [names[each] for each in first], done


def _solve(control: clingo.Control, conflicts: int) -> tuple[list[int], list[int], bool]:
    """The yields of the best plan, those that may come first, and whether it is minimal."""
    settings: Any = control.configuration.solve
    settings.solve_limit = str(conflicts)
    chosen: list[int] = []
    first: list[int] = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            chosen = _numbers(model.symbols(atoms=True), "do")
            first = _numbers(model.symbols(shown=True), "next")
        done = bool(handle.get().exhausted)
    return chosen, first, done


def _others(control: clingo.Control) -> list[int]:
    """The yields with which shortest plans may begin, as far as they are found in time."""
    settings: Any = control.configuration.solve
    settings.opt_mode, settings.enum_mode, settings.models = "optN", "brave", 0
    settings.solve_limit = str(_CONFLICTS_OF_OTHERS)
    found: list[int] = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            if model.optimality_proven:
                found = _numbers(model.symbols(shown=True), "next")
    return found


def _numbers(symbols: Iterable[clingo.Symbol], name: str) -> list[int]:
    return sorted(each.arguments[0].number for each in symbols if each.name == name)


def _facts(yields: Mapping[Yield, tuple[Inputs, ...]], stored: Iterable[str], target: str) -> str:
    lines = [f'stored("{each}").' for each in sorted(stored)] + [f'target("{target}").']
    for number, (made, pairs) in enumerate(yields.items()):
        lines += [f'product({number},"{each}").' for each in made]
        lines += [f'reaction({number},"{u}","{v}").' for u, v in pairs]
    return "\n".join(lines)


def _ordered(
    chosen: Iterable[Yield], yields: Mapping[Yield, tuple[Inputs, ...]], stored: Iterable[str]
) -> list[tuple[Yield, Inputs]]:
    """Yields with inputs that give them, in an order in which all inputs are at hand."""
    have, left = set(stored), list(chosen)
    found: list[tuple[Yield, Inputs]] = []
    while left:
        made, pair = next(
            (made, pair) for made in left for pair in yields[made] if have.issuperset(pair)
        )
        left.remove(made)
        found.append((made, pair))
        have |= set(made)
    return found


def _turned(program: Program, made: Yield, pair: Inputs) -> Inputs:
    """Inputs in the order in which they have this yield."""
    return pair if set(made) <= set(products(program, *pair)) else (pair[1], pair[0])
