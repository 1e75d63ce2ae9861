"""Which rules a player can apply: with all that this takes, in the amounts that there are."""

from __future__ import annotations

from collections.abc import Mapping

from mars_logic.logic.facts import APPLIED, rule_id, term
from mars_logic.logic.judge import OPTIMISTIC, Judge
from mars_logic.logic.proof import CERTAINTIES, Outcome, Verdict
from mars_logic.logic.solve import LimitReachedError
from mars_logic.logic.witness import Witnesses

SLEEP = "sleep"
"""What stands for sleeping, which no rule of a world describes."""
_PLANS = 2
"""Plans tried for a rule that no achievement needs; dozens of rules may each be hard to order."""


def usable(
    judge: Judge, witnesses: Witnesses, verdicts: Mapping[str, Verdict]
) -> dict[str, Outcome]:
    """For the id of each rule that a player applies, whether it can be applied.

    What unlocks an achievement can be if and only if that is reachable, and so can all that a
    witness applies. For anything else a witness is looked for.
    """
    applied = [*(rule.id for rule in judge.world.rules() if rule.family in APPLIED), SLEEP]
    try:
        known = {
            rule_id(deed[6:-1]): verdicts[name].verdict
            for name, deed in judge.relations["achievement"]
            if deed.startswith("apply(") and name in verdicts
        }
        for verdict in verdicts.values():
            known.update((step.rule, "reachable") for step in verdict.witness)
        return {rule: known.get(rule) or _outcome(judge, witnesses, rule) for rule in applied}
    except LimitReachedError:
        return dict.fromkeys(applied, "unknown")


def _outcome(judge: Judge, witnesses: Witnesses, rule: str) -> Outcome:
    this = term(rule)
    if this not in judge.at(OPTIMISTIC, "act"):
        return "unreachable"
    levels = (level for level in CERTAINTIES if this in judge.at(level, "act"))
    try:
        found = any(witnesses.find(this, level, _PLANS) is not None for level in levels)
    except LimitReachedError:
        return "unknown"
    return "reachable" if found else "unknown"
