"""Maps divided into patches, compared with what looking at each cell gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from mars_logic import load_world
from mars_logic.logic.layout import MapLayout, patches_of
from mars_logic.logic.region import NEVER
from mars_logic.logic.zone_view import ZoneView
from mars_logic.sim import generate_map
from mars_logic.world import names
from tests.logic import naive_layout

UNKNOWN = 0


def by_cells(codes: NDArray[np.uint8]) -> object:
    grid = {(x, y): names.MATERIALS[codes[x, y]] for x, y in np.argwhere(codes != UNKNOWN).tolist()}
    return naive_layout.patches_of(grid)


def blobs(shape: tuple[int, int]) -> st.SearchStrategy[NDArray[np.uint8]]:
    """Maps of few materials, some of which are not known everywhere."""
    return arrays(np.uint8, shape, elements=st.sampled_from((0, 1, 1, 2, 2, 2, 4)))


@given(codes=st.sampled_from(((1, 1), (5, 4), (9, 13), (14, 3))).flatmap(blobs))
def test_patches_are_what_looking_at_each_cell_gives(codes: NDArray[np.uint8]) -> None:
    assert patches_of(ZoneView(codes)) == by_cells(codes)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_patches_of_generated_maps(seed: int) -> None:
    area = generate_map(load_world("all_three"), seed).materials
    assert patches_of(ZoneView(area)) == by_cells(area)
    seen = np.where(np.random.default_rng(seed).random(area.shape) < 0.9, area, UNKNOWN)
    seen[:, :20] = UNKNOWN
    assert patches_of(ZoneView(seen.astype(np.uint8))) == by_cells(seen)


def test_what_is_seen_from_a_place() -> None:
    codes = np.full((6, 5), names.MATERIALS.index("grass"), np.uint8)
    codes[2, 3] = names.MATERIALS.index("tree")
    codes[0] = UNKNOWN
    layout = MapLayout(codes)
    found = {p.material: p for p in layout.seen_from((2, 2), (0, 1), [("cow", 5, 4)]).values()}
    assert (found["tree"].at_hand, found["tree"].ahead) == (1, True)
    assert (found["grass"].at_hand, found["grass"].ahead) == (3, False)
    assert found["grass"].residents == {"cow": 1}
    atoms = ["stands_on(grass)", "at_start(grass)", "at_start(tree)"]
    assert [*layout.place_atoms((2, 2))] == atoms
    assert [*layout.place_atoms((0, 0))] == ["at_start(grass)"]
    assert layout.in_chunks == {"grass": [24], "tree": [1]}


def test_ways_out_of_the_patch_under_a_player() -> None:
    """A row of lava to the right, along water and past stone; grass lies behind it."""
    lava, water, stone, grass = map(names.MATERIALS.index, ("lava", "water", "stone", "grass"))
    codes = np.array([[water, lava, stone], [water, lava, water], [water, grass, water]], np.uint8)
    layout = MapLayout(codes)
    patches = layout.seen_from((0, 1), (1, 0), [])
    layout.mark_ways_out(patches, (0, 1), (1, 0))
    found = {(p.material, p.cells): (p.past, p.waits) for p in patches.values()}
    assert found["grass", 1] == (True, 1)
    assert found["water", 3] == (True, 0) and found["stone", 1] == (False, 0)
    assert found["water", 2] == (True, 1) and found["lava", 2] == (False, NEVER)


def test_a_map_of_which_nothing_is_known() -> None:
    nothing = MapLayout(np.zeros((3, 3), np.uint8))
    assert nothing.seen_from((1, 1), (0, 1), [("cow", 0, 0)]) == {}
    assert [*nothing.place_atoms((1, 1))] == [] and nothing.in_chunks == {}
