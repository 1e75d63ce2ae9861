"""Laws as rules with what is known of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mars_logic.theory.action_models.as_theory import as_theory
from mars_logic.theory.action_models.learn import ActionModels, target_names
from mars_logic.theory.action_models.noise import Disagreement
from mars_logic.theory.rulesets.artefact import untested
from mars_logic.theory.rulesets.rule_report import Counterexample, RuleFinding, Rules
from mars_logic.theory.rulesets.stated import Stated
from mars_logic.theory.verdict import Verdict


def as_rules(laws: ActionModels, place: str, disagree: Sequence[Disagreement] = ()) -> Rules:
    """The rules that correspond to some laws.

    A rule is supported if the records leave one value of each field that they tell of, and two
    successes show it at least; it is undecided if they leave a choice, or one record decides.

    Args:
        laws: The laws.
        place: Where the records are from.
        disagree: Records that disagree; they are told with the rules that they are about.
    """
    theory = as_theory(laws)
    found = untested([Stated(theory, place)], theory)
    rules = tuple(_tested(each, laws, disagree) for each in found.rules)
    return found.model_copy(update={"rules": rules, "transitions": len(laws.records)})


def _tested(rule: RuleFinding, laws: ActionModels, disagree: Sequence[Disagreement]) -> RuleFinding:
    goals = [*_goals(rule.id, laws)]
    successes = sum(laws[goal].successes for goal in goals)
    tries = sum(laws[goal].tries for goal in goals)
    choice = any("one_of" in str(said.get("value")) for said in (rule.states or {}).values())
    verdict: Verdict = "untested"
    if successes:
        verdict = (
            "supported"
            if successes > 1 and not choice and not _alone(goals, laws)
            else ("undecided")
        )
    examples = tuple(
        Counterexample(
            trajectory=each.places[0],
            predicted=rule.text,
            did=each.goal,
            saw=str(each),
            count=len(each.places),
        )
        for each in disagree
        if each.goal in goals
    )
    return rule.model_copy(
        update={
            "by": "learn-action-models",
            "verdict": verdict,
            "support": successes,
            "applicable": tries,
            "consistent": tries,
            "counterexamples": examples,
            "decide": "more records, which tell the values that are left apart"
            if verdict == "undecided"
            else "",
        }
    )


def _goals(rule_id: str, laws: ActionModels) -> Iterator[str]:
    """The goals whose records tell of a rule."""
    family, _, subject = rule_id.partition(".")
    for goal, law in laws.by_goal.items():
        targets = {name for branch in law.branches for name in target_names(branch.targets)}
        own = f"{family}_{subject}" == goal
        eaten = family == "creature" and goal in (f"eat_{subject}", f"kill_{subject}")
        faced = family in ("collect", "drink") and law.kind == "do" and subject in targets
        moved = family == "walk" and law.kind == "move" and subject in targets
        if own or eaten or faced or moved:
            yield goal


def _alone(goals: Sequence[str], laws: ActionModels) -> bool:
    """Whether one record alone decides a condition."""
    branches = [branch.bounds for goal in goals for branch in laws[goal].branches]
    return any((each.least() > each.corroborated()).any() for each in branches)
