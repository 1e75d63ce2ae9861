"""The agent protocol: three methods, and the information that an agent gets about an episode."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from mars_logic.errors import InputError
from mars_logic.world.adds import NOTHING, Adds, vocabulary_with
from mars_logic.world.fields import nearest
from mars_logic.world.known_names import (
    require_crafter_names,
    require_no_traces,
    require_plannable,
    require_usual_constants,
)
from mars_logic.world.names import Dynamics
from mars_logic.world.theory import Theory

if TYPE_CHECKING:
    from mars_logic.sim import Simulator
    from mars_logic.world.theory import World
    from mars_logic.world.vocabulary import Vocabulary, WorldGoal

GROUP = "mars_logic.agents"
"""The entry-point group in which packages offer agents."""


Knows = Literal["nothing", "rules", "rules and state", "simulator"]
"""Levels of privileged information of an agent.

Observations only; observations and the rules; the rules and the full state without the random
stream; or a copy of the simulator, random stream included, which reveals the future.
"""

_WITH_BELIEF = "_with_belief_"
_WITH_MODEL = "_with_model_"


@dataclass(frozen=True)
class Episode:
    """Information about an episode for an agent.

    Attributes:
        seed: For the agent's own random choices, so that the same run gives the same choices. An
            agent that knows the rules but not the state gets :func:`own_seed`, since the rules and
            the environment's seed determine the map.
        dynamics: The dialect of a survival game, whose constants are common knowledge; None in
            games of other domains.
        length: Steps after which the episode ends.
        world: The rules of a survival game; told only to agents that declare ``knows``.
        state: Gives the read-only state of the environment, without its random stream; told only to
            agents that know the state.
        goals: The achievements after which the episode is over; also only for agents that know the
            state, since they reveal facts about the map.
        simulator: Gives a copy of the simulator as it is now; told only to agents that know the
            simulator.
        actions: The names of the actions.
        manual: The manual, in words; empty where it would tell rules that the agent does not know.
        start: The player's cell at the beginning, from which moves tell where it is.
        own_map: Whether the world states where its maps come from, so that what lies where is no
            evidence of the rules of the generator.
        adds: The names that the world adds to the dialect's.
        own_length: The steps of an episode where the world states them.
        own_goals: What counts, with rewards, where the world states it.
        observation: Gives what is seen now, so that an agent can read the last outcome when the
            episode has ended; None in a process without the environment.
        history: Past steps that SmartPlay tells a language model (its Table 1).
    """

    seed: int
    dynamics: Dynamics | None
    length: int
    world: World | None = None
    state: Callable[[], Any] | None = None
    goals: tuple[str, ...] = ()
    simulator: Callable[[], Simulator] | None = None
    actions: tuple[str, ...] = field(default=(), compare=False)
    manual: str = field(default="", compare=False)
    observation: Callable[[], Any] | None = field(default=None, compare=False)
    text: Callable[[], str] | None = field(default=None, compare=False)
    later: int = 0
    start: tuple[int, int] = (32, 32)
    own_map: bool = False
    adds: Adds = NOTHING
    own_length: int | None = None
    own_goals: tuple[WorldGoal, ...] = ()
    history: int = field(default=5, compare=False)

    @property
    def words(self) -> Vocabulary:
        """The names and constants of a survival game, which are common knowledge."""
        return vocabulary_with(self.dialect, self.adds, self.own_length)

    @property
    def blank(self) -> Theory:
        """The theory of the names of a survival game in which nothing is known."""
        return Theory.unknown(self.dialect, self.adds, self.own_length)

    @property
    def dialect(self) -> Dynamics:
        """The dialect of a survival game.

        Raises:
            ValueError: The episode is of a game of another domain.
        """
        if self.dynamics is None:
            raise ValueError("this episode is not of a survival game")
        return self.dynamics


class Seen:
    """What is seen now in an episode, for ``Episode.observation``; it leads to nothing else.

    Attributes:
        now: The last observation.
    """

    def __init__(self) -> None:
        self.now: Any = None

    def __call__(self) -> Any:
        """The last observation."""
        return self.now


class Agent(Protocol):
    """A policy: chooses an action for each observation; may keep memory between episodes.

    Observations and actions are those of the played domain. In worlds these are an
    :class:`~mars_logic.sim.Observation` with n = 1 and the code (``names.ACTIONS``) of an action.

    A class may declare ``knows: ClassVar[Knows]``; without it, an agent knows only its
    observations. See :func:`knowledge`. A class whose constructor takes ``belief`` plays by, or
    starts from, rules that it is given instead (a :class:`~mars_logic.world.theory.Theory`).

    A class that plays by a model in files may declare ``argument: ClassVar[str]``, the option that
    stands after the colon in ``NAME:ARGUMENT``, and ``resolved(options, beside)``, which completes
    its options by ``digest``, so that results of different models are kept apart. If such files
    could run code, its constructor takes ``trust``, which no option and no spec can state, only the
    command line: without it, it refuses them.
    """

    def begin(self, episode: Episode) -> None:
        """Start an episode."""

    def act(self, observation: Any) -> Any:
        """The next action, given what is observed."""
        ...

    def end(self, episode: Episode) -> None:
        """Finish the episode."""


def knowledge(agent: Agent) -> Knows:
    """The level of information that an agent declares."""
    declared: Knows = getattr(agent, "knows", "nothing")
    return declared


def own_seed(seed: int) -> int:
    """A seed for an agent's own choices: a one-way function of the environment's seed."""
    return int.from_bytes(hashlib.sha256(f"agent {seed}".encode()).digest()[:6])


def takes(name: str, option: str) -> bool:
    """Whether an agent's class has an option.

    Raises:
        InputError: There is no agent of this name.
    """
    return option in inspect.signature(load_agent(name)).parameters


def takes_belief(name: str) -> bool:
    """Whether an agent can be given rules to play by or to start from.

    Raises:
        InputError: There is no agent of this name.
    """
    return takes(name, "belief")


def require_dialect(belief: Theory, dynamics: Dynamics, source: str | None = None) -> None:
    """Refuse a belief under another dialect than the played one.

    Args:
        belief: The belief (a theory).
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


