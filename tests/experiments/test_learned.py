"""What a learner made of a world, in words."""

from __future__ import annotations

from dataclasses import replace

from mars_logic import load_world
from mars_logic.experiments.learned import LearnedRule
from mars_logic.world.uncertain import UNKNOWN


def test_a_verdict_names_its_fields_where_others_are_guesses() -> None:
    world = load_world("default")
    rule = world["make.wood_sword"]
    known = LearnedRule(rule, rule, ("uses",), 0.97, True, world.vocabulary)
    assert str(known).splitlines()[0] == "make.wood_sword: 97% sure, right"
    guessed = replace(known, after=rule.model_copy(update={"nearby": UNKNOWN}))
    assert str(guessed).splitlines()[0] == "make.wood_sword (uses): 97% sure, right"
