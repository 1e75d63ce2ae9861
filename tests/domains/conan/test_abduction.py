"""Abduction: clingo and its twin agree, the truth stays possible, refusals name their traces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic.domains.conan.codes import CODE, CODES
from mars_logic.domains.conan.detective.abduction import TraceAbduction
from mars_logic.domains.conan.detective.evidence import SceneEvidence
from mars_logic.domains.conan.vandal.tasks import WEAPONS, equivalents
from tests.domains.conan.logic import refuted_by_logic
from tests.domains.conan.recorded import BUNDLED, programs, read
from tests.domains.conan.tables import RECIPES

ABDUCTION = TraceAbduction(RECIPES, programs().plans)
TRACES = [
    *("tree_cut", "stone_left", "coal_left", "iron_left", "diamond_left", "cow_dead"),
    *("zombie_dead", "skeleton_dead", "table", "furnace", "bed", "table_destroyed"),
]


def scattered(counts: dict[str, int], *, whole: bool = True, figure: bool = True) -> SceneEvidence:
    """Grass with so many cells of each code, away from the figure."""
    codes = np.full((64, 64), CODE["grass"], np.uint8)
    cells = [code for name, number in counts.items() for code in [CODE[name]] * number]
    codes[:2].flat[: len(cells)] = cells
    seen = np.ones((64, 64), np.bool_)
    seen[40:] = whole
    things = np.zeros((64, 64), np.uint8)
    return SceneEvidence(codes, things, seen, (20, 20) if figure else None)


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.sampled_from(TRACES), st.integers(0, 12)), st.booleans(), st.booleans())
def test_logic_and_twin_agree(counts: dict[str, int], whole: bool, figure: bool) -> None:
    evidence = scattered(counts, whole=whole, figure=figure)
    assert ABDUCTION.refuted(evidence) == refuted_by_logic(ABDUCTION, evidence)


@pytest.mark.parametrize("path", sorted(BUNDLED.glob("task*.npz")), ids=lambda path: path.stem)
def test_the_truth_is_possible_however_much_was_seen(path: Path) -> None:
    recording = read(path)
    meta, codes, things = recording.meta, recording.maps[-1], recording.things[-1]
    draws = meta["vandal_draws"]
    weapon = WEAPONS[draws[0][1]] if draws and draws[0][0] == len(WEAPONS) else "none"
    x, y = (int(each) for each in recording.arrays["pos"][-1])
    for first in (0, 24, 36, 64):  # columns from here on are seen
        seen = np.zeros((64, 64), np.bool_)
        seen[first:] = True
        evidence = SceneEvidence(codes, things, seen, (x, y) if first <= x else None)
        possible = ABDUCTION.possible(evidence)
        assert (meta["task"], weapon) in possible
        if first == 64:
            assert possible == set(ABDUCTION.plans)
        if first == 0:
            tasks = {task for task, _ in possible}
            assert set(equivalents(meta["task"])) <= tasks
            assert len(tasks) < 12


def test_refusals_name_what_refutes() -> None:
    refuted = ABDUCTION.refuted(scattered({"tree_cut": 3, "table": 1}))
    assert ("few", "wood") in refuted["make_stone_pickaxe", "none"]
    assert ("without", "cow") in refuted["get_beef", "none"]
    assert ("more", "table") in refuted["get_wood", "none"]
    assert ("apart", "table") in refuted["place_table", "none"]
    assert ("make_wood_sword", "none") not in refuted
    assert ("make_wood_pickaxe", "none") not in refuted
    bare = ABDUCTION.refuted(scattered({"tree_cut": 1}))
    assert ("without", "table") in bare["make_wood_pickaxe", "none"], "no table, no pickaxe"
    assert len(CODES) == 42
