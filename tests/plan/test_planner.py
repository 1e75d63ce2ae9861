from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.plan.observed_map import UNSEEN, ObservedMap, Status
from mars_logic.plan.planner import Decision, Planner
from mars_logic.plan.task_plan import Task, TaskPlan
from mars_logic.plan.task_queue import TaskQueue
from mars_logic.plan.world_model import CODE, SLEEP
from mars_logic.sim import Observation, Simulator
from mars_logic.world.rules import FAMILIES, Collect, Yield
from mars_logic.world.theory import Theory, World
from mars_logic.world.uncertain import UNKNOWN
from tests.plan.scenes import observed_map, situation, status
from tests.world.strategies import worlds

STEPS = 60


def ignorance(base: str) -> Theory:
    """A theory that knows nothing but what its dialect fixes for all worlds."""
    world = load_world(base)
    rules = [
        rule.model_copy(update=dict.fromkeys(rule.field_names(), UNKNOWN))
        if rule.family in ("walk", "creature", "drink", "collect", "place", "make")
        else rule
        for rule in world.rules()
    ]
    assert len(FAMILIES) == 8
    return Theory.from_world(world).with_rules(*rules)


def own_status(observation: Observation, step: int) -> Status:
    return Status(
        tuple(observation.inventory[0].tolist()),
        bool(observation.sleeping[0]),
        float(observation.daylight[0]),
        step,
        frozenset(),
    )


def play_blind(belief: Theory, world: World, seed: int, steps: int) -> ObservedMap:
    """Play by a belief in a world, seeing only the view around the player."""
    simulator = Simulator(world)
    simulator.reset(seed)
    planner = Planner(belief)
    observation = simulator.observe()
    seen = ObservedMap.begin(observation)
    for step in range(steps):
        action = planner.decide(seen, own_status(observation, step)).action
        assert 0 <= action <= 16
        asleep = bool(observation.sleeping[0])
        _, done = simulator.step(action)
        observation = simulator.observe()
        seen = seen.after(observation, 6 if asleep else action)
        if done[0]:
            break
    return seen


def test_the_first_things_are_done_first() -> None:
    planner = Planner(load_world("default"), goals=["make_wood_pickaxe"])
    seen = observed_map("@T..\n.T..\n.T..", facing=(1, 0))
    decision = planner.decide(seen, status())
    assert (decision.layer, decision.about, decision.action) == ("plan", "collect.tree", 5)
    assert planner.plan is not None
    assert planner.plan.targets == (
        Task("collect.tree", 3),
        Task("place.table"),
        Task("make.wood_pickaxe"),
    )


def test_what_is_made_here_and_now_is_made_before_drink_is_fetched() -> None:
    goals = ["make_wood_pickaxe", "eat_plant"]
    seen = observed_map("@t..~\n.....")
    made = Planner(load_world("crafter"), goals).decide(seen, status(wood=1, drink=2))
    assert (made.layer, made.about) == ("plan", "make.wood_pickaxe")
    fetched = Planner(load_world("crafter"), goals).decide(seen, status(drink=2))
    assert fetched.layer == "needs"


def test_an_episode_may_be_longer_than_the_world_states() -> None:
    """Whoever takes the episode to be over fetches no drink any more."""
    seen, goals = observed_map("...@....~\n........."), ["collect_diamond"]
    late = status(drink=1, step=1050)
    over = Planner(load_world("default"), goals).decide(seen, late)
    goes_on = Planner(load_world("default"), goals, length=5000).decide(seen, late)
    assert "drink" not in over.about
    assert goes_on.about == "drink: collect.water"


def test_the_plan_is_followed_without_planning_anew() -> None:
    planner = Planner(load_world("default"), goals=["make_wood_pickaxe"])
    seen = observed_map("@T..\n.T..\n.T..", facing=(1, 0))
    planner.decide(seen, status())
    planner.decide(seen, status(unlocked=("collect_wood",), wood=1))
    assert planner.plans == 1
    assert planner.plan is not None and planner.plan.targets[0] == Task("collect.tree", 2)


def test_a_changed_belief_changes_the_plan() -> None:
    world = load_world("default")
    planner = Planner(world, goals=["collect_wood"])
    seen = observed_map("@T.\n...\n..#", facing=(1, 0))
    assert planner.decide(seen, status()).about == "collect.tree"
    told = load_world("all_three").collect["stone"].model_copy(update={"requires": {}})
    barren = world.collect["tree"].model_copy(update={"collectable": False})
    planner.believe(world.with_rules(told, barren))
    assert planner.decide(seen, status()).about == "collect.stone"


def test_it_explores_what_it_has_not_seen() -> None:
    planner = Planner(load_world("default"), goals=["collect_diamond"])
    decision = planner.decide(observed_map("@.\n.."), status())
    assert decision.layer == "explore" and 1 <= decision.action <= 4


