"""What a language model is shown of an episode: all that happened, and what it may do now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mars_logic.domains.rulearn.actions import action_text
from mars_logic.domains.rulearn.episode import PuzzleAction, PuzzleOutcome
from mars_logic.domains.rulearn.observations import SeenStep
from mars_logic.domains.rulearn.telling import outcome_text, scene_text

_OFFERS: Final = {
    "evaluate": "evaluate function {function} at a number",
    "enter_code": "enter a code at the door",
    "pass": "go to {to}",
    "brute_force": "open the door with brute force",
    "react": "put one or two materials into the reactor",
    "submit": "submit the target",
    "hypothesise": "write a new hypothesis in the place of the old one",
}
INPUTS: Final = {
    "evaluate": "the number at which function {function} is evaluated: a decimal number, pi, or a "
    "number times pi",
    "enter_code": "the code",
    "react": "one or two materials of the storage, in order, such as A + B",
}
"""By the kind of an action: what belongs to it."""


class EpisodeMemory:
    """Everything that was observed: before the last hypothesis (permanent), and since (buffer).

    As in the reference, nothing is cut, and a new hypothesis moves the buffer to the other part.

    Args:
        start: What is visible before the first action.

    Attributes:
        start: The same.
        steps: The actions with what was seen of their outcomes.
        permanent: What was observed before the last hypothesis, in words.
        buffer: What was observed since.
    """

    def __init__(self, start: Mapping[str, Any]) -> None:
        self.start = start
        self.steps: list[SeenStep] = []
        self.permanent: list[str] = []
        self.buffer = ["\n".join(scene_text(start))] if scene_text(start) else []

    def add(self, action: PuzzleAction, shown: Mapping[str, Any]) -> None:
        """Keep what came of an action; a hypothesis is kept elsewhere."""
        self.steps.append((action, shown))
        if action.do != "hypothesise":
            outcome = PuzzleOutcome(shown["steps"], False, None, shown)
            self.buffer.append(f"{action_text(action)}\n{outcome_text(action, outcome)}")

    def hypothesis_written(self) -> None:
        """Move the buffer to the permanent part."""
        self.permanent += self.buffer
        self.buffer = []


def offered(available: list[Mapping[str, Any]], *, hypothesis: bool) -> list[dict[str, Any]]:
    """What a model may choose from.

    Args:
        available: The actions on offer.
        hypothesis: Whether a new hypothesis may be written.
    """
    return [*map(dict, available), *([{"do": "hypothesise"}] if hypothesis else [])]


def offer_text(offer: Mapping[str, Any]) -> str:
    """An action on offer, in words."""
    return _OFFERS[offer["do"]].format(**offer)


def action_of(offer: Mapping[str, Any], typed: str) -> PuzzleAction:
    """The action on offer with what was typed for it; what is typed is never evaluated."""
    typed = typed.strip().strip("[]\"'").strip()
    more: dict[str, Any] = {}
    if offer["do"] == "evaluate":
        more["input"] = typed
    elif offer["do"] == "enter_code":
        more["code"] = typed
    elif offer["do"] == "react":
        parts = typed.replace(",", "+").split("+")
        more["materials"] = [each.strip().strip("\"'") for each in parts]
    return PuzzleAction.read({**offer, **more})
