"""The batch of environments of a training run: view, reward and log; and its state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

from mars_logic.envs.law_rewards import LawReward, VectorLawRewarded
from mars_logic.envs.rewards import ACHIEVEMENTS_ONLY, VectorRewarded, Weighted
from mars_logic.envs.shaping import Shaping, VectorShaped
from mars_logic.envs.vector import WorldVectorEnv
from mars_logic.errors import InputError
from mars_logic.sim.earlier_layout import LAYOUT, as_now, dtype_of
from mars_logic.sim.snapshot import Snapshot
from mars_logic.theory.action_models import Predicates
from mars_logic.training.episode_log import EpisodeLog
from mars_logic.training.settings import Settings
from mars_logic.world.theory import World

_SEEDS_OF_A_RUN: Final = 2**20
_FIRST_SEED: Final = 2**30
"""Training seeds begin here, so that they are none that anyone evaluates with."""
Batch = VectorEnv[Any, Any, NDArray[Any]]


def make_batch(settings: Settings, world: World, laws: Predicates | None) -> EpisodeLog:
    """The environments of a training run.

    Raises:
        InputError: The laws do not fit the world, or the reward.
    """
    envs = WorldVectorEnv(
        world,
        settings.envs,
        autoreset_mode=AutoresetMode.SAME_STEP,
        observation="codes" if settings.observation == "symbolic" else "image",
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
    """The state of all environments and of their wrappers, as arrays."""
    states = _world_envs(envs).game.snapshot().envs
    kept: dict[str, NDArray[Any]] = {
        "envs": np.ascontiguousarray(states).view(np.uint8),
        "capacity": np.array(states["things"].shape[1]),
        "layout": np.array(LAYOUT),
    }
    for number, layer in enumerate(_layers(envs)):
        kept |= {f"{number}.{name}": array for name, array in layer.memory().items()}
    return kept


def recall(envs: EpisodeLog, kept: dict[str, NDArray[Any]]) -> Any:
    """Continue from what :func:`memory` gave, and return the observations.

    Raises:
        ValueError: It is of another number of environments or another version.
    """
    layout = int(kept["layout"]) if "layout" in kept else 1
    states = kept["envs"].view(dtype_of(layout, int(kept["capacity"]))).reshape(-1)
    seen = _world_envs(envs).restore(Snapshot(as_now(states.copy())))
    for number, layer in enumerate(_layers(envs)):
        mine = f"{number}."
        layer.recall({n[len(mine) :]: array for n, array in kept.items() if n.startswith(mine)})
    return seen


def _world_envs(envs: EpisodeLog) -> WorldVectorEnv:
    inner = envs.unwrapped
    assert isinstance(inner, WorldVectorEnv)
    return inner


def _layers(envs: Any) -> Iterator[Any]:
    """The wrappers that remember something, from outside."""
    while isinstance(envs, gymnasium.vector.VectorWrapper):
        if hasattr(type(envs), "memory"):
            yield envs
        envs = envs.env
