"""One clingo session: encodings and facts, grounded once, solved under changing assumptions."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import clingo

from mars_logic.logic.model_text import ModelRelations, row_of
from mars_logic.logic.model_text import Row as Row
from mars_logic.logic.program import program
from mars_logic.system.interruptions import held_back

Relations = dict[str, list[Row]]
"""For each predicate name, the rows that are true, in the order of grounding."""

CONFLICTS = 200_000
"""Conflict limit of a search; the bundled worlds need at most a few dozen."""

_POLL_SECONDS = 0.1
_AT_ONCE = 200
"""Searches below this number of conflicts run in the calling thread, without interrupts."""


class LimitReachedError(Exception):
    """The search reached its limit without an answer; the result is unknown."""

    def __str__(self) -> str:
        """Which limit it was."""
        return "the search was given up at its limit"


class NotJudgedError(LimitReachedError):
    """Logic does not judge such a world or such a goal; the argument says why, in a sentence."""

    def __str__(self) -> str:
        """Why."""
        return str(self.args[0])


def unaccounted(rule: str) -> str:
    """Why logic does not judge a world with a rule that changes cells."""
    return f"proofs take no account of the rule {rule}"


class OutOfTimeError(LimitReachedError):
    """The search reached its time limit."""

    def __str__(self) -> str:
        """Which limit it was."""
        return "the search was given up at its time limit"


@dataclass(frozen=True)
class Assumption:
    """An atom that is held true or false for one call of the solver."""

    name: str
    arguments: Row
    holds: bool


@dataclass
class Session:
    """A grounded program.

    Attributes:
        files: Encodings, by file name.
        text: Facts and further rules of the program.
        conflicts: The limit of each search, in conflicts and so the same on every machine.
        heuristic: clingo's decision heuristic; ``Domain`` follows the program.
        deadline: Time limit on the clock of ``time.monotonic``; None for none.
        strategy: clingo's optimisation strategy: ``bb`` (branch and bound) or ``usc``
            (unsatisfiable cores).
        configuration: clingo's settings for everything else.
        wanted: The predicates to query, assume or extend; statements irrelevant to them are left
            out. None for all.

    Raises:
        OutOfTimeError: The deadline is over already.
    """

    files: Sequence[str]
    text: str
    conflicts: int = CONFLICTS
    heuristic: str = "Vsids"
    deadline: float | None = None
    strategy: str = "bb"
    configuration: str = "auto"
    wanted: Sequence[str] | None = None
    _control: clingo.Control = field(init=False, repr=False)
    _settings: Any = field(init=False, repr=False)
    _shown: Collection[str] = field(init=False, repr=False)
    _added: int = field(init=False, default=0, repr=False)
    _literals: dict[str, list[tuple[Row, int]]] = field(init=False, default_factory=dict)
    _places: dict[str, dict[Row, int]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Load and ground."""
        self._patience()
        control = clingo.Control(
            [
                "--warn=none",
                f"--heuristic={self.heuristic}",
                f"--solve-limit={self.conflicts}",
                f"--opt-strategy={self.strategy}",
                f"--configuration={self.configuration}",
            ]
        )
        part, text = program(self.files, self.text, self.wanted)
        part.add_to(control)
        control.add("base", [], text)
        control.ground([("base", [])])
        self._shown = part.shows
        self._control = control
        self._settings = control.configuration.solve

    def solve(
        self, names: Iterable[str], assumptions: Iterable[Assumption], *, best: bool = True
    ) -> Relations | None:
        """The best model under assumptions, or None if there is provably none.

        Args:
            names: The predicates wanted.
            assumptions: Atoms assumed true or false.
            best: Whether to find the optimal model, or the first one.

        Returns:
            Their true rows.

        Raises:
            LimitReachedError: The search was given up.
        """
        wanted = {name: self.literals(name) for name in names}

        def read(model: clingo.Model) -> Relations:
            return {
                name: [row for row, literal in rows if model.is_true(literal)]
                for name, rows in wanted.items()
            }

        return self._found(read, assumptions, best=best)

    def relations(self, assumptions: Iterable[Assumption]) -> Relations | None:
        """The rows of every predicate that the program shows, in the best model; see :meth:`solve`.

        Raises:
            LimitReachedError: The search was given up.
        """
        return self._found(partial(ModelRelations, shown=self._shown), assumptions, best=True)

    def _found(
        self,
        read: Callable[[clingo.Model], Relations],
        assumptions: Iterable[Assumption],
        *,
        best: bool,
    ) -> Relations | None:
        found: Relations | None = None

        def keep(model: clingo.Model) -> None:
            nonlocal found
            found = read(model)

        literals = self._assumed(assumptions)
        if literals is None:
            return None
        self._patience()
        settings = self._settings
        settings.models, settings.opt_mode = (0, "opt") if best else (1, "ignore")
        settings.solve_limit = str(min(_AT_ONCE, self.conflicts))
        with held_back(), self._control.solve(literals, yield_=True) as handle:
            for _ in handle:  # each is better than the one before, so that the last is read alone
                pass
            result = handle.get()
            if model := handle.last():
                keep(model)
        settings.solve_limit = str(self.conflicts)
        if not result.exhausted and (best or found is None):
            result = self._patiently(literals, keep)
        if not result.exhausted and (best or found is None):
            raise LimitReachedError
        return found

    def _patiently(
        self,
        literals: Sequence[int],
        keep: Callable[[clingo.Model], None],
    ) -> clingo.SolveResult:
        """Search in another thread, so that Ctrl-C is handled between two waits."""
        with self._control.solve(literals, on_model=keep, async_=True) as handle:
            while not handle.wait(self._patience()):
                pass
            result: clingo.SolveResult = handle.get()
        return result

    def _assumed(self, assumptions: Iterable[Assumption]) -> list[int] | None:
        """The numbers of assumptions; None if an atom that has to hold cannot."""
        found: list[int] = []
        for each in assumptions:
            if literal := self._numbers(each.name).get(each.arguments):
                found.append(literal if each.holds else -literal)
            elif each.holds:
                return None
        return found

    def _numbers(self, name: str) -> dict[Row, int]:
        if name not in self._places:
            self._places[name] = dict(self.literals(name))
        return self._places[name]

    def literals(self, name: str) -> list[tuple[Row, int]]:
        """The rows of a predicate, each with the number that :meth:`satisfiable` takes for it."""
        if name not in self._literals:
            found = self._atoms_of(name)
            self._literals[name] = [(row_of(atom.symbol), atom.literal) for atom in found]
        return self._literals[name]

    def satisfiable(self, literals: Sequence[int]) -> bool:
        """Whether there is a model in which these atoms hold (those with a minus do not).

        Raises:
            LimitReachedError: The search was given up.
        """
        settings = self._settings
        settings.models, settings.opt_mode = 1, "ignore"
        with held_back():
            result = self._control.solve(literals)
        if not result.satisfiable and not result.exhausted:
            raise LimitReachedError
        return bool(result.satisfiable)

    def models(self, literals: Sequence[int], shown: Sequence[int]) -> list[tuple[int, ...]]:
        """Every model in which these atoms hold: which of those shown it holds, in no fixed order.

        Models that differ only in what a program with ``#project`` does not project on count once.

        Raises:
            LimitReachedError: The search was given up.
        """
        found: list[tuple[int, ...]] = []

        def keep(model: clingo.Model) -> None:
            found.append(tuple(filter(model.is_true, shown)))

        settings = self._settings
        settings.models, settings.opt_mode, settings.project = 0, "ignore", "auto"
        try:
            with held_back():
                result = self._control.solve(literals, on_model=keep)
        finally:
            settings.project = "no"
        if not result.exhausted:
            raise LimitReachedError
        return found

    def optima(self, name: str, most: int) -> list[list[Row]]:
        """The best models, as the rows of a predicate: all of them, or some if there are more.

        Args:
            name: A predicate; no two models may have the same rows of it.
            most: How many models to find, at most; the same ones on every machine.

        Raises:
            LimitReachedError: The search was given up.
        """
        literals = self.literals(name)
        found: dict[tuple[Row, ...], None] = {}
        best: list[int] | None = None

        def keep(model: clingo.Model) -> None:
            nonlocal best
            if model.cost != best:  # better than all before
                best = list(model.cost)
                found.clear()
            rows = (row for row, literal in literals if model.is_true(literal))
            found[tuple(rows)] = None

        if not self._enumerate(keep, most) and len(found) < most:
            raise LimitReachedError
        return [list(rows) for rows in found]

    def possible(self, name: str) -> list[Row]:
        """The rows of a predicate that are true in some best model: its brave consequences.

        Only what the program shows is looked at, so that it has to show the predicate.

        Raises:
            LimitReachedError: The search was given up.
        """
        found: list[Row] = []

        def keep(model: clingo.Model) -> None:
            symbols = model.symbols(shown=True)
            found[:] = [row_of(symbol) for symbol in symbols if symbol.name == name]

        if not self._enumerate(keep, 0, "brave"):
            raise LimitReachedError
        return sorted(found)

    def _enumerate(
        self, keep: Callable[[clingo.Model], None], most: int, mode: str = "auto"
    ) -> bool:
        """Go through the best models, of which better and better ones come first.

        Returns:
            Whether these were all.
        """
        settings = self._settings
        settings.models, settings.opt_mode, settings.enum_mode = most, "optN", mode
        settings.solve_limit = str(self.conflicts)
        try:
            return bool(self._patiently([], keep).exhausted)
        finally:
            settings.enum_mode = "auto"

    def _patience(self) -> float:
        """Time until the next check for interrupts, in seconds.

        Raises:
            OutOfTimeError: There is no time left. (Leaving the handle cancels the search.)
        """
        if self.deadline is None:
            return _POLL_SECONDS
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise OutOfTimeError
        return min(left, _POLL_SECONDS)

    def add(self, rule: str) -> None:
        """Add a rule over the atoms that there are."""
        part = f"added_{self._added}"
        self._added += 1
        self._control.add(part, [], rule)
        self._control.ground([(part, [])])
        self.__dict__.pop("_arities", None)  # the rule may define a predicate

    def exclude(self, atoms: Iterable[Assumption]) -> None:
        """From now on, there is no model in which all of this holds."""
        literals = self._assumed(atoms)
        if literals is not None:
            with self._control.backend() as backend:
                backend.add_rule([], literals)

    def _atoms_of(self, name: str) -> list[clingo.SymbolicAtom]:
        atoms = self._control.symbolic_atoms
        found = (atoms.by_signature(name, arity) for arity in self._arities.get(name, ()))
        return [atom for some in found for atom in some]

    @cached_property
    def _arities(self) -> dict[str, list[int]]:
        """By predicate: the numbers of arguments of its atoms, ascending."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for name, arity, positive in self._control.symbolic_atoms.signatures:
            if positive:
                found[name].append(arity)
        return {name: sorted(arities) for name, arities in found.items()}

    def atoms(self, name: str) -> list[Row]:
        """All rows of a predicate that hold in some model, as far as grounding can tell."""
        return [row for row, _ in self.literals(name)]
