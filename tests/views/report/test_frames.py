from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.play.agent import load_agent
from mars_logic.play.certificate import SCHEMA, Certificate, WorldReference, certify
from mars_logic.play.episodes import play
from mars_logic.sim import Simulator
from mars_logic.sim.codes import LOOKS, RIPE_PLANT
from mars_logic.views.appearances import player_looks
from mars_logic.views.report.replays import encoded, frames
from mars_logic.world.names import ACTIONS
from mars_logic.world.theory import World
from tests.views.report.decoding import Moments, decoded

ALL_THREE = load_world("all_three")


def certificate(world: World, seed: int, actions: list[int], episode: int = 1) -> Certificate:
    return Certificate(
        schema=SCHEMA,
        world=WorldReference(name=world.name, digest=world.digest),
        dynamics=world.dynamics,
        seed=seed,
        episode=episode,
        actions=tuple(actions),
        unlocked={},
        steps=len(actions),
        reward=0.0,
    )


def compare(found: Moments, world: World, kept: Certificate) -> None:
    """Every moment is as the simulator has it, and the view as the player sees it."""
    simulator = Simulator(world)
    simulator.reset(kept.seed, kept.episode)
    assert len(found.cells) == len(kept.actions) + 1
    assert found.action.tolist() == list(kept.actions)
    for moment in range(len(found.cells)):
        if moment:
            reward, _ = simulator.step(kept.actions[moment - 1])
            assert found.reward[moment - 1] == np.float32(reward[0])
        state, seen = simulator.state(), simulator.observe()
        cells = found.cells[moment]
        np.testing.assert_array_equal(cells & 1023, state.materials)
        kinds = {(thing["x"], thing["y"]): thing["kind"] for thing in state.objects}
        assert set(zip(*map(np.ndarray.tolist, np.nonzero(cells >> 10)), strict=True)) == set(kinds)
        assert (found.x[moment], found.y[moment]) == (state.x, state.y)
        look = player_looks(seen.facing, seen.sleeping)[0] - len(LOOKS)
        assert found.pose[moment] == look
        np.testing.assert_array_equal(found.inventory[:, moment], state.inventory)
        assert found.daylight[moment] == round(255 * state.daylight)
        compare_view(cells, state.x, state.y, seen.objects[0])


def compare_view(cells: np.ndarray, x: int, y: int, seen: np.ndarray) -> None:
    padded = np.pad(cells, 9)[x + 5 : x + 14, y + 6 : y + 13] >> 10
    others = np.where(seen == LOOKS.index("player"), 0, seen)
    np.testing.assert_array_equal(padded, others)


@settings(max_examples=6)
@given(
    name=st.sampled_from(["all_three", "crafter", "survival"]),
    seed=st.integers(0, 1000),
    episode=st.integers(1, 3),
    actions=st.lists(st.sampled_from([1, 2, 3, 4, 5, 5, 6, 7, 8]), max_size=60),
)
def test_decoded_frames_are_the_states_of_the_simulator(
    name: str, seed: int, episode: int, actions: list[int]
) -> None:
    world = load_world(name)
    kept = certificate(world, seed, actions, episode)
    compare(decoded(encoded(frames(kept, world))), world, kept)


def test_arrows_and_ripe_plants_look_as_they_are_seen() -> None:
    """In all_three everything shoots; a sapling is planted, and watched until it is ripe."""
    world = load_world("default")
    do, plant, noop = (ACTIONS.index(name) for name in ("do", "place_plant", "noop"))
    for seed in range(40):
        actions = [do] * 25 + [plant] + [noop] * 40
        kept = certificate(world, seed, actions)
        found = decoded(encoded(frames(kept, world)))
        if (found.cells >> 10 == RIPE_PLANT).any():
            compare(found, world, kept)
            break
    else:
        pytest.fail("no plant ever became ripe")
    seed = next(s for s in range(40) if shot(s))
    kept = certificate(ALL_THREE, seed, [noop] * 60)
    compare(decoded(encoded(frames(kept, ALL_THREE))), ALL_THREE, kept)


def shot(seed: int) -> bool:
    """Whether arrows fly in the first steps, in more than one direction."""
    found = frames(certificate(ALL_THREE, seed, [0] * 60), ALL_THREE)
    arrows = {value >> 10 for value in found.values.tolist()} & set(range(8, 12))
    return len(arrows) > 1


def test_an_episode_is_small() -> None:
    played = play(load_agent("random")(), Simulator(ALL_THREE), 0, {"none"})
    kept = certify(played, ALL_THREE, "all_three", "random")
    assert len(encoded(frames(kept, ALL_THREE))) < 4000 + 20 * kept.steps
