"""Records of earlier versions go on as they would have."""

from __future__ import annotations

import pickle

import numpy as np

from mars_logic import load_world
from mars_logic.sim import Simulator, Snapshot
from mars_logic.sim.earlier_layout import LAYOUT, as_now, dtype_of
from mars_logic.sim.layout import CAPACITY, MOST_ENTERED, THING_DTYPE, env_dtype
from mars_logic.sim.snapshot import number_entries, with_capacity

WIDER = 256


def played(steps=150):
    simulator = Simulator(load_world("crafter"), 4)
    simulator.reset(11)
    for actions in np.random.default_rng(2).integers(17, size=(steps, 4)):
        simulator.step(actions)
    return simulator


def first_layout(envs, capacity=WIDER):
    """The same states as version 1 of the layout had them, with large numbers of entries."""
    wide = with_capacity(envs, capacity)
    old = np.zeros(len(envs), dtype_of(1, capacity))
    for name in wide.dtype.names:
        if name in ("player", "things"):
            for field in wide[name].dtype.names:
                old[name][field] = wide[name][field]
        else:
            old[name] = wide[name]
    old["things"]["entered"] *= 1000
    old["next_entered"] *= 1000
    return old


def future(simulator):
    rewards = []
    for actions in np.random.default_rng(3).integers(17, size=(250, 4)):
        rewards.append(simulator.step(actions).reward)
        simulator.next_episode()
    return np.array(rewards), simulator.semantic()


def test_layout_1_was_this():
    """Sizes and places of fields, as checkpoints of that version hold them."""
    old = dtype_of(1, WIDER)
    assert old.itemsize == 12848
    places = {name: old.fields[name][1] for name in ("stream", "player", "chunks", "things")}
    assert places == {"stream": 5188, "player": 7712, "chunks": 7836, "things": 8748}
    thing = old["things"].base
    assert {name: thing.fields[name][1] for name in ("removed", "health", "grown", "entered")} == {
        "removed": 2,
        "health": 3,
        "grown": 10,
        "entered": 12,
    }


def test_the_future_is_the_same():
    simulator = played()
    old = first_layout(simulator.snapshot().envs)
    expected = future(simulator)
    other = Simulator(load_world("crafter"), 4)
    other.restore(Snapshot(as_now(old)))
    found = future(other)
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_array_equal(found[1], expected[1])


def test_a_record_of_now_stays():
    envs = played(3).snapshot().envs
    assert as_now(envs) is envs and dtype_of(LAYOUT, CAPACITY) == env_dtype(CAPACITY)


def test_many_things_keep_their_room():
    old = first_layout(played(3).snapshot().envs)
    old["num_things"][1] = CAPACITY + 5
    now = as_now(old)
    assert now["things"].shape[1] == WIDER and now["things"].dtype == THING_DTYPE


def test_a_pickled_snapshot_is_converted():
    envs = played(30).snapshot().envs
    pickled = Snapshot(envs)
    object.__setattr__(pickled, "envs", first_layout(envs))
    loaded = pickle.loads(pickle.dumps(pickled))
    assert loaded.envs.dtype == envs.dtype and not loaded.envs.flags.writeable
    np.testing.assert_array_equal(loaded.envs["cells"], envs["cells"])
    np.testing.assert_array_equal(loaded.envs["chunks"], envs["chunks"])


def test_entries_are_numbered_anew_in_their_order():
    envs = played().snapshot().envs.copy()
    drawn = np.random.default_rng(0).permuted(np.arange(4 * CAPACITY).reshape(4, -1) * 7, axis=1)
    envs["things"]["entered"] = drawn
    number_entries(envs)
    assert (envs["things"]["entered"].argsort(1) == drawn.argsort(1)).all()
    assert (envs["things"]["entered"].max(1) < envs["next_entered"]).all()
    assert (envs["next_entered"] == CAPACITY).all()


def test_numbering_anew_changes_no_future():
    simulator = played()
    envs = simulator.snapshot().envs.copy()
    expected = future(simulator)
    for env in envs:
        env["things"]["entered"] += np.uint16(MOST_ENTERED - env["next_entered"] - 20)
        env["next_entered"] = MOST_ENTERED - 20
    other = Simulator(load_world("crafter"), 4)
    other.restore(Snapshot(envs))
    found = future(other)
    assert (found[0] == expected[0]).all() and (found[1] == expected[1]).all()
    assert (other.snapshot().envs["next_entered"] < MOST_ENTERED - 20).all()
