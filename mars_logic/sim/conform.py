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

from mars_logic.sim.cells import cells_of
from mars_logic.sim.codes import COW, HEALTH, PLAYER, SKELETON, ZOMBIE
from mars_logic.sim.layout import CHUNKS_ACROSS, Env
from mars_logic.sim.simulator import Simulator
from mars_logic.sim.snapshot import Snapshot, copy_envs
from mars_logic.sim.state import OBJECT_DTYPE, State
from mars_logic.sim.stream import peek_words
from mars_logic.sim.trace import Rows, Trace, TraceState, load_trace
from mars_logic.world.dialect import AREA, BALANCE_PERIOD, CHUNK
from mars_logic.world.load import load_world
from mars_logic.world.rules import Rule
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import Marking, Option
from mars_logic.world.vocabulary import Vocabulary

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
        world = world_of(trace)
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


def world_of(trace: Trace, world: World | None = None) -> World:
    """A world, by default that of a trace, with the variants that the trace states."""
    world = world or load_world(trace.world)
    changed: list[Rule] = [
        Option(subject=name, on=on)
        for name, on in trace.options.items()
        if name in world.option and world.option[name].on != on
    ]
    if not trace.options.get("footprints", True):
        changed.append(Marking(subject="prints_on", materials=()))
    return world.with_rules(*changed) if changed else world


def begin(simulator: Simulator, trace: Trace) -> None:
    """Reset every environment to the state in which a trace begins."""
    simulator.reset(np.full(simulator.n, trace.seed), trace.episode)
    if trace.words.traced:
        envs = copy_envs(simulator.snapshot().envs)
        envs["player"]["inventory"] = trace.arrays["inventory"][0]
        simulator.restore(Snapshot(envs))


def _divergences(trace: Trace, world: World) -> Iterator[Divergence]:
    """All differences in order; later ones may follow from the first."""
    arrays = trace.arrays
    recorded = TraceState(trace)
    simulator = Simulator(world, length=trace.length)
    begin(simulator, trace)
    yield from _compare_state(recorded, simulator, 0)
    if "init_chunks" in arrays:
        yield from _compare_chunks(arrays["init_chunks"], simulator, 0)
    for step in range(1, trace.steps + 1):
        reward, done = simulator.step(int(arrays["action"][step - 1]))
        recorded.advance(step)
        yield from _compare_state(recorded, simulator, step)
        yield from _scalar("reward", step, "reward", arrays["reward"][step - 1], reward[0])
        yield from _scalar("reward", step, "done", bool(arrays["done"][step - 1]), bool(done[0]))
    if "final_chunks" in arrays:
        yield from _compare_chunks(arrays["final_chunks"], simulator, trace.steps)


def _compare_state(recorded: TraceState, simulator: Simulator, step: int) -> Iterator[Divergence]:
    """The differences after a step, in the order in which the parts of a step happen."""
    arrays = recorded.arrays
    state = simulator.state()
    rows = _rows(state, recorded.words)
    yield from _compare_player(recorded, state, step)
    yield from _compare_map(recorded, state, step)
    yield from _compare_objects(recorded, rows, step)
    yield from _named(
        "player",
        step,
        "inventory",
        recorded.words.items,
        arrays["inventory"][step],
        state.inventory,
    )
    if "daylight" in arrays:
        light = float(arrays["daylight"][step])
        if abs(light - state.daylight) > _DAYLIGHT_TOLERANCE:
            yield Divergence("daylight", step, "daylight", light, state.daylight)
    word = peek_words(simulator.snapshot().envs)[0]
    yield from _scalar("random stream", step, "next word", arrays["rng_peek"][step], word)


def _compare_player(recorded: TraceState, state: State, step: int) -> Iterator[Divergence]:
    """Differences in the fields that only the player's own update changes: all but health."""
    arrays, words = recorded.arrays, recorded.words
    yield from _named("player", step, "", ("x", "y"), arrays["pos"][step], (state.x, state.y))
    yield from _named("player", step, "facing", ("x", "y"), arrays["facing"][step], state.facing)
    yield from _scalar("player", step, "sleeping", bool(arrays["sleeping"][step]), state.sleeping)
    others = slice(HEALTH + 1, None)
    yield from _named(
        "player",
        step,
        "inventory",
        words.items[others],
        arrays["inventory"][step][others],
        state.inventory[others],
    )
    achievements = words.achievements
    if words.traced:
        yield from _scalar("player", step, "in bed", bool(arrays["on_bed"][step]), state.in_bed)
        yield from _scalar("player", step, "boss", bool(arrays["boss"][step]), state.boss)
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
    arrays, words = recorded.arrays, recorded.words
    cells = cells_of(words, state.materials, state.marks)
    yield from _cells(words, recorded.map, cells, step, "")
    for number in np.flatnonzero(arrays["snap_steps"] == step):
        yield from _cells(words, arrays["snap_maps"][number], cells, step, " of the snapshot")
    hashed = _hash(cells)
    yield from _scalar("terrain", step, "hash of the map", arrays["map_hash"][step], hashed)


