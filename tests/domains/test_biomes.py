"""Biome navigation: the bundled engine, words, the explorer, and Minetest if it is there."""

from __future__ import annotations

import os
import tempfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.domains import domain_of, load_game
from mars_logic.domains.biomes import descriptor, minetest
from mars_logic.domains.biomes.blocks import (
    AROUND,
    BLOCKS,
    CLIMATE,
    CODE,
    COVERS,
    LENGTHS,
    RANGE,
    RAYS,
    SIGNS,
)
from mars_logic.domains.biomes.columns import BIOMES, ColumnWorld
from mars_logic.domains.biomes.descriptor import components
from mars_logic.domains.biomes.engine import Sight
from mars_logic.domains.biomes.explorer import ExplorerPlayer
from mars_logic.domains.biomes.minetest import NODES, block_of
from mars_logic.domains.biomes.rules import GOALS, is_in
from mars_logic.domains.biomes.simulator import BiomeSimulator, open_world
from mars_logic.domains.chance import Seeded
from mars_logic.domains.playing import play
from mars_logic.errors import InputError

NAME = "BiomeNavigation"
GOAL = pytest.mark.parametrize("goal", GOALS)
POINTS = st.integers(-3000, 3000)
needs_minetest = pytest.mark.skipif(
    minetest.server_program() is None, reason="the server of Minetest is not installed"
)


@GOAL
def test_a_start_is_fair(goal):
    game = load_game(f"{NAME}@goal={goal}")
    simulator = BiomeSimulator(game)
    simulator.reset(Seeded(1))
    state = simulator.snapshot()
    world = open_world("columns", state.map)
    assert 1 <= state.map <= game.maps and state.nearest <= game.within
    assert not is_in(goal, state.biome) and not is_in("ocean", state.biome)
    reach = state.nearest + 36  # half a diagonal of the grid of the search
    size = 2 * reach // 5 + 1
    found = world.survey(state.x - reach, state.z - reach, size, size, 5)
    assert any(is_in(goal, world.biomes[each]) for each in np.unique(found))


@GOAL
def test_the_game_ends_in_the_goal_and_nowhere_else(goal):
    game = load_game(f"{NAME}@goal={goal}")
    simulator = BiomeSimulator(game)
    player = domain_of(game).player("straight", game)
    played = play(simulator, player, 4, game.length)
    state = simulator.snapshot()
    assert played.last.completed == is_in(goal, state.biome) == bool(played.score)
    assert sum(played.rewards) == played.score
    assert played.last.completed or len(played.actions) == game.length


@settings(max_examples=25, deadline=None)
@given(POINTS, POINTS, st.integers(1, 5))
def test_patches_of_a_map_agree(x, z, seed):
    world = ColumnWorld(seed)
    whole, part = world.ground(x, z, 12, 9, None), world.ground(x + 5, z + 4, 3, 2, None)
    for name in ("height", "biome", "wet", "blocked"):
        assert (getattr(whole, name)[5:8, 4:6] == getattr(part, name)).all()
    assert (world.survey(x, z, 4, 3, 3) == whole.biome[:12:3, :9:3]).all()
    again = ColumnWorld(seed).look(x, 9, z, 2)
    first = world.look(x, 9, z, 2)
    assert (first.block == again.block).all() and (first.distance == again.distance).all()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(range(4)))
def test_a_walk_is_short_and_climbs_one_block_at_a_time(seed, action):
    simulator = BiomeSimulator(load_game(f"{NAME}@goal=jungle"))
    chance = Seeded(seed)
    simulator.reset(chance)
    before = simulator.snapshot()
    simulator.step(action, chance)
    after = simulator.snapshot()
    assert after.walked <= LENGTHS[-1] and after.facing == action
    assert abs(after.x - before.x) + abs(after.z - before.z) <= after.walked
    assert after.y <= before.y + after.walked


