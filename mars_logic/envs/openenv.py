"""Worlds as environments of OpenEnv, over the text view: trainers of language models connect to it.

Usage: python -m mars_logic.envs.openenv WORLD [--port 8000] [--length STEPS]

Needs the extra ``openenv``. Clients are those of OpenEnv, and whatever builds on them, such as the
task set ``openenv`` of verifiers. An action is the name of one of the world's actions; any other
text takes a step, too, in which nothing is done.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any
from uuid import uuid4

from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

from mars_logic.envs.choices import the_world
from mars_logic.envs.env import WorldEnv
from mars_logic.errors import InputError
from mars_logic.world.fields import nearest
from mars_logic.world.theory import World

_NOOP = "noop"


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
        """
        text, _ = self._env.reset(seed=seed, options=kwargs or None)
        self._state = EpisodeState(episode_id=episode_id or str(uuid4()))
        return self._observation(text, done=False, reward=None)

    def step(
        self,
        action: TextAction,
        timeout_s: float | None = None,  # noqa: ARG002  (a step takes microseconds)
        **_: Any,
    ) -> TextObservation:
        """Carry out an action; what is no action's name counts as doing nothing."""
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


def server(world: World | str, length: int | None = None, sessions: int = 64) -> Any:
    """The application (FastAPI) that serves a world.

    Args:
        world: A world, the name of a bundled one, or the path of a file.
        length: Steps of an episode; by default the world's own.
        sessions: Environments at the same time.

    Raises:
        InputError: There is no such world.
    """
    rules = the_world(world, None)
    make = partial(TextWorld, rules, length)
    return create_fastapi_app(make, TextAction, TextObservation, max_concurrent_envs=sessions)


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
