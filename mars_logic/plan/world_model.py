"""World model: a belief's rules on movement, collecting, fights and survival, by code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.plan.observed_map import KINDS
from mars_logic.sim.tables import compile_rules
from mars_logic.world import names
from mars_logic.world.dialect import BALANCE, ZOMBIES_AT_NIGHT, ZOMBIES_BY_DAY, Need, needs
from mars_logic.world.known_names import require_known_kinds
from mars_logic.world.load import load_world
from mars_logic.world.theory import World
from mars_logic.world.validate import FIXED_IN_CRAFTER

CODE = {material: code for code, material in enumerate(names.MATERIALS)}
ACTION = {name: code for code, name in enumerate(names.ACTIONS)}
"""Codes of Crafter's names; those that a world adds follow, in :class:`WorldModel`."""
DO, NOOP, SLEEP = ACTION["do"], ACTION["noop"], ACTION["sleep"]
VITALS = ("health", "food", "drink")
SPAWN_GROUND = {being: BALANCE[being].ground for being in ("zombie", "skeleton")}
"""Where creatures come that have to be met."""


@dataclass(frozen=True, slots=True)
class VitalEffect:
    """Expected change of the player's vitals by an interaction."""

    health: float = 0
    food: float = 0
    drink: float = 0

    def of(self, vital: str) -> float:
        """The change of one vital."""
        return float(getattr(self, vital))

    @property
    def helps(self) -> bool:
        """Whether it raises anything."""
        return max(self.health, self.food, self.drink) > 0


