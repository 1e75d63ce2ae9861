"""Vocabularies: the names and constants of a dialect, read from ``worlds/dialects/``.

A file states what differs from its base, and everything else is the base's. Kernels, tables and
rules take names from it; the names that all Crafter-like dialects share are also Python constants,
in :mod:`mars_logic.world.names`, and a vocabulary must keep their codes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from mars_logic.errors import InputError
from mars_logic.system import resources
from mars_logic.system.resources import values_at
from mars_logic.world import names
from mars_logic.world.added_things import AddedCreature, AddedMaterial, AddedProjectile
from mars_logic.world.frozen import FrozenMap

CELL_FAMILIES = ("push", "beside", "timer")
"""Families of rules about cells that are pushed or change by themselves; see ``cell_rules``."""
CREATURE_FAMILIES = ("behaviour", "hunt")
"""Families of rules about creatures of worlds that state some; see ``creature_rules``."""
PROJECTILE_FAMILIES = ("projectile", "shoot")
"""Families of rules about projectiles of worlds that state some; see ``projectile_rules``."""
BARE = "bare"
"""Land without a mark."""
ARROW = "arrow"
"""The projectile that all dialects have."""
REMAINS = "remains"
"""The material of what is left of trees, ores, creatures and stations; its mark says of what."""
_FIRST = {"materials": names.MATERIALS, "objects": names.OBJECTS, "vitals": names.VITALS}
_IN_KERNELS = (
    *("decline", "daylight", "unarmed_damage", "arrow_points"),
    *("pause", "within", "chance", "spawning", "balance_of"),
)
"""Constants that kernels take from Crafter's file, so that no other dialect can change them."""
_OF_WORLDS = ("added", "added_creatures", "added_projectiles", "added_needs", "goals", "wide")
"""Fields that worlds fill, and no file of a dialect."""
_SHARED_ACTIONS = names.ACTIONS[: names.ACTIONS.index("sleep") + 1]
"""Names that every vocabulary begins with, since kernels know their codes."""


