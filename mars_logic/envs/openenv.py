"""Worlds as environments of OpenEnv, over the text view: trainers of language models connect to it.

Usage: python -m mars_logic.envs.openenv WORLD [--port 8000] [--length STEPS]

Needs the extra ``openenv``. Clients are those of OpenEnv, and whatever builds on them, such as the
task set ``openenv`` of verifiers. An action is the name of one of the world's actions; any other
text takes a step, too, in which nothing is done.

Pages of other sites cannot use a server on the reader's machine: the names of hosts by which it is
reached are stated, and a request whose ``Origin`` is another host's is refused.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import uuid4

from gymnasium.error import Error as GymnasiumError
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from mars_logic.envs.choices import the_world
from mars_logic.envs.env import WorldEnv
from mars_logic.errors import InputError
from mars_logic.world.fields import nearest
from mars_logic.world.theory import World

_NOOP = "noop"
LOCAL_HOSTS: Final = ("127.0.0.1", "localhost")
"""By what names a server on this machine is reached."""


class TextAction(Action):  # type: ignore[misc]  # no types without the extra
    """An action, by its name."""

    action: str = Field(description="one of the actions that the observation lists")


class TextObservation(Observation):  # type: ignore[misc]  # no types without the extra
    """The player's observation in words.

    Attributes:
        text: The text view.
        actions: The names of all actions.
        unlocked: Achievements that the last step unlocked.
        message: Why the last action was not carried out; empty if it was.
    """

    text: str
    actions: list[str]
    unlocked: list[str] = Field(default_factory=list)
    message: str = ""


class EpisodeState(State):  # type: ignore[misc]  # no types without the extra
    """The episode so far.

    Attributes:
        unlocked: All achievements of the episode.
        total: The sum of its rewards.
    """

    unlocked: list[str] = Field(default_factory=list)
    total: float = 0.0


class RequestRefused(HTTPException):  # type: ignore[misc]  # no types without the extra
    """A request that cannot be carried out: status 422 over HTTP, its message in a session."""

    def __init__(self, message: str) -> None:
        """Keep the message."""
        super().__init__(422, message)

    def __str__(self) -> str:
        """The message."""
        return str(self.detail)


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except (InputError, ValueError, GymnasiumError) as error:
        raise RequestRefused(str(error)) from error


class TextWorld(Environment[TextAction, TextObservation, EpisodeState]):  # type: ignore[misc]
    """A world of which a client observes texts. Each session has an environment of its own."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, world: World | str, length: int | None = None) -> None:
        """Prepare the environment.

        Args:
            world: A world, the name of a bundled one, or the path of a file.
            length: Steps of an episode; by default the world's own.

        Raises:
            InputError: There is no such world.
        """
        super().__init__()
        options: dict[str, Any] = {} if length is None else {"length": length}
        self._env = WorldEnv(world, observation="text", **options)
        self._state = EpisodeState()

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any
    ) -> TextObservation:
        """Begin an episode: of a seed, or the next one of the same seed.

        Args:
            seed: The seed; the same seed is the same map and the same luck.
            episode_id: A name for the episode; by default a random one.
            kwargs: ``episode``: the number of the seed's episode, from 1.

        Raises:
            RequestRefused: A value is out of range, or there is no such field.
        """
        with _refusing():
            text, _ = self._env.reset(seed=seed, options=kwargs or None)
        self._state = EpisodeState(episode_id=episode_id or str(uuid4()))
        return self._observation(text, done=False, reward=None)

    def step(
        self,
        action: TextAction,
        timeout_s: float | None = None,  # noqa: ARG002  (a step takes microseconds)
        **unknown: Any,
    ) -> TextObservation:
        """Carry out an action; what is no action's name counts as doing nothing.

        Raises:
            RequestRefused: There are unknown fields, or no episode has begun.
        """
        if unknown:
            raise RequestRefused(f"unknown fields: {', '.join(sorted(unknown))}; allowed: action")
        if self._state.episode_id is None:
            raise RequestRefused("no episode has begun; allowed: first a reset, in a session (/ws)")
        names = self._env.actions
        name = action.action.strip()
        message = "" if name in names else f"there is no action {name!r}{nearest(name, names)}"
        chosen = names.index(_NOOP if message else name)
        text, reward, dead, over, info = self._env.step(chosen)
        self._state.step_count += 1
        self._state.total += reward
        self._state.unlocked += info["unlocked"]
        found = self._observation(text, done=dead or over, reward=reward)
        found.unlocked, found.message = list(info["unlocked"]), message
        return found

    @property
    def state(self) -> EpisodeState:
        """The episode so far."""
        return self._state

    def _observation(self, text: str, done: bool, reward: float | None) -> TextObservation:
        return TextObservation(text=text, actions=list(self._env.actions), done=done, reward=reward)


class _SameOrigin:
    """Refuses requests and sessions that pages of other hosts begin."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            origin = Headers(scope=scope).get("origin")
            if origin is not None and not self._allowed(origin):
                await PlainTextResponse("the origin is not allowed", 403)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _allowed(self, origin: str) -> bool:
        try:
            return urlsplit(origin).hostname in self._hosts
        except ValueError:
            return False


def server(
    world: World | str,
    length: int | None = None,
    sessions: int = 64,
    hosts: Sequence[str] = LOCAL_HOSTS,
) -> Any:
    """The application (FastAPI) that serves a world.

    Args:
        world: A world, the name of a bundled one, or the path of a file.
        length: Steps of an episode; by default the world's own.
        sessions: Environments at the same time.
        hosts: The names by which the server is reached. Requests to another ``Host``, and those of
            pages of another ``Origin``, are refused with status 400 and 403.

    Raises:
        InputError: There is no such world.
    """
    rules = the_world(world, None)
    make = partial(TextWorld, rules, length)
    app = create_fastapi_app(make, TextAction, TextObservation, max_concurrent_envs=sessions)
    app.add_middleware(_SameOrigin, hosts=tuple(hosts))
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    return app


def main() -> None:
    """Serve a world on this machine."""
    import uvicorn

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("world", help="the name of a bundled world, or a file")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--length", type=int, default=None, help="steps of an episode")
    given = parser.parse_args()
    try:
        app = server(given.world, given.length)
    except (InputError, ValueError) as error:
        parser.error(str(error))
    uvicorn.run(app, host="127.0.0.1", port=given.port)


if __name__ == "__main__":
    main()
