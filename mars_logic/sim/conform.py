"""Comparison of the simulator with recorded episodes of the reference games, at every step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.sim.codes import COW, HEALTH, OBJECTS, PLAYER, SKELETON, ZOMBIE
from mars_logic.sim.layout import CHUNKS_ACROSS, Env
from mars_logic.sim.simulator import Simulator
from mars_logic.sim.state import OBJECT_DTYPE, State
from mars_logic.sim.stream import peek_words
from mars_logic.sim.trace import Rows, Trace, TraceState, load_trace
from mars_logic.world import names
from mars_logic.world.dialect import AREA, BALANCE_PERIOD, CHUNK
from mars_logic.world.load import load_world
from mars_logic.world.theory import World

_BALANCED: Final = (COW, ZOMBIE, SKELETON)
_VITALS: Final = ("hunger", "thirst", "fatigue", "recover")
_COLUMNS: Final = OBJECT_DTYPE.names or ()
_DAYLIGHT_TOLERANCE: Final = 1e-12
"""Tolerance for daylight: cosine and power differ in the last bit between libraries."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first difference between a trace and the simulator.

    Attributes:
        subsystem: Subsystem that diverged: ``terrain`` (the map), ``player``, ``cow``, ``zombie``,
            ``skeleton``, ``arrow``, ``plant``, ``objects`` (their number or order alone),
            ``balance`` (spawns and despawns every ten steps, and the chunks), ``reward`` (with
            done), ``daylight`` or ``random stream`` (if it alone differs).
        step: Number of steps before the divergence; 0 is the state after the reset.
        what: The differing quantity, for example ``zombie 7: x``.
        expected: The recorded value; None for nothing.
        actual: The simulator's value; None for nothing.
    """

    subsystem: str
    step: int
    what: str
    expected: Any
    actual: Any

    def __str__(self) -> str:
        return (
            f"step {self.step}: {self.subsystem}: {self.what}: "
            f"expected {self.expected}, got {self.actual}"
        )


@dataclass(frozen=True, slots=True)
class Conformance:
    """Result of the comparison of a trace with the simulator.

    Attributes:
        path: The file of the trace.
        world: The name of the world.
        seed: The seed of the environment.
        episode: Number of the episode of that seed.
        steps: Number of recorded steps.
        agreed: Number of agreeing steps before the first difference.
        divergence: The first difference; None without one.
    """

    path: Path
    world: str
    seed: int
    episode: int
    steps: int
    agreed: int
    divergence: Divergence | None

    @property
    def agrees(self) -> bool:
        """Whether everything agrees."""
        return self.divergence is None


def conform(path: str | PathLike[str]) -> Conformance:
    """Replay a recorded episode, and compare everything after every step.

    Raises:
        TraceError: The file is not a trace.
    """
    return compare(load_trace(path))


def compare(trace: Trace, world: World | None = None) -> Conformance:
    """Replay a trace that is in memory, in its own world or in another one."""
    if world is None:
        world = load_world(trace.world)
    divergence = next(_divergences(trace, world), None)
    return Conformance(
        path=trace.path,
        world=trace.world,
        seed=trace.seed,
        episode=trace.episode,
        steps=trace.steps,
        agreed=trace.steps if divergence is None else max(0, divergence.step - 1),
        divergence=divergence,
    )


def _divergences(trace: Trace, world: World) -> Iterator[Divergence]:
    """All differences in order; later ones may follow from the first."""
    arrays = trace.arrays
    recorded = TraceState(trace)
    simulator = Simulator(world)
    simulator.reset(trace.seed, trace.episode)
    yield from _compare_state(recorded, simulator, 0)
    yield from _compare_chunks(arrays["init_chunks"], simulator, 0)
    for step in range(1, trace.steps + 1):
        reward, done = simulator.step(int(arrays["action"][step - 1]))
        recorded.advance(step)
        yield from _compare_state(recorded, simulator, step)
        yield from _scalar("reward", step, "reward", arrays["reward"][step - 1], reward[0])
        yield from _scalar("reward", step, "done", bool(arrays["done"][step - 1]), bool(done[0]))
    yield from _compare_chunks(arrays["final_chunks"], simulator, trace.steps)


def _compare_state(recorded: TraceState, simulator: Simulator, step: int) -> Iterator[Divergence]:
    """The differences after a step, in the order in which the parts of a step happen."""
    arrays = recorded.arrays
    state = simulator.state()
    rows = _rows(state, recorded.dynamics)
    yield from _compare_player(arrays, state, step)
    yield from _compare_map(recorded, state, step)
    yield from _compare_objects(recorded, rows, step)
    yield from _named(
        "player",
        step,
        "inventory",
        names.ITEMS,
        arrays["inventory"][step],
        state.inventory,
    )
    if abs(arrays["daylight"][step] - state.daylight) > _DAYLIGHT_TOLERANCE:
        yield Divergence(
            "daylight", step, "daylight", float(arrays["daylight"][step]), state.daylight
        )
    word = peek_words(simulator.snapshot().envs)[0]
    yield from _scalar("random stream", step, "next word", arrays["rng_peek"][step], word)


def _compare_player(arrays: Any, state: State, step: int) -> Iterator[Divergence]:
    """Differences in the fields that only the player's own update changes: all but health."""
    yield from _named("player", step, "", ("x", "y"), arrays["pos"][step], (state.x, state.y))
    yield from _named("player", step, "facing", ("x", "y"), arrays["facing"][step], state.facing)
    yield from _scalar("player", step, "sleeping", bool(arrays["sleeping"][step]), state.sleeping)
    others = slice(HEALTH + 1, None)
    yield from _named(
        "player",
        step,
        "inventory",
        names.ITEMS[others],
        arrays["inventory"][step][others],
        state.inventory[others],
    )
    achievements = names.achievements("mars")
    yield from _named(
        "player",
        step,
        "achievements",
        achievements,
        arrays["achievements"][step],
        state.achievements,
    )
    vitals = [getattr(state, name) for name in _VITALS]
    yield from _named("player", step, "", _VITALS, arrays["vitals"][step], vitals)


