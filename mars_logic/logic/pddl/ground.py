"""The ground of a planning task: zones, movement between them, and cells within reach.

The zones, how they touch and what opens them are those of the proofs (``reach/zones.lp``,
``reach/patches.lp`` and ``reach/access.lp`` of ``encodings/``); cells are counted as for witnesses
(``reach/cells.lp``): some are in reach from beside a zone, the others from inside. Walkable ground
is within reach only after a move toward it. If the player cannot return to its start cell, cells
within reach there are omitted, except for its way out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from mars_logic.logic.chance import trials_for
from mars_logic.logic.ground import Ground
from mars_logic.logic.pddl.model import Action, Addition, Atom, InitialValue
from mars_logic.logic.plan_bounds import bounds
from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.world import names

Pair = tuple[str, str]


def cell(material: str) -> str:
    """The name of a material in a task, distinct from an item of the same name."""
    return f"{material}-cell"


def item(name: str) -> str:
    """The name of an item in a task; that of an added one is no achievement and no keyword."""
    return name if name in names.HOLDABLE else f"{name}-item"


def zone(name: str) -> str:
    """The name of a zone in a task."""
    return f"patch-{name}" if name.isdigit() else f"{name}-zone"


class PddlTerrain:
    """The zones of a judged world, at one level of certainty."""

    def __init__(self, reachability: ReachabilityModel, level: str, *, chances: bool = False):
        """Read the zones from the relations of the level.

        Args:
            reachability: The reachability model of the world.
            level: A level of certainty.
            chances: Whether tries that bring nothing take a cell, too.
        """
        times: Counter[str] = Counter()
        for (rule, outcome), bound in bounds(reachability.world).items():
            given = reachability.world.collect.get(rule.partition(".")[2])
            chance = given.yields[outcome].probability if given and outcome in given.yields else 1
            times[rule] += trials_for(bound, chance or 1) if chances else bound
        self.enough = {m: times[f"collect.{m}"] for m in reachability.world.collect}
        relations = reachability.relations
        self.ground = Ground(relations, level)
        self.acts = reachability.at(level, "act")
        self.first = self.ground.first
        if self.ground.forsaken:
            self.first = self.first & self.ground.exits
        # Ground is counted by approaches: those within a zone come with entering it.
        run_ups = {(y, z): number for y, z, number in self.ground.fronts}
        self.inside = {
            name: self.ground.holds[name] if self._solid(name) else run_ups.get((name, name), 0)
            for name in self.ground.material
        }
        self.edges: dict[Pair, int] = {
            **{(y, z): number - 1 for y, z, number in self.ground.edges},
            **{(y, z): number for (y, z), number in run_ups.items() if y != z},
        }
        self.handy = self.ground.at_hand

    def _solid(self, name: str) -> bool:
        """Whether a zone is impassable, and so can be faced from any adjacent cell."""
        return name in self.ground.obstacles

    @cached_property
    def counted(self) -> set[str]:
        """The materials whose cells are used up and may become scarce.

        Where more cells are in reach at the beginning than a plan with the fewest interactions
        takes, they are not counted.
        """
        reach: Counter[str] = Counter()
        for name, material in self.ground.material.items():
            reach[material] += self._in_reach(name)
        return {m for m in self.taken if reach[m] < self.enough[m]}

    @cached_property
    def taken(self) -> set[str]:
        """The materials of which cells are used up."""
        return {
            material
            for material, left in self.ground.leaves.items()
            if left != material
            and f"collect({material})" in self.acts
            and material in self.ground.survived
        }

    @cached_property
    def laid(self) -> set[str]:
        """The materials that the player can lay."""
        left = {self.ground.leaves[material] for material in self.taken}
        put = {made for x, made in self.ground.puts.items() if f"place({x})" in self.acts}
        return left | put

    @cached_property
    def entered(self) -> frozenset[str]:
        """The zones that the player walks into at the beginning, before any interaction."""
        return self.ground.after(frozenset()).zones

    @cached_property
    def beside(self) -> set[str]:
        """The zones that the player reaches at the beginning, from beside or inside."""
        found = self.first | self.entered
        found |= {other for name in self.entered for other in self.ground.beside[name]}
        return found | {z for z, around in self._surrounded() if around <= self.entered}

    def _surrounded(self) -> Iterator[tuple[str, set[str]]]:
        """Zones that can be reached from several others, at any position."""
        return ((z, around) for z, around in self.ground.around.items() if around)

    def _first_sight(self, name: str) -> int:
        """Number of cells of a zone within reach from beside it, at any position."""
        return self.handy.get(name, 1) if self._solid(name) else 0

    def _in_reach(self, name: str) -> int:
        """How many cells of a zone are in reach at the beginning."""
        if name in self.entered and self._solid(name):
            return self.inside[name]
        if name not in self.beside:
            return 0
        along = sum(n for (y, z), n in self.edges.items() if z == name and y in self.entered)
        return along + (self.inside[name] if name in self.entered else self._first_sight(name))

    def _bridged(self) -> Iterator[Pair]:
        """Objects that can be placed to cross a material."""
        for thing, put in sorted(self.ground.puts.items()):
            if thing in self.ground.spare and f"place({thing})" in self.acts:
                for material in sorted(self.ground.where[thing] & self.ground.expendable):
                    if material not in self.ground.walkable:
                        yield put, material

    def _mined(self) -> Iterator[Pair]:
        """Remaining material of each impassable material after collecting."""
        for material, left in sorted(self.ground.leaves.items()):
            if (
                f"collect({material})" in self.acts
                and material in self.ground.survived
                and material not in self.ground.walkable
                and left != material
            ):
                yield material, left

    @cached_property
    def opening(self) -> set[str]:
        """The terms of rules whose application opens ways."""
        things = {put for put, _ in self._bridged()}
        placing = {f"place({x})" for x, put in self.ground.puts.items() if put in things}
        return placing | {f"collect({material})" for material, _ in self._mined()}

    def homes(self, being: str) -> list[str]:
        """Zones in which a creature can be met, with the chances that the level accepts."""
        return sorted(self.ground.homes[being])

    def start(self) -> InitialValue:
        """The initial state of the terrain."""
        return InitialValue(tuple(self._atoms()), {a: n for a, n in self._amounts() if n > 0})

    def _atoms(self) -> Iterator[Atom]:
        ground = self.ground
        for name, material in sorted(ground.material.items()):
            yield "made-of", zone(name), cell(material)
        for y in sorted(ground.beside):
            for z in sorted(ground.beside[y]):
                yield "way-1", zone(y), zone(z)
        for z, around in sorted(self._surrounded()):
            if len(around) > 1:
                yield f"way-{len(around)}", *map(zone, sorted(around)), zone(z)
        for material in sorted(ground.walkable):
            yield "passable", cell(material)
        for material in sorted({ground.material[name] for name in ground.obstacles}):
            yield "solid", cell(material)
        for material, left in self._mined():
            yield "leaves", cell(material), cell(left)
        for put, material in self._bridged():
            yield "bridges", cell(put), cell(material)
        for being, homes in sorted(ground.homes.items()):
            for home in sorted(homes):
                yield "lives-in", being, zone(home)
        for tool, spots in sorted(ground.spots.items()):
            for spot in sorted(spots):
                yield "has-room-for", item(tool), zone(spot)
        for name in sorted(ground.material):
            if name in self.entered:
                yield "inside", zone(name)
            elif name not in ground.traps:
                yield "outside", zone(name)
            yield "beside" if name in self.beside else "unseen", zone(name)
        for material in sorted({ground.material[name] for name in self.beside}):
            yield "found", cell(material)
        for y, z in sorted(self.edges):
            if self._looks(y, z):
                yield "unlooked", zone(y), zone(z)
        for being, homes in sorted(ground.homes.items()):
            if homes & self.entered:
                yield "met", being
        for tool, spots in sorted(ground.spots.items()):
            if spots & self.entered:
                yield "room-for", item(tool)

    def _looks(self, y: str, z: str) -> bool:
        scarce = self.ground.material[z] in self.counted
        seen = y in self.entered or (z in self.entered and self._solid(z))
        return scarce and not seen and self.edges[y, z] > 0

    def _amounts(self) -> Iterator[tuple[Atom, int]]:
        reach: Counter[str] = Counter()
        for name, material in sorted(self.ground.material.items()):
            if material not in self.counted:
                continue
            within = self._in_reach(name)
            reach[material] += within
            later = [(y, z) for y, z in self.edges if z == name and self._looks(y, z)]
            for y, z in later:
                yield ("cells-along", zone(y), zone(z)), self.edges[y, z]
            if name not in self.entered:
                beside = 0 if name in self.beside else self._first_sight(name)
                yield ("cells-beside", zone(name)), beside
                inside = self.inside[name]
                if self._solid(name):  # all others are within reach from there
                    inside -= within + beside + sum(self.edges[border] for border in later)
                yield ("cells-inside", zone(name)), inside
        for material, amount in sorted(reach.items()):
            yield ("cells", cell(material)), amount

    def actions(self) -> Iterator[Action]:
        """The movement actions."""
        sizes = {len(around) for _, around in self._surrounded()} | {1}
        yield from (_approach(size) for size in sorted(sizes))
        border: tuple[Atom, ...] = (("made-of", "?z", "?m"), ("unlooked", "?y", "?z"))
        yield Action(
            "look-along",
            {"?y": "zone", "?z": "zone", "?m": "material"},
            (("inside", "?y"), ("beside", "?z"), *border),
            addition=Addition(("cells", "?m"), ("cells-along", "?y", "?z")),
            deletes=(("unlooked", "?y", "?z"),),
            says="Walk inside a zone along another, of which more cells are in reach from there.",
        )
        yield Action(
            "look-from-inside",
            {"?y": "zone", "?z": "zone", "?m": "material"},
            (("inside", "?z"), ("solid", "?m"), *border),
            addition=Addition(("cells", "?m"), ("cells-along", "?y", "?z")),
            deletes=(("unlooked", "?y", "?z"),),
            says="Get to the same cells from the other side.",
        )
        yield Action(
            "enter",
            {"?z": "zone", "?m": "material"},
            (("beside", "?z"), ("outside", "?z"), ("made-of", "?z", "?m"), ("passable", "?m")),
            addition=Addition(("cells", "?m"), ("cells-inside", "?z")),
            adds=(("inside", "?z"),),
            deletes=(("outside", "?z"),),
            says="Get inside a zone, and so to all of its cells; it costs nothing.",
        )
        yield Action(
            "mine-through",
            {"?m": "material", "?n": "material"},
            (("collected", "?m"), ("leaves", "?m", "?n"), ("passable", "?n")),
            adds=(("passable", "?m"),),
            says="What can be collected, and leaves what can be crossed, can be crossed.",
        )
        yield Action(
            "bridge",
            {"?n": "material", "?m": "material"},
            (("placed", "?n"), ("bridges", "?n", "?m"), ("passable", "?n")),
            adds=(("passable", "?m"),),
            says="What can be covered with what can be crossed, can be crossed.",
        )
        yield Action(
            "meet",
            {"?c": "creature", "?z": "zone"},
            (("lives-in", "?c", "?z"), ("inside", "?z")),
            adds=(("met", "?c"),),
            says="Come to stand beside a creature.",
        )
        yield Action(
            "find-room",
            {"?t": "item", "?z": "zone"},
            (("has-room-for", "?t", "?z"), ("inside", "?z")),
            adds=(("room-for", "?t"),),
            says="Find a spot where all that making a tool needs nearby fits together.",
        )


def _approach(size: int) -> Action:
    """Approaching a zone: from inside one other or, for spots in any of several, from all."""
    inner = {f"?y{number}": "zone" for number in range(1, size + 1)}
    return Action(
        f"approach-from-{size}",
        {**inner, "?z": "zone", "?m": "material"},
        (
            (f"way-{size}", *inner, "?z"),
            *(("inside", y) for y in inner),
            ("unseen", "?z"),
            ("made-of", "?z", "?m"),
        ),
        addition=Addition(("cells", "?m"), ("cells-beside", "?z")),
        adds=(("beside", "?z"), ("found", "?m")),
        deletes=(("unseen", "?z"),),
        says="Get to a cell beside a zone."
        if size == 1
        else f"Get to a cell beside spots that may lie in any of {size} zones.",
    )
