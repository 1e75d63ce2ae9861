"""Scenarios do what their names say, in any world."""

from __future__ import annotations

import itertools

import pytest

from mars_logic import load_world
from mars_logic.experiments.state_ranking.documents import StateDocument
from mars_logic.experiments.state_ranking.scenarios import (
    StateTransition,
    applies,
    needs_of,
    scenarios,
    scenarios_of,
    transitions,
)

BY_RULE = [name for name, each in scenarios().items() if each.rule]


def effect(each: StateTransition) -> bool:
    """Whether something but the clocks and needs changed by the player's action."""

    def told(state: StateDocument) -> object:
        vitals = ("health", "food", "drink", "energy")
        items = {item: n for item, n in state["inventory"].items() if item not in vitals}
        plants = [o for o in state["objects"] if o["kind"] == "plant"]
        return items, state["map"], state["achievements"], len(plants)

    return told(each.last) != told(each.after)


def test_there_are_as_many_as_published() -> None:
    assert len(scenarios()) == 38
    assert scenarios_of(load_world("default")) == scenarios()
    without = [name for name, each in scenarios().items() if each.needs == "missing"]
    assert len(without) == 14 and {name.removesuffix("_without") for name in without} < {*BY_RULE}


@pytest.mark.parametrize("world", ["crafter", "default", "all_three"])
def test_an_action_works_exactly_where_its_needs_are_met(world: str) -> None:
    rules = load_world(world)
    tried = [name for name in BY_RULE if applies(scenarios()[name], rules)]
    for name in tried:
        found = transitions(rules, name, 4, seed=3)
        wanted = scenarios()[name].needs == "met"
        assert [effect(each) for each in found] == [wanted] * 4, name
    assert len(tried) >= len(BY_RULE) - 2


def test_a_world_without_a_need_has_no_case_in_which_it_is_missing() -> None:
    rules = load_world("all_three")
    assert not needs_of(rules, "collect.stone").items
    assert not applies(scenarios()["collect_stone_without"], rules)
    assert applies(scenarios()["collect_stone"], rules)


@pytest.mark.parametrize(
    ("name", "achievement"),
    [
        ("defeat_skeleton", "defeat_skeleton"),
        ("defeat_zombie", "defeat_zombie"),
        ("eat_cow", "eat_cow"),
        ("wake_up", "wake_up"),
        ("eat_plant", "eat_plant"),
    ],
)
def test_runs_end_with_their_aim(name: str, achievement: str) -> None:
    found = transitions(load_world("crafter"), name, 40, seed=0)
    assert any(each.after["achievements"][achievement] for each in found)


def test_transitions_are_linked_reproducible_and_of_the_seed() -> None:
    world = load_world("default")
    one, same, other = (transitions(world, "random_movement", 10, seed) for seed in (1, 1, 2))
    assert [each.after for each in one] == [each.after for each in same]
    assert [each.after for each in one] != [each.after for each in other]
    assert all(a.after == b.last for a, b in itertools.pairwise(one))