class WorldGoal(NamedTuple):
    """A goal of a world: an achievement, or a condition; see :mod:`mars_logic.world.goals`.

    Attributes:
        name: Its name among the achievements.
        reward: The reward when it is first reached in an episode.
    """

    name: str
    reward: float = 1.0


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The names and constants of one dialect, with those that a world adds.

    Attributes:
        name: The dialect's name, as ``dynamics`` in world files.
        title: A line about it.
        materials: Materials by map code; 0 is the area outside the map.
        land: Materials that carry marks, where the dialect has them.
        objects: Kinds of objects by code.
        vitals: The first items of the inventory.
        items: All items of the inventory by code, vitals first.
        gains: Items that collecting may yield.
        actions: Actions by code.
        consumed: Actions that use up an item of the inventory, with that item.
        achievements: Achievements in the order of the counters.
        killing: Creatures with the achievement for killing them.
        marks: Marks of land by code; empty in a dialect without traces.
        remains: Marks of the material ``remains`` by code.
        cells: Names of materials with their marks, in the order of recordings; empty if they are
            numbered as materials.
        subjects: Subjects of the rules of each family.
        fixed: Families of rules that worlds of this dialect cannot change.
        view: Width and height of the player's view, in cells.
        length: Steps in an episode.
        horizon: Objects at a distance below this are updated, in steps.
        balance: Whether creatures are balanced every ten steps.
        ripe_age: Age in steps beyond which a plant is ripe.
        attack_pause_at_first: Steps beside the player before the first attack of cows, skeletons
            and plants.
        retreating: Shooters that retreat from a close player.
        stilling_hunger: Creatures whose death resets the hunger counter.
        stilling_thirst: Materials on which ``do`` resets the thirst counter.
        need: For each vital the steps awake from one change to the next (``every``), the growth of
            its counter asleep and in bed, the points lost, and the counter's lower limit
            (``below``) if it has one.
        decline: Growth of health's counter, awake and asleep, while food, drink or energy is 0.
        daylight: Steps in a ``day``, and the share of it (``offset``) that is over at first.
        health_at_first: Health of new objects.
        damage: Damage with each weapon, the best first.
        unarmed_damage: Damage without a weapon.
        arrow_points: Points of health that an arrow factor of 1 stands for; also an arrow's damage
            to objects.
        pause: Steps between two attacks, and between two shots, of the same creature.
        within: Greatest distances at which creatures attack, retreat, shoot and approach.
        chance: Probabilities of creatures' moves and shots, described in ``crafter.yaml``.
        spawning: For each kind that appears during play its ground and how many cells of it a
            chunk needs, and distances and probabilities of coming and going.
        balance_of: Steps between two balances of creatures (``every``), and the numbers of each
            kind that a chunk may have.
        attack_points: Points of health that an attack factor of 1 stands for.
        eaten_points: Points that a factor of 1 stands for when something is eaten.
        arrow_leaves: What an arrow makes of the stations and objects that it destroys.
        terrain: Limits of the draws for iron, diamonds and the first zombies.
        surplus_lasts: Whether health above the maximum lasts until the player's next turn.
        fixed_terrain: Whether neighbour rules of ores, and renamed pastures and caves, are void.
        own_ground: Whether cows walk on what lies around trees, and skeletons on tunnels.
        dies_at_once: Whether a creature without health leaves the map at once.
        acting_without_health: Creatures that complete one more update without health.
        plants_are_eaten: Whether ``do`` eats ripe plants.
        draws_always: Whether collecting draws a number even where nothing depends on it.
        drinks_first: Whether a liquid has its effect whatever collecting it requires.
        added: Materials that a world adds; files of dialects state none.
        added_needs: Needs that a world adds; they are the last of its items.
        added_creatures: Creatures that a world adds.
        added_projectiles: Projectiles that a world adds.
        goals: The goals of a world that states its own; empty where all achievements count.
        wide: Whether a world adds names or goals, so that states hold larger codes.
    """

    name: str
    title: str
    materials: tuple[str, ...]
    land: tuple[str, ...]
    objects: tuple[str, ...]
    vitals: tuple[str, ...]
    items: tuple[str, ...]
    gains: tuple[str, ...]
    actions: tuple[str, ...]
    consumed: Mapping[str, str]
    achievements: tuple[str, ...]
    killing: Mapping[str, str]
    marks: tuple[str, ...]
    remains: tuple[str, ...]
    cells: tuple[str, ...]
    subjects: Mapping[str, tuple[str, ...]]
    fixed: tuple[str, ...]
    view: tuple[int, int]
    length: int
    horizon: int
    balance: bool
    ripe_age: int
    attack_pause_at_first: int
    retreating: tuple[str, ...]
    stilling_hunger: tuple[str, ...]
    stilling_thirst: tuple[str, ...]
    need: Mapping[str, Mapping[str, float]]
    decline: Mapping[str, float]
    daylight: Mapping[str, float]
    health_at_first: Mapping[str, int]
    damage: Mapping[str, int]
    unarmed_damage: int
    arrow_points: int
    pause: Mapping[str, int]
    within: Mapping[str, int]
    chance: Mapping[str, float]
    spawning: Mapping[str, Mapping[str, Any]]
    balance_of: Mapping[str, float]
    attack_points: Mapping[str, Mapping[str, int]]
    eaten_points: Mapping[str, Mapping[str, int]]
    arrow_leaves: Mapping[str, str]
    terrain: Mapping[str, float]
    surplus_lasts: bool
    fixed_terrain: bool
    own_ground: bool
    dies_at_once: bool
    acting_without_health: tuple[str, ...]
    plants_are_eaten: bool
    draws_always: bool
    drinks_first: bool
    added: tuple[AddedMaterial, ...] = ()
    added_needs: tuple[str, ...] = ()
    added_creatures: tuple[AddedCreature, ...] = ()
    added_projectiles: tuple[AddedProjectile, ...] = ()
    goals: tuple[WorldGoal, ...] = ()
    wide: bool = False

    @property
    def ripening(self) -> int:
        """Minimum number of steps from planting to ripeness."""
        return self.ripe_age + 1

    @property
    def traced(self) -> bool:
        """Whether the map has a layer of marks."""
        return bool(self.marks)

    @cached_property
    def natural(self) -> tuple[str, ...]:
        """Materials that rules may rename, put around features, or walk on."""
        return tuple(name for name in self.materials if name in self.subjects["rename"])

    @cached_property
    def left(self) -> tuple[str, ...]:
        """What collecting a material may leave: a natural material, or remains."""
        return (*self.natural, *self.remains, *(material.name for material in self.added))

    @cached_property
    def placed_on(self) -> tuple[str, ...]:
        """Materials on which things may stand, and beside which they may be made."""
        return tuple(name for name in self.materials[1:] if name != REMAINS)

    @cached_property
    def looks(self) -> tuple[str, ...]:
        """Appearances of objects by code, as in observations."""
        return (*names.LOOKS, *self.objects[len(names.OBJECTS) :])

    @cached_property
    def holdable(self) -> tuple[str, ...]:
        """The items of the inventory besides the vitals and added needs."""
        return self.items[len(self.vitals) : len(self.items) - len(self.added_needs)]

    @property
    def creatures(self) -> tuple[str, ...]:
        """Kinds of creatures, without plants."""
        return tuple(being for being in self.subjects["creature"] if being != "plant")

    @property
    def moving(self) -> tuple[str, ...]:
        """The added kinds of objects: creatures and projectiles, by code."""
        creatures = tuple(each.name for each in self.added_creatures)
        return (*creatures, *(each.name for each in self.added_projectiles))

    @property
    def projectiles(self) -> tuple[str, ...]:
        """Kinds of projectiles."""
        return (ARROW, *(each.name for each in self.added_projectiles))

    def cell(self, material: int, mark: int) -> str:
        """The name of a material with its mark, for example ``grass_left`` or ``tree_cut``."""
        name = self.materials[material]
        if name == REMAINS:
            return self.remains[mark]
        return name if mark == 0 else f"{name}_{self.marks[mark]}"

    def parts(self, name: str) -> tuple[int, int]:
        """The codes of material and mark of a named cell."""
        if name in self.materials:
            return self.materials.index(name), 0
        if name in self.remains:
            return self.materials.index(REMAINS), self.remains.index(name)
        material, _, mark = name.rpartition("_")
        return self.materials.index(material), self.marks.index(mark)


def dialects() -> tuple[str, ...]:
    """The names of all dialects."""
    return tuple(_files())


@cache
def _files() -> dict[str, Path]:
    order = {name: place for place, name in enumerate(names.DYNAMICS)}
    found = sorted(
        (resources.folder("worlds") / "dialects").glob("*.yaml"),
        key=lambda path: (order.get(path.stem, len(order)), path.stem),
    )
    return {path.stem: path for path in found}


@cache
def vocabulary(dialect: str) -> Vocabulary:
    """The vocabulary of a dialect.

    Raises:
        KeyError: There is no such dialect.
        InputError: Its file is wrong.
    """
    path = _files()[dialect]
    return make_vocabulary(values_at(path), str(path))


@cache
def achievement_aliases() -> Mapping[str, str]:
    """Crafter's name of an achievement -> Mars's name, where they differ."""
    crafter, mars = (vocabulary(name).killing for name in names.DYNAMICS)
    return FrozenMap({crafter[creature]: mars[creature] for creature in crafter})


def make_vocabulary(stated: Mapping[str, Any], file: str) -> Vocabulary:
    """The vocabulary that the content of a file states, on top of its base.

    Args:
        stated: The content.
        file: The file's name, for messages.

    Raises:
        InputError: A field is missing, unknown or of another type; a name that kernels know lacks
            its code; or a name refers to nothing.
    """
    stated = dict(stated)
    base = stated.pop("base", None)
    given = vars(vocabulary(base)) if base else {}
    kinds = get_type_hints(Vocabulary)
    values: dict[str, Any] = {}
    for field in fields(Vocabulary):
        if field.name in stated and field.name not in _OF_WORLDS:
            value = _frozen(stated.pop(field.name))
            values[field.name] = _checked(value, kinds[field.name], field.name, file)
        elif field.name in given:
            values[field.name] = given[field.name]
        elif field.name not in _OF_WORLDS:
            raise _refusal(file, field.name, "this field is missing", "to state it, or a base")
    if stated:
        known = ", ".join(
            field.name for field in fields(Vocabulary) if field.name not in _OF_WORLDS
        )
        raise _refusal(file, next(iter(stated)), "this field is unknown", known)
    if values["items"][: len(values["vitals"])] != values["vitals"]:
        values["items"] = (*values["vitals"], *values["items"])
    made = Vocabulary(**values)
    _require_names(made, file)
    for name in _IN_KERNELS if base else ():
        if values[name] != given[name]:
            raise _refusal(file, name, "kernels know the base's alone", "to leave it out")
    return made


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return FrozenMap({key: _frozen(each) for key, each in value.items()})
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _checked(value: Any, kind: Any, field: str, file: str) -> Any:
    wanted: Any = getattr(kind, "__origin__", kind)
    right = isinstance(value, wanted) and (wanted is bool or not isinstance(value, bool))
    if not right:
        what = {tuple: "a list", Mapping: "a mapping", str: "text", bool: "true, false"}
        raise _refusal(file, field, f"{value!r} is not possible", what.get(wanted, "a number"))
    return value


def _require_names(made: Vocabulary, file: str) -> None:
    """Refuse changed codes and names without a referent."""
    for field, first in (*_FIRST.items(), ("items", names.ITEMS), ("actions", _SHARED_ACTIONS)):
        if getattr(made, field)[: len(first)] != first:
            allowed = f"a list that begins with {', '.join(first)}"
            raise _refusal(file, field, "the codes of these names are fixed", allowed)
    left = {*made.materials, *made.remains, *made.objects}
    parts = [
        (f"subjects: {family}", names_, _subjects(made, family))
        for family, names_ in made.subjects.items()
    ]
    for field, given, known in (
        *parts,
        ("land", made.land, made.materials),
        ("gains", made.gains, made.items),
        ("consumed", tuple(made.consumed.values()), made.items),
        ("consumed", tuple(made.consumed), made.actions),
        ("killing", tuple(made.killing), made.objects),
        ("killing", tuple(made.killing.values()), made.achievements),
        ("retreating", made.retreating, made.objects),
        ("stilling_hunger", made.stilling_hunger, made.objects),
        ("stilling_thirst", made.stilling_thirst, made.materials),
        ("need", tuple(made.need), made.vitals),
        ("health_at_first", tuple(made.health_at_first), made.objects),
        ("damage", tuple(made.damage), made.items),
        ("arrow_leaves", tuple(made.arrow_leaves.values()), tuple(left)),
        ("fixed", made.fixed, tuple(made.subjects)),
    ):
        unknown = [name for name in given if known is not None and name not in known]
        if unknown:
            raise _refusal(file, field, f"unknown name '{unknown[0]}'", ", ".join(known or ()))
    _require_lists(made, file)


def _require_lists(made: Vocabulary, file: str) -> None:
    """Refuse repeated names, and more of them than a state has room for."""
    for field in ("materials", "objects", "items", "actions", "achievements", "marks", "remains"):
        listed = getattr(made, field)
        repeated = next((name for name in listed if listed.count(name) > 1), None)
        if repeated:
            raise _refusal(file, field, f"'{repeated}' is listed twice", "each name once")
    for field, most in (("materials", 16), ("objects", 8), ("marks", 256), ("remains", 256)):
        if len(getattr(made, field)) > most:
            raise _refusal(file, field, f"{len(getattr(made, field))} names", f"at most {most}")
    view = (9, 9) if made.marks else (9, 7)  # kernels know the sizes of both
    if made.view != view:
        raise _refusal(file, "view", f"{list(made.view)} is not possible", f"{list(view)}")


def _subjects(made: Vocabulary, family: str) -> tuple[str, ...] | None:
    """The names that subjects of a family may have; None for those that the family itself lists."""
    return {
        "rename": made.materials,
        "walk": made.materials,
        "drink": made.materials,
        "collect": made.materials,
        "creature": made.objects,
        "place": (*made.materials, "plant"),
        "make": made.items,
        "eat": made.items,
        "need": made.vitals,
    }.get(family)


def _refusal(file: str, field: str, found: str, allowed: str) -> InputError:
    return InputError(f"{file}:1: {field}: {found}; allowed: {allowed}")