def test_who_still_wants_a_zombie_waits_in_the_dark_where_zombies_come() -> None:
    world = load_world("default")
    meadow = ("_" * 10 + "." * 15 + "\n") * 12
    seen = observed_map("@" + "_" * 9 + "." * 15 + "\n" + meadow, ground="_")
    rock = np.where(seen.materials == UNSEEN, CODE["stone"], seen.materials)
    seen = replace(seen, materials=rock.astype(np.uint8))
    done = tuple(name for name in world.achievements if name != "kill_zombie")
    night = replace(status(step=200, unlocked=done), daylight=0.1)
    assert Planner(world).decide(seen, night) == Decision(2, "wait", "creature.zombie")
    weak = replace(status(step=200, unlocked=done, health=5), daylight=0.1)
    assert Planner(world).decide(seen, weak).about != "creature.zombie"


def test_it_sees_more_and_more_with_a_learners_eyes() -> None:
    world = load_world("default")
    seen = play_blind(world, world, 1, 150)
    assert (seen.materials != 255).sum() > 200


@pytest.mark.slow
@given(worlds(), worlds(), st.integers(0, 50))
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_it_never_raises_whatever_it_believes(belief: World, world: World, seed: int) -> None:
    play_blind(belief, world, seed, STEPS)


@pytest.mark.slow
def test_it_never_raises_with_drawn_beliefs() -> None:
    for base in ("default", "crafter"):
        theory = ignorance(base)
        for seed in range(3):
            play_blind(theory.sample(seed), load_world(base), seed, STEPS)
        play_blind(theory, load_world(base), 1, STEPS)


def test_what_unlocks_on_the_spot_is_done_at_once() -> None:
    wood, stone = Task("collect.tree"), Task("place.stone")
    here = situation("T@..\n....", facing=(1, 0), stone=1)
    for plan in ((wood, stone), (stone, wood)):
        planner = Planner(load_world("default"), follows=TaskPlan(plan))
        assert planner.decide(here.seen, here.status).about == "place.stone"


def test_who_has_yet_to_wake_up_naps_early_where_nothing_is_likely_to_come() -> None:
    rows = "#######\n#.@##Z#\n#T.##.#\n#.....#\n#######"
    nap = Decision(SLEEP, "rest", "sleep")
    cases = (
        (rows, "default", status(energy=8), nap),
        (rows, "default", replace(status(energy=8), sleeping=True), nap),
        (rows, "default", replace(status(energy=9), sleeping=True), None),  # it wakes, and acts
        (rows, "default", status(energy=8, drink=1), None),
        (rows, "default", status(energy=8, unlocked=("wake_up",)), None),
        (rows, "crafter", status(energy=8), None),  # there is time to find a better place
        (rows.replace("@##Z", "@..Z"), "default", status(energy=8), None),
    )
    for drawn, world, now, expected in cases:
        decision = Planner(load_world(world)).decide(observed_map(drawn), now)
        assert (decision if decision == nap else None) == expected, (drawn, world, now)


def test_a_ripe_plant_waits_for_who_has_nothing_left_to_drink() -> None:
    rows, eat = "~.......@......P", TaskPlan((Task("creature.plant"),))
    for drink, about in ((0, "drink: collect.water"), (3, "creature.plant")):
        here = situation(rows, drink=drink, food=2)
        assert Planner(here.model.world, follows=eat).decide(here.seen, here.status).about == about


def test_who_can_do_nothing_of_its_plan_thinks_again_before_it_rests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(TaskQueue, "rethink", lambda _, here: asked.append(here.status.step))
    for drawing, thinks in (("t~~@...", True), ("t..@...", False)):
        asked.clear()
        pickaxe = TaskPlan((Task("make.wood_pickaxe"),))
        planner = Planner(load_world("default"), follows=pickaxe)
        decision = planner.decide(observed_map(drawing), status(step=40, energy=0, wood=1))
        assert decision.about == ("sleep" if thinks else "make.wood_pickaxe")
        assert bool(asked) is thinks


def test_luck_that_does_not_come_is_not_hurried_for_ever() -> None:
    """What drinking takes comes first, but not for all of an episode."""
    water = Collect(subject="water", requires={"sapling": 1}, yields={"drink": Yield(amount=1)})
    grass = Collect(subject="grass", yields={"sapling": Yield(probability=0.1)}, leaves="grass")
    world = load_world("default").with_rules(water, grass)
    planner = Planner(world)
    urged = []
    for step in range(20, 240):
        here = situation("T.@..~\nT.....", world, drink=5, step=step)
        planner.decide(here.seen, here.status)
        assert planner.plan is not None
        urged.append(planner.plan.goals == ("collect_sapling",))
    assert urged[1] and not urged[-1]
    assert urged == sorted(urged, reverse=True) or not urged[0]


def test_nobody_hurries_for_what_cannot_be_made() -> None:
    """Without a table nothing is made; what does not take one is done all the same."""
    water = Collect(
        subject="water", requires={"wood_pickaxe": 1}, yields={"drink": Yield(amount=1)}
    )
    table = load_world("default").place["table"].model_copy(update={"where": ("lava",)})
    planner = Planner(load_world("default").with_rules(water, table))
    for step in (20, 21, 22):
        here = situation("T.@..~\nT.....", planner.belief, drink=1, step=step)
        planner.decide(here.seen, here.status)
    assert planner.plan is not None
    assert "collect_wood" in planner.plan.goals
