"""Laws as readable Python: one function for each achievement, in a module that imports nothing."""

from __future__ import annotations

from typing import Any

from mars_logic.theory.action_models.learn import ActionModels
from mars_logic.theory.action_models.predicates import Clause, Reading, clauses
from mars_logic.theory.action_models.states import TARGETS, States
from mars_logic.theory.action_models.words import tell
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM

_HEAD = '''"""Reward functions, learned from {records} records by `mars-logic laws learn`.

Each takes a situation: a dictionary with

* "facing": what the player faces: the object there, or else the material;
* "held": the amount of each item, by name;
* "nearby": the set of materials in the 3 x 3 cells around the player;
* "vitals": health, food, drink and energy, by name;
* "asleep": whether the player sleeps on whatever it chooses.

VALID holds the functions that tell whether an action can reach an achievement now, ANYTHING those
that tell whether any of its conditions is met, both by the name of the achievement.
`mars_logic.theory.action_models.source.situation` makes situations of observations.
"""
'''


def python_source(laws: ActionModels, reading: Reading = "simplest") -> str:
    """The source of a module with the reward functions of all achievements."""
    found = clauses(laws, reading)
    parts = [_HEAD.format(records=len(laws.records))]
    for goal, each in found.items():
        parts.append(_function(goal, each, tell(laws[goal])))
        parts.append(_any_function(goal, each))
    for name, prefix in (("VALID", ""), ("ANYTHING", "any_of_")):
        rows = "".join(f'    "{goal}": {prefix}{goal},\n' for goal in found)
        parts.append(f"{name} = {{\n{rows}}}\n")
    return "\n\n\n".join(part.strip() for part in parts) + "\n"


def situation(states: States, i: int = 0) -> dict[str, Any]:
    """One of some states as the functions take it."""
    state = states[i : i + 1]
    amounts = dict(zip(names.ITEMS, state.inventory[0].tolist(), strict=True))
    near = state.amounts()[0, len(names.HOLDABLE) : len(names.HOLDABLE) + len(names.MATERIALS) - 1]
    return {
        "facing": TARGETS[state.target[0]],
        "held": {item: amounts[item] for item in names.HOLDABLE},
        "nearby": {names.MATERIALS[1 + code] for code in near.nonzero()[0].tolist()},
        "vitals": {vital: amounts[vital] for vital in names.VITALS},
        "asleep": not state.free[0],
    }


def _function(goal: str, each: list[Clause], words: str) -> str:
    told = words.replace('"', "'").split("\n  ")
    lines = [f'    """{told[0]}', "", *(f"    {line}" for line in told[1:]), '    """']
    ways = [_all_of(_tests(clause), several=len(each) > 1) for clause in each]
    doc = lines if len(told) > 1 else [f'    """{told[0]}"""']
    return "\n".join([f"def {goal}(situation):", *doc, _returned(ways)])


def _any_function(goal: str, each: list[Clause]) -> str:
    tests = dict.fromkeys(test for clause in each for test in _tests(clause) or ["True"])
    doc = f'    """Whether any condition of {goal} is met."""'
    return "\n".join([f"def any_of_{goal}(situation):", doc, _returned(list(tests))])


def _all_of(tests: list[str], *, several: bool) -> str:
    """Tests that all have to hold, in brackets if there are other ways, too."""
    indent = "\n            and " if several else "\n        and "
    joined = indent.join(tests) or "True"
    return f"(\n            {joined}\n        )" if several and len(tests) > 1 else joined


def _returned(ways: list[str]) -> str:
    """A statement that is true when any of some tests is, and the player is awake."""
    if not ways:
        return "    return False"
    either = "\n        or ".join(ways)
    return f'    return not situation["asleep"] and (\n        {either}\n    )'


def _tests(clause: Clause) -> list[str]:
    tests = []
    if clause.targets:
        wanted = [name for name in TARGETS if name in clause.targets]
        one = f'situation["facing"] == "{wanted[0]}"'
        several = f'situation["facing"] in ({", ".join(f"{chr(34)}{w}{chr(34)}" for w in wanted)})'
        tests.append(one if len(wanted) == 1 else several)
    for column, n in clause.needs.items():
        tests.append(_test(column, n))
    return tests


def _test(column: str, n: int) -> str:
    if column.startswith("near "):
        return f'"{column.removeprefix("near ")}" in situation["nearby"]'
    if column.startswith("lack of "):
        return f'situation["vitals"]["{column.removeprefix("lack of ")}"] <= {MAXIMUM - n}'
    return f'situation["held"]["{column}"] >= {n}'