def require_same_names(belief: Theory, world: Theory, source: str | None = None) -> None:
    """Refuse a belief that lacks names of the played world, or has others.

    Args:
        belief: The belief (a theory).
        world: What is played.
        source: The file that the belief is from; by default as the belief itself tells.

    Raises:
        InputError: Materials or items differ.
    """
    place = f"{source or belief.path or belief.name}:1: adds"
    allowed = f"the names of {world.name}, which is played"
    known = {*belief.vocabulary.materials, *belief.vocabulary.items}
    played = {*world.vocabulary.materials, *world.vocabulary.items}
    if more := sorted(known - played):
        told = ", ".join(more)
        raise InputError(f"{place}: this belief is also about {told}; allowed: {allowed}")
    if lacking := sorted(played - known):
        told = ", ".join(lacking)
        raise InputError(f"{place}: this belief is not about {told}; allowed: {allowed}")


def player_name(agent: str, belief: Theory | None = None) -> str:
    """An agent's name in records of its play, including its given belief.

    Grouping episodes by this name keeps different beliefs apart.

    Example:
        >>> from mars_logic.world.load import load_world
        >>> belief = load_world("crafter")
        >>> player_name("informed")
        'informed'
        >>> player_name("informed", belief) == f"informed_with_belief_{belief.digest[:8]}"
        True
    """
    return agent if belief is None else f"{agent}{_WITH_BELIEF}{belief.digest[:8]}"


