"""Many episodes as one set of arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.trajectory import DONE, About, Privileged, Trajectory, Views, freeze
from mars_logic.errors import InputError
from mars_logic.system.display import number


@dataclass(frozen=True, eq=False, repr=False)
class Trajectories(Sequence[Trajectory]):
    """Episodes, one after the other, with N transitions in all; a sequence of trajectories.

    Attributes:
        abouts: Where each episode comes from.
        lengths: int64[E]: how many transitions each has.
        before: Observations before each transition: N steps.
        after: Observations after each transition: N steps.
        action: uint8[N]: codes of ``names.ACTIONS``.
        reward: float64[N].
        unlocked: bool[N, 22]: achievements reached for the first time in their episode, in the
            order of ``Vocabulary.achievements``.
        terminated: bool[N]: the player died.
        truncated: bool[N]: the player lives, and the episode has reached its length.
        privileged: The hidden truth before each transition; None if an episode lacks it.
        sources: The file that each episode was read from, or a name.

    Example:
        >>> import mars_logic
        >>> from mars_logic.play.agent import load_agent
        >>> from mars_logic.data import Trajectories
        >>> from mars_logic.play.recording import record
        >>> from mars_logic.sim import Simulator
        >>> simulator, agent = Simulator(mars_logic.load_world("default")), load_agent("random")()
        >>> played = [record(agent, simulator, i, agent_name="random")[1] for i in range(2)]
        >>> both = Trajectories.of(played)
        >>> len(both), len(both.action) == len(played[0]) + len(played[1])
        (2, True)
        >>> both.episode[-1]
        np.int64(1)
    """

    abouts: tuple[About, ...]
    lengths: NDArray[np.int64]
    before: Views
    after: Views
    action: NDArray[np.uint8]
    reward: NDArray[np.float64]
    unlocked: NDArray[np.bool_]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    privileged: Privileged | None
    sources: tuple[str, ...]

    def __repr__(self) -> str:
        transitions = number(len(self.action), "transition")
        return f"<Trajectories: {number(len(self), 'episode')}, {transitions}>"

    @classmethod
    def of(cls, trajectories: Iterable[Trajectory]) -> Trajectories:
        """Concatenate episodes; privileged data are kept if all have them.

        Raises:
            ValueError: There is no episode, or their worlds add different names.
        """
        parts = [_alone(each) for each in trajectories]
        if not parts:
            raise ValueError("there is no trajectory")
        return cls.joined(parts)

    @classmethod
    def joined(cls, parts: Sequence[Trajectories]) -> Trajectories:
        """Concatenate collections; privileged data are kept if all have them.

        Raises:
            ValueError: Their worlds add different names, so that their codes mean different things.
        """
        if len(parts) == 1:
            return parts[0]
        if len({(about.adds, about.goals) for part in parts for about in part.abouts}) > 1:
            raise ValueError("trajectories with different added names do not fit into one")
        hidden = [part.privileged for part in parts]
        known = [part for part in hidden if part is not None]
        return cls(
            abouts=tuple(about for part in parts for about in part.abouts),
            lengths=np.concatenate([part.lengths for part in parts]),
            before=Views(**_concatenated([part.before.arrays for part in parts])),
            after=Views(**_concatenated([part.after.arrays for part in parts])),
            privileged=(
                Privileged(**_concatenated([part.arrays for part in known]))
                if len(known) == len(hidden)
                else None
            ),
            sources=tuple(source for part in parts for source in part.sources),
            **_concatenated([part.done_arrays for part in parts]),
        )

    @property
    def done_arrays(self) -> dict[str, NDArray[Any]]:
        """Actions and their results: action, reward, unlocked, terminated, truncated."""
        return {name: getattr(self, name) for name in DONE}

    @property
    def nbytes(self) -> int:
        """The bytes that all arrays take."""
        parts = [self.before.arrays, self.after.arrays, self.done_arrays]
        parts += [self.privileged.arrays] if self.privileged is not None else []
        return sum(array.nbytes for part in parts for array in part.values())

    @property
    def episode(self) -> NDArray[np.int64]:
        """int64[N]: the position of the episode that each transition belongs to."""
        return np.repeat(np.arange(len(self)), self.lengths)

    @property
    def step(self) -> NDArray[np.int64]:
        """int64[N]: the number of each transition in its episode, from 1."""
        return np.arange(1, len(self.action) + 1) - np.repeat(self._starts, self.lengths)

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """int64[E]: the first transition of each episode."""
        starts: NDArray[np.int64] = np.cumsum(self.lengths) - self.lengths
        return starts

    def public(self) -> Trajectories:
        """The collection without privileged data."""
        return replace(self, privileged=None)

    def __len__(self) -> int:
        """The number of episodes."""
        return len(self.abouts)

    @overload
    def __getitem__(self, index: int) -> Trajectory: ...
    @overload
    def __getitem__(self, index: slice) -> list[Trajectory]: ...
    def __getitem__(self, index: int | slice) -> Trajectory | list[Trajectory]:
        """An episode, or some.

        Raises:
            InputError: The observation after a transition differs from the one before the next.
        """
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        i = range(len(self))[index]
        first = int(self._starts[i])
        part = slice(first, first + int(self.lengths[i]))
        hidden = self.privileged
        return Trajectory(
            about=self.abouts[i],
            views=_moments(self.before[part], self.after[part], self.sources[i]),
            privileged=hidden[part] if hidden is not None else None,
            source=self.sources[i],
            **{name: array[part] for name, array in self.done_arrays.items()},
        )

    def __iter__(self) -> Iterator[Trajectory]:
        """The episodes in turn."""
        return (self[i] for i in range(len(self)))


def _alone(trajectory: Trajectory) -> Trajectories:
    return Trajectories(
        abouts=(trajectory.about,),
        lengths=np.array([len(trajectory)]),
        before=trajectory.before,
        after=trajectory.after,
        privileged=trajectory.privileged,
        sources=(trajectory.source,),
        **{name: getattr(trajectory, name) for name in DONE},
    )


def _concatenated(parts: Sequence[dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    return freeze({name: np.concatenate([part[name] for part in parts]) for name in parts[0]})


def _moments(before: Views, after: Views, source: str) -> Views:
    """The T + 1 moments of an episode, seen before and after its T transitions."""
    found = {}
    for name, earlier in before.arrays.items():
        later = after.arrays[name]
        if not np.array_equal(earlier[1:], later[:-1]):
            raise InputError(
                f"{source}:1: after_{name}: it is not what is seen before the next transition; "
                "allowed: whole episodes, their transitions in order"
            )
        found[name] = np.concatenate([earlier[:1], later])
    return Views(**freeze(found))


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
