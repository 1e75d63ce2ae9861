"""States built from an agent's belief, for simulated lookahead.

Such a state is independent of the real environment and of its random stream: each stream has a
number of its own, so that one state can be continued in several sampled futures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.sim.codes import GRASS, PATH, PLAYER
from mars_logic.sim.layout import BORDER, CAPACITY, CHUNKS_ACROSS, STREAM_DTYPE, env_dtype
from mars_logic.sim.snapshot import Snapshot
from mars_logic.sim.state import write_materials
from mars_logic.sim.stream import seed_stream
from mars_logic.world.dialect import AREA, CHUNK, MAXIMUM
from mars_logic.world.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Imagined:
    """A believed state of a game.

    Attributes:
        materials: uint8[64, 64], indexed [x, y]: material codes, 0 for unknown cells.
        things: Objects on the map: fields of ``THING_DTYPE``, and x and y.
        position: The player's cell.
        facing: The direction that it looks in.
        sleeping: Whether it sleeps.
        inventory: Amounts in the order of ``names.ITEMS``.
        step: Steps since the episode began.
        words: The vocabulary, Crafter's by default.
    """

    materials: NDArray[np.uint8]
    things: Sequence[dict[str, int]]
    position: tuple[int, int]
    facing: tuple[int, int]
    sleeping: bool
    inventory: Sequence[int]
    step: int
    words: Vocabulary | None = None

    def futures(self, streams: Iterable[int]) -> Snapshot:
        """The same state once for each stream; equal stream numbers have equal futures."""
        seeds = tuple(streams)
        envs = np.repeat(self.record(), len(seeds))
        envs["stream"] = np.array([_stream(seed) for seed in seeds], STREAM_DTYPE)
        return Snapshot(envs)

    def record(self) -> NDArray[np.void]:
        """One record of ``layout.env_dtype``, without a random stream."""
        envs = np.zeros(1, env_dtype(CAPACITY, self.words))
        env: Any = envs[0]
        write_materials(env, slice(0, AREA), slice(0, AREA), self.materials)
        env["step"] = self.step
        env["seed"] = env["episode"] = 1
        player = env["player"]
        player["x"], player["y"] = self.position
        player["facing_x"], player["facing_y"] = self.facing
        player["kind"], player["sleeping"] = PLAYER, self.sleeping
        player["inventory"][: len(self.inventory)] = self.inventory
        player["wake_health"] = env["paid_health"] = min(MAXIMUM, self.inventory[0])
        player["achievements"] = 1
        for number, thing in enumerate(self.things[: CAPACITY // 2]):
            record = env["things"][number]
            for name, value in thing.items():
                if name in ("x", "y"):
                    env[f"thing_{name}"][number] = value
                else:
                    record[name] = value
            record["entered"] = number + 1
            settle(env, record, thing["x"], thing["y"])
            env["num_things"] += 1
        env["next_entered"] = len(self.things) + 1
        settle(env, player, *self.position)
        grass, path = _in_chunks(self.materials == GRASS), _in_chunks(self.materials == PATH)
        env["chunks"]["grass"], env["chunks"]["path"] = grass, path
        return envs


def settle(env: Any, mover: Any, x: int, y: int) -> None:
    """Enter the player or a thing in the derived fields of the map and of its chunk."""
    env["cells"][BORDER + x, BORDER + y] |= int(mover["kind"]) << 4
    number = mover["chunk"] = x // CHUNK * CHUNKS_ACROSS + y // CHUNK
    chunk = env["chunks"][number]
    chunk["things"][mover["kind"]] += 1
    if not chunk["known"]:
        chunk["known"] = True
        env["known"][env["num_known"]] = number
        env["num_known"] += 1


def _in_chunks(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """int64[36]: number of cells of each chunk in a mask."""
    side = CHUNKS_ACROSS * CHUNK
    whole = np.zeros((side, side), np.int64)
    whole[:AREA, :AREA] = mask
    blocks = whole.reshape(CHUNKS_ACROSS, CHUNK, CHUNKS_ACROSS, CHUNK)
    counts: NDArray[np.int64] = blocks.sum(axis=(1, 3)).ravel()
    return counts


@cache
def stream_table(number: int) -> NDArray[np.void]:
    """Records of ``layout.STREAM_DTYPE``, read-only: the random streams 0 .. number - 1."""
    streams = np.array([_stream(seed) for seed in range(number)], STREAM_DTYPE)
    streams.flags.writeable = False
    return streams


@cache
def _stream(seed: int) -> np.void:
    streams = np.zeros(1, STREAM_DTYPE)
    seed_stream(streams[0], seed)
    stream: np.void = streams[0]
    return stream
