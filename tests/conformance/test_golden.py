from __future__ import annotations

import pytest

from mars_logic.sim import conform, load_trace
from mars_logic.sim.trace import WORLDS

from .traces import ALL, SELECTION, TRACES


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_recorded_episodes_agree_at_every_step(path):
    conformance = conform(path)
    assert conformance.divergence is None
    assert conformance.agrees
    assert conformance.agreed == conformance.steps > 0


def test_the_selection_covers_all_worlds():
    assert {load_trace(path).world for path in SELECTION} == set(WORLDS.values())


def test_the_selection_is_part_of_all():
    for path in SELECTION if ALL else ():
        (same,) = (other for other in ALL if other.name == path.name)
        assert same.read_bytes() == path.read_bytes()
