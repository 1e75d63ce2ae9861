"""A player's observation around a step, in short, for counterexamples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from mars_logic.data.trajectory import CENTRE, Trajectory, Views
from mars_logic.world import names
from mars_logic.world.vocabulary import Vocabulary
from mars_logic.world.words.kinds import spaced

NO_CHANGE: Final = "nothing changed"
_SIDES: Final = {(-1, 0): "left", (1, 0): "right", (0, -1): "up", (0, 1): "down"}
_MOVES: Final = {f"move_{side}": way for way, side in _SIDES.items()}


@dataclass(frozen=True)
class Context:
    """One observation, abbreviated to a line.

    Attributes:
        vitals: Health, food, drink and energy, then added needs.
        holds: What is held, without what is not.
        on: The material under the player.
        facing: The direction in which it looks.
        faces: What is there: an object, else the material.
        near: What else is within one cell of it: objects, and materials that are not natural.
        sleeping: Whether it sleeps.
    """

    vitals: Mapping[str, int]
    holds: Mapping[str, int]
    on: str
    facing: str
    faces: str
    near: tuple[str, ...]
    sleeping: bool

    def __str__(self) -> str:
        holds = ", ".join(f"{amount} {spaced(item)}" for item, amount in self.holds.items())
        near = f", near {', '.join(map(spaced, self.near))}" if self.near else ""
        vitals = ", ".join(f"{vital} {amount}" for vital, amount in self.vitals.items())
        state = "asleep on" if self.sleeping else "on"
        return (
            f"{state} {spaced(self.on)}, facing {spaced(self.faces)} ({self.facing}){near}; "
            f"holding {holds or 'nothing'}; {vitals}"
        )

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self) | {"near": list(self.near)}


def moment(trajectory: Trajectory, index: int, action: str = "noop") -> Context:
    """The observation after a number of steps of a trajectory.

    Args:
        trajectory: An episode.
        index: The number of steps; 0 for the beginning.
        action: What the player does next; a move turns it first.
    """
    views, words = trajectory.views, trajectory.about.words
    amounts = dict(zip(words.items, views.inventory[index].tolist(), strict=True))
    facing = views.facing[index].tolist()
    dx, dy = _MOVES.get(action, (facing[0], facing[1]))
    x, y = CENTRE
    return Context(
        vitals={vital: amounts[vital] for vital in (*names.VITALS, *words.added_needs)},
        holds={item: amounts[item] for item in words.holdable if amounts[item]},
        on=words.materials[views.materials[index, x, y]],
        facing=_SIDES[dx, dy],
        faces=_thing(views, index, x + dx, y + dy, words),
        near=_near(views, index, words),
        sleeping=bool(views.sleeping[index]),
    )


def changes(before: Context, after: Context) -> str:
    """Changes of a player's inventory and faced cell."""
    told = [
        f"{after.vitals[vital] - amount:+d} {vital}"
        for vital, amount in before.vitals.items()
        if after.vitals[vital] != amount
    ]
    told += [
        f"{difference:+d} {spaced(item)}"
        for item in dict.fromkeys((*names.HOLDABLE, *before.holds, *after.holds))
        if (difference := after.holds.get(item, 0) - before.holds.get(item, 0))
    ]
    if after.on != before.on:
        told.append(f"on {spaced(after.on)} now")
    if after.faces != before.faces:
        told.append(f"facing {spaced(after.faces)} now")
    return ", ".join(told).replace("-", "−") or NO_CHANGE


def _thing(views: Views, index: int, x: int, y: int, words: Vocabulary) -> str:
    kind = words.looks[int(views.kinds[index, x, y])]
    return kind if kind != "none" else words.materials[int(views.materials[index, x, y])]


def _near(views: Views, index: int, words: Vocabulary) -> tuple[str, ...]:
    x, y = CENTRE
    around = {
        _thing(views, index, x + dx, y + dy, words)
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if (dx, dy) != (0, 0)
    }
    return tuple(sorted(around - {"none", *names.NATURAL}))
