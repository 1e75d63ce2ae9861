"""Rules that other learners found for exported tasks, as rules of a world that can be tested.

Popper and ILASP print clauses, ``collect_iron(V0) :- faces_iron(V0), has_stone_pickaxe_1(V0).``;
AMLGym's learners write a domain in PDDL, of which the preconditions are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.system.files import read_text
from mars_logic.theory.action_models import action_goals
from mars_logic.theory.action_models.learner_tasks import condition_of
from mars_logic.theory.rulesets.artefact import adds_data
from mars_logic.theory.rulesets.rule_data import facts_of_states, told
from mars_logic.theory.rulesets.rule_report import RuleFinding, Rules, Unreadable
from mars_logic.world import names
from mars_logic.world.theory import Theory

_WHAT: Final = "clauses of Popper or ILASP, or a learned domain (.pddl)"
_MOST_BYTES: Final = 1_000_000
_REMARKS: Final = re.compile(r"\s*$|\s*%|\s*\*|Precision:")
"""What the programs print beside clauses: comments, headings and measures."""
_ACTION: Final = re.compile(r"\(\s*:action\s+([\w-]+)")
_ATOM: Final = re.compile(r"(\bnot\s*\(\s*)?\b([a-z]\w*)\s*\)")
_PROPOSITION: Final = re.compile(r"([a-z]\w*)(\(\w+\))?", re.ASCII)
_ONE: Final = _PROPOSITION.pattern
_CLAUSE: Final = re.compile(
    rf"(?P<head>[a-z]\w*)(\(\w+\))?(\s*:-\s*(?P<body>{_ONE}(\s*[,;]\s*{_ONE})*))?\s*\.",
    re.ASCII,
)
_ENDS: Final = re.compile(r"(?<=\.)\s+")
_LONGEST: Final = 200
"""Characters of a line that are told."""
_MOST_UNREAD: Final = 100
"""A file with so many lines that are unread is of another kind."""
_KEYWORD: Final = re.compile(r":(parameters|precondition|effect)\b")
Clause = tuple[str, list[str], int]
"""A goal, the propositions that it needs, and the line."""


def learned_rules(path: Path, world: Theory) -> Rules:
    """What another learner found, as rules that are not tested.

    Args:
        path: The file.
        world: The world that was played, or any of its dialect.

    Raises:
        InputError: It cannot be read, or holds no clause and no action.
    """
    text = read_text(path, _WHAT, _MOST_BYTES)
    read = _operators if path.suffix == ".pddl" else _clauses
    blank = Theory.unknown(world.dynamics)
    unread: list[Unreadable] = []
    stated: dict[str, tuple[dict[str, dict[str, Any]], int]] = {}
    clauses = [*read(text, path, unread)]
    if not clauses and not unread:
        raise InputError(f"{path}:1: file: it holds no rule; allowed: {_WHAT}")
    for goal, needed, line in clauses:
        try:
            rule_id, states = _states(goal, needed, world.dynamics)
        except ValueError as error:
            unread.append(Unreadable(str(path), line, "", str(error), what="clause"))
            continue
        before = stated.get(rule_id)
        stated[rule_id] = (_joined(before[0], states), before[1]) if before else (states, line)
    rules = tuple(_finding(*each, path, blank) for each in stated.items())
    found = {"dynamics": world.dynamics, "adds": adds_data(world.adds), "rules": rules}
    return Rules.model_validate({**found, "unreadable": tuple(unread)})


def _finding(
    rule_id: str, stated: tuple[dict[str, dict[str, Any]], int], path: Path, blank: Theory
) -> RuleFinding:
    states, line = stated
    rule, _ = facts_of_states(rule_id, states, blank)
    text = told(rule, blank.vocabulary)
    by = {".pl": "Popper", ".las": "ILASP", ".pddl": "an action model learner"}[path.suffix]
    return RuleFinding(
        id=rule_id, text=text, form="theory", source=f"{path}:{line}", states=states, by=by
    )


def _joined(
    one: dict[str, dict[str, Any]], other: dict[str, dict[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Two clauses about one rule: it holds on the grounds of both."""
    grounds = [each["where"]["is"] for each in (one, other) if "where" in each]
    if len(grounds) < 2:
        return one
    return {**one, "where": {"is": sorted({*grounds[0], *grounds[1]}, key=names.MATERIALS.index)}}


