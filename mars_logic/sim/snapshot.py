"""Copies of environments, random streams included, to restore or to save."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mars_logic.sim.earlier_layout import as_now, order_of
from mars_logic.sim.layout import widened


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The full state of a batch of environments at one step; immutable.

    Attributes:
        envs: An array of records of ``layout.env_dtype``, read-only.
    """

    envs: NDArray[np.void]

    def __post_init__(self) -> None:
        self.envs.flags.writeable = False

    def __setstate__(self, state: list[NDArray[np.void]]) -> None:
        """Take on a pickled state, of an earlier version perhaps."""
        object.__setattr__(self, "envs", as_now(*state))
        self.__post_init__()

    def __len__(self) -> int:
        """The number of environments."""
        return len(self.envs)


def copy_envs(envs: NDArray[np.void]) -> NDArray[np.void]:
    """A copy, byte for byte (numpy's copy, field by field, takes ten times as long)."""
    return np.ascontiguousarray(envs).view(np.uint8).copy().view(envs.dtype)


def with_capacity(envs: NDArray[np.void], capacity: int) -> NDArray[np.void]:
    """The same environments in records with room for more (or fewer) things.

    Raises:
        ValueError: An environment holds more things than that.
    """
    most = int(envs["num_things"].max())
    if most > capacity:
        raise ValueError(f"an environment holds {most} things, more than {capacity}")
    result = np.zeros(len(envs), widened(envs.dtype, capacity))
    for name in result.dtype.names or ():
        if name in ("things", "thing_x", "thing_y"):
            result[name][:, :most] = envs[name][:, :most]
        else:
            result[name] = envs[name]
    return result


def number_entries(envs: NDArray[np.void]) -> None:
    """Number the entries of things into chunks anew, in their order, so that numbers stay small."""
    envs["things"]["entered"] = order_of(envs["things"]["entered"])
    envs["next_entered"] = envs.dtype["things"].shape[0]