def _compare_map(recorded: TraceState, state: State, step: int) -> Iterator[Divergence]:
    arrays = recorded.arrays
    yield from _cells(recorded.map, state, step, "")
    for number in np.flatnonzero(arrays["snap_steps"] == step):
        yield from _cells(arrays["snap_maps"][number], state, step, " of the snapshot")
    actual = _hash(state.materials)
    yield from _scalar("terrain", step, "hash of the map", arrays["map_hash"][step], actual)


def _cells(
    expected: NDArray[np.uint8], state: State, step: int, where: str
) -> Iterator[Divergence]:
    if np.array_equal(expected, state.materials):
        return
    x, y = map(int, np.argwhere(expected != state.materials)[0])
    yield Divergence(
        "terrain",
        step,
        f"cell ({x}, {y}){where}",
        _name(names.MATERIALS, expected[x, y]),
        _name(names.MATERIALS, state.materials[x, y]),
    )


def _compare_objects(recorded: TraceState, rows: Rows, step: int) -> Iterator[Divergence]:
    arrays = recorded.arrays
    if not np.array_equal(recorded.rows, rows):
        yield _first_object(recorded, rows, step)
    snapshot = recorded.snapshot(step)
    if step in arrays["snap_steps"] and not np.array_equal(snapshot, rows):
        yield Divergence("objects", step, "objects of the snapshot", len(snapshot), len(rows))
    yield from _scalar("objects", step, "number of objects", arrays["num_objects"][step], len(rows))
    ordered = np.ascontiguousarray(rows[np.lexsort(rows.T[::-1])], dtype="<i4")
    yield from _scalar(
        "objects", step, "hash of the objects", arrays["obj_hash"][step], _hash(ordered)
    )


