"""The profile of decisions."""

from __future__ import annotations

import time

from mars_logic.benchmarks.decisions import StageClock, measure
from mars_logic.experiments.measurement import Bench
from mars_logic.plan.planner import Planner


def _busy(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_time_in_a_stage_inside_another_counts_once() -> None:
    clock = StageClock()
    inner = clock.timed("inner", lambda: _busy(0.05))

    def work() -> None:
        _busy(0.02)
        inner()
        _busy(0.02)

    clock.timed("outer", work)()
    assert 0.05 <= clock.seconds["inner"] < 0.1
    assert 0.04 <= clock.seconds["outer"] < 0.09, "without the stage inside"


def test_stages_sum_up_to_the_whole_and_the_planner_is_left_as_it_was() -> None:
    before = Planner.decide
    rows = measure(Bench(quick=True)).rows
    assert Planner.decide is before
    for agent in ("oracle in default", "oracle in crafter", "informed in default"):
        times = {r.quantity: r.ours for r in rows if agent in r.quantity}
        whole = times.pop(f"decision of {agent}: all")
        assert sum(t.median for t in times.values()) > 0.99 * whole.median > 0
        assert any("task plans" in name for name in times)
