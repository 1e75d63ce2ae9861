"""A world as a planning task: one action for each of its rules, and movement actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from mars_logic.errors import InputError
from mars_logic.logic.certainty import Certainty
from mars_logic.logic.pddl.ground import PddlTerrain, cell, item, zone
from mars_logic.logic.pddl.model import Action, InitialValue
from mars_logic.logic.pddl.rule_actions import RuleActions
from mars_logic.logic.plan_bounds import useful_amounts
from mars_logic.logic.proof import Step
from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.logic.regions import START, Resident, map_facts
from mars_logic.system.display import number
from mars_logic.world.fields import nearest
from mars_logic.world.goals import condition_of
from mars_logic.world.theory import World
from mars_logic.world.vocabulary import Vocabulary

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
        chances: Whether actions have random outcomes, so that solutions are policies; otherwise
            each outcome is an action of its own.
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
    chances: bool = False

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
    chances: bool = False,
) -> PlanningTask:
    """State a world, at the level of the proofs, as a planning task.

    A plan's cost counts interactions, as witnesses do; movement costs nothing. The task is
    the all-outcomes determinisation: each outcome of a rule with an accepted chance is an action of
    its own. With ``chances``, collecting is one action with random outcomes instead, each try costs
    an interaction and, where the material does not stay, a cell. A rule without an effect at this
    level has no action.

    Args:
        world: The world.
        goal: The achievements to unlock; by default all that are reachable at that certainty.
        certainty: The chances that plans may count on.
        area: A map; see :func:`mars_logic.logic.prove`.
        creatures: The creatures on the map at the beginning.
        start: Where the player starts on it.
        map_seed: The seed of the map, to be told.
        chances: Whether actions have random outcomes.

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
    terrain = PddlTerrain(reachability, certainty, chances=chances)
    rules = RuleActions(reachability, terrain, certainty, chances=chances)
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
        chances,
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
            f"goal: '{achievement}' is not proved reachable, {certainty} or surer; "
            f"allowed: {allowed or 'none'}"
        )
