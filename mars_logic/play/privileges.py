"""Privileged inputs of an agent, which mark its results everywhere."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, Final

from mars_logic.play.agent import Knows, agent_names, load_agent, registered_name

_TOLD: Final[Mapping[Knows, str]] = {
    "nothing": "",
    "rules": "given rules",
    "rules and state": "given rules, whole map",
    "simulator": "given rules, whole map, future",
}
_PRIORS: Final = {"crafter": "prior: Crafter's rules", "none": "prior: none"}


def given(agent: str, options: Mapping[str, Any] | None = None, belief: str | None = None) -> str:
    """An agent's privileged inputs, in words; empty without any, or for an unknown agent.

    Args:
        agent: As it is registered, or as :func:`mars_logic.play.agent.player_name` calls it.
        options: What its class was called with. Of a class with an option ``prior`` the prior is
            told; a class with a function ``given`` says itself what options tell.
        belief: The digest of the belief that it was given, if any.
    """
    name = registered_name(agent)
    if name not in agent_names():  # a person, or an agent of another installation
        return ""
    made: Any = load_agent(name)
    parameters = inspect.signature(made).parameters
    believes = belief is not None or name != agent
    if "prior" in parameters:
        prior = str((options or {}).get("prior", parameters["prior"].default))
        return "prior: a belief" if believes else _PRIORS.get(prior, f"prior: {prior}")
    if callable(by_options := getattr(made, "given", None)):
        return str(by_options(options or {}))
    return "given a belief" if believes else _TOLD[getattr(made, "knows", "nothing")]


def marked(label: str, told: str) -> str:
    """A label with its agent's privileged inputs."""
    return f"{label} ({told})" if told else label
