"""Biome navigation in words; observations as SmartPlay's descriptor has them.

Source: SmartPlay (Wu et al., ICLR 2024), appendix on Minecraft, and its released code. The fields
and their order are as there: coordinates, facing, pitch, the block aimed at; around the player, of
each kind of block the component whose centre is nearest; in view, of each component the nearest
ray, above, at or below the level of the eyes, its compass label and its share of the rays.

On purpose it is not as in the code that compass labels are right (there they are turned by half a
circle; ``legacy_labels`` turns them so), and that the height of a ray follows from its angle.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from mars_logic.domains.biomes.blocks import AIR, BLOCKS
from mars_logic.domains.biomes.components import components
from mars_logic.domains.biomes.engine import AROUND, FACINGS, RAY_STEP, RAYS, Sight
from mars_logic.domains.biomes.rules import GOALS, BiomeNavigation
from mars_logic.domains.telling import number, value

ACTIONS: Final = tuple(f"walk {facing}" for facing in FACINGS)
TEXT_LIMIT: Final = 32_000
"""Characters of the longest observation."""
_COMPASS: Final = (
    "north",
    "north-east",
    "east",
    "south-east",
    "south",
    "south-west",
    "west",
    "north-west",
)
_LEVEL: Final = RAY_STEP / 2
"""Degrees up or down within which a ray counts as level."""


def manual(game: BiomeNavigation) -> str:
    """What a player is told before an episode."""
    lines = [
        f"You are in a large world of blocks. Find a biome of this kind: {game.goal}.",
        f"There is one within {game.within} blocks of where you start.",
        "An action turns you to a side and walks about twelve blocks, less through water; a walk "
        "ends where something is in the way.",
        "You climb one block at a time, and swim.",
        f"You have {number(game.length, 'action')}. The game ends when you stand in the biome.",
        "",
        "Actions:",
        *(f"{place}. {name}" for place, name in enumerate(ACTIONS, 1)),
    ]
    return "\n".join(lines)


def rules(theory: BiomeNavigation) -> list[str]:
    """The rules, one sentence each."""
    names = ", ".join(GOALS[theory.goal]).replace("*_", "any … ").replace("*", "any …")
    return [
        f"The goal is {theory.goal}: one of the biomes {names}.",
        f"The map is one of {number(theory.maps, 'map')} of the engine {value(theory.engine)}.",
        f"A biome of the goal lies within {theory.within} blocks of the start.",
        "A walk has 10 to 14 blocks, each as likely, half as many in water, and swerves by at most "
        "a block.",
        f"Compass labels of what is seen are {theory.labels}.",
        f"An episode has {number(theory.length, 'action')}.",
    ]


def facts(theory: BiomeNavigation) -> str:
    """The rules as facts."""
    return (
        f"length({theory.length}).\ngoal({theory.goal}).\nengine({theory.engine}).\n"
        f"maps({theory.maps}).\nwithin({theory.within}).\nlabels({theory.labels}).\n"
    )


def observation(
    sight: Sight,
    position: tuple[int, int, int],
    facing: int,
    action: int,
    *,
    legacy_labels: bool,
) -> str:
    """What a player sees.

    Args:
        sight: What is seen.
        position: Of the feet.
        facing: The place in ``FACINGS``.
        action: The last action; -1 before the first.
        legacy_labels: Whether compass labels of rays are turned by half a circle.
    """
    x, y, z = position
    middle = RAYS // 2
    front = int(sight.block[middle, middle])
    aimed = "nothing" if front == AIR else BLOCKS[front]
    parts = [
        *([f"You took action {ACTIONS[action]}."] if action >= 0 else []),
        f"You are at x {x}, height {y}, z {z}, facing {FACINGS[facing]}, looking straight ahead, "
        f"at {aimed}.",
        "\n".join(["Around you:", *_around(sight)]),
        "\n".join(["You see:", *_seen(sight, facing, legacy_labels=legacy_labels)]),
    ]
    return "\n\n".join(parts)


def _around(sight: Sight) -> Iterator[str]:
    """Of each kind of block around the player, the component with the nearest centre."""
    labels, many = components(sight.around, diagonal=False)
    places = np.indices(sight.around.shape).reshape(3, -1)
    flat = labels.ravel() - 1
    counts = np.bincount(flat, minlength=many)
    here = np.array([AROUND // 2, 1, AROUND // 2])
    centres = np.stack([np.bincount(flat, axis, many) / counts for axis in places], 1) - here
    kinds = np.zeros(many, np.int64)
    kinds[flat] = sight.around.ravel()
    far = np.linalg.norm(centres, axis=1)
    for kind in np.unique(kinds):
        if kind == AIR:
            continue
        mine = np.flatnonzero(kinds == kind)
        best = mine[np.argmin(far[mine])]
        dx, dy, dz = centres[best]
        side = _compass(np.degrees(np.arctan2(dx, -dz))) if abs(dx) + abs(dz) > 0.5 else "here"
        level = "above" if dy > 1 else "below" if dy < 0 else "at your level"
        yield f"- {BLOCKS[kind]}: {far[best]:.0f} blocks away, {side}, {level}"


def _seen(sight: Sight, facing: int, *, legacy_labels: bool) -> Iterator[str]:
    """Of each component in view, its nearest ray and its share; the nearest components first."""
    labels, many = components(sight.block, diagonal=True)
    lines = []
    for component in range(1, many + 1):
        rows, columns = np.nonzero(labels == component)
        kind = int(sight.block[rows[0], columns[0]])
        if kind == AIR:
            continue
        nearest = int(np.argmin(sight.distance[rows, columns]))
        row, column = rows[nearest], columns[nearest]
        far = int(sight.distance[row, column])
        pitch = (RAYS // 2 - row) * RAY_STEP
        yaw = facing * 90 + (column - RAYS // 2) * RAY_STEP + 180 * legacy_labels
        level = "above" if pitch > _LEVEL else "below" if pitch < -_LEVEL else "level with"
        share = 100 * len(rows) / RAYS**2
        told = f"- {BLOCKS[kind]}: {far} blocks away, {level} you, {_compass(yaw)}, {share:.0f} %"
        lines.append((far, -len(rows), told))
    yield from (told for *_, told in sorted(lines)) if lines else ["- nothing but the sky"]


def _compass(degrees: float) -> str:
    """The nearest of eight directions; 0 is the north, 90 the east."""
    return _COMPASS[round(degrees / 45) % 8]
