"""One step by logic: all possible successor states.

Example:
    >>> import mars_logic
    >>> from mars_logic.logic import outcomes
    >>> told = {"object(0,0,player)", "facing(1,0)", "cell(1,0,stone)", "action(do)"}
    >>> (found,) = outcomes(mars_logic.load_world("all_three"), [told])
    >>> sorted(atom for outcome in found for atom in outcome if "counted" in atom)
    ['counted(collect_stone)', 'counted(collect_wood)']
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import clingo

from mars_logic.logic.facts import facts
from mars_logic.system import resources
from mars_logic.system.interruptions import held_back
from mars_logic.world.theory import World

Outcome = frozenset[str]
"""Facts about the state that follows, in the terms of the state before, and ``counted(A)`` for each
achievement that is reached."""

ROOT = "step.lp"


def outcomes(world: World, situations: Sequence[Collection[str]]) -> list[frozenset[Outcome]]:
    """The possible outcomes of a step in each of several situations.

    All situations are grounded as one program, in which each fact of any of them may hold or not;
    then it is solved for each of them in turn. A hundred therefore cost little more than one.

    Args:
        world: The rules.
        situations: For each, facts as ``mars_logic.logic.situation`` makes them.

    Returns:
        For each, the outcomes that chance may bring about; there is at least one.
    """
    atoms = sorted({atom for situation in situations for atom in situation})
    control = _grounded(world, atoms)
    literals = _literals(control, atoms)
    spoken = _Spoken()
    found = []
    for situation in situations:
        told = set(situation)
        assumptions = [literal if atom in told else -literal for atom, literal in literals]
        spoken.outcomes = set()
        with held_back():
            control.solve(assumptions, on_model=spoken)
        found.append(frozenset(spoken.outcomes))
    return found


def _grounded(world: World, atoms: list[str]) -> clingo.Control:
    # No search is needed: under the assumptions, only the random choices are open.
    control = clingo.Control(["--warn=none", "--models=0", "--project=show", "--heuristic=None"])
    for file in resources.included(ROOT):
        control.load(file)
    control.add("base", [], f"{facts(world)}{{ {'; '.join(atoms)} }}.")
    control.ground([("base", [])])
    return control


def _literals(control: clingo.Control, atoms: list[str]) -> list[tuple[str, int]]:
    known = {atom.symbol: atom.literal for atom in control.symbolic_atoms}
    return [(atom, known[clingo.parse_term(atom)]) for atom in atoms]


class _Spoken:
    """Collects the outcomes of models as text."""

    def __init__(self) -> None:
        self.outcomes: set[Outcome] = set()
        self._texts: dict[clingo.Symbol, str] = {}

    def __call__(self, model: clingo.Model) -> None:
        self.outcomes.add(frozenset(map(self._text, model.symbols(shown=True))))

    def _text(self, symbol: Any) -> str:
        text = self._texts.get(symbol)
        if text is None:
            text = self._texts[symbol] = str(symbol.arguments[0])
        return text
