"""Laws as a theory, with unknown fields where the records give no evidence.

A world's rules are less expressive than laws: an action requires the items that it uses up or has
to hold, a target material and stations nearby. Among values consistent with the records, weights
prefer fewer conditions and usual values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain, combinations, pairwise
from math import exp, log
from typing import Any, Final

import numpy as np

from mars_logic.theory.action_models import action_goals
from mars_logic.theory.action_models.bounds import Amounts, Bounds
from mars_logic.theory.action_models.learn import ActionModel, ActionModels, Disjunct
from mars_logic.theory.action_models.records import FAILED, SUCCEEDED
from mars_logic.theory.action_models.states import COLUMNS, HELD, NEAR, TARGETS
from mars_logic.world import names
from mars_logic.world.dialect import EATEN_POINTS
from mars_logic.world.field_values import domain
from mars_logic.world.load import load_world
from mars_logic.world.rules import FAMILIES, Collect, Creature, Drink, Make, Place, Rule, Walk
from mars_logic.world.theory import Theory
from mars_logic.world.uncertain import UNKNOWN
from mars_logic.world.validate import FIXED_IN_CRAFTER

_PER_CONDITION: Final = 0.25
"""Factor on the weight of a value for each further condition."""
_USUAL: Final = 8.0
"""Weight of usual values relative to others."""
_SUBSETS_OF: Final = 4
"""Open grounds up to this number give all subsets; more give none, one, all and the usual set."""
_UNSEEN: Final = 44
"""Tries after which an outcome of probability 0.1 would have occurred with 99 % probability."""
_OFTEN, _COMES_BY = 5, 0.07
_MOST_CHANCES: Final = 3
_LIKELIEST: Final = 12

Weighted = Iterable[tuple[Any, float]]


def as_theory(laws: ActionModels, name: str = "learned") -> Theory:
    """The theory that corresponds to some laws.

    Args:
        laws: The laws.
        name: The theory's name.
    """
    known = load_world("crafter") if laws.dynamics == "crafter" else None
    rules: list[Rule] = []
    for family in FAMILIES:
        for subject in family.subjects:
            if known and family.family in FIXED_IN_CRAFTER:
                rules.append(known[f"{family.family}.{subject}"])
            else:
                rules.append(_rule(family, subject, _fields(laws, family, subject)))
    title = f"Learned from {len(laws.records)} records"
    return Theory.from_rules(laws.dynamics, rules, name=name, title=title)


def _rule(family: type[Rule], subject: str, known: Mapping[str, Any]) -> Rule:
    unknown = dict.fromkeys(family.field_names(), UNKNOWN)
    return family.model_validate({"subject": subject, **unknown, **known})


def _fields(laws: ActionModels, family: type[Rule], subject: str) -> dict[str, Any]:
    if family is Walk:
        return _walk(laws[action_goals.MOVE], subject)
    if family is Creature:
        return _creature(laws, subject)
    if family is Drink:
        return _drink(laws, subject)
    if family is Collect:
        return _collect(laws, subject)
    if family is Place:
        return _place(laws[f"place_{subject}"])
    if family is Make:
        return _make(laws[f"make_{subject}"])
    return {}


def one_of(options: Weighted) -> Any:
    """A field's value: the only one, or weighted alternatives; unknown if there is none."""
    stated = [{"value": value, "weight": weight} for value, weight in options if weight > 0]
    return {"one_of": stated} if stated else UNKNOWN


# --- Conditions ---------------------------------------------------------------------------------


def _vector(held: Mapping[str, int], near: Iterable[str] = ()) -> Amounts:
    bounds = np.zeros(len(COLUMNS), np.uint8)
    for item, n in held.items():
        bounds[COLUMNS.index(item)] = n
    for material in near:
        bounds[COLUMNS.index(f"near {material}")] = 1
    return bounds


def _held(bounds: Amounts) -> dict[str, int]:
    return {COLUMNS[c]: int(bounds[c]) for c in range(HELD.start, HELD.stop) if bounds[c]}


def _near(bounds: Amounts) -> tuple[str, ...]:
    return tuple(names.MATERIALS[1 + c] for c in range(NEAR.stop - NEAR.start) if bounds[NEAR][c])


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else list(value)


