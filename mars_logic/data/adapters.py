"""Play that our simulator did not produce, as trajectories: golden traces and PyPI crafter.

Nothing here steps our simulator: what an agent could see is cut out of what the other game held. So
rules can be tested on that game itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.recorder import versions
from mars_logic.data.trajectory import (
    HIDDEN,
    NEEDS,
    SEEN,
    VIEW,
    About,
    Privileged,
    Trajectory,
    Views,
    freeze,
)
from mars_logic.errors import InputError
from mars_logic.world import names
from mars_logic.world.dialect import AREA
from mars_logic.world.load import load_world
from mars_logic.world.vocabulary import vocabulary

if TYPE_CHECKING:
    from mars_logic.sim import Observation, Trace

_ARROW, _PLANT = names.OBJECTS.index("arrow"), names.OBJECTS.index("plant")
_RIPE_PLANT: Final = names.LOOKS.index("ripe_plant")
_ARROWS: Final[dict[tuple[int, ...], int]] = {
    (-1, 0): names.LOOKS.index("arrow_left"),
    (1, 0): names.LOOKS.index("arrow_right"),
    (0, -1): names.LOOKS.index("arrow_up"),
    (0, 1): names.LOOKS.index("arrow_down"),
}
_BORDER: Final = VIEW[0] // 2

Moment = Mapping[str, Any]
"""The visible or hidden state at one step: a value for each array of the layout."""


# --- Golden traces --------------------------------------------------------------------------------


def from_trace(trace: Trace, *, public: bool = False) -> Trajectory:
    """The trajectory of an episode that a reference game played, from what its trace holds.

    Args:
        trace: As ``mars_logic.sim.load_trace`` reads it.
        public: Leave out what is privileged.

    Raises:
        InputError: The trace holds no step, or something that no agent could see.
    """
    from mars_logic.sim.trace import TraceState

    arrays, ripe_age = trace.arrays, vocabulary(trace.dynamics).ripe_age
    if not trace.steps:
        raise InputError(f"{trace.path}:1: action: the trace holds no step; allowed: one or more")
    world = load_world(trace.world)
    state = TraceState(trace)
    seen, hidden = [], []
    for step in range(trace.steps + 1):
        if step:
            state.advance(step)
        x, y = map(int, arrays["pos"][step])
        rows = _in_view(state.rows, x, y)
        objects = {(int(row[1]), int(row[2])): _look_of(row, ripe_age) for row in rows}
        cells = {"materials": _around(state.map, x, y), "objects": _placed(objects, x, y)}
        others = {name: arrays[name][step] for name in SEEN if name not in cells}
        seen.append(cells | others)
        needs = dict(zip(NEEDS, arrays["vitals"][step], strict=True))
        hidden.append({"x": x, "y": y, "random_word": arrays["rng_peek"][step]} | needs)
    counts = arrays["achievements"]
    done = arrays["done"] > 0
    dead = arrays["inventory"][1:, 0] <= 0
    return _assembled(
        About(
            trace.world,
            world.digest,
            world.dynamics,
            trace.seed,
            trace.episode,
            "recorded",
            versions(),
        ),
        seen,
        None if public else hidden,
        action=arrays["action"],
        reward=arrays["reward"],
        unlocked=(counts[1:] > 0) & (counts[:-1] == 0),
        terminated=done & dead,
        truncated=done & ~dead,
        source=str(trace.path),
    )


def _in_view(rows: NDArray[np.int32], x: int, y: int) -> NDArray[np.int32]:
    """The objects of a trace in view, the last one of each cell."""
    across, down = np.abs(rows[:, 1] - x), np.abs(rows[:, 2] - y)
    near = rows[(across <= VIEW[0] // 2) & (down <= VIEW[1] // 2)]
    _, last = np.unique((near[:, 1] * AREA + near[:, 2])[::-1], return_index=True)
    found: NDArray[np.int32] = near[::-1][last]
    return found


def _look_of(row: NDArray[np.int32], ripe_age: int) -> int:
    """The appearance of an object of a trace; its columns are those of ``sim.OBJECT_DTYPE``."""
    kind, _, _, _, _, _, grown, facing_x, facing_y, _ = map(int, row)
    return _look(kind, grown > ripe_age, (facing_x, facing_y))


def _look(kind: int, ripe: bool, facing: tuple[int, ...]) -> int:
    if kind == _PLANT:
        return _RIPE_PLANT if ripe else _PLANT
    return _ARROWS[facing] if kind == _ARROW else kind


# --- PyPI crafter ---------------------------------------------------------------------------------


def from_crafter(
    env: Any,
    policy: Callable[[Observation], int] | Iterable[int],
    *,
    agent: str,
    public: bool = False,
) -> Trajectory:
    """Play one episode in an environment of PyPI crafter, and record it.

    Crafter draws the noise of its night pictures from the episode's random stream, so an episode
    with pictures is not the one that the simulator plays with the same seed and actions.

    Args:
        env: A ``crafter.Env`` with a map of 64 × 64; it is reset.
        policy: What chooses each action (a code of ``names.ACTIONS``) by what is seen (n = 1); or
            the actions themselves, which may end before the episode does.
        agent: Who plays, as it is called in the recording.
        public: Leave out what is privileged.

    Returns:
        The trajectory. Its reward is what the environment gave.

    Raises:
        InputError: The map is of another size, or there is no action.

    Example:
        >>> import crafter
        >>> from mars_logic.data import from_crafter
        >>> trajectory = from_crafter(crafter.Env(seed=7), [5, 1, 0], agent="script")
        >>> len(trajectory), trajectory.about.seed
        (3, 7)
    """
    if tuple(env._area) != (AREA, AREA):
        raise InputError(f"crafter: a map of {tuple(env._area)}; allowed: {(AREA, AREA)}")
    env.reset()
    world = load_world("crafter")
    seen, hidden = [_seen_in(env)], [_hidden_in(env)]
    done_columns: dict[str, list[Any]] = {
        name: [] for name in ("action", "reward", "unlocked", "terminated", "truncated")
    }
    before = _counts(env)
    for action in _chosen(policy, seen):
        _, reward, done, _ = env.step(action)
        after = _counts(env)
        dead = env._player.health <= 0
        row = (action, reward, (after > 0) & (before == 0), bool(dead), bool(done and not dead))
        for name, value in zip(done_columns, row, strict=True):
            done_columns[name].append(value)
        seen.append(_seen_in(env))
        hidden.append(_hidden_in(env))
        before = after
        if done:
            break
    if not done_columns["action"]:
        raise InputError("crafter: there is no action; allowed: one or more")
    return _assembled(
        About(
            world.name,
            world.digest,
            world.dynamics,
            int(env._seed),
            int(env._episode),
            agent,
            versions("crafter"),
        ),
        seen,
        None if public else hidden,
        source="crafter",
        **{name: np.array(values) for name, values in done_columns.items()},
    )


def _chosen(
    policy: Callable[[Observation], int] | Iterable[int], seen: list[Moment]
) -> Iterator[int]:
    """The actions in turn; each is chosen when it is asked for, by what was seen last."""
    if not callable(policy):
        yield from policy
        return
    from mars_logic.sim import Observation

    while True:
        shown = Observation.empty(1)
        for name, value in seen[-1].items():
            getattr(shown, name)[0] = value
        yield int(policy(shown))


def _seen_in(env: Any) -> Moment:
    player, world = env._player, env._world
    x, y = map(int, player.pos)
    objects = {tuple(map(int, each.pos)): _look_in(each) for each in world.objects}
    return {
        "materials": _around(world._mat_map, x, y),
        "objects": _placed(objects, x, y),
        "inventory": [player.inventory[item] for item in names.ITEMS],
        "facing": player.facing,
        "sleeping": player.sleeping,
        "daylight": world.daylight,
    }


def _look_in(thing: Any) -> int:
    kind = names.OBJECTS.index(type(thing).__name__.lower())
    facing = tuple(map(int, thing.facing)) if kind == _ARROW else ()
    return _look(kind, kind == _PLANT and thing.ripe, facing)


def _hidden_in(env: Any) -> Moment:
    player = env._player
    copy = np.random.RandomState()
    copy.set_state(env._world.random.get_state())
    word = int.from_bytes(copy.bytes(4), "little")
    needs = {need: getattr(player, f"_{need}") for need in NEEDS}
    return {"x": int(player.pos[0]), "y": int(player.pos[1]), "random_word": word} | needs


def _counts(env: Any) -> NDArray[np.int64]:
    achieved = env._player.achievements
    return np.array([achieved[name] for name in vocabulary("crafter").achievements], np.int64)


# --- Both -----------------------------------------------------------------------------------------


def _around(cells: NDArray[np.uint8], x: int, y: int) -> NDArray[np.uint8]:
    """The view of a map: uint8[9, 7], 0 outside the map."""
    padded = np.pad(cells, _BORDER)
    top = y + _BORDER - VIEW[1] // 2
    return padded[x : x + VIEW[0], top : top + VIEW[1]].astype(np.uint8)


def _placed(looks: Mapping[Any, int], x: int, y: int) -> NDArray[np.uint8]:
    """The objects in view: uint8[9, 7], from the objects on the map."""
    view = np.zeros(VIEW, np.uint8)
    left, top = x - VIEW[0] // 2, y - VIEW[1] // 2
    for (column, row), look in looks.items():
        if 0 <= column - left < VIEW[0] and 0 <= row - top < VIEW[1]:
            view[column - left, row - top] = look
    return view


def _assembled(
    about: About,
    seen: Sequence[Moment],
    hidden: Sequence[Moment] | None,
    *,
    source: str,
    **done: NDArray[Any],
) -> Trajectory:
    held = np.array([moment["inventory"] for moment in seen])
    if held.min() < 0 or held.max() > 9:
        raise InputError(f"{source}: inventory: {held.min()} to {held.max()}; allowed: 0 to 9")
    arrays = {
        name: np.array([moment[name] for moment in seen]).astype(dtype)
        for name, (dtype, _) in SEEN.items()
    }
    truth = None
    if hidden is not None:
        rows = hidden[:-1]
        truth = Privileged(
            **freeze(
                {
                    name: np.array([row[name] for row in rows]).astype(dtype)
                    for name, (dtype, _) in HIDDEN.items()
                }
            )
        )
    return Trajectory(
        about=about,
        views=Views(**freeze(arrays)),
        action=done["action"].astype(np.uint8),
        reward=done["reward"].astype(np.float64),
        unlocked=done["unlocked"].astype(np.bool_),
        terminated=done["terminated"].astype(np.bool_),
        truncated=done["truncated"].astype(np.bool_),
        privileged=truth,
        source=source,
    )
