"""Random worlds with rules of all kinds that Crafter lacks, and busy play in them."""

from __future__ import annotations

from random import Random
from typing import Any

import yaml

from mars_logic.data import Trajectory
from mars_logic.play.agent import Episode
from mars_logic.play.recording import record
from mars_logic.sim import Observation, Simulator
from mars_logic.world.load import parse_theory
from mars_logic.world.theory import World

_GROUNDS = ("grass", "sand", "path", "moss", "sprout", "ember")
_MATERIALS = (*_GROUNDS, "stone", "tree", "water", "crate", "hearth")
_ITEMS = ("pelt", "spear", "coat", "bread", "wood", "stone", "sapling")
_DEEDS = ("approach", "flee", "wander", "stay", "shoot", "graze")
_TIMES = ("always", "day", "night")
_SIZE = 13


def own_kinds_world(seed: int, *, projectiles: bool = False) -> World:
    """A world with added creatures and needs, hunting, pushing, timers and neighbours.

    Args:
        seed: What it is drawn by.
        projectiles: Whether there are rules about projectiles as well.
    """
    random = Random(seed)
    beings = ("wolf", "hen", "cow", "zombie")

    def some(names: tuple[str, ...], most: int = 3) -> list[str]:
        return random.sample(names, random.randint(1, min(most, len(names))))

    def amounts(names: tuple[str, ...], most: int = 2) -> dict[str, int]:
        chosen = random.sample(names, random.randint(0, min(most, len(names))))
        return {name: random.randint(1, 2) for name in chosen}

    def becomes(most: int = 2) -> dict[str, str]:
        return {name: random.choice(_MATERIALS) for name in some(_MATERIALS, most)}

    signs = dict(zip("abcdefghijk", _MATERIALS, strict=True))
    legend: dict[str, Any] = {sign: {"material": name} for sign, name in signs.items()}
    for sign, being in zip("WHCZ", beings, strict=True):
        legend[sign] = {"material": "grass", "creature": being}
    legend["@"] = {"material": "grass", "player": True}
    cells = [[random.choice("aaaaabcdefghijkWHCZ") for _ in range(_SIZE)] for _ in range(_SIZE)]
    cells[_SIZE // 2][_SIZE // 2] = "@"
    rows = ["#" * (_SIZE + 2), *("#" + "".join(row) + "#" for row in cells), "#" * (_SIZE + 2)]
    cases: dict[str, Any] = {}
    for being in beings:
        if random.random() < 0.7:
            cases[being] = _behaviour(random, becomes())
    needs = {
        name: {
            "every": random.choice((1, 2, 5, 9)),
            "loss": random.randint(0, 4),
            "when": random.choice(_TIMES),
            "kept_by": some(_ITEMS, 1) if random.random() < 0.3 else [],
            "rises": random.choice(("never", "day", "night")),
            "gains_near": {name: random.randint(1, 3) for name in some(_MATERIALS)},
            "gains_on": {name: random.randint(1, 2) for name in some(_GROUNDS, 1)},
            "gains_eating": {"bread": 2} if random.random() < 0.5 else {},
            "empty": random.randint(-2, 1),
        }
        for name in ("warmth", "calm")
    }
    stated = {
        "name": f"kinds{seed}",
        "base": "default",
        "length": 200,
        "map": {"drawn": "\n".join(rows) + "\n", "legend": legend},
        "adds": {
            "materials": {name: {} for name in ("moss", "sprout", "ember", "crate", "hearth")},
            "items": ["pelt", "spear", "coat", "bread"],
            "creatures": {
                being: {"health": random.randint(1, 4), "ground": some(_GROUNDS)}
                for being in ("wolf", "hen")
            },
            "needs": ["warmth", "calm"],
        },
        "walk": {
            name: {"walkable": random.random() < 0.7, "health": random.choice((0, 0, -1, 1))}
            for name in ("moss", "sprout", "ember", "crate", "hearth", "grass", "sand")
        },
        "collect": {
            name: {
                "requires": amounts(_ITEMS, 1),
                "yields": amounts(_ITEMS),
                "leaves": random.choice(_GROUNDS),
            }
            for name in ("moss", "sprout", "crate", "hearth", "tree", "stone", "grass")
        },
        "place": {
            name: {"uses": amounts(_ITEMS), "where": some(_MATERIALS)}
            for name in ("hearth", "sprout")
        },
        "make": {
            name: {"uses": amounts(_ITEMS), "nearby": some(("hearth", "crate", "moss"), 1)}
            for name in ("spear", "coat", "bread")
        },
        "eat": {"bread": {"food": random.randint(0, 6), "health": random.randint(-1, 2)}},
        "timer": {
            name: {
                "becomes": random.choice(_MATERIALS),
                "after": random.choice((1, 1, 5)),
                "chance": random.choice((0.1, 0.5, 1.0)),
                "when": random.choice(_TIMES),
            }
            for name in some(("sprout", "ember", "grass", "sand"), 2)
        },
        "beside": {
            name: {"becomes": becomes(1), "chance": 0.3}
            for name in some(("tree", "moss", "path"), 2)
        },
        "push": {"crate": {"onto": some(_GROUNDS), "leaves": random.choice(_GROUNDS)}},
        "creature": {
            being: {
                "attacks": random.random() < 0.6,
                "attack_health_factor": random.randint(-2, 1),
                "eatable": random.random() < 0.5,
                "eaten_food_factor": random.randint(0, 2),
                **({} if being in cases else {"walks": random.random() < 0.7}),
            }
            for being in beings
        },
        "behaviour": cases,
        "hunt": {
            being: {
                "requires": amounts(_ITEMS, 1),
                "yields": amounts(_ITEMS),
                "damage": {"spear": random.randint(1, 4)},
                "touch": random.randint(-2, 1),
            }
            for being in some(beings, 4)
        },
        "need": needs,
    }
    if projectiles:
        _add_projectiles(stated, Random(seed))
    stated = {name: value for name, value in stated.items() if value}
    return parse_theory(yaml.safe_dump(stated, sort_keys=False), f"kinds{seed}.yaml").to_world()


def _add_projectiles(stated: dict[str, Any], random: Random) -> None:
    """State rules about projectiles, an added one among them, and let creatures shoot them."""
    kinds = ("arrow", "bolt")
    stated["adds"]["projectiles"] = {"bolt": {"colour": "#d0d0d0"}}

    def flight() -> dict[str, Any]:
        rule: dict[str, Any] = {
            "speed": random.randint(1, 2),
            "harm": random.choice((None, -3, -1, 0, 2)),
            "damage": random.choice((0, 1, 2, 5)),
            "over": random.sample(_MATERIALS, random.randint(0, 3)),
            "range": random.choice((None, 1, 3, 6)),
        }
        if random.random() < 0.7:
            turned = random.sample(_MATERIALS, 3)
            rule["breaks"] = {name: random.choice(_MATERIALS) for name in turned}
        return rule

    stated["projectile"] = {kind: flight() for kind in random.sample(kinds, random.randint(1, 2))}
    stated["shoot"] = {
        kind: {
            "requires": dict.fromkeys(random.sample(_ITEMS, random.randint(0, 1)), 1),
            "uses": dict.fromkeys(random.sample(_ITEMS, random.randint(0, 1)), 1),
        }
        for kind in random.sample(kinds, random.randint(1, 2))
    }
    for behaviour in stated["behaviour"].values():
        for case in behaviour["cases"]:
            if case["act"] == "shoot":
                case["projectile"] = random.choice(kinds)


def _behaviour(random: Random, grazes: dict[str, str]) -> dict[str, Any]:
    acts = [random.choice(_DEEDS) for _ in range(random.randint(1, 4))]
    cases: list[dict[str, Any]] = []
    for act in acts:
        case: dict[str, Any] = {"act": act, "when": random.choice(_TIMES)}
        case["chance"] = random.choice((0.2, 0.6, 1.0))
        if random.random() < 0.5:
            case["within"] = random.randint(1, 8)
        if random.random() < 0.3:
            case["beyond"] = random.randint(1, 3)
        if random.random() < 0.3:
            case["health"] = random.randint(1, 4)
        if random.random() < 0.2:
            case["held"] = random.choice(_ITEMS)
        cases.append(case)
    return {"cases": cases, "grazes": grazes} if "graze" in acts else {"cases": cases}


class Trier:
    """Walks about, hits what it faces, and tries all actions."""

    def begin(self, episode: Episode) -> None:
        self._random = Random(episode.seed)
        self._actions = len(episode.actions)

    def act(self, observation: Observation) -> int:  # noqa: ARG002
        chance = self._random.random()
        if chance < 0.4:
            return 5
        if chance < 0.8:
            return self._random.randrange(1, 5)
        return self._random.randrange(self._actions)

    def end(self, episode: Episode) -> None:
        pass


def own_kinds_play(world: World, seeds: range) -> list[Trajectory]:
    """Recorded episodes."""
    simulator = Simulator(world)
    return [record(Trier(), simulator, seed, agent_name="test")[1] for seed in seeds]
