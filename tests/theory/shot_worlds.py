"""Worlds in which the player and creatures shoot, and play in them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from mars_logic.data import Trajectory
from mars_logic.play.agent import Episode
from mars_logic.play.recording import record
from mars_logic.sim import Observation, Simulator
from mars_logic.system.resources import folder
from mars_logic.world.load import load_world, parse_theory
from mars_logic.world.theory import World

_HEAD: Final = """\
base: default
length: 150
adds:
  materials: {rack: {looks: station}, moss: {looks: ground}, glass: {looks: station}}
  items: [bow, shaft, pebble]
  creatures:
    boar: {health: 6, ground: [path]}
    archer: {health: 5, ground: [path]}
  projectiles: [bolt]
walk: {moss: {walkable: false}, water: {walkable: false}, lava: {walkable: false}}
collect: {rack: {yields: {bow: 1, shaft: 9, pebble: 9}, leaves: path}}
"""
ARCHERY: Final = (
    "name: archery\n"
    + _HEAD
    + """\
map:
  drawn: |
    #################
    #R..B....A......#
    #......~........#
    #.@RB..m..G.B.R.#
    #......~..B.....#
    #...BR..T....B..#
    #R..B.....m..L..#
    #################
  legend:
    "#": stone
    R: rack
    ".": path
    "~": water
    m: moss
    G: glass
    T: tree
    L: lava
    A: {material: path, creature: archer}
    B: {material: path, creature: boar}
    "@": {material: path, player: true}
projectile:
  arrow: {speed: 2, range: 5, harm: -1, damage: 3, over: [water], breaks: {glass: moss, tree: path}}
  bolt: {speed: 1, range: 4, harm: -2, damage: 2, over: [water, moss], breaks: {table: path}}
shoot:
  arrow: {requires: {bow: 1}, uses: {shaft: 1}}
  bolt: {uses: {pebble: 1}}
behaviour:
  archer:
    cases:
      - {act: shoot, projectile: bolt, within: 6, chance: 0.5}
      - {act: wander, chance: 0.5}
  boar: {cases: [{act: wander, chance: 0.05}]}
"""
)
SLINGS: Final = (
    "name: slings\n"
    + _HEAD
    + """\
map:
  drawn: |
    #################
    #R..G....#......#
    #....B....A.....#
    #.@RB..m..G..R..#
    #.B....B........#
    #..~.B....T..B..#
    #R......G...R...#
    #################
  legend:
    "#": stone
    R: rack
    ".": path
    "~": water
    m: moss
    G: glass
    T: tree
    A: {material: path, creature: archer}
    B: {material: path, creature: boar}
    "@": {material: path, player: true}
projectile:
  arrow: {speed: 1, damage: 2, over: [moss], breaks: {tree: moss}}
  bolt: {speed: 2, range: 6, harm: 0, damage: 6, over: [], breaks: {glass: path, stone: path}}
shoot:
  arrow: {requires: {bow: 1}, uses: {shaft: 1}}
  bolt: {requires: {bow: 1, shaft: 1}, uses: {pebble: 1}}
creature: {archer: {arrow_health_factor: -1}}
behaviour:
  archer:
    cases:
      - {act: shoot, within: 5, chance: 0.6}
      - {act: approach, beyond: 3, chance: 0.5}
  boar: {cases: [{act: stay}]}
"""
)


def shot_world(text: str) -> World:
    """One of these worlds."""
    return parse_theory(text, "shots.yaml").to_world()


def craftax() -> World:
    """The bundled one in which the player shoots."""
    return load_world(str(folder("worlds") / "gallery" / "craftax_light.yaml"))


_TARGETS: Final = (2, 3, 4, 12, 13)
"""The looks of creatures: those of the dialect, and the first two that a world adds."""


class Archer:
    """Takes what there is on the racks, walks about, and shoots at creatures in line and else."""

    def __init__(self, first: Sequence[str] = ("move_right", "do")) -> None:
        self._begins = first

    def begin(self, episode: Episode) -> None:
        self._random = Random(episode.seed)
        self._names = episode.actions
        self._shots = [name for name in episode.actions if name.startswith("shoot_")]
        moves = [name for name in episode.actions if name.startswith("move_")]
        self._deeds = [*self._shots * (4 // len(self._shots)), *moves * 2, "move_right"]
        self._deeds += ["do", "do", "noop", "noop", "noop"]
        self._first = [*self._begins]
        if episode.seed % 3 == 0:  # shots of its own hide what happens to it
            self._first, self._shots, self._deeds = [], [], [*moves, "noop"]

    def act(self, observation: Observation) -> int:
        if self._first:
            return self._names.index(self._first.pop(0))
        return self._names.index(self._aim(observation) or self._random.choice(self._deeds))

    def _aim(self, observation: Observation) -> str | None:
        """Go to a creature in the same row, and shoot at it from two cells away."""
        row = observation.objects[0, :, 3].astype(int)
        there = [x - 4 for x in range(9) if row[x] in _TARGETS]
        if not self._shots or not there or self._random.random() < 0.1:
            return None
        nearest = min(there, key=abs)
        way = 1 if nearest > 0 else -1
        if abs(nearest) < 3 and tuple(observation.facing[0]) == (way, 0):
            return self._random.choice([*self._shots, "noop"])
        return "move_right" if way > 0 else "move_left"

    def end(self, episode: Episode) -> None:
        pass


TO_SHAFTS: Final = (
    *["move_up"] * 3,
    *["move_left", "do"] * 3,
    *["move_down", "move_left", "do"],
    *["move_down"] * 4,
    *["do", "move_down", "move_left", "do", "move_down", "do", "move_right", "move_down", "do"],
    *["move_up", "move_up", "move_right", "place_table", "make_wood_pickaxe", "make_bow"],
    *["move_up", "do", "move_up", "do", "move_left", "do", *["make_shaft"] * 3],
)
"""How the player gets a bow and shafts in ``craftax_light``, if nothing stands in its way."""


def shot_play(
    world: World, seeds: range, first: Sequence[str] = ("move_right", "do")
) -> list[Trajectory]:
    """Recorded episodes that begin with some actions."""
    simulator = Simulator(world)
    return [record(Archer(first), simulator, seed, agent_name="test")[1] for seed in seeds]
