"""Rules as logic programs over transitions, such as ``violated("never") :- did(T, do), ...``.

Every ``violated(Id)`` is a rule, and what derives it are its counterexamples; ``applicable(Id, T)``
tells where it could have been violated, so that silence can be told from support. A head need not
name the transition: it is the one that the rule's body speaks of first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mars_logic.data.trajectory import Trajectory
from mars_logic.errors import InputError
from mars_logic.logic.sandbox import MEGABYTES, SECONDS, in_child
from mars_logic.logic.source import Source
from mars_logic.theory.rulesets.programs import Constraint, RuleProgram, Told, understood, verdicts
from mars_logic.theory.rulesets.transitions import Group, Transitions
from mars_logic.theory.rulesets.vocabulary import VERDICTS, names_in
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.nouns import CRAFTER

__all__ = ["Constraint", "Judged", "RuleProgram", "read_program", "run"]


@dataclass(frozen=True)
class Judged:
    """The result of a constraint on the record.

    Attributes:
        constraint: The rule.
        applicable: How many transitions it could be violated by; None if the program does not say.
        violations: The groups of transitions that violate it.
        everywhere: Whether it is violated by the record as a whole.
    """

    constraint: Constraint
    applicable: int | None
    violations: tuple[Group, ...]
    everywhere: bool = False


def read_program(text: str, name: str, words: Vocabulary = CRAFTER) -> RuleProgram:
    """Read a program of constraints, in a process of its own.

    Args:
        text: The program.
        name: The file, for messages.
        words: The names that it may use.

    Raises:
        InputError: It is no program, does what such a program may not, names what there is not, or
            takes too much.
    """
    return in_child(understood, Source.of(text, name), names_in(words), name=name)


def run(
    program: RuleProgram,
    trajectories: Iterable[Trajectory],
    *,
    megabytes: int = MEGABYTES,
    seconds: float = SECONDS,
) -> tuple[Judged, ...]:
    """Judge every rule of a program by trajectories.

    It is grounded and solved in a process of its own.

    Args:
        program: The rules.
        trajectories: Recorded episodes.
        megabytes: How much memory it may take.
        seconds: How much time it may take.

    Raises:
        InputError: The program is wrong, has no or several models, or takes too much.
    """
    transitions = Transitions(program.asked)
    for trajectory in trajectories:
        transitions.add(trajectory)
    told = in_child(
        verdicts,
        program,
        "\n".join(transitions.facts),
        name=program.name,
        megabytes=megabytes,
        seconds=seconds,
    )
    return tuple(_judged(program, transitions.groups, told))


def _judged(program: RuleProgram, groups: list[Group], told: Iterable[Told]) -> Iterator[Judged]:
    found: dict[str, dict[str, set[int]]] = {name: {} for name in VERDICTS}
    everywhere: set[str] = set()
    for verdict, name, number in told:
        numbers = found[verdict].setdefault(name, set())
        if number is None:
            everywhere |= {name} if verdict == "violated" else set()
        elif not 0 <= number < len(groups):
            raise InputError(
                f"{program.name}:1: program: {verdict}: there is no transition {number}; "
                "allowed: a transition, as T in did(T, A)"
            )
        else:
            numbers.add(number)
    stated = dict(program.constraints)
    for name in (*found["violated"], *found["applicable"]):
        stated.setdefault(name, Constraint(name, 1, name))
    for name, constraint in stated.items():
        violations = found["violated"].get(name, set())
        applicable = found["applicable"].get(name, set()) | violations
        known = program.judged is None or name in program.judged
        yield Judged(
            constraint,
            sum(groups[number].count for number in applicable) if known else None,
            tuple(groups[number] for number in sorted(violations)),
            name in everywhere,
        )
