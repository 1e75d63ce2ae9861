"""Abduction by ``games/abduce.lp``, against which the package's is held."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

import clingo

from mars_logic.domains.conan.detective.abduction import (
    PLACED,
    Plan,
    Reason,
    TraceAbduction,
    goal_item,
    success_sign,
)
from mars_logic.domains.conan.detective.evidence import SceneEvidence
from mars_logic.domains.conan.possible import CREATURES
from mars_logic.domains.conan.vandal.tasks import parts_of_task, split
from mars_logic.system import resources
from mars_logic.system.interruptions import held_back


def facts(abduction: TraceAbduction, evidence: SceneEvidence) -> str:
    """The facts that ``games/abduce.lp`` reads."""
    lines = []
    for number, plan in enumerate(abduction.plans):
        lines.append(f"plan({number}, {_term(plan[0])}).")
        most = abduction._most(plan, evidence.counts)
        lines += [f"bounded({number}, {t}, {n})." for t, n in most.items()]
    for task in dict.fromkeys(task for task, _ in abduction.plans):
        lines += [f"task({_term(task)}, {aim})." for aim in _aims(abduction, task)]
        for each in abduction._required(task):
            uses, tools = abduction._needed(each)
            lines += [f"uses({each}, {other}, {n})." for other, n in uses.items()]
            lines += [f"tool({each}, {tool})." for tool in tools]
            if each in abduction.recipes.make:
                lines.append(f"makes({each}, {abduction.recipes.make[each].source}).")
    for thing, way in abduction.recipes.place.items():
        lines += [f"spends({thing}, {item}, {n})." for item, n in way.uses.items()]
    for item, ways in abduction.recipes.kill.items():
        lines.append(f"beast({item}, {ways[0].source}).")
    lines += [f"beast_left({each}, {each}_dead)." for each in sorted(CREATURES)]
    lines += [f"collected({i}, {s})." for i, ss in abduction._collected.items() for s in ss]
    for thing, left in abduction._traces.items():
        kind = "placed" if thing in PLACED else "left"
        lines += [f"{kind}({thing}, {each})." for each in left]
    lines += [f"seen({code}, {number})." for code, number in evidence.counts.items() if number]
    lines += [f"near({code})." for code in sorted(evidence.near)]
    lines += ["whole."] * evidence.whole + ["around."] * evidence.around
    return "\n".join(lines)


def _aims(abduction: TraceAbduction, task: str) -> Iterator[str]:
    """What success of a task is, as arguments of ``task/3``."""
    for part in parts_of_task(task):
        kind, goal = split(part)
        if item := goal_item(part):
            yield f"held, {item}"
        elif not abduction.careful:
            yield f"near, {success_sign(task)}"
        else:
            yield f"{'placed' if kind == 'place' else 'killed'}, {goal}"


def refuted_by_logic(
    abduction: TraceAbduction, evidence: SceneEvidence
) -> Mapping[Plan, frozenset[Reason]]:
    """What ``TraceAbduction.refuted`` gives, by clingo."""
    control = clingo.Control(["--warn=none"])
    control.load(resources.encoding("games/abduce.lp"))
    control.add("base", [], facts(abduction, evidence))
    control.ground([("base", [])])
    found: defaultdict[Plan, set[Reason]] = defaultdict(set)
    with held_back(), control.solve(yield_=True) as handle:
        for model in handle:
            for atom in model.symbols(shown=True):
                if atom.name == "refuted":
                    plan, reason = atom.arguments
                    named = (reason.name, reason.arguments[0].name)
                    found[abduction.plans[plan.number]].add(named)
    return {plan: frozenset(reasons) for plan, reasons in found.items()}


def _term(task: str) -> str:
    """A task as a term of logic."""
    return task.replace("+", "_and_")
