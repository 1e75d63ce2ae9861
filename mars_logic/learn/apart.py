"""An agent in a process of its own: all that it is told comes in messages.

What crosses is an episode's dialect and length, and a number for the agent's own choices, which is
not the environment's seed; observations; what came of each action; and, back, actions and what the
agent believes. Of the machine, an agent sees what any process does: it is kept from being told, not
from looking at files.
"""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Iterable
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self

from mars_logic.agent import Episode, load_agent, own_seed
from mars_logic.interruptions import ours_alone
from mars_logic.learn.belief import Told
from mars_logic.sim import Observation
from mars_logic.theory import Consequences

_STOP = "stop"


class AgentApart:
    """An agent that runs elsewhere; it is to be used in a ``with`` statement.

    Attributes:
        watch: Called with every message that is sent to the agent, if it is set; for tests.
        decision: What the agent says that it decided last, if it does.
    """

    def __init__(self, name: str, **options: Any) -> None:
        """Start a process with a new agent.

        Args:
            name: The agent's, as it is registered.
            options: What its class takes.
        """
        self.watch: Any = None
        self.decision: Any = None
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, name, options), daemon=True)
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
        """As of an agent that is told nothing; not even the environment's seed is."""
        self._ask("begin", Episode(own_seed(episode.seed), episode.dynamics, episode.length))

    def act(self, observation: Observation) -> int:
        """The agent's choice."""
        return int(self._ask("act", observation))

    def note(
        self, action: int, reward: float, unlocked: Iterable[str], done: bool, after: Observation
    ) -> None:
        """What came of it."""
        self._ask("note", action, reward, tuple(unlocked), done, after)

    def end(self, episode: Episode) -> None:
        """The end of an episode."""
        self._ask("end", Episode(own_seed(episode.seed), episode.dynamics, episode.length))

    def freeze(self) -> None:
        """Let it learn no more."""
        self._ask("freeze")

    def told(self) -> Told:
        """What it believes."""
        found: Told = self._ask("tell")
        return found

    def consequences(self) -> Consequences | None:
        """What all theories have in common that are consistent with what it saw."""
        found: Consequences | None = self._ask("consequences")
        return found

    def _ask(self, what: str, *arguments: Any) -> Any:
        message = (what, arguments)
        if self.watch is not None:
            self.watch(message)
        self._pipe.send(message)
        failed, answer, self.decision = self._pipe.recv()
        if failed:
            raise RuntimeError(f"the agent failed:\n{answer}")
        return answer


def _serve(pipe: Connection, name: str, options: dict[str, Any]) -> None:
    """In the agent's process: answer messages until there are no more."""
    import traceback

    agent: Any = load_agent(name)(**options)
    with contextlib.suppress(EOFError, ConnectionError, KeyboardInterrupt):  # nobody is left
        while True:
            what, arguments = pipe.recv()
            if what == _STOP:
                return
            try:
                answer = getattr(agent, what)(*arguments)
                told = (False, answer, getattr(agent, "decision", None))
            except Exception:  # the other side is told, and decides
                told = (True, traceback.format_exc(), None)
            pipe.send(told)
