"""The trajectory of an episode: an agent's observations, one row per transition."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from mars_logic.system.display import number
from mars_logic.world import names
from mars_logic.world.adds import NOTHING, Adds, vocabulary_with
from mars_logic.world.vocabulary import Vocabulary, WorldGoal, vocabulary

VIEW: Final = (9, 7)
"""Columns and rows of a view; the player is in its middle."""
CENTRE: Final = (VIEW[0] // 2, VIEW[1] // 2)
NEEDS: Final = ("hunger", "thirst", "fatigue", "recover")
"""The hidden counters of a player."""
MayBeUnknown = Literal["first_step", "reward", "unlocked"]
"""What other programs' recordings may lack: the episode's first step, so that the trajectory begins
after it; its rewards, which are 0; its achievements, of which none is marked as unlocked."""
_KINDS: Final = np.arange(256, dtype=np.uint8)
_KINDS[: len(names.LOOKS)] = [names.LOOKS.index(names.kind_of_look(look)) for look in names.LOOKS]
_KINDS.flags.writeable = False


@dataclass(frozen=True)
class About:
    """Where a trajectory comes from.

    Attributes:
        world: The name of the world, or the path it was loaded from.
        digest: The world's digest.
        dynamics: The dialect, whose constants are known to everyone.
        seed: The seed of the environment.
        episode: Which episode of that seed.
        agent: The agent's name.
        versions: Of the tools that made it.
        adds: Names that the world adds to the dialect's.
        own_map: Whether the world states where its maps come from, so that they are no evidence of
            the rules of the generator.
        goals: The goals of the world, where these are not all achievements.
        own_constants: Whether the world states constants that are not its dialect's.
        unknown: What of the episode is not known; see :data:`MayBeUnknown`.
    """

    world: str
    digest: str
    dynamics: names.Dynamics
    seed: int
    episode: int = 1
    agent: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    adds: Adds = NOTHING
    own_map: bool = False
    goals: tuple[str, ...] = ()
    own_constants: bool = False
    unknown: tuple[MayBeUnknown, ...] = ()

    @property
    def words(self) -> Vocabulary:
        """The names that the codes of the arrays stand for."""
        return vocabulary_with(self.dynamics, self.adds, None, tuple(map(WorldGoal, self.goals)))


class Columns:
    """Arrays of one length, row by row about the same things; a base for dataclasses of them."""

    def __len__(self) -> int:
        first: NDArray[Any] = next(iter(self.arrays.values()))
        return len(first)

    def __getitem__(self, part: slice) -> Self:
        """Some of the rows; no array is copied."""
        return type(self)(**{name: array[part] for name, array in self.arrays.items()})

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {number(len(self), 'moment')}>"


@dataclass(frozen=True, eq=False, repr=False)
class Views(Columns):
    """Observations at n steps.

    Attributes:
        materials: uint8[n, 9, 7], indexed [moment, x, y]: codes of ``names.MATERIALS`` around the
            player, who is at [4, 3]; 0 outside the map.
        objects: uint8[n, 9, 7]: codes of ``names.LOOKS`` on the same cells; added creatures follow.
        inventory: uint8[n, 16]: amounts in the order of ``names.ITEMS``; the vitals come first.
            Added materials and items follow the dialect's.
        facing: int8[n, 2]: the direction (dx, dy) that the player looks in; y grows downwards.
        sleeping: bool[n].
        daylight: float64[n]: from 0 (dark) to 1.
    """

    materials: NDArray[np.uint8]
    objects: NDArray[np.uint8]
    inventory: NDArray[np.uint8]
    facing: NDArray[np.int8]
    sleeping: NDArray[np.bool_]
    daylight: NDArray[np.float64]

    @property
    def kinds(self) -> NDArray[np.uint8]:
        """uint8[n, 9, 7]: the objects, with arrows of every direction as plain ``arrow``."""
        return _KINDS[self.objects]


@dataclass(frozen=True, eq=False, repr=False)
class Privileged(Columns):
    """Privileged (hidden) state at n steps.

    With the world, the seed and the actions, which every trajectory has, the simulator gives all
    the rest of the true state.

    Attributes:
        x: uint8[n]: the player's column on the map, 0 to 63.
        y: uint8[n]: its row, counted downwards.
        hunger: float32[n]: steps towards the next loss of food (above 25).
        thirst: float32[n]: steps towards the next loss of drink (above 20).
        fatigue: float32[n]: steps towards the next loss (above 30) or gain (below -10) of energy.
        recover: float32[n]: steps towards the next gain (above 25) or loss (below -15) of health.
        random_word: uint32[n]: the next word of the episode's random stream, which tells the
            position in it.
    """

    x: NDArray[np.uint8]
    y: NDArray[np.uint8]
    hunger: NDArray[np.float32]
    thirst: NDArray[np.float32]
    fatigue: NDArray[np.float32]
    recover: NDArray[np.float32]
    random_word: NDArray[np.uint32]


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """One episode from its reset on; transition t leads from ``before[t]`` to ``after[t]``.

    Attributes:
        about: Where it comes from.
        views: What was seen at the reset and after each step: T + 1 moments.
        action: uint8[T]: codes of ``names.ACTIONS``, then of added actions.
        reward: float64[T].
        unlocked: bool[T, 22]: the achievements reached for the first time in the episode, in the
            order of ``Vocabulary.achievements``; more where the world adds some.
        terminated: bool[T]: the player died in this step.
        truncated: bool[T]: the player lives, and the episode has reached its length. An episode
            that was left, as nothing remained to be achieved, ends with neither.
        privileged: The hidden truth before each transition, T rows; None if it is left out.
        source: The file it was read from, or a name; it serves to point at transitions.
    """

    about: About
    views: Views
    action: NDArray[np.uint8]
    reward: NDArray[np.float64]
    unlocked: NDArray[np.bool_]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    privileged: Privileged | None = None
    source: str = ""

    def __len__(self) -> int:
        return len(self.action)

    def __repr__(self) -> str:
        about = f"{self.about.world}, seed {self.about.seed}, {self.about.agent or 'unnamed agent'}"
        return f"<Trajectory {about}: {number(len(self), 'transition')}>"

    @property
    def identity(self) -> tuple[Hashable, ...]:
        """Equal for recordings of the same episode: its world, seed, actions and end."""
        about, views = self.about, self.views
        ends = views.materials[-1].tobytes(), views.inventory[-1].tobytes()
        return about.digest, about.seed, about.episode, self.action.tobytes(), *ends

    @property
    def before(self) -> Views:
        """Observations before each transition: T steps."""
        return self.views[:-1]

    @property
    def after(self) -> Views:
        """Observations after each transition: T steps."""
        return self.views[1:]

    @property
    def done(self) -> NDArray[np.bool_]:
        """bool[T]: the episode ended with this step, by death or by its length."""
        return self.terminated | self.truncated


_UNLOCKED: Final = len(vocabulary("mars").achievements)
Layout = Mapping[str, tuple[type[np.generic], tuple[int, ...]]]

SEEN: Final[Layout] = {
    "materials": (np.uint8, VIEW),
    "objects": (np.uint8, VIEW),
    "inventory": (np.uint8, (len(names.ITEMS),)),
    "facing": (np.int8, (2,)),
    "sleeping": (np.bool_, ()),
    "daylight": (np.float64, ()),
}
"""Type and shape of each array of an observation."""
_SIZED_BY_NAMES: Final = {"inventory": "items", "unlocked": "achievements"}
DONE: Final[Layout] = {
    "action": (np.uint8, ()),
    "reward": (np.float64, ()),
    "unlocked": (np.bool_, (_UNLOCKED,)),
    "terminated": (np.bool_, ()),
    "truncated": (np.bool_, ()),
}
"""Type and shape of the rest of a transition."""
HIDDEN: Final[Layout] = {
    "x": (np.uint8, ()),
    "y": (np.uint8, ()),
    **dict.fromkeys(NEEDS, (np.float32, ())),
    "random_word": (np.uint32, ()),
}
"""Type and shape of each privileged array."""


def layout_for(layout: Layout, words: Vocabulary) -> Layout:
    """:data:`SEEN` or :data:`DONE` with the sizes of a vocabulary."""
    return {
        name: (dtype, (len(getattr(words, _SIZED_BY_NAMES[name])),))
        if name in _SIZED_BY_NAMES
        else (dtype, shape)
        for name, (dtype, shape) in layout.items()
    }


def columns(trajectory: Trajectory) -> dict[str, NDArray[Any]]:
    """All arrays of a trajectory by name: observations have T + 1 rows, all others T."""
    hidden = trajectory.privileged.arrays if trajectory.privileged else {}
    return trajectory.views.arrays | {name: getattr(trajectory, name) for name in DONE} | hidden


def freeze(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The same arrays, read-only from now on."""
    for array in arrays.values():
        array.flags.writeable = False
    return dict(arrays)


def assemble(about: About, arrays: Mapping[str, NDArray[Any]], source: str = "") -> Trajectory:
    """The trajectory made of arrays as in :data:`SEEN` and :data:`DONE`, which become read-only.

    Nothing is privileged in it.
    """
    frozen: dict[str, Any] = freeze(arrays)
    views = Views(**{name: frozen[name] for name in SEEN})
    done = {name: frozen[name] for name in DONE}
    return Trajectory(about=about, views=views, source=source, **done)
