"""States made by hand: edit a snapshot, then restore it.

For tests, experiments and puzzles: the simulator continues from any scene by the world's rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.sim.board import OLDEST
from mars_logic.sim.codes import ARROW, GRASS, NONE, PATH, PLAYER
from mars_logic.sim.imagined_state import settle
from mars_logic.sim.layout import BORDER, CHUNKS_ACROSS
from mars_logic.sim.snapshot import Snapshot, copy_envs
from mars_logic.sim.state import write_materials
from mars_logic.sim.traces import BARE
from mars_logic.world.dialect import AREA, CHUNK, MAXIMUM
from mars_logic.world.fields import nearest
from mars_logic.world.vocabulary import Vocabulary, vocabulary

_COLUMNS: Final = AREA + 2 * BORDER
"""Of the map with its border."""


class Scene:
    """An editable copy of one environment of a snapshot.

    Every method returns the scene, so that edits can be written one after the other.

    Example:
        >>> import mars_logic
        >>> from mars_logic.sim import Scene, Simulator
        >>> simulator = Simulator(mars_logic.load_world("crafter"))
        >>> simulator.reset(seed=1)
        >>> scene = Scene(simulator.snapshot()).clear("grass").put("cow", 33, 32, health=1)
        >>> simulator.restore(scene.player(facing=(1, 0)).snapshot())
        >>> simulator.step(5).reward
        array([1.])
    """

    def __init__(self, snapshot: Snapshot, env: int = 0, words: Vocabulary | None = None) -> None:
        """Copy an environment of a snapshot.

        Args:
            snapshot: The snapshot.
            env: The number of the environment.
            words: The vocabulary of the world, Crafter's by default.

        Raises:
            ValueError: The snapshot has no such environment.
        """
        self._words = words or vocabulary("crafter")
        if not 0 <= env < len(snapshot):
            raise ValueError(f"env must be 0 to {len(snapshot) - 1}, not {env}")
        self._envs: NDArray[np.void] = copy_envs(snapshot.envs[env : env + 1])
        self._env: Any = self._envs[0]

    def snapshot(self) -> Snapshot:
        """The scene as a snapshot of one environment."""
        return Snapshot(copy_envs(self._envs))

    def clear(self, material: str) -> Scene:
        """Fill the map with one material, and remove all objects but the player.

        Raises:
            ValueError: There is no such material.
        """
        self._env["cells"][BORDER:-BORDER, BORDER:-BORDER] = 0
        self._lay(material, slice(0, AREA), slice(0, AREA))
        self._env["num_things"] = 0
        return self._derive()

    def fill(self, material: str, x: int, y: int, width: int = 1, height: int = 1) -> Scene:
        """Set the material of a block of cells, without marks and new; things on them stay.

        Raises:
            ValueError: There is no such material, or the block leaves the map.
        """
        _require_inside(x, y)
        _require_inside(x + width - 1, y + height - 1)
        self._lay(material, slice(x, x + width), slice(y, y + height))
        return self._derive()

    def age(self, steps: int, x: int, y: int) -> Scene:
        """Let a cell have had its material for some steps, in a world with timers."""
        _require_inside(x, y)
        marks = self._env["marks"]
        if len(marks) == 2 * _COLUMNS:  # ages follow the materials
            marks[_COLUMNS + x + BORDER, y + BORDER] = min(steps, OLDEST)
        return self

    def put(self, kind: str, x: int, y: int, **counters: int) -> Scene:
        """Put a new object on an empty cell, as the last in the order of creation.

        Args:
            kind: cow, zombie, skeleton, arrow, plant, or one that the world adds.
            x: Its column.
            y: Its row.
            counters: Fields of OBJECT_DTYPE that are not 0; health is 1 by default.

        Raises:
            ValueError: The kind is none of these, or the cell is outside the map or taken, or the
                environment holds as many objects as its record has room for.
        """
        first = PLAYER + 1
        code = first + _code("object", kind, self._words.objects[first:])
        _require_inside(x, y)
        if self._env["cells"][x + BORDER, y + BORDER] >> 4 != NONE:
            raise ValueError(f"({x}, {y}) is not empty")
        number = int(self._env["num_things"])
        if number == len(self._env["things"]):
            raise ValueError("there is no room for more objects")
        thing = self._env["things"][number]
        for field in thing.dtype.names:
            thing[field] = 0
        thing["kind"] = code
        self._env["thing_x"][number], self._env["thing_y"][number] = x, y
        for field, value in ({"health": 0 if code == ARROW else 1} | counters).items():
            thing[field] = value
        thing["entered"] = self._env["next_entered"]
        self._env["next_entered"] += 1
        self._env["num_things"] += 1
        return self._derive()

    def player(
        self,
        at: tuple[int, int] | None = None,
        facing: tuple[int, int] | None = None,
        inventory: Mapping[str, int] | None = None,
        **fields: Any,
    ) -> Scene:
        """Change the player.

        Args:
            at: Its new place, an empty cell.
            facing: The direction that it looks in.
            inventory: New amounts of some items. Health given here counts as the
                previous health as well: it causes neither damage nor reward.
            fields: sleeping, hunger, thirst, fatigue, recover.

        Raises:
            ValueError: The place is outside the map or taken, there is no such item, or an amount
                is out of range.
        """
        player = self._env["player"]
        if at is not None:
            _require_inside(*at)
            if self._env["cells"][at[0] + BORDER, at[1] + BORDER] >> 4 not in (NONE, PLAYER):
                raise ValueError(f"{at} is not empty")
            player["x"], player["y"] = at
        if facing is not None:
            player["facing_x"], player["facing_y"] = facing
        for item, amount in (inventory or {}).items():
            if not 0 <= amount <= MAXIMUM:
                raise ValueError(f"{item} must be 0 to {MAXIMUM}, not {amount}")
            player["inventory"][_code("item", item, self._words.items)] = amount
            if item == "health":
                player["wake_health"] = self._env["paid_health"] = amount
        for field, value in fields.items():
            player[field] = value
        return self._derive()

    def at_step(self, step: int) -> Scene:
        """Set the number of steps since the reset, and with it the time of day."""
        self._env["step"] = step
        return self

    def _lay(self, material: str, x: slice, y: slice) -> None:
        """Set the material of a block of cells, without marks, and as if it had just come about."""
        write_materials(self._env, x, y, _code("material", material, self._words.materials))
        marks = self._env["marks"]
        columns, rows = (slice(part.start + BORDER, part.stop + BORDER) for part in (x, y))
        if self._words.traced:
            marks[columns, rows] = BARE
        elif len(marks) == 2 * _COLUMNS:  # ages follow the materials
            marks[columns.start + _COLUMNS : columns.stop + _COLUMNS, rows] = 0

    def _derive(self) -> Scene:
        """Recompute the derived fields of a record."""
        env = self._env
        inside = env["cells"][BORDER:-BORDER, BORDER:-BORDER]
        inside &= 15
        env["chunks"]["things"] = 0
        player = env["player"]
        things = zip(env["things"], env["thing_x"], env["thing_y"], strict=True)
        placed = [(player, player["x"], player["y"]), *islice(things, int(env["num_things"]))]
        for mover, x, y in placed:
            settle(env, mover, int(x), int(y))
        for number, chunk in enumerate(env["chunks"]):
            left, top = number // CHUNKS_ACROSS * CHUNK, number % CHUNKS_ACROSS * CHUNK
            materials = inside[left : left + CHUNK, top : top + CHUNK] & 15
            chunk["grass"] = np.count_nonzero(materials == GRASS)
            chunk["path"] = np.count_nonzero(materials == PATH)
        return self


def _code(what: str, name: str, known: Sequence[str]) -> int:
    if name not in known:
        hint = nearest(name, known)
        raise ValueError(f"there is no {what} {name!r}{hint}; allowed: {', '.join(known)}")
    return known.index(name)


def _require_inside(x: int, y: int) -> None:
    if not (0 <= x < AREA and 0 <= y < AREA):
        raise ValueError(f"({x}, {y}) is outside the map")
