"""Witnesses: the fewest interactions that unlock an achievement, in a valid order.

Only where the first plans with the fewest interactions cannot be ordered, because something that
has to be held is needed for something else as well, a witness may have a few more.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from mars_logic.logic.ground import Ground
from mars_logic.logic.order import Action, Order
from mars_logic.logic.plan_bounds import CONSIDERED
from mars_logic.logic.proof import Step
from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.logic.rule_atoms import rule_id

MOST_PLANS = 8
"""Plans that are tried for an order before cautious ones are asked for, and then given up."""


@dataclass(frozen=True)
class Witness:
    """A plan for a goal.

    Attributes:
        steps: The plan's steps, in a valid order.
        at_least: Lower bound on the interactions of any orderable plan that counts on the same
            chances.
    """

    steps: tuple[Step, ...]
    at_least: int


class Witnesses:
    """The witnesses of one reachability model."""

    def __init__(self, reachability: ReachabilityModel):
        """Prepare; nothing is solved yet."""
        self._reachability = reachability
        self._grounds: dict[str, Ground] = {}

    def find(self, goal: str, level: str, plans: int = MOST_PLANS) -> Witness | None:
        """A witness for an achievement or a rule, with the luck that a level accepts.

        Args:
            goal: An achievement, or the term of a rule.
            level: The level of certainty, which determines the chances to count on.
            plans: Number of plans tried for an order, and then of cautious ones.

        Returns:
            The witness; None if none of the first plans can be ordered, or no counts are balanced.

        Raises:
            LimitReachedError: A search was given up.
        """
        at_least = 0
        for cautious in (False, True):
            for _ in range(plans):
                plan = self._reachability.fewest(goal, level, cautious=cautious)
                if plan is None:
                    break
                if not cautious:  # plans come the shortest first, and none of those before works
                    at_least = min(sum(plan.values()), CONSIDERED)
                actions = Order(self._ground(level), plan).find()
                if actions is not None:
                    return Witness(_steps(actions), at_least)
                self._reachability.exclude(plan, goal, level)
        return None

    def _ground(self, level: str) -> Ground:
        if level not in self._grounds:
            self._grounds[level] = Ground(self._reachability.relations, level)
        return self._grounds[level]


def _steps(actions: list[Action]) -> tuple[Step, ...]:
    return tuple(
        Step(rule_id(rule), len(list(group)), None if outcome == "plain" else outcome)
        for (rule, outcome), group in groupby(actions)
    )