def _first_object(recorded: TraceState, rows: Rows, step: int) -> Divergence:
    """Name the first object, in the order of creation, that differs."""
    expected = recorded.rows
    first = 0
    while first < min(len(expected), len(rows)) and (expected[first] == rows[first]).all():
        first += 1
    wanted = expected[first] if first < len(expected) else None
    got = rows[first] if first < len(rows) else None
    if wanted is not None and got is not None:
        if _same_object(wanted, got):
            kind = _name(OBJECTS, got[0])
            column = int(np.flatnonzero(wanted != got)[0])
            what = f"{kind} {recorded.numbers[first]}: {_COLUMNS[column]}"
            return Divergence(kind, step, what, int(wanted[column]), int(got[column]))
        if len(expected) > len(rows):
            got = None
        elif len(expected) < len(rows):
            wanted = None
    subsystem = _that_comes_or_goes(wanted if wanted is not None else got, step)
    return Divergence(subsystem, step, "object", _tell(wanted), _tell(got))


def _same_object(wanted: Rows, got: Rows) -> bool:
    """Whether two rows can be one object whose two versions moved differently."""
    return bool(wanted[0] == got[0] and np.abs(wanted[1:3] - got[1:3]).sum() <= 2)


def _that_comes_or_goes(row: Any, step: int) -> str:
    """The subsystem that created or removed an object that only one side has."""
    alive = row[_COLUMNS.index("health")] > 0
    balanced = step > 0 and step % BALANCE_PERIOD == 0 and row[0] in _BALANCED and alive
    return "balance" if balanced else _name(OBJECTS, row[0])


def _compare_chunks(
    expected: NDArray[np.int16], simulator: Simulator, step: int
) -> Iterator[Divergence]:
    """Differences in the balanced chunks and their order."""
    actual = chunks_of(simulator.snapshot().envs[0])
    wanted = [tuple(map(int, chunk)) for chunk in expected]
    for number in range(max(len(wanted), len(actual))):
        recorded = wanted[number] if number < len(wanted) else None
        here = actual[number] if number < len(actual) else None
        if recorded != here:
            yield Divergence("balance", step, f"chunk {number} in order", recorded, here)


def chunks_of(env: Env) -> list[tuple[int, int, int, int]]:
    """The chunks in their order: x from, to; y from, to (not included)."""
    result = []
    for chunk in env["known"][: env["num_known"]]:
        left, top = int(chunk) // CHUNKS_ACROSS * CHUNK, int(chunk) % CHUNKS_ACROSS * CHUNK
        result.append((left, min(left + CHUNK, AREA), top, min(top + CHUNK, AREA)))
    return result


def _rows(state: State, dynamics: str) -> Rows:
    """The simulator's objects as traces record them."""
    rows = np.zeros((len(state.objects) + 1, len(_COLUMNS)), np.int32)
    rows[0, :4] = PLAYER, state.x, state.y, state.inventory[HEALTH]
    rows[1:] = state.objects.view(np.int32).reshape(len(state.objects), len(_COLUMNS))
    if dynamics == "crafter":
        rows[:, _COLUMNS.index("arrow_factor")] = 0  # crafter's arrows have no such number
    return rows


def _hash(array: NDArray[Any]) -> int:
    return int.from_bytes(blake2b(array.tobytes(), digest_size=8).digest(), "little")


def _scalar(
    subsystem: str, step: int, what: str, expected: Any, actual: Any
) -> Iterator[Divergence]:
    if expected != actual:
        yield Divergence(subsystem, step, what, _plain(expected), _plain(actual))


def _named(
    subsystem: str, step: int, what: str, labels: tuple[str, ...], expected: Any, actual: Any
) -> Iterator[Divergence]:
    """Compare two rows of labelled numbers."""
    if np.array_equal(expected, actual):
        return
    for label, wanted, got in zip(labels, expected, actual, strict=True):
        yield from _scalar(subsystem, step, f"{what} {label}".strip(), wanted, got)


def _tell(row: Rows | None) -> str | None:
    return None if row is None else f"{_name(OBJECTS, row[0])} at ({row[1]}, {row[2]})"


def _name(labels: tuple[str, ...], code: int) -> str:
    return labels[code] if 0 <= code < len(labels) else str(code)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
