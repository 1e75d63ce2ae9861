"""Carries out a witness in the abstract, independently of everything in ``mars_logic.logic``.

It knows the rules of a world and nothing of zones: a material can be found if the generator may put
it on the map or if it was laid before; a station is nearby if it was placed before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from mars_logic import World
from mars_logic.logic import Step
from mars_logic.world.vocabulary import achievement_aliases

CAP = 9


class Refused(AssertionError):
    """A step of a witness cannot be carried out."""


def generated(world: World) -> set[str]:
    """The materials that the generator may put on a map."""
    kept = {"water", "stone", "path", "tree", "lava", "coal", "iron", "diamond"}
    around = {rule.material for rule in world.neighbour.values() if rule.material is not None}
    scattered = {each.material for each in world.map.scattered}
    return {world.rename[material].material for material in kept | around} | scattered


class Player:
    """What a player has and has done."""

    def __init__(self, world: World):
        self.world = world
        self.held: Counter[str] = Counter()
        self.unlocked: set[str] = set()
        self.found = generated(world)
        self.laid: Counter[str] = Counter()
        self.done: set[str] = set()
        self.appeared: set[str] = set()

    def carry_out(self, steps: Iterable[Step]) -> None:
        for step in steps:
            for _ in range(step.times):
                family, _, subject = step.rule.partition(".")
                getattr(self, f"_{family}")(subject, step.gain)
                self.done.add(step.rule)

    def _require(self, condition: bool, what: str) -> None:
        if not condition:
            raise Refused(f"{what}; held: {dict(self.held)}, done: {sorted(self.done)}")

    def _spend(self, amounts: dict[str, int], *, keep: bool = False) -> None:
        for item, amount in amounts.items():
            self._require(self.held[item] >= amount, f"{amount} of {item} are needed")
            self.held[item] -= 0 if keep else amount

    def _gain(self, item: str, amount: int) -> None:
        self.held[item] = min(CAP, self.held[item] + amount)

    def _there_is(self, material: str) -> bool:
        return material in self.found or self.laid[material] > 0

    def _take(self, material: str) -> None:
        self._require(self._there_is(material), f"there is no {material}")
        if material not in self.found:
            self.laid[material] -= 1

    def _collect(self, material: str, gain: str | None) -> None:
        rule = self.world.collect[material]
        self._require(rule.collectable, f"{material} is not collectable")
        self._take(material)
        self._spend(dict(rule.requires), keep=True)
        self.laid[rule.leaves] += 1
        lucky = gain is None
        for item, given in rule.yields.items():
            sure = given.probability in (None, 1)
            if sure or (item == gain and given.probability):
                lucky |= item == gain
                self._gain(item, given.amount)
                self.unlocked.add(f"collect_{item}")
        for creature, probability in rule.spawns.items():
            if probability == 1 or (creature == gain and probability > 0):
                lucky |= creature == gain
                self.appeared.add(creature)
        self._require(lucky, f"{material} never gives {gain}")

    def _place(self, thing: str, gain: str | None) -> None:
        rule = self.world.place[thing]
        self._require(gain is None, "placing needs no luck")
        self._require(any(map(self._there_is, rule.where)), f"there is no ground for {thing}")
        self._spend(dict(rule.uses))
        self.laid[thing] += thing != "plant"
        self.unlocked.add(f"place_{thing}")

    def _make(self, tool: str, gain: str | None) -> None:
        rule = self.world.make[tool]
        self._require(gain is None, "making needs no luck")
        self._require(all(map(self._there_is, rule.nearby)), f"{rule.nearby} are not all nearby")
        self._spend(dict(rule.uses))
        self._gain(tool, rule.gives)
        self.unlocked.add(f"make_{tool}")

    def _creature(self, being: str, gain: str | None) -> None:
        self._require(gain is None, "killing needs no luck")
        if being == "plant":
            self._require("place.plant" in self.done, "there is no plant")
            self.unlocked.add("eat_plant")
        else:
            self.unlocked.add(f"kill_{being}")

    def _eat(self, item: str, gain: str | None) -> None:
        rule = self.world.eat[item]
        self._require(gain is None, "eating needs no luck")
        self._spend({item: 1})
        if rule.leaves:
            self._gain(rule.leaves, 1)
        self.unlocked.add(f"eat_{item}")

    def _sleep(self, subject: str, gain: str | None) -> None:
        self._require(not subject and gain is None, "sleeping is sleeping")
        self.unlocked.add("wake_up")


def check(world: World, achievement: str, witness: Iterable[Step]) -> None:
    """Fail unless the witness can be carried out and unlocks the achievement."""
    player = Player(world)
    player.carry_out(witness)
    goal = achievement_aliases().get(achievement, achievement)
    assert goal in player.unlocked, (achievement, sorted(player.unlocked))
