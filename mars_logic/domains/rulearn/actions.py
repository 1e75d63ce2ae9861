"""Actions of puzzles in words, as people and language models type them, and back."""

from __future__ import annotations

import re
from typing import Final

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
_PLAIN: Final = ("brute_force", "submit", "malformed")
_EVALUATE: Final = re.compile(r"evaluate(?: function)? ([0-9]{1,9})(?: at(?: (.*))?)?", re.I | re.S)
_STARTS: Final = {
    "enter_code": "enter code",
    "pass": "go to",
    "react": "react",
    "hypothesise": "write a hypothesis",
}
_SHOWN: Final = 40


def action_text(action: PuzzleAction) -> str:
    """An action in words, which :func:`action_read` reads back if its texts are plain."""
    if action.do == "evaluate":
        return f"evaluate function {action.function} at {action.input}"
    if action.do in _PLAIN:
        return FORMS[action.do]
    rest = {"enter_code": action.code, "pass": action.to, "react": " + ".join(action.materials)}
    rest["hypothesise"] = action.text
    return f"{_STARTS[action.do]} {rest[action.do]}".rstrip()


def action_read(text: str) -> PuzzleAction:
    """The action that is typed; what is typed as its input is taken as it is, and never evaluated.

    Raises:
        ActionError: No action is typed so.
    """
    text = text.strip()
    lowered = text.lower()
    if match := _EVALUATE.fullmatch(text):
        return PuzzleAction("evaluate", function=int(match[1]), input=(match[2] or "").strip())
    for do in _PLAIN:
        if lowered == FORMS[do]:
            return PuzzleAction(do)
    for do, start in _STARTS.items():
        if lowered == start or lowered.startswith(f"{start} "):
            return _with_rest(do, text[len(start) :].strip())
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    raise ActionError(f"'{shown}' is no action; allowed: {', '.join(FORMS.values())}")


def _with_rest(do: str, rest: str) -> PuzzleAction:
    if do == "enter_code":
        return PuzzleAction(do, code=rest)
    if do == "pass":
        return PuzzleAction(do, to=rest)
    if do == "hypothesise":
        return PuzzleAction(do, text=rest)
    materials = tuple(each.strip() for each in rest.split("+")) if rest else ()
    return PuzzleAction(do, materials=materials)
