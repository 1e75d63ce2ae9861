"""Achievements and goals in words."""

from __future__ import annotations

from mars_logic.system.display import number
from mars_logic.world.goals import condition_of
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.grammar import nouns_of
from mars_logic.world.words.kinds import spaced


def tell_achievement(name: str, words: Vocabulary) -> str:
    """An achievement, or a condition, in words.

    Args:
        name: Its name.
        words: The names of its world.

    Example:
        >>> from mars_logic.world.vocabulary import vocabulary
        >>> names = ("wake_up", "have_2_diamond", "reach_path", "survive_300")
        >>> [tell_achievement(name, vocabulary("mars")) for name in names]
        ['wake up', 'hold 2 diamonds at once', 'stand on a path', 'live for 300 steps']
    """
    wanted = condition_of(name)
    if wanted is None:
        return spaced(name)
    nouns = nouns_of(words)
    match wanted.kind:
        case "have":
            amount = nouns.counted((wanted.subject,), None).write(wanted.subject, wanted.number)
            return f"hold {amount} at once"
        case "reach":
            return f"stand on {nouns.single.get(wanted.subject, spaced(wanted.subject))}"
        case "none_left":
            return f"leave no cell of {spaced(wanted.subject)}"
        case "at":
            column, row = wanted.cell
            return f"stand on the cell in column {column} and row {row} of the drawing"
    return f"live for {number(wanted.number, 'step')}"


def tell_goals(words: Vocabulary) -> str:
    """The goals of a world with their rewards, in a sentence; all achievements where it has none.

    Example:
        >>> from mars_logic.world.adds import NOTHING, vocabulary_with
        >>> from mars_logic.world.vocabulary import WorldGoal
        >>> goals = WorldGoal("reach_sand", 2), WorldGoal("collect_coal", 0.5)
        >>> tell_goals(vocabulary_with("mars", NOTHING, None, goals))
        'There are 2 goals: stand on sand (2 points), collect coal (0.5 points).'
    """
    if not words.goals:
        told = ", ".join(map(spaced, words.achievements))
        return f"There are {len(words.achievements)}: {told}."
    told = ", ".join(
        f"{tell_achievement(name, words)} ({reward:.6g} {'point' if reward == 1 else 'points'})"
        for name, reward in words.goals
    )
    many = number(len(words.goals), "goal")
    return f"There {'is' if len(words.goals) == 1 else 'are'} {many}: {told}."
