"""What agents are given besides what they observe, in words."""

from __future__ import annotations

from typing import Any

import pytest

from mars_logic.play.agent import agent_names, knowledge, load_agent
from mars_logic.play.privileges import given, marked


@pytest.mark.parametrize(
    ("agent", "options", "belief", "told"),
    [
        ("random", {}, None, ""),
        ("informed", {}, None, "given rules"),
        ("informed", {}, "0" * 64, "given a belief"),
        ("informed_with_belief_01234567", {}, None, "given a belief"),
        ("oracle", {}, None, "given rules, whole map"),
        ("clairvoyant", {}, None, "given rules, whole map, future"),
        ("inductive", {}, None, "prior: Crafter's rules"),
        ("inductive", {"prior": "none", "revise": True}, None, "prior: none"),
        ("inductive", {}, "0" * 64, "prior: a belief"),
        ("human_with_manual", {}, None, ""),
    ],
)
def test_what_an_agent_is_given(
    agent: str, options: dict[str, Any], belief: str | None, told: str
) -> None:
    assert given(agent, options, belief) == told


def test_every_installed_agent_that_is_told_something_is_marked() -> None:
    for name in agent_names():
        made = load_agent(name)
        known = (
            getattr(made, "knows", "nothing") if hasattr(made, "resolved") else knowledge(made())
        )
        assert bool(given(name)) >= (known != "nothing")
    assert marked("a", "") == "a" and marked("a", "given rules") == "a (given rules)"
