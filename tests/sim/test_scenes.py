"""Situations made by hand, above all those that the recorded episodes never meet."""

from __future__ import annotations

import numpy as np
import pytest

from mars_logic import load_world
from mars_logic.sim import OBJECTS, Scene, Simulator
from mars_logic.sim.layout import CAPACITY
from mars_logic.sim.stream import peek_words
from mars_logic.world import names

NOOP, DO, SLEEP = (names.ACTIONS.index(action) for action in ("noop", "do", "sleep"))


def begin(world, seed=1):
    simulator = Simulator(world)
    simulator.reset(seed)
    return simulator, Scene(simulator.snapshot())


def act(simulator, *actions):
    """Carry out actions by name; return the state after them."""
    for action in actions:
        simulator.step(names.ACTIONS.index(action))
    return simulator.state()


def amount(state, item):
    return int(state.inventory[names.ITEMS.index(item)])


def count(state, world, achievement):
    return int(state.achievements[world.achievements.index(achievement)])


def objects_of(state, kind):
    return state.objects[state.objects["kind"] == OBJECTS.index(kind)]


def words_drawn(simulator, before):
    """How many words of the random stream were drawn since a snapshot."""
    stream = before.envs[0]["stream"].copy()
    state = np.random.RandomState()
    state.set_state(("MT19937", stream["words"], int(stream["position"])))
    now = int(peek_words(simulator.snapshot().envs)[0])
    for drawn in range(2000):
        if state.randint(0, 2**32, dtype=np.uint64) == now:
            return drawn
    raise AssertionError("the stream went elsewhere")


@pytest.mark.parametrize("world", ["crafter", "default"])
@pytest.mark.parametrize(
    ("at", "table", "made"),
    [
        ((63, 30), (62, 30), 1),
        ((30, 63), (30, 62), 1),
        ((63, 63), (62, 62), 1),
        ((62, 62), (63, 63), 1),
        ((1, 1), (0, 0), 1),
        ((0, 30), (1, 30), 0),
        ((30, 0), (30, 1), 0),
        ((0, 0), (1, 1), 0),
        ((0, 63), (1, 63), 0),
    ],
)
def test_making_at_the_edge_of_the_map(world, at, table, made):
    """At x = 0 and y = 0 nothing counts as nearby; at 63 the block is only cut."""
    world = load_world(world)
    simulator, scene = begin(world)
    scene.clear("grass").fill("table", *table).player(at=at, inventory={"wood": 3})
    simulator.restore(scene.snapshot())
    state = act(simulator, "make_wood_pickaxe")
    assert amount(state, "wood_pickaxe") == made
    assert amount(state, "wood") == 3 - made
    assert count(state, world, "make_wood_pickaxe") == made


def test_what_needs_nothing_nearby_is_made_even_at_the_edge():
    world = load_world("crafter")
    free = world.make["wood_sword"].model_copy(update={"nearby": ()})
    world = world.with_rules(free)
    simulator, scene = begin(world)
    simulator.restore(scene.clear("grass").player(at=(0, 0), inventory={"wood": 1}).snapshot())
    assert amount(act(simulator, "make_wood_sword"), "wood_sword") == 1


def with_sure_spawn(material, creature):
    world = load_world("all_three")
    rule = world.collect[material].model_copy(update={"spawns": {creature: 1.0}, "requires": {}})
    return world.with_rules(rule)


def test_a_cow_appears_where_something_was_collected():
    world = with_sure_spawn("sand", "cow")
    simulator, scene = begin(world)
    scene.clear("grass").fill("sand", 33, 32).player(facing=(1, 0))
    simulator.restore(scene.snapshot())
    before = simulator.snapshot()
    state = act(simulator, "do")
    assert names.MATERIALS[state.materials[33, 32]] == "lava"
    (cow,) = objects_of(state, "cow")
    assert (cow["x"], cow["y"], cow["health"], cow["cooldown"], cow["reload"]) == (33, 32, 3, 5, 0)
    assert amount(state, "sapling") == 1
    # One draw for the cow and one for the yields; the cow itself acts from the next step on.
    assert words_drawn(simulator, before) == 4


