"""Samples worlds of made-up names: random technology trees that no prior knowledge helps with.

Grounds and resources that the generator lays out, stations, tools and goods have names without a
meaning. (Vitals and creatures keep theirs.) What a thing takes is drawn from what can be had before
it, so that all can be reached; a proof about a map confirms it.
"""

from __future__ import annotations

import colorsys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any, Final

import yaml

from mars_logic.logic.proof import Proof
from mars_logic.logic.sampling.made_up_crops import (
    FAMILIES,
    Crop,
    crop_data,
    growing,
    pushed,
    put_beside,
)
from mars_logic.logic.sampling.made_up_life import (
    PlayerShot,
    Prey,
    armed,
    life_data,
    need,
    prey,
    shot,
    shot_data,
)
from mars_logic.logic.sampling.made_up_request import CROPS, GROUNDS, VEINS, MadeUp
from mars_logic.logic.sampling.sampler import Sample
from mars_logic.world.load import parse_theory
from mars_logic.world.theory import World
from mars_logic.world.vocabulary import vocabulary

_BASE: Final = "default"
_SHARE: Final = 0.02
"""The share of stone that each further resource takes."""
_LETTERS: Final = ("bdfghjklmnprstvz", "aeiou", "bdfghjklmnprstvz", "aeiou", "bdgkmpvxz")
"""Letters of a name, from the first on: few words of English end like that."""


class MadeUpSampler:
    """Samples worlds of made-up names, each a function of a seed and its number."""

    def __init__(self, request: MadeUp, prove: Callable[[World], Proof] | None = None) -> None:
        """Prepare.

        Args:
            request: What is asked for.
            prove: Proves a world on a map, such as ``experiments.proving.prove`` does; needed for
                worlds with proofs.
        """
        self.request = request
        self._prove = prove

    def draw(self, seed: int, number: int, *, proved: bool = False) -> Sample:
        """The world with this number.

        Args:
            seed: Any number.
            number: The index of the world in the seed's sequence.
            proved: Prove it, and draw again where some goal is not reachable.

        Raises:
            ValueError: It is to be proved, and nothing was given that proves.
        """
        if proved and self._prove is None:
            raise ValueError("nothing was given that proves worlds")
        request = self.request
        life = "".join(f" {kind}" for kind in request.life)
        about = f"{request.names} {request.rules}{life} {seed} {number}"
        random = Random(f"mars-logic made up {about}")
        while True:
            tree = _Tree(random, request)
            if tree.useless:
                continue
            world = _world(tree, f"sample_{seed}_{number}")
            if not proved or self._prove is None:
                return Sample(world, ("names",))
            proof = self._prove(world)
            if proof.all_reachable:
                return Sample(world, ("names",), proof)


