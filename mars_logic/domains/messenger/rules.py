"""The rules of Messenger as data.

Source: SmartPlay's three levels (its vendored Messenger-EMMA) and the VGDL engine below them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import BeforeValidator

from mars_logic.domains.game import Game, Text, word
from mars_logic.system.resources import values_at
from mars_logic.world.fields import invalid, number

AGENT_X: Final = 0
AGENT_Y: Final = 1
HAS_MESSAGE: Final = 2
STATUS: Final = 3
FIRST_THING: Final = 4
THING_SIZE: Final = 4
THINGS: Final = 5
STATE_SIZE: Final = FIRST_THING + THINGS * THING_SIZE

PLAYING: Final = 0
DEAD: Final = 1
WON: Final = 2

ENEMY: Final = 0
MESSAGE: Final = 1
GOAL: Final = 2
DECOY_MESSAGE: Final = 3
DECOY_GOAL: Final = 4

CHASER: Final = 0
FLEEING: Final = 1
IMMOVABLE: Final = 2

CELLS: Final = 10
LARGEST: Final = 18
"""The largest half cell, of the ten cells' upper left corners."""
NOWHERE: Final = -1
DIRECTIONS: Final = "NWSE"
"""The order in which the options of a mover are listed."""


NAMES: Final = (
    "airplane", "mage", "dog", "bird", "fish", "scientist",
    "thief", "ship", "ball", "robot", "queen", "sword",
)  # fmt: skip
"""The names of things, in the order of their ids, which begin with ``FIRST_ID``."""
FIRST_ID: Final = 2
AGENT_ID: Final = 15
"""The id of the agent without the message; with it, one more."""
ROLES: Final = ("enemy", "message", "goal")
SLOTS: Final = (*ROLES, "decoy_message", "decoy_goal")
"""The roles of things on the grid; the decoys are in level 3 alone."""
MOTIONS: Final = ("chaser", "fleeing", "immovable")
"""The motions, in the order of their codes."""
ACTIONS: Final = ("north", "south", "west", "east", "stay")
DRAWN: Final = "drawn"

SPLITS: Final = ("train", "val", "test", "all")
Split = Literal["train", "val", "test", "all"]
View = Literal["grid", "text", "state"]
Assignment = tuple[str, str, str]
"""The names of the enemy, the message and the goal."""

assert [MOTIONS.index(each) for each in ("chaser", "fleeing", "immovable")] == [
    CHASER,
    FLEEING,
    IMMOVABLE,
]

_L1_CELLS: Final = ((5, 3), (3, 5), (7, 5), (5, 7))
_L2_CELLS: Final = ((2, 2), (7, 2), (2, 7), (7, 7))
_L3_CELLS: Final = ((2, 1), (8, 1), (5, 4), (1, 6), (9, 6), (5, 9))
START_CELLS: Final = {1: _L1_CELLS, 2: _L2_CELLS, 3: _L3_CELLS}
"""By level: the cells, as (x, y), on which things start; in levels 2 and 3 the agent, too."""
CENTRE: Final = (5, 5)
"""The cell on which the agent starts in level 1."""
STARTS_WITH_MESSAGE: Final = 0.2
"""The probability that the agent has the message from the start, in level 1."""


def slots(level: int) -> tuple[str, ...]:
    """The roles of the things on the grid of a level."""
    return SLOTS if level == 3 else ROLES


@cache
def motion_combinations(level: int, motions: str = "any") -> tuple[tuple[int, ...], ...]:
    """The codes of the motions of all things, one for each of a level's ``slots``.

    Level 2 has 27 combinations, or the 6 of training where ``motions`` is ``different``. In level
    3, 18, the three true things move in different ways, each decoy in another way than its twin,
    and the two decoys in different ways.
    """
    if level == 1:
        return ((IMMOVABLE,) * 3,)
    kinds = range(len(MOTIONS))
    if level == 2:
        every = product(kinds, repeat=3)
        return tuple(each for each in every if motions == "any" or len(set(each)) == 3)
    return tuple(
        (*true, one, other)
        for true in permutations(kinds)
        for one, other in permutations(kinds, 2)
        if one != true[1] and other != true[2]
    )


@cache
def assignments(split: Split) -> tuple[Assignment, ...]:
    """The games of a split: which name has which role; ``all`` are 1320."""
    if split == "all":
        return tuple(permutations(NAMES, 3))
    found: Mapping[str, list[list[str]]] = values_at(Path(__file__).with_name("games.yaml"))
    return tuple((each[0], each[1], each[2]) for each in found[split])