def test_without_a_spawn_there_is_only_the_draw_of_the_yields():
    world = load_world("all_three")
    simulator, scene = begin(world)
    scene.clear("grass").fill("tree", 33, 32)
    simulator.restore(scene.player(facing=(1, 0), inventory={"iron_pickaxe": 1}).snapshot())
    before = simulator.snapshot()
    state = act(simulator, "do")
    assert amount(state, "iron") == 1
    assert names.MATERIALS[state.materials[33, 32]] == "path"
    assert words_drawn(simulator, before) == 2


def corridor(world, **changes):
    """A skeleton on a line of path in the middle of water, far enough not to be shot at."""
    rule = world.creature["skeleton"].model_copy(update=changes)
    simulator, scene = begin(world.with_rules(rule))
    scene.clear("table").fill("path", 20, 32, width=13)
    scene.put("skeleton", 21, 32, health=3)
    simulator.restore(scene.snapshot())
    return simulator


def test_skeletons_walk_on_path_even_where_path_is_not_walkable():
    world = load_world("all_three")
    assert not world.walk["path"].walkable
    simulator = corridor(world, walks=True)
    places = set()
    for _ in range(60):
        simulator.step(NOOP)
        (skeleton,) = objects_of(simulator.state(), "skeleton")
        places.add(int(skeleton["x"]))
        assert skeleton["y"] == 32
    assert len(places) > 2


def test_others_do_not_walk_on_path_where_it_is_not_walkable():
    world = load_world("all_three")
    rule = world.creature["zombie"].model_copy(update={"walks": True})
    simulator, scene = begin(world.with_rules(rule))
    scene.clear("table").fill("path", 20, 32, width=13).put("zombie", 25, 32, health=5)
    simulator.restore(scene.player(at=(32, 32)).snapshot())
    act(simulator, *["noop"] * 9)  # after ten, balance may take it away
    (zombie,) = objects_of(simulator.state(), "zombie")
    assert (zombie["x"], zombie["y"]) == (25, 32)
    assert act(simulator, "move_left").x == 32


def test_crafters_creatures_keep_off_what_kills_them():
    world = load_world("crafter")
    simulator, scene = begin(world)
    scene.clear("lava").fill("grass", 30, 32).fill("grass", 34, 32)
    scene.put("cow", 30, 32, health=3)
    simulator.restore(scene.player(at=(34, 32)).snapshot())
    state = act(simulator, *["noop"] * 40)
    (cow,) = objects_of(state, "cow")
    assert (cow["x"], cow["y"]) == (30, 32)
    _, done = simulator.step(names.ACTIONS.index("move_left"))
    assert done[0]
    assert amount(simulator.state(), "health") == 0


@pytest.mark.parametrize(("world", "ripe"), [("crafter", 301), ("default", 31)])
def test_plants_are_eaten_when_ripe(world, ripe):
    world = load_world(world)
    simulator, scene = begin(world)
    scene.clear("sand").put("plant", 33, 32, grown=ripe - 2).player(
        facing=(1, 0), inventory={"food": 2}
    )
    simulator.restore(scene.snapshot())
    state = act(simulator, "do", "do")  # not yet: it grows after the player acts
    assert (amount(state, "food"), count(state, world, "eat_plant")) == (2, 0)
    state = act(simulator, "do")
    assert (amount(state, "food"), count(state, world, "eat_plant")) == (6, 1)
    assert objects_of(state, "plant")["grown"].tolist() == [1]


@pytest.mark.parametrize(("world", "hunger"), [("crafter", 1), ("default", 11)])
def test_only_crafters_cows_still_the_hunger(world, hunger):
    simulator, scene = begin(load_world(world))
    scene.clear("sand").put("cow", 33, 32, health=1)
    scene.player(facing=(1, 0), inventory={"food": 1}, hunger=10)
    simulator.restore(scene.snapshot())
    state = act(simulator, "do")
    assert (amount(state, "food"), state.hunger) == (7, hunger)
    assert len(state.objects) == 0


@pytest.mark.parametrize(("world", "thirst", "drink"), [("crafter", 1, 2), ("default", 11, 3)])
def test_only_crafters_water_stills_the_thirst(world, thirst, drink):
    simulator, scene = begin(load_world(world))
    scene.clear("water").fill("grass", 32, 32)
    simulator.restore(scene.player(inventory={"drink": 1}, thirst=10).snapshot())
    state = act(simulator, "do")
    assert (amount(state, "drink"), state.thirst) == (drink, thirst)


