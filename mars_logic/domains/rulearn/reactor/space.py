"""The version space of the reactor: all programs of a language that fit what was seen."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.rulearn.episode import PuzzleAction
from mars_logic.domains.rulearn.reactor.language import (
    Language,
    Outcomes,
    PlainLanguage,
    Products,
    ProgramList,
)
from mars_logic.domains.rulearn.reactor.planner import ReactionPlan, ReactionPlanner
from mars_logic.domains.rulearn.reactor.reactions import Inputs
from mars_logic.domains.rulearn.reactor.rules import Program, PuzzleHint, Reactor, products
from mars_logic.domains.rulearn.reactor.search import explanations
from mars_logic.domains.rulearn.reactor.words import program_sentences
from mars_logic.domains.rulearn.space import PuzzleSpace, one_of
from mars_logic.induction.protocol import Plan
from mars_logic.world.uncertain import is_uncertain

HINT_ODDS: Final = 50.0
"""How much likelier a program is that agrees with a hint than one that does not."""
MOST_FOUND: Final = 300
"""Programs of the larger language that are kept, the shortest ones."""
_LISTED: Final = 20
"""Programs that a theory lists, the likeliest ones."""
_TRIED: Final = 8
"""Programs of which one must have a plan."""


def react(u: str, v: str) -> PuzzleAction:
    """Put two materials into the reactor."""
    return PuzzleAction("react", materials=(u, v))


def _tells(action: PuzzleAction) -> bool:
    """Whether it is a reaction of two materials."""
    return action.do == "react" and len(action.materials) == 2


class ReactorSpace(PuzzleSpace[Program]):
    """All programs of the language that fit what was seen, with what hints make likely.

    It reads what a player is shown, and nothing else. Programs that never differ are counted apart.

    Args:
        visible: What is told at the start: ``target``, ``storage``.
        hints: Reactions that the player is told. They shift weights and exclude nothing.

    Attributes:
        exact: Whether the count is exact. In the larger language it is a lower bound.
        widened: Whether a larger language is in use, since nothing of the first one fits.
        storage: The materials at hand.
    """

    def __init__(self, visible: Mapping[str, Any], hints: Sequence[PuzzleHint] = ()) -> None:
        self._target: str = visible["target"]
        self._raw = self.storage = tuple(visible["storage"])
        self._hints = tuple(hints)
        self._seen: dict[Inputs, Products] = {}
        self._planners: dict[Program, ReactionPlanner] = {}
        self._settled = False
        self.exact, self.widened = True, False
        self._use(PlainLanguage())

    @classmethod
    def of(cls, theory: Reactor, start: Mapping[str, Any]) -> ReactorSpace:
        """All programs, with the hints of the manual."""
        return cls(start, theory.told)

    @staticmethod
    def rule(theory: Reactor) -> Program | None:
        """The program."""
        return None if is_uncertain(theory.rule) else theory.rule

    def trust_hints(self) -> None:
        """Take the hints for reactions that were seen."""
        for hint in self._hints:
            action = PuzzleAction("react", materials=hint.inputs)
            self.observe(action, {"products": hint.products, "error": None})

    def _use(self, language: Language) -> None:
        self._language = language
        self._alive = np.arange(len(language.prior))
        self._known: dict[Inputs, Outcomes] = {}
        self._weights = language.prior.copy()
        for hint in self._hints:
            agrees = self._agree((hint.inputs[0], hint.inputs[1]), hint.products)
            self._weights = np.where(agrees, self._weights, self._weights / HINT_ODDS)
        self._keep(np.ones(len(self._alive), dtype=np.bool_))
        for inputs, made in self._seen.items():
            self._keep(self._agree(inputs, made))

    def _keep(self, kept: NDArray[np.bool_]) -> None:
        self._alive, weights = self._alive[kept], self._weights[kept]
        self._weights = weights / (float(weights.sum()) or 1.0)
        self._known = {}

    def _agree(self, inputs: Inputs, made: Sequence[str]) -> NDArray[np.bool_]:
        """Whether each program makes these products."""
        found = self._outcomes(*inputs)
        wanted = tuple(made)
        place = found.made.index(wanted) if wanted in found.made else -1
        return np.asarray(found.codes == place)

    def observe(self, action: PuzzleAction, shown: Mapping[str, Any]) -> None:
        """Keep the programs that predict what was seen; only reactions of two materials tell.

        Args:
            action: An action.
            shown: What the player saw of its outcome.
        """
        self.storage = tuple(shown.get("storage", self.storage))
        if not _tells(action) or shown["error"] is not None:
            return
        u, v = action.materials
        self._seen[u, v] = tuple(shown["products"])
        if not self._settled:
            self._keep(self._agree((u, v), shown["products"]))
            if self.widened or not self.count:
                self._widen()

    def _widen(self) -> None:
        """Search a larger language for what explains everything that was seen."""
        self.exact, self.widened = False, True
        self._use(ProgramList(explanations(self._seen, MOST_FOUND)))

    def settle(self, rule: Program) -> None:
        """Believe one rule from now on, whatever is seen."""
        self._hints, self._seen, self._settled = (), {}, True
        self._use(ProgramList([(rule, 0.0)]))

    @property
    def count(self) -> int:
        """The number of programs."""
        return len(self._alive)

    def _outcomes(self, u: str, v: str) -> Outcomes:
        """What each program that is left makes of two materials."""
        if (u, v) not in self._known:
            self._known[u, v] = self._language.outcomes(u, v, self._alive)
        return self._known[u, v]

    def predict(self, action: PuzzleAction) -> Mapping[Products, float]:
        """The products of two materials, with their probabilities, the likeliest first.

        Any other action is predicted to bring nothing.
        """
        if not _tells(action):
            return {(): 1.0}
        found = self._outcomes(*action.materials)
        sums = np.bincount(found.codes, self._weights, minlength=len(found.made))
        order = np.argsort(-sums, kind="stable")
        return {found.made[at]: float(sums[at]) for at in order if sums[at]}

    def outcome(self, action: PuzzleAction, shown: Mapping[str, Any]) -> Products:
        """The products that were seen; none of any action but a reaction of two materials."""
        return tuple(shown["products"]) if _tells(action) else ()

    def expected(self, hypothesis: Program, action: PuzzleAction) -> Products:
        """The products of two materials by a program."""
        if not _tells(action):
            return ()
        u, v = action.materials
        return products(hypothesis, u, v)

    def hypotheses(self, most: int) -> list[tuple[Program, float]]:
        """Programs with their probabilities, the likeliest first, at most so many."""
        return [
            (self._language.program(int(self._alive[at])), float(self._weights[at]))
            for at in np.argsort(-self._weights, kind="stable")[:most]
        ]

    def learned(self, theory: Reactor) -> Reactor:
        """A theory with the likeliest programs."""
        self._require_any()
        rule = one_of(
            (theory.model_copy(update={"rule": program}).model_dump(mode="json")["rule"], weight)
            for program, weight in self.hypotheses(_LISTED)
        )
        return Reactor.model_validate(theory.model_dump(mode="json") | {"rule": rule})

    def sentences(self, hypothesis: Program) -> list[str]:
        """The program."""
        return program_sentences(hypothesis)

    def certain(self) -> list[str]:
        """The rule, if one is left, or how many reactions of what is in storage are certain."""
        if self.count == 1:
            return program_sentences(self.hypotheses(1)[0][0])
        certain, undecided = self.consequences(self.experiments())
        many = len(certain) + len(undecided)
        return [f"{len(certain)} of {many} reactions of materials in storage."] if certain else []

    def experiments(self) -> list[PuzzleAction]:
        """Reactions of two materials at hand that were not tried."""
        return [
            react(u, v)
            for u, v in itertools.product(self.storage, repeat=2)
            if (u, v) not in self._seen
        ]

    def attempt(self) -> PuzzleAction:
        """The first reaction of a shortest plan under the likeliest program, or the target."""
        if self._target in self.storage:
            return PuzzleAction("submit")
        plan = self._plan_of(self.hypotheses(1)[0][0])
        return react(*plan.next[0]) if plan else self.plan(1).actions[0]

    def _plan_of(self, program: Program) -> ReactionPlan | None:
        if program not in self._planners:
            self._planners[program] = ReactionPlanner(program, self._target, self._raw)
        return self._planners[program].plan(self.storage)

    def plan(self, steps_left: int) -> Plan[PuzzleAction]:
        """The reactions with which a shortest plan under the likeliest program may begin.

        It is optimal if it is certain to work, and proved shortest within its pool. Where a rule
        has no plan, the next one is taken; where none has, what tells most is tried.

        Raises:
            InputError: No hypothesis is left.
        """
        if self._target in self.storage:
            return Plan((PuzzleAction("submit"),), 0.0, optimal=True)
        self._require_any()
        place, plan = self._likeliest_plan()
        if plan is None:
            return Plan(tuple(self._most_telling()), float(steps_left))
        certain = self._works(place, plan.reactions)
        actions = tuple(react(*pair) for pair in plan.next)
        return Plan(actions, float(len(plan.reactions)), optimal=certain and plan.minimal)

    def _likeliest_plan(self) -> tuple[int, ReactionPlan | None]:
        """The place of the likeliest program that has a plan, and the plan."""
        for at in np.argsort(-self._weights, kind="stable")[:_TRIED].tolist():
            plan = self._plan_of(self._language.program(int(self._alive[at])))
            if plan is not None:
                return at, plan
        return 0, None

    def _works(self, place: int, pairs: Iterable[Inputs]) -> bool:
        """Whether all programs make of all these pairs what one of them makes."""
        found = (self._outcomes(*pair).codes for pair in pairs)
        return all(bool((codes == codes[place]).all()) for codes in found)

    def _most_telling(self) -> list[PuzzleAction]:
        every = self.experiments()
        bits = [self.information(each) for each in every]
        return [each for each, told in zip(every, bits, strict=True) if told == max(bits)]
