"""Evidence that grows, and the monitor: the same as from scratch."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mars_logic import bundled_worlds, load_world
from mars_logic.data import Trajectory
from mars_logic.data.trajectory import DONE
from mars_logic.theory import Evidence, check, revise
from mars_logic.theory.monitor import Monitor
from mars_logic.theory.relevance import bearing_on, reads
from tests.theory.play import Busy, evidence, play
from tests.theory.worlds import random_world

DEFAULT = load_world("default")


def cut(trajectory: Trajectory, steps: int) -> Trajectory:
    rows = {name: getattr(trajectory, name)[:steps] for name in DONE}
    return replace(trajectory, views=trajectory.views[: steps + 1], privileged=None, **rows)


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 2**30), st.lists(st.integers(1, 400), max_size=6))
def test_evidence_that_grows_is_the_same_in_the_end(seed: int, steps: list[int]) -> None:
    trajectories = play(random_world(seed), range(seed, seed + 2), Busy())
    found = Evidence(trajectories[0].about.dynamics)
    for trajectory in trajectories:
        growing, total = found.growing(), 0
        for length in (*sorted(n for n in steps if n < len(trajectory)), len(trajectory)):
            new = growing.read(cut(trajectory, length))
            total += new.transitions
        assert total == len(trajectory)
    whole = Evidence.of(trajectories)
    assert list(found.signatures.items()) == list(whole.signatures.items())
    assert found.transitions == whole.transitions


@pytest.mark.parametrize("name", ["all_three", "surv_task", "default"])
def test_the_monitor_notices_when_checking_does(name: str) -> None:
    """Of what creatures do by chance, a little later at most; so that is left out here."""
    (trajectory,) = play(load_world(name), [2], Busy())
    found, monitor, theory = Evidence("mars"), Monitor(DEFAULT), DEFAULT
    growing = found.growing()
    for step in range(1, len(trajectory) + 1):
        about = {
            field
            for field in monitor.see(growing.read(cut(trajectory, step)))
            if field[1] not in ("walks", "approaches", "shoots")
        }
        if step % 50 == 0 or about:
            conflicts = [
                conflict
                for conflict in check(theory, found).conflicts
                if not {n for _, n in conflict.fields} & {"walks", "approaches", "shoots"}
            ]
            assert bool(conflicts) == bool(about), step
        if about:
            theory = revise(theory, found).theory
            monitor.judge(theory)
    assert set(monitor.kinds) == set(found.signatures)


@pytest.mark.parametrize("name", bundled_worlds()[:4])
def test_a_revision_of_what_is_contradicted_is_the_whole_revision(name: str) -> None:
    seen = evidence(name, 3)
    belief = load_world("all_three" if seen.dynamics == "mars" else "crafter")
    about = {field for conflict in check(belief, seen).conflicts for field in conflict.fields}
    whole, part = revise(belief, seen), revise(belief, seen, about=about)
    assert part.theory == whole.theory and part.changes == whole.changes


def test_what_bears_on_fields_shares_none_with_the_rest() -> None:
    seen = evidence("all_three", 3)
    kept = bearing_on(seen, [("collect.stone", "leaves")])
    assert 0 < len(kept.rows) < len(seen.rows)
    inside = {name for s in kept.signatures for name in reads(s, "mars") if "walkable" not in name}
    outside = [s for s in seen.signatures if s not in kept.signatures]
    assert all(inside.isdisjoint(reads(s, "mars")) for s in outside)