def test_what_heals_above_the_maximum_is_paid_and_taken_back():
    """In mars the inventory is cut to its maximum after the reward."""
    world = load_world("default")
    rule = world.creature["zombie"].model_copy(update={"attack_health_factor": 1})
    simulator, scene = begin(world.with_rules(rule))
    scene.clear("table").fill("grass", 32, 32, width=2).put("zombie", 33, 32, health=5)
    simulator.restore(scene.snapshot())
    assert simulator.step(NOOP).reward[0] == 0.2
    assert amount(simulator.state(), "health") == 9
    assert simulator.step(NOOP).reward[0] == -0.2


def test_a_dead_creature_still_hits_once():
    simulator, scene = begin(load_world("crafter"))
    scene.clear("table").fill("grass", 32, 32, width=2).put("zombie", 33, 32, health=1)
    simulator.restore(scene.player(facing=(1, 0)).snapshot())
    reward, _ = simulator.step(DO)
    state = simulator.state()
    assert len(state.objects) == 0
    assert amount(state, "health") == 7
    assert reward[0] == pytest.approx(1 - 0.2)


def test_the_terrain_counts_even_if_a_move_is_blocked():
    world = load_world("terrain")
    deadly = next(name for name, rule in world.walk.items() if rule.deadly)
    simulator, scene = begin(world)
    simulator.restore(scene.clear("table").fill(deadly, 32, 32).snapshot())
    assert not simulator.step(NOOP).done[0]
    assert simulator.step(names.ACTIONS.index("move_left")).done[0]


def test_several_first_achievements_pay_once():
    world = with_sure_spawn("sand", "cow")
    tree = world.collect["tree"]
    yields = dict.fromkeys(("wood", "iron", "coal"), tree.yields["iron"])
    rule = tree.model_copy(update={"requires": {}, "yields": yields})
    simulator, scene = begin(world.with_rules(rule))
    simulator.restore(scene.clear("tree").fill("grass", 32, 32).snapshot())
    assert simulator.step(DO).reward[0] == 1
    assert (simulator.achievements > 0).sum() == 3
    assert act(simulator, "noop").achievements.sum() == 3


def test_far_creatures_stand_still_and_plants_do_not_grow():
    simulator, scene = begin(load_world("crafter"))
    scene.clear("grass").player(at=(10, 10))
    scene.put("plant", 10, 27).put("plant", 10, 28).put("cow", 50, 50, health=3)
    simulator.restore(scene.snapshot())
    state = act(simulator, *["sleep"] * 9)
    assert state.objects["grown"].tolist() == [9, 0, 0]
    (cow,) = objects_of(state, "cow")
    assert (cow["x"], cow["y"]) == (50, 50)


def test_things_that_went_leave_no_trace():
    """Arrows that came and went are not kept, so that steps do not become slower."""
    simulator, scene = begin(load_world("crafter"))
    scene.clear("table").fill("path", 20, 32, width=13)
    scene.put("skeleton", 28, 32, health=3)
    scene.player(at=(32, 32))
    simulator.restore(scene.snapshot())
    arrows = 0
    for _ in range(300):
        simulator.step(SLEEP)
        scene = Scene(simulator.snapshot()).player(inventory={"health": 9})
        simulator.restore(scene.snapshot())
        arrows = max(arrows, len(objects_of(simulator.state(), "arrow")))
        assert len(simulator.state().objects) <= 4
    assert arrows > 0


def begun(world):
    simulator = Simulator(world)
    simulator.reset(1)
    return simulator