def _states(goal: str, needed: list[str], dynamics: str) -> tuple[str, dict[str, dict[str, Any]]]:
    """The rule of a world that a clause is about, and what it says of its fields.

    Raises:
        ValueError: No rule of a world says that.
    """
    if goal not in action_goals.goals(dynamics):
        raise ValueError(f"'{goal}' is no goal; allowed: achievements, move")
    told_of: dict[str, dict[str, int]] = {"faces": {}, "near": {}, "has": {}, "lacks": {}}
    for each in needed:
        condition = condition_of(each)
        if condition is None:
            raise ValueError(f"'{each}' is no condition of an exported task")
        kind, what, amount = condition
        told_of[kind][what] = max(amount, told_of[kind].get(what, 0))
    kind, subject = action_goals.kind(goal), action_goals.subject(goal)
    faced, items = [*told_of["faces"]], {name: {"amount": n} for name, n in told_of["has"].items()}
    uses: dict[str, dict[str, Any]] = {"uses": {"has": items}} if items else {}
    if kind == "make" and not told_of["lacks"]:
        return f"make.{subject}", {"nearby": {"is": [*told_of["near"]]}, **uses}
    if len(faced) == 1 and faced[0] in names.MATERIALS and not told_of["lacks"]:
        if kind == "place":
            return f"place.{subject}", {"where": {"is": faced}, **uses}
        if kind == "move" and not items:
            return f"walk.{faced[0]}", {"walkable": {"is": True}}
        if goal.startswith("collect_") and faced[0] in names.COLLECTABLE and subject != "drink":
            requires = {name: n["amount"] for name, n in items.items()}
            gains: dict[str, dict[str, Any]] = {"yields": {"has": {subject: {}}}}
            needs: dict[str, dict[str, Any]] = {"requires": {"is": requires}}
            return f"collect.{faced[0]}", {"collectable": {"is": True}, **gains, **needs}
    conditions = ", ".join(needed) or "nothing"
    raise ValueError(f"no rule of a world says that {goal} needs {conditions}")


# --- Reading --------------------------------------------------------------------------------------


def _clauses(text: str, path: Path, unread: list[Unreadable]) -> Iterator[Clause]:
    for number, line in enumerate(text.split("\n"), 1):
        if _REMARKS.match(line):
            continue
        clauses = [_CLAUSE.fullmatch(each) for each in _ENDS.split(line.strip())]
        if None in clauses:
            problem = "this is no clause of positive propositions"
            text = line.strip()[:_LONGEST]
            unread.append(Unreadable(str(path), number, text, problem, what="clause"))
            if len(unread) == _MOST_UNREAD:
                found = "too many lines are no clauses of positive propositions"
                raise InputError(f"{path}:{number}: file: {found}; allowed: {_WHAT}")
            continue
        for each in filter(None, clauses):
            needed = _PROPOSITION.findall(each["body"] or "")
            yield each["head"], [name for name, _ in needed], number


def _operators(text: str, path: Path, unread: list[Unreadable]) -> Iterator[Clause]:
    """The actions of a domain with the propositions of their preconditions."""
    plain = re.sub(r";[^\n]*", lambda told: " " * len(told[0]), text)
    starts = [*_ACTION.finditer(plain)]
    ends = [*(each.start() for each in starts), len(plain)][1:]
    for start, end in zip(starts, ends, strict=False):
        line = plain.count("\n", 0, start.start()) + 1
        parts = _KEYWORD.split(plain[start.end() : end])
        fields: Mapping[str, str] = dict(zip(parts[1::2], parts[2::2], strict=True))
        needed = _ATOM.findall(fields.get("precondition", ""))
        goal = start[1].replace("-", "_")
        if "precondition" not in fields or any(negated for negated, _ in needed):
            problem = "its precondition is missing, or not of positive propositions"
            unread.append(Unreadable(str(path), line, goal, problem, what="action"))
            continue
        yield goal, [name for _, name in needed if name != "and"], line
