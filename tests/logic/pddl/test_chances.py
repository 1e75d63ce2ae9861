"""Tasks with chances: the probabilities are those of the rules, in any dialect."""

from __future__ import annotations

import math
import re

import pytest

from mars_logic import World, load_world
from mars_logic.logic.chance import NEGLIGIBLE, binomial_below, trials_for
from mars_logic.logic.pddl import PddlForm, domain_text, planning_task, problem_text
from mars_logic.world.load import bundled_worlds


def random_parts(world: World, material: str) -> dict[frozenset[str], float]:
    """By what collecting gains at random, its probability, of the exported task."""
    task = planning_task(world, chances=True)
    (action,) = [each for each in task.actions if each.name == f"collect-{material}"]
    draw = action.chances[0]
    return {
        frozenset(change.amount[1] for change in each.changes): each.probability for each in draw
    }


def test_outcomes_have_the_chances_of_the_rules() -> None:
    assert random_parts(load_world("crafter"), "grass") == {frozenset({"sapling"}): 0.1}
    half = {frozenset({"wood"}): 0.5, frozenset({"stone"}): 0.5}
    assert random_parts(load_world("all_three"), "stone") == half


def two_yields(dynamics: str) -> World:
    """A world in which grass yields two things by chance."""
    world = load_world("crafter" if dynamics == "crafter" else "default")
    yields = {
        "wood": {"amount": 1, "probability": 0.2},
        "sapling": {"amount": 1, "probability": 0.5},
    }
    rule = world.collect["grass"].with_fields({"yields": yields}, world.vocabulary)
    return world.with_rules(rule)


def test_one_draw_decides_all_in_crafter_and_one_thing_in_mars() -> None:
    together = random_parts(two_yields("crafter"), "grass")
    both, one = frozenset({"sapling", "wood"}), frozenset({"sapling"})
    assert together == {both: pytest.approx(0.2), one: pytest.approx(0.3)}
    apart = random_parts(two_yields("mars"), "grass")
    assert apart == {frozenset({"wood"}): 0.2, frozenset({"sapling"}): 0.5}


@pytest.mark.parametrize("name", ["crafter", "default", "surv_task", "all_three"])
def test_the_form_with_chances_is_whole(name: str) -> None:
    assert name in bundled_worlds()
    task = planning_task(load_world(name), chances=True)
    domain = domain_text(task, PddlForm.probabilistic)
    problem = problem_text(task, PddlForm.probabilistic)
    assert domain.count("(") == domain.count(")") and problem.count("(") == problem.count(")")
    assert ":probabilistic-effects" in domain and "-until-" not in domain
    draws = re.findall(r"\(probabilistic (.*?)\) \(increase \(total-cost\)", domain)
    assert draws
    for draw in re.findall(r"\(probabilistic [^\n]*", domain):
        for part in draw.split("(probabilistic ")[1:]:
            shares = [float(share) for share in re.findall(r"(?:^|\) )(\d[\d.e-]*) \(and", part)]
            assert shares and math.fsum(shares) <= 1 + 1e-9
    for number in re.findall(r"\((?:increase|assign) \(held \w+\) \((n\d+)\)\)", domain):
        assert f"    ({number})\n" in domain and f"(= ({number}) {number[1:]})" in problem


def test_trials_are_enough_but_for_a_negligible_probability() -> None:
    assert trials_for(5, 1) == 5
    for wanted, chance in ((1, 0.1), (3, 0.5), (9, 0.9)):
        found = trials_for(wanted, chance)
        assert binomial_below(wanted, found, chance) <= NEGLIGIBLE
        assert binomial_below(wanted, found - 1, chance) > NEGLIGIBLE


def test_a_name_of_several_lines_stays_in_its_comment() -> None:
    world = load_world("crafter").named("a\nb")
    for chances, form in ((False, PddlForm.strips), (True, PddlForm.probabilistic)):
        lines = domain_text(planning_task(world, chances=chances), form).splitlines()
        start = lines.index("(define (domain world-a-b)")
        assert all(line.startswith(";") for line in lines[:start])