def _weighted(values: Iterable[Any], usual: Iterable[Any]) -> Weighted:
    """Values of which some may be equal, with weights by their sizes."""
    known = [_plain(value) for value in usual]
    seen: list[Any] = []
    for value in values:
        if value not in seen:
            seen.append(value)
            size = sum(value.values()) if isinstance(value, dict) else len(value)
            yield value, _PER_CONDITION**size * (_USUAL if value in known else 1.0)


def _requires(material: str, bounds: Bounds) -> Any:
    usual = domain(f"collect.{material}", "requires")
    some = [_plain(value) for value in usual if bounds.agrees(_vector(value))]
    return one_of(_weighted([*some, *map(_held, bounds.listed())], usual))


# --- Collecting ---------------------------------------------------------------------------------


def _ways(laws: ActionModels, material: str) -> dict[str, list[Disjunct]]:
    """The items collected from a material, with their branches."""
    code = TARGETS.index(material)
    found = {
        law.goal: [branch for branch in law.branches if code in branch.targets]
        for law in laws.achievements
        if law.goal.startswith("collect_")
    }
    return {goal: branches for goal, branches in found.items() if branches}


def _pooled(laws: ActionModels, material: str, goals: Iterable[str]) -> Bounds:
    """The bounds of collecting any item; failures are records without a yield or change."""
    records = laws.records
    outcome = np.stack([records.of_goal(goal) for goal in goals])
    here = (records.before.target == TARGETS.index(material)) & records.before.free
    good = here & (outcome == SUCCEEDED).any(axis=0)
    same = (records.before.inventory[:, len(names.VITALS) :] == records.after.inventory[:, 4:]).all(
        1
    )
    bad = here & ~good & (outcome == FAILED).any(axis=0)
    if len(outcome) > 1:
        bad &= same & (records.before.material == records.after.material)
    amounts = records.before.amounts()
    amounts[:, HELD.stop :] = 0
    return Bounds.of(amounts[good], amounts[bad])


def _collect(laws: ActionModels, material: str) -> dict[str, Any]:
    ways = _ways(laws, material)
    if not ways:
        return {}
    leaves: Counter[str] = Counter()
    stands: Counter[str] = Counter()
    for branch in chain(*ways.values()):
        leaves += branch.effects.leaves
        stands += branch.effects.stands
    bounds = _pooled(laws, material, ways)
    once = all(len(branches) == 1 for branches in ways.values())
    return {
        "collectable": True,
        "requires": _requires(material, bounds) if once else UNKNOWN,
        "yields": _yields(laws, ways, bounds) if once else UNKNOWN,
        "leaves": one_of((what, n) for what, n in leaves.items() if what in names.NATURAL),
        "spawns": _spawns(stands),
    }


def _spawns(stands: Counter[str]) -> Any:
    """The spawned creature; an occasional one may have walked in."""
    tries = sum(stands.values())
    came = {creature: n for creature in names.CREATURES if (n := stands[creature])}
    for creature, n in came.items():
        if n >= _OFTEN and n / tries > _COMES_BY:  # and not one that came from farther away
            return {creature: round(max(0.1, n / tries), 1)}
    return {} if tries >= _UNSEEN and not came else UNKNOWN


def _amount(branch: Disjunct, item: str) -> int | None:
    if item == "drink":
        return 1
    gains = branch.effects.gains
    return gains.get(item) if gains else None


def _yields(laws: ActionModels, ways: Mapping[str, list[Disjunct]], bounds: Bounds) -> Any:
    amounts = {
        action_goals.subject(goal): _amount(branches[0], action_goals.subject(goal))
        for goal, branches in ways.items()
    }
    if None in amounts.values() or len(amounts) > _MOST_CHANCES:
        return UNKNOWN
    if len(amounts) == 1 and not bounds.by_chance:
        return amounts
    if laws.records.chosen.any():
        return _usual_chance(amounts) if len(amounts) == 1 else UNKNOWN
    counts = [sum(branch.bounds.successes for branch in each) for each in ways.values()]
    return one_of(_chances(amounts, [*counts, bounds.unlucky]))


def _usual_chance(amounts: Mapping[str, int | None]) -> Any:
    """The probability is unknown if records were selected by outcome."""
    return one_of(
        ({item: {"amount": n, "probability": p} for item, n in amounts.items()}, 1.0)
        for p in (0.1, 0.5)
    )


