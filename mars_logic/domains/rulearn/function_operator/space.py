"""The version space of the function operator: all functions and values that fit what was seen.

A hypothesis gives each term a basis and each parameter a value. A function's hypotheses are a table
over its bases and the values of its parameters; the tables are joined on shared parameters. That
all bases which are listed occur somewhere is counted by inclusion and exclusion over the sets of
bases that may occur, so nothing has to be enumerated.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from mars_logic.domains.rulearn.door import digits_seen, judged
from mars_logic.domains.rulearn.episode import PuzzleAction
from mars_logic.domains.rulearn.function_operator.plan import (
    code_action,
    evaluations,
    informed_plan,
    searched_plan,
)
from mars_logic.domains.rulearn.function_operator.rules import (
    MOST_FAILURES,
    FunctionOperator,
    FunctionTerm,
    OperatorHypothesis,
    number_typed,
)
from mars_logic.domains.rulearn.function_operator.simulator import INVALID, evaluated
from mars_logic.domains.rulearn.function_operator.table import (
    CONSTANT,
    BasisTable,
    Numbers,
    all_values,
)
from mars_logic.domains.rulearn.function_operator.words import function_sentences
from mars_logic.domains.rulearn.language import closed_sentences
from mars_logic.domains.rulearn.space import PuzzleSpace, one_of
from mars_logic.errors import InputError
from mars_logic.induction.protocol import Plan
from mars_logic.world.uncertain import is_uncertain

Prediction = Mapping[Any, float]
"""The probability of each outcome: values and errors of an evaluation, or right digits."""

MOST_LETTERS: Final = 6
"""Parameters in one puzzle whose values can be listed."""


class OperatorSpace(PuzzleSpace[OperatorHypothesis]):
    """All hypotheses that fit what was seen. It reads what a player is shown, and nothing else.

    Args:
        visible: What is told at the start: ``monomials``, ``params``, ``params_per_function``.
        param_range: The smallest and the largest value of a parameter.
        params_distinct: Whether no two parameters have the same value.

    Attributes:
        exact: Whether the count is exact. After the values have changed it is an upper bound:
            what was seen before then says which bases each function may have, one by one.
        widened: Whether a function may have a basis twice, since nothing else fits.
        functions: The table of each function.
        attempts: Wrong codes until the values change.

    Raises:
        InputError: There are more than ``MOST_LETTERS`` parameters.
    """

    def __init__(
        self,
        visible: Mapping[str, Any],
        *,
        param_range: tuple[int, int] = (1, 9),
        params_distinct: bool = True,
    ) -> None:
        self._letters: tuple[str, ...] = tuple(visible["params"])
        if len(self._letters) > MOST_LETTERS:
            message = f"{len(self._letters)} parameters are too many for a version space"
            raise InputError(f"params: {message}; allowed: at most {MOST_LETTERS}")
        self._monomials: tuple[str, ...] = tuple(visible["monomials"])
        self._range, self._distinct = param_range, params_distinct
        self._shape: list[list[str]] = visible["params_per_function"]
        self._evidence: list[tuple[PuzzleAction, Mapping[str, Any]]] = []
        self._settled = False
        self._use(repeats=False)

    @classmethod
    def of(cls, theory: FunctionOperator, start: Mapping[str, Any]) -> OperatorSpace:
        """All functions with values of the range."""
        return cls(start, param_range=theory.param_range, params_distinct=theory.params_distinct)

    @staticmethod
    def rule(theory: FunctionOperator) -> OperatorHypothesis | None:
        """The bases of all terms."""
        bases = tuple(tuple(term.basis for term in terms) for terms in theory.functions)
        unknown = any(is_uncertain(each) for row in bases for each in row)
        return None if unknown else OperatorHypothesis(bases, ())

    def _use(self, *, repeats: bool) -> None:
        """Take up a language."""
        choices = (CONSTANT, *self._monomials)
        self.functions = [
            BasisTable(
                [self._letters.index(letter) for letter in each],
                choices,
                *self._range,
                repeats=repeats,
            )
            for each in self._shape
        ]
        self.exact, self.widened = True, repeats
        self._begin()

    def _begin(self) -> None:
        low, high = self._range
        numbers = range(low, high + 1)
        self._codes = all_values(numbers, len(self._letters), distinct=self._distinct)
        self.attempts = MOST_FAILURES
        for rows in self.functions:
            rows.forget()
        self._forget_weights()

    def _forget_weights(self) -> None:
        self._joined: Numbers | None = None
        self._shares: list[Numbers] | None = None

    def settle(self, rule: OperatorHypothesis) -> None:
        """Believe these functions, whatever is seen; values stay open."""
        for rows, bases in zip(self.functions, rule.bases, strict=True):
            rows.keep(np.array([each == bases for each in rows.bases]))
        self._settled = True
        self._forget_weights()

    def observe(self, action: PuzzleAction, shown: Mapping[str, Any]) -> None:
        """Keep the hypotheses that predict what was seen, in a larger language if there are none.

        Args:
            action: An action.
            shown: What the player saw of its outcome.
        """
        self._evidence.append((action, shown))
        self._take_in(action, shown)
        if not (self.count or self.widened or self._settled):
            self._use(repeats=True)
            for each in self._evidence:
                self._take_in(*each)

    def _take_in(self, action: PuzzleAction, shown: Mapping[str, Any]) -> None:
        before = self._codes, [rows.fits for rows in self.functions]
        if action.do == "evaluate":
            self._evaluated(action, shown)
        elif action.do == "enter_code":
            self._digits(shown)
        self._forget_weights()
        if self._settled and not self.count:
            self._codes, fits = before
            for rows, each in zip(self.functions, fits, strict=True):
                rows.fits = each
            self._forget_weights()
        self._codes = self._codes[self._weights > 0]
        self._forget_weights()
        if shown.get("changed"):
            self._changed()
        self.attempts = shown.get("attempts_left", self.attempts)

    def _evaluated(self, action: PuzzleAction, shown: Mapping[str, Any]) -> None:
        x = number_typed(action.input)
        if x is not None:
            rows = self.functions[action.function - 1]
            rows.observe(x, shown["value"], shown["error"])
            if not self._settled:
                rows.keep(np.asarray(rows.fits.any(axis=1)))

    def _digits(self, shown: Mapping[str, Any]) -> None:
        digits = shown["digits"] or ()
        for at, (digit, right) in enumerate(zip(shown["entered"], digits, strict=False)):
            self._codes = self._codes[(self._codes[:, at] == int(digit)) == right]

    def _changed(self) -> None:
        """Forget the values, and keep for each function the bases that were possible."""
        kept = [np.asarray(share.any(axis=1)) for share in self.shares()]
        for rows, keep in zip(self.functions, kept, strict=True):
            rows.keep(keep)
        self.exact = False
        self._begin()

    def _subsets(self) -> tuple[list[frozenset[str]], Numbers]:
        """All sets of bases that may occur, with their signs in inclusion and exclusion."""
        full = len(self._monomials)
        found = [
            frozenset((CONSTANT, *chosen))
            for size in range(full + 1)
            for chosen in itertools.combinations(self._monomials, size)
        ]
        return found, np.array([(-1.0) ** (full + 1 - len(each)) for each in found])

    def _within(self, rows: BasisTable, subsets: Sequence[frozenset[str]]) -> Numbers:
        """float64[sets, rows]: whether the bases of a row are among those of a set."""
        return np.array([[each >= set(b) for b in rows.bases] for each in subsets], np.float64)

    def _factors(self) -> tuple[list[Numbers], list[Numbers], Numbers]:
        """For each function sets × rows and sets × codes, how many rows fit; the signs of sets."""
        subsets, signs = self._subsets()
        within = [self._within(rows, subsets) for rows in self.functions]
        fitting = [
            (each @ rows.fits)[:, rows.combinations(self._codes)]
            for each, rows in zip(within, self.functions, strict=True)
        ]
        return within, fitting, signs

    @property
    def _weights(self) -> Numbers:
        """float64[codes]: the number of hypotheses with each code."""
        if self._joined is None:
            _, fitting, signs = self._factors()
            product = np.ones((len(signs), len(self._codes)))
            for each in fitting:
                product = product * each
            self._joined = np.rint(signs @ product)
        return self._joined

    def shares(self) -> list[Numbers]:
        """For each function float64[rows, combinations]: the number of hypotheses with them."""
        if self._shares is None:
            within, fitting, signs = self._factors()
            self._shares = []
            for at, rows in enumerate(self.functions):
                others = np.ones((len(signs), len(self._codes))) * signs[:, None]
                for place, each in enumerate(fitting):
                    others = others if place == at else others * each
                where = rows.combinations(self._codes)
                sums = np.zeros((len(signs), rows.values.shape[1]))
                np.add.at(sums.T, where, others.T)
                self._shares.append(np.rint(rows.fits * (within[at].T @ sums)))
        return self._shares

    @property
    def count(self) -> int:
        """The number of hypotheses; an upper bound unless ``exact``."""
        return round(float(self._weights.sum()))

    def codes(self) -> Mapping[tuple[int, ...], float]:
        """The possible codes with their probabilities, the most likely first."""
        weights = self._weights
        total = float(weights.sum())
        order = np.argsort(-weights, kind="stable")
        return {
            tuple(map(int, self._codes[at])): float(weights[at]) / total
            for at in order
            if weights[at] > 0
        }

    def predict(self, action: PuzzleAction) -> Prediction:
        """The outcomes of an action and their probabilities.

        Returns:
            Of an evaluation: values (equal up to rounding) and errors. Of a code: for each digit
            whether it is right; None for a wrong length.
        """
        if action.do == "evaluate":
            return self._predicted(action)
        digits = [int(each) for each in action.code if each in "0123456789"]
        if len(digits) != len(self._letters):
            return {None: 1.0}
        weights = self._weights
        marks = (self._codes == np.array(digits)) @ (1 << np.arange(len(digits)))
        sums = np.bincount(marks, weights=weights, minlength=1)
        total = float(weights.sum())
        return {
            tuple(bool(mark >> at & 1) for at in range(len(digits))): float(sums[mark]) / total
            for mark in np.flatnonzero(sums)
        }

    def _predicted(self, action: PuzzleAction) -> Prediction:
        x = number_typed(action.input)
        if x is None:
            return {INVALID: 1.0}
        share = self.shares()[action.function - 1]
        labels, told = self.functions[action.function - 1].labels(x)
        sums = np.bincount(labels.ravel(), weights=share.ravel(), minlength=len(told))
        total = float(share.sum())
        return {told[at]: float(sums[at]) / total for at in np.flatnonzero(sums)}

    def outcome(self, action: PuzzleAction, shown: Mapping[str, Any]) -> Any:
        """What was seen, as ``predict`` names outcomes."""
        if action.do == "enter_code":
            return digits_seen(shown)
        return shown["error"] or shown["value"]

    def expected(self, hypothesis: OperatorHypothesis, action: PuzzleAction) -> Any:
        """The outcome of an action by a hypothesis."""
        if action.do == "enter_code":
            return judged(action.code, "".join(map(str, hypothesis.values))).digits
        values = dict(zip(self._letters, hypothesis.values, strict=True))
        terms = [
            FunctionTerm(param=self._letters[letter], coef=hypothesis.values[letter], basis=basis)
            for letter, basis in zip(
                self.functions[action.function - 1].letters,
                hypothesis.bases[action.function - 1],
                strict=True,
            )
        ]
        value, error = evaluated(terms, values, action.input)
        return error if value is None else value

    def experiments(self) -> list[PuzzleAction]:
        """Evaluations of all functions at generic points."""
        return evaluations(len(self.functions))

    def attempt(self) -> PuzzleAction:
        """The likeliest code."""
        return code_action(next(iter(self.codes())))

    def plan(self, steps_left: int) -> Plan[PuzzleAction]:
        """The evaluations or codes after which the fewest steps are expected.

        Raises:
            InputError: No hypothesis is left.
        """
        self._require_any()
        found = searched_plan(
            self.functions, self._codes, self._monomials, steps_left, self.attempts
        )
        return found or informed_plan(self.functions, self.shares())

    def hypotheses(self, most: int) -> list[tuple[OperatorHypothesis, float]]:
        """Hypotheses with their probabilities, those with the likeliest codes first."""
        weight = 1 / max(self.count, 1)
        return [(each, weight) for each in itertools.islice(self.listed(), most)]

    def listed(self) -> Iterator[OperatorHypothesis]:
        """All hypotheses, those with the likeliest codes first."""
        for code in self.codes():
            places = [rows.combinations(np.array([code]))[0] for rows in self.functions]
            choices = [
                [rows.bases[row] for row in np.flatnonzero(rows.fits[:, at])]
                for rows, at in zip(self.functions, places, strict=True)
            ]
            for bases in itertools.product(*choices):
                if {each for row in bases for each in row} >= set(self._monomials):
                    yield OperatorHypothesis(bases, code)

    def theory(self) -> FunctionOperator:
        """What is known: a field is open where several values are possible.

        Raises:
            InputError: No hypothesis is left.
        """
        self._require_any()
        coefs = [one_of(self._marginal(axis)) for axis in range(len(self._letters))]
        functions = []
        for rows, share in zip(self.functions, self.shares(), strict=True):
            terms = []
            for place, letter in enumerate(rows.letters):
                options: dict[Any, float] = {}
                for bases, weight in zip(rows.bases, share.sum(axis=1), strict=True):
                    options[bases[place]] = options.get(bases[place], 0.0) + float(weight)
                name = self._letters[letter]
                terms.append({"param": name, "coef": coefs[letter], "basis": one_of(options)})
            functions.append(terms)
        stated = {"functions": functions, "param_range": self._range}
        return FunctionOperator.model_validate(stated | {"params_distinct": self._distinct})

    def learned(self, theory: FunctionOperator) -> FunctionOperator:
        """A theory with the functions as far as they are known."""
        return theory.model_copy(update={"functions": self.theory().functions})

    def sentences(self, hypothesis: OperatorHypothesis) -> list[str]:
        """The functions, and the values of their parameters in one line."""
        values = dict(zip(self._letters, hypothesis.values, strict=True))
        functions = [
            [
                {"param": letter, "coef": values[letter], "basis": basis}
                for letter, basis in zip(letters, bases, strict=True)
            ]
            for letters, bases in zip(self._shape, hypothesis.bases, strict=True)
        ]
        stated = {"functions": functions, "params_distinct": False, "param_range": (0, 9)}
        told = function_sentences(FunctionOperator.model_validate(stated))
        many = len(functions)
        return [*told[:many], " ".join(told[many:])]

    def certain(self) -> list[str]:
        """The functions and parameters that all hypotheses agree on."""
        return closed_sentences(function_sentences(self.theory())) if self.count else []

    def _marginal(self, axis: int) -> dict[Any, float]:
        found: dict[Any, float] = {}
        for value, weight in zip(self._codes[:, axis].tolist(), self._weights, strict=True):
            found[value] = found.get(value, 0.0) + float(weight)
        return dict(sorted(found.items()))
