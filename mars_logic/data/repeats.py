"""Episodes that are at hand more than once, as in a folder and in a file made of it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mars_logic.data.trajectory import Trajectory


def once_each(
    trajectories: Iterable[Trajectory],
) -> tuple[list[Trajectory], list[tuple[Trajectory, Trajectory]]]:
    """Tell the same episode, held twice, from two episodes.

    Episodes are the same if they say that they are (world, seed, episode and agent), and all that
    was done and seen in them is the same.

    Returns:
        Each episode as it is met first; and the others, each with the one that it repeats.
    """
    kept: list[Trajectory] = []
    repeats: list[tuple[Trajectory, Trajectory]] = []
    met: dict[object, list[Trajectory]] = {}
    for each in trajectories:
        about = each.about
        name = (about.digest, about.dynamics, about.seed, about.episode, about.agent)
        alike = met.setdefault((name, each.action.tobytes()), [])
        same = next((other for other in alike if _same_views(each, other)), None)
        if same is not None:
            repeats.append((each, same))
        else:
            alike.append(each)
            kept.append(each)
    return kept, repeats


def _same_views(one: Trajectory, other: Trajectory) -> bool:
    theirs = other.views.arrays
    return all(np.array_equal(seen, theirs[name]) for name, seen in one.views.arrays.items())
