"""What a player of a puzzle reads: the manual before it begins, and what each action brought."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from mars_logic.domains.rulearn.episode import PuzzleAction, PuzzleOutcome
from mars_logic.domains.rulearn.escape_room.rules import ATTEMPTS, EscapeRoom, Painting, paintings
from mars_logic.domains.rulearn.function_operator.rules import MOST_FAILURES, FunctionOperator
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.reactor.rules import Reactor
from mars_logic.system.display import listed, number

_ERRORS: Final = {
    "invalid_input": "The input is not valid: a decimal number, pi, or a number times pi is.",
    "division_by_zero": "The function has no value there: it divides by zero.",
    "unknown_material": "Nothing happens: not all of this is in the storage.",
    "too_many_materials": "Nothing happens: the reactor takes one or two materials.",
}
_SHADES: Final = {"black": "dark"}
"""The words for colours in descriptions of paintings, where they differ from the names."""


def puzzle_manual(puzzle: Puzzle) -> str:
    """What a player is told before an episode; nothing that has to be found out."""
    lines = _MANUALS[puzzle.domain](puzzle)
    return "\n".join([*lines, f"You have {number(puzzle.length, 'step')}."])


def _operator(puzzle: FunctionOperator) -> list[str]:
    low, high = puzzle.param_range
    letters = puzzle.letters
    functions = [
        f"Function {place} is a sum of {number(len(terms), 'term')}, with "
        f"{listed([term.param for term in terms])} in this order."
        for place, terms in enumerate(puzzle.functions, 1)
    ]
    distinct = ", and no two are equal" if puzzle.params_distinct else ""
    bases = listed(puzzle.monomials)
    return [
        f"There {'is 1 function' if len(functions) == 1 else f'are {len(functions)} functions'} "
        "of x that you can evaluate at a number of your choice.",
        "Each term is a parameter times a function of x: "
        + (f"1 or one of {bases}; all of these occur." if bases else "1."),
        *functions,
        f"The values of the parameters are whole numbers from {low} to {high}{distinct}.",
        f"The door takes a code of {number(len(letters), 'digit')}: the "
        f"values of {listed(letters)}. After {MOST_FAILURES} wrong codes all values change.",
    ]


def _escape(puzzle: EscapeRoom) -> list[str]:
    rule, others = puzzle.rule, [room.name for room in puzzle.rooms[1:]]
    return [
        "The door of this room has a password of "
        f"{number(len(rule.digits), 'digit')}, which has to do with the paintings.",
        f"A note says: mind what is {rule.focus_order[0]}.",
        f"After {ATTEMPTS} wrong codes the note and the password change.",
        *([f"Other doors lead to {listed(others)}."] if others else []),
    ]


def _reactor(puzzle: Reactor) -> list[str]:
    return [
        f"Make the material {puzzle.target} and submit it.",
        f"There is any amount of {listed(puzzle.raw)}. The reactor takes one or two materials in "
        "an order; what it makes goes to the storage, where nothing is ever used up.",
        *(
            f"It is said that {' + '.join(hint.inputs)} gives {' and '.join(hint.products)}."
            for hint in puzzle.told
        ),
    ]


_MANUALS: Final[Mapping[str, Callable[[Any], list[str]]]] = {
    "function_operator": _operator,
    "escape_room": _escape,
    "reactor": _reactor,
}


def outcome_text(action: PuzzleAction, outcome: PuzzleOutcome) -> str:
    """What an action brought, in words; nothing that the player does not see."""
    shown = outcome.shown
    lines = _tried(action, shown)
    if outcome.done:
        lines.append("The puzzle is solved." if outcome.success else "The puzzle is lost.")
        return "\n".join(lines)
    lines += scene_text(shown)
    return "\n".join([*lines, f"{number(outcome.steps, 'step')} so far."])


def scene_text(shown: Mapping[str, Any]) -> list[str]:
    """The room and its paintings, or the storage, in words; nothing for functions."""
    lines = []
    if "room" in shown:
        lines.append(f"You are in the {shown['room']}.")
        lines += [painting_text(paintings()[each]) for each in shown["paintings"]]
        focus = next(shown[each] for each in shown if each.startswith("hint_"))
        lines.append(f"The note says: mind what is {focus}.")
    if "storage" in shown:
        lines.append(f"In storage: {listed(shown['storage'])}.")
    return lines


def painting_text(painting: Painting) -> str:
    """A sentence about a painting: medium, colour and subject."""
    shade = _SHADES.get(painting.color, painting.color)
    return f"Painting {painting.number}, in {painting.medium}: {painting.subject}, mainly {shade}."


def _tried(action: PuzzleAction, shown: Mapping[str, Any]) -> list[str]:
    error = shown.get("error")
    if error:
        return [_ERRORS[error]]
    if action.do == "evaluate":
        return [f"Function {action.function} at {action.input} is {shown['value']!r}."]
    if action.do == "react":
        return [f"{' + '.join(action.materials)} gives {' and '.join(shown['products'])}."]
    if action.do == "enter_code":
        return _code(shown)
    told = {
        "malformed": "The answer could not be read.",
        "brute_force": "The door does not give way.",
        "hypothesise": "The hypothesis is noted.",
    }
    return [told[action.do]] if action.do in told else []


def _code(shown: Mapping[str, Any]) -> list[str]:
    if shown["digits"] is None:
        lines = ["The code is wrong: it has another number of digits."]
    elif shown["correct"]:
        lines = [f"The code {shown['entered']} is right."]
    else:
        digits = zip(shown["entered"], shown["digits"], strict=True)
        each = [f"{digit} is {'right' if right else 'wrong'}" for digit, right in digits]
        lines = [f"The code is wrong: {', '.join(each)}."]
    if shown.get("changed"):
        lines.append("From now on the door wants another code.")
    if "attempts_left" in shown:
        lines.append(f"{number(shown['attempts_left'], 'wrong code')} until it changes.")
    return lines
