"""The fewest moves, against a plain search of all ways."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mars_logic.play.travel import Travel
from mars_logic.world import names

SIZE = 5
MATERIALS = ("water", "tree", "stone", "path")
CLASSES = ("water", "tree")
SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))

Cell = tuple[int, int]
State = tuple[Cell, Cell, tuple[int, int], bool]


def searched(
    area: NDArray[np.uint8], start: Cell, facing: Cell, goal: tuple[int, int], trees_first: int
) -> int | None:
    """Breadth-first over place, direction, numbers, and whether a move was made since acting."""
    first: State = (start, facing, (0, 0), True)
    costs: dict[State, int] = {first: 0}
    waiting = deque([first])
    while waiting:
        state = waiting.popleft()
        _, _, done, _ = state
        if done[0] >= goal[0] and done[1] >= goal[1]:
            return costs[state]
        for more, following in after(area, state, trees_first):
            if following not in costs or costs[state] + more < costs[following]:
                costs[following] = costs[state] + more
                (waiting.append if more else waiting.appendleft)(following)
    return None


def after(area: NDArray[np.uint8], state: State, trees_first: int) -> Iterator[tuple[int, State]]:
    (x, y), (dx, dy), done, moved = state
    ahead = (x + dx, y + dy)
    if moved and all(0 <= place < SIZE for place in ahead):
        material = names.MATERIALS[area[ahead]]
        if material == "water" and done[1] >= trees_first:
            yield 0, (state[0], state[1], (min(2, done[0] + 1), done[1]), False)
        if material == "tree":
            yield 0, (state[0], state[1], (done[0], min(2, done[1] + 1)), False)
    for side in SIDES:
        yield 1, (state[0], side, done, True)
        nx, ny = x + side[0], y + side[1]
        if 0 <= nx < SIZE and 0 <= ny < SIZE and names.MATERIALS[area[nx, ny]] != "stone":
            yield 1, ((nx, ny), side, done, True)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(MATERIALS), min_size=SIZE**2, max_size=SIZE**2),
    st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)),
    st.sampled_from(SIDES),
    st.integers(0, 2),
)
def test_as_a_plain_search(
    materials: list[str], start: Cell, facing: Cell, trees_first: int
) -> None:
    codes = [names.MATERIALS.index(material) for material in materials]
    area = np.array(codes, np.uint8).reshape(SIZE, SIZE)
    if names.MATERIALS[area[start]] == "stone":
        area[start] = names.MATERIALS.index("path")
    travel = Travel.on(
        area,
        set(MATERIALS) - {"stone"},
        start,
        facing,
        dict.fromkeys(CLASSES, 2),
        lambda one, other, _: trees_first if (one, other) == ("water", "tree") else 0,
    )
    for goal in ((0, 0), (1, 0), (0, 2), (2, 1), (2, 2)):
        taken = dict(zip(CLASSES, goal, strict=True))
        expected = searched(area, start, facing, goal, trees_first)
        assert travel.moves(taken) == expected
        assert travel.moves(travel.reason(taken)) == expected
