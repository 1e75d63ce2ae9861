"""What an action would do, compared with doing it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.sim import Scene, Simulator, Snapshot
from mars_logic.sim.codes import DO, NOOP, NUM_ACTIONS
from mars_logic.sim.effects import DO_EFFECTS, NO_EFFECT
from mars_logic.sim.snapshot import copy_envs
from mars_logic.sim.split_actions import SPLIT_ACTIONS, split_actions_to_plain, split_mask
from mars_logic.world import names
from mars_logic.world.dialect import AREA
from tests.logic.mutants import NINE, changed, mutants
from tests.sim.moments import STREAMS, moments, with_streams

ACTION = names.ACTIONS.index
WITHIN_A_STEP = ("is_near", "near")
"""Fields of a state that mean nothing between steps."""


def after(simulator, envs, action):
    """The states after an action, as bytes, without what is left over: uint8[n, ...]."""
    simulator.restore(Snapshot(copy_envs(envs)))
    simulator.step(np.full(len(envs), action))
    states = copy_envs(simulator.snapshot().envs)
    capacity = states["things"].shape[1]
    left_over = np.arange(capacity) >= states["num_things"][:, np.newaxis]
    for name in states.dtype.names:
        if name in WITHIN_A_STEP:
            states[name] = 0
        elif states[name].shape[1:] == (capacity,):
            states[name][left_over] = np.zeros(1, states[name].dtype)
    return states.view(np.uint8).reshape(len(states), -1)


def target(state):
    """The material and the kind of the object in front of the player, and the object's age."""
    x, y = state.x + state.facing[0], state.y + state.facing[1]
    inside = 0 <= x < AREA and 0 <= y < AREA
    material = names.MATERIALS[state.materials[x, y]] if inside else "none"
    for thing in state.objects:
        if (thing["x"], thing["y"]) == (x, y):
            return material, names.OBJECTS[thing["kind"]], int(thing["grown"])
    return material, "none", 0


def overtaken(state, action):
    """Whether this may be a hit that an arrow overtakes: the one effect that can leave no trace."""
    arrows = state.objects["kind"] == names.OBJECTS.index("arrow")
    return action == DO and target(state)[1] in names.CREATURES and arrows.any()


def check(world, seed, count):
    """Compare the mask with what actions do in some states of a world; return the mask."""
    envs = moments(world, seed, count)
    simulator = Simulator(world, n=count)
    simulator.restore(Snapshot(copy_envs(envs)))
    mask = simulator.action_mask()
    assert simulator.snapshot().envs.tobytes() == envs.tobytes()
    assert mask[:, NOOP].all()

    many = Simulator(world, n=count * STREAMS)
    streams = with_streams(envs, seed)
    many.restore(Snapshot(copy_envs(streams)))
    np.testing.assert_array_equal(many.action_mask(), np.repeat(mask, STREAMS, axis=0))
    idle = after(many, streams, NOOP)
    for action in range(1, NUM_ACTIONS):
        differs = (after(many, streams, action) != idle).any(axis=1).reshape(count, STREAMS)
        for i in range(count):
            where = (world.name, seed, i, names.ACTIONS[action])
            if not mask[i, action]:
                assert not differs[i].any(), where
            elif not overtaken(simulator.state(i), action):
                assert differs[i].any(), where
    return mask


@settings(max_examples=30, deadline=None)
@given(world=st.sampled_from(NINE).map(load_world) | mutants(), seed=st.integers(0, 2**32 - 1))
def test_the_mask_is_false_exactly_where_an_action_does_what_noop_does(world, seed):
    check(world, seed, 8)


def test_the_states_tried_are_varied():
    """Every action is masked in some of them and not in others."""
    masks = np.concatenate([check(load_world(name), 7, 100) for name in ("crafter", "surv_task")])
    assert (masks[:, 1:].any(axis=0) & ~masks[:, 1:].all(axis=0)).all()


# --- the corners of the mask


def at(world, **player):
    """A simulator with the player on a meadow, and its scene."""
    simulator = Simulator(load_world(world) if isinstance(world, str) else world)
    simulator.reset(1)
    scene = Scene(simulator.snapshot()).clear("grass").player(**({"facing": (1, 0)} | player))
    return simulator, scene


def masked(simulator, scene):
    """The names of the actions that would do nothing."""
    simulator.restore(scene.snapshot())
    return {names.ACTIONS[i] for i in np.flatnonzero(~simulator.action_mask()[0])}


ALL_BUT_NOOP = set(names.ACTIONS) - {"noop"}


