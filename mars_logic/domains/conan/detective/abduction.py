"""Plans that counts of traces allow: what ``games/abduce.lp`` says, for thousands of scenes.

Tests hold the two against each other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from mars_logic.domains.conan.codes import REMAINS
from mars_logic.domains.conan.corpus import stage_for
from mars_logic.domains.conan.detective.evidence import SceneEvidence
from mars_logic.domains.conan.possible import CREATURES
from mars_logic.domains.conan.recipes import Recipes
from mars_logic.domains.conan.vandal.programs import SubtaskKind, subtasks
from mars_logic.domains.conan.vandal.tasks import ALL_TASKS, TASKS, parts_of_task, split

Plan = tuple[str, str]
"""A task and a weapon."""
Reason = tuple[str, str]
"""Why a plan is refuted: ``more``, ``few``, ``without`` or ``apart``, and what it names."""

_FILLED: Final = {"water": "water_bucket", "lava": "lava_bucket"}
_ROUGH: Final = ("tree", "stone")
"""Materials that are also cleared from the way once a pickaxe is held."""
PLACED: Final = {
    "table": ("table", "table_destroyed"),
    "furnace": ("furnace", "furnace_destroyed"),
    "bed": ("bed", "bed_destroyed"),
}


@dataclass(frozen=True)
class TraceAbduction:
    """The plans of a vandal, and what each leaves and needs.

    Attributes:
        recipes: The rules.
        plans: All plans.
        careful: Whether the vandal is careful: it may collect more than its plan says, for its
            needs or on its way, uses stations again, and may end far from what it placed or
            killed, since it fights and flees.
    """

    recipes: Recipes
    plans: tuple[Plan, ...]
    careful: bool = False

    def possible(self, evidence: SceneEvidence) -> frozenset[Plan]:
        """The plans that nothing refutes."""
        refuted = self.refuted(evidence)
        return frozenset(plan for plan in self.plans if plan not in refuted)

    def refuted(self, evidence: SceneEvidence) -> Mapping[Plan, frozenset[Reason]]:
        """The plans that cannot have left what is seen, with all reasons."""
        found: defaultdict[Plan, set[Reason]] = defaultdict(set)
        counts = evidence.counts
        traces = {thing: sum(counts[r] for r in left) for thing, left in self._traces.items()}
        hidden = sum(counts[f"{creature}_dead"] for creature in CREATURES)
        for plan in self.plans:
            for thing, most in self._most(plan, counts).items():
                if traces[thing] > most:
                    found[plan].add(("more", thing))
        by_task = {task: self._lacks(task, traces, hidden, evidence) for task, _ in self.plans}
        for plan in self.plans:
            if by_task[plan[0]]:
                found[plan] |= by_task[plan[0]]
        return {plan: frozenset(reasons) for plan, reasons in found.items()}

    @cached_property
    def bounds(self) -> Mapping[Plan, Mapping[str, int]]:
        """The most traces of things and materials that each plan leaves, where there is a limit."""
        return {plan: self._bound(plan) for plan in self.plans}

    @cached_property
    def _traces(self) -> Mapping[str, tuple[str, ...]]:
        left = {was: (remains,) for remains, was in REMAINS.items() if was not in CREATURES}
        return {**left, **PLACED}

    def _bound(self, plan: Plan) -> dict[str, int]:
        if self.careful:
            return self._loose_bound(plan)
        parts = Counter(subtasks(self.recipes, *plan))
        bounds = {thing: parts[SubtaskKind.PLACE, thing] for thing in PLACED}  # type: ignore[index]
        digs = any(kind == SubtaskKind.MAKE and name == "wood_pickaxe" for kind, name in parts)
        for material in self._traces.keys() - PLACED.keys():
            if material not in _ROUGH or not digs:
                taken = parts[SubtaskKind.DO, material]  # type: ignore[index]
                if material == "tree":
                    taken += parts[SubtaskKind.DO, "apple_tree"]  # type: ignore[index]
                bounds[material] = taken
        return bounds

    def _loose_bound(self, plan: Plan) -> dict[str, int]:
        """Bounds on placed things alone: a station for each thing that is made, and goals.

        A goal that was made before, for a weapon, is made once more.
        """
        task, weapon = plan
        weapons = _close(self, f"make_{weapon}")[0] if weapon != "none" else frozenset()
        made = (self._required(task) | weapons) & self.recipes.make.keys()
        bounds = Counter(str(self.recipes.make[item].source) for item in made)
        for part in parts_of_task(task):
            kind, goal = split(part)
            bounds[goal] += kind == "place"
            if (item := goal_item(part)) in weapons and item in self.recipes.make:
                bounds[str(self.recipes.make[item].source)] += 1
        return {thing: bounds[thing] for thing in PLACED}

    def _most(self, plan: Plan, counts: Mapping[str, int]) -> Mapping[str, int]:
        """The bounds in a scene: a careful vandal may place again what an arrow destroyed."""
        bounds = self.bounds[plan]
        if not self.careful:
            return bounds
        return {thing: n + counts[f"{thing}_destroyed"] for thing, n in bounds.items()}

    def _lacks(
        self, task: str, traces: Mapping[str, int], hidden: int, evidence: SceneEvidence
    ) -> set[Reason]:
        reasons: set[Reason] = set()
        if evidence.whole:
            for thing in self._stands(task):
                if traces[thing] + hidden == 0:
                    reasons.add(("without", thing))
            for item in self._required(task) & self.recipes.kill.keys():
                if hidden == 0:
                    reasons.add(("without", str(self.recipes.kill[item][0].source)))
            for item in self._collected:
                supply = sum(traces[source] for source in self._collected[item])
                if supply + hidden < self._demand(task, item, traces):
                    reasons.add(("few", item))
            if self.careful and hidden == 0:
                killed = (split(part) for part in parts_of_task(task))
                reasons |= {("without", goal) for kind, goal in killed if kind == "defeat"}
        sign = None if self.careful else success_sign(task)
        if sign and evidence.around and sign not in evidence.near:
            reasons.add(("apart", sign))
        return reasons

    @cached_property
    def _collected(self) -> Mapping[str, tuple[str, ...]]:
        """Items that leave a trace where they are collected, and of which materials."""
        found = {}
        for item, ways in self.recipes.collect.items():
            sources = tuple(
                "tree" if way.source == "apple_tree" else str(way.source) for way in ways
            )
            if all(source in self._traces for source in sources):
                found[item] = tuple(dict.fromkeys(sources))
        return found

    def _needed(self, item: str) -> tuple[Mapping[str, int], tuple[str, ...]]:
        """What an item uses up, and tools that every way to it needs."""
        if item in self.recipes.make:
            return self.recipes.make[item].uses, tuple(self.recipes.make[item].requires)
        collected = _FILLED_BY.get(item, item)
        ways = self.recipes.collect.get(collected, ())
        if not ways:
            return {}, ()
        tools = set.intersection(*(set(way.requires) for way in ways))
        return (ways[0].uses if len(ways) == 1 else {}), tuple(sorted(tools))

    @cached_property
    def _closures(self) -> Mapping[str, tuple[frozenset[str], frozenset[str]]]:
        return {task: _close(self, task) for task, _ in self.plans}

    def _required(self, task: str) -> frozenset[str]:
        return self._closures[task][0]

    def _stands(self, task: str) -> frozenset[str]:
        return self._closures[task][1]

    def _demand(self, task: str, item: str, traces: Mapping[str, int]) -> int:
        needed = sum(self._needed(each)[0].get(item, 0) for each in self._required(task))
        for thing, way in self.recipes.place.items():
            number = traces[thing] or (1 if thing in self._stands(task) else 0)
            needed += way.uses.get(item, 0) * number
        return needed + (item in map(goal_item, parts_of_task(task)))


@cache
def abduction_of(world: str, vandal: str = "reference", tasks: int = len(TASKS)) -> TraceAbduction:
    """The plans of a kind of vandal in a world, prepared once in a process."""
    stage = stage_for(world, vandal)
    known = ALL_TASKS[:tasks]
    plans = tuple(plan for plan in stage.programs.plans if plan[0] in known)
    return TraceAbduction(stage.recipes, plans, vandal == "careful")


_FILLED_BY: Final = {bucket: liquid for liquid, bucket in _FILLED.items()}


def goal_item(task: str) -> str | None:
    """The item whose possession is the task's success, or None."""
    kind, goal = split(task)
    return _FILLED.get(goal, goal) if kind in ("get", "make") else None


def success_sign(task: str) -> str | None:
    """The code of a cell near which the task succeeds, or None."""
    kind, goal = split(task)
    return {"defeat": f"{goal}_dead", "place": goal}.get(kind)


def _close(abduction: TraceAbduction, task: str) -> tuple[frozenset[str], frozenset[str]]:
    items: set[str] = set()
    things: set[str] = set()
    parts = parts_of_task(task)
    open_items = [item for item in map(goal_item, parts) if item]
    open_things = [goal for kind, goal in map(split, parts) if kind == "place"]
    while open_items or open_things:
        if open_things:
            thing = open_things.pop()
            if thing not in things:
                things.add(thing)
                open_items += abduction.recipes.place[thing].uses
            continue
        here = open_items.pop()
        if here in items:
            continue
        items.add(here)
        uses, tools = abduction._needed(here)
        open_items += [*uses, *tools]
        if here in abduction.recipes.make:
            open_things.append(str(abduction.recipes.make[here].source))
    return frozenset(items), frozenset(things)
