"""Records as tasks for other learners of rules: Popper, ILASP, and AMLGym's action models.

All three see a state as propositions: what is faced, what is nearby, of which item there are so
many at least, which vital lacks so much. A state is an example for a goal where its action was
tried: a positive one if it ever succeeded there, so that what succeeds by chance is learned as
possible; else a negative one.

Source: the README of Popper, the manual of ILASP (context-dependent examples), the trajectories of
AMLGym.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from mars_logic.theory.action_models import action_goals
from mars_logic.theory.action_models.learn import allowed, takes_target
from mars_logic.theory.action_models.records import FAILED, SILENT, SUCCEEDED, Records
from mars_logic.theory.action_models.states import COLUMNS, LACK, NEAR, TARGETS, States
from mars_logic.world.dialect import MAXIMUM

_DIGITS: Final = tuple(map(str, range(1, MAXIMUM + 1)))
State = frozenset[str]
"""The propositions that hold in a state."""
_MOST_PENALTY: Final = 50
"""The longest hypothesis of ILASP, in literals."""
MOST_CONDITIONS: Final = 6
"""Conditions of a rule, at most: the iron tools of Crafter need five."""


def _proposition(column: int, amount: int) -> str:
    """That an amount is reached, as in ``has_wood_2``, ``near_table``, ``lacks_energy_1``."""
    name = COLUMNS[column]
    if NEAR.start <= column < NEAR.stop:
        return name.replace(" ", "_")
    if LACK.start <= column < LACK.stop:
        return f"lacks_{name.removeprefix('lack of ')}_{amount}"
    return f"has_{name}_{amount}"


def condition_of(proposition: str) -> tuple[str, str, int] | None:
    """What a proposition says: ``faces``, ``near``, ``has`` or ``lacks``, of what, how much.

    Returns:
        None if it is none.

    Example:
        >>> condition_of("has_wood_pickaxe_1"), condition_of("near_table"), condition_of("open")
        (('has', 'wood_pickaxe', 1), ('near', 'table', 1), None)
    """
    kind, _, what = proposition.partition("_")
    if kind == "faces" and what in TARGETS:
        return kind, what, 1
    if kind == "near" and f"near {what}" in COLUMNS:
        return kind, what, 1
    name, _, amount = what.rpartition("_")
    column = {"has": name, "lacks": f"lack of {name}"}.get(kind)
    if column not in COLUMNS or amount not in _DIGITS:
        return None
    return kind, name, int(amount)


def _states(states: States, goal: str) -> list[State]:
    """The propositions of each state that may matter to a goal."""
    kind = action_goals.kind(goal)
    columns = np.flatnonzero(allowed(kind, "usual")).tolist()
    amounts, faced = states.amounts(), states.target
    found = []
    for row, target in zip(amounts.tolist(), faced.tolist(), strict=True):
        held = {_proposition(c, n) for c in columns for n in range(1, row[c] + 1)}
        found.append(
            frozenset(held | ({f"faces_{TARGETS[target]}"} if takes_target(kind) else set()))
        )
    return found


@dataclass(frozen=True)
class LearnerTask:
    """The examples of one goal.

    Attributes:
        goal: An achievement, or ``move``.
        examples: The distinct states, and whether the goal was ever reached from each.
        changes: The distinct states before and after a success.
    """

    goal: str
    examples: Mapping[State, bool]
    changes: tuple[tuple[State, State], ...]

    @property
    def propositions(self) -> list[str]:
        """Those that hold in some states and not in others, in order."""
        states = [*self.examples]
        every = frozenset().union(*states)
        return sorted(every - frozenset.intersection(*states)) if len(states) > 1 else sorted(every)


def learner_tasks(records: Records) -> Iterator[LearnerTask]:
    """The tasks of all goals of which there are successes and failures."""
    for column, goal in enumerate(action_goals.goals(records.dynamics)):
        outcome = records.outcome[:, column]
        rows = np.flatnonzero((outcome != SILENT) & records.before.free)
        if not {FAILED, SUCCEEDED} <= {*outcome[rows].tolist()}:
            continue
        before = records.before[rows].ahead(records.action[rows])
        states, after = _states(before, goal), _states(records.after[rows], goal)
        reached = outcome[rows] == SUCCEEDED
        examples: dict[State, bool] = {}
        for state, success in zip(states, reached.tolist(), strict=True):
            examples[state] = examples.get(state, False) or success
        changes = dict.fromkeys(
            pair for pair, won in zip(zip(states, after, strict=True), reached, strict=True) if won
        )
        yield LearnerTask(goal, examples, tuple(changes))


# --- Formats --------------------------------------------------------------------------------------


def popper_files(task: LearnerTask) -> dict[str, str]:
    """``exs.pl``, ``bk.pl`` and ``bias.pl`` of a task."""
    named = {state: f"s{number}" for number, state in enumerate(task.examples, 1)}
    known = task.propositions
    examples = [
        f"{'pos' if task.examples[state] else 'neg'}({task.goal}({name}))."
        for state, name in named.items()
    ]
    facts = [f"{each}({name})." for each in known for state, name in named.items() if each in state]
    heads = {task.goal: "head_pred", **dict.fromkeys(known, "body_pred")}
    bias = [f"{kind}({name},1)." for name, kind in heads.items()]
    bias += [f"{said}({name},({of},))." for name in heads for said, of in _TYPED.items()]
    limits = {"max_vars": 1, "max_body": MOST_CONDITIONS}
    bias += [f"{name}({most})." for name, most in limits.items()]
    return {"exs.pl": _lines(examples), "bk.pl": _lines(facts), "bias.pl": _lines(bias)}


_TYPED: Final = {"type": "state", "direction": "in"}


def ilasp_file(task: LearnerTask) -> str:
    """A task of ILASP: states are contexts, in which the goal must hold or not hold."""
    known = frozenset(task.propositions)
    lines = []
    for number, (state, reached) in enumerate(task.examples.items(), 1):
        wanted = f"{{{task.goal}}}, {{}}" if reached else f"{{}}, {{{task.goal}}}"
        context = " ".join(f"{each}." for each in sorted(state & known))
        lines.append(f"#pos(s{number}, {wanted}, {{{context}}}).")
    lines += [
        f"#modeh({task.goal}).",
        *(f"#modeb(1, {each}, (positive))." for each in sorted(known)),
    ]
    return _lines([*lines, f"#max_penalty({_MOST_PENALTY})."])


def amlgym_files(tasks: list[LearnerTask], dynamics: str) -> dict[str, str]:
    """The domain of some tasks, whose actions' models are to be learned, and a trace a success."""
    known = sorted(
        {each for task in tasks for pair in task.changes for state in pair for each in state}
    )
    predicates = " ".join(f"({each})" for each in known)
    actions = "\n".join(
        f"  (:action {task.goal}\n   :parameters ()\n   :precondition (and)\n   :effect (and))"
        for task in tasks
    )
    files = {
        "domain.pddl": f"(define (domain {dynamics})\n  (:requirements :strips)\n"
        f"  (:predicates {predicates})\n{actions}\n)\n"
    }
    for task in tasks:
        for number, (before, after) in enumerate(task.changes, 1):
            states = [" ".join(f"({each})" for each in sorted(state)) for state in (before, after)]
            files[f"{task.goal}_{number}_traj"] = (
                f"(:trajectory\n\n(:state {states[0]})\n\n(:action ({task.goal}))\n\n"
                f"(:state {states[1]})\n\n)\n"
            )
    return files


def _lines(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
