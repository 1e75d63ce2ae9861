"""Records random play of the gallery's Sokoban levels in Griddly, to hold the push rule against.

    python tests/sim/record_sokoban.py     # with griddly 1.6.7, numpy 1 and Python 3.11

It needs nothing of mars_logic. The file has the moves of each episode, and at its end a checksum
of the layouts after all moves so far. A solution of each level follows the random moves.
"""

from __future__ import annotations

import json
import random
import zlib
from collections import deque
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "tests" / "data" / "sokoban.json"
MOVES = 10_000
EPISODE = 100
"""Moves after which a level begins anew, since boxes soon stand in corners."""
_SIGNS = {"wall": "W", "box": "b", "box_in_place": "*", "hole": "o", "avatar": "@"}
_OF_GRIDDLY = {"l": 1, "u": 2, "r": 3, "d": 4}


def level_for_griddly(drawing: str) -> str:
    """A drawing of the gallery with Griddly's letters."""
    return drawing.translate(str.maketrans("Wo@", "whA")) + "\n"


def layout(state: dict, width: int, height: int) -> str:
    """The map as text, the player as ``@`` or, on a target, ``+``."""
    rows = [["."] * width for _ in range(height)]
    for thing in sorted(state["Objects"], key=lambda each: each["Name"] != "hole"):
        x, y = thing["Location"]
        if thing["Name"] in _SIGNS and x >= 0:
            on_target = thing["Name"] == "avatar" and rows[y][x] == "o"
            rows[y][x] = "+" if on_target else _SIGNS[thing["Name"]]
    return "\n".join("".join(row) for row in rows)


def solution(drawing: str) -> str:
    """The shortest sequence of moves that solves a drawing, found breadth first."""
    cells = {(x, y): c for y, row in enumerate(drawing.splitlines()) for x, c in enumerate(row)}
    marked = {c: {at for at, each in cells.items() if each == c} for c in "Wo@b"}
    start = (*marked["@"], frozenset(marked["b"]))
    came, found = {start: ""}, deque([start])
    while found:
        (x, y), boxes = state = found.popleft()
        if boxes == marked["o"]:
            return came[state]
        for move, (dx, dy) in {"l": (-1, 0), "u": (0, -1), "r": (1, 0), "d": (0, 1)}.items():
            here, behind = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            if here in marked["W"] or (here in boxes and behind in boxes | marked["W"]):
                continue
            pushed = boxes - {here} | {behind} if here in boxes else boxes
            if came.setdefault((here, pushed), came[state] + move) == came[state] + move:
                found.append((here, pushed))
    raise ValueError("no sequence of moves solves this level")


def main() -> None:
    import yaml
    from griddly import GymWrapper, gd

    levels = yaml.safe_load((ROOT / "worlds" / "gallery" / "sokoban.yaml").read_text())["map"]
    env = GymWrapper(
        yaml_file="Single-Player/GVGAI/sokoban2.yaml",
        player_observer_type=gd.ObserverType.VECTOR,
        global_observer_type=gd.ObserverType.NONE,
    )
    dice = random.Random(1)
    drawings = [drawing.strip() for drawing in levels["drawn"]]
    episodes = ["".join(dice.choices("lurd", k=EPISODE)) for _ in range(MOVES // EPISODE)]
    episodes += [
        solution(drawings[i % len(drawings)]) for i in range(len(episodes), len(episodes) + 3)
    ]
    sums, solved, total = [], 0, 0
    for episode, moves in enumerate(episodes):
        drawing = drawings[episode % len(drawings)]
        rows = drawing.splitlines()
        env.reset(level_string=level_for_griddly(drawing))
        ended = False
        for move in moves:
            assert not ended
            _, _, ended, _ = env.step(_OF_GRIDDLY[move])
            text = layout(env.get_state(), len(rows[0]), len(rows))
            total = zlib.crc32(text.encode(), total)
        solved += ended
        sums.append(total)
    found = {"engine": "griddly 1.6.7, sokoban2.yaml", "episodes": episodes, "sums": sums}
    FILE.write_text(json.dumps(found | {"solved": solved}, indent=0) + "\n")
    print(f"{sum(map(len, episodes))} moves, {solved} of {len(episodes)} episodes solved")


if __name__ == "__main__":
    main()
