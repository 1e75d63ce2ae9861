"""The actions of a planning task that apply a world's rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from mars_logic.logic.certainty import Certainty
from mars_logic.logic.pddl.ground import PddlTerrain, cell, item
from mars_logic.logic.pddl.model import Action, Atom, FluentChange, RandomOutcome
from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.logic.rule_atoms import MILLION, rule_id

SLEEP = "sleep"


class RuleActions:
    """The actions for a world's rules that are applicable at a level."""

    def __init__(
        self,
        reachability: ReachabilityModel,
        terrain: PddlTerrain,
        level: Certainty,
        *,
        chances: bool,
    ) -> None:
        self._by_chance = chances
        relations = reachability.relations
        self.world = reachability.world
        self.terrain = terrain
        self.ground = terrain.ground
        self.lucky = reachability.at(level, "lucky")
        self.requires = _amounts(relations["requires"])
        self.uses = _amounts(relations["uses"])
        self.surely: defaultdict[str, dict[str, int]] = _amounts(relations["surely"])
        self.loot: defaultdict[str, dict[str, int]] = _amounts(relations["loot"])
        self.grants: defaultdict[str, dict[str, int]] = _amounts(relations["grants"])
        self.gives = {tool: int(amount) for tool, amount in relations["gives"]}
        self.chances: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self.probabilities: defaultdict[str, dict[str, float]] = defaultdict(dict)
        self.spawns: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for rule, gain, amount, probability in relations["chance"]:
            if int(probability) < MILLION:
                self.chances[rule][gain] = int(amount)
                self.probabilities[rule][gain] = int(probability) / MILLION
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
                rule, loot = f"creature({being})", self.loot[being]
                yield self._action(
                    rule,
                    f"{verb}-{being}",
                    needs=(needs,),
                    changes=self._held(self.requires[rule], {}, loot),
                    adds=tuple(a for one in loot for a in self.unlocked[f"gain({one})"]),
                )
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
        if material in self.lucky and not self._by_chance:
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
            chances=tuple(self._draws(rule)) if self._by_chance and material in self.lucky else (),
            gain=outcome,
            says=says,
        )

    def _draws(self, rule: str) -> Iterator[tuple[RandomOutcome, ...]]:
        """The random outcomes of collecting: of the yield, and of the creature that appears."""
        yields = self.probabilities[rule]
        together = self.world.dynamics == "crafter"  # one draw decides all: the surer come first
        ordered = sorted(yields, key=lambda item: -yields[item]) if together else [*yields]
        draw = []
        for place, last in enumerate(ordered):
            gained = ordered[: place + 1] if together else [last]
            less = yields[ordered[place + 1]] if together and last != ordered[-1] else 0.0
            gains = {item: self.chances[rule][item] for item in gained}
            adds = [atom for item in gained for atom in self.unlocked[f"gain({item})"]]
            draw.append(RandomOutcome(yields[last] - less, self._held({}, {}, gains), tuple(adds)))
        if draw:
            yield tuple(draw)
        for creature, probability in self.spawns[rule].items():
            if probability < MILLION:
                yield (RandomOutcome(probability / MILLION, adds=(("met", creature),)),)

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
