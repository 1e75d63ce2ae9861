"""Lower bounds on the steps of any play to some achievements, on one map.

They hold for every random stream and every policy; docs/bounds.md has the proof.

Two relaxations are combined. The counts of interactions (``logic.relaxation``) ignore positions,
except for the number of original cells collected from; the paths between such cells
(``play.travel``) ignore items. The search finds counts with the fewest steps; where their cells
take more moves than assumed, it adds that as a constraint and repeats.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mars_logic.errors import InputError
from mars_logic.logic import map_facts
from mars_logic.logic.reachability_model import ReachabilityModel
from mars_logic.logic.relaxation import Numbers, Relaxation, RelaxedGoal
from mars_logic.logic.rule_atoms import term
from mars_logic.logic.solve import LimitReachedError
from mars_logic.play.certificate import Certificate, LowerBound
from mars_logic.play.travel import Travel
from mars_logic.sim import generate_map
from mars_logic.system.display import number
from mars_logic.world.known_names import unjudged_rule
from mars_logic.world.theory import World

METHOD: Final = (
    "the fewest interactions that yield all that is used, and the fewest moves between their "
    "cells; sleep and ripening take their time"
)
_FARTHEST = 120
"""Maximum number of moves that is distinguished."""
_COMBINATIONS = 4000
"""For so many combinations of numbers of cells, ways are searched for."""
_CUTS = 200
"""How often a search is told of moves before what it has found is taken."""
_PLANTED: Final = RelaxedGoal({"place_plant"})
_SEARCHES = 2
"""So often ways are searched for, if what is found takes other cells than those thought of."""

Cell = tuple[int, int]


@dataclass(frozen=True)
class BoundPart:
    """One bound on the steps of any play.

    Attributes:
        steps: The steps with the best luck.
        chances: For each rule that has to be applied with success: the chance of one try. Each
            failed try is one more step.
    """

    steps: int
    chances: tuple[float, ...] = ()


class StepBounds:
    """Lower bounds for one world and one map."""

    def __init__(
        self,
        world: World,
        area: NDArray[np.uint8],
        position: Cell = (32, 32),
        facing: Cell = (0, 1),
    ):
        """Prepare; nothing is computed yet.

        Args:
            world: The world.
            area: uint8[width, height], indexed [x, y]: the map in the beginning, as material codes.
            position: The player's cell.
            facing: The direction that it faces.
        """
        self.world = world
        self._area, self._position, self._facing = area, position, facing
        codes, counts = np.unique(area, return_counts=True)
        pairs = zip(codes.tolist(), counts.tolist(), strict=True)
        materials = world.vocabulary.materials
        cells = {materials[code]: count for code, count in pairs if code}
        self._relaxation = Relaxation(world, cells, _FARTHEST)

    def for_all(self, achievements: Iterable[str]) -> int | None:
        """The fewest steps to all of some achievements; None if no play unlocks them.

        Raises:
            ValueError: The world has no such achievement.
        """
        parts = self.parts(set(achievements))
        return None if parts is None else max((part.steps for part in parts), default=0)

    def parts(self, wanted: Collection[str]) -> list[BoundPart] | None:
        """The bounds of which the largest is that of :meth:`for_all`; None if no play does it.

        Raises:
            ValueError: The world has no such achievement.
        """
        if unknown := set(wanted) - set(self.world.achievements):
            known = ", ".join(self.world.achievements)
            raise ValueError(f"achievements must be of {known}, not {', '.join(sorted(unknown))}")
        if not wanted:
            return []
        goal = RelaxedGoal(wanted)
        steps = self._fewest(goal)
        if steps is None:
            return None
        found = [BoundPart(steps, self._chances(goal))]
        for name, step in self._earliest:
            if name in wanted:
                planted = self._chances(_PLANTED) if name == "eat_plant" else ()
                found.append(BoundPart(step, planted))
        return found

    def is_needed(self, wanted: Collection[str], rule: str) -> bool:
        """Whether every play to some achievements applies a rule, ``creature(zombie)`` for one."""
        return self._is_needed(RelaxedGoal(wanted), rule)

    def blows(self, creature: str) -> int:
        """The fewest hits that kill a creature, with any weapon of the world."""
        return self._relaxation.blows[creature]

    def _is_needed(self, goal: RelaxedGoal, rule: str) -> bool:
        try:
            return self._relaxation.is_needed(goal, rule)
        except LimitReachedError:
            return False

    def _chances(self, goal: RelaxedGoal) -> tuple[float, ...]:
        """The chances with which rules succeed that every play to a goal applies with success.

        Only rules that bring nothing for certain and leave their cell as it was: a failed try of
        another one may be of use.
        """
        found = []
        for rule in self.world.collect.values():
            chances = [one.probability for one in rule.yields.values()]
            lucky = [chance for chance in chances if chance is not None]
            unchanged = len(lucky) == len(chances) and rule.leaves == rule.subject
            if lucky and unchanged and self._is_needed(goal, term(rule.id)):
                found.append(min(1.0, sum(lucky)))
        return tuple(found)

    def for_any(self, number: int) -> int | None:
        """The fewest steps to any so many achievements; None if no play unlocks so many.

        Raises:
            ValueError: There are not so many achievements.
        """
        if not 0 <= number <= len(self.world.achievements):
            raise ValueError(f"number must be 0 to {len(self.world.achievements)}, not {number}")
        waits = [*self._earliest, ("", 0)]
        waited_for = [name for name, _ in waits]
        fewest = self._fewest(RelaxedGoal(least=number))
        if fewest is None or fewest >= waits[0][1]:
            return fewest
        # A play waits for the one that takes longest, or goes without it; and so on.
        best: int | None = None
        for place in reversed(range(len(waits))):
            wait = waits[place][1]
            if best is not None and wait >= best:
                break
            steps = self._fewest(RelaxedGoal(least=number, without=waited_for[:place]))
            if steps is not None:
                best = max(steps, wait) if best is None else min(best, max(steps, wait))
        return best

    @cached_property
    def _earliest(self) -> list[tuple[str, int]]:
        """Achievements that cannot be unlocked before some step, the longest wait first."""
        waits = dict(self._relaxation.earliest)
        planted = self._fewest(_PLANTED)
        if planted is not None:
            waits["eat_plant"] = planted + self._relaxation.ripens
        return sorted(waits.items(), key=lambda wait: -wait[1])

    def _fewest(self, goal: RelaxedGoal) -> int | None:
        """The fewest steps by numbers and ways; what is not found in time is 0."""
        try:
            numbers = self._joined(goal, self._travel)
        except LimitReachedError:
            return 0
        return None if numbers is None else numbers.steps

    def _joined(self, goal: RelaxedGoal, travel: Travel) -> Numbers | None:
        """The cheapest numbers that count on as many moves as their cells take."""
        for _ in range(_CUTS):
            numbers = self._relaxation.fewest(goal)
            if numbers is None or numbers.beyond:
                break
            moves = travel.moves(numbers.taken)
            if moves is not None and numbers.moves >= min(moves, _FARTHEST):
                break
            self._relaxation.require_moves(travel.reason(numbers.taken), moves)
        return numbers

    @cached_property
    def _travel(self) -> Travel:
        """The moves for the cells that the most achievements take."""
        try:
            goal, numbers = self._most()
        except LimitReachedError:
            return self._search({})
        most = dict(numbers.taken)
        for _ in range(_SEARCHES):
            travel = self._search(self._within_limit(most))
            self._announce(travel)
            try:
                numbers = self._joined(goal, travel) or numbers
            except LimitReachedError:
                break
            most = {
                name: max(travel.most.get(name, 0), numbers.taken.get(name, 0))
                for name in self._relaxation.told
            }
            if all(travel.most.get(name, 0) == number for name, number in most.items()):
                break
        return travel

    def _most(self) -> tuple[RelaxedGoal, Numbers]:
        """The largest number of achievements for which the numbers balance, and how."""
        for least in range(len(self.world.achievements), 0, -1):
            numbers = self._relaxation.fewest(RelaxedGoal(least=least))
            if numbers is not None:
                return RelaxedGoal(least=least), numbers
        return RelaxedGoal(), Numbers(0, 0, {}, False)

    def _within_limit(self, most: Mapping[str, int]) -> dict[str, int]:
        """These numbers of cells, as far as ways can be searched for so many."""
        kept = {name: number for name, number in most.items() if number}
        while _combinations(kept) > _COMBINATIONS:
            kept[max(kept, key=kept.__getitem__)] -= 1
        return kept

    def _search(self, most: Mapping[str, int]) -> Travel:
        return Travel.on(
            self._area,
            passable(self.world),
            self._position,
            self._facing,
            most,
            self._relaxation.before,
            self.world.vocabulary.materials,
        )

    def _announce(self, travel: Travel) -> None:
        """Tell what all cells of some materials take; that saves the search half of its rounds."""
        some = product(*((0, number) for number in travel.most.values()))
        reasons = [travel.reason(dict(zip(travel.most, taken, strict=True))) for taken in some]
        for reason in {tuple(reason.values()): reason for reason in reasons}.values():
            moves = travel.moves(reason)
            if moves is None or moves >= sum(reason.values()) > 0:
                self._relaxation.require_moves(reason, moves)


def _combinations(most: Mapping[str, int]) -> int:
    return prod(number + 1 for number in most.values())


def passable(world: World) -> frozenset[str]:
    """The materials that can be walked on, or be made into such by collecting and placing."""
    found: set[str] = {rule.subject for rule in world.walk.values() if rule.walkable}
    into: list[tuple[str, str]]
    into = [(rule.subject, rule.leaves) for rule in world.collect.values() if rule.collectable]
    into += [(ground, rule.subject) for rule in world.place.values() for ground in rule.where]
    into += [(thing, "path") for thing in ("table", "furnace")]  # where an arrow hits them
    while more := {before for before, after in into if after in found} - found:
        found |= more
    return frozenset(found)


@dataclass(frozen=True, repr=False)
class LowerBounds:
    """Lower bounds on the steps of any play of one episode.

    Attributes:
        steps: For k = 1, 2, …: the steps to any k achievements; None where no play unlocks so many.
        reachable: The achievements that can be unlocked on this map, with luck.
        everything: The steps to all of these; None if no play unlocks them all.
        method: The method of proof, in words.
    """

    steps: tuple[int | None, ...]
    reachable: tuple[str, ...]
    everything: int | None
    method: str = METHOD

    def __repr__(self) -> str:
        told = "no play unlocks them all"
        if self.everything is not None:
            told = f"all of them take at least {number(self.everything, 'step')}"
        return f"<LowerBounds: {number(len(self.reachable), 'achievement')} reachable; {told}>"


def lower_bounds(world: World, seed: int, episode: int = 1) -> LowerBounds:
    """The fewest steps that any play of an episode takes to each number of achievements.

    Example:
        >>> import mars_logic
        >>> lower_bounds(mars_logic.load_world("default"), seed=1).steps[:3]
        (1, 2, 3)

    Raises:
        ValueError: The seed or the episode is out of range.
        InputError: In the world cells change whatever the player does, or the player shoots.
    """
    if rule := _unbounded_rule(world):
        message = f"{world.name}: the bound of steps takes no account of the rule {rule}"
        raise InputError(f"{message}; allowed: worlds without such rules")
    found = generate_map(world, seed, episode)
    bounds = StepBounds(world, found.materials, found.start)
    steps: list[int | None] = []
    for count in range(1, len(world.achievements) + 1):
        fewest = bounds.for_any(count)
        steps.append(fewest if fewest is None else max([fewest, *filter(None, steps)]))
    given = map_facts(found.materials, found.creatures, world.vocabulary.materials, found.start)
    unlocked = ReachabilityModel(world, given).unlocked("finite_chance")
    reachable = tuple(name for name in world.achievements if name in unlocked)
    return LowerBounds(tuple(steps), reachable, bounds.for_all(reachable))


def _unbounded_rule(world: World) -> str | None:
    """The first rule with which plays may take fewer steps than are counted; None without any.

    Harm and needs that a world adds only hinder, so that a bound without them holds as well.
    """
    return unjudged_rule(world) or next((rule.id for rule in world.shoot.values()), None)


def lower_bound(
    world: World, seed: int, episode: int, achievements: Iterable[str]
) -> LowerBound | None:
    """The fewest steps that any play of an episode takes to some achievements, for a certificate.

    Returns:
        The bound; None if no play unlocks them, or if bounds take no account of some rule.
    """
    bounds = bounds_of(world, seed, episode)
    steps = None if bounds is None else bounds.for_all(achievements)
    return None if steps is None else LowerBound(steps=steps, method=METHOD)


def bounds_of(world: World, seed: int, episode: int = 1) -> StepBounds | None:
    """The bounds on the map of an episode; None if bounds take no account of some rule.

    Raises:
        ValueError: The seed or the episode is out of range.
    """
    if _unbounded_rule(world):
        return None
    found = generate_map(world, seed, episode)
    return StepBounds(world, found.materials, found.start)


def bounded(certificate: Certificate, world: World) -> Certificate:
    """The certificate, with the fewest steps that any play takes to what it unlocks.

    Nothing else of it is looked at; whether it is valid, ``verify`` tells.
    """
    bound = lower_bound(world, certificate.seed, certificate.episode, certificate.unlocked)
    return certificate.model_copy(update={"lower_bound": bound})
