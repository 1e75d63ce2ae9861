"""World model: a belief's rules on movement, collecting, fights and survival, by code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mars_logic.logic.spending import requiring
from mars_logic.plan.observed_map import KINDS
from mars_logic.sim.tables import compile_rules
from mars_logic.world import names
from mars_logic.world.dialect import BALANCE, ZOMBIES_AT_NIGHT, ZOMBIES_BY_DAY, Need, needs
from mars_logic.world.known_names import require_plannable
from mars_logic.world.load import load_world
from mars_logic.world.need_rules import AddedNeed
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
    needs: tuple[tuple[str, float], ...] = ()

    def of(self, vital: str) -> float:
        """The change of one vital, or of an added need."""
        return float(getattr(self, vital) if vital in VITALS else dict(self.needs).get(vital, 0))

    @property
    def helps(self) -> bool:
        """Whether it raises anything."""
        return max(self.health, self.food, self.drink, *(n for _, n in self.needs)) > 0


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
        kinds: The kinds of things by code, as in observations; added creatures follow.
        creatures: The kinds of creatures.
    """

    def __init__(self, world: World, length: int | None = None):
        """Compile the world's rules.

        Args:
            world: What is believed.
            length: The steps of an episode; by default as many as the world states.
        """
        require_plannable(world, "plan", "the planner")
        self.world = world
        self.words = world.vocabulary
        self.length = self.words.length if length is None else length
        self.code = {material: code for code, material in enumerate(self.words.materials)}
        self.actions = {action: code for code, action in enumerate(self.words.actions)}
        self.kinds = self.words.looks
        self.creatures = self.words.creatures
        self.playable = _playable(world)
        self.table: Any = compile_rules(self.playable)[0]
        objects = self.words.objects
        kinds = ("plant" if k == "ripe_plant" else names.kind_of_look(k) for k in self.kinds)
        self._objects = np.array([objects.index(kind) for kind in kinds])

    @cached_property
    def lasts(self) -> Mapping[str, int]:
        """Steps awake in which a point of food, drink, energy or an added need is used up."""
        found = {vital: self._needs[vital].lasts for vital in ("food", "drink", "energy")}
        return found | {
            name: max(1, rule.every // rule.loss)
            for name, rule in self.added_needs.items()
            if rule.loss > 0 and rule.empty < 0
        }

    @cached_property
    def added_needs(self) -> Mapping[str, AddedNeed]:
        """The rules of added needs."""
        found = {name: self.world.need[name] for name in self.words.added_needs}
        return {name: rule for name, rule in found.items() if isinstance(rule, AddedNeed)}

    def wanting(self, held: Mapping[str, int]) -> tuple[str, ...]:
        """The added needs that take health when they are empty, and that nothing held keeps."""
        return tuple(
            name
            for name, rule in self.added_needs.items()
            if name in self.lasts and not any(held.get(item) for item in rule.kept_by)
        )

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
        by_each = [self.walked_by(self.kinds.index(kind)) for kind in self.creatures]
        return np.asarray(np.any(by_each, axis=0))

    @cached_property
    def changing(self) -> frozenset[str]:
        """The materials that change with time, beside others, or where a creature grazes."""
        grazed = (name for rule in self.world.behaviour.values() for name in rule.grazes)
        return frozenset({*self.world.timer, *self.world.beside, *grazed})

    @cached_property
    def deadly(self) -> NDArray[np.bool_]:
        """bool[materials]: whether stepping on a material kills."""
        return np.array(self.table["deadly"][: len(self.code)] != 0)

    @cached_property
    def walk_health(self) -> NDArray[np.int64]:
        """int[materials]: what a step on a material changes of health."""
        return np.array(self.table["walk_health"][: len(self.code)], np.int64)

    @cached_property
    def requires(self) -> dict[str, Mapping[str, int]]:
        """By the id of each rule that takes items in hand and keeps them: how many of each."""
        return requiring(self.world)

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

    @cached_property
    def meals(self) -> tuple[VitalEffect, ...]:
        """Effects on the vitals of killing each kind of creature."""
        return tuple(self.eat_effect(self.kinds.index(being)) for being in self.creatures)

    def blow(self, kind: int) -> int:
        """The damage of a blow by a creature of this kind, 0 if it does none."""
        return self._blows[kind]

    @cached_property
    def worst_blow_asleep(self) -> int:
        """The damage of the worst blow that a sleeper may get."""
        asleep = self._by_kind("attack_asleep").tolist()
        return max((-asleep[kind] for kind in range(len(asleep)) if self.blow(kind)), default=0)

    def shot(self, kind: int) -> int:
        """The damage of an arrow shot by a creature of this kind."""
        return self._shots[kind]

    @cached_property
    def _eaten(self) -> tuple[VitalEffect, ...]:
        amounts = (self._by_kind(f"eaten_{vital}").tolist() for vital in VITALS)
        return tuple(
            VitalEffect(float(health), float(food), float(drink))
            for health, food, drink in zip(*amounts, strict=True)
        )

    @cached_property
    def _blows(self) -> tuple[int, ...]:
        damage = np.where(self._by_kind("attacks"), -self._by_kind("attack_awake"), 0)
        return tuple(np.maximum(0, damage).tolist())

    @cached_property
    def _shots(self) -> tuple[int, ...]:
        damage = -self.world.vocabulary.arrow_points * self._by_kind("arrow_factor")
        return tuple(np.maximum(0, np.where(self._by_kind("shoots"), damage, 0)).tolist())

    def _by_kind(self, column: str) -> NDArray[np.int64]:
        """int64[kinds]: what the table says of each kind."""
        return np.array(self.table[column][self._objects], np.int64)

    @cached_property
    def arrow_factor(self) -> int:
        """Change of health by the worst arrow, in units of ``arrow_points``; negative."""
        shooters = (kind for kind in range(len(self.table["shoots"])) if self.table["shoots"][kind])
        return min((int(self.table["arrow_factor"][kind]) for kind in shooters), default=0)

    @cached_property
    def endangered(self) -> bool:
        """Whether any creature strikes or shoots."""
        beings = map(self.kinds.index, self.creatures)
        return any(self.blow(kind) or self.shot(kind) for kind in beings)

    def approaches(self, kind: int) -> bool:
        """Whether creatures of this kind come to the player."""
        return bool(self.table["approaches"][self._objects[kind]])

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
        hunt = self.world.hunt.get(self.kinds[kind])
        if hunt is not None:
            damage = max(damage, *(n for item, n in hunt.damage.items() if held.get(item)), 0)
        return max(1, -(-self.health_at_first(kind) // damage))

    def object_of(self, kind: int) -> int:
        """The code in a state of a thing of this kind."""
        return int(self._objects[kind])

    def health_at_first(self, kind: int) -> int:
        """The health of a new thing of this kind."""
        return int(self.table["health_at_first"][self._objects[kind]])

    def hunts(self, being: str, held: Mapping[str, int]) -> bool:
        """Whether blows at a creature harm it, given what is held."""
        hunt = self.world.hunt.get(being)
        return hunt is None or all(held.get(item, 0) >= n for item, n in hunt.requires.items())

    def loot(self, being: str) -> set[str]:
        """The items that killing a creature gives."""
        hunt = self.world.hunt.get(being)
        return set() if hunt is None else set(hunt.yields)

    def walked_by(self, kind: int) -> NDArray[np.bool_]:
        """bool[materials]: whether a kind of thing can step on each."""
        mask = int(self.table["walkable"][self._objects[kind]])
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