def _cells(
    words: Vocabulary,
    expected: NDArray[np.uint8],
    actual: NDArray[np.uint8],
    step: int,
    where: str,
) -> Iterator[Divergence]:
    if np.array_equal(expected, actual):
        return
    x, y = map(int, np.argwhere(expected != actual)[0])
    labels = words.cells or words.materials
    wanted, got = _name(labels, expected[x, y]), _name(labels, actual[x, y])
    yield Divergence("terrain", step, f"cell ({x}, {y}){where}", wanted, got)


def _compare_objects(recorded: TraceState, rows: Rows, step: int) -> Iterator[Divergence]:
    arrays = recorded.arrays
    if not np.array_equal(recorded.rows, rows):
        yield _first_object(recorded, rows, step)
    snapshot = recorded.snapshot(step)
    if step in arrays["snap_steps"] and not np.array_equal(snapshot, rows):
        yield Divergence("objects", step, "objects of the snapshot", len(snapshot), len(rows))
    yield from _scalar("objects", step, "number of objects", arrays["num_objects"][step], len(rows))
    columns = len(_COLUMNS) - int(recorded.words.traced)
    ordered = rows[np.lexsort(rows.T[::-1])][:, :columns]
    ordered = np.ascontiguousarray(ordered, dtype="<i4")
    yield from _scalar(
        "objects", step, "hash of the objects", arrays["obj_hash"][step], _hash(ordered)
    )


def _first_object(recorded: TraceState, rows: Rows, step: int) -> Divergence:
    """Name the first object, in the order of creation, that differs."""
    expected, words = recorded.rows, recorded.words
    first = 0
    while first < min(len(expected), len(rows)) and (expected[first] == rows[first]).all():
        first += 1
    wanted = expected[first] if first < len(expected) else None
    got = rows[first] if first < len(rows) else None
    if wanted is not None and got is not None:
        if _same_object(wanted, got):
            kind = _name(words.objects, got[0])
            column = int(np.flatnonzero(wanted != got)[0])
            what = f"{kind} {recorded.numbers[first]}: {_COLUMNS[column]}"
            return Divergence(kind, step, what, int(wanted[column]), int(got[column]))
        if len(expected) > len(rows):
            got = None
        elif len(expected) < len(rows):
            wanted = None
    subsystem = _that_comes_or_goes(words, wanted if wanted is not None else got, step)
    return Divergence(subsystem, step, "object", _tell(words, wanted), _tell(words, got))


def _same_object(wanted: Rows, got: Rows) -> bool:
    """Whether two rows can be one object whose two versions moved differently."""
    return bool(wanted[0] == got[0] and np.abs(wanted[1:3] - got[1:3]).sum() <= 2)


def _that_comes_or_goes(words: Vocabulary, row: Any, step: int) -> str:
    """The subsystem that created or removed an object that only one side has."""
    alive = row[_COLUMNS.index("health")] > 0
    balanced = (
        words.balance and step > 0 and step % BALANCE_PERIOD == 0 and row[0] in _BALANCED and alive
    )
    return "balance" if balanced else _name(words.objects, row[0])


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


def _rows(state: State, words: Vocabulary) -> Rows:
    """The simulator's objects as traces record them."""
    rows = np.zeros((len(state.objects) + 1, len(_COLUMNS)), np.int32)
    rows[0, :4] = PLAYER, state.x, state.y, state.inventory[HEALTH]
    rows[1:] = state.objects.view(np.int32).reshape(len(state.objects), len(_COLUMNS))
    if words.traced or "creature" in words.fixed:  # their arrows have no such number
        rows[:, _COLUMNS.index("arrow_factor")] = 0
    return rows[1:] if state.gone else rows


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


def _tell(words: Vocabulary, row: Rows | None) -> str | None:
    return None if row is None else f"{_name(words.objects, row[0])} at ({row[1]}, {row[2]})"


def _name(labels: tuple[str, ...], code: int) -> str:
    return labels[code] if 0 <= code < len(labels) else str(code)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
