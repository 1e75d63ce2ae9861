"""The terrain of an abstract plan: zones, ways into them, and cells that can be faced.

Reachable zones after the application of some rules are defined as in ``encodings/reach/access.lp``,
numbers of cells of each material that can be faced as in ``encodings/reach/cells.lp``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache

from mars_logic.logic.rule_atoms import MILLION
from mars_logic.logic.solve import Relations

GLANCE, OUTSET, AWAY = "glance", "outset", "away"
"""Stages of a play: before the player turns, before it moves, and from then on.

Stages before the last exist only where an interaction is possible in them alone; see
``encodings/reach/outset.lp``.
"""


@dataclass(frozen=True)
class Reach:
    """Zones and cells within reach after the application of some rules.

    Attributes:
        zones: The zones that the player can enter.
        beside: The zones to a cell beside which it gets.
        cells: Number of cells of each material that it can face.
        loose: Number of these, of ground, whose removal disconnects nothing.
    """

    zones: frozenset[str]
    beside: frozenset[str]
    cells: Mapping[str, int]
    loose: Mapping[str, int]


class Ground:
    """The zones of a map at one level of certainty, and the ways into them."""

    def __init__(self, relations: Relations, level: str):
        """Read the zones from the relations of a level.

        Args:
            relations: The relations of the reachability model.
            level: A level of certainty.
        """
        self.relations = relations
        self.material = dict(_pairs(relations["made_of"]))
        self.beside = _grouped(relations["borders"])
        self.holds = {zone: int(number) for zone, number in relations["holds"]}
        self.around = _grouped(relations["within"])
        self.leaves = dict(_pairs(relations["leaves"]))
        self.puts = dict(_pairs(relations["puts"]))
        self.where = _grouped(relations["where"])
        self.laying: defaultdict[str, set[str]] = defaultdict(set)
        for material, left in self.leaves.items():
            if left != material:
                self.laying[left].add(f"collect({material})")
        for thing, put in self.puts.items():
            self.laying[put].add(f"place({thing})")
        self.nearby = _grouped(relations["nearby"])
        self.spots = _grouped(relations["spot"])
        self.walkable = _at(relations["walk"], level)
        self.spare = _at(relations["spare"], level)
        self.expendable = _at(relations["expendable"], level)
        self.survived = _at(relations["survives"], level)
        self.turns = any(row[0] == level for row in relations["turns"])
        self.ahead = {row[0] for row in relations["ahead"]}
        self.first = self.ahead | {row[0] for row in relations["first" if self.turns else "ahead"]}
        self.at_hand = {
            zone: int(number) if self.turns else int(zone in self.ahead)
            for zone, number in relations["at_hand"]
        }
        ground = {row[0] for row in relations["walkable"]}
        harmful, ample = ground - self.walkable, {row[0] for row in relations["ample"]}
        self.traps = {
            zone for zone, of in self.material.items() if of in harmful and zone not in ample
        }
        self.obstacles = {
            zone for zone, material in self.material.items() if material not in ground
        }
        self.walked_onto = ground
        self.forsaken = bool(relations["forsaken"])
        self.stages = [
            *([GLANCE] if relations["fleeting"] else []),
            *([OUTSET] if self.forsaken else []),
            AWAY,
        ]
        # Facing ground takes a run-up; anything else can be faced from any cell beside it.
        self.fronts = _counted(relations["front"], set(self.material) - self.obstacles)
        self.loose = _counted(relations["loose"], set(self.material) - self.obstacles)
        self.edges = _counted(relations["edge"], self.obstacles)
        self.past = {row[0] for row in relations["past"]}
        free, some = ({row[0] for row in relations[name]} for name in ("free", "past_one_of"))
        if all(self.material.get(zone) in free for zone in some):
            self.past |= some
        self.escapes = {row[0] for row in relations["escape"]}
        self.exits = _at(relations["exit"], level)
        luck = _at(relations["accepts"], level)
        self.homes: defaultdict[str, set[str]] = defaultdict(set)
        for creature, zone, kind in relations["haunts"]:
            if kind in luck:
                self.homes[creature].add(zone)
        self.nears: defaultdict[str, set[str]] = defaultdict(set)
        if "finite_chance" in luck:
            self.nears.update(_grouped(relations["nears"]))
        self.always_spawning: defaultdict[str, set[str]] = defaultdict(set)
        for rule, creature, probability in relations["spawns"]:
            if int(probability) == MILLION:
                self.always_spawning[creature].add(rule)
        self.finite = {row[0] for row in relations["finite"]}
        self.flocks: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for creature, zone, number in relations["flock"]:
            self.flocks[creature][zone] += int(number)
        self.after = lru_cache(maxsize=None)(self._after)

    def _after(
        self, acted: frozenset[str], stage: str = AWAY, closed: frozenset[str] = frozenset()
    ) -> Reach:
        """Zones and cells within reach.

        Args:
            acted: The rules that have been applied.
            stage: The stage of the play.
            closed: Zones that can no longer be entered.
        """
        if stage != AWAY:
            return self._at_first(stage)
        clearable = self._clearable(acted)
        passable = {zone for zone, of in self.material.items() if of in clearable} - self.traps
        zones: set[str] = set()
        open_to = ((self.first & self.exits) | self.escapes) - closed
        if self._tunnels(clearable) and not closed:
            open_to |= self.past
        grown = True
        while grown:
            entered = (open_to & passable) - zones
            zones |= entered
            open_to |= {other for zone in entered for other in self.beside[zone]} - closed
            open_to |= {zone for zone, around in self.around.items() if around <= zones}
            grown = bool(entered)
        reached = open_to if self.forsaken else self.first | open_to
        loose: Counter[str] = Counter()
        for outer, zone, number in self.loose:
            if outer in zones:
                loose[self.material[zone]] += number
        cells = self._cells(zones, reached & self.obstacles)
        return Reach(frozenset(zones), frozenset(reached | zones), cells, loose)

    def _tunnels(self, clearable: Set[str]) -> bool:
        """Whether the player can tunnel straight ahead; see ``encodings/reach/access.lp``."""
        return not self.turns and any(
            zone in self.traps and self.material[zone] in clearable for zone in self.ahead
        )

    def _at_first(self, stage: str) -> Reach:
        """Cells that can be faced from the start cell; without a turn, only the cell ahead."""
        cells: Counter[str] = Counter()
        if stage == GLANCE or not self.turns:
            cells.update(self.material[zone] for zone in self.ahead)
            return Reach(frozenset(), frozenset(self.ahead), cells, cells)
        for zone in self.first & self.obstacles:
            cells[self.material[zone]] += self.at_hand[zone]
        return Reach(frozenset(), frozenset(self.first), cells, cells)

    def _cells(self, zones: set[str], obstacles: set[str]) -> Counter[str]:
        """How many cells of each material the player can face; see ``encodings/reach/cells.lp``.

        A player that cannot return to its start cell loses the cells within reach there.
        """
        cells: Counter[str] = Counter()
        for outer, zone, number in self.fronts:
            if outer in zones:
                cells[self.material[zone]] += number
        for zone in obstacles:
            at_hand = self.at_hand.get(zone)
            if zone in zones:
                found = self.holds[zone]
            elif at_hand is None or self.forsaken:
                found = 1
            else:
                found = at_hand
            if self.forsaken:
                found = max(0, found - (at_hand or 0))
            cells[self.material[zone]] += found
        outside = obstacles - zones
        for outer, zone, number in self.edges:
            if outer in zones and zone in outside:
                cells[self.material[zone]] += number - 1
        return cells

    def _clearable(self, acted: frozenset[str]) -> set[str]:
        """The materials of cells straight ahead that are walkable or can be made walkable."""
        clearable = set(self.walkable)
        while True:
            mined = {
                material
                for material, left in self.leaves.items()
                if f"collect({material})" in acted
                and material in self.survived
                and left in clearable
            }
            covered = {
                material
                for thing, put in self.puts.items()
                if f"place({thing})" in acted and put in clearable and thing in self.spare
                for material in self.where[thing] & self.expendable
            }
            if mined | covered <= clearable:
                return clearable
            clearable |= mined | covered


def _at(rows: list[tuple[str, ...]], level: str) -> set[str]:
    return {row[1] for row in rows if row[0] == level}


def _pairs(rows: list[tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    return ((row[0], row[1]) for row in rows)


def _counted(rows: list[tuple[str, ...]], ends: set[str]) -> list[tuple[str, str, int]]:
    """The rows that lead to one of the zones: origin, target and number of cells."""
    return [(row[0], row[1], int(row[2])) for row in rows if row[1] in ends]


def _grouped(rows: list[tuple[str, ...]]) -> defaultdict[str, set[str]]:
    groups: defaultdict[str, set[str]] = defaultdict(set)
    for first, second in _pairs(rows):
        groups[first].add(second)
    return groups
