"""What an agent is: three methods, and what it is told about an episode."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Literal, Protocol

from mars_logic.errors import InputError
from mars_logic.world.fields import nearest
from mars_logic.world.names import Dynamics

if TYPE_CHECKING:
    from mars_logic.sim import Observation, Simulator, State
    from mars_logic.world.world import World

GROUP = "mars_logic.agents"
"""The entry-point group in which packages offer agents."""


Knows = Literal["nothing", "rules and state", "simulator"]
"""What an agent is told.

Nothing but its observations; the rules and all but the future; or that and the future, since it may
try things out in copies of the simulator, random stream included.
"""


@dataclass(frozen=True)
class Episode:
    """What an agent may know about an episode.

    Attributes:
        seed: For the agent's own random choices, so that the same run gives the same choices.
        dynamics: The dialect, whose constants are known to everyone.
        length: Steps after which the episode ends.
        world: The rules; told only to agents whose class declares ``knows``.
        state: Gives the read-only state of the environment, without its random stream; likewise.
        goals: The achievements after which the episode is over; likewise.
        simulator: Gives a copy of the simulator as it is now; told only to agents that know the
            simulator.
    """

    seed: int
    dynamics: Dynamics
    length: int
    world: World | None = None
    state: Callable[[], State] | None = None
    goals: tuple[str, ...] = ()
    simulator: Callable[[], Simulator] | None = None


class Agent(Protocol):
    """Chooses an action for each observation; may keep what it learned between episodes.

    A class may declare ``knows: ClassVar[Knows]``; without it, an agent knows nothing but what it
    observes. See :func:`knowledge`.
    """

    def begin(self, episode: Episode) -> None:
        """Start an episode."""

    def act(self, observation: Observation) -> int:
        """The code (``names.ACTIONS``) of the next action, given what one player sees (n = 1)."""
        ...

    def end(self, episode: Episode) -> None:
        """Finish the episode."""


def knowledge(agent: Agent) -> Knows:
    """What an agent's class declares that it has to be told."""
    declared: Knows = getattr(type(agent), "knows", "nothing")
    return declared


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
