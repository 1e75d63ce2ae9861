"""Where the numbers of a state lie: int8[24], for each of which there is a constant here.

The agent's ``X`` and ``Y`` (half cells, 0 to 18), whether it has the message, and the status; then
for each of five things, enemy, message, goal and the two decoys, ``X``, ``Y``, whether it is on
the grid, and its motion.
"""

from __future__ import annotations

from typing import Final

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