class WorldModel:
    """Look-ups for one believed world.

    Attributes:
        world: What is believed.
        playable: The same, as a simulator takes it: what the dialect fixes is as it is fixed.
        table: Its rules, as kernels read them.
        words: Its names.
        code: The codes of its materials by name.
        actions: The codes of its actions by name.
        length: The steps of an episode.
    """

    def __init__(self, world: World, length: int | None = None):
        """Compile the world's rules.

        Args:
            world: What is believed.
            length: The steps of an episode; by default as many as the world states.
        """
        require_known_kinds(world, "plan", "the planner")
        self.world = world
        self.words = world.vocabulary
        self.length = self.words.length if length is None else length
        self.code = {material: code for code, material in enumerate(self.words.materials)}
        self.actions = {action: code for code, action in enumerate(self.words.actions)}
        self.playable = _playable(world)
        self.table: Any = compile_rules(self.playable)[0]

    @cached_property
    def lasts(self) -> Mapping[str, int]:
        """Steps awake in which a point of food, drink or energy is used up."""
        return {vital: self._needs[vital].lasts for vital in ("food", "drink", "energy")}

    @cached_property
    def healing(self) -> int:
        """Steps awake in which a point of health is gained while nothing is missing."""
        return self._needs["health"].lasts

    @cached_property
    def wasting(self) -> int:
        """Steps awake in which health falls while something is missing, one less than it takes."""
        return -(self._needs["health"].below or 0)

    @cached_property
    def sleep_per_energy(self) -> int:
        """Steps of sleep in which a point of energy is gained."""
        return self._needs["energy"].lasts_asleep or 0

    @cached_property
    def _needs(self) -> Mapping[str, Need]:
        return needs(self.world.vocabulary)

    @cached_property
    def walkable(self) -> NDArray[np.bool_]:
        """bool[materials]: whether the player can step on a material (and live on or not)."""
        return self.walked_by(KINDS.index("player"))

    @cached_property
    def creatures_walk(self) -> NDArray[np.bool_]:
        """bool[materials]: whether any creature can step on a material."""
        by_each = [self.walked_by(KINDS.index(kind)) for kind in names.CREATURES]
        return np.asarray(np.any(by_each, axis=0))

    @cached_property
    def deadly(self) -> NDArray[np.bool_]:
        """bool[materials]: whether stepping on a material kills."""
        return np.array(self.table["deadly"][: len(self.code)] != 0)

    @cached_property
    def walk_health(self) -> NDArray[np.int64]:
        """int[materials]: what a step on a material changes of health."""
        return np.array(self.table["walk_health"][: len(self.code)], np.int64)

    def can_collect(self, material: str, held: dict[str, int]) -> bool:
        """Whether ``do`` on a material has an effect, given what is held."""
        rule = self.world.collect.get(material)
        if rule is None or not rule.collectable:
            return False
        return all(held.get(item, 0) >= amount for item, amount in rule.requires.items())

    @lru_cache(maxsize=64)  # noqa: B019 - a lore lives as long as its belief
    def collect_effect(self, material: str) -> VitalEffect:
        """Expected effect on the vitals of collecting from a material."""
        rule = self.world.collect[material]
        given = rule.yields.get("drink")
        drink = 0.0 if given is None else given.amount * (given.probability or 1)
        if given is not None and given.probability == 0:
            drink = 0.0
        effect = self.world.drink.get(material)
        if effect is None:
            return VitalEffect(drink=drink)
        return VitalEffect(effect.health, effect.food, effect.drink + drink)

    def meal(self, item: str) -> VitalEffect:
        """Effect on the vitals of eating an item that is held."""
        rule = self.world.eat[item]
        return VitalEffect(rule.health, rule.food, rule.drink)

    def eat_effect(self, kind: int) -> VitalEffect:
        """Effect on the vitals of killing a creature, or of eating a ripe plant."""
        return self._eaten[kind]

    def blow(self, kind: int) -> int:
        """The damage of a blow by a creature of this kind, 0 if it does none."""
        return self._blows[kind]

    @cached_property
    def worst_blow_asleep(self) -> int:
        """The damage of the worst blow that a sleeper may get."""
        kinds = [kind for kind in range(len(self.table["attacks"])) if self.blow(kind)]
        return max((-int(self.table["attack_asleep"][kind]) for kind in kinds), default=0)

    def shot(self, kind: int) -> int:
        """The damage of an arrow shot by a creature of this kind."""
        return self._shots[kind]

    @cached_property
    def _eaten(self) -> tuple[VitalEffect, ...]:
        amounts = (self.table[f"eaten_{vital}"].tolist() for vital in VITALS)
        return tuple(VitalEffect(*map(float, each)) for each in zip(*amounts, strict=True))

    @cached_property
    def _blows(self) -> tuple[int, ...]:
        damage = np.where(self.table["attacks"], -self.table["attack_awake"].astype(np.int64), 0)
        return tuple(np.maximum(0, damage).tolist())

    @cached_property
    def _shots(self) -> tuple[int, ...]:
        damage = -self.world.vocabulary.arrow_points * self.table["arrow_factor"].astype(np.int64)
        return tuple(np.maximum(0, np.where(self.table["shoots"], damage, 0)).tolist())

    @cached_property
    def arrow_factor(self) -> int:
        """Change of health by the worst arrow, in units of ``arrow_points``; negative."""
        shooters = (kind for kind in range(len(self.table["shoots"])) if self.table["shoots"][kind])
        return min((int(self.table["arrow_factor"][kind]) for kind in shooters), default=0)

    def approaches(self, kind: int) -> bool:
        """Whether creatures of this kind come to the player."""
        return bool(self.table["approaches"][kind])

    @cached_property
    def zombies_attack(self) -> bool:
        """Whether what comes in the dark comes to the player and does harm."""
        zombie = KINDS.index("zombie")
        return self.blow(zombie) > 0 and self.approaches(zombie)

    def hits(self, kind: int, held: dict[str, int]) -> int:
        """How many blows kill a healthy creature of this kind."""
        words = self.world.vocabulary
        swords = (points for sword, points in words.damage.items() if held.get(sword))
        damage = next(swords, words.unarmed_damage)
        return max(1, -(-int(self.table["health_at_first"][kind]) // damage))

    def walked_by(self, kind: int) -> NDArray[np.bool_]:
        """bool[materials]: whether a kind of thing can step on each."""
        mask = int(self.table["walkable"][kind])
        return np.array([(mask >> code) & 1 for code in range(len(self.code))], np.bool_)


def _playable(world: World) -> World:
    """The world, with what its dialect fixes as it is fixed."""
    if world.dynamics != "crafter":
        return world
    fixed = [r for r in load_world("crafter").rules() if r.family in FIXED_IN_CRAFTER]
    wrong = [rule for rule in fixed if world[rule.id] != rule]
    return world.with_rules(*wrong) if wrong else world


def zombies_wanted(daylight: float) -> int:
    """How many zombies come to a chunk, one after the other, when it is so bright."""
    return int(ZOMBIES_AT_NIGHT - ZOMBIES_BY_DAY * daylight)
