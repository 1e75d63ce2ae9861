"""The rule of a puzzle that a text states: a theory, open where the text says nothing."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import ValidationError

from mars_logic.domains.rulearn.escape_room.reading import password_read
from mars_logic.domains.rulearn.escape_room.rules import EscapeRoom
from mars_logic.domains.rulearn.function_operator.reading import functions_read
from mars_logic.domains.rulearn.function_operator.rules import FunctionOperator
from mars_logic.domains.rulearn.language import SentenceError
from mars_logic.domains.rulearn.puzzle import Puzzle
from mars_logic.domains.rulearn.reactor.reading import program_read
from mars_logic.world.mistakes import mistakes

P = TypeVar("P", bound=Puzzle)


def read_rule(text: str, theory: P) -> P:
    """The theory that a text states about a puzzle.

    Sentences that mars-logic tells are read, and other common ways to say the same. A text is read
    as a whole: where something in it looks like a part of the rule and cannot be read, it is not.

    Args:
        text: The text.
        theory: What the manual tells; its rule is replaced.

    Raises:
        SentenceError: It states nothing of the rule, or something that cannot be read or cannot be.
    """
    try:
        stated = theory.model_dump(mode="json") | _rule(text, theory)
        return type(theory).model_validate(stated)
    except ValidationError as error:
        found = mistakes(error)[0]
        allowed = found.allowed or "what the manual tells"
        raise SentenceError(f"{found.message}; allowed: {allowed}") from None


def _rule(text: str, theory: Puzzle) -> dict[str, Any]:
    if isinstance(theory, FunctionOperator):
        return functions_read(text, theory)
    if isinstance(theory, EscapeRoom):
        return password_read(text, theory)
    return program_read(text)


def forms(theory: Puzzle) -> list[str]:
    """Examples of sentences that :func:`read_rule` reads, for whoever writes a hypothesis."""
    if isinstance(theory, FunctionOperator):
        return ["Function 1 is a times x plus b times sin(x).", "Parameter a is 3."]
    if isinstance(theory, EscapeRoom):
        focus = theory.rule.focus
        other = "medium is oil" if focus == "color" else "color is blue"
        return [
            f"Digit 1 is the number of paintings whose {other} and whose {focus} is what the hint "
            "names.",
            "Digit 2 is the difference of (the number of paintings whose color is not green) and "
            "(the number of paintings whose medium is oil).",
        ]
    return [
        "Always: the first input followed by the second input.",
        "If both inputs are equally long: the second input in the middle of the first one. "
        "Otherwise: the shorter input in the middle of the longer one.",
        "If the first input is the longer one: the first input from position 1 followed by the "
        "second input; and the first input up to position 1. Otherwise: the second input, then the "
        "result is reversed.",
    ]