def test_a_sleeper_has_no_choice_until_it_is_rested():
    tired, rested = (
        at("crafter", sleeping=True, inventory={"energy": 8}),
        at("crafter", sleeping=True),
    )
    assert masked(*tired) == ALL_BUT_NOOP
    assert not {"do", "move_left", "move_right"} & masked(*rested)
    assert "sleep" in masked(*rested)


def test_nothing_can_be_done_after_the_end():
    simulator, scene = at("crafter")
    simulator.restore(scene.fill("lava", 33, 32).snapshot())
    assert simulator.step(ACTION("move_right")).done
    assert simulator.action_mask()[0].tolist() == [True] + [False] * 16
    assert simulator.do_effects()[0] == NO_EFFECT


@pytest.mark.parametrize(("health", "masks"), [(9, True), (8, False)])
def test_pushing_against_a_wall_counts_if_the_ground_heals_and_there_is_something_to_heal(
    health, masks
):
    world = changed(load_world("default"), "walk.grass", health=1)
    simulator, scene = at(world, inventory={"health": health})
    assert ("move_right" in masked(simulator, scene.fill("stone", 33, 32))) is masks


def test_pushing_against_a_wall_on_what_kills():
    simulator, scene = at("crafter")
    assert "move_right" in masked(simulator, scene.fill("stone", 33, 32))
    assert "move_right" not in masked(simulator, scene.fill("lava", 32, 32))


@pytest.mark.parametrize(("thirst", "masks"), [(0, True), (3, False)])
def test_turning_to_water_that_cannot_be_drunk_quenches_thirst_in_crafter(thirst, masks):
    for name, forgets in (("crafter", True), ("default", False)):
        world = changed(load_world(name), "collect.water", collectable=False)
        simulator, scene = at(world, thirst=thirst)
        scene.fill("water", 33, 32)
        assert ("do" in masked(simulator, scene)) is (masks or not forgets)


@pytest.mark.parametrize(
    ("kind", "counters", "masks"),
    [
        ("cow", {"health": 1}, False),
        ("zombie", {"health": 0}, False),
        ("arrow", {"facing_x": 1}, True),
        ("plant", {"grown": 300}, True),
        ("plant", {"grown": 301}, False),
    ],
)
def test_what_do_does_to_objects(kind, counters, masks):
    simulator, scene = at("crafter")
    assert ("do" in masked(simulator, scene.put(kind, 33, 32, **counters))) is masks


def test_nothing_is_made_at_the_left_and_upper_edge():
    for place, masks in (((0, 5), True), ((5, 0), True), ((1, 1), False), ((63, 63), False)):
        x, y = place
        table = (x + 1, y) if x < 63 else (x - 1, y)
        simulator, scene = at("crafter", at=place, inventory={"wood": 1})
        assert ("make_wood_sword" in masked(simulator, scene.fill("table", *table))) is masks


def test_making_what_cannot_be_held_any_more_uses_things_up():
    simulator, scene = at("crafter", inventory={"wood": 1, "wood_sword": 9})
    assert "make_wood_sword" not in masked(simulator, scene.fill("table", 31, 32))


def test_a_hit_that_an_arrow_overtakes_is_the_one_effect_without_a_trace():
    simulator, scene = at("crafter")
    scene.fill("stone", 32, 31, 3, 3).fill("grass", 32, 32, 3)
    scene.put("zombie", 33, 32, health=2).put("arrow", 34, 32, facing_x=-1, arrow_factor=-1)
    assert "do" not in masked(simulator, scene)
    many = Simulator(simulator.world, n=STREAMS)
    envs = with_streams(scene.snapshot().envs, 1)
    np.testing.assert_array_equal(after(many, envs, DO), after(many, envs, NOOP))


# --- what `do` would do


def expected_effect(world, state):
    """What `do` would be called, told from the world's rules."""
    held = dict(zip(names.ITEMS, state.inventory.tolist(), strict=True))
    if state.done or (state.sleeping and held["energy"] < 9):
        return None
    material, kind, age = target(state)
    if kind == "plant":
        return "eat_plant" if age > {"crafter": 300, "mars": 30}[world.dynamics] else None
    if kind != "none":
        known = {"cow": "eat_cow", "zombie": "defeat_zombie", "skeleton": "defeat_skeleton"}
        return known.get(kind)
    rule = world.collect.get(material)
    collects = (
        rule is not None
        and rule.collectable
        and all(held[item] >= amount for item, amount in rule.requires.items())
    )
    chances = {
        item: 1.0 if given.probability is None else given.probability
        for item, given in (rule.yields.items() if collects else ())
    }
    if chances and max(chances.values()) > 0:
        return f"collect_{max(chances, key=chances.__getitem__)}"
    drink = world.drink.get(material)
    drunk = collects and drink and (drink.drink or drink.food or drink.health)
    quenched = world.dynamics == "crafter" and material == "water"
    return "collect_drink" if drunk or quenched else None


