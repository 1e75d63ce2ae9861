"""Tested rules as a theory in which what is untested is open, for an agent that tests it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mars_logic.theory.rulesets.artefact import blank_of, theory_of_rules
from mars_logic.theory.rulesets.discriminating_test import UNJUDGED
from mars_logic.theory.rulesets.rule_report import RuleFinding, Rules
from mars_logic.world.load import load_world
from mars_logic.world.theory import Theory


def theory_to_play_by(tested: Rules, *, opened: bool) -> Theory:
    """What rules say that nothing contradicts; all else is as in Crafter, by which one can live.

    Args:
        tested: Rules with their verdicts.
        opened: Whether the fields of untested and undecided rules are open, so that a learner makes
            experiments about them.

    Raises:
        InputError: The rules are about no dialect.
    """
    blank = blank_of(tested, tested.rules_from)
    usual = replace(load_world("crafter"), dynamics=blank.dynamics).within(blank)
    theory = blank.with_rules(*usual.rules())
    stated = [each for each in tested.rules if each.states and each.verdict != "contradicted"]
    if stated:
        theory = _with_fields(theory, stated, theory_of_rules(tested, tested.rules_from))
    return _with_fields(theory, to_decide(tested), blank) if opened else theory


def to_decide(tested: Rules) -> list[RuleFinding]:
    """Rules that are undecided or untested, and that more play could decide."""
    doubted = [each for each in tested.rules if each.verdict in ("untested", "undecided")]
    return [each for each in doubted if each.decide != UNJUDGED]


def _with_fields(theory: Theory, rules: list[RuleFinding], source: Theory) -> Theory:
    """A theory that takes the fields that rules state from another one."""
    fields: dict[str, dict[str, Any]] = {}
    for each in rules:
        rule = source.rule(each.id)
        if rule is not None:
            stated = {name: getattr(rule, name) for name in each.states or ()}
            fields.setdefault(each.id, {}).update(stated)
    changed = [theory[name].with_fields(new, theory.vocabulary) for name, new in fields.items()]
    return theory.with_rules(*changed)
