"""Bounds against all hypotheses, listed."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mars_logic.theory.action_models.bounds import Bounds, cover, reaches

COLUMNS, MOST = 3, 3
ALL = np.array(list(product(range(MOST + 1), repeat=COLUMNS)), np.uint8)


def amounts(least: int, most: int) -> st.SearchStrategy[np.ndarray]:
    rows = st.integers(least, most)
    return rows.flatmap(lambda n: arrays(np.uint8, (n, COLUMNS), elements=st.integers(0, MOST)))


def agreeing(succeeded: np.ndarray, failed: np.ndarray, floor: np.ndarray) -> np.ndarray:
    """Every hypothesis that agrees with what was seen."""
    good = [
        (reaches(succeeded, b).all() and not reaches(failed, b).any() and (b >= floor).all())
        for b in ALL
    ]
    return ALL[np.array(good, np.bool_)]


@pytest.mark.slow
@given(amounts(1, 4), amounts(0, 5), st.sampled_from([0, 1]))
def test_what_follows_is_what_all_hypotheses_say(succeeded, failed, least):
    floor = np.minimum(np.full(COLUMNS, least, np.uint8), succeeded.min(axis=0))
    bounds = Bounds.of(succeeded, failed, floor)
    left = agreeing(succeeded, failed, floor)
    assert bounds.by_chance == (len(left) == 0)
    if bounds.by_chance:
        return
    assert (bounds.least() == left.min(axis=0)).all()
    assert (bounds.top == left.max(axis=0)).all()
    says = np.array([reaches(ALL, b) for b in left])
    assert (bounds.sure(ALL) == says.all(axis=0)).all()
    assert (bounds.possible(ALL) == says.any(axis=0)).all()
    among = {b.tobytes() for b in left}
    assert [bounds.agrees(b) for b in ALL] == [b.tobytes() in among for b in ALL]
    fewest = min((b > bounds.least()).sum() for b in left)
    assert bounds.chosen().tobytes() in among
    assert (bounds.chosen() > bounds.least()).sum() == fewest
    assert all(b.tobytes() in among for b in bounds.listed())
    for question in bounds.open_questions():
        assert all(any(b[c] >= n for c, n in question.items()) for b in left)


@pytest.mark.slow
@given(amounts(1, 4), amounts(0, 4))
def test_a_cover_takes_as_few_groups_as_can_be(succeeded, failed):
    refuting = failed[[not reaches(f, succeeded).any() for f in failed]] if len(failed) else failed
    groups = cover(succeeded, failed)
    assert np.any(groups, axis=0).all()
    for group in groups:
        assert not reaches(refuting, succeeded[group].min(axis=0)).any()
    smaller = len(groups) - 1
    for parts in product(range(smaller), repeat=len(succeeded)):
        split = [succeeded[np.array(parts) == part] for part in set(parts)]
        assert any(reaches(refuting, each.min(axis=0)).any() for each in split)


@pytest.mark.slow
def test_too_many_choices_are_still_answered():
    """Nine failures that each lack three things of their own."""
    failed = np.ones((9, 27), np.uint8)
    for row in range(9):
        failed[row, 3 * row : 3 * row + 3] = 0
    bounds = Bounds.of(np.ones((1, 27), np.uint8), failed)
    assert len(bounds.open_questions()) == 9 and bounds.agrees(bounds.chosen())
    assert bounds.chosen().sum() == 9


def test_an_or_is_told_as_two_ways():
    """A wood or a stone pickaxe will do; nothing will not."""
    succeeded = np.array([[1, 0, 3], [0, 1, 0]], np.uint8)
    failed = np.array([[0, 0, 3]], np.uint8)
    assert len(cover(succeeded, failed)) == 2
    assert len(cover(succeeded, failed[:0])) == 1


def test_bad_luck_refutes_nothing_and_a_lasting_lack_does():
    """The same amounts fail and succeed; but none of many tries without the first succeeds."""
    succeeded = np.array([[1, 2, 0]] * 30, np.uint8)
    unlucky = np.array([[1, 2, 0]] * 10, np.uint8)
    without = np.array([[0, 2, 0]] * 40, np.uint8)
    bounds = Bounds.of(succeeded, np.concatenate([unlucky, without]))
    assert bounds.by_chance and bounds.unlucky == 10
    assert bounds.chosen().tolist() == bounds.least().tolist() == [1, 0, 0]
    few = Bounds.of(succeeded, np.concatenate([unlucky, without[:2]]))
    assert few.chosen().tolist() == [0, 0, 0] and few.top.tolist() == [1, 2, 0]
