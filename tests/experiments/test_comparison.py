"""Published results stand beside episodes that are as many and as long, and beside no others."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mars_logic.experiments.comparison import comparisons, counted, difference, not_compared
from mars_logic.experiments.published import PUBLISHED, Protocol
from mars_logic.experiments.rows import Row
from tests.experiments.test_summary import row

LLM, UNTOLD = Protocol(9, 1000), Protocol(None, 1000)


def died(number: int, **changes: Any) -> list[Row]:
    return [row(seed, **{"ended": "death"} | changes) for seed in range(number)]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (died(9), None),
        (died(12), None),
        (died(9, ended="length", steps=1000), None),
        (died(9, ended="complete", steps=300), None),
        (died(8), "8 episodes"),
        (died(1), "1 episode"),
        (died(9, ended="length", steps=500), "episodes of 500 steps"),
        (died(9, steps=1001), "episodes of 1,001 steps"),
        (died(9, ended=""), "it is not known how its episodes ended"),
        (died(9, ended="stopped"), "episodes that were left before they were over"),
        (died(9, phase="learn"), "episodes of learning"),
    ],
)
def test_how_episodes_differ_from_the_protocol(rows: list[Row], reason: str | None) -> None:
    assert difference(rows, LLM) == reason
    assert difference(rows, UNTOLD) == "the number of published episodes is not stated"


@given(st.lists(st.integers(1, 4), min_size=1, max_size=12), st.randoms())
def test_the_first_episodes_of_each_run_are_counted_in_whatever_order(
    lengths: list[int], random: Any
) -> None:
    rows = [row(s, number=n) for s, many in enumerate(lengths) for n in range(1, many + 1)]
    shuffled = random.sample(rows, len(rows))
    taken = counted(shuffled, LLM)
    assert taken == counted(rows, LLM) and len(taken) == min(9, len(rows))
    most = max(each.number for each in taken)
    left = [each for each in rows if each not in taken]
    assert all(each.number >= most for each in left), "all first episodes before any second"


def test_each_protocol_is_checked_by_itself() -> None:
    rows = [*died(9, agent="a", reward=2.0), *died(20, agent="b", reward=3.0)]
    by_trials = {one["trials"]: one for one in comparisons(rows)}
    assert set(by_trials) == {9, 20, None}
    assert {cell["agent"]: cell["reward"]["mean"] for cell in by_trials[9]["cells"]} == {
        "a": 2.0,
        "b": 3.0,
    }
    assert [cell["agent"] for cell in by_trials[20]["cells"]] == ["b"]
    assert by_trials[20]["differs"] == [{"agent": "a", "reason": "9 episodes"}]
    assert by_trials[None]["cells"] == [] and len(by_trials[None]["differs"]) == 2
    assert comparisons(died(9, world="mine")) == []
    assert comparisons(died(9, world_digest="0" * 64)) == [], "another world of that name"
    assert not_compared(by_trials[9]) == ""
    told = (
        "Published results of PPO, DreamerV3 (20 episodes of at most 1,000 steps) are left out, "
        "since episodes differ here: a: 9 episodes."
    )
    assert not_compared(by_trials[20]) == told
    untold = (
        "Published results of WALL-E 2.0 are left out: "
        "the number of published episodes is not stated."
    )
    assert not_compared(by_trials[None]) == untold


def test_privileged_agents_are_marked_among_published_ones_too() -> None:
    (one,) = [one for one in comparisons(died(9)) if one["trials"] == 9]
    names = [peer["name"] for peer in one["peers"]]
    assert "ReAct" in names and "ReAct (given rules)" in names
    assert all(peer.given for peer in PUBLISHED if peer.name.startswith("SPRING"))
