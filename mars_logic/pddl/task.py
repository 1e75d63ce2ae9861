"""A world as a planning task: one action for each of its rules, besides getting around."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, product
from typing import TYPE_CHECKING, Any

from mars_logic.errors import InputError
from mars_logic.logic.facts import MILLION, rule_id
from mars_logic.logic.judge import Judge
from mars_logic.logic.limits import useful_amounts
from mars_logic.logic.patches import Resident, map_facts
from mars_logic.logic.proof import Certainty, Step
from mars_logic.pddl.ground import Terrain, cell, zone
from mars_logic.pddl.model import Action, Atom, Change, Start
from mars_logic.world import names
from mars_logic.world.fields import nearest
from mars_logic.world.world import World

if TYPE_CHECKING:
    from numpy.typing import NDArray

SLEEP = "sleep"

FULL = "-full-of-"
"""What the numeric form adds to the name of an action that brings more than can be held."""


@dataclass(frozen=True)
class Task:
    """A planning task.

    Attributes:
        world: The world.
        certainty: How much luck plans may count on.
        map_seed: The seed of the map, if it is about one.
        actions: The actions of the domain.
        start: What holds at the beginning.
        zones: The names of the zones.
        goal: The achievements to unlock.
        enough_cells: For each material whose cells are used up: more than this many make no
            difference to a plan with the fewest interactions.
        enough_items: The same for what is held.
    """

    world: World
    certainty: Certainty
    map_seed: int | None
    actions: tuple[Action, ...]
    start: Start
    zones: tuple[str, ...]
    goal: tuple[str, ...]
    enough_cells: Mapping[str, int]
    enough_items: Mapping[str, int]

    def steps(self, plan: Iterable[str]) -> tuple[Step, ...]:
        """What a plan does, as the steps of a witness; getting around is left out.

        Args:
            plan: Actions of a plan, with or without arguments: ``(place-table grass-cell)``,
                ``place-table``. Empty lines and comments are passed over.

        Raises:
            InputError: The domain has no such action.
        """
        known = {action.name: action for action in self.actions}
        done: list[tuple[str, str | None]] = []
        for number, line in enumerate(plan, 1):
            words = line.partition(";")[0].replace("(", " ").replace(")", " ").split()
            if not words:
                continue
            action = known.get(words[0].lower().partition(FULL)[0])
            if action is None:
                raise InputError(f"plan:{number}: there is no action '{words[0]}' in the domain")
            if action.rule:
                done.append((action.rule, action.gain))
        return tuple(Step(rule, len(list(group)), gain) for (rule, gain), group in groupby(done))


def planning_task(
    world: World,
    goal: Iterable[str] = (),
    certainty: Certainty = "finite_chance",
    *,
    area: NDArray[Any] | None = None,
    creatures: Iterable[Resident] | None = None,
    map_seed: int | None = None,
) -> Task:
    """State a world, at the level of the proofs, as a planning task.

    A plan's cost counts interactions, as witnesses do; getting around costs nothing. Chance is
    determinised by all outcomes: each outcome of a rule that the accepted luck brings about is an
    action of its own. A rule that changes nothing at this level, as collecting what yields nothing
    and stays, has no action.

    Args:
        world: The world.
        goal: The achievements to unlock; by default all that are reachable with such luck.
        certainty: How much luck may be counted on.
        area: A map; see :func:`mars_logic.logic.prove`.
        creatures: The creatures on the map at the beginning.
        map_seed: The seed of the map, to be told.

    Raises:
        InputError: The world has no such achievement, or it is not reachable with such luck.
        ValueError: The map has another shape or holds other codes.
    """
    judge = Judge(world, None if area is None else map_facts(area, creatures))
    reachable = judge.at(certainty, "unlock")
    goal = tuple(goal)
    for achievement in goal:
        _require_reachable(world, achievement, reachable, certainty)
    terrain = Terrain(judge, certainty)
    rules = _Rules(judge, terrain, certainty)
    applied = (action for action in rules.actions() if action.changes_anything)
    actions = (*applied, *terrain.actions())
    start = terrain.start()
    works = tuple((f"{thing}-goes-on", cell(m)) for thing, m in rules.grounds())
    alive = (("alive",),) if rules.mortal else ()
    return Task(
        world,
        certainty,
        map_seed,
        actions,
        Start((*works, *alive, *start.atoms), start.amounts),
        tuple(sorted(map(zone, terrain.ground.material))),
        goal or tuple(name for name in world.achievements if name in reachable),
        {material: terrain.enough[material] for material in sorted(terrain.counted)},
        useful_amounts(world),
    )


def _require_reachable(
    world: World, achievement: str, reachable: set[str], certainty: Certainty
) -> None:
    if achievement not in world.achievements:
        hint, allowed = nearest(achievement, world.achievements), ", ".join(world.achievements)
        raise InputError(f"goal: there is no achievement '{achievement}'{hint}; allowed: {allowed}")
    if achievement not in reachable:
        allowed = ", ".join(name for name in world.achievements if name in reachable)
        raise InputError(
            f"goal: '{achievement}' is not proved reachable, with luck {certainty} at most; "
            f"allowed: {allowed or 'none'}"
        )


class _Rules:
    """The actions that apply a world's rules, where they can be applied at a level at all."""

    def __init__(self, judge: Judge, terrain: Terrain, level: Certainty):
        relations = judge.relations
        self.terrain = terrain
        self.ground = terrain.ground
        self.lucky = judge.at(level, "lucky")
        self.requires = _amounts(relations["requires"])
        self.uses = _amounts(relations["uses"])
        self.surely: defaultdict[str, dict[str, int]] = _amounts(relations["surely"])
        self.gives = {tool: int(amount) for tool, amount in relations["gives"]}
        self.chances: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self.spawns: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for rule, item, amount, probability in relations["chance"]:
            if int(probability) < MILLION:
                self.chances[rule][item] = int(amount)
        for rule, creature, probability in relations["spawns"]:
            self.spawns[rule][creature] = int(probability)
        self.unlocked: defaultdict[str, list[Atom]] = defaultdict(list)
        for achievement, deed in relations["achievement"]:
            self.unlocked[deed].append(("unlocked", achievement))
        self.mortal = any(self._fatal(m) for m in names.COLLECTABLE)

    def _fatal(self, material: str) -> bool:
        acts = f"collect({material})" in self.terrain.acts
        return acts and material not in self.ground.survived

    def actions(self) -> Iterator[Action]:
        """One action for each rule and outcome."""
        for material in names.COLLECTABLE:
            if f"collect({material})" in self.terrain.acts:
                yield from self._collect(material)
        for thing in names.PLACEABLE:
            if f"place({thing})" in self.terrain.acts:
                yield from self._place(thing)
        for tool in names.TOOLS:
            if f"make({tool})" in self.terrain.acts:
                yield from self._make(tool)
        for being in names.BEINGS:
            if f"creature({being})" in self.terrain.acts:
                verb, where = ("eat", "planted") if being == "plant" else ("kill", "met")
                needs: Atom = (where,) if being == "plant" else (where, being)
                yield self._action(f"creature({being})", f"{verb}-{being}", needs=(needs,))
        yield self._action(SLEEP, SLEEP)

    def grounds(self) -> Iterator[tuple[str, str]]:
        """What is placed on which material."""
        for thing in names.PLACEABLE:
            if f"place({thing})" in self.terrain.acts:
                for material in sorted(self.ground.where[thing]):
                    yield thing, material

    def _action(self, rule: str, name: str, **more: Any) -> Action:
        alive: tuple[Atom, ...] = (("alive",),) if self.mortal else ()
        more["needs"] = (*alive, *more.get("needs", ()))
        more["adds"] = (*more.get("adds", ()), *self.unlocked[f"apply({rule})"])
        return Action(name, rule=rule_id(rule), **more)

    def _collect(self, material: str) -> Iterator[Action]:
        rule = f"collect({material})"
        outcomes: list[str | None] = [None]
        if material in self.lucky:
            outcomes += self.chances[rule]
            outcomes += [c for c, p in self.spawns[rule].items() if p < MILLION]
        for outcome in outcomes:
            yield self._collect_with(material, rule, outcome)

    def _collect_with(self, material: str, rule: str, outcome: str | None) -> Action:
        gains = dict(self.surely[material])
        if outcome in self.chances[rule]:
            gains[outcome] = self.chances[rule][outcome]
        unlocked = [atom for item in gains for atom in self.unlocked[f"gain({item})"]]
        creatures = [c for c, p in self.spawns[rule].items() if p == MILLION or c == outcome]
        name = f"collect-{material}" + (f"-until-{outcome}" if outcome else "")
        says = f"With luck: until it brings a {outcome}." if outcome else ""
        if self._fatal(material):
            return self._action(
                rule,
                name,
                needs=(self._there_is(material),),
                changes=self._held(self.requires[rule], {}, {}),
                adds=tuple(unlocked),
                deletes=(("alive",),),
                gain=outcome,
                says="It takes all health.",
            )
        changes = self._held(self.requires[rule], {}, gains)
        needs: tuple[Atom, ...] = ()
        if material in self.terrain.counted:
            changes += (Change(("cells", cell(material)), 1, -1),)
        else:
            needs = (("found", cell(material)),)
        left = self.ground.leaves[material]
        lays, more = self._lays(left) if left != material else ((), ())
        opens = (("collected", cell(material)),) if rule in self.terrain.opening else ()
        met = tuple(("met", creature) for creature in creatures)
        return self._action(
            rule,
            name,
            needs=needs,
            changes=changes + more,
            adds=(*lays, *opens, *met, *unlocked),
            gain=outcome,
            says=says,
        )

    def _place(self, thing: str) -> Iterator[Action]:
        rule = f"place({thing})"
        changes = self._held(self.uses[rule], self.uses[rule], {})
        puts = self.ground.puts.get(thing)
        adds: tuple[Atom, ...] = (("planted",),)
        if puts is not None:
            adds, more = self._lays(puts)
            changes += more
            adds += (("placed", cell(puts)),) if rule in self.terrain.opening else ()
        on = {"?m": "material"}
        ground: Atom = (f"{thing}-goes-on", "?m")
        yield self._action(
            rule,
            f"place-{thing}",
            parameters=on,
            needs=(ground, ("found", "?m")),
            changes=changes,
            adds=adds,
        )
        for material in sorted(self.ground.where[thing]):
            if self._only_laid(material):
                yield self._action(
                    rule,
                    f"place-{thing}-on-laid-{material}",
                    changes=(Change(("cells", cell(material)), 1), *changes),
                    adds=adds,
                    says="On a cell that the player brought about.",
                )

    def _make(self, tool: str) -> Iterator[Action]:
        rule = f"make({tool})"
        changes = self._held(self.uses[rule], self.uses[rule], {tool: self.gives[tool]})
        nearby = sorted(self.ground.nearby[tool])
        room: tuple[Atom, ...] = (("room-for", tool),) if len(nearby) > 1 else ()
        ways = [(False, True) if self._only_laid(material) else (False,) for material in nearby]
        for choice in product(*ways):
            laid = [material for material, own in zip(nearby, choice, strict=True) if own]
            found = [material for material in nearby if material not in laid]
            yield self._action(
                rule,
                "-".join((f"make-{tool}", *(f"by-laid-{material}" for material in laid))),
                needs=(*(("found", cell(material)) for material in found), *room),
                changes=(*(Change(("cells", cell(m)), 1) for m in laid), *changes),
            )

    def _there_is(self, material: str) -> Atom:
        return ("found", cell(material))

    def _lays(self, material: str) -> tuple[tuple[Atom, ...], tuple[Change, ...]]:
        """A cell of a material more."""
        if material in self.terrain.counted:
            return (), (Change(("cells", cell(material)), 0, 1),)
        return (("found", cell(material)),), ()

    def _only_laid(self, material: str) -> bool:
        """Whether a material may be there although the player has found none, and is used up."""
        return material in self.terrain.counted and material in self.terrain.laid

    def _held(
        self, needs: dict[str, int], uses: dict[str, int], gains: dict[str, int]
    ) -> tuple[Change, ...]:
        """What is asked of what the player holds, and done to it."""
        items = [item for item in names.HOLDABLE if item in {*needs, *uses, *gains}]
        return tuple(
            Change(("held", item), needs.get(item, 0), gains.get(item, 0) - uses.get(item, 0))
            for item in items
        )


def _amounts(rows: Iterable[tuple[str, ...]]) -> defaultdict[str, dict[str, int]]:
    """The amounts of items, by rule or material."""
    amounts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for subject, item, amount in rows:
        amounts[subject][item] = int(amount)
    return amounts
