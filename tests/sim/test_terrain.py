from __future__ import annotations

import numpy as np
import pytest

import mars_logic
from mars_logic.sim import Simulator, generate_map
from mars_logic.sim.codes import GRASS, PATH
from mars_logic.sim.layout import CHUNKS_ACROSS
from mars_logic.sim.stream import peek_words
from mars_logic.world.dialect import CHUNK
from tests.sim.naive_maps import naive_map

WORLDS = mars_logic.bundled_worlds()


@pytest.mark.parametrize("name", WORLDS)
def test_maps_are_those_of_the_plain_definition(name):
    world = mars_logic.load_world(name)
    for seed, episode in ((11, 1), (4_000_000_007, 5)):
        simulator = Simulator(world)
        simulator.reset(seed, episode)
        materials, creatures, random = naive_map(world, seed, episode)
        generated = generate_map(world, seed, episode)
        np.testing.assert_array_equal(generated.materials, materials)
        assert generated.creatures == creatures
        following = int(random.randint(0, 2**32, dtype=np.uint64))
        assert peek_words(simulator.snapshot().envs)[0] == following


def test_same_map_in_a_batch_and_in_threads():
    world = mars_logic.load_world("all_three")
    batch = Simulator(world, n=5, threads=2)
    batch.reset(30)
    for i, env in enumerate(batch.snapshot().envs):
        alone = Simulator(world)
        alone.reset(30 + i)
        np.testing.assert_array_equal(env["cells"], alone.snapshot().envs[0]["cells"])


@pytest.mark.parametrize("name", ["crafter", "terrain"])
def test_ground_is_counted(name):
    simulator = Simulator(mars_logic.load_world(name))
    simulator.reset(3)
    env = simulator.snapshot().envs[0]
    materials = generate_map(mars_logic.load_world(name), 3).materials

    for number, chunk in enumerate(env["chunks"]):
        x, y = (CHUNK * i for i in divmod(number, CHUNKS_ACROSS))
        block = materials[x : x + CHUNK, y : y + CHUNK]
        assert chunk["grass"] == np.count_nonzero(block == GRASS)
        assert chunk["path"] == np.count_nonzero(block == PATH)
