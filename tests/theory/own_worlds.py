"""Random worlds that add names, and play in them."""

from __future__ import annotations

from functools import cache
from random import Random

from mars_logic import load_world
from mars_logic.data import Trajectory
from mars_logic.theory import Evidence
from mars_logic.theory.signatures import Start
from mars_logic.world.added_things import AddedMaterial
from mars_logic.world.adds import Adds
from mars_logic.world.theory import World
from tests.theory.test_check import by_hand, empty

DEFAULT = load_world("default")
ADDS = Adds(
    materials=tuple(AddedMaterial(name, "ore", "#b87333") for name in ("ore", "kiln", "slime")),
    items=("ore", "gem", "brick", "hammer", "pie"),
    placed=("kiln", "slime"),
    made=("brick", "hammer", "pie"),
    eaten=("pie", "gem"),
)


@cache
def own_world(seed: int, adds: Adds = ADDS) -> World:
    """A world whose rules about added names are random, and easy to carry out."""
    world = DEFAULT.adding(adds).sample(seed)
    words = world.vocabulary
    random = Random(seed)
    rules = []
    for material in adds.material_names:
        fields = {"collectable": random.random() < 0.8}
        if material == adds.material_names[0]:
            fields["yields"] = {adds.items[0]: 1}
        rules.append(world.collect[material].with_fields(fields, words))
    return world.with_rules(*rules, name=f"own{seed}")


def own_play(world: World, episodes: int = 30, steps: int = 40) -> list[Trajectory]:
    """Play among all materials, with some of all items, by someone who tries everything."""
    words = world.vocabulary
    deeds = [code for code, action in enumerate(words.actions) if "_" in action]
    deeds = [code for code in deeds if not words.actions[code].startswith("move")]
    found = []
    for episode in range(episodes):
        random = Random(f"{world.name} {episode}")
        scene = empty(world)
        cells = [(x, y) for x in range(29, 36) for y in range(29, 36) if (x, y) != (32, 32)]
        for x, y in random.sample(cells, 24):
            scene = scene.fill(random.choice(words.materials[1:]), x, y)
        held = {item: random.choice((0, 1, 2, 5)) for item in words.holdable}
        vitals = {"health": 7, "food": random.randint(3, 9), "drink": random.randint(3, 9)}
        scene = scene.player(at=(32, 32), facing=(1, 0), inventory=held | vitals)
        actions = [
            random.choice((1, 2, 3, 4, 5, 5, 5, random.choice(deeds), random.choice(deeds)))
            for _ in range(steps)
        ]
        found.append(by_hand(world, *actions, scene=scene, seed=episode))
    return found


@cache
def own_evidence(seed: int, adds: Adds = ADDS) -> Evidence:
    """What play in such a world shows, but for where it begins: scenes are no maps."""
    return Evidence.of(own_play(own_world(seed, adds)), threads=1).without(Start)
