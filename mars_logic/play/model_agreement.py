"""Agreement of laws, and of the paper's printed functions, with the game on all visited states."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mars_logic.theory.action_models.learn import ActionModels
from mars_logic.theory.action_models.paper_rewards import paper_rewards
from mars_logic.theory.action_models.predicates import Reading, predicates

if TYPE_CHECKING:
    from mars_logic.play.attempts import Attempts


@dataclass
class AgreementTally:
    """Confusion counts of a predicate against the game.

    Attributes:
        right: Correct states.
        wrong_yes: False positives: states in which the action cannot succeed.
        wrong_no: False negatives.
        errors: States in which it raises an error.
    """

    right: int = 0
    wrong_yes: int = 0
    wrong_no: int = 0
    errors: int = 0

    def add(self, said: NDArray[np.bool_], so: NDArray[np.bool_], fails: NDArray[np.bool_]) -> None:
        """Count some more states."""
        self.errors += int(fails.sum())
        self.right += int(((said == so) & ~fails).sum())
        self.wrong_yes += int((said & ~so & ~fails).sum())
        self.wrong_no += int((~said & so & ~fails).sum())

    @property
    def wrong(self) -> int:
        """States with a wrong answer or an error."""
        return self.wrong_yes + self.wrong_no + self.errors


@dataclass
class Agreement:
    """The agreement for one achievement.

    Attributes:
        possible: States in which its action could reach it.
        law: The learned predicate.
        open: States in which the remaining hypotheses disagree.
        astray: States that every remaining hypothesis predicts wrongly.
        printed: The function printed in the paper.
    """

    possible: int = 0
    law: AgreementTally = field(default_factory=AgreementTally)
    open: int = 0
    astray: int = 0
    printed: AgreementTally = field(default_factory=AgreementTally)


@dataclass
class AgreementReport:
    """Agreement on all states.

    Attributes:
        states: How many states were met in which the player was free to act.
        distinct: How many of them look different to a law.
        by_goal: The agreement for each achievement.
    """

    states: int
    distinct: int
    by_goal: dict[str, Agreement]

    @property
    def disagreements(self) -> int:
        """States and achievements in which a learned predicate is wrong."""
        return sum(found.law.wrong for found in self.by_goal.values())

    @property
    def astray(self) -> int:
        """States that every remaining hypothesis predicts wrongly."""
        return sum(found.astray for found in self.by_goal.values())


def verify(
    laws: ActionModels, played: Iterable[Attempts], reading: Reading = "simplest"
) -> AgreementReport:
    """Compare laws with the game.

    Args:
        laws: The laws.
        played: States met in play, with what was possible there.
        reading: Which of the hypotheses that are left is compared.
    """
    ours, theirs = predicates(laws, reading), paper_rewards(laws.dynamics)
    found = AgreementReport(0, 0, {goal: Agreement() for goal in ours.goals})
    looks: set[bytes] = set()
    for part in played:
        free = part.states.free
        states, possible = part.states[free], part.possible[free]
        found.states += len(states)
        rows = np.column_stack([states.target, states.amounts()])
        looks |= {row.tobytes() for row in rows}
        valid = ours.valid(states)
        for column, goal in enumerate(ours.goals):
            agreement, so = found.by_goal[goal], possible[:, column]
            agreement.possible += int(so.sum())
            agreement.law.add(valid[:, column], so, np.zeros(len(so), np.bool_))
            sure, may = laws[goal].sure(states), laws[goal].possible(states)
            agreement.open += int((may & ~sure).sum())
            agreement.astray += int(((sure & ~so) | (~may & so)).sum())
            holds = theirs[goal].holds(states)
            fails = holds & theirs[goal].fails
            agreement.printed.add(holds, so, fails)
    found.distinct = len(looks)
    return found
