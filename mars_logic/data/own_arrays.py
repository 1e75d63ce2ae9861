"""Trajectories made of arrays that another program kept."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mars_logic.data.inferred import inferred
from mars_logic.data.trajectory import (
    DONE,
    SEEN,
    About,
    MayBeUnknown,
    Trajectory,
    assemble,
    layout_for,
)
from mars_logic.errors import InputError
from mars_logic.world.dialect import LONGEST_EPISODE, MAXIMUM
from mars_logic.world.load import load_world
from mars_logic.world.problems import WorldWarning
from mars_logic.world.theory import World

_FROM_ACTIONS: Final = ("facing", "sleeping", "daylight")
"""What may be missing, since it follows from the actions and what is seen."""
_DIRECTIONS: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))


def from_arrays(
    world: World | str,
    observations: Mapping[str, ArrayLike],
    actions: ArrayLike,
    rewards: ArrayLike | None = None,
    unlocked: ArrayLike | None = None,
    *,
    terminated: bool = False,
    truncated: bool = False,
    seed: int = 0,
    episode: int = 1,
    agent: str = "",
    unknown: Sequence[MayBeUnknown] = (),
    source: str = "",
) -> Trajectory:
    """The trajectory of an episode, from its first observation on.

    Args:
        world: The world that was played, or its name or file.
        observations: The arrays of :class:`~mars_logic.data.Views` by name, each with T + 1 rows:
            ``materials`` and ``objects`` [T + 1, 9, 7], ``inventory`` [T + 1, 16], ``facing``
            [T + 1, 2], ``sleeping`` and ``daylight`` [T + 1]. Of these the last three may be
            missing, if the first observation is that of the reset: they follow from the rest. From
            where on it is open whether the player sleeps, steps are left out, which a warning says.
        actions: int[T]: codes of the actions.
        rewards: float[T]; None if they are not known.
        unlocked: bool[T, 22]: the achievements reached for the first time, in the order of the
            world's; None if that is not known.
        terminated: Whether the player died in the last step.
        truncated: Whether the episode reached its length with the last step.
        seed: The seed of the environment, if it is known.
        episode: Which episode of that seed.
        agent: Who played.
        unknown: What else is not known.
        source: The file that they are from, for messages.

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
    missing = {"reward": rewards is None, "unlocked": unlocked is None}
    told = {*unknown, *(name for name, lacks in missing.items() if lacks)}
    given: dict[str, ArrayLike] = {
        **{name: observations[name] for name in SEEN if name in observations},
        "action": actions,
        "reward": np.zeros(steps) if rewards is None else rewards,
        "unlocked": (
            np.zeros((steps, len(loaded.vocabulary.achievements)), np.bool_)
            if unlocked is None
            else unlocked
        ),
        "terminated": ends & terminated,
        "truncated": ends & truncated,
    }
    words = loaded.vocabulary
    most = {
        "materials": len(words.materials) - 1,
        "objects": len(words.looks) - 1,
        "inventory": MAXIMUM,
        "action": len(words.actions) - 1,
    }
    arrays = {}
    lacking = [name for name in _FROM_ACTIONS if name not in given]
    for name, (dtype, shape) in layout_for({**SEEN, **DONE}, words).items():
        if name in lacking:
            continue
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
        unknown=tuple(name for name in get_args(MayBeUnknown) if name in told),
    )
    source = source or agent or "arrays"
    if lacking:
        arrays = _completed(arrays, about, source)
    return assemble(about, {name: arrays[name] for name in (*SEEN, *DONE)}, source=source)


def _completed(arrays: dict[str, NDArray[Any]], about: About, source: str) -> dict[str, Any]:
    """The arrays with what follows from them, up to where that is certain."""
    from mars_logic.sim.daylight import daylight_table

    steps = len(arrays["action"])
    if "first_step" in about.unknown or steps > LONGEST_EPISODE:
        raise _refusal(
            "facing", "it is missing", f"an array, unless play has 1 to {LONGEST_EPISODE:,} steps"
        )
    found = inferred(
        *(arrays["inventory"], arrays["objects"], arrays["action"]),
        crafter=about.dynamics == "crafter",
    )
    if found.known < 2:
        raise _refusal("sleeping", "it is unknown from the first step on", ", ".join(SEEN))
    if found.known <= steps:
        warnings.warn(
            f"{source}:1: step: {found.known - 1:,} of {steps:,} steps are used; after them it is "
            "not known whether the player sleeps",
            WorldWarning,
            stacklevel=4,
        )
    rest = {
        "facing": found.facing,
        "sleeping": found.sleeping,
        "daylight": daylight_table()[: steps + 1],
    }
    return {name: array[: found.known - (name in DONE)] for name, array in (rest | arrays).items()}


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
        raise _refusal(name, "it holds NaN or infinity", "finite numbers")
    least, most = {"facing": (-1, 1), "daylight": (0, 1), "reward": (-1e9, 1e9)}.get(
        name, (0, greatest)
    )
    if ((array < least) | (array > most)).any():
        raise _refusal(name, f"{array.min():g} to {array.max():g}", f"{least:g} to {most:g}")
    found = np.array(array, dtype)
    if (found != array).any():
        raise _refusal(name, "it holds fractions", "whole numbers")
    if name == "facing" and not {tuple(row) for row in found.tolist()} <= set(_DIRECTIONS):
        raise _refusal(
            name, "it holds other vectors than directions", "(-1, 0), (1, 0), (0, -1), (0, 1)"
        )
    return found


def _refusal(field: str, found: str, allowed: str) -> InputError:
    return InputError(f"arrays: {field}: {found}; allowed: {allowed}")
