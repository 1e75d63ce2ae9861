"""Atoms of a theory: its rules as facts in a normal form, equal for equal behaviour.

The words are those of the facts for clingo (``encodings/facts/facts.lp``). What cannot be observed
makes no difference: fields without effect are left out; of neighbour and rename rules only what
ends up on the map counts; of a drink's effect and a certain yield of drink only the sum, and that
it counts as collecting drink; eating is told by what it gives; a chance of 1 is certain, one of 0
is none; a rule that does nothing is no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, NamedTuple

from mars_logic.logic.rule_atoms import millionths
from mars_logic.theory.claims import Field
from mars_logic.world import names
from mars_logic.world.digest import effective
from mars_logic.world.theory import Theory, World
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.vocabulary import CELL_FAMILIES, CREATURE_FAMILIES, PROJECTILE_FAMILIES

Kind = Literal["terrain", "survival", "task"]
Told = Iterator[tuple[str, tuple[Field, ...]]]
"""Atoms, each with the fields that it depends on."""

KINDS: Final[dict[Kind, tuple[str, ...]]] = {
    "terrain": ("neighbour", "rename", "walkable", "walk_health", "deadly", *CELL_FAMILIES),
    "survival": (
        *("eaten_factor", "behaves", "attack_factor", "arrow_factor", "drink_effect"),
        *("grants", "need", *CREATURE_FAMILIES, *PROJECTILE_FAMILIES),
    ),
    "task": (
        "requires",
        "yields",
        "chance",
        "leaves",
        "spawns",
        "uses",
        "where",
        "nearby",
        "gives",
    ),
}
"""The predicates that each part of a game is told with."""
_ONLY_AROUND = ("grass", "sand")
"""Materials that the generator makes only where a neighbour rule asks for them."""


def kind_of(atom: str) -> Kind:
    """The part of the game that an atom describes."""
    predicate = atom.partition("(")[0]
    return next(kind for kind, predicates in KINDS.items() if predicate in predicates)


class Likelihood(NamedTuple):
    """An atom on a random outcome, with its probability (1 if certain).

    Attributes:
        what: The atom without the probability.
        probability: Above 0.
    """

    what: str
    probability: float


def likelihood(atom: str) -> Likelihood | None:
    """The random outcome of an atom with its probability; None for other atoms.

    Example:
        >>> likelihood("chance(collect(grass), sapling, 1, 100000)")
        Likelihood(what='yields(collect(grass), sapling, 1)', probability=0.1)
    """
    predicate, _, arguments = atom.partition("(")
    if predicate == "yields":
        return Likelihood(atom, 1.0)
    if predicate in ("beside", "timer"):
        subject, field, *value = arguments.removesuffix(")").split(", ")
        told = f"{predicate}({subject}, {field})"
        return Likelihood(told, float(value[0])) if field == "chance" else None
    if predicate not in ("chance", "spawns"):
        return None
    about, _, parts = arguments.removesuffix(")").rpartition(", ")
    told = "yields" if predicate == "chance" else predicate
    return Likelihood(f"{told}({about})", int(parts) / 10**6)


def atoms(theory: Theory) -> frozenset[str]:
    """The atoms that a theory asserts: the most likely alternatives; none for unknown fields.

    Example:
        >>> import mars_logic
        >>> sorted(atoms(mars_logic.load_world("default")))[:2]
        ['arrow_factor(skeleton, -1)', 'attack_factor(zombie, -1)']
    """
    unknown = {(rule, n) for rule, n in theory.uncertain if getattr(theory[rule], n) is UNKNOWN}
    told = atoms_with_fields(theory.most_likely())
    return frozenset(atom for atom, fields in told if not unknown & set(fields))


def atoms_with_fields(world: World) -> Told:
    """The atoms of a world, each with the fields that it depends on."""
    return (told for tell in _FAMILIES for told in tell(world))


def _terrain(world: World) -> Told:
    for region, rule in world.neighbour.items():
        if rule.material is not None:
            fields = ((rule.id, "material"), (f"rename.{rule.material}", "material"))
            yield f"neighbour({region}, {world.rename[rule.material].material})", fields
    for material, rename in world.rename.items():
        if material not in _ONLY_AROUND and material != rename.material:
            yield f"rename({material}, {rename.material})", ((rename.id, "material"),)
    alive = effective(world)["rules"]
    for material, walk in world.walk.items():
        if walk.walkable:
            yield f"walkable({material})", ((walk.id, "walkable"),)
        if "health" in alive[walk.id] and walk.health:
            yield f"walk_health({material}, {walk.health})", ((walk.id, "health"),)
        if "deadly" in alive[walk.id] and walk.deadly:
            yield f"deadly({material})", ((walk.id, "deadly"),)


def _creatures(world: World) -> Told:
    alive = effective(world)["rules"]
    for being, rule in world.creature.items():
        live = alive[rule.id]
        for vital in ("food", "drink", "health"):
            factor = live.get(name := f"eaten_{vital}_factor")
            if factor:
                gates = () if being == "plant" else ((rule.id, "eatable"),)
                yield f"eaten_factor({being}, {vital}, {factor})", (*gates, (rule.id, name))
        for way in ("walks", "approaches", "shoots"):
            if live.get(way):
                yield f"behaves({being}, {way})", ((rule.id, way),)
        if hit := live.get("attack_health_factor"):
            fields = ((rule.id, "attacks"), (rule.id, "attack_health_factor"))
            yield f"behaves({being}, attacks)", fields
            yield f"attack_factor({being}, {hit})", fields
        if hit := live.get("arrow_health_factor"):
            yield f"arrow_factor({being}, {hit})", ((rule.id, "arrow_health_factor"),)


def _collect(world: World) -> Told:
    for material, rule in world.collect.items():
        this, own = f"collect({material})", (rule.id, "collectable")
        found = [told for tell in (_yields, _effects, _spawns) for told in tell(world, material)]
        if not rule.collectable or (not found and rule.leaves == material):
            continue
        found.append((f"leaves({material}, {rule.leaves})", ((rule.id, "leaves"),)))
        for item, amount in rule.requires.items():
            found.append((f"requires({this}, {item}, {amount})", ((rule.id, "requires"),)))
        yield from ((atom, (own, *fields)) for atom, fields in found)


def _yields(world: World, material: str) -> Told:
    rule = world.collect[material]
    fields = ((rule.id, "yields"),)
    chances = {item: given.probability for item, given in rule.yields.items() if given.probability}
    rounded = dict(zip(chances, millionths(list(chances.values())), strict=True))
    for item, given in rule.yields.items():
        p = given.probability
        if p is None or p == 1:
            amount = 1 if item == "drink" and material in names.LIQUIDS else given.amount
            yield f"yields(collect({material}), {item}, {amount})", fields
        elif p:
            yield f"chance(collect({material}), {item}, {given.amount}, {rounded[item]})", fields


def _effects(world: World, material: str) -> Told:
    """The effects of a liquid; more than 1 drink that it surely yields counts as an effect."""
    if material not in names.LIQUIDS:
        return
    rule = world.drink[material]
    yields = world.collect[material].yields
    given = yields.get("drink")
    extra = given.amount - 1 if given and given.probability in (None, 1) else 0
    points = {"drink": rule.drink + extra, "food": rule.food, "health": rule.health}
    for vital, amount in points.items():
        if amount:
            also = ((f"collect.{material}", "yields"),) if vital == "drink" else ()
            yield f"drink_effect({material}, {vital}, {amount})", ((rule.id, vital), *also)


def _spawns(world: World, material: str) -> Told:
    rule = world.collect[material]
    for creature, p in rule.spawns.items():
        if p:
            atom = f"spawns(collect({material}), {creature}, {millionths([p])[0]})"
            yield atom, ((rule.id, "spawns"),)


def _place(world: World) -> Told:
    for thing, rule in world.place.items():
        if rule.where:
            for item, amount in rule.uses.items():
                yield f"uses(place({thing}), {item}, {amount})", ((rule.id, "uses"),)
            for material in rule.where:
                yield f"where({thing}, {material})", ((rule.id, "where"),)


def _make(world: World) -> Told:
    for tool, rule in world.make.items():
        for item, amount in rule.uses.items():
            yield f"uses(make({tool}), {item}, {amount})", ((rule.id, "uses"),)
        for material in rule.nearby:
            yield f"nearby({tool}, {material})", ((rule.id, "nearby"),)
        yield f"gives({tool}, {rule.gives})", ((rule.id, "gives"),)


def _eat(world: World) -> Told:
    for item, rule in world.eat.items():
        for vital in ("food", "drink", "health"):
            if amount := getattr(rule, vital):
                yield f"grants(eat({item}), {vital}, {amount})", ((rule.id, vital),)
        if rule.leaves:
            yield f"grants(eat({item}), {rule.leaves}, 1)", ((rule.id, "leaves"),)


def _own(world: World) -> Told:
    """Rules of kinds that Crafter lacks, field by field; of a mapping or a list, each entry."""
    for rule in world.rules():
        if rule.family not in (*CELL_FAMILIES, *CREATURE_FAMILIES, *PROJECTILE_FAMILIES, "need"):
            continue
        for name, given in type(rule).model_fields.items():
            value = getattr(rule, name)
            if name == "subject" or value == given.default:
                continue
            stated = rule.model_dump(mode="json")[name]
            parts: list[Any] = [stated]
            if isinstance(stated, dict):
                parts = [f"{key}, {each}" for key, each in stated.items()]
            elif isinstance(stated, list):
                parts = stated
            for part in parts:
                yield f"{rule.family}({rule.subject}, {name}, {part})", ((rule.id, name),)


_FAMILIES: tuple[Callable[[World], Told], ...] = (
    *(_terrain, _creatures, _collect, _place, _make, _eat, _own),
)
