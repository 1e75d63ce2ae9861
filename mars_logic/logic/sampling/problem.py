"""A space of worlds as one ground program, for repeated queries of validity."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from mars_logic.logic.certainty import CERTAINTIES
from mars_logic.logic.lexicographic import Lexicographic
from mars_logic.logic.rule_atoms import term
from mars_logic.logic.sampling.request import Request
from mars_logic.logic.sampling.space import Space, Variant
from mars_logic.world.rules import Rule

FILES = (
    "facts/facts.lp",
    "reach/abundance.lp",
    "reach/zones.lp",
    "reach/access.lp",
    "reach/interact.lp",
    "reach/creatures.lp",
    "reach/goals.lp",
    "sampling/modifications.lp",
    "sampling/principles.lp",
    "sampling/requests.lp",
)
LIVABLE = (
    "sampling/supply.lp",
    "living/sources.lp",
    "living/upkeep.lp",
    "sampling/livable.lp",
)
"""Encodings for the requirement that the player can survive indefinitely."""
_WORLDS_ALONE = "#project holds/3.\n"
"""Projects models to worlds."""
_WITHOUT_FAIL = ":- principle(P), not upheld(P), P != difficulty(N) : difficulty(N).\n"
"""Enforces all principles and counts the changed rules."""

State = Mapping[str, Variant]
"""A variant for each of some rules, by their ids."""

Value = tuple[str, int, int]
"""A rule, the place of one of its uncertain fields from 0, and the number of a value from 1."""


class SamplingProblem:
    """The valid worlds of a space.

    A query asks whether such worlds exist, for all of them, or for the first in the order of some
    preferences. Answers are independent of earlier queries, so samples depend on the seed alone.
    """

    def __init__(self, space: Space, request: Request, *, relaxed: bool = False):
        """Ground it.

        Args:
            space: The worlds.
            request: The requirements on them.
            relaxed: Whether any principle may be given up (see :meth:`upholds`).
        """
        self.space = space
        self.request = request
        text = space.facts() + "".join(f"{fact}.\n" for fact in self._facts())
        # Little search is needed, and this heuristic has the fastest setup.
        text += _WORLDS_ALONE if relaxed else _WORLDS_ALONE + _WITHOUT_FAIL
        files = (*FILES, *LIVABLE) if request.livable else FILES
        self._session = Lexicographic(files, text, heuristic="Vmtf", wanted=("holds", "upheld"))
        self._holds = self._literals_of_values()
        self._upheld = {row[0]: literal for row, literal in self._session.literals("upheld")}

    @cached_property
    def fixed(self) -> dict[str, Variant]:
        """The rules that were asked for in words."""
        found = {rule.id: self.space.variant(rule) for rule in self.request.must}
        return {rule: variant for rule, variant in found.items() if variant}

    @cached_property
    def variants(self) -> dict[str, list[Variant]]:
        """For each rule that may change, its variants, the base's first."""
        free = self.space.variants
        return {rule: found for rule, found in free.items() if rule not in self.fixed}

    def numbers(self, rule: str, place: int) -> range:
        """The numbers of the values of a field."""
        return range(1, self._numbers[rule][place] + 1)

    @cached_property
    def _numbers(self) -> dict[str, list[int]]:
        """For each rule, how many values its uncertain fields have."""
        return {
            rule.id: [len(self.space.values(rule.id, name)) for name in rule.uncertain_fields]
            for rule in self.space.open_rules.values()
        }

    def works(self, state: State, difficulty: int | None) -> bool:
        """Whether there is a valid world of this kind.

        Args:
            state: The variants of some rules.
            difficulty: How many rules change; None for any number.

        Raises:
            LimitReachedError: The search was given up.
        """
        return self._session.satisfiable(self._assumed(state, difficulty))

    def first(
        self, state: State, difficulty: int | None, wishes: Sequence[Value]
    ) -> dict[str, Variant]:
        """The valid world that is lexicographically first in some preferences.

        Args:
            state: The variants of some rules, which leave valid worlds.
            difficulty: How many rules change; None for any number.
            wishes: Preferred values for the fields of some other rules, all values in order.

        Returns:
            The variants of the rules with preferences.

        Raises:
            LimitReachedError: The search was given up.
        """
        values = {self._holds[wish]: wish for wish in wishes}
        granted = self._session.first([*values], self._assumed(state, difficulty))
        assert granted is not None, "the state leaves valid worlds"
        return _variants(sorted(values[literal] for literal in granted))

    def worlds(
        self, state: State, difficulty: int | None, among: Mapping[str, Sequence[Variant]]
    ) -> list[dict[str, Variant]]:
        """Every way to choose variants of some rules that makes a valid world.

        Args:
            state: The variants of all rules; those to be chosen do not count.
            difficulty: How many rules change; None for any number.
            among: The variants that each of some rules may have; any mixture of their fields may be
                chosen.

        Returns:
            For each way, in an order that depends on nothing else, the variants chosen.

        Raises:
            LimitReachedError: The search was given up.
        """
        rest = {rule: variant for rule, variant in state.items() if rule not in among}
        fields = {
            rule: [*map(set, zip(*variants, strict=True))] for rule, variants in among.items()
        }
        open_ = {
            self._holds[rule, place, number]: (rule, place, number)
            for rule, possible in fields.items()
            for place, numbers in enumerate(possible)
            for number in numbers
        }
        assumed = self._assumed(rest, difficulty)
        for rule, possible in fields.items():
            assumed += self._outside(rule, possible)
        models = self._session.models(assumed, [*open_])
        chosen = sorted({tuple(sorted(open_[literal] for literal in model)) for model in models})
        return [_variants(choice) for choice in chosen]

    def _assumed(self, state: State, difficulty: int | None) -> list[int]:
        """The assumption literals of a query."""
        literals = [literal for rule, found in state.items() for literal in self._of(rule, found)]
        if difficulty is not None:
            literals.append(self._upheld[f"difficulty({difficulty})"])
        return literals

    def upholds(self, principles: Iterable[str], state: State | None = None) -> bool:
        """Whether a world exists that satisfies these principles; others may be violated.

        Args:
            principles: Their terms.
            state: The variants of some rules of that world; None for any.

        Raises:
            LimitReachedError: The search was given up.
        """
        upheld = [self._upheld[name] for name in principles]
        return self._session.satisfiable([*upheld, *self._assumed(state or {}, None)])

    @property
    def principles(self) -> list[str]:
        """All principles, as terms."""
        return list(self._upheld)

    def _literals_of_values(self) -> dict[Value, int]:
        rows = dict(self._session.literals("holds"))
        return {
            (rule.id, place, number): rows[term(rule.id), name, str(number)]
            for rule in self.space.open_rules.values()
            for place, name in enumerate(rule.uncertain_fields)
            for number in self.numbers(rule.id, place)
        }

    def _of(self, rule: str, variant: Variant) -> list[int]:
        """The literals of a variant."""
        if (rule, variant) not in self._literals:
            self._literals[rule, variant] = [
                self._holds[rule, place, number] for place, number in enumerate(variant)
            ]
        return self._literals[rule, variant]

    def _outside(self, rule: str, fields: Sequence[Collection[int]]) -> Iterator[int]:
        """The literals that exclude all values but these."""
        for place, possible in enumerate(fields):
            for number in self.numbers(rule, place):
                if number not in possible:
                    yield -self._holds[rule, place, number]

    @cached_property
    def _literals(self) -> dict[tuple[str, Variant], list[int]]:
        return {}

    def _facts(self) -> Iterator[str]:
        for luck in CERTAINTIES[: CERTAINTIES.index(self.request.certainty) + 1]:
            yield f"luck({luck})"
        if self.request.difficulty:
            low, high = self.request.difficulty
            yield f"difficulty({low}..{high})"
        for kind in ("must", "forbid"):
            for number, rule in enumerate(getattr(self.request, kind)):
                yield from self._asked(f"{kind}({number})", rule)

    def _asked(self, request: str, rule: Rule) -> Iterator[str]:
        """The facts of a request; empty if the space lacks the forbidden rules."""
        variant = self.space.variant(rule)
        if variant is not None:
            yield f"request({request})"
            fields = self.space.theory[rule.id].uncertain_fields
            for name, number in zip(fields, variant, strict=True):
                yield f"asked({request}, {term(rule.id)}, {name}, {number})"


def _variants(chosen: Iterable[Value]) -> dict[str, Variant]:
    """The variants as combinations of values, in their order."""
    found: dict[str, Variant] = {}
    for rule, _, number in chosen:
        found[rule] = (*found.get(rule, ()), number)
    return found
