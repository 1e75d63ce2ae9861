"""Random worlds in which much happens, and single wrong fields."""

from __future__ import annotations

from random import Random
from typing import Any

from mars_logic import load_world
from mars_logic.theory.claims import Field
from mars_logic.world import names
from mars_logic.world.field_values import domain
from mars_logic.world.rules import Collect, Creature, Drink, Make, Place, Rule, Walk
from mars_logic.world.theory import Theory, World


def random_world(seed: int) -> World:
    """A world whose rules hold values far from usual, and whose player lives for a while."""
    random = Random(seed)
    rules = [_random_rule(rule, random) for rule in load_world("default").rules()]
    return World.from_rules("mars", rules, name=f"random{seed}")


def _random_rule(rule: Rule, random: Random) -> Rule:
    kind, subject = type(rule), rule.subject

    def maybe(p: float = 0.5) -> bool:
        return random.random() < p

    def factor() -> int:
        return random.choice([-9, -2, -1, -1, 0, 0, 1, 1, 3])

    if kind is Walk:
        health = random.choice([0, 0, 0, -1, 1, 3, -4])
        return Walk(subject=subject, walkable=maybe(0.7), health=health, deadly=maybe(0.05))
    if kind is Creature:
        fields = {
            name: factor() if name.endswith("_factor") else maybe()
            for name in Creature.field_names()
        }
        return Creature(subject=subject, **fields)
    if kind is Drink:
        return Drink(
            subject=subject,
            drink=random.randint(-9, 9),
            food=random.randint(-9, 9),
            health=random.randint(-5, 9),
        )
    if kind is Collect:
        return Collect(
            subject=subject,
            collectable=maybe(0.85),
            requires=_amounts(random) if maybe(0.3) else {},
            yields=_yields(random),
            leaves=random.choice(names.NATURAL),
            spawns=(
                {random.choice(names.CREATURES): random.choice([0.0, 0.1, 0.5, 1.0])}
                if maybe(0.3)
                else {}
            ),
        )
    if kind is Place:
        where = random.sample(names.MATERIALS[1:], 4)
        return Place(subject=subject, uses=_amounts(random), where=where)
    if kind is Make:
        nearby = random.sample(names.MATERIALS[1:], random.choice([0, 1, 1, 2]))
        gives = random.randint(1, 4)
        return Make(subject=subject, uses=_amounts(random), nearby=nearby, gives=gives)
    return rule if maybe() else kind(subject=subject, material=random.choice(names.NATURAL))


def _amounts(random: Random) -> dict[str, int]:
    chosen = random.sample(names.HOLDABLE, random.choice([0, 0, 1, 1, 2]))
    return {item: random.randint(1, 2) for item in chosen}


def _yields(random: Random) -> dict[str, Any]:
    left = 1.0
    found: dict[str, Any] = {}
    for item in random.sample(names.GAINS, random.choice([0, 1, 1, 2, 3])):
        if random.random() < 0.5:
            found[item] = random.randint(1, 3)
        else:
            chance = random.choice([left / 2, left * 0.3, 0.0])
            left -= chance
            found[item] = {"amount": random.randint(1, 4), "probability": chance}
    return found


def with_field(theory: Theory, field: Field, value: Any) -> Theory:
    """The same with another value of one field."""
    rule = theory[field[0]]
    return theory.with_rules(type(rule).model_validate(rule.model_dump() | {field[1]: value}))


def wrong_values(world: World, field: Field) -> list[Any]:
    """Usual values of a field that are not the world's."""
    return [value for value in domain(*field) if value != getattr(world[field[0]], field[1])]


def fields(theory: Theory) -> list[Field]:
    return [(rule.id, name) for rule in theory.rules() for name in rule.field_names()]
