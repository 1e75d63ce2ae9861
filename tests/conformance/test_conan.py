"""Recordings of the playground of Conan replay bit for bit, and notice changes of the dialect."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mars_logic.sim import Simulator, TraceError, conform, load_trace
from mars_logic.sim.cells import cells_of, parts_of
from mars_logic.sim.conform import begin, compare, world_of
from mars_logic.sim.trace import TraceState
from mars_logic.world.rule_set import RuleSet
from tests.conformance.dialect_changes import changes
from tests.paths import DATA, SHARED

TRACES = sorted((DATA / "conan").glob("*.npz"))
EVERY = SHARED / "reference" / "systems" / "golden" / "conan"
LEAST_NOTICED = 38


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_recordings(path):
    found = conform(path)
    assert found.agrees, found.divergence
    assert found.agreed == found.steps > 0


@pytest.mark.parametrize("path", TRACES[:2], ids=lambda path: path.stem)
def test_inside_a_batch(path):
    """The same episode at a place among 256 others that play something else."""
    trace, place = load_trace(path), 100
    world = world_of(trace)
    simulator = Simulator(world, 256, length=trace.length)
    begin(simulator, trace)
    dice, recorded = np.random.default_rng(0), TraceState(trace)
    for step in range(1, trace.steps + 1):
        actions = dice.integers(0, len(world.vocabulary.actions), 256)
        actions[place] = trace.arrays["action"][step - 1]
        reward, done = simulator.step(actions)
        recorded.advance(step)
        assert reward[place] == trace.arrays["reward"][step - 1]
        assert done[place] == trace.arrays["done"][step - 1]
    state = simulator.state(place)
    assert np.array_equal(cells_of(world.vocabulary, state.materials, state.marks), recorded.map)
    assert np.array_equal(state.inventory, trace.arrays["inventory"][-1])
    assert np.array_equal(state.achievements, trace.arrays["achievements"][-1])


@pytest.mark.slow
def test_changes_are_noticed(monkeypatch):
    """Nearly every single change of the dialect or of its rules makes a recording differ."""
    traces = [load_trace(path) for path in TRACES]
    usual, unnoticed, count = RuleSet.vocabulary, [], 0
    for name, words, world in changes():
        count += 1
        changed = property(lambda _, words=words: words)
        with monkeypatch.context() as patch:
            patch.setattr(RuleSet, "vocabulary", changed)
            if all(compare(trace, world_of(trace, world)).agrees for trace in traces):
                unnoticed.append(name)
    assert RuleSet.vocabulary is usual
    assert count == 40
    assert count - len(unnoticed) >= LEAST_NOTICED, unnoticed


def test_cells_and_their_parts():
    words = load_trace(TRACES[0]).words
    codes = np.arange(len(words.cells), dtype=np.uint8)
    assert np.array_equal(cells_of(words, *parts_of(words, codes)), codes)


def test_a_recording_without_its_variant_is_refused(tmp_path):
    arrays = dict(np.load(TRACES[0]))
    meta = json.loads(arrays["meta_json"].tobytes())
    del meta["boss"]
    arrays["meta_json"] = np.frombuffer(json.dumps(meta).encode(), np.uint8)
    np.savez(tmp_path / "wrong.npz", **arrays)
    with pytest.raises(TraceError, match="meta_json: boss: null; allowed: true, false"):
        load_trace(tmp_path / "wrong.npz")


@pytest.mark.long
@pytest.mark.skipif(not EVERY.is_dir(), reason="the whole set of recordings is not here")
def test_every_recording():
    found = [conform(path) for path in sorted(EVERY.glob("*.npz"))]
    assert len(found) == 108
    assert not [each for each in found if not each.agrees]
