from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from mars_logic import load_world
from mars_logic.agents.random import RandomAgent
from mars_logic.play.damage_log import cause_of_death, death, losses
from mars_logic.play.episodes import Played, play
from mars_logic.play.interactions import Interaction, deeds
from mars_logic.play.learner import Trial
from mars_logic.sim import Simulator, generate_map
from mars_logic.world import names
from mars_logic.world.rules import Creature, Walk
from mars_logic.world.theory import World

DO = names.ACTIONS.index("do")


def harmless(world: World) -> World:
    """The same without creatures that do anything."""
    return world.with_rules(
        *(Creature(subject=being, eatable=True) for being in ("cow", "zombie", "skeleton"))
    )


@pytest.mark.parametrize("name", ["crafter", "default", "task_dep", "surv_task"])
def test_deeds_account_for_every_achievement(name: str) -> None:
    world = load_world(name)
    kinds = Counter[str]()
    for seed in range(4):
        simulator = Simulator(world)
        played = play(RandomAgent(), simulator, seed, world.achievements)
        done = list(deeds(world, seed, 1, played.actions))
        first: dict[str, int] = {}
        for deed in done:
            for achievement in deed.counted:
                first.setdefault(achievement, deed.step)
        assert first == played.unlocked
        counted = Counter(achievement for deed in done for achievement in deed.counted)
        reached = dict(zip(world.achievements, simulator.achievements[0].tolist(), strict=True))
        assert {n: counted[n] for n in reached} == reached
        kinds.update(deed.rule.partition(".")[0] for deed in done)
    assert kinds["collect"] > 0


def test_where_and_on_what() -> None:
    world, seed = load_world("default"), 0
    found = generate_map(world, seed)
    x, y = found.start
    move_down = names.ACTIONS.index("move_down")
    done = list(deeds(world, seed, 1, [move_down, DO, DO]))
    below = names.MATERIALS[found.materials[x, y + 2]]
    assert below == "grass"
    assert [(d.step, d.rule, d.stood, d.cell, d.material) for d in done] == [
        (step, "collect.grass", (x, y + 1), (x, y + 2), "grass") for step in (2, 3)
    ]


def test_what_cannot_be_done_is_no_deed() -> None:
    """Nothing is held, so that nothing can be placed or made."""
    actions = [a for a, name in enumerate(names.ACTIONS) if name.startswith(("place", "make"))]
    assert list(deeds(load_world("default"), 0, 1, actions)) == []


def test_a_deed_is_told_apart_by_its_step() -> None:
    here = (1, 1)
    assert Interaction(3, "sleep", here, here, "grass", ("wake_up",)).step == 3


def test_health_lost_by_walking_and_by_wants() -> None:
    world = harmless(load_world("default"))
    hot = world.with_rules(Walk(subject="grass", walkable=True, health=-1))
    left, right = names.ACTIONS.index("move_left"), names.ACTIONS.index("move_right")
    found = list(losses(hot, 0, 1, [left, right] * 4))
    assert found and {loss.cause for loss in found} == {"walking on grass"}
    assert cause_of_death(hot, 0, 1, [left, right] * 4) == "walking on grass"
    # Whoever only stands there thirsts first, then hungers, and dies of it.
    causes = [loss.cause for loss in losses(world, 0, 1, [0] * 600)]
    assert set(causes) <= {"hunger", "thirst", "exhaustion"} and len(causes) >= 9


def test_nothing_was_lost() -> None:
    assert cause_of_death(load_world("default"), 0, 1, [0]) == "unknown"


def trial(step: int, rule: str) -> Trial:
    return Trial(1, step, rule, "walkable", "", (), 0.5)


def test_a_death_by_an_experiment_is_told_from_others() -> None:
    """Three steps on ground that costs three points each; one of them is an experiment, or none."""
    world = harmless(load_world("default"))
    hot = world.with_rules(Walk(subject="grass", walkable=True, health=-3))
    left = names.ACTIONS.index("move_left")
    played = Played(0, 1, (left,) * 3, {}, -0.9, "death")
    assert Simulator(hot).world.walk["grass"].health == -3
    own = death(played, hot, [trial(1, "collect.grass"), trial(2, "walk.grass")])
    assert own is not None and own.cause == "walking on grass"
    assert own.experiment == trial(2, "walk.grass")
    assert str(own) == "walking on grass, by its own experiment on walk.grass at step 2"
    other = death(played, hot, [trial(2, "collect.grass"), trial(2, "walk.sand")])
    assert other is not None and other.experiment is None and str(other) == "walking on grass"
    assert death(replace(played, ended="length"), hot, []) is None


def test_what_an_experiment_cost_long_before_is_not_laid_to_it() -> None:
    world = harmless(load_world("default"))
    hot = world.with_rules(Walk(subject="grass", walkable=True, health=-1))
    moves = [names.ACTIONS.index(name) for name in ("move_left", "move_right")]
    actions = (*moves, *[names.ACTIONS.index("noop")] * 12, *moves * 4)
    played = Played(0, 1, actions, {}, -0.9, "death")
    last = max(loss.step for loss in losses(hot, 0, 1, actions))
    early, late = (death(played, hot, [trial(step, "walk.grass")]) for step in (1, last))
    assert early is not None and early.experiment is None
    assert late is not None and late.experiment is not None