def model_player(agent: str, options: Mapping[str, Any]) -> str:
    """An agent's name in records of its play, including the digest of its model if it has one.

    Args:
        agent: As it is registered.
        options: What its class is called with, resolved.

    Example:
        >>> model_player("random", {}), model_player("policy", {"digest": "0123abcd"})
        ('random', 'policy_with_model_0123abcd')
    """
    digest = options.get("digest")
    return agent if digest is None else f"{agent}{_WITH_MODEL}{digest}"


def registered_name(player: str) -> str:
    """The name under which an agent is registered, from its name in records of its play."""
    return player.partition(_WITH_BELIEF)[0].partition(_WITH_MODEL)[0]


def with_belief(player: str) -> bool:
    """Whether a name in records of play says that the agent was given a belief."""
    return _WITH_BELIEF in player


def parsed(text: str) -> tuple[str, dict[str, Any]]:
    """An agent's name, and the option that stands after a colon, as in ``policy:DIR``.

    Raises:
        InputError: There is no such agent, or it takes nothing after a colon.
    """
    name, colon, argument = text.partition(":")
    if not colon:
        return text, {}
    option = getattr(load_agent(name), "argument", None)
    if option is None:
        raise InputError(f"agent: '{name}' takes no argument after a colon; allowed: {name}")
    return name, {option: argument}


def resolved(
    agent: str, options: Mapping[str, Any], beside: Path, *, trust: bool = False
) -> dict[str, Any]:
    """The options of an agent's class, completed by those that identify its model.

    Args:
        agent: As it is registered.
        options: As stated.
        beside: The folder that relative paths start from.
        trust: Whether the command line grants it to read files that could run code; it is then
            among the options.

    Raises:
        InputError: There is no such agent or model, it is not trusted, or it takes no trust.
    """
    complete = getattr(load_agent(agent), "resolved", None)
    found = dict(options)
    if trust:
        if not takes(agent, "trust"):
            able = [name for name in agent_names() if takes(name, "trust")]
            told = f"the agent '{agent}' reads no files that could run code"
            raise InputError(f"--trust: {told}; allowed: with {', '.join(able)}")
        found["trust"] = True
    return found if complete is None else complete(found, beside)


def agent_names() -> tuple[str, ...]:
    """The names of all agents that are installed."""
    return tuple(sorted({point.name for point in _installed()}))


@cache
def _installed() -> EntryPoints:
    """The agents of installed packages; cached, since the lookup takes milliseconds."""
    return entry_points(group=GROUP)


def load_agent(name: str) -> Callable[[], Agent]:
    """The class of the agent with this name; calling it makes a new agent.

    Raises:
        InputError: No installed package offers it.
    """
    for point in _installed().select(name=name):
        agent: Callable[[], Agent] = point.load()
        return agent
    hint = nearest(name, agent_names())
    allowed = ", ".join(agent_names())
    raise InputError(f"agent: there is no agent '{name}'{hint}; allowed: {allowed}")


def plays_games(name: str) -> bool:
    """Whether there is an agent with this name that plays games of every domain, too."""
    return name in agent_names() and getattr(load_agent(name), "plays_games", False)


def require_player(name: str, world: Theory) -> None:
    """Refuse a world with names that an agent does not know.

    An agent says what it knows beside Crafter's names: ``plays_every_dialect``, or
    ``plays_added_names`` for those that a world adds, and ``plays_changing_cells`` for worlds in
    which cells are pushed or change.

    Raises:
        InputError: The agent cannot play the world.
    """
    agent = load_agent(name) if name in agent_names() else None
    if getattr(agent, "plays_every_dialect", False):
        return
    told = world.name, f"the agent {name}"
    if getattr(agent, "plays_changing_cells", False):
        require_no_traces(world, *told)
    elif getattr(agent, "plays_added_names", False):
        require_plannable(world, *told)
    else:
        require_crafter_names(world, *told)
    if agent is not None and getattr(agent, "knows", "nothing") == "nothing":
        require_usual_constants(world, *told)
