from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from mars_logic.experiments.measurement import Bench, processor_seconds


def turns(log: list[str]) -> dict[str, Callable[[], float] | None]:
    def turn(name: str) -> Callable[[], float]:
        def take() -> float:
            log.append(name)
            return float(len(log))

        return take

    return {"a": turn("a"), "b": turn("b"), "absent": None}


@pytest.mark.slow
def test_all_take_turns_in_changing_order_after_a_warm_up() -> None:
    log: list[str] = []
    found = Bench().interleave("it", turns(log), rounds=3)
    assert "".join(log) == "ab" + "ab" + "ba" + "ab"
    assert found == {"a": [3.0, 6.0, 7.0], "b": [4.0, 5.0, 8.0], "absent": []}


def test_waiting_takes_none_of_the_processors_time() -> None:
    waits: list[str] = []

    def work() -> None:
        waits.append("once")
        time.sleep(0.2)

    def busy() -> None:
        while time.process_time() < until:
            pass

    assert 0 <= processor_seconds(work) < 0.2 and waits == ["once"]
    until = time.process_time() + 0.02
    assert processor_seconds(busy) >= 0.01


@pytest.mark.slow
def test_a_quick_run_is_short() -> None:
    bench = Bench(quick=True)
    assert len(bench.interleave("it", turns([]), rounds=9)["a"]) == 2
    assert bench.size("full", "quick") == "quick"


@pytest.mark.slow
def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    bench = Bench(progress=lambda *state: told.append(state))
    bench.interleave("it", turns([]), rounds=2)
    assert told == [("it", 0, 2), ("it", 1, 2), ("it", 2, 2)]
