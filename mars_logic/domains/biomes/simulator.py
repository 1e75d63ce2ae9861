"""Plays biome navigation: macro actions of a turn and a walk, on the map of an engine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from mars_logic.domains.biomes import descriptor, words
from mars_logic.domains.biomes.blocks import HEADINGS, HEIGHT, LENGTHS, SWERVES
from mars_logic.domains.biomes.engine import BiomeWorld, Sight
from mars_logic.domains.biomes.rules import SPAN, BiomeNavigation, Engine, is_in
from mars_logic.domains.chance import Chance
from mars_logic.domains.protocol import (
    ActionError,
    GameOutcome,
    Observation,
    require_action,
    require_certain,
)
from mars_logic.errors import InputError

STRIDE: Final = 25
"""Blocks between the points at which goals are looked for around a start."""
_TRIES: Final = 2000
_MARGIN: Final = 4
"""Blocks beside a walk that are looked at before it."""


@dataclass(frozen=True)
class WalkState:
    """Everything about an episode.

    Attributes:
        map: The seed of the map.
        start: The two numbers in [0, 1) that determined the start.
        nearest: Blocks from the start to the nearest place of the goal, as the crow flies, to about
            ``STRIDE`` blocks.
        x: Of the player, in blocks to the east.
        y: Of its feet, upward.
        z: In blocks to the south.
        facing: The place in ``FACINGS``.
        biome: The biome that it stands in.
        macros: Actions so far.
        walked: Blocks that it walked or swam so far.
        action: The last action; -1 before the first.
        length: The place in ``LENGTHS`` of what was drawn for it, and of ``swerve`` in ``SWERVES``.
        swerve: See there.
        completed: Whether the goal is reached.
    """

    map: int
    start: tuple[float, float]
    nearest: int
    x: int
    y: int
    z: int
    facing: int
    biome: str
    macros: int = 0
    walked: int = 0
    action: int = -1
    length: int = 0
    swerve: int = 0
    completed: bool = False


@lru_cache(maxsize=8)
def open_world(engine: Engine, seed: int) -> BiomeWorld:
    """The map of a seed.

    Raises:
        InputError: The engine is not installed, or does not start.
    """
    if engine == "columns":
        from mars_logic.domains.biomes.columns import ColumnWorld

        return ColumnWorld(seed)
    from mars_logic.domains.biomes.minetest import minetest_world

    return minetest_world(seed)


class BiomeSimulator:
    """A walk; call :meth:`reset` before anything else.

    Args:
        game: The rules.

    Raises:
        InputError: A field of the rules is open.
    """

    actions = words.ACTIONS

    def __init__(self, game: BiomeNavigation) -> None:
        require_certain(game)
        self.game = game
        self._state: WalkState | None = None
        self._seen: tuple[WalkState, Sight] | None = None

    @property
    def manual(self) -> str:
        """What a player is told."""
        return words.manual(self.game)

    @property
    def score(self) -> int:
        """1 once the goal is reached."""
        return int(self._state is not None and self._state.completed)

    def reset(self, chance: Chance) -> None:
        """Draw a map and a start: on land, not in a biome of the goal, with one in reach.

        Raises:
            InputError: No such start was found.
        """
        maps = self.game.maps
        seed = chance.weighted("map", (1 / maps,) * maps) + 1
        for _ in range(_TRIES):
            place = chance.uniform("east"), chance.uniform("south")
            found = self._start(seed, place)
            if found is not None:
                self._state = found
                return
        message = f"no start with the goal within {self.game.within} blocks was found"
        raise InputError(f"{self.game.name}: within: {message}; allowed: more")

    def _start(self, seed: int, place: tuple[float, float]) -> WalkState | None:
        """An episode that begins at a place of a map; None if none may."""
        world = open_world(self.game.engine, seed)
        x, z = (int((2 * each - 1) * SPAN) for each in place)
        (index,) = world.survey(x, z, 1, 1, 1).ravel()
        if self._is_goal(world.biomes[index]) or is_in("ocean", world.biomes[index]):
            return None
        nearest = self._nearest(world, x, z)
        if nearest is None:
            return None
        here = world.ground(x, z, 1, 1, None)
        biome = world.biomes[here.biome[0, 0]]
        if self._is_goal(biome) or here.wet[0, 0]:
            return None
        return WalkState(seed, place, nearest, x, int(here.height[0, 0]), z, 0, biome)

    def _nearest(self, world: BiomeWorld, x: int, z: int) -> int | None:
        """The distance to the nearest place of the goal; None if there is none in reach."""
        reach = self.game.within // STRIDE
        size = 2 * reach + 1
        edge = reach * STRIDE
        found = world.survey(x - edge, z - edge, size, size, STRIDE)
        wanted = np.array([self._is_goal(name) for name in world.biomes])
        places = np.argwhere(wanted[found]) - reach
        distances = STRIDE * np.hypot(places[:, 0], places[:, 1])
        if not len(distances) or distances.min() > self.game.within:
            return None
        return int(distances.min())

    def _is_goal(self, biome: str) -> bool:
        return is_in(self.game.goal, biome)

    def step(self, action: int, chance: Chance) -> GameOutcome:
        """Turn and walk; the walk ends where it reaches the goal, or cannot go on.

        Raises:
            ActionError: There is no such action, or the goal is reached.
        """
        require_action(action, self.actions)
        state = self.snapshot()
        if state.completed:
            raise ActionError("action: the episode is over; allowed: a reset")
        length = chance.weighted("length", (1 / len(LENGTHS),) * len(LENGTHS))
        swerve = chance.weighted("swerve", (1 / len(SWERVES),) * len(SWERVES))
        self._state = replace(
            self._walk(state, action, LENGTHS[length], SWERVES[swerve]),
            facing=action,
            macros=state.macros + 1,
            action=action,
            length=length,
            swerve=swerve,
        )
        done = self._state.completed
        return GameOutcome(int(done), done, self.score, done)

    def _walk(self, state: WalkState, facing: int, time: int, swerve: int) -> WalkState:
        """Where a walk ends."""
        world = open_world(self.game.engine, state.map)
        reach = LENGTHS[-1] + _MARGIN
        size = 2 * reach + 1
        x0, z0 = state.x - reach, state.z - reach
        ground = world.ground(x0, z0, size, size, state.y)
        dx, dz = HEADINGS[facing]
        aside = swerve or 1
        left, swerve_at = 2 * time, time  # in halves of a step on land
        while left > 0:
            steps = [(dx, dz), (-dz * aside, dx * aside)]
            if swerve and left <= swerve_at:
                steps, swerve = steps[::-1], 0
            for ax, az in steps:
                a, b = state.x + ax - x0, state.z + az - z0
                if not (0 <= a < size and 0 <= b < size):
                    continue
                if not ground.blocked[a, b] and ground.height[a, b] <= state.y + 1:
                    break
            else:
                break
            left -= 4 if ground.wet[a, b] else 2
            biome = world.biomes[ground.biome[a, b]]
            state = replace(
                state,
                x=x0 + a,
                y=int(ground.height[a, b]),
                z=z0 + b,
                biome=biome,
                walked=state.walked + 1,
                completed=self._is_goal(biome),
            )
            if state.completed:
                break
        return state

    def _sight(self) -> Sight:
        state = self.snapshot()
        if self._seen is None or self._seen[0] != state:
            world = open_world(self.game.engine, state.map)
            self._seen = state, world.look(state.x, state.y, state.z, state.facing)
        return self._seen[1]

    def observe(self) -> Observation:
        """Where the player is, and what it sees; see ``engine.Sight``.

        ``front`` is the block that the middle ray meets. No biome is told but in ``completed``.
        """
        state, sight = self.snapshot(), self._sight()
        middle = len(sight.block) // 2
        return {
            "x": state.x,
            "y": max(-HEIGHT, min(HEIGHT, state.y)),
            "z": state.z,
            "facing": state.facing,
            "macros": state.macros,
            "completed": int(state.completed),
            "front": int(sight.block[middle, middle]),
            "distance": tuple(map(int, sight.distance.ravel())),
            "block": tuple(map(int, sight.block.ravel())),
            "around": tuple(map(int, sight.around.ravel())),
        }

    def text(self) -> str:
        """What the player sees, as SmartPlay's descriptor tells it."""
        state = self.snapshot()
        position = state.x, state.y, state.z
        legacy = self.game.legacy_labels
        return descriptor.observation(
            self._sight(), position, state.facing, state.action, legacy_labels=legacy
        )

    def snapshot(self) -> WalkState:
        """The state.

        Raises:
            ValueError: There was no reset yet.
        """
        if self._state is None:
            raise ValueError("this game was not reset")
        return self._state

    def restore(self, snapshot: Any) -> None:
        """Go back to a state."""
        self._state = snapshot