@dataclass
class _Tree:
    """A technology tree in the making: what each name takes, drawn from what is there before it.

    Attributes:
        resources: By name, what it takes to collect it: nothing, or one tool.
        stations: By name, what it takes to place it.
        made: By name, what it takes to make it, and the stations that have to be near.
        foods: By name of an item, the food that it gives.
        returned: By name of a resource, what it takes to put it back.
        grounds: The names of the generator's grounds.
        living: By name, the creatures.
        crops: By the name of what is placed, what it becomes.
        shots: By name, the projectiles.
        needs: By name, what a world file states of the added needs.
    """

    random: Random
    request: MadeUp
    resources: dict[str, dict[str, int]] = field(default_factory=dict)
    stations: dict[str, dict[str, int]] = field(default_factory=dict)
    made: dict[str, tuple[dict[str, int], list[str]]] = field(default_factory=dict)
    foods: dict[str, int] = field(default_factory=dict)
    returned: dict[str, dict[str, int]] = field(default_factory=dict)
    grounds: dict[str, str] = field(default_factory=dict)
    living: dict[str, Prey] = field(default_factory=dict)
    crops: dict[str, Crop] = field(default_factory=dict)
    shots: dict[str, PlayerShot] = field(default_factory=dict)
    needs: dict[str, dict[str, Any]] = field(default_factory=dict)
    _served: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Draw it."""
        names = _names(self.random)
        self.grounds = {ground: next(names) for ground in GROUNDS}
        for kind in self._kinds():
            name = next(names)
            match kind:
                case "resource":
                    self.resources[name] = self._tool()
                case "creature":
                    self._settle(name, next(names))
                case "station":
                    self.stations[name] = self._distinct(self._placed, most=4)
                case "timers" | "beside" | "push":
                    uses = self._distinct(self._placed, most=2)
                    self.crops[name] = self._crop(kind, next(names), next(names), uses)
                case _:
                    near = self._least_used(list(self.stations), self.random.randint(0, 2))
                    uses = self._distinct([u for u, _ in self.made.values()], most=2)
                    self.made[name] = (uses, near)
        self._eat_and_return(self.request.rules - self.request.names)
        for _ in range(self.request.number_of("needs")):
            station = self.random.choice(sorted(self.stations))
            kept_by = self.random.choice([None, *sorted(self.made)])
            self.needs[next(names)] = need(self.random, station, kept_by)
        for _ in range(self.request.number_of("projectiles")):
            self._shoot(next(names))

    def _shoot(self, name: str) -> None:
        """Add a projectile, which some creature shoots as well, if there is one."""
        wet = [self.grounds["water"], self.grounds["lava"]]
        requires = self._tool()
        uses = self._distinct([one.uses for one in self.shots.values()], most=2)
        self.shots[name] = shot(self.random, requires, uses, wet)
        if self.living:
            creature = self.random.choice(sorted(self.living))
            self.living[creature] = armed(self.random, self.living[creature], name)

    def _eat_and_return(self, number: int) -> None:
        """Add so many rules that take no more names: things made are eaten before resources."""
        made = self.random.sample(sorted(self.made), min(number, len(self.made)))
        others = [(verb, name) for name in sorted(self.resources) for verb in ("eat", "place")]
        more = self.random.sample(others, number - len(made))
        for name in (*sorted(made), *(name for verb, name in more if verb == "eat")):
            self.foods[name] = self.random.randint(1, 6)
        for name in (name for verb, name in more if verb == "place"):
            known = [*self._placed, *self.returned.values()]
            amounts = ({name: amount} for amount in count(1))
            self.returned[name] = next(uses for uses in amounts if uses not in known)

    def _crop(self, kind: str, grown: str, fruit: str, uses: dict[str, int]) -> Crop:
        """A crop that changes by a rule of some kind."""
        rule: dict[str, Any]
        match kind:
            case "timers":
                rule, left = growing(self.random, grown), self.grounds["path"]
            case "beside":
                rule = put_beside(self.random, grown, list(self.stations))
                left = self.grounds["grass"]
            case _:
                rule, left = pushed(self.random, grown, self.dry), self.grounds["grass"]
        return Crop(grown, fruit, uses, FAMILIES[kind], rule, left)

    @property
    def dry(self) -> list[str]:
        """The grounds on which the player walks unharmed."""
        return [self.grounds[each] for each in ("grass", "sand", "path")]

    def _settle(self, name: str, loot: str) -> None:
        """Add a creature, which appears where a resource is collected at which no other does."""
        nests = {one.nest for one in self.living.values()}
        nest = self.random.choice([each for each in self.resources if each not in nests])
        self.living[name] = prey(self.random, nest, loot, self._tool())

    @property
    def loot(self) -> list[str]:
        """The items that creatures and crops yield."""
        fruits = [one.fruit for one in self.crops.values()]
        return [*(one.loot for one in self.living.values()), *fruits]

    @property
    def _placed(self) -> list[dict[str, int]]:
        """What placing each station and each crop takes."""
        return [*self.stations.values(), *(one.uses for one in self.crops.values())]

    @property
    def useless(self) -> set[str]:
        """Resources and loot that nothing takes, and stations beside which nothing is made."""
        return {
            name for name in (*self.resources, *self.stations, *self.loot) if not self._served[name]
        }

    def _kinds(self) -> Iterator[str]:
        """What comes next, in a random order that begins with a resource and something made."""
        resources, stations, made = self.request.parts
        left = ["resource"] * (resources - 1) + ["station"] * stations + ["made"] * (made - 1)
        left += ["creature"] * self.request.number_of("creatures")
        for kind in CROPS:
            left += [kind] * self.request.number_of(kind)
        self.random.shuffle(left)
        return _after_what_they_take(["resource", "made", *left])

    def _tool(self) -> dict[str, int]:
        """What collecting a resource requires: something made that serves least, or nothing."""
        if not self.made or self.random.random() < 1 / 4:
            return {}
        return dict.fromkeys(self._least_used(list(self.made), 1), 1)

    def _distinct(self, others: Any, most: int) -> dict[str, int]:
        """What something takes, which is not what another thing of its kind takes."""
        known = list(others)
        while True:
            goods = [*self.resources, *self.made, *self.loot]
            number = self.random.randint(1, min(2, len(goods)))
            chosen = self._least_used(goods, number, note=False)
            uses = {
                one: self.random.randint(1, most if one in self.resources else 1) for one in chosen
            }
            if uses not in known:
                self._served.update(chosen)
                return uses

    def _least_used(self, names: list[str], number: int, *, note: bool = True) -> list[str]:
        """Some names, rather those that have served for less."""
        weighed = [(self._served[name] * self.random.random(), name) for name in names]
        self.random.shuffle(weighed)
        chosen = [name for _, name in sorted(weighed, key=lambda pair: pair[0])[:number]]
        if note:
            self._served.update(chosen)
        return chosen


def _after_what_they_take(kinds: list[str]) -> Iterator[str]:
    """The same kinds of names, in an order in which there is what they are drawn from.

    A creature waits for a resource of its own, and what changes beside a station for any of these.
    """
    left: Counter[str] = Counter()
    waiting: Counter[str] = Counter()
    for kind in kinds:
        if kind in ("creature", "beside"):
            waiting[kind] += 1
        else:
            left[kind] += 1
            yield kind
        while waiting["creature"] and left["resource"]:
            waiting["creature"] -= 1
            left["resource"] -= 1
            yield "creature"
        while waiting["beside"] and left["station"]:
            waiting["beside"] -= 1
            yield "beside"


def _names(random: Random) -> Iterator[str]:
    """Different made-up words that are no words of the games."""
    known = {*vocabulary("mars").materials, *vocabulary("mars").items, "not"}
    while True:
        name = "".join(map(random.choice, _LETTERS))
        if name not in known:
            known.add(name)
            yield name


def _world(tree: _Tree, name: str) -> World:
    """The world of a technology tree."""
    text = yaml.safe_dump(_data(tree, name), sort_keys=False, allow_unicode=True)
    found = parse_theory(text, f"{name}.yaml")
    assert isinstance(found, World)
    return found


def _data(tree: _Tree, name: str) -> dict[str, Any]:
    """A world file as plain data."""
    ground = tree.grounds
    dry = tree.dry
    sites = [*VEINS, *["stone"] * len(tree.resources)]
    veins = list(zip(tree.resources, sites, strict=False))
    scatter = {one: {"in": site, "share": _SHARE} for one, site in veins[len(VEINS) :]}
    scatter |= {one: {"in": site, "share": 1} for one, site in veins[: len(VEINS)]}
    scatter |= {each: {"in": what, "share": 1} for what, each in ground.items()}
    first = next(iter(tree.resources))
    looks = dict.fromkeys(ground.values(), "ground")
    looks |= {each: "plant" if each == first else "ore" for each in tree.resources}
    looks |= dict.fromkeys(tree.stations, "station")
    looks |= dict.fromkeys((*tree.crops, *(one.grown for one in tree.crops.values())), "plant")
    collect: dict[str, Any] = {ground["water"]: {"yields": {"drink": 1}, "leaves": ground["water"]}}
    for one, requires in tree.resources.items():
        leaves = one if one == first else ground["path"]
        collect[one] = {"requires": requires, "yields": {one: 1}, "leaves": leaves}
    for being, living in tree.living.items():
        collect[living.nest]["spawns"] = {being: 1.0}
    walk: dict[str, Any] = {each: {"walkable": True} for each in dry}
    walk[ground["lava"]] = {"walkable": True, "deadly": True}
    goals = [f"collect_{one}" for one in tree.resources]
    goals += [f"place_{one}" for one in tree.stations]
    goals += [f"make_{one}" for one in tree.made] + [f"eat_{one}" for one in tree.foods]
    goals += [f"collect_{one}" for one in tree.loot] + [f"kill_{one}" for one in tree.living]
    goals += [f"place_{one}" for one in (*tree.crops, *tree.returned)]
    goals += [f"shoot_{one}" for one in tree.shots]
    life = life_data(tree.living, tree.needs, dry)
    shots = shot_data(tree.shots, _colour)
    crops = crop_data(tree.crops, dry)
    placed = {
        one: {"uses": uses, "where": dry}
        for one, uses in (*tree.stations.items(), *tree.returned.items())
    }
    return {
        "name": name,
        "title": f"{len(tree.resources)} resources, {len(tree.stations)} stations, "
        f"{len(tree.made)} things to make, all with made-up names",
        "base": _BASE,
        "map": {"scatter": scatter},
        "adds": {
            "materials": {
                each: {"looks": look, "colour": _colour(place, len(looks))}
                for place, (each, look) in enumerate(sorted(looks.items()))
            },
            "items": [*tree.resources, *tree.made, *tree.loot],
            **life.pop("adds", {}),
            **shots.pop("adds", {}),
        },
        "goals": goals,
        "walk": walk,
        "collect": collect | crops["collect"],
        "place": placed | crops["place"],
        "make": {one: {"uses": uses, "nearby": near} for one, (uses, near) in tree.made.items()},
        "eat": {one: {"food": food} for one, food in tree.foods.items()},
        **{family: crops[family] for family in FAMILIES.values() if family in crops},
        **life,
        **shots,
    }


def _colour(place: int, number: int) -> str:
    """One of so many colours that differ in hue and lightness."""
    red, green, blue = colorsys.hls_to_rgb(place / number, 0.4 + 0.2 * (place % 2), 0.55)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"