def field_of_plants(simulator, plants):
    scene = Scene(simulator.snapshot()).clear("grass").player(at=(40, 32))
    for number in range(plants):
        scene.put("plant", number % 32, number // 32)
    return scene.player(inventory={"sapling": 9})


@pytest.mark.slow
def test_a_record_that_gets_full_is_replaced_by_a_wider_one():
    world = load_world("crafter")
    actions = np.random.default_rng(4).integers(0, len(names.ACTIONS), 60)
    ends = []
    for widened in (False, True):
        simulator = begun(world)
        simulator.restore(field_of_plants(simulator, 90).snapshot())
        if widened:
            simulator._widen()
        rewards = [float(simulator.step(int(action)).reward[0]) for action in actions]
        state = simulator.state()
        ends.append((rewards, state.materials.tolist(), state.objects.tolist()))
    assert ends[0] == ends[1]
    simulator.restore(field_of_plants(begun(world), CAPACITY - 1).snapshot())
    state = act(simulator, "place_plant", "move_up", "place_plant", "move_left", "place_plant")
    assert len(objects_of(state, "plant")) > CAPACITY


@pytest.mark.slow
def test_a_map_with_more_creatures_than_a_record_has_room_for(monkeypatch):
    world = load_world("crafter")
    expected = begun(world).state()
    monkeypatch.setattr("mars_logic.sim.simulator.CAPACITY", 8)
    state = begun(world).state()
    assert state.objects.tolist() == expected.objects.tolist()
    np.testing.assert_array_equal(state.materials, expected.materials)


def test_scenes_that_cannot_be():
    _, scene = begin(load_world("crafter"))
    scene.clear("grass").put("cow", 3, 3)
    for wrong in (
        lambda: scene.put("cow", 3, 3),
        lambda: scene.put("cow", 32, 32),
        lambda: scene.put("cow", 64, 0),
        lambda: scene.put("player", 4, 4),
        lambda: scene.put("dragon", 4, 4),
        lambda: scene.player(at=(3, 3)),
        lambda: scene.player(at=(-1, 3)),
        lambda: scene.player(inventory={"wood": 10}),
        lambda: scene.fill("stone", 60, 60, width=5),
    ):
        with pytest.raises(ValueError, match=r"not|outside|there is no object|must"):
            wrong()


def test_names_that_no_scene_knows_are_told_with_those_it_does():
    _, scene = begin(load_world("crafter"))
    for wrong, message in (
        (lambda: scene.clear("gras"), "there is no material 'gras', did you mean 'grass'.*water"),
        (lambda: scene.fill("", 1, 1), "there is no material ''; allowed: none, water"),
        (lambda: scene.put("cat", 1, 1), "there is no object 'cat'.*; allowed: cow, zombie, skel"),
        (lambda: scene.player(inventory={"wod": 1}), "there is no item 'wod', did you mean 'wood'"),
    ):
        with pytest.raises(ValueError, match=message):
            wrong()


def test_a_scene_keeps_what_the_record_derives():
    """A scene without edits changes nothing, and edits lead to a record like a played one."""
    simulator, _ = begin(load_world("default"), seed=9)
    act(simulator, *["move_left", "do", "noop"] * 20)
    before = simulator.snapshot()
    scene = Scene(before).player()
    assert scene.snapshot().envs.tobytes() == before.envs.tobytes()


def ring(distance):
    """Six cells of one chunk that lie so far from (30, 30), none beside another."""
    return [(30 - distance + i, 30 - sign * i) for i in range(4) for sign in (1, -1)][1:7]


def balanced(kind, cells, seeds, ground):
    """How many of a kind there are on lone cells of a ground after balance, for each seed."""
    world = load_world("crafter")
    counts = []
    for seed in range(seeds):
        simulator, scene = begin(world, seed)
        scene.clear("table").fill("path", 30, 30).player(at=(30, 30)).at_step(9)
        for x, y in ring(cells):
            scene.fill(ground, x, y)
            if kind is not None:
                scene.put(kind, x, y, health=3)
        simulator.restore(scene.snapshot())
        counts.append(len(act(simulator, "noop").objects))
    return counts


@pytest.mark.parametrize(("kind", "ground", "near"), [("skeleton", "path", 6), ("cow", "grass", 4)])
def test_balance_removes_no_one_who_is_close(kind, ground, near):
    assert set(balanced(kind, near, 60, ground)) == {6}
    assert set(balanced(kind, near + 1, 60, ground)) == {5, 6}


def test_balance_removes_even_the_closest_zombie():
    assert set(balanced("zombie", 3, 20, "grass")) == {5, 6}


def test_balance_creates_no_skeleton_close_by():
    assert set(balanced(None, 6, 60, "path")) == {0}
    assert set(balanced(None, 7, 60, "path")) == {0, 1}
