"""Compares what clingo derives with what the simulator does, state by state and phase by phase."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mars_logic import World
from mars_logic.logic import situation
from mars_logic.logic.step import Outcome, outcomes
from mars_logic.sim.tables import compile_rules
from mars_logic.world import names
from tests.agreement import phases, sampling
from tests.agreement.phases import PLAYER, Record

THINGS = (*names.CREATURES, "plant", "arrow")

_DO = names.ACTIONS.index("do")
_MOVES = tuple(names.ACTIONS.index(f"move_{way}") for way in ("left", "right", "up", "down"))
_MORE = 8
"""Edits of each state that play leads to; in all of them `do` is tried, which most rules need."""


@dataclass
class Case:
    """One situation: what matters of it, and all that the simulator makes of it."""

    phase: str
    told: frozenset[str]
    expected: frozenset[Outcome]


@dataclass
class Tally:
    """What was compared."""

    worlds: int = 0
    cases: Counter[str] = field(default_factory=Counter)
    outcomes: int = 0
    uncertain: int = 0
    disagreements: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Count what another tally has counted as well."""
        self.worlds += other.worlds
        self.cases += other.cases
        self.outcomes += other.outcomes
        self.uncertain += other.uncertain
        self.disagreements += other.disagreements

    def __str__(self) -> str:
        cases = ", ".join(f"{number} {phase}" for phase, number in sorted(self.cases.items()))
        return (
            f"{self.worlds} worlds, {sum(self.cases.values())} situations ({cases}), "
            f"{self.uncertain} with several outcomes, {self.outcomes} outcomes, "
            f"{len(self.disagreements)} disagreements"
        )


def compare(world: World, dice: random.Random, states: int = 4) -> Tally:
    """Compare everything in one world, for some states that play leads to and edits of them."""
    rules = compile_rules(world)
    found = Tally(worlds=1)
    records = list(sampling.played(world, dice, states))
    things = (*THINGS, *world.vocabulary.objects[7:])
    by_phase: dict[str, list[Case]] = {"player": [], **{kind: [] for kind in things}}
    for record in records:
        by_phase["player"] += actions(world, rules, record)
        by_phase["player"] += actions(world, rules, sampling.before_action(world, record, dice))
        for _ in range(_MORE):
            edited = sampling.before_action(world, record, dice)
            some = (_DO, dice.randrange(len(world.vocabulary.actions)))
            some += _MOVES if world.push else ()
            by_phase["player"] += actions(world, rules, edited, some)
        for number in range(min(4, int(record[0]["num_things"]))):
            case = update(world, rules, record, number, dice)
            by_phase[case.phase].append(case)
        for kind in things:
            for _ in range(_MORE):
                placed = sampling.before_update(world, record, kind, dice)
                by_phase[kind].append(update(world, rules, *placed, dice))
        if world.beside or world.timer:
            by_phase.setdefault("cell", []).extend(
                change(world, rules, *sampling.before_change(world, record, dice), dice)
                for _ in range(4 * _MORE)
            )
    for cases in by_phase.values():
        found.add(judge(world, cases))
    return found


def judge(world: World, cases: list[Case]) -> Tally:
    """Compare cases of one phase with what clingo derives."""
    tally = Tally()
    derived = outcomes(world, [case.told for case in cases])
    for case, answer in zip(cases, derived, strict=True):
        tally.cases[case.phase] += 1
        tally.outcomes += len(case.expected)
        tally.uncertain += len(case.expected) > 1
        if answer != case.expected:
            tally.disagreements.append(describe(world, case, answer))
    return tally


def actions(
    world: World, rules: object, record: Record, codes: Sequence[int] | None = None
) -> Iterator[Case]:
    """What actions of the player, by default all of them, lead to in a state."""
    origin = phases.cell_of(record, PLAYER)
    words = world.vocabulary
    codes = range(len(words.actions)) if codes is None else codes
    state = phases.state_of(words, record, origin)
    front = tuple(a + b for a, b in zip(origin, state.player.facing, strict=True))
    material = words.materials[state.materials[front]] if phases.is_inside(front) else None
    numbers = sampling.numbers_for_player(world, material)
    for code in dict.fromkeys(codes):
        ends = phases.explore(rules, record, PLAYER, numbers, code)
        yield Case(
            "player",
            situation.before_action(
                state,
                words.actions[code],
                step=int(record[0]["step"]) + 1,
                dark=phases.is_dark(record),
            ),
            frozenset(
                situation.seen_by_player(phases.state_of(words, end, origin), origin)
                | {f"counted({a})" for a in phases.counted(world, record, end)}
                for end in ends
            ),
        )


def update(world: World, rules: object, record: Record, who: int, dice: random.Random) -> Case:
    """What the update of a thing leads to in a state."""
    origin = phases.cell_of(record, who)
    words = world.vocabulary
    state = phases.state_of(words, record, origin)
    ends = phases.explore(rules, record, who, sampling.numbers_for_thing(dice))
    return Case(
        state.things[origin].kind,
        situation.before_update(state, origin, dark=phases.is_dark(record)),
        frozenset(
            situation.seen_by_thing(phases.state_of(words, end, origin), origin)
            | {f"counted({a})" for a in phases.counted(world, record, end)}
            for end in ends
        ),
    )


def change(
    world: World, rules: object, record: Record, cell: tuple[int, int], dice: random.Random
) -> Case:
    """What a change of a cell by itself leads to in a state."""
    words, dark = world.vocabulary, dice.random() < 0.5
    numbers = sampling.numbers_for_change(world)
    code = phases.code_of_cell(cell, dark=dark)
    ends = phases.explore(rules, record, phases.CELL, numbers, code)
    state = phases.state_of(words, record, cell)
    return Case(
        "cell",
        situation.before_change(state, cell, phases.age_of(words, record, cell), dark=dark),
        frozenset(
            situation.seen_of_change(
                phases.state_of(words, end, cell), cell, phases.age_of(words, end, cell)
            )
            for end in ends
        ),
    )


def describe(world: World, case: Case, answer: frozenset[Outcome]) -> str:
    """A disagreement, for people: the situation, and the outcomes of one side alone."""
    lines = [f"{case.phase} in {world.name} ({world.dynamics})", f"  {sorted(case.told)}"]
    common = frozenset.intersection(*case.expected, *answer) if answer else frozenset()
    for side, only in (
        ("simulator", case.expected - answer),
        ("clingo", answer - case.expected),
    ):
        lines += [f"  {side} alone: {sorted(outcome - common)}" for outcome in only]
    return "\n".join(lines)
