"""Replay of witnesses: the simulator applies every step, each in a scene arranged for it.

The player stands beside what the step takes, all alone but for that, and with all vitals and needs
full: a proof presumes that the player gets there, and lives. All else is the simulator's: what is
held, what that is enough for, what comes of each cell, how a creature takes a blow, when something
is grown. A scene has only cells that the map has, or that earlier steps left and placed, and only
creatures that the map has, that came of an earlier step, or that appear on ground that there is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from mars_logic.logic.growth import grown_from
from mars_logic.logic.productions import productions
from mars_logic.logic.proof import Step
from mars_logic.play.application import action_for, ahead_of, is_applied
from mars_logic.sim import Scene, Simulator, Snapshot
from mars_logic.world.dialect import LONGEST_EPISODE, MAXIMUM
from mars_logic.world.goals import condition_of
from mars_logic.world.rules import Make, Place
from mars_logic.world.vocabulary import achievement_aliases

if TYPE_CHECKING:
    from mars_logic.sim import State
    from mars_logic.world.theory import World

Cell = tuple[int, int]

_HERE: Final = (32, 32)
"""Where the player stands; all cells of a scene lie around it."""
_AHEAD: Final = (33, 32)
_BEHIND: Final = (34, 32)
_AROUND: Final = tuple(
    (x, y) for x in (31, 32, 33) for y in (31, 32, 33) if (x, y) not in (_HERE, _AHEAD)
)
_SIDES: Final = (_BEHIND, (33, 31), (33, 33))
"""The cells beside the one ahead."""
_PLANT: Final = "plant"


class NotAtHandError(Exception):
    """There is nothing left of what a step takes; the text says what."""


@dataclass(frozen=True)
class WitnessReplay:
    """What came of replaying a witness.

    Attributes:
        applied: How many interactions of the witness were applied, from the first.
        reason: Why the next one was not, or the achievement is not unlocked; None if all is well.
    """

    applied: int
    reason: str | None = None


@dataclass
class Supply:
    """What scenes may have in them.

    Attributes:
        cells: The number of cells of each material.
        creatures: The number of creatures of each kind.
    """

    cells: Counter[str] = field(default_factory=Counter)
    creatures: Counter[str] = field(default_factory=Counter)


def replay(
    world: World, achievement: str, witness: Iterable[Step], supply: Supply
) -> WitnessReplay:
    """Apply the steps of a witness in their order, each in a scene with all that it needs.

    Args:
        world: The world.
        achievement: What the witness unlocks.
        witness: Its steps.
        supply: What the map has; it is not changed.
    """
    stage = _Stage(world, supply)
    steps = [Step(each.rule, 1, each.gain) for each in witness for _ in range(each.times)]
    for number, step in enumerate(steps):
        later = steps[number + 1 :]
        if reason := stage.apply(step, later):
            return WitnessReplay(
                number, f"step {number + 1} of {len(steps)}, {step.rule}: {reason}"
            )
    stage.reach(achievement)
    if not stage.has_unlocked(achievement):
        return WitnessReplay(
            len(steps), f"all steps are applied, and {achievement} is not unlocked"
        )
    return WitnessReplay(len(steps))


class _Stage:
    """The simulator, in one scene after another, and what there is for them."""

    def __init__(self, world: World, supply: Supply):
        self._world = world
        self._words = world.vocabulary
        self._cells, self._creatures = Counter(supply.cells), Counter(supply.creatures)
        self._plants = 0
        self._simulator = Simulator(world, length=LONGEST_EPISODE)
        self._simulator.reset(seed=0)
        needs, first = self._words.added_needs, len(self._words.vitals)
        self._full = [*self._words.vitals, *needs]
        self._nothing = self._words.materials[0]
        self._floor = self._find_floor()
        held = dict.fromkeys(self._words.items[first:], 0) | dict.fromkeys(self._full, MAXIMUM)
        self._simulator.restore(self._scene().player(inventory=held).snapshot())

    def apply(self, step: Step, later: Sequence[Step]) -> str | None:
        """Apply a step once; the reason if it does not work."""
        try:
            laid, things = self._arrangement(step, later)
        except NotAtHandError as error:
            return str(error)
        self._set_up(laid, things)
        if step.rule == "sleep":
            self._refill(energy=MAXIMUM - 1)
        reason = self._act(step)
        self._take_stock(laid, things)
        return reason

    def reach(self, achievement: str) -> None:
        """Step onto a material where that is what an achievement takes."""
        wanted = condition_of(achievement)
        if wanted is not None and wanted.kind == "reach" and self._cells[wanted.subject]:
            self._set_up({_AHEAD: wanted.subject}, {})
            self._simulator.step(self._words.actions.index("move_right"))

    def has_unlocked(self, achievement: str) -> bool:
        """Whether an achievement is unlocked, and the player alive."""
        known = self._words.achievements
        name = achievement if achievement in known else achievement_aliases()[achievement]
        state = self._simulator.state()
        return not state.done and bool(state.achievements[known.index(name)])

    # What is in a scene.

    def _arrangement(
        self, step: Step, later: Sequence[Step]
    ) -> tuple[dict[Cell, str], dict[Cell, str]]:
        """The cells and creatures that a step takes.

        Raises:
            NotAtHandError: There are none left.
        """
        family, _, subject = step.rule.partition(".")
        rule = self._world[step.rule] if family != "sleep" else None
        match family:
            case "collect":
                return self._source(subject), {}
            case "place":
                assert isinstance(rule, Place)
                ground = self._any_of(rule.where)
                return {_AHEAD: ground} | self._partner(subject, later), {}
            case "make":
                assert isinstance(rule, Make)
                return dict(zip(_AROUND, map(self._one_of, rule.nearby), strict=False)), {}
            case "creature":
                return {_AHEAD: self._ground_of(subject)}, {_AHEAD: self._creature(subject)}
            case "shoot":
                return {_AHEAD: self._floor}, {}
        return {}, {}

    def _one_of(self, material: str) -> str:
        """The same material, of which there has to be a cell."""
        if not self._cells[material]:
            raise NotAtHandError(f"there is no {material}")
        return material

    def _any_of(self, materials: Sequence[str]) -> str:
        found = max(materials, key=lambda name: self._cells[name])
        if not self._cells[found]:
            raise NotAtHandError(f"there is no {' or '.join(materials)}")
        return found

    def _source(self, material: str) -> dict[Cell, str]:
        """A cell of a material ahead, or what becomes one in time."""
        placed = grown_from(self._world).get(material)
        if self._cells[material] or not placed or not self._cells[placed]:
            return {_AHEAD: self._one_of(material)}
        near = self._world.timer[placed].near
        return {_AHEAD: placed} | ({_BEHIND: self._any_of(near)} if near else {})

    def _partner(self, placed: str, later: Sequence[Step]) -> dict[Cell, str]:
        """What is to be beside a cell that is placed: so that it makes what later steps need."""
        made = productions(self._world) or {}
        wanted = {name for step in later for name in _materials_of(self._world, step)}
        for product, each in made.items():
            if each.placed == placed and product in wanted and not self._cells[product]:
                return {_BEHIND: self._any_of(each.partners)}
        return {}

    def _creature(self, kind: str) -> str:
        """The same kind, of which there has to be one."""
        there = self._plants if kind == _PLANT else self._creatures[kind]
        if not (there or self._appears(kind)):
            raise NotAtHandError(f"there is no {kind}")
        return kind

    def _appears(self, kind: str) -> bool:
        """Whether there is enough ground for a kind to appear during play."""
        added = {each.name: each.comes for each in self._words.added_creatures}
        if kind in added:
            comes = added[kind]
            return bool(comes and comes.appears and self._cells[comes.ground] >= comes.enough)
        usual = self._words.spawning.get(kind) if self._words.balance else None
        return bool(usual and self._cells[usual["ground"]] >= usual["enough"])

    def _ground_of(self, kind: str) -> str:
        """A material that a kind may stand on."""
        if kind == _PLANT:
            return self._world.place[_PLANT].where[0]
        grounds = {each.name: each.ground for each in self._words.added_creatures}
        return next((name for name in grounds.get(kind, ()) if self._cells[name]), self._floor)

    def _find_floor(self) -> str:
        """A material for the player to stand on, which does not change."""
        changing = {*self._world.timer, *self._world.beside}
        rules = self._world.walk.items()
        safe = [n for n, r in rules if r.walkable and not r.deadly and n not in changing]
        return max(safe, key=lambda name: self._cells[name], default=self._nothing)

    # A scene in the simulator.

    def _scene(self) -> Scene:
        """Nothing but the player on its floor, at the beginning of a day."""
        scene = Scene(self._simulator.snapshot(), words=self._words).clear(self._nothing)
        return scene.fill(self._floor, *_HERE).player(_HERE, (1, 0)).at_step(0)

    def _set_up(self, laid: Mapping[Cell, str], things: Mapping[Cell, str]) -> None:
        scene = self._scene()
        for cell, material in laid.items():
            scene.fill(material, *cell)
        for cell, kind in things.items():
            scene.put(kind, *cell, health=self._health_of(kind))
        self._simulator.restore(scene.player(sleeping=False).snapshot())
        self._refill()

    def _health_of(self, kind: str) -> int:
        added = {each.name: each.health for each in self._words.added_creatures}
        return int(added.get(kind) or self._words.health_at_first[kind])

    def _refill(self, energy: int | None = MAXIMUM) -> None:
        """Fill vitals and needs, since what they take is no part of a witness."""
        envs = self._simulator.snapshot().envs.copy()
        for name in self._full:
            if name != "energy" or energy is not None:
                amount = energy if name == "energy" else MAXIMUM
                envs["player"]["inventory"][:, self._words.items.index(name)] = amount
        self._simulator.restore(Snapshot(envs))

    def _act(self, step: Step) -> str | None:
        """Apply a step's rule, or wait until that is possible; the reason if it is not applied."""
        simulator, actions = self._simulator, self._words.actions
        action = actions.index(action_for(self._words, step.rule))
        asleep = step.rule == "sleep"
        for _ in range(LONGEST_EPISODE):
            before, able = simulator.state(), bool(simulator.action_mask()[0, action])
            if before.done:
                return "the player died"
            if not able and not asleep and not self._waits(step, before):
                return self._obstacle(step, before)
            snapshot = simulator.snapshot()
            simulator.step(action if able else actions.index("noop"))
            after = simulator.state()
            if is_applied(self._world, step, before, after, action):
                return None
            if able and not step.rule.startswith("creature.") and not asleep:
                envs = snapshot.envs.copy()  # luck failed: the same once more, with other draws
                envs["stream"] = simulator.snapshot().envs["stream"]
                simulator.restore(Snapshot(envs))
            self._refill(None if asleep else MAXIMUM)
        return f"it did not work within {LONGEST_EPISODE:,} steps"

    def _waits(self, step: Step, state: State) -> bool:
        """Whether what a step takes is still growing."""
        family, _, subject = step.rule.partition(".")
        ahead = self._words.materials[state.materials[ahead_of(state)]]
        growing = family == "collect" and ahead == grown_from(self._world).get(subject)
        return growing or step.rule == f"creature.{_PLANT}"

    def _obstacle(self, step: Step, state: State) -> str:
        """What a step lacks."""
        rule: Any = self._world[step.rule]
        family, _, subject = step.rule.partition(".")
        if family == "creature" and subject in self._world.hunt:
            rule = self._world.hunt[subject]
        wanted = {**getattr(rule, "requires", {}), **getattr(rule, "uses", {})}
        if family == "eat":
            wanted = {subject: 1}
        held = dict(zip(self._words.items, state.inventory.tolist(), strict=True))
        lacking = [
            f"{n} {item} needed, {held[item]} held" for item, n in wanted.items() if held[item] < n
        ]
        return "; ".join(lacking) or "its action has no effect"

    def _take_stock(self, laid: Mapping[Cell, str], things: Mapping[Cell, str]) -> None:
        """Count what came of the cells and creatures of a scene."""
        state, plant = self._simulator.state(), things.get(_AHEAD) == _PLANT
        if not plant:  # else nothing was taken from the supply
            self._cells.subtract(laid.values())
            self._creatures -= Counter(things.values())  # one that appears by itself is not counted
        taken = set()
        for thing in state.objects:
            kind, cell = self._words.objects[int(thing["kind"])], (int(thing["x"]), int(thing["y"]))
            if kind == _PLANT:
                taken.add(cell)
                self._plants += not plant
            elif kind in self._words.creatures and thing["health"] > 0:
                self._creatures[kind] += 1
        for cell in laid.keys() - taken:
            self._cells[self._words.materials[int(state.materials[cell])]] += 1


def _materials_of(world: World, step: Step) -> Iterator[str]:
    """The materials that a step needs a cell of."""
    family, _, subject = step.rule.partition(".")
    rule = world[step.rule] if family != "sleep" else None
    if family == "collect":
        yield subject
    elif isinstance(rule, Make):
        yield from rule.nearby
    elif isinstance(rule, Place):
        yield from rule.where
