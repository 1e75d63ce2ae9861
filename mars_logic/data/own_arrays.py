"""Trajectories made of arrays that another program kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mars_logic.data.trajectory import DONE, SEEN, About, Trajectory, assemble, layout_for
from mars_logic.errors import InputError
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.load import load_world
from mars_logic.world.theory import World

_DIRECTIONS: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))


def from_arrays(
    world: World | str,
    observations: Mapping[str, ArrayLike],
    actions: ArrayLike,
    rewards: ArrayLike,
    unlocked: ArrayLike,
    *,
    terminated: bool = False,
    truncated: bool = False,
    seed: int = 0,
    episode: int = 1,
    agent: str = "",
) -> Trajectory:
    """The trajectory of an episode, from its first observation on.

    Args:
        world: The world that was played, or its name or file.
        observations: The arrays of :class:`~mars_logic.data.Views` by name, each with T + 1 rows:
            ``materials`` and ``objects`` [T + 1, 9, 7], ``inventory`` [T + 1, 16], ``facing``
            [T + 1, 2], ``sleeping`` and ``daylight`` [T + 1].
        actions: int[T]: codes of the actions.
        rewards: float[T].
        unlocked: bool[T, 22]: the achievements reached for the first time, in the order of the
            world's.
        terminated: Whether the player died in the last step.
        truncated: Whether the episode reached its length with the last step.
        seed: The seed of the environment, if it is known.
        episode: Which episode of that seed.
        agent: Who played.

    Raises:
        InputError: An array is missing or unknown, has another shape, or holds what none may.

    Example:
        >>> import numpy as np
        >>> from mars_logic.data import from_arrays
        >>> from mars_logic.sim import Simulator
        >>> import mars_logic
        >>> simulator = Simulator(mars_logic.load_world("default"))
        >>> simulator.reset(seed=1)
        >>> seen = [simulator.observe()]
        >>> for action in (1, 5):
        ...     _ = simulator.step(action)
        ...     seen.append(simulator.observe())
        >>> keys = ("materials", "objects", "inventory", "facing", "sleeping", "daylight")
        >>> arrays = {key: np.concatenate([getattr(each, key) for each in seen]) for key in keys}
        >>> from_arrays("default", arrays, [1, 5], [0, 0], np.zeros((2, 22)), agent="mine")
        <Trajectory default, seed 0, mine: 2 transitions>
    """
    loaded = load_world(world) if isinstance(world, str) else world
    if wrong := [name for name in observations if name not in SEEN]:
        raise _refusal(str(wrong[0]), "there is no such array", ", ".join(SEEN))
    steps = len(_array("actions", actions))
    if not steps:
        raise _refusal("actions", "there is none", "one or more")
    ends = np.arange(1, steps + 1) == steps
    given: dict[str, ArrayLike] = {
        **{name: observations[name] for name in SEEN if name in observations},
        "action": actions,
        "reward": rewards,
        "unlocked": unlocked,
        "terminated": ends & terminated,
        "truncated": ends & truncated,
    }
    words = loaded.vocabulary
    most = {
        "materials": len(words.materials) - 1,
        "objects": len(names.LOOKS) - 1,
        "inventory": MAXIMUM,
        "action": len(words.actions) - 1,
    }
    arrays = {}
    for name, (dtype, shape) in layout_for({**SEEN, **DONE}, words).items():
        if name not in given:
            raise _refusal(name, "it is missing", ", ".join(SEEN))
        rows = steps + (name in SEEN)
        arrays[name] = _checked(
            name, _array(name, given[name]), dtype, (rows, *shape), most.get(name, 1)
        )
    about = About(
        *(loaded.name, loaded.digest, loaded.dynamics, seed, episode, agent),
        adds=loaded.adds,
        own_map=bool(loaded.map),
        goals=tuple(goal.name for goal in loaded.goals),
        own_constants=bool(loaded.constants),
    )
    return assemble(about, arrays, source=agent or "arrays")


def _array(name: str, values: ArrayLike) -> NDArray[Any]:
    try:
        found = np.asarray(values)
    except ValueError as error:
        raise _refusal(name, str(error), "an array of numbers") from None
    if found.dtype.kind not in "biuf" or not found.ndim:
        raise _refusal(name, f"an array of {found.dtype}", "an array of numbers")
    return found


def _checked(
    name: str, array: NDArray[Any], dtype: type[np.generic], shape: tuple[int, ...], greatest: int
) -> NDArray[Any]:
    """A copy of the type that trajectories have, if all values are possible."""
    if array.shape != shape:
        raise _refusal(name, f"its shape is {array.shape}", str(shape))
    if not np.isfinite(array).all():
        raise _refusal(name, "it holds what is no number", "finite numbers")
    least, most = {"facing": (-1, 1), "daylight": (0, 1), "reward": (-1e9, 1e9)}.get(
        name, (0, greatest)
    )
    if ((array < least) | (array > most)).any():
        raise _refusal(name, f"{array.min():g} to {array.max():g}", f"{least:g} to {most:g}")
    found = np.array(array, dtype)
    if (found != array).any():
        raise _refusal(name, "it holds fractions", "whole numbers")
    if name == "facing" and not {tuple(row) for row in found.tolist()} <= set(_DIRECTIONS):
        raise _refusal(name, "it holds what is no direction", "(-1, 0), (1, 0), (0, -1), (0, 1)")
    return found


def _refusal(field: str, found: str, allowed: str) -> InputError:
    return InputError(f"arrays: {field}: {found}; allowed: {allowed}")
