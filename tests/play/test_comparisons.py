from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from mars_logic.plan.foresight import Comparison, Option
from mars_logic.plan.planner import Decision
from mars_logic.play.comparisons import ComparisonLog


def test_changed_decisions_are_told_with_the_numbers_of_both_actions() -> None:
    options = (Option(2, 0.9375, 4.1, 0), Option(6, 1.0, 8.9, 1), Option(1, 1.0, 7.0, 2))
    compared = Comparison(options, 8, 213)
    agent: Any = SimpleNamespace(decision=Decision(0, "plan", "collect.iron"))
    log, nothing = ComparisonLog(agent), SimpleNamespace()
    decisions = (
        Decision(0, "plan", "collect.iron"),
        Decision(2, "plan", "collect.iron", compared),
        Decision(6, "foresight", "collect.iron", compared),
    )
    for agent.decision in decisions:
        log.note(agent.decision.action, 0.0, (), False, nothing)  # type: ignore[arg-type]
    assert log.compared == 2 and [one.step for one in log.changed] == [3]
    first, told = log.told()
    assert first == "Rollouts compared the options of 2 decisions and changed 1."
    assert told == (
        "Step 3, collect.iron: sleep: 100.0% alive and health 8.9 after 8 steps, 214 steps to go; "
        "intended, move right: 93.8% alive and health 4.1 after 8 steps, 213 steps to go."
    )
    log.begin(nothing)  # type: ignore[arg-type]
    assert not [*log.told()] and not log.changed
