"""A player of biome navigation that remembers what it saw, and learns what borders what."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import ClassVar, Final

import clingo
import numpy as np

from mars_logic.domains.biomes.blocks import (
    BLOCKS,
    CLIMATE,
    COVERS,
    EYE,
    FACINGS,
    HEADINGS,
    RAY_STEP,
    RAYS,
    SIGNS,
    TREES,
)
from mars_logic.domains.biomes.players import STUCK, steps_apart
from mars_logic.domains.biomes.rules import BiomeNavigation
from mars_logic.domains.players import BasePlayer
from mars_logic.domains.protocol import Observation, seen_now
from mars_logic.play.agent import Episode
from mars_logic.system import resources
from mars_logic.system.interruptions import held_back

_FAR: Final = 8
"""Cells to the side that are looked at."""
_COMMITTED: Final = 4
"""Actions until sides are ranked again, unless something new comes up."""
_REFUTED: Final = 2
"""Actions after which a kind of ground that was stood on is no sign of the goal any more."""
_WORTH: Final = 300
"""The worth of a frontier at hand, in the goal's climate."""
_UNKNOWN: Final = 60.0
"""What separates ground that tells nothing of the climate from the goal, in units of worth."""
_TIMES: Final = 2
"""How often a border was walked over before it counts."""


