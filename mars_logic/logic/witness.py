"""Witnesses: the fewest interactions that unlock an achievement, in an order that works.

Only where the first plans with the fewest interactions cannot be ordered, because something that
has to be held is needed for something else as well, a witness may have a few more.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from mars_logic.logic.facts import rule_id
from mars_logic.logic.ground import Ground
from mars_logic.logic.judge import Judge
from mars_logic.logic.limits import CONSIDERED
from mars_logic.logic.order import Action, Order
from mars_logic.logic.proof import Step

MOST_PLANS = 8
"""Plans that are tried for an order before cautious ones are asked for, and then given up."""


@dataclass(frozen=True)
class Witness:
    """A way to a goal.

    Attributes:
        steps: What to do, in an order that works.
        at_least: No plan for the goal has fewer interactions, if it counts on the same luck and
            can be put into an order.
    """

    steps: tuple[Step, ...]
    at_least: int


class Witnesses:
    """The witnesses of one judgement."""

    def __init__(self, judge: Judge):
        """Prepare; nothing is solved yet."""
        self._judge = judge
        self._grounds: dict[str, Ground] = {}

    def find(self, goal: str, level: str, plans: int = MOST_PLANS) -> Witness | None:
        """A witness for an achievement or a rule, with the luck that a level accepts.

        Args:
            goal: An achievement, or the term of a rule.
            level: Whose luck may be counted on.
            plans: So many plans are tried for an order, and then so many cautious ones.

        Returns:
            The witness; None if none of the first plans can be ordered, or no numbers balance.

        Raises:
            LimitReachedError: A search was given up.
        """
        at_least = 0
        for cautious in (False, True):
            for _ in range(plans):
                plan = self._judge.fewest(goal, level, cautious=cautious)
                if plan is None:
                    break
                if not cautious:  # plans come the shortest first, and none of those before works
                    at_least = min(sum(plan.values()), CONSIDERED)
                actions = Order(self._ground(level), plan).find()
                if actions is not None:
                    return Witness(_steps(actions), at_least)
                self._judge.exclude(plan, goal, level)
        return None

    def _ground(self, level: str) -> Ground:
        if level not in self._grounds:
            self._grounds[level] = Ground(self._judge.relations, level)
        return self._grounds[level]


def _steps(actions: list[Action]) -> tuple[Step, ...]:
    return tuple(
        Step(rule_id(rule), len(list(group)), None if outcome == "plain" else outcome)
        for (rule, outcome), group in groupby(actions)
    )
