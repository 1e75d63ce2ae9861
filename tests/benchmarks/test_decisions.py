"""The profile of decisions."""

from __future__ import annotations

import pytest

from mars_logic.benchmarks import decisions
from mars_logic.benchmarks.decisions import StageClock, measure
from mars_logic.experiments.measurement import Bench
from mars_logic.plan.planner import Planner


def test_time_in_a_stage_inside_another_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    def busy(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr(decisions.time, "process_time", lambda: now)
    clock = StageClock()
    inner = clock.timed("inner", lambda: busy(11))

    def work() -> None:
        busy(2)
        inner()
        busy(3)

    clock.timed("outer", work)()
    busy(7)
    assert dict(clock.seconds) == {"outer": 5, "inner": 11}


@pytest.mark.slow
def test_stages_sum_up_to_the_whole_and_the_planner_is_left_as_it_was() -> None:
    before = Planner.decide
    rows = measure(Bench(quick=True)).rows
    assert Planner.decide is before
    for agent in ("oracle in default", "oracle in crafter", "informed in default"):
        times = {r.quantity: r.ours for r in rows if agent in r.quantity}
        whole = times.pop(f"decision of {agent}: all")
        assert sum(t.median for t in times.values()) > 0.99 * whole.median > 0
        assert any("task plans" in name for name in times)