def _chances(amounts: Mapping[str, int | None], counts: list[int]) -> Weighted:
    """Probabilities in tenths, by their likelihood; the last count is that of no yield."""
    found = []
    for tenths in _shares(10, len(counts)):
        if all(n == 0 or share for n, share in zip(counts, tenths, strict=True)):
            if not all(tenths[:-1]):
                continue
            fit = sum(n * log(s / 10) for n, s in zip(counts, tenths, strict=True) if n)
            found.append((fit, tenths))
    if not found:
        return
    found.sort(key=lambda each: -each[0])
    for fit, tenths in found[:_LIKELIEST]:
        weight = exp(fit - found[0][0])
        if weight > 1e-6:
            pairs = zip(amounts.items(), tenths[:-1], strict=True)
            yield {i: {"amount": n, "probability": s / 10} for (i, n), s in pairs}, weight


def _shares(total: int, parts: int) -> Iterable[tuple[int, ...]]:
    """Every way to write a number as a sum of so many."""
    for cuts in combinations(range(total + parts - 1), parts - 1):
        ends = (-1, *cuts, total + parts - 1)
        yield tuple(b - a - 1 for a, b in pairwise(ends))


# --- The other families -------------------------------------------------------------------------


def _drink(laws: ActionModels, liquid: str) -> dict[str, Any]:
    """Effects of drinking besides the yield; a yield of drink is 1."""
    ways = _ways(laws, liquid)
    if not ways:
        return {}
    effects = next(iter(ways.values()))[0].effects
    found: dict[str, Any] = {}
    for vital in ("drink", "food", "health"):
        if vital not in effects.hidden:
            yielded = vital == "drink" and "collect_drink" in ways
            found[vital] = effects.vitals.get(vital, 0) - yielded
    return found


def _creature(laws: ActionModels, being: str) -> dict[str, Any]:
    goal = next(
        law.goal
        for law in laws.achievements
        if action_goals.kind(law.goal) == "do"
        and law.goal.split("_") in ([verb, being] for verb in ("eat", "kill", "defeat"))
    )
    branches = laws[goal].branches
    if len(branches) != 1:
        return {}
    effects = branches[0].effects
    points = EATEN_POINTS["plant" if being == "plant" else "creature"]
    seen = {vital: effects.vitals.get(vital, 0) for vital in points if vital not in effects.hidden}
    factors: dict[str, Any] = {
        f"eaten_{vital}_factor": n // points[vital]
        for vital, n in seen.items()
        if n % points[vital] == 0
    }
    if any(factors.values()):
        return {"eatable": True, **factors}
    return {"eatable": False} if len(factors) == len(points) else {}


def _walk(law: ActionModel, material: str) -> dict[str, Any]:
    code = TARGETS.index(material)
    if any(code in branch.targets for branch in law.branches):
        return {"walkable": True}
    return {"walkable": False} if code in law.barred else {}


def _place(law: ActionModel) -> dict[str, Any]:
    if len(law.branches) != 1 or not law.branches[0].effects.costs:
        return {}
    branch = law.branches[0]
    seen = [names.MATERIALS[t] for t in branch.targets if t < len(names.MATERIALS)]
    barred = [TARGETS[target] for target in law.barred]
    open_ = [m for m in names.MATERIALS[1:] if m not in seen and m not in barred]
    sizes = range(len(open_) + 1) if len(open_) <= _SUBSETS_OF else (0, 1, len(open_))
    more = chain.from_iterable(combinations(open_, size) for size in sizes)
    usual = domain(f"place.{action_goals.subject(law.goal)}", "where")
    likely = [list(where) for where in usual if {*seen} <= {*where} <= {*seen, *open_}]
    grounds = [sorted([*seen, *some], key=names.MATERIALS.index) for some in more]
    where = _weighted([*likely, *grounds], usual)
    return {"uses": branch.effects.costs, "where": one_of(where)}


def _make(law: ActionModel) -> dict[str, Any]:
    if len(law.branches) != 1:
        return {}
    branch, tool = law.branches[0], action_goals.subject(law.goal)
    costs, gains = branch.effects.costs, branch.effects.gains
    found: dict[str, Any] = {}
    if gains and gains.get(tool):
        found["gives"] = gains[tool]
    if costs is not None:
        usual = domain(f"make.{tool}", "nearby")
        listed = [*usual, *map(_near, branch.bounds.listed())]
        agreeing = [list(near) for near in listed if branch.bounds.agrees(_vector(costs, near))]
        found |= {"uses": costs, "nearby": one_of(_weighted(agreeing, usual))}
    return found
