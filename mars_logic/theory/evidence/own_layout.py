"""Where attributes of signatures lie that tell of rules of kinds that Crafter lacks.

They have no place in the narrow layout: worlds with such rules have the wide one.
"""

from __future__ import annotations

from typing import Final

from mars_logic.theory.evidence.layout import Bits
from mars_logic.world.added_creatures import MOST_CREATURES
from mars_logic.world.adds import MOST_NEEDS

OTHERS: Final = tuple(Bits(3, 5 * number, 5) for number in range(MOST_CREATURES))
"""Of HARM: how many of each added creature could attack, and of each added projectile hit."""
EMPTY: Final = Bits(4, 0, MOST_NEEDS)
TOUCHED: Final = Bits(4, MOST_NEEDS, 8)
SURE: Final = tuple(Bits(4, MOST_NEEDS + 8 + 3 * number, 3) for number in range(1 + MOST_CREATURES))
"""How many of each projectile, of arrows first, surely hit."""
CERTAIN: Final = Bits(1, 0, 64)
"""Of NEED: a bit for each material that was surely nearby, and for each that may have been."""
POSSIBLE: Final = Bits(3, 0, 64)
IN_HAND: Final = Bits(4, 0, 64)
"""Of NEED: a bit for each item that was held."""
STEP: Final = Bits(5, 0, 24)
POINTS: Final = (Bits(5, 24, 4), Bits(5, 28, 4))
EATEN: Final = Bits(5, 32, 8)
"""The item that was eaten, plus 1."""
NIGHT: Final = Bits(5, 40, 1)
ALONE: Final = Bits(5, 41, 1)
"""Whether nothing but the need and recovery can have changed health."""

FURTHER_KIND: Final = Bits(0, 24, 4)
"""What a signature of the kind FURTHER is of."""
HUNTING, CHANGE, PUSHING, ACT, FLIGHT, SHOOTING, SHOOTER, STRUCK = range(8)
"""What hitting a creature brought; a cell that changed by itself or did not; a push; where a
creature went that acts by cases; the flight of a projectile; a shot of the player; a creature that
shot; a shot of the player that hit one."""
BESIDE: Final = Bits(1, 0, 64)
"""Of CHANGE: a bit for each material that was surely beside the cell."""
LEAST_AGE: Final = Bits(2, 0, 8)
MOST_AGE: Final = Bits(2, 8, 8)
"""Steps for which it had its material before; the former is at most the latter."""
DARKNESS: Final = Bits(2, 16, 1)
UNSURE: Final = Bits(2, 17, 1)
"""Whether other materials may have been beside it, too."""
GROUND: Final = Bits(1, 0, 8)
"""Of PUSHING: the material of the cell behind."""
TAKEN: Final = Bits(1, 8, 1)
"""Whether something stood there."""
SEEN: Final = (Bits(1, 9, 1), Bits(1, 10, 1))
"""Whether the player may have stayed, and whether it may have moved."""
AHEAD: Final = (Bits(2, 0, 8), Bits(2, 16, 8))
"""The material of the pushed cell afterwards, if it stayed and if it moved."""
BEHIND: Final = (Bits(2, 8, 8), Bits(2, 24, 8))
"""Likewise of the cell behind."""
FREE: Final = Bits(2, 13, 4)
"""Of ACT: on which sides the creature can walk (BESIDE tells the materials of all four),"""
GROUND_KNOWN: Final = Bits(2, 17, 1)
"""and whether it is known on what it walks."""
DARK: Final = Bits(2, 18, 1)

FLYING_AT: Final = Bits(1, 0, 2)
"""Of FLIGHT: how many cells on it was in the end; 0 if it was gone,"""
FLOWN: Final = (Bits(1, 2, 7), Bits(1, 9, 7))
"""how many cells it had flown before, at least and at most,"""
ON_WAY: Final = (Bits(1, 16, 2), Bits(1, 18, 2))
"""what was on the next two cells,"""
OPEN, BY_PLAYER, UNKNOWN_CELL = range(3)
"""nothing, the player, or that is not known;"""
WAY_MATERIALS: Final = (Bits(1, 20, 8), Bits(1, 28, 8))
"""their materials,"""
WAY_AFTER: Final = (Bits(1, 36, 8), Bits(1, 44, 8))
"""and those in the end; 0 if it is not known what else may have changed them."""
SHOT_BY: Final = Bits(1, 0, 8)
"""Of SHOOTER and STRUCK: the number of the projectile."""
HITS: Final = Bits(1, 8, 5)
"""Of STRUCK: how many of the player's shots the creature had survived."""
WHOLE: Final = Bits(1, 13, 1)
"""Whether nothing else can have taken health from it,"""
DIED: Final = Bits(1, 14, 1)
"""and whether this one killed it."""
