"""The descriptor of SmartPlay.

Source: Wu et al., "SmartPlay: A Benchmark for LLMs as Intelligent Agents", appendix C.5.

The paper gives the paragraphs and their order: the action, what is seen, what is faced, status,
inventory. What it leaves open follows the authors' released code (``smartplay/crafter``):

* Seen is the nearest cell of each kind in view, in the order of kinds, with the steps to it (along
  rows and columns, not counting obstacles; "1 steps") and its compass direction. Where there is an
  object on a cell, it is told instead of the material.
* The moves are told by compass direction: move_west, move_east, move_north, move_south.
* A sentence on sleep, or else on death, runs on after that on the action, without a space, and
  three empty lines follow instead of one.

On purpose it is not as in the code that

* the view may reach over every edge of the map, and what is outside is not listed. In the code that
  is so at the right and lower edges; at the others, and where the player faces the outside, it has
  no words but "Error, you are out of the map." A player who faces it faces "boundary", as in Mars;
* a plant that can be eaten is a "ripe-plant", as in Mars. In the code it is a "plant" like those
  that cannot, though they look different;
* a player killed in its sleep is told to have died, not to sleep.
"""

from __future__ import annotations

from typing import Final

from mars_logic.views.words.frame import OUTSIDE, Frame, steps_to
from mars_logic.world.dialect import MAXIMUM

MOVES: Final = {
    "move_left": "move_west",
    "move_right": "move_east",
    "move_up": "move_north",
    "move_down": "move_south",
}
"""SmartPlay's names of the actions that have another name here."""


def tell(frame: Frame, action: str | None) -> str:
    """The description of a frame."""
    taken = f"You took action {MOVES.get(action, action)}." if action else ""
    condition = _condition(frame)
    paragraphs = [
        taken + condition + ("\n\n" if condition else ""),
        "\n".join(["You see:", *_seen(frame)]),
        f"You face {frame.at(frame.facing)} at your front.",
        "\n".join(["Your status:", *(f"- {v}: {n}/{MAXIMUM}" for v, n in frame.vitals.items())]),
        "\n".join(["Your inventory:", *(f"- {item}: {n}" for item, n in frame.held.items())])
        if frame.held
        else "You have nothing in your inventory.",
    ]
    return "\n\n".join(filter(None, paragraphs))


def _condition(frame: Frame) -> str:
    if frame.dead:
        return "You died."
    if frame.sleeping:
        return "You are sleeping, and will not be able take actions until energy is full."
    return ""


def _seen(frame: Frame) -> list[str]:
    return [
        f"- {frame.sight.kinds[kind]} {steps_to(offset)} steps to your {_direction(*offset)}"
        for kind, offset in frame.nearest().items()
        if kind != OUTSIDE
    ]


def _direction(dx: int, dy: int) -> str:
    along_y = "north" if dy < 0 else "south" if dy > 0 else ""
    along_x = "west" if dx < 0 else "east" if dx > 0 else ""
    return "-".join(filter(None, [along_y, along_x]))
