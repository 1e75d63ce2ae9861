"""A world as a planning task: one action for each of its rules, and movement actions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, product
from typing import TYPE_CHECKING, Any

from mars_logic.display import number
from mars_logic.errors import InputError
from mars_logic.logic.certainty import Certainty
from mars_logic.logic.pddl.ground import PddlTerrain, cell, item, zone
from mars_logic.logic.pddl.model import Action, Atom, FluentChange, InitialValue
from mars_logic.logic.plan_bounds import useful_amounts
from mars_logic.logic.proof import Step
from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.logic.regions import START, Resident, map_facts
from mars_logic.logic.rule_atoms import MILLION, rule_id
from mars_logic.world.fields import nearest
from mars_logic.world.goals import condition_of
from mars_logic.world.theory import World
from mars_logic.world.vocabulary import Vocabulary

if TYPE_CHECKING:
    from numpy.typing import NDArray

SLEEP = "sleep"

FULL = "-full-of-"
"""Suffix, in the numeric form, of an action whose yield exceeds the cap."""


@dataclass(frozen=True, repr=False)
class PlanningTask:
    """A planning task.

    Attributes:
        world: The world.
        certainty: The chances that plans may count on.
        map_seed: The seed of the map, if the task is for one map.
        actions: The actions of the domain.
        start: The initial state.
        zones: The names of the zones.
        goal: The achievements to unlock.
        enough_cells: For each material whose cells are used up: the number beyond which more are
            irrelevant to a plan with the fewest interactions.
        enough_items: The same for items held.
    """

    world: World
    certainty: Certainty
    map_seed: int | None
    actions: tuple[Action, ...]
    start: InitialValue
    zones: tuple[str, ...]
    goal: tuple[str, ...]
    enough_cells: Mapping[str, int]
    enough_items: Mapping[str, int]

    def __repr__(self) -> str:
        goals = number(len(self.goal), "achievement")
        return f"<PlanningTask {self.world.name}: {len(self.actions)} actions, {goals}>"

    def steps(self, plan: Iterable[str]) -> tuple[Step, ...]:
        """A plan as the steps of a witness, without movement.

        Args:
            plan: Actions of a plan, with or without arguments: ``(place-table grass-cell)``,
                ``place-table``. Empty lines and comments are passed over.

        Raises:
            InputError: The domain has no such action.
        """
        known = {action.name: action for action in self.actions}
        done: list[tuple[str, str | None]] = []
        for place, line in enumerate(plan, 1):
            words = line.partition(";")[0].replace("(", " ").replace(")", " ").split()
            if not words:
                continue
            action = known.get(words[0].lower().partition(FULL)[0])
            if action is None:
                raise InputError(f"plan:{place}: there is no action '{words[0]}' in the domain")
            if action.rule:
                done.append((action.rule, action.gain))
        return tuple(Step(rule, len(list(group)), gain) for (rule, gain), group in groupby(done))


def cells_and_things(words: Vocabulary) -> dict[str, str]:
    """The types of all constants of a domain but achievements and amounts, by name."""
    found = {cell(material): "material" for material in words.materials[1:]}
    found |= {item(name): "item" for name in words.holdable}
    return found | dict.fromkeys(words.creatures, "creature")


def planning_task(
    world: World,
    goal: Iterable[str] = (),
    certainty: Certainty = "finite_chance",
    *,
    area: NDArray[Any] | None = None,
    creatures: Iterable[Resident] | None = None,
    start: tuple[int, int] = START,
    map_seed: int | None = None,
) -> PlanningTask:
    """State a world, at the level of the proofs, as a planning task.

    A plan's cost counts interactions, as witnesses do; movement costs nothing. The task is
    the all-outcomes determinisation: each outcome of a rule with an accepted chance is an action of
    its own. A rule without an effect at this level has no action.

    Args:
        world: The world.
        goal: The achievements to unlock; by default all that are reachable at that certainty.
        certainty: The chances that plans may count on.
        area: A map; see :func:`mars_logic.logic.prove`.
        creatures: The creatures on the map at the beginning.
        start: Where the player starts on it.
        map_seed: The seed of the map, to be told.

    Raises:
        InputError: The world has no such achievement, or it is unreachable at that certainty.
        ValueError: The map has another shape or holds other codes.
    """
    given = None
    if area is not None:
        given = map_facts(area, creatures, world.vocabulary.materials, start)
    elif map_seed is None and world.map.is_drawn:
        map_seed = 0
    reachability = ReachabilityModel(world, given)
    reachable = {
        name for name in reachability.at(certainty, "unlock") if condition_of(name) is None
    }
    goal = tuple(goal)
    for achievement in goal:
        _require_reachable(world, achievement, reachable, certainty)
    if world.goals and not goal and reachable.isdisjoint(world.achievements):
        known = ", ".join(world.achievements)
        raise InputError(
            f"goal: planning tasks have achievements as goals, and none of {known} is one that is "
            "proved reachable; allowed: a world with such a goal"
        )
    terrain = PddlTerrain(reachability, certainty)
    rules = _Rules(reachability, terrain, certainty)
    applied = (action for action in rules.actions() if action.changes_anything)
    actions = (*applied, *terrain.actions())
    initial = terrain.start()
    works = tuple((f"{thing}-goes-on", cell(m)) for thing, m in rules.grounds())
    alive = (("alive",),) if rules.mortal else ()
    return PlanningTask(
        world,
        certainty,
        map_seed,
        actions,
        InitialValue((*works, *alive, *initial.atoms), initial.amounts),
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
    if condition_of(achievement) is not None:
        raise InputError(
            f"goal: planning tasks have no goals such as '{achievement}'; allowed: achievements"
        )
    if achievement not in reachable:
        allowed = ", ".join(name for name in world.achievements if name in reachable)
        raise InputError(
            f"goal: '{achievement}' is not proved reachable, with luck {certainty} at most; "
            f"allowed: {allowed or 'none'}"
        )


class _Rules:
    """The actions for a world's rules that are applicable at a level."""

    def __init__(self, reachability: ReachabilityModel, terrain: PddlTerrain, level: Certainty):
        relations = reachability.relations
        self.world = reachability.world
        self.terrain = terrain
        self.ground = terrain.ground
        self.lucky = reachability.at(level, "lucky")
        self.requires = _amounts(relations["requires"])
        self.uses = _amounts(relations["uses"])
        self.surely: defaultdict[str, dict[str, int]] = _amounts(relations["surely"])
        self.grants: defaultdict[str, dict[str, int]] = _amounts(relations["grants"])
        self.gives = {tool: int(amount) for tool, amount in relations["gives"]}
        self.chances: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self.spawns: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for rule, gain, amount, probability in relations["chance"]:
            if int(probability) < MILLION:
                self.chances[rule][gain] = int(amount)
        for rule, creature, probability in relations["spawns"]:
            self.spawns[rule][creature] = int(probability)
        self.unlocked: defaultdict[str, list[Atom]] = defaultdict(list)
        for achievement, deed in relations["achievement"]:
            self.unlocked[deed].append(("unlocked", achievement))
        self.mortal = any(self._fatal(m) for m in self.world.collect)

    def _fatal(self, material: str) -> bool:
        acts = f"collect({material})" in self.terrain.acts
        return acts and material not in self.ground.survived

    def actions(self) -> Iterator[Action]:
        """One action for each rule and outcome."""
        for material in self.world.collect:
            if f"collect({material})" in self.terrain.acts:
                yield from self._collect(material)
        for thing in self.world.place:
            if f"place({thing})" in self.terrain.acts:
                yield from self._place(thing)
        for tool in self.world.make:
            if f"make({tool})" in self.terrain.acts:
                yield from self._make(tool)
        for food in self.world.eat:
            if f"eat({food})" in self.terrain.acts:
                yield self._eat(food)
        for being in self.world.creature:
            if f"creature({being})" in self.terrain.acts:
                verb, where = ("eat", "planted") if being == "plant" else ("kill", "met")
                needs: Atom = (where,) if being == "plant" else (where, being)
                yield self._action(f"creature({being})", f"{verb}-{being}", needs=(needs,))
        yield self._action(SLEEP, SLEEP)

    def grounds(self) -> Iterator[tuple[str, str]]:
        """Objects to place, with the materials for them."""
        for thing in self.world.place:
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
            changes += (FluentChange(("cells", cell(material)), 1, -1),)
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
                    changes=(FluentChange(("cells", cell(material)), 1), *changes),
                    adds=adds,
                    says="On a cell that the player brought about.",
                )

    def _make(self, tool: str) -> Iterator[Action]:
        rule = f"make({tool})"
        changes = self._held(self.uses[rule], self.uses[rule], {tool: self.gives[tool]})
        nearby = sorted(self.ground.nearby[tool])
        room: tuple[Atom, ...] = (("room-for", item(tool)),) if len(nearby) > 1 else ()
        ways = [(False, True) if self._only_laid(material) else (False,) for material in nearby]
        for choice in product(*ways):
            laid = [material for material, own in zip(nearby, choice, strict=True) if own]
            found = [material for material in nearby if material not in laid]
            yield self._action(
                rule,
                "-".join((f"make-{tool}", *(f"by-laid-{material}" for material in laid))),
                needs=(*(("found", cell(material)) for material in found), *room),
                changes=(*(FluentChange(("cells", cell(m)), 1) for m in laid), *changes),
            )

    def _eat(self, food: str) -> Action:
        rule = f"eat({food})"
        changes = self._held(self.uses[rule], self.uses[rule], self.grants[rule])
        return self._action(rule, f"eat-{food}", changes=changes)

    def _there_is(self, material: str) -> Atom:
        return ("found", cell(material))

    def _lays(self, material: str) -> tuple[tuple[Atom, ...], tuple[FluentChange, ...]]:
        """The effect of one more cell of a material."""
        if material in self.terrain.counted:
            return (), (FluentChange(("cells", cell(material)), 0, 1),)
        return (("found", cell(material)),), ()

    def _only_laid(self, material: str) -> bool:
        """Whether a material that is used up is available only by laying it."""
        return material in self.terrain.counted and material in self.terrain.laid

    def _held(
        self, needs: dict[str, int], uses: dict[str, int], gains: dict[str, int]
    ) -> tuple[FluentChange, ...]:
        """Preconditions and effects on the inventory."""
        every = self.world.vocabulary.holdable
        return tuple(
            FluentChange(
                ("held", item(one)), needs.get(one, 0), gains.get(one, 0) - uses.get(one, 0)
            )
            for one in every
            if one in {*needs, *uses, *gains}
        )


def _amounts(rows: Iterable[tuple[str, ...]]) -> defaultdict[str, dict[str, int]]:
    """The amounts of items, by rule or material."""
    amounts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for subject, of, amount in rows:
        amounts[subject][of] = int(amount)
    return amounts
