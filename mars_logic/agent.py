"""What an agent is: three methods, and what it is told about an episode."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Protocol

from mars_logic.errors import InputError
from mars_logic.world.fields import nearest
from mars_logic.world.names import Dynamics

if TYPE_CHECKING:
    from mars_logic.sim import Observation

GROUP = "mars_logic.agents"
"""The entry-point group in which packages offer agents."""


@dataclass(frozen=True)
class Episode:
    """What every agent may know about an episode.

    Attributes:
        seed: For the agent's own random choices, so that the same run gives the same choices.
        dynamics: The dialect, whose constants are known to everyone.
        length: Steps after which the episode ends.
    """

    seed: int
    dynamics: Dynamics
    length: int


class Agent(Protocol):
    """Chooses an action for each observation; may keep what it learned between episodes."""

    def begin(self, episode: Episode) -> None:
        """Start an episode."""

    def act(self, observation: Observation) -> int:
        """The code (``names.ACTIONS``) of the next action, given what one player sees (n = 1)."""
        ...

    def end(self, episode: Episode) -> None:
        """Finish the episode."""


def agent_names() -> tuple[str, ...]:
    """The names of all agents that are installed."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def load_agent(name: str) -> Callable[[], Agent]:
    """The class of the agent with this name; calling it makes a new agent.

    Raises:
        InputError: No installed package offers it.
    """
    for point in entry_points(group=GROUP, name=name):
        agent: Callable[[], Agent] = point.load()
        return agent
    hint = nearest(name, agent_names())
    allowed = ", ".join(agent_names())
    raise InputError(f"agent: there is no agent '{name}'{hint}; allowed: {allowed}")
