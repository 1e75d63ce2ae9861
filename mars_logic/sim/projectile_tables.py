"""Compiles projectiles that a world describes: their flight and hits, and shots of the player."""

from __future__ import annotations

from mars_logic.sim.rules_record import AS_SHOOTER, Rules, codes_of, mask_of
from mars_logic.world.projectile_rules import Projectile
from mars_logic.world.theory import World
from mars_logic.world.vocabulary import Vocabulary


def projectile_tables(rules: Rules, world: World, words: Vocabulary) -> None:
    """Fill in what a wide record says of projectiles, after the ground of arrows."""
    rules["own_flight"] = bool(world.projectile or world.shoot)
    if not rules["own_flight"]:
        return
    safe = int(rules["spawn_ground"])
    for name in words.projectiles:
        kind = words.objects.index(name)
        flight = world.projectile.get(name) or Projectile(subject=name)
        rules["speed"][kind] = flight.speed
        rules["range"][kind] = flight.range or 0
        rules["shot_harm"][kind] = AS_SHOOTER if flight.harm is None else flight.harm
        rules["shot_damage"][kind] = flight.damage
        rules["walkable"][kind] = safe | mask_of(codes_of(words, flight.over))
        for material, becomes in flight.breaks.items():
            at = kind, words.materials.index(material)
            rules["shot_breaks"][at] = words.materials.index(becomes)
    for code, (name, shoot) in enumerate(world.shoot.items(), start=len(world.place)):
        kind = words.objects.index(name)
        rules["place_kind"][code] = kind
        rules["place_where"][code] = rules["walkable"][kind]
        rules["placed"][code] = words.achievements.index(f"shoot_{name}")
        for item, amount in shoot.requires.items():
            rules["place_requires"][code, words.items.index(item)] = amount
        for item, amount in shoot.uses.items():
            rules["place_uses"][code, words.items.index(item)] = amount
