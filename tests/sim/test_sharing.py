"""Threads share a batch: each environment is done once, whoever takes it."""

from __future__ import annotations

import gc
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import load_world
from mars_logic.compiled.kernel import kernel
from mars_logic.sim import Simulator
from mars_logic.sim.sharing import Helpers, is_crowded, share_done, shares_of, take_share
from mars_logic.views.image import render


@kernel
def _count(times, crowded, shares, thread):
    first, end = take_share(shares, thread)
    while first < end:
        room = True
        for i in range(first, end):
            times[i] += 1
            room = room and i != crowded
        share_done(shares, first, end, room)
        first, end = take_share(shares, thread)


@settings(max_examples=60, deadline=None)
@given(
    first=st.integers(0, 9),
    number=st.integers(1, 3000),
    threads=st.integers(1, 5),
    crowded=st.integers(-500, 3000),
)
def test_each_is_done_once(first, number, threads, crowded):
    times = np.zeros(first + number + 1, np.int64)
    shares = shares_of(first, first + number, threads)
    Helpers(threads - 1).share(_count, times, crowded, shares=shares)
    assert (times[first:-1] == 1).all() and not times[:first].any() and not times[-1]
    assert is_crowded(shares) == (first <= crowded < first + number)


def test_many_shared_jobs_in_turn():
    helpers, times = Helpers(3), np.zeros(2000, np.int64)
    for _ in range(300):
        helpers.share(_count, times, -1, shares=shares_of(0, 2000, 4))
    assert (times == 300).all()


def test_a_thread_that_is_busy_is_not_waited_for():
    helpers, times, held = Helpers(1), np.zeros(200, np.int64), threading.Event()
    helpers._jobs[0].put((held.wait,))
    helpers.share(_count, times, -1, shares=shares_of(0, 200, 2))
    assert (times == 1).all()
    held.set()


@kernel
def _take(shares, thread):
    return take_share(shares, thread)


@kernel
def _finish(shares, first, end):
    share_done(shares, first, end, True)


def test_what_another_thread_took_is_waited_for():
    times, shares = np.zeros(64, np.int64), shares_of(0, 64, 2)
    first, end = _take(shares, 1)
    assert first == 32 < end

    def late():
        time.sleep(0.05)
        times[first:end] += 1
        _finish(shares, first, end)

    _finish(shares_of(0, 1), 0, 1)  # compiled before
    other = threading.Thread(target=late)
    other.start()
    Helpers(1).share(_count, times, -1, shares=shares)
    assert (times == 1).all()
    other.join()


def test_threads_take_from_their_own_part_first_and_from_the_end_of_others():
    shares = shares_of(0, 256, 2)
    assert _take(shares, 0) == (0, 16) and _take(shares, 1) == (128, 144)
    for _ in range(7):
        _take(shares, 0)
    assert _take(shares, 0) == (240, 256) and _take(shares, 1) == (144, 160)
    for _ in range(5):
        _take(shares, 0)
    assert _take(shares, 0) == _take(shares, 1) == (0, 0)


@pytest.mark.slow
def test_threads_end_with_their_owner():
    helpers = Helpers(2)
    mine = [each for each in threading.enumerate() if each.name == "helper"]
    assert len(mine) >= 2
    before = len(mine)
    del helpers
    gc.collect()
    for each in mine:
        each.join(0.2)
    assert sum(each.is_alive() for each in mine) <= before - 2


def test_images_are_the_same_in_threads():
    world = load_world("crafter")
    simulators = [Simulator(world, 100, threads=threads) for threads in (1, 3)]
    for simulator in simulators:
        simulator.reset(3)
    for actions in np.random.default_rng(0).integers(17, size=(230, 100)):  # into the night
        for simulator in simulators:
            simulator.step(actions)
    alone, shared = (render(each.observe(), share=each.share) for each in simulators)
    np.testing.assert_array_equal(alone, shared)
    np.testing.assert_array_equal(alone, render(simulators[0].observe()))
