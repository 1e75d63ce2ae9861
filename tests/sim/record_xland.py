"""Records what rules of XLand-MiniGrid do, to hold neighbour and collecting rules against them.

    python tests/sim/record_xland.py     # with xminigrid 0.9.3, in an environment of its own

It needs nothing of mars_logic. A situation is a player, what it holds, and the nine cells around
the one that it faces; it puts down what it holds, or picks up what is there. The file has, for each
set of rules, how many situations of each kind changed by a rule, and a checksum of all results.
The situations are made anew from a seed.
"""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parents[2] / "tests" / "data" / "xland.json"
SETS, SITUATIONS, MOST_RULES = 25, 250, 4
THINGS = "abcdef"
FLOOR, WALL, NOTHING = ".", "W", " "
DIRECTIONS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Up, right, down, left, as columns and rows; XLand-MiniGrid numbers them like that."""
KINDS = ("one rule or none", "several rules", "towards a thing")
"""Kinds of situations: at most one rule applies; more than one does; what is put down is put
towards a cell that is not free."""


@dataclass(frozen=True)
class Situation:
    """A situation in which the player acts.

    Attributes:
        cells: The 3 × 3 cells around the one that the player faces, row by row.
        direction: Where the player faces, a place in :data:`DIRECTIONS`.
        held: What the player holds.
        puts: Whether it puts that down; otherwise it picks up what it faces.
    """

    cells: str
    direction: int
    held: str
    puts: bool

    @property
    def beside(self) -> list[str]:
        """The four cells beside the one that the player faces."""
        return [self.cells[4 + dx + 3 * dy] for dx, dy in DIRECTIONS]

    def kind(self, rules: list[str]) -> str:
        """Which of :data:`KINDS` it is under these rules."""
        if not self.puts:
            return KINDS[0]
        if self.cells[4] != FLOOR:
            return KINDS[2]
        near = [rule for rule in rules if self.held in rule[:2] and rule[1] != ">"]
        others = [rule[1] if rule[0] == self.held else rule[0] for rule in near]
        return KINDS[sum(other in self.beside for other in others) > 1]


def rule_sets() -> Iterator[tuple[list[str], list[Situation]]]:
    """Sets of rules, such as ``ab>c`` and ``a>b``, each with its situations."""
    dice = random.Random(3)
    for number in range(SETS):
        rules: dict[str, str] = {}
        while len(rules) < 1 + number % MOST_RULES:
            length = 1 if dice.random() < 0.3 else 2
            taken = "".join(sorted(dice.choices(THINGS, k=length)))
            product = dice.choice([thing for thing in THINGS if thing not in taken])
            rules.setdefault(taken, product)
        listed = [f"{taken}>{product}" for taken, product in rules.items()]
        yield listed, [_situation(listed, dice) for _ in range(SITUATIONS)]


def _situation(rules: list[str], dice: random.Random) -> Situation:
    """A situation with things of the rules more often than others."""
    taken = [thing for rule in rules for thing in rule.partition(">")[0]]
    things = [*THINGS, *taken, *taken, *taken]
    cells = [dice.choice([FLOOR, FLOOR, WALL, *dice.choices(things, k=3)]) for _ in range(9)]
    direction = dice.randrange(4)
    dx, dy = DIRECTIONS[direction]
    cells[4 - dx - 3 * dy] = FLOOR  # where the player stands
    puts = dice.random() < 0.75
    if puts and dice.random() < 0.85:
        cells[4] = FLOOR
    return Situation("".join(cells), direction, dice.choice(things) if puts else NOTHING, puts)


def recorded(results: list[tuple[Situation, str]], rules: list[str]) -> dict[str, Any]:
    """What the file has of a set of rules: counts by kind, and a checksum of the first kind.

    Args:
        results: Each situation with its nine cells and what is held afterwards.
        rules: The rules.
    """
    found: dict[str, Any] = {"rules": rules, "sum": 0}
    for kind in KINDS:
        found[kind] = [0, 0]
    for situation, after in results:
        kind = situation.kind(rules)
        if kind == KINDS[0]:
            found["sum"] = zlib.crc32(after.encode(), found["sum"])
        found[kind][0] += 1
        found[kind][1] += after != without_rules(situation)
    return found


def without_rules(situation: Situation) -> str:
    """The nine cells and what is held afterwards, where no rule applies."""
    cells, front = situation.cells, situation.cells[4]
    if situation.puts and front == FLOOR:
        return cells[:4] + situation.held + cells[5:] + NOTHING
    if not situation.puts and front in THINGS:
        return cells[:4] + FLOOR + cells[5:] + front
    return cells + situation.held


def main() -> None:
    import jax
    import jax.numpy as jnp
    import numpy as np
    from xminigrid.core.actions import take_action
    from xminigrid.core.constants import Colors, Tiles
    from xminigrid.core.rules import AgentHoldRule, EmptyRule, TileNearRule, check_rule
    from xminigrid.types import AgentState

    tiles = {
        FLOOR: (Tiles.FLOOR, Colors.BLACK),
        WALL: (Tiles.WALL, Colors.GREY),
        NOTHING: (Tiles.EMPTY, Colors.EMPTY),
        "a": (Tiles.BALL, Colors.RED),
        "b": (Tiles.BALL, Colors.BLUE),
        "c": (Tiles.SQUARE, Colors.RED),
        "d": (Tiles.PYRAMID, Colors.GREEN),
        "e": (Tiles.STAR, Colors.YELLOW),
        "f": (Tiles.HEX, Colors.PURPLE),
    }
    signs = {code: sign for sign, code in tiles.items()}

    def tile(sign: str) -> Any:
        return jnp.array(tiles[sign], jnp.uint8)

    def encoded(rule: str) -> Any:
        taken, _, product = rule.partition(">")
        if len(taken) == 1:
            return AgentHoldRule(tile(taken), tile(product)).encode()
        return TileNearRule(tile(taken[0]), tile(taken[1]), tile(product)).encode()

    @jax.jit
    @jax.vmap
    def after(grid: Any, at: Any, direction: Any, pocket: Any, action: Any, rules: Any) -> Any:
        agent = AgentState(position=at, direction=direction, pocket=pocket)
        grid, agent, changed = take_action(grid, agent, action)
        grid, agent = check_rule(rules, grid, agent, action, changed)
        return grid, agent.pocket

    kept = []
    for rules, situations in rule_sets():
        grids, places = [], []
        for each in situations:
            grid = np.full((5, 5, 2), tiles[WALL], np.uint8)
            grid[1:4, 1:4] = np.array([tiles[sign] for sign in each.cells]).reshape(3, 3, 2)
            dx, dy = DIRECTIONS[each.direction]
            grids.append(grid)
            places.append((2 - dy, 2 - dx))
        padded = [encoded(rule) for rule in rules]
        padded += [EmptyRule().encode()] * (MOST_RULES - len(rules))
        grids, pockets = after(
            jnp.array(np.stack(grids)),
            jnp.array(places),
            jnp.array([each.direction for each in situations]),
            jnp.array([tiles[each.held] for each in situations], jnp.uint8),
            jnp.array([4 if each.puts else 3 for each in situations]),
            jnp.broadcast_to(jnp.stack(padded), (len(situations), MOST_RULES, 7)),
        )
        results = [
            (each, "".join(signs[tuple(code)] for code in [*grid[1:4, 1:4].reshape(9, 2), held]))
            for each, grid, held in zip(
                situations, np.asarray(grids).tolist(), np.asarray(pockets).tolist(), strict=True
            )
            for grid in [np.array(grid)]
        ]
        kept.append(recorded(results, rules))
    FILE.write_text(json.dumps({"engine": "xminigrid 0.9.3", "sets": kept}, indent=0) + "\n")
    for kind in KINDS:
        print(kind, [sum(each[kind][part] for each in kept) for part in (0, 1)])


if __name__ == "__main__":
    main()
