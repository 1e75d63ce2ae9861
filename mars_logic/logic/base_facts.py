"""Features of a world's base that the world lacks, as facts for ``encodings/explain/repair.lp``."""

from __future__ import annotations

from collections.abc import Iterator

from mars_logic.world.rules import Collect, Creature
from mars_logic.world.theory import World
from mars_logic.world.trace_rules import LeavingCreature


def former_facts(world: World) -> str:
    """The facts; empty for a world without a base."""
    base = world.base
    if not isinstance(base, World):
        return ""
    return "".join(
        f"{atom}.\n" for atom in (*_collect(world, base), *_loot(world, base), *_map(world, base))
    )


def ranked(world: World) -> list[str]:
    """The ids of the rules, in tie-breaking order: rules that the world changes come first."""
    base = world.base
    return sorted(
        (rule.id for rule in world.rules()),
        key=lambda rule: (isinstance(base, World) and world[rule] == base.rule(rule), rule),
    )


def former_gains(rule: Collect, base: Collect) -> list[str]:
    """Yields of collecting under the base's rule that the world's rule lacks."""
    now = _possible(rule) if rule.collectable else []
    was = _possible(base) if base.collectable else []
    return [gain for gain in was if gain not in now]


def _possible(rule: Collect) -> list[str]:
    return [gain for gain, given in rule.yields.items() if given.probability != 0]


def _collect(world: World, base: World) -> Iterator[str]:
    for material, now in world.collect.items():
        was = base.collect.get(material)
        if was is None:
            continue  # the world adds the material
        for gain in former_gains(now, was):
            yield f"formerly_yields({material}, {gain})"
        if not was.collectable:
            continue
        if not now.collectable:
            yield f"formerly_collectable({material})"
        if not now.collectable or now.leaves != was.leaves:
            yield f"formerly_leaves({material}, {was.leaves})"
        for creature, probability in was.spawns.items():
            if probability and not (now.collectable and now.spawns.get(creature)):
                yield f"formerly_spawns({material}, {creature})"


def former_loot(rule: Creature, base: Creature) -> list[str]:
    """Items that killing brings under the base's rule, and that the world's rule lacks."""
    if not isinstance(rule, LeavingCreature) or not isinstance(base, LeavingCreature):
        return []
    return [item for item in base.yields if item not in rule.yields]


def _loot(world: World, base: World) -> Iterator[str]:
    for creature, now in world.creature.items():
        was = base.creature.get(creature)
        for item in former_loot(now, was) if was else ():  # or else the world adds the creature
            yield f"formerly_loots({creature}, {item})"


def _map(world: World, base: World) -> Iterator[str]:
    for region, neighbour in world.neighbour.items():
        was = base.neighbour[region].material
        if was is not None and was != neighbour.material:
            yield f"formerly_made_of(neighbour({region}), {base.rename[was].material})"
    for material, rename in world.rename.items():
        if base.rename[material].material != rename.material:
            yield f"formerly_made_of(rename({material}), {base.rename[material].material})"
