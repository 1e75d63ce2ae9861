"""Rules that a player can apply, with all their requirements in the available amounts."""

from __future__ import annotations

from collections.abc import Mapping

from mars_logic.logic.certainty import CERTAINTIES, Outcome
from mars_logic.logic.proof import Verdict
from mars_logic.logic.reachability_model import OPTIMISTIC, ReachabilityModel
from mars_logic.logic.rule_atoms import APPLIED, rule_id, term
from mars_logic.logic.solve import LimitReachedError
from mars_logic.logic.witness import Witnesses

SLEEP = "sleep"
"""The id of sleeping, which is not a rule of a world."""
_PLANS = 2
"""Plans tried for a rule that no achievement needs; dozens of rules may each be hard to order."""


def usable(
    reachability: ReachabilityModel, witnesses: Witnesses, verdicts: Mapping[str, Verdict]
) -> dict[str, Outcome]:
    """For the id of each rule that a player applies, whether it can be applied.

    A rule that unlocks an achievement is applicable if and only if that is reachable, and so is
    every rule in a witness. For all other rules a witness is searched.
    """
    applied = [*(rule.id for rule in reachability.world.rules() if rule.family in APPLIED), SLEEP]
    try:
        known = {
            rule_id(deed[6:-1]): verdicts[name].verdict
            for name, deed in reachability.relations["achievement"]
            if deed.startswith("apply(") and name in verdicts
        }
        for verdict in verdicts.values():
            known.update((step.rule, "reachable") for step in verdict.witness)
        return {
            rule: known.get(rule) or _outcome(reachability, witnesses, rule) for rule in applied
        }
    except LimitReachedError:
        return dict.fromkeys(applied, "unknown")


def _outcome(reachability: ReachabilityModel, witnesses: Witnesses, rule: str) -> Outcome:
    this = term(rule)
    if this not in reachability.at(OPTIMISTIC, "act"):
        return "unreachable"
    levels = (level for level in CERTAINTIES if this in reachability.at(level, "act"))
    try:
        found = any(witnesses.find(this, level, _PLANS) is not None for level in levels)
    except LimitReachedError:
        return "unknown"
    return "reachable" if found else "unknown"
