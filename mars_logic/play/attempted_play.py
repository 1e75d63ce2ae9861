"""Play with a counterfactual trial of every action in every visited state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.play.attempts import Attempts, attempts, tried
from mars_logic.play.episodes import play as play_episode
from mars_logic.sim import Simulator
from mars_logic.sim.snapshot import Snapshot
from mars_logic.theory.action_models import action_goals
from mars_logic.theory.action_models.records import Records
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.theory import World

if TYPE_CHECKING:
    from mars_logic.play.agent import Agent


def play(
    world: World,
    make_agent: Callable[[], Agent],
    seeds: Iterable[int],
    steps: int | None = None,
    *,
    vary: bool = False,
) -> Iterable[Attempts]:
    """Let an agent play episodes, and try every action in every visited state.

    Args:
        world: Where it plays.
        make_agent: Makes the agent.
        seeds: A seed for each episode.
        steps: Steps after which an episode is left; by default it is played until all
            achievements are reached, or to its end.
        vary: Whether to add the records of
            :func:`~mars_logic.play.attempted_play.counterfactuals`.
    """
    simulator = Simulator(world)
    for seed in seeds:
        watcher = _Watcher(simulator)
        goals = world.achievements
        play_episode(make_agent(), simulator, seed, goals, observer=watcher, limit=steps)
        met = watcher.snapshot()
        found = attempts(world, met)
        if vary:
            less = counterfactuals(world, met, found.possible)
            found = replace(found, records=Records.join([found.records, *less]))
        yield found


class _Watcher:
    """Keeps every state of an episode (an ``episodes.Observer``)."""

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        self._envs: list[NDArray[np.void]] = []

    def begin(self, observation: Any) -> None:  # noqa: ARG002
        self._keep()

    def note(self, action: int, reward: float, unlocked: Any, done: bool, after: Any) -> None:  # noqa: ARG002
        if not done:
            self._keep()

    def _keep(self) -> None:
        self._envs.append(self._simulator.snapshot().envs)

    def snapshot(self) -> Snapshot:
        """All states, one environment each."""
        widest = max(self._envs, key=lambda envs: envs.dtype.itemsize).dtype
        alike = [envs for envs in self._envs if envs.dtype == widest]  # capacities rarely differ
        return Snapshot(np.concatenate(alike))


_STATES: Final = 12
"""Number of states in which an achievement's near misses are tried."""
_ENERGY: Final = names.ITEMS.index("energy")
_INSTEAD: Final = ("sand", "grass")
"""Replacements of a removed material: the first one that differs from it."""


def counterfactuals(world: World, snapshot: Snapshot, possible: NDArray[np.bool_]) -> list[Records]:
    """Actions that could succeed, with less of one thing in the hand or nearby.

    For each achievement some of the states in which it was possible are taken. Of every item that
    is held there each lesser amount is tried; to make tools also without each material nearby, to
    place things also on every other ground; and to sleep with all energy.

    Args:
        world: The world.
        snapshot: n states.
        possible: bool[n, 22]: which achievements could be reached in them.

    Returns:
        Records of one achievement each.
    """
    from mars_logic.sim import Simulator

    found = []
    for column, goal in enumerate(world.achievements):
        rows = np.flatnonzero(possible[:, column])
        spread = np.unique(np.linspace(0, len(rows) - 1, _STATES).astype(np.int64))
        for altered in _altered(snapshot, goal, rows[spread].tolist() if len(rows) else []):
            trial = Simulator(world, len(altered))
            found.append(tried(trial, altered, action_goals.action(goal)).about(goal))
    return found


def _altered(snapshot: Snapshot, goal: str, rows: list[int]) -> Iterator[Snapshot]:
    kind = action_goals.kind(goal)
    changes = (
        [(row, _ENERGY, MAXIMUM) for row in rows] if kind == "sleep" else _less(snapshot, rows)
    )
    if changes:
        yield _holding(snapshot, changes)
    edit = {"make": _without_nearby, "place": _on_other_ground}.get(kind)
    if edit and rows:
        from mars_logic.sim.snapshot import Snapshot

        yield Snapshot(np.concatenate([envs for row in rows for envs in edit(snapshot, row)]))


def _less(snapshot: Snapshot, rows: list[int]) -> list[tuple[int, int, int]]:
    """Every lesser amount of an item: the number of a state, the item, and the amount."""
    held = snapshot.envs["player"]["inventory"][rows]
    return [
        (row, item, less)
        for row, amounts in zip(rows, held.tolist(), strict=True)
        for item in range(len(names.VITALS), len(names.ITEMS))
        for less in range(amounts[item])
    ]


def _holding(snapshot: Snapshot, changes: list[tuple[int, int, int]]) -> Snapshot:
    """A copy of a state for each change of an amount."""
    from mars_logic.sim.snapshot import Snapshot, copy_envs

    rows, items, amounts = np.array(changes).T
    envs = copy_envs(snapshot.envs[rows])
    envs["player"]["inventory"][np.arange(len(envs)), items] = amounts
    return Snapshot(envs)


def _without_nearby(snapshot: Snapshot, row: int) -> Iterator[NDArray[np.void]]:
    """Copies of a state, in each of which one material nearby has become another."""
    from mars_logic.sim import Scene
    from mars_logic.sim.state import materials_of

    player, cells = snapshot.envs[row]["player"], materials_of(snapshot.envs[row])
    left, top = max(0, int(player["x"]) - 1), max(0, int(player["y"]) - 1)
    around = cells[left : int(player["x"]) + 2, top : int(player["y"]) + 2]
    for code in np.unique(around).tolist():
        instead = next(name for name in _INSTEAD if name != names.MATERIALS[code])
        scene = Scene(snapshot, row)
        for x, y in np.argwhere(around == code).tolist():
            scene.fill(instead, left + x, top + y)
        yield scene.snapshot().envs


def _on_other_ground(snapshot: Snapshot, row: int) -> Iterator[NDArray[np.void]]:
    """Copies of a state, in each of which the player faces another material."""
    from mars_logic.sim import Scene

    player = snapshot.envs[row]["player"]
    x, y = int(player["x"] + player["facing_x"]), int(player["y"] + player["facing_y"])
    for material in names.MATERIALS[1:]:
        yield Scene(snapshot, row).fill(material, x, y).snapshot().envs