def test_what_stands_in_front_is_seen_there():
    """Every ray of the middle row that meets something meets it as far away as it is told."""
    world = ColumnWorld(2)
    x = z = 0
    height = int(world.ground(x, z, 1, 1, None).height[0, 0])
    sight = world.look(x, height, z, 1)
    assert sight.around[AROUND // 2, 0, AROUND // 2] != CODE["air"]  # the ground
    assert sight.around[AROUND // 2, 1, AROUND // 2] == CODE["air"]  # the player
    below = sight.distance[-1]
    assert (below <= 4).all()  # the lowest rays meet the ground at once
    assert ((sight.block == CODE["air"]) == (sight.distance == RANGE)).all()


def sight_with(block, row, column, distance):
    """A view of nothing but one thing."""
    blocks = np.zeros((RAYS, RAYS), np.uint8)
    distances = np.full((RAYS, RAYS), RANGE, np.uint8)
    blocks[row, column], distances[row, column] = CODE[block], distance
    return Sight(distances, blocks, np.zeros((AROUND,) * 3, np.uint8))


@pytest.mark.parametrize(
    ("facing", "column", "label", "legacy"),
    [
        (0, 8, "north", "south"),
        (1, 8, "east", "west"),
        (2, 8, "south", "north"),
        (3, 8, "west", "east"),
        (0, 16, "north-east", "south-west"),
        (0, 0, "north-west", "south-east"),
        (1, 0, "north-east", "south-west"),
    ],
)
def test_compass_labels(facing, column, label, legacy):
    sight = sight_with("cactus", 8, column, 20)
    for turned, wanted in ((False, label), (True, legacy)):
        text = descriptor.observation(sight, (0, 5, 0), facing, -1, legacy_labels=turned)
        assert f"- cactus: 20 blocks away, level with you, {wanted}, 0 %" in text


def test_labels_agree_with_walking():
    """What is told to lie to a side is reached by walking to that side."""
    text = descriptor.observation(sight_with("log", 2, 8, 12), (0, 5, 0), 1, 1, legacy_labels=False)
    assert "You took action walk east." in text and "facing east" in text
    assert "- log: 12 blocks away, above you, east" in text
    simulator = BiomeSimulator(load_game(f"{NAME}@goal=ice"))
    chance = Seeded(3)
    simulator.reset(chance)
    before = simulator.snapshot()
    simulator.step(1, chance)
    assert simulator.snapshot().x > before.x


def test_legacy_labels_are_a_variant():
    texts = []
    for labels in ("correct", "legacy"):
        simulator = BiomeSimulator(load_game(f"{NAME}@labels={labels}"))
        simulator.reset(Seeded(2))
        texts.append(simulator.text())
    assert texts[0] != texts[1]
    assert [t.partition("You see:")[0] for t in texts[:1]] == [texts[1].partition("You see:")[0]]


def plain_components(grid, diagonal):
    """The naive twin: how many components, by union of neighbours."""
    places = [tuple(each) for each in np.ndindex(grid.shape)]
    root = {place: place for place in places}

    def find(place):
        while root[place] != place:
            place = root[place]
        return place

    for one in places:
        for other in places:
            apart = np.abs(np.subtract(one, other))
            near = apart.max() == 1 if diagonal else apart.sum() == 1
            if near and grid[one] == grid[other]:
                root[find(one)] = find(other)
    return len({find(place) for place in places})


@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.integers(0, 2), min_size=24, max_size=24),
    st.sampled_from([(4, 6), (2, 3, 4)]),
    st.booleans(),
)
def test_components_are_those_of_the_naive_twin(values, shape, diagonal):
    grid = np.array(values, np.uint8).reshape(shape)
    labels, many = components(grid, diagonal=diagonal)
    assert many == plain_components(grid, diagonal) == labels.max()
    assert all(len(np.unique(grid[labels == each])) == 1 for each in range(1, many + 1))


def test_tables_agree():
    assert {name for name in BIOMES for goal in GOALS if is_in(goal, name)}
    kinds = {
        f"{way} {name}" if split else name
        for name, split in COVERS.items()
        for way in ("open", "wooded")
    }
    assert {kind for signs in SIGNS.values() for kind in signs} <= kinds
    assert set(CLIMATE) <= kinds
    assert set(NODES.values()) <= set(BLOCKS) and set(SIGNS) == set(GOALS)
    assert block_of("default:junglegrass") == "plant"
    assert block_of("mod:strange") == "other block"


def test_the_explorer_gives_reasons_and_learns_borders():
    game = load_game(f"{NAME}@goal=desert").model_copy(update={"length": 60})
    player = ExplorerPlayer(game, learn=True)
    play(BiomeSimulator(game), player, 11, game.length)
    told = player.theory()
    assert told[-1].startswith("It goes ") and "frontier(" in told[-1]
    borders = [each for each in told if " borders " in each]
    assert borders
    shorter = game.model_copy(update={"length": 1})
    play(BiomeSimulator(shorter), player, 12, 1)
    assert len([each for each in player.theory() if " borders " in each]) >= len(borders)
    forgetful = ExplorerPlayer(game)
    play(BiomeSimulator(game), forgetful, 11, game.length)
    play(BiomeSimulator(shorter), forgetful, 12, 1)
    assert not [each for each in forgetful.theory() if " borders " in each]


def test_the_explorer_goes_where_it_sees_the_goal():
    game = load_game(f"{NAME}@goal=desert")
    player = ExplorerPlayer(game)
    simulator = BiomeSimulator(game)
    simulator.reset(Seeded(1))
    seen = dict(simulator.observe())
    for facing in range(4):
        player.begin(None)
        sight = sight_with("desert sand", 8, 8, 60)
        seen |= {"facing": facing, "distance": tuple(map(int, sight.distance.ravel()))}
        seen |= {"block": tuple(map(int, sight.block.ravel()))}
        assert player.act(seen) == facing
        assert 'sign("desert sand")' in player.theory()[-1]


def test_without_a_server_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setattr(minetest, "server_program", lambda: None)
    with pytest.raises(InputError, match="not installed; allowed: columns, or first apt-get"):
        minetest.MinetestServer(1)


@needs_minetest
@pytest.mark.long
def test_minetest_answers_and_leaves_no_trace(tmp_path, monkeypatch):
    from mars_logic.domains.biomes.minetest import MinetestWorld

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    asked = minetest.MinetestServer(3)
    try:
        world = MinetestWorld(asked)
        process = asked._process.pid
        ground = world.ground(0, 0, 5, 5, None)
        survey = world.survey(0, 0, 5, 5, 1)
        assert (ground.biome == survey).mean() > 0.9
        height = int(ground.height[2, 2])
        sight = world.look(2, height, 2, 1)
        assert sight.around[AROUND // 2, 0, AROUND // 2] != CODE["air"]
        assert len(np.unique(sight.distance)) > 2
        far = world.survey(-1000, -1000, 20, 20, 100)
    finally:
        asked.close()
    assert not [*tmp_path.iterdir()]
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    again = minetest.MinetestServer(3)
    try:
        assert (MinetestWorld(again).survey(-1000, -1000, 20, 20, 100) == far).all()
    finally:
        again.close()
