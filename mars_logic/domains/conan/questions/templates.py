"""The templates of questions, read from ``templates.yaml``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from mars_logic.system import resources
from mars_logic.world.source import parse


@dataclass(frozen=True, slots=True)
class Template:
    """A template of questions.

    Attributes:
        id: Its name: I1 to I22, G1 to G3, S1 to S10.
        category: ``intent``, ``goal`` or ``survival``.
        subject: What a question is about, which decides when it is asked.
        answer: The function that gives the answer.
        type: The type of answers, and so the pool of choices.
        text: The question; ``{X}`` is a name.
    """

    id: str
    category: str
    subject: str
    answer: str
    type: str
    text: str


@cache
def templates() -> dict[str, Template]:
    """All templates by id, in the order of the file."""
    held = parse(resources.text(__name__, "templates.yaml"), "templates.yaml").data
    return {name: Template(id=name, **each) for name, each in held.items()}
