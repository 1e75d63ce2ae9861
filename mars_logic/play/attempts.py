"""Attempts: the result of each action in every visited state, tried in copies of the simulator.

The episode is unaffected: only copies of the simulator are stepped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.theory.action_models import action_goals
from mars_logic.theory.action_models.records import FAILED, SILENT, SUCCEEDED, Records
from mars_logic.theory.action_models.states import States
from mars_logic.world import names
from mars_logic.world.theory import World
from mars_logic.world.vocabulary import vocabulary

if TYPE_CHECKING:
    from mars_logic.sim import Simulator
    from mars_logic.sim.snapshot import Snapshot

STREAMS: Final = 64
"""Random streams with which collecting is tried in each state. The first two numbers that each
draws leave no gap above 0.08 among them, so that anything likelier than that is seen to come."""
_ACTIONS: Final = ("do", "sleep", *(a for a in names.ACTIONS if a.startswith(("place_", "make_"))))
_SLEEP: Final = names.ACTIONS.index("sleep")


@dataclass(frozen=True, eq=False)
class Attempts:
    """The results of every action in n states.

    Attributes:
        states: The states.
        possible: bool[n, 22]: whether the action of each achievement could reach it there, with
            some luck. Hitting a creature counts, whatever health it has left; going to sleep does
            for waking up.
        records: One record for each state and each action but the moves, as the copy did it, with
            the goals of that action judged by the game's own counters.
    """

    states: States
    possible: NDArray[np.bool_]
    records: Records


def attempts(world: World, snapshot: Snapshot) -> Attempts:
    """Try every action in every state of a snapshot."""
    from mars_logic.sim import Simulator

    trial = Simulator(world, len(snapshot))
    trial.restore(snapshot)
    before, counters = States.of(trial.observe()), trial.achievements
    falls_asleep = trial.action_mask()[:, _SLEEP]
    possible = _blows(trial, world.dynamics) | _with_luck(trial, snapshot, counters)
    parts = [tried(trial, snapshot, action) for action in _ACTIONS]
    for part in parts:
        possible |= part.outcome[:, :-1] == SUCCEEDED
    possible[:, world.achievements.index("wake_up")] = falls_asleep
    possible[~before.free] = False
    return Attempts(before, possible, Records.join(parts))


def tried(trial: Simulator, snapshot: Snapshot, action: str) -> Records:
    """One record for each state: an action, with all its goals judged by the game.

    Args:
        trial: A simulator for as many environments; it is left after the action.
        snapshot: The states.
        action: A name of ``names.ACTIONS``.
    """
    trial.restore(snapshot)
    before, world = States.of(trial.observe()), trial.world
    unfinished = _blows(trial, world.dynamics)
    falls_asleep = trial.action_mask()[:, _SLEEP]
    reached, after = _stepped(trial, snapshot, action, trial.achievements)
    outcome = np.full((len(before), len(world.achievements) + 1), SILENT, np.int8)
    for column, goal in enumerate(world.achievements):
        if action_goals.action(goal) == action:
            done = after.sleeping if goal == "wake_up" else reached[:, column]
            # A player that was just hurt wakes at once; a single blow may not end a fight.
            silent = falls_asleep if goal == "wake_up" else unfinished[:, column]
            outcome[:, column] = np.where(done, SUCCEEDED, np.where(silent, SILENT, FAILED))
    outcome[~before.free] = SILENT
    codes = np.full(len(before), names.ACTIONS.index(action), np.uint8)
    return Records(world.dynamics, before, codes, after, outcome, np.ones(len(before), np.bool_))


def _stepped(
    trial: Simulator, snapshot: Snapshot, action: str, counters: NDArray[np.int16]
) -> tuple[NDArray[np.bool_], States]:
    """Which achievements an action reaches in each state, and the states after it."""
    trial.restore(snapshot)
    trial.step(np.full(len(snapshot), names.ACTIONS.index(action)))
    return trial.achievements > counters, States.of(trial.observe())


def _blows(trial: Simulator, dynamics: str) -> NDArray[np.bool_]:
    """bool[n, 22]: which achievements a blow leads to, at once or later."""
    from mars_logic.sim.effects import DO_EFFECTS

    effects = trial.do_effects()
    found = np.zeros((len(effects), len(vocabulary(dynamics).achievements)), np.bool_)
    for code, effect in enumerate(DO_EFFECTS):
        if not effect.startswith("collect"):
            goal = vocabulary(dynamics).achievements.index(action_goals.alias(effect, dynamics))
            found[:, goal] = effects == code
    return found


def _with_luck(
    trial: Simulator, snapshot: Snapshot, counters: NDArray[np.int16]
) -> NDArray[np.bool_]:
    """bool[n, 22]: what ``do`` reaches with one of :data:`STREAMS` streams."""
    from mars_logic.sim.snapshot import Snapshot, copy_envs

    found = np.zeros(counters.shape, np.bool_)
    for stream in streams():
        envs = copy_envs(snapshot.envs)
        envs["stream"] = stream
        found |= _stepped(trial, Snapshot(envs), "do", counters)[0]
    return found


def streams() -> NDArray[np.void]:
    """The random streams: records of ``layout.STREAM_DTYPE``."""
    from mars_logic.sim.layout import STREAM_DTYPE
    from mars_logic.sim.stream import seed_stream

    made = np.zeros(STREAMS, STREAM_DTYPE)
    for seed in range(STREAMS):
        seed_stream(made[seed], seed)
    return made
