"""The batch of environments of a training run: view, reward and log; and how it is continued.

A checkpoint holds no states of environments, which kernels would have to believe: it holds the
actions of the present episodes, which are played again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

from mars_logic.envs.detective import LENGTH, DetectiveVectorEnv
from mars_logic.envs.law_rewards import LawReward, VectorLawRewarded
from mars_logic.envs.rewards import ACHIEVEMENTS_ONLY, VectorRewarded, Weighted
from mars_logic.envs.shaping import Shaping, VectorShaped
from mars_logic.envs.vector import BatchVectorEnv, WorldVectorEnv
from mars_logic.envs.viewing import Kind
from mars_logic.errors import InputError
from mars_logic.theory.action_models import Predicates
from mars_logic.training.episode_log import EpisodeLog, require_like
from mars_logic.training.settings import ASKING, Settings
from mars_logic.world.theory import World

_SEEDS_OF_A_RUN: Final = 2**20
_PLAYED: Final = ("seeds", "episodes", "taken", "actions")
_FIRST_SEED: Final = 2**30
"""Training seeds begin here, so that they are none that anyone evaluates with."""
Batch = VectorEnv[Any, Any, NDArray[Any]]


def make_batch(settings: Settings, world: World, laws: Predicates | None) -> EpisodeLog:
    """The environments of a training run.

    Raises:
        InputError: The laws do not fit the world, or the reward; or the scenes cannot be read.
    """
    seeing: Kind = "codes" if settings.observation == "symbolic" else "image"
    if settings.reward in ASKING:
        return EpisodeLog(
            DetectiveVectorEnv(
                settings.envs,
                autoreset_mode=AutoresetMode.SAME_STEP,
                scenes=settings.world,
                question=ASKING[settings.reward],
                observation=seeing,
                length=settings.length or LENGTH,
            )
        )
    envs = WorldVectorEnv(
        world,
        settings.envs,
        autoreset_mode=AutoresetMode.SAME_STEP,
        observation=seeing,
        length=settings.length,
    )
    return EpisodeLog(_rewarded(envs, settings, laws))


def _rewarded(envs: Batch, settings: Settings, laws: Predicates | None) -> Batch:
    match settings.reward:
        case "crafter":
            return envs
        case "health":
            return VectorRewarded(envs, Weighted(achievements=0.0))
        case "achievements":
            return VectorRewarded(envs, ACHIEVEMENTS_ONLY)
        case "shaped":
            if laws is None:
                raise InputError(
                    "--laws: true laws have no conditions that shaping could count; "
                    "allowed: printed, or files of records"
                )
            return VectorShaped(envs, Shaping(laws, gamma=settings.hyperparameters.gamma))
    penalty = 0.0 if settings.reward == "laws" else -0.5
    strict = settings.reward == "laws+strict_penalty"
    return VectorLawRewarded(envs, LawReward(laws, pointless=penalty, strict=strict))


def begin(envs: EpisodeLog, seed: int) -> Any:
    """Begin the first episode of all environments, and return the observations."""
    first = _FIRST_SEED + seed % 1024 * _SEEDS_OF_A_RUN
    seeds: Any = [first + i for i in range(envs.num_envs)]  # Gymnasium's types know one alone
    return envs.reset(seed=seeds)[0]


def memory(envs: EpisodeLog) -> dict[str, NDArray[Any]]:
    """The present episodes of all environments, and what their wrappers remember, as arrays."""
    return {
        f"{number}.{name}": array
        for number, layer in enumerate(_layers(envs))
        for name, array in layer.memory().items()
    }


def recall(envs: EpisodeLog, kept: dict[str, NDArray[Any]]) -> Any:
    """Continue from what :func:`memory` gave, and return the observations.

    Raises:
        ValueError: It is of other environments, or not possible.
        KeyError: An array is missing.
    """
    told = [_of_layer(kept, number) for number, _ in enumerate(_layers(envs))]
    seen = _play_again(envs, told[0])
    for layer, mine in zip(_layers(envs), told, strict=True):
        if layer is not envs:
            require_like(mine, layer.memory())
        layer.recall(mine)
    return seen


def begin_anew(envs: EpisodeLog, seeds: NDArray[np.int64], episodes: NDArray[np.int64]) -> Any:
    """Begin these episodes (int64[n]) of the environments, and return the observations.

    Raises:
        ValueError: A seed or an episode is out of range, or there are more or fewer.
    """
    return envs.reset(seed=seeds.tolist(), options={"episode": episodes})[0]


def _play_again(envs: EpisodeLog, told: Mapping[str, NDArray[Any]]) -> Any:
    """Lead the environments to where the kept actions lead, and return the observations."""
    inner = _inner(envs)
    n, length = envs.num_envs, inner.game.length
    seeds, episodes, taken, actions = (told[name] for name in _PLAYED)
    most = actions.shape[-1] if actions.ndim == 2 else length
    numbers, rows = np.empty(n, np.int64), np.empty((n, most), np.uint8)
    mine = numbers, numbers, np.empty(n, np.int32), rows
    require_like(told, dict(zip(_PLAYED, mine, strict=True)))
    if not 0 <= taken.min() <= taken.max() <= most < length:
        raise ValueError("the numbers of steps are not possible")
    return inner.replay(seeds, episodes, taken, actions)


def _of_layer(kept: Mapping[str, NDArray[Any]], number: int) -> dict[str, NDArray[Any]]:
    mine = f"{number}."
    return {name.removeprefix(mine): kept[name] for name in kept if name.startswith(mine)}


def _inner(envs: EpisodeLog) -> BatchVectorEnv:
    inner = envs.unwrapped
    assert isinstance(inner, BatchVectorEnv)
    return inner


def _layers(envs: Any) -> Iterator[Any]:
    """The wrappers that remember something, from outside."""
    while isinstance(envs, gymnasium.vector.VectorWrapper):
        if hasattr(type(envs), "memory"):
            yield envs
        envs = envs.env
