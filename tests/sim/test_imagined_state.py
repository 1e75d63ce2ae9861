from __future__ import annotations

import numpy as np

from mars_logic import load_world
from mars_logic.sim import Simulator, State
from mars_logic.sim.imagined_state import Imagined


def imagined(state: State) -> Imagined:
    """A state told over again."""
    things = [
        dict(zip(state.objects.dtype.names or (), o, strict=True)) for o in state.objects.tolist()
    ]
    return Imagined(
        state.materials,
        things,
        (state.x, state.y),
        state.facing,
        state.sleeping,
        state.inventory.tolist(),
        state.step,
    )


def test_a_state_told_over_again_is_the_same() -> None:
    for name in ("crafter", "all_three"):
        simulator = Simulator(load_world(name))
        simulator.reset(5)
        for action in (1, 3, 5, 2, 2, 4) * 5:
            simulator.step(action)
        told = simulator.state()
        other = Simulator(load_world(name), n=2)
        other.restore(imagined(told).futures((3, 4)))
        for env in range(2):
            state = other.state(env)
            assert (state.materials == told.materials).all()
            assert (state.objects == told.objects).all()
            assert (state.x, state.y, state.facing, state.step) == (told.x, told.y, told.facing, 30)
            assert (state.inventory == told.inventory).all()
            assert state.daylight == told.daylight


def test_equal_streams_have_equal_futures_and_others_do_not() -> None:
    world = load_world("default")
    simulator = Simulator(world)
    simulator.reset(2)
    futures = Simulator(world, n=3)
    futures.restore(imagined(simulator.state()).futures((8, 8, 9)))
    for _ in range(30):
        futures.step(np.zeros(3, np.int64))
    first, again, other = (futures.state(env) for env in range(3))
    assert (first.objects == again.objects).all()
    assert len(first.objects) != len(other.objects) or (first.objects != other.objects).any()


def test_the_chunks_are_counted_as_the_game_counts_them() -> None:
    simulator = Simulator(load_world("crafter"))
    simulator.reset(1)
    real = simulator.snapshot().envs[0]["chunks"]
    told = imagined(simulator.state()).futures((1,)).envs[0]["chunks"]
    for field in ("grass", "path", "things"):
        assert (told[field] == real[field]).all()