def check_effects(world, seed, count):
    """Compare the effects of `do` with the rules; return them."""
    envs = moments(world, seed, count)
    simulator = Simulator(world, n=count)
    simulator.restore(Snapshot(copy_envs(envs)))
    effects = simulator.do_effects()
    assert simulator.snapshot().envs.tobytes() == envs.tobytes()
    for env, effect in enumerate(effects):
        told = None if effect == NO_EFFECT else DO_EFFECTS[effect]
        assert told == expected_effect(world, simulator.state(env)), (world.name, seed, env)
    return effects


@settings(max_examples=30, deadline=None)
@given(world=st.sampled_from(NINE).map(load_world) | mutants(), seed=st.integers(0, 2**32 - 1))
def test_what_do_would_do_is_what_the_rules_say(world, seed):
    check_effects(world, seed, 8)


def test_all_effects_occur():
    found = {effect for name in NINE for effect in check_effects(load_world(name), 3, 60).tolist()}
    assert found == {NO_EFFECT, *range(len(DO_EFFECTS))}


@pytest.mark.parametrize(
    ("world", "material", "effect"),
    [
        ("crafter", "tree", "collect_wood"),
        ("crafter", "grass", "collect_sapling"),
        ("crafter", "stone", None),  # without a pickaxe
        ("crafter", "sand", None),
        ("task_dep", "grass", "collect_wood"),
        ("task_dep", "stone", "collect_diamond"),
        ("task_dep", "lava", "collect_drink"),
        ("terr_task", "stone", "collect_stone"),  # or wood, as often
        ("all_three", "stone", "collect_wood"),  # or stone, as often
        ("survival", "lava", "collect_drink"),  # which yields nothing but feeds
        ("default", "lava", None),
    ],
)
def test_collecting_is_named_by_what_it_yields(world, material, effect):
    simulator, scene = at(world)
    simulator.restore(scene.fill(material, 33, 32).snapshot())
    code = simulator.do_effects()[0]
    assert (None if code == NO_EFFECT else DO_EFFECTS[code]) == effect


# --- 27 actions


def test_the_27_actions_are_those_of_the_paper():
    assert len(SPLIT_ACTIONS) == len(set(SPLIT_ACTIONS)) == 27
    assert SPLIT_ACTIONS[:5] == names.ACTIONS[:5]
    assert SPLIT_ACTIONS[5:16] == DO_EFFECTS
    assert SPLIT_ACTIONS[16:] == names.ACTIONS[6:]


@settings(max_examples=10, deadline=None)
@given(world=st.sampled_from(NINE).map(load_world), seed=st.integers(0, 2**32 - 1))
def test_an_effect_is_carried_out_where_do_would_have_it_and_nowhere_else(world, seed):
    count = 16
    simulator = Simulator(world, n=count)
    simulator.restore(Snapshot(moments(world, seed, count)))
    mask, effects = split_mask(simulator), simulator.do_effects()
    for code, name in enumerate(SPLIT_ACTIONS):
        plain = split_actions_to_plain(simulator, np.full(count, code))
        if name in names.ACTIONS:
            assert (plain == ACTION(name)).all()
            np.testing.assert_array_equal(mask[:, code], simulator.action_mask()[:, ACTION(name)])
        else:
            is_this = effects == DO_EFFECTS.index(name)
            np.testing.assert_array_equal(plain, np.where(is_this, DO, NOOP))
            assert not mask[~is_this, code].any()


def test_one_number_is_enough_for_one_environment():
    simulator, scene = at("crafter")
    simulator.restore(scene.fill("tree", 33, 32).snapshot())
    for name, action in (("collect_wood", "do"), ("collect_iron", "noop"), ("sleep", "sleep")):
        plain = split_actions_to_plain(simulator, SPLIT_ACTIONS.index(name))
        assert plain.tolist() == [ACTION(action)]


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (27, "0 to 26, not 27"),
        (-1, "0 to 26, not -1"),
        (1.0, "must be integers"),
        ([0, 0], r"shape \(1,\), not \(2,\)"),
    ],
)
def test_wrong_split_actions(actions, message):
    simulator, _ = at("crafter")
    with pytest.raises(ValueError, match=message):
        split_actions_to_plain(simulator, actions)


@pytest.mark.parametrize("method", ["action_mask", "do_effects"])
def test_there_must_be_a_reset_first(method):
    with pytest.raises(RuntimeError, match="reset"):
        getattr(Simulator(load_world("crafter")), method)()
