"""The descriptor of Mars.

Source: Tang et al., "Mars: Situated Inductive Reasoning in an Open-World Environment", appendix
A.4.

The paper gives the lines and their order: the action, the ground, what is in front, the cells
around with coordinates, status, inventory. What it leaves open follows the authors' released code
(the first-person descriptor of the baseline ``induction_from_reflexion_std``):

* Coordinates are (steps to the right, steps up). First come the eight cells around the player, in
  a fixed order; then, of each kind that is not among these, the nearest cell in view, in the order
  of kinds; then all further objects in view, column by column. Where there is an object on a cell,
  it is told instead of the material.
* A line on sleep, or else on death, follows that on the ground.
* The outside of the map is "boundary", a plant that can be eaten is a "ripe-plant".
* "in your inventory", where it ought to be "my", is what the paper prints.

On purpose it is not as in the code that

* an object on a diagonal neighbour cell is told once, not twice as if there were two;
* a player killed in its sleep is told to have died, not to sleep;
* "do" is told as the paper tells actions. The code adds what was in front of the player before,
  which is not in the view any more.
"""

from __future__ import annotations

from typing import Final

from mars_logic.views.words.frame import Frame
from mars_logic.world.dialect import MAXIMUM

_AROUND: Final = ((-1, 0), (1, 0), (0, 1), (0, -1), (-1, 1), (1, 1), (-1, -1), (1, -1))


def tell(frame: Frame, action: str | None) -> str:
    """The description of a frame."""
    vitals = ", ".join(f"{vital}: {amount}/{MAXIMUM}" for vital, amount in frame.vitals.items())
    held = ", ".join(f"{item}: {amount}" for item, amount in frame.held.items())
    lines = [
        f"I took action {action}." if action else "",
        f"I am on the {frame.sight.kinds[frame.ground]}.",
        _condition(frame),
        "I see: (object with coordinate)",
        f"{frame.at(frame.facing)} is in front of me.",
        f"<{', '.join(_place(frame, offset) for offset in _told_cells(frame))}>",
        f"My status: <{vitals}>",
        f"My inventory: <{held}>" if held else "I have nothing in your inventory.",
    ]
    return "\n".join(filter(None, lines))


def _condition(frame: Frame) -> str:
    if frame.dead:
        return "I died."
    if frame.sleeping:
        return "I am sleeping, and will not be able take actions until energy is full."
    return ""


def _told_cells(frame: Frame) -> list[tuple[int, int]]:
    """The cells that are told, in order, each once."""
    close = {frame.kinds[offset] for offset in _AROUND}
    nearest = [offset for kind, offset in frame.nearest().items() if kind not in close]
    objects = [
        offset for offset in frame.sight.offsets if frame.kinds[offset] >= frame.sight.background
    ]
    return list(dict.fromkeys([*_AROUND, *nearest, *objects]))


def _place(frame: Frame, offset: tuple[int, int]) -> str:
    dx, dy = offset
    return f"{frame.at(offset)}({dx}, {-dy})"
