"""Messenger in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mars_logic.domains.messenger.rules import (
    ACTIONS,
    DRAWN,
    MOTIONS,
    ROLES,
    SPLITS,
    START_CELLS,
    Messenger,
)
from mars_logic.domains.messenger.views import FARTHEST, Seen
from mars_logic.domains.telling import holding, value
from mars_logic.system.display import number

REMEDY: Final = f"names and motions of a game in one of the splits {', '.join(SPLITS)}"
SENTENCE_MARK: Final = "- "
"""In a manual, begins each sentence about a thing."""
LONGEST_NAME: Final = "scientist"

_GAINS: Final = {
    1: "Reach the message if you have none, or the goal if you have it: that is worth 1 and wins. "
    "Reaching anything else is worth -1 and ends the game.",
    2: "Take the message (0.5), then bring it to the goal (1), which wins. Touching the enemy, or "
    "the goal without the message, is worth -1 and ends the game.",
    3: "Take the message (0.5), then bring it to the goal (1), which wins. Touching an enemy, or "
    "the goal without the message, is worth -1 and ends the game. Some things share a name.",
}


def manual(game: Messenger, sentences: Sequence[str]) -> str:
    """What a player is told before an episode."""
    return "\n".join(
        (
            "You move about a grid of 10 by 10 cells with things on it.",
            "This is known of them:",
            *(f"{SENTENCE_MARK}{sentence}" for sentence in sentences),
            _GAINS[game.level],
            f"You have {number(game.length, 'step')}.",
            "",
            "Actions:",
            *(f"{place}. {name}" for place, name in enumerate(ACTIONS, 1)),
        )
    )


def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences about things in a manual, or all lines of a text without marks.

    Lines that begin with ``#`` are comments.
    """
    return tuple(sentence for _, sentence in numbered_sentences(text))


def numbered_sentences(text: str) -> list[tuple[int, str]]:
    """The same sentences, each with its line, from 1."""
    every = ((at, line.strip()) for at, line in enumerate(text.splitlines(), 1))
    lines = [(at, line) for at, line in every if line and not line.startswith("#")]
    marked = [(at, line) for at, line in lines if line.startswith(SENTENCE_MARK)]
    return [(at, line.removeprefix(SENTENCE_MARK).strip()) for at, line in marked or lines]


def observation(found: Sequence[Seen] | None, *, has_message: bool) -> str:
    """What is near, as SmartPlay lists it."""
    if found is None:
        return "You are no longer on the grid."
    lines = [f"You {'have' if has_message else 'do not have'} the message.", "You see:"]
    for name, steps, where in found:
        place = f"{number(steps, 'step')} to the {where}" if where else "where you are"
        lines.append(f"- {name}, {place}")
    return "\n".join(lines)


def text_limit() -> int:
    """The largest number of characters of an observation in words."""
    longest = (LONGEST_NAME, FARTHEST, "north-east")
    return len(observation([longest] * 5, has_message=False))


def rules(theory: Messenger) -> list[str]:
    """The rules, one sentence each."""
    found = [
        f"Things start on {len(START_CELLS[theory.level])} cells of a grid of 10 by 10 cells.",
        *(_role(theory, role) for role in ROLES),
    ]
    if theory.level == 3:
        found += [
            "A decoy of the message and one of the goal have the name of the true one, and move "
            "in another way.",
            *(
                f"The decoy of the {role} moves as "
                f"{_value(getattr(theory, f'decoy_{role}_motion'))}."
                for role in ROLES[1:]
            ),
        ]
    if theory.level > 1:
        found += [
            "A chaser moves half a cell a step towards you, what is fleeing half a cell away; an "
            "immovable thing stays.",
            "Two things touch if they overlap by half a cell at least.",
        ]
    steps = number(theory.length, "step")
    return [*found, _GAINS[theory.level], f"An episode has {steps} at most."]


def _role(theory: Messenger, role: str) -> str:
    name, motion = getattr(theory, role), getattr(theory, f"{role}_motion")
    if name == DRAWN:
        split = theory.assignments
        told = "any of the twelve" if split == "all" else f"drawn from the {split} games"
        name_told = f"The name of the {role} is {told}"
    else:
        name_told = f"The {role} is {'the ' if isinstance(name, str) else ''}{_value(name)}"
    return f"{name_told}; it moves as {_value(motion)}." if theory.level > 1 else f"{name_told}."


def _value(field: object) -> str:
    return "drawn at the start" if field == DRAWN else value(field)


def facts(theory: Messenger) -> str:
    """The rules as facts, as ``encodings/games/messenger.lp`` reads them."""
    lines = [f"level({theory.level}).", f"length({theory.length})."]
    for x, y in START_CELLS[theory.level]:
        lines.append(f"start_cell({x}, {y}).")
    for slot in theory.slots:
        if slot in ROLES:
            lines += holding(f"name({slot}", _known(theory, slot))
        lines += holding(f"motion({slot}", _known(theory, f"{slot}_motion"))
    return "\n".join(lines) + "\n"


def _known(theory: Messenger, field: str) -> object:
    """A field's value; what is drawn counts as unknown."""
    from mars_logic.world.uncertain import UNKNOWN

    found = getattr(theory, field)
    return UNKNOWN if found == DRAWN else found


def motion_names(codes: Sequence[int]) -> tuple[str, ...]:
    """Motions in words, by their codes."""
    return tuple(MOTIONS[each] for each in codes)
