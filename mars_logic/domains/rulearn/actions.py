"""Actions of puzzles in words, as people and language models type them, and back."""

from __future__ import annotations

import re
from typing import Any, Final

from mars_logic.domains.protocol import ActionError
from mars_logic.domains.rulearn.episode import PuzzleAction

FORMS: Final = {
    "evaluate": "evaluate function NUMBER at INPUT",
    "enter_code": "enter code CODE",
    "pass": "go to ROOM",
    "brute_force": "open the door with brute force",
    "react": "react MATERIAL + MATERIAL",
    "submit": "submit the target",
    "hypothesise": "write a hypothesis",
    "malformed": "give an answer that cannot be read",
}
"""By the kind of an action: how it is typed."""
_PARTS: Final = {"enter_code": "code", "pass": "to", "react": "materials", "hypothesise": "text"}
"""By the kind of an action: what is typed behind its start."""
_STARTS: Final = {do: re.split(" [A-Z]", form)[0] for do, form in FORMS.items()}
_EVALUATE: Final = re.compile(r"evaluate(?: function)? ([0-9]{1,9})(?: at(?: (.*))?)?", re.I | re.S)
_SHOWN: Final = 40


def action_text(action: PuzzleAction) -> str:
    """An action in words, which :func:`action_read` reads back if its texts are plain."""
    if action.do == "evaluate":
        return f"evaluate function {action.function} at {action.input}"
    rest = getattr(action, _PARTS[action.do]) if action.do in _PARTS else ""
    told = " + ".join(rest) if isinstance(rest, tuple) else rest
    return f"{_STARTS[action.do]} {told}".rstrip()


def action_read(text: str) -> PuzzleAction:
    """The action that is typed; what is typed as its input is taken as it is, and never evaluated.

    Raises:
        ActionError: No action is typed so.
    """
    text = text.strip()
    lowered = text.lower()
    if match := _EVALUATE.fullmatch(text):
        return PuzzleAction("evaluate", function=int(match[1]), input=(match[2] or "").strip())
    for do, start in _STARTS.items():
        if do != "evaluate" and lowered == start:
            return PuzzleAction(do)
        if do in _PARTS and lowered.startswith(f"{start} "):
            rest = text[len(start) :].strip()
            materials = tuple(each.strip() for each in rest.split("+"))
            typed: dict[str, Any] = {_PARTS[do]: materials if do == "react" else rest}
            return PuzzleAction(do, **typed)
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    raise ActionError(f"'{shown}' is no action; allowed: {', '.join(FORMS.values())}")
