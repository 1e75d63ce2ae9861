"""An agent in a separate process that receives messages only.

Messages to the agent: the episode's dialect and length, a seed for its own choices (not the
environment's), observations, and the result of each action. Messages back: actions and the agent's
belief. The process is not a sandbox: it does not prevent access to files.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import replace
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, NamedTuple, Self

from mars_logic.play.agent import Episode, load_agent, own_seed
from mars_logic.play.learner import BeliefReport
from mars_logic.sim import Observation
from mars_logic.system.interruptions import end_with_parent, ours_alone
from mars_logic.system.processes import CONTEXT
from mars_logic.theory import Consequences

_STOP = "stop"


class IsolatedAgent:
    """An agent in a separate process; to be used in a ``with`` statement.

    Attributes:
        watch: Called with every message that is sent to the agent, if it is set; for tests.
        decision: What the agent says that it decided last, if it does.
        later: How many episodes follow the next one; told with its beginning.
    """

    def __init__(self, name: str, **options: Any) -> None:
        """Start a process with a new agent.

        Args:
            name: The agent's, as it is registered.
            options: What its class takes.
        """
        self.watch: Any = None
        self.decision: Any = None
        self.later = 0
        self._pipe, theirs = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=_serve, args=(theirs, name, options), daemon=True)
        with ours_alone():
            self._process.start()
        theirs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the process."""
        with contextlib.suppress(OSError):
            self._pipe.send((_STOP, ()))
        self._process.join(timeout=None if value is None else 0.1)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._pipe.close()

    def begin(self, episode: Episode) -> None:
        """Begin without privileged information, and without the environment's seed."""
        self._ask("begin", replace(_told(episode), later=self.later))

    def act(self, observation: Observation) -> int:
        """The agent's choice."""
        return int(self._ask("act", observation))

    def note(
        self, action: int, reward: float, unlocked: Iterable[str], done: bool, after: Observation
    ) -> None:
        """The result of the action."""
        self._ask("note", action, reward, tuple(unlocked), done, after)

    def end(self, episode: Episode) -> None:
        """The end of an episode."""
        self._ask("end", _told(episode))

    def freeze(self) -> None:
        """Let it learn no more."""
        self._ask("freeze")

    def told(self) -> BeliefReport:
        """The agent's belief."""
        found: BeliefReport = self._ask("tell")
        return found

    def consequences(self) -> Consequences | None:
        """The values common to all theories consistent with its evidence."""
        found: Consequences | None = self._ask("consequences")
        return found

    def _ask(self, what: str, *arguments: Any) -> Any:
        message = (what, arguments)
        if self.watch is not None:
            self.watch(message)
        self._pipe.send(message)
        failed, answer, self.decision = self._pipe.recv()
        if failed:
            raise RuntimeError(f"the agent failed: {answer.splitlines()[-1]}\n{answer}")
        return answer


def _told(episode: Episode) -> Episode:
    """What may be told of an episode without privileged information, as a message."""
    about = own_seed(episode.seed), episode.dynamics, episode.length
    return Episode(
        *about,
        actions=episode.actions,
        manual=episode.manual,
        start=episode.start,
        own_map=episode.own_map,
        adds=episode.adds,
        own_length=episode.own_length,
        own_goals=episode.own_goals,
    )


class _Failed(NamedTuple):
    """An agent that could not be made, with the error."""

    told: str


def _serve(pipe: Connection, name: str, options: dict[str, Any]) -> None:
    """In the agent's process: answer messages until there are no more."""
    import traceback

    end_with_parent()
    try:
        agent: Any = load_agent(name)(**options)
    except Exception:  # the other side is told when it asks for the first time
        agent = _Failed(traceback.format_exc())
    with contextlib.suppress(EOFError, ConnectionError, KeyboardInterrupt):  # parent ended
        while True:
            what, arguments = pipe.recv()
            if what == _STOP:
                return
            try:
                if isinstance(agent, _Failed):
                    pipe.send((True, agent.told, None))
                    return
                answer = getattr(agent, what)(*arguments)
                told = (False, answer, getattr(agent, "decision", None))
            except Exception:  # the other side is told, and decides
                told = (True, traceback.format_exc(), None)
            pipe.send(told)
