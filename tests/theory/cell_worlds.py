"""Random drawn worlds in which cells are pushed and change by themselves, and play in them."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import yaml

from mars_logic.data import Trajectory
from mars_logic.world.load import parse_theory
from mars_logic.world.theory import World
from tests.theory.own_kinds import own_kinds_play

GROUNDS = ("grass", "sand", "path", "moss", "ash")
MATERIALS = (*GROUNDS, "stone", "tree", "water", "table", "furnace", "crate", "box", "fire")
_SIZE = 15
_TIMES = ("always", "day", "night")


def cell_world(seed: int) -> World:
    """A world with rules of ``push``, ``beside`` and ``timer`` that may be anything valid."""
    random = Random(seed)

    def some(most: int, names: tuple[str, ...] = MATERIALS, least: int = 1) -> list[str]:
        return random.sample(names, random.randint(least, most))

    def turns(most: int) -> dict[str, str]:
        return {name: random.choice(MATERIALS) for name in some(most)}

    signs = dict(zip("abcdefghijklm", MATERIALS, strict=True))
    legend: dict[str, Any] = {sign: {"material": name} for sign, name in signs.items()}
    legend["Z"] = {"material": "grass", "creature": "skeleton"}
    legend["@"] = {"material": "grass", "player": True}
    often = "aaabbccddee" + ("Z" if random.random() < 0.3 else "")
    cells = [[random.choice(often + "fghijklm" * 2) for _ in range(_SIZE)] for _ in range(_SIZE)]
    cells[_SIZE // 2][_SIZE // 2] = "@"
    rows = ["#" * (_SIZE + 2), *("#" + "".join(row) + "#" for row in cells), "#" * (_SIZE + 2)]
    pushed = {}
    for name in some(3, ("crate", "box", "stone", "tree", "table", "fire")):
        onto = some(4, (*GROUNDS, "water", "fire"))
        becomes = {ground: random.choice(MATERIALS) for ground in onto if random.random() < 0.3}
        leaves = random.choice(GROUNDS) if random.random() < 0.8 else random.choice(MATERIALS)
        pushed[name] = {"onto": onto, "leaves": leaves, "becomes": becomes}
    stated = {
        "name": f"cells{seed}",
        "base": "default",
        "length": 150,
        "map": {"drawn": "\n".join(rows) + "\n", "legend": legend},
        "adds": {"materials": {name: {} for name in ("moss", "ash", "crate", "box", "fire")}},
        "walk": {name: {"walkable": True} for name in ("moss", "ash")},
        "push": pushed,
        "beside": {
            name: {"becomes": turns(3), "chance": random.choice((0.02, 0.2, 1.0))}
            for name in some(3)
        },
        "timer": {
            name: {
                "becomes": random.choice(MATERIALS),
                "after": random.choice((1, 2, 7, 20, 60)),
                "chance": random.choice((0.03, 0.3, 1.0)),
                "when": random.choice(_TIMES),
                "near": some(2) if random.random() < 0.4 else [],
            }
            for name in some(3)
        },
        "creature": {"skeleton": {"shoots": True, "arrow_health_factor": 0}},
    }
    return parse_theory(yaml.safe_dump(stated, sort_keys=False), f"cells{seed}.yaml").to_world()


def cell_play(seed: int, episodes: int = 2) -> list[Trajectory]:
    """Recorded episodes in such a world."""
    return own_kinds_play(cell_world(seed), range(seed, seed + episodes))


WRONG: Final = [
    ("push.crate", {"onto": ["grass", "pit"]}),
    ("push.crate", {"leaves": "grass"}),
    ("push.crate", {"becomes": {}}),
    ("beside.mud", {"becomes": {"plank": "grass"}}),
    ("beside.mud", {"becomes": {"pit": "plank"}}),
    ("beside.mud", {"becomes": {"plank": "plank", "pit": "grass"}}),
    ("beside.mud", {"chance": 0.5}),
    ("timer.plank", {"becomes": "mud"}),
    ("timer.plank", {"after": 5}),
    ("timer.plank", {"after": 7}),
    ("timer.plank", {"when": "night"}),
    ("timer.plank", {"near": ["table"]}),
    ("timer.plank", {"chance": 0.5}),
]
"""Rules of the pen with fields that are wrong there."""
