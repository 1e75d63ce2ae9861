"""Biome navigation in words: the manual and the rules."""

from __future__ import annotations

from typing import Final

from mars_logic.domains.biomes.blocks import FACINGS
from mars_logic.domains.biomes.rules import GOALS, BiomeNavigation
from mars_logic.domains.telling import value
from mars_logic.system.display import number

ACTIONS: Final = tuple(f"walk {facing}" for facing in FACINGS)
TEXT_LIMIT: Final = 32_000
"""Characters of the longest observation."""


def manual(game: BiomeNavigation) -> str:
    """What a player is told before an episode."""
    lines = [
        f"You are in a large world of blocks. Find a biome of this kind: {game.goal}.",
        f"There is one within {game.within} blocks of where you start.",
        "An action turns you to a side and walks about twelve blocks, less through water; a walk "
        "ends where something is in the way.",
        "You climb one block at a time, and swim.",
        f"You have {number(game.length, 'action')}. The game ends when you stand in the biome.",
        "",
        "Actions:",
        *(f"{place}. {name}" for place, name in enumerate(ACTIONS, 1)),
    ]
    return "\n".join(lines)


def rules(theory: BiomeNavigation) -> list[str]:
    """The rules, one sentence each."""
    names = ", ".join(GOALS[theory.goal]).replace("*_", "any … ").replace("*", "any …")
    return [
        f"The goal is {theory.goal}: one of the biomes {names}.",
        f"The map is one of {number(theory.maps, 'map')} of the engine {value(theory.engine)}.",
        f"A biome of the goal lies within {theory.within} blocks of the start.",
        "A walk has 10 to 14 blocks, each as likely, half as many in water, and swerves by at most "
        "a block.",
        f"Compass labels of what is seen are {theory.labels}.",
        f"An episode has {number(theory.length, 'action')}.",
    ]


def facts(theory: BiomeNavigation) -> str:
    """The rules as facts."""
    return (
        f"length({theory.length}).\ngoal({theory.goal}).\nengine({theory.engine}).\n"
        f"maps({theory.maps}).\nwithin({theory.within}).\nlabels({theory.labels}).\n"
    )
