"""Reads encoded frames, in as plain a way as can be."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True)
class Moments:
    """An episode with a whole map for each moment; fields as in `frames.Frames`."""

    cells: Array
    x: Array
    y: Array
    pose: Array
    daylight: Array
    inventory: Array
    action: Array
    reward: Array


def decoded(data: bytes) -> Moments:
    raw = zlib.decompress(data)
    magic, steps, changes, items = struct.unpack_from("<4sIII", raw)
    assert magic == b"MLF2"
    at = 16

    def column(kind: str, *shape: int) -> Array:
        nonlocal at
        found = np.frombuffer(raw, kind, int(np.prod(shape)), at).reshape(shape)
        at += found.nbytes
        return found

    cells = [column("<u2", 64, 64)]
    counts, places, values = column("<u2", steps), column("<u2", changes), column("<u2", changes)
    rest = [column("u1", steps + 1) for _ in range(4)]
    inventory, action, reward = (
        column("u1", items, steps + 1),
        column("u1", steps),
        column("<f4", steps),
    )
    assert at == len(raw)
    start = 0
    for count in counts:
        after = cells[-1].copy()
        for i in range(start, start + int(count)):
            after[places[i] // 64, places[i] % 64] = values[i]
        start += int(count)
        cells.append(after)
    return Moments(np.stack(cells), *rest, inventory, action, reward)
