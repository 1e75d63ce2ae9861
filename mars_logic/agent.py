"""What an agent is: three methods, and what it is told about an episode."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Literal, Protocol

from mars_logic.errors import InputError
from mars_logic.world.fields import nearest
from mars_logic.world.names import Dynamics

if TYPE_CHECKING:
    from mars_logic.sim import Observation, Simulator, State
    from mars_logic.world.theory import Theory
    from mars_logic.world.world import World

GROUP = "mars_logic.agents"
"""The entry-point group in which packages offer agents."""


Knows = Literal["nothing", "rules", "rules and state", "simulator"]
"""What an agent is told.

Nothing but its observations; the rules, and nothing of the map but its observations; the rules and
all but the future; or that and the future, since it may try things out in copies of the simulator,
random stream included.
"""

_WITH_BELIEF = "_with_belief_"


@dataclass(frozen=True)
class Episode:
    """What an agent may know about an episode.

    Attributes:
        seed: For the agent's own random choices, so that the same run gives the same choices. An
            agent that knows the rules but not the state gets :func:`own_seed`, since the rules and
            the environment's seed would tell the map.
        dynamics: The dialect, whose constants are known to everyone.
        length: Steps after which the episode ends.
        world: The rules; told only to agents that declare ``knows``.
        state: Gives the read-only state of the environment, without its random stream; told only to
            agents that know the state.
        goals: The achievements after which the episode is over, which tell something about its map;
            likewise.
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
    observes. See :func:`knowledge`. A class whose constructor takes ``belief`` plays by, or starts
    from, rules that it is given instead (a :class:`~mars_logic.world.theory.Theory`).
    """

    def begin(self, episode: Episode) -> None:
        """Start an episode."""

    def act(self, observation: Observation) -> int:
        """The code (``names.ACTIONS``) of the next action, given what one player sees (n = 1)."""
        ...

    def end(self, episode: Episode) -> None:
        """Finish the episode."""


def knowledge(agent: Agent) -> Knows:
    """What an agent declares that it has to be told."""
    declared: Knows = getattr(agent, "knows", "nothing")
    return declared


def own_seed(seed: int) -> int:
    """A number for an agent's own choices: the same for the same seed, and of no use as one."""
    return int.from_bytes(hashlib.sha256(f"agent {seed}".encode()).digest()[:6])


def takes_belief(name: str) -> bool:
    """Whether an agent can be given rules to play by or to start from.

    Raises:
        InputError: There is no agent of this name.
    """
    return "belief" in inspect.signature(load_agent(name)).parameters


def require_dialect(belief: Theory, dynamics: Dynamics, source: str | None = None) -> None:
    """Refuse a belief about another game than the one that is played.

    Args:
        belief: What is believed.
        dynamics: The dialect that is played.
        source: The file that the belief is from; by default as the belief itself tells.

    Raises:
        InputError: The belief is of another dialect.
    """
    if belief.dynamics != dynamics:
        place = f"{source or belief.path or belief.name}:1: dynamics"
        raise InputError(
            f"{place}: this belief is about {belief.dynamics}; allowed: {dynamics}, which is played"
        )


def player_name(agent: str, belief: Theory | None = None) -> str:
    """What an agent is called in whatever is kept of its play: with the belief it was given.

    Whoever groups episodes by agent thereby never mixes those of different beliefs.

    Example:
        >>> from mars_logic.world.load import load_world
        >>> player_name("informed"), player_name("informed", load_world("crafter"))
        ('informed', 'informed_with_belief_XXXXXXXX')
    """
    return agent if belief is None else f"{agent}{_WITH_BELIEF}{belief.digest[:8]}"


def registered_name(player: str) -> str:
    """The name under which an agent is registered, from its :func:`player_name`."""
    return player.partition(_WITH_BELIEF)[0]


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