class ExplorerPlayer(BasePlayer):
    """Ranks the four sides by an ASP program, from what was seen and what borders what.

    What it knows before it walks: by which blocks people know the goal, and in which climate blocks
    are usual. What it learns: which kinds of ground border each other, and which kinds are no sign.

    Args:
        theory: The rules.
        learn: Whether learned borders outlive an episode.
    """

    has_theory: ClassVar[bool] = True

    def __init__(self, theory: BiomeNavigation, *, learn: bool = False) -> None:
        self._goal, self._within, self._learns = theory.goal, theory.within, learn
        self._borders: Counter[tuple[str, str]] = Counter()
        self._reasons: list[str] = []

    def begin(self, episode: Episode) -> None:  # noqa: ARG002
        """Start an episode."""
        if not self._learns:
            self._borders.clear()
        self._memory = WalkMemory()
        self._stood: Counter[str] = Counter()
        self._last: str | None = None
        self._before: tuple[int, int] | None = None
        self._heading, self._left = 0, 0
        self._blocked: dict[Cell, set[int]] = {}
        self._reasons = []

    def act(self, observation: Observation) -> int:
        """Go on, or rank the sides anew."""
        self._take_in(observation)
        here = self._memory.place
        held_up = self._before is not None and steps_apart(here, self._before) < STUCK
        if held_up:
            self._blocked.setdefault(cell_of(*here), set()).add(self._heading)
        targets = self._targets()
        if held_up or targets or self._left <= 0:
            self._heading = self._choose(targets)
            self._left = _COMMITTED
        self._left -= 1
        self._before = here
        return self._heading

    def end(self, episode: Episode) -> None:
        """Take in the last view, and with it the border to the goal."""
        self._take_in(seen_now(episode))

    def theory(self) -> list[str]:
        """What borders what, as walked over, and the reasons of the last choice."""
        told = [
            f"{one.capitalize()} borders {other}: walked over {times} times."
            for (one, other), times in sorted(self._borders.items())
            if times >= _TIMES and one < other
        ]
        return [*told, *self._reasons]

    def _take_in(self, observation: Observation) -> None:
        self._memory.look(observation)
        kind = self._memory.kind(cell_of(*self._memory.place))
        if kind is None:
            return
        if not observation["completed"]:
            self._stood[kind] += 1
        if self._last is not None and kind != self._last:
            self._borders[kind, self._last] += 1
            self._borders[self._last, kind] += 1
        self._last = kind

    def _signs(self) -> set[str]:
        return {kind for kind in SIGNS[self._goal] if self._stood[kind] < _REFUTED}

    def _targets(self) -> list[tuple[int, str, int]]:
        """Sides, signs and distances, in blocks, of the nearest cells that may be the goal."""
        x, z = self._memory.place
        signs, found = self._signs(), []
        for cell, kind in self._memory.kinds().items():
            if kind in signs and not self._memory.visited[cell]:
                dx, dz = (cell[0] + 0.5) * CELL - x, (cell[1] + 0.5) * CELL - z
                side = (1 if dx > 0 else 3) if abs(dx) > abs(dz) else (2 if dz > 0 else 0)
                found.append((side, kind, int(abs(dx) + abs(dz))))
        return sorted(found, key=lambda each: each[2])[:1]

    def _choose(self, targets: list[tuple[int, str, int]]) -> int:
        control = clingo.Control(["--warn=none"])
        control.load(resources.encoding("games/biomes.lp"))
        control.add("base", [], "".join(f"{each}.\n" for each in self._facts(targets)))
        control.ground([("base", [])])
        best = self._heading
        with held_back(), control.solve(yield_=True) as handle:
            for model in handle:
                atoms = model.symbols(atoms=True)
                best = next(a.arguments[0].number for a in atoms if a.name == "choose")
                reasons = [a.arguments for a in atoms if a.name == "reason"]
        weights = sorted(((w.number, str(r)) for s, r, w in reasons if s.number == best))
        told = ", ".join(f"{reason} {weight:+d}" for weight, reason in reversed(weights))
        self._reasons = [f"It goes {FACINGS[best]}: {told or 'nothing speaks for another side'}."]
        return best

    def _facts(self, targets: list[tuple[int, str, int]]) -> list[str]:
        kinds = self._memory.kinds()
        facts = [f"side({side})" for side in range(len(FACINGS))]
        facts += [f'sign("{kind}")' for kind in sorted(self._signs())]
        facts += [
            f'borders("{one}", "{other}")'
            for (one, other), times in self._borders.items()
            if times >= _TIMES
        ]
        facts += [f'target({side}, "{kind}", {far})' for side, kind, far in targets]
        facts += [f"ahead({self._heading})"] if len(self._memory.visited) > 1 else []
        here = cell_of(*self._memory.place)
        facts += [f"held_up({side})" for side in self._blocked.get(here, ())]
        facts += [f'frontier({side}, "{kind}", {w})' for side, kind, w in self._frontiers(kinds)]
        for side in range(len(FACINGS)):
            cone = _cone(here, side)
            lying = Counter(kinds[cell] for cell in cone if cell in kinds)
            facts += [f'lies({side}, "{kind}", {n})' for kind, n in sorted(lying.items())]
            fresh = sum(cell not in kinds and not self._memory.visited[cell] for cell in cone)
            trodden = sum(self._memory.visited[cell] > 0 for cell in cone)
            facts += [f"fresh({side}, {fresh})", f"trodden({side}, {trodden})"]
            facts.append(f"outside({side}, {self._outside(side)})")
            if not self._at_sea:
                facts.append(f"wet({side}, {lying['water']})")
        return facts

    def _outside(self, side: int) -> int:
        """A weight against leaving the disc in which a goal is known to lie."""
        (x, z), start = self._memory.place, self._memory.start
        assert start is not None
        dx, dz = HEADINGS[side]
        far = float(np.hypot(x + 100 * dx - start[0], z + 100 * dz - start[1]))
        return int(max(0.0, far - self._within))

    def _frontiers(self, kinds: dict[Cell, str]) -> list[tuple[int, str, int]]:
        """Of each side, the best cell that was not seen beside one that was: its kind and worth.

        The worth falls with the distance and with what separates the known cell from the goal: the
        difference in climate, or, of what lies at the sea, the height.
        """
        x, z = self._memory.place
        best: dict[int, tuple[int, str]] = {}
        for cell, kind in kinds.items():
            if kind == "water" and not self._at_sea:
                continue
            apart = self._apart(cell, kind)
            for new in beside(cell):
                if new in kinds or self._memory.visited[new]:
                    continue
                dx, dz = (new[0] + 0.5) * CELL - x, (new[1] + 0.5) * CELL - z
                side = (1 if dx > 0 else 3) if abs(dx) > abs(dz) else (2 if dz > 0 else 0)
                worth = int(_WORTH - (abs(dx) + abs(dz)) / 4 - apart)
                best[side] = max(best.get(side, (worth, kind)), (worth, kind))
        return [(side, kind, worth) for side, (worth, kind) in sorted(best.items())]

    @property
    def _at_sea(self) -> bool:
        return self._goal in ("ocean", "beach")

    def _apart(self, cell: Cell, kind: str) -> float:
        """What separates a cell from the goal, in units of worth."""
        if self._at_sea:
            return 4 * self._memory.heights.get(cell, 0.0)
        wanted = [CLIMATE[each] for each in SIGNS[self._goal] if each in CLIMATE]
        if kind not in CLIMATE:
            return _UNKNOWN
        here = CLIMATE[kind]
        return 2 * min(math.dist(here, each) for each in wanted)


