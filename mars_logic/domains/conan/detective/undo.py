"""The first map, from a finished one: traces are undone."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.domains.conan.codes import CODE, LAND, OBJECT, REMAINS
from mars_logic.domains.conan.detective.evidence import SceneEvidence
from mars_logic.domains.conan.possible import CREATURES
from mars_logic.world.dialect import AREA

_BECOMES: Final = LAND.copy()
"""uint8[42]: what a code was at first; 0 for what hides its ground."""
for _code, _land in enumerate(LAND.tolist()):
    _BECOMES[_code] = _land or _code
for _left, _was in REMAINS.items():
    _BECOMES[CODE[_left]] = 0 if _was in CREATURES else CODE[_was]
for _thing in ("table", "furnace", "bed"):
    _BECOMES[[CODE[_thing], CODE[f"{_thing}_destroyed"]]] = 0
_UNKNOWN_GROUND: Final = CODE["grass"]
_SPREAD: Final = 2 * AREA
"""Rounds after which every cell has taken over what its nearest known cell is."""


def undone(evidence: SceneEvidence) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """The map before anything happened, and the creatures on it.

    Ground under things and bodies is that of most neighbours; what was not seen is taken for what
    the nearest seen cell is; a killed creature stands where its body lies.

    Args:
        evidence: What is seen.

    Returns:
        uint8[64, 64] of bare codes, and int16[k, 3]: kind, x and y of creatures.
    """
    codes = np.where(evidence.seen, _BECOMES[evidence.codes], 0).astype(np.uint8)
    known = codes > 0
    for x, y in np.argwhere(evidence.seen & ~known):
        codes[x, y] = _ground(codes, int(x), int(y))
    if not evidence.seen.all():
        _fill(codes, evidence.seen.copy())
    return codes, _creatures(evidence)


def _ground(codes: NDArray[np.uint8], x: int, y: int) -> int:
    """The land that most of the eight neighbours have."""
    around = codes[max(x - 1, 0) : x + 2, max(y - 1, 0) : y + 2].ravel()
    lands = around[(around > 0) & (LAND[around] > 0)]
    return int(np.bincount(lands).argmax()) if len(lands) else _UNKNOWN_GROUND


def _fill(codes: NDArray[np.uint8], known: NDArray[np.bool_]) -> None:
    """Let cells that were not seen take over what their neighbours are, outwards."""
    if not known.any():
        codes[:] = _UNKNOWN_GROUND
        return
    for _ in range(_SPREAD):
        if known.all():
            return
        before, values = known.copy(), codes.copy()
        for axis, shift in ((0, 1), (0, -1), (1, 1), (1, -1)):
            near = np.roll(before, shift, axis)
            edge: list[slice | int] = [slice(None), slice(None)]
            edge[axis] = 0 if shift == 1 else -1
            near[tuple(edge)] = False
            taken = near & ~known
            codes[taken] = np.roll(values, shift, axis)[taken]
            known |= taken


def _creatures(evidence: SceneEvidence) -> NDArray[np.int16]:
    found = [
        (int(evidence.objects[x, y]), int(x), int(y))
        for x, y in np.argwhere(evidence.seen & (evidence.objects > 0))
        if OBJECT["cow"] <= evidence.objects[x, y] <= OBJECT["skeleton"]
    ]
    taken = {(x, y) for _, x, y in found}
    for creature in ("cow", "zombie", "skeleton"):
        dead = np.argwhere(evidence.seen & (evidence.codes == CODE[f"{creature}_dead"]))
        found += [(OBJECT[creature], x, y) for x, y in dead.tolist() if (x, y) not in taken]
    return np.array(found, np.int16).reshape(-1, 3)
