"""Reads descriptions in both styles back; knows nothing of how they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass

COMPASS = {
    "north": (0, -1),
    "south": (0, 1),
    "west": (-1, 0),
    "east": (1, 0),
    "north-west": (-1, -1),
    "north-east": (1, -1),
    "south-west": (-1, 1),
    "south-east": (1, 1),
}


@dataclass
class Told:
    """What a description says. Places are (dx, dy), y downwards, or (steps, direction)."""

    action: str | None
    ground: str | None
    condition: str
    ahead: str
    places: list[tuple[str, int, int | tuple[int, int]]]
    vitals: dict[str, int]
    held: dict[str, int]


CONDITIONS = {
    "awake": "awake",
    "am sleeping": "sleeping",
    "are sleeping": "sleeping",
    "died": "died",
}


def amounts(text, pattern):
    return {name: int(amount) for name, amount in re.findall(pattern, text)}


MARS = re.compile(
    r"(?:I took action (?P<action>\w+)\.\n)?"
    r"I am on the (?P<ground>\w+)\.\n"
    r"(?:I (?P<condition>died|am sleeping, and will not be able take actions until energy is full)"
    r"\.\n)?"
    r"I see: \(object with coordinate\)\n"
    r"(?P<ahead>[\w-]+) is in front of me\.\n"
    r"<(?P<places>[\w-]+\(-?\d, -?\d\)(?:, [\w-]+\(-?\d, -?\d\))*)>\n"
    r"My status: <(?P<vitals>\w+: \d/9(?:, \w+: \d/9){3})>\n"
    r"(?:I have nothing in your inventory\.|"
    r"My inventory: <(?P<held>\w+: [1-9](?:, \w+: [1-9])*)>)"
)

SMARTPLAY = re.compile(
    r"(?:You took action (?P<action>\w+)\.)?"
    r"(?:You (?P<condition>died|are sleeping, and will not be able take actions until energy is "
    r"full)\.\n\n)?"
    r"(?:\n\n)?"
    r"You see:\n(?P<places>(?:- [\w-]+ \d steps to your [\w-]+\n)*)\n"
    r"You face (?P<ahead>[\w-]+) at your front\.\n\n"
    r"Your status:\n(?P<vitals>(?:- \w+: \d/9\n){4})\n"
    r"(?:You have nothing in your inventory\.|"
    r"Your inventory:(?P<held>(?:\n- \w+: [1-9])+))"
)


def read_mars(text):
    parts = MARS.fullmatch(text)
    assert parts, text
    places = [
        (name, int(right), -int(up))
        for name, right, up in re.findall(r"([\w-]+)\((-?\d), (-?\d)\)", parts["places"])
    ]
    return told(parts, places, parts["action"], parts["ground"])


def read_smartplay(text):
    parts = SMARTPLAY.fullmatch(text)
    assert parts, text
    places = [
        (name, int(steps), COMPASS[direction])
        for name, steps, direction in re.findall(
            r"- ([\w-]+) (\d) steps to your ([\w-]+)\n", parts["places"]
        )
    ]
    back = {"west": "left", "east": "right", "north": "up", "south": "down"}
    action = parts["action"]
    if action and action.startswith("move_"):
        action = "move_" + back[action.removeprefix("move_")]
    return told(parts, places, action, None)


def told(parts, places, action, ground):
    return Told(
        action=action,
        ground=ground,
        condition=CONDITIONS[(parts["condition"] or "awake").split(",")[0]],
        ahead=parts["ahead"],
        places=places,
        vitals=amounts(parts["vitals"], r"(\w+): (\d)/9"),
        held=amounts(parts["held"] or "", r"(\w+): (\d)"),
    )