def _cone(cell: Cell, side: int) -> list[Cell]:
    """The cells of the quarter to a side, up to ``_FAR`` cells away."""
    dx, dz = HEADINGS[side]
    return [
        (cell[0] + dx * far - dz * aside, cell[1] + dz * far + dx * aside)
        for far in range(1, _FAR + 1)
        for aside in range(-far + 1, far)
    ]


CELL: Final = 16
"""Blocks along each side of a cell."""
Cell = tuple[int, int]
_BELOW: Final = 0
"""The place along y of the block under the feet in what is told of the surroundings."""

_ANGLES: Final = (np.arange(RAYS) - RAYS // 2) * RAY_STEP


class WalkMemory:
    """Kinds of ground by cell, and visited cells.

    Attributes:
        heights: The lowest y of the ground that was seen in each cell.
        visited: How often each cell was stood in after an action.
        place: Where the player is.
        start: Where it was first.
        under: The kind of the block under its feet.
    """

    def __init__(self) -> None:
        self._seen: dict[Cell, Counter[str]] = {}
        self.heights: dict[Cell, float] = {}
        self.visited: Counter[Cell] = Counter()
        self.place: tuple[int, int] = (0, 0)
        self.start: tuple[int, int] | None = None
        self.under = "air"

    def look(self, observation: Observation) -> None:
        """Take in what is seen now."""
        x, z, facing = (observation[name] for name in ("x", "z", "facing"))
        assert isinstance(x, int) and isinstance(z, int) and isinstance(facing, int)
        self.place = x, z
        self.start = self.start or self.place
        self.visited[cell_of(x, z)] += 1
        distance = np.array(observation["distance"], np.float64).reshape(RAYS, RAYS)
        block = np.array(observation["block"]).reshape(RAYS, RAYS)
        yaw = np.radians(facing * 90 + _ANGLES)[None, :]
        flat = distance * np.cos(np.radians(_ANGLES))[:, None]
        xs = np.floor((x + flat * np.sin(yaw)) / CELL).astype(int)
        zs = np.floor((z - flat * np.cos(yaw)) / CELL).astype(int)
        y = observation["y"]
        assert isinstance(y, int)
        ys = y + EYE + distance * np.sin(np.radians(-_ANGLES))[:, None]
        met = block > 0
        for a, b, high, code in zip(xs[met], zs[met], ys[met], block[met], strict=True):
            self._note((int(a), int(b)), BLOCKS[code], float(high))
        around = np.array(observation["around"])
        side = round(len(around) ** (1 / 3))
        self.under = BLOCKS[around.reshape((side,) * 3)[side // 2, _BELOW, side // 2]]
        self._note(cell_of(x, z), self.under, y, 20)

    def _note(self, cell: Cell, block: str, height: float, weight: int = 1) -> None:
        if block in COVERS or block in TREES:
            self._seen.setdefault(cell, Counter())[block] += weight
        if block in COVERS:
            self.heights[cell] = min(height, self.heights.get(cell, height))

    def kind(self, cell: Cell) -> str | None:
        """The kind of ground of a cell: its cover, and for some whether there are trees."""
        found = self._seen.get(cell)
        covers = {block: count for block, count in (found or {}).items() if block in COVERS}
        if not covers:
            return None
        cover = max(covers, key=lambda each: (covers[each], each))
        if not COVERS[cover]:
            return cover
        trees = sum(
            count
            for near in around(cell)
            for block, count in self._seen.get(near, {}).items()
            if block in TREES
        )
        return f"{'wooded' if trees > 2 else 'open'} {cover}"

    def kinds(self) -> dict[Cell, str]:
        """Every cell whose kind is known."""
        found = ((cell, self.kind(cell)) for cell in self._seen)
        return {cell: kind for cell, kind in found if kind is not None}


def beside(cell: Cell) -> Iterator[Cell]:
    """The four cells beside a cell."""
    for dx, dz in HEADINGS:
        yield cell[0] + dx, cell[1] + dz


def cell_of(x: int, z: int) -> Cell:
    """The cell of a place."""
    return x // CELL, z // CELL


def around(cell: Cell) -> Iterator[Cell]:
    """A cell and the eight around it."""
    for a in (-1, 0, 1):
        for b in (-1, 0, 1):
            yield cell[0] + a, cell[1] + b