def _sentences(value: Any) -> str:
    if isinstance(value, Path):
        return str(value)
    if not isinstance(value, str):
        raise invalid("this is no path", "the path of a file of sentences, or nothing")
    return value


class Messenger(Game):
    """A level of Messenger, a game of it, or a theory of that.

    Attributes:
        level: 1, 2 or 3.
        assignments: The split whose games are drawn; ``all`` for any three names in any roles.
        motions: In level 2, ``any`` of the 27 combinations, or ``different`` ones, as in training.
        observation: What a player sees: ``grid``, ``text`` (the nearest thing of each name, by
            distance and direction), or ``state`` (half cells, roles and motions).
        sentences: A file of sentences of which manuals are made; by default own templates. It
            is no rule, and not part of the digest.
        enemy: Its name; ``drawn`` (the default) where it is the split that tells.
        message: The same, as for the goal.
        goal: The same.
        enemy_motion: Its motion, or ``drawn``; so for the next four.
        message_motion: See there.
        goal_motion: See there.
        decoy_message_motion: See there.
        decoy_goal_motion: See there.
    """

    domain: ClassVar[str] = "messenger"
    stated = Game.stated | {"level", "assignments", "motions", "observation", "sentences"}

    level: Annotated[int, *number(1, 3, whole=True)]
    assignments: Annotated[Split, word("split", SPLITS)] = "test"
    motions: Annotated[Literal["any", "different"], word("motions", ("any", "different"))] = "any"
    observation: Annotated[View, word("observation", ("grid", "text", "state"))] = "grid"
    sentences: Annotated[Text, BeforeValidator(_sentences)] = ""
    enemy: Annotated[str, word("name", (*NAMES, DRAWN))] = DRAWN
    message: Annotated[str, word("name", (*NAMES, DRAWN))] = DRAWN
    goal: Annotated[str, word("name", (*NAMES, DRAWN))] = DRAWN
    enemy_motion: Annotated[str, word("motion", (*MOTIONS, DRAWN))] = DRAWN
    message_motion: Annotated[str, word("motion", (*MOTIONS, DRAWN))] = DRAWN
    goal_motion: Annotated[str, word("motion", (*MOTIONS, DRAWN))] = DRAWN
    decoy_message_motion: Annotated[str, word("motion", (*MOTIONS, DRAWN))] = DRAWN
    decoy_goal_motion: Annotated[str, word("motion", (*MOTIONS, DRAWN))] = DRAWN

    @property
    def slots(self) -> tuple[str, ...]:
        """The roles of the things on the grid."""
        return slots(self.level)

    @property
    def digest(self) -> str:
        """SHA-256, hexadecimal, of all rules; where sentences come from is none."""
        if not self.sentences:
            return super().digest
        return self.model_copy(update={"sentences": ""}).digest

    @property
    def games(self) -> tuple[Assignment, ...]:
        """The assignments that may be drawn: those that agree with the names that are stated."""
        stated = [getattr(self, role) for role in ROLES]
        return tuple(
            each
            for each in _all_or_split(self.assignments, stated)
            if all(want in (DRAWN, name) for want, name in zip(stated, each, strict=True))
        )

    @property
    def combinations(self) -> tuple[tuple[int, ...], ...]:
        """The combinations of motions that may be drawn, one code for each of ``slots``."""
        stated = [getattr(self, f"{slot}_motion") for slot in self.slots]
        return tuple(
            each
            for each in motion_combinations(self.level, self.motions)
            if all(w in (DRAWN, MOTIONS[m]) for w, m in zip(stated, each, strict=True))
        )


def _all_or_split(split: Split, stated: list[Any]) -> tuple[Assignment, ...]:
    """The split's games; where all three names are stated, those three, whatever the split."""
    if all(name in NAMES for name in stated):
        return ((stated[0], stated[1], stated[2]),)
    return assignments(split)


@dataclass(frozen=True)
class Setup:
    """What is drawn at a reset.

    Attributes:
        names: Of the enemy, the message and the goal.
        motions: The code of the motion of each of the level's ``slots``.
        cells: The cell (x, y) on which each of these starts.
        agent: The cell on which the agent starts.
        has_message: Whether the agent has the message from the start.
    """

    names: Assignment
    motions: tuple[int, ...]
    cells: tuple[tuple[int, int], ...]
    agent: tuple[int, int]
    has_message: bool = False

    def name_of(self, slot: int) -> str:
        """The name of the thing in one of ``SLOTS``; a decoy has that of its twin."""
        return self.names[slot if slot < len(ROLES) else slot - 2]
