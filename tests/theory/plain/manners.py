"""What can be seen of how creatures behave: where they go, whether they shoot, whom they spare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from mars_logic.data.trajectory import CENTRE, VIEW, Trajectory
from mars_logic.theory.signatures import Motion, Moved, Shot, Signature, Unharmed
from mars_logic.world import names
from tests.theory.plain.readings import STAYED, UNCLEAR, Reading

BALANCE_PERIOD: Final = 10
"""Every so many steps, creatures come and go."""
REST: Final = 5
"""A creature that attacks waits this many steps, at most, before it hits."""
SIDES: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))
_MOST = 9
_DISC = [(x, y) for x in range(-2, 3) for y in range(-2, 3) if 0 < abs(x) + abs(y) <= 2]
_MOVERS = {names.LOOKS.index(name): name for name in names.CREATURES}
_BITERS = _MOVERS | {names.LOOKS.index("ripe_plant"): "plant"}
_ARROW, _PLAYER = names.LOOKS.index("arrow"), names.LOOKS.index("player")

Cell = tuple[int, int]


def balanced(t: int) -> bool:
    """Whether creatures may have come and gone at the end of a transition."""
    return (t + 1) % BALANCE_PERIOD == 0


def manners(trajectory: Trajectory, reading: Reading) -> Iterator[tuple[int, Signature]]:
    """The signatures of creatures, each with its step."""
    watcher = _Watcher(trajectory, reading)
    objects = trajectory.views.kinds
    there = np.asarray((objects > _PLAYER).any(axis=(1, 2)))
    for t in np.flatnonzero(there[:-1] | there[1:]).tolist():
        if reading.shift[t] != UNCLEAR:
            for signature in watcher.at(t):
                yield t + 1, signature


class _Watcher:
    """Watches the creatures of one trajectory."""

    def __init__(self, trajectory: Trajectory, reading: Reading) -> None:
        self._reading = reading
        self._materials = trajectory.views.materials
        self._objects = trajectory.views.kinds
        self._health = trajectory.views.inventory[:, 0].tolist()
        self._direction: list[list[int]] = reading.direction.tolist()
        self._spared: dict[Cell, tuple[int, int, int]] = {}
        """Beside the player: since which transition which kind has spared it, and until when."""
        self._full: int = -1
        """The last transition in which health could not be seen to grow."""

    def at(self, t: int) -> Iterator[Signature]:
        """What a transition shows; asked in order."""
        moved = self._reading.shift[t] != STAYED
        dx, dy = self._direction[t] if moved else (0, 0)
        before, after = self._objects[t].tolist(), self._objects[t + 1].tolist()
        for x, y in np.argwhere(self._objects[t + 1] > _PLAYER).tolist():
            cells = [(x + dx + sx, y + dy + sy) for sx, sy in ((0, 0), *SIDES)]
            if all(map(_in_view, cells)):
                here, *beside = (before[cx][cy] for cx, cy in cells)
                yield from self._news(t, after[x][y], here, beside, cells[0])
        if not balanced(t):
            for x, y in np.argwhere(self._objects[t] > _PLAYER).tolist():
                if before[x][y] in _MOVERS:
                    yield from self._motion(t, (x, y), (dx, dy), before, after)
        if not moved:
            yield from self._unharmed(t, before, after)

    def _target(self, t: int) -> Cell:
        dx, dy = self._direction[t]
        return CENTRE[0] + dx, CENTRE[1] + dy

    def _acts(self, t: int) -> str:
        return str(names.ACTIONS[self._reading.action[t]])

    def _news(
        self, t: int, thing: int, here: int, beside: list[int], cell: Cell
    ) -> Iterator[Signature]:
        """A new arrow, or a creature that changed its place."""
        if thing == _ARROW:
            if _ARROW not in beside:
                seen = {names.LOOKS[code].removeprefix("ripe_") for code in beside}
                yield Shot(tuple(name for name in names.BEINGS if name in seen))
        elif thing in _MOVERS and here != thing:
            appeared = balanced(t) or (self._acts(t) == "do" and self._target(t) == cell)
            if not appeared:
                yield Moved(_MOVERS[thing])

    def _motion(self, t: int, cell: Cell, shift: Cell, before: Any, after: Any) -> Iterator[Motion]:
        """How a creature moved that nothing hindered: it is alone, on ground all of one kind."""
        x, y = cell
        player = CENTRE[0] + shift[0], CENTRE[1] + shift[1]
        busy = self._acts(t) == "do" or self._acts(t).startswith("place")
        kept_off = (CENTRE, player, self._target(t)) if busy else (CENTRE, player)
        around = [(x + dx, y + dy) for dx, dy in _DISC]
        if not all(map(_in_view, around)) or any(_distance(cell, other) < 2 for other in kept_off):
            return
        if any(before[cx][cy] > _PLAYER for cx, cy in around):
            return
        ground = {int(self._materials[t, x + dx, y + dy]) for dx, dy in SIDES}
        ends = [(x + dx - shift[0], y + dy - shift[1]) for dx, dy in (*SIDES, (0, 0))]
        if len(ground) != 1 or not all(map(_in_view, ends)):
            return
        kind = before[x][y]
        found = [place for place, (cx, cy) in enumerate(ends) if after[cx][cy] == kind]
        (material,) = ground
        if len(found) == 1 and names.MATERIALS[material] in names.NATURAL:
            way = (player[0] - x, player[1] - y)
            yield Motion(_MOVERS[kind], names.MATERIALS[material], way, found[0])

    def _unharmed(self, t: int, before: Any, after: Any) -> Iterator[Unharmed]:
        """Creatures that stood beside the player for so long that they would have hit it."""
        health = self._health[t] + int(self._reading.needs.health[t])
        if min(health, _MOST) >= _MOST:
            self._full = t
        quiet = self._quiet(t, after) and self._health[t + 1] == min(_MOST, health) > 0
        for dx, dy in SIDES:
            x, y = cell = CENTRE[0] + dx, CENTRE[1] + dy
            kind = before[x][y]
            alone = not any(before[x + sx][y + sy] == kind for sx, sy in SIDES)
            if not quiet or kind not in _BITERS or after[x][y] != kind or not alone:
                self._spared.pop(cell, None)
                continue
            since, known, last = self._spared.get(cell, (t, kind, t - 1))
            if known != kind or last != t - 1:
                since = t
            self._spared[cell] = since, kind, t
            if t - since >= REST:
                yield Unharmed(_BITERS[kind], self._full < t - REST)

    def _quiet(self, t: int, after: Any) -> bool:
        """Whether nothing but one creature could have changed health."""
        near = int(self._reading.near[t].sum())
        if near != 1 or self._reading.arrows[t]:
            return False
        action = self._acts(t)
        if action != "do":
            return not action.startswith("move")
        thing = int(self._reading.object[t])
        if thing:
            x, y = self._target(t)
            return bool(after[x][y] == thing) and names.LOOKS[thing] in names.CREATURES
        return names.MATERIALS[self._reading.target[t]] not in names.LIQUIDS


def _in_view(cell: Cell) -> bool:
    return 0 <= cell[0] < VIEW[0] and 0 <= cell[1] < VIEW[1]


def _distance(one: Cell, other: Cell) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
