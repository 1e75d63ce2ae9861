"""Plausible but wrong next states: each mutator changes one aspect of the true one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from mars_logic.experiments.state_ranking.documents import (
    SIDE,
    WAYS,
    StateDocument,
    copied,
    faced,
)
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.names import PLACEABLE, RESOURCES, TOOLS

Mutator = Callable[[StateDocument, StateDocument, str, Random], bool]
"""Changes a copy of the true next state in place, given the state before, the action and what is
drawn by; False if it does not apply."""
_GAIN: Final = {
    "tree": "wood",
    "stone": "stone",
    "coal": "coal",
    "iron": "iron",
    "diamond": "diamond",
    "grass": "sapling",
    "water": "drink",
}
"""What collecting gives by the usual meaning of a material."""


def player_moves(before: StateDocument, after: StateDocument, _: str, random: Random) -> bool:
    """The player stands on another cell beside where it stood, and faces that way."""
    way = random.choice(WAYS)
    player, was = after["player"], before["player"]
    player["x"], player["y"] = was["x"] + way[0], was["y"] + way[1]
    player["facing_x"], player["facing_y"] = way
    return True


def nothing_happens(before: StateDocument, after: StateDocument, _: str, __: Random) -> bool:
    """The player's turn has no effect on its place, the map, its items and the achievements."""
    for part in ("map", "achievements"):
        after[part] = before[part]
    for name in ("x", "y", "facing_x", "facing_y"):
        after["player"][name] = before["player"][name]
    after["inventory"] |= {item: before["inventory"][item] for item in (*RESOURCES, *TOOLS)}
    return True


def other_item(before: StateDocument, after: StateDocument, action: str, random: Random) -> bool:
    """Something else is collected."""
    items = sorted({*_GAIN.values()} - {_GAIN.get(_front(before))})
    return action == "do" and _gain(after, random.choice(items))


def other_tool(_: StateDocument, after: StateDocument, action: str, random: Random) -> bool:
    """Another tool is made."""
    tools = [tool for tool in TOOLS if action != f"make_{tool}"]
    return action.startswith("make_") and _gain(after, random.choice(tools))


def other_placed(before: StateDocument, after: StateDocument, action: str, random: Random) -> bool:
    """Another thing is placed."""
    things = [each for each in PLACEABLE if action != f"place_{each}"]
    return action.startswith("place_") and _put(before, after, random.choice(things))


def other_remains(before: StateDocument, after: StateDocument, action: str, random: Random) -> bool:
    """Another material is left on the faced cell."""
    others = [each for each in (*_GAIN, "path", "sand", "lava") if each != _front(after)]
    return action == "do" and _put(before, after, random.choice(others))


def works_anyway(before: StateDocument, after: StateDocument, action: str, _: Random) -> bool:
    """The action gives what it usually gives, once more or although it failed."""
    verb, thing = action.partition("_")[::2]
    if verb == "make":
        return _gain(after, thing)
    if verb == "place":
        return _put(before, after, thing)
    return action == "do" and _front(before) in _GAIN and _gain(after, _GAIN[_front(before)])


def costs_nothing(before: StateDocument, after: StateDocument, _: str, __: Random) -> bool:
    """Items that were used are still there."""
    amounts, had = after["inventory"], before["inventory"]
    used = [item for item in (*RESOURCES, *TOOLS) if amounts[item] < had[item]]
    amounts |= {item: had[item] for item in used}
    return bool(used)


def player_health(_: StateDocument, after: StateDocument, __: str, random: Random) -> bool:
    """The player's health is up to three points more or less."""
    health = after["inventory"]["health"] + random.choice((-3, -2, -1, 1, 2, 3))
    after["inventory"]["health"] = min(max(health, 0), MAXIMUM)
    return True


def object_health(_: StateDocument, after: StateDocument, __: str, random: Random) -> bool:
    """Every object's health is another, and not by one point."""
    for each in after["objects"]:
        values = [value for value in range(MAXIMUM + 1) if abs(value - each["health"]) > 1]
        each["health"] = random.choice(values)
    return bool(after["objects"])


def object_place(_: StateDocument, after: StateDocument, __: str, random: Random) -> bool:
    """Every object is two cells or more from where it is."""
    for each in after["objects"]:
        far = [
            (x, y)
            for x in range(SIDE)
            for y in range(SIDE)
            if max(abs(x - each["x"]), abs(y - each["y"])) >= 2
        ]
        each["x"], each["y"] = random.choice(far)
    return bool(after["objects"])


def other_inventory(_: StateDocument, after: StateDocument, __: str, random: Random) -> bool:
    """All amounts but health are drawn at random."""
    for item in after["inventory"]:
        if item != "health":
            after["inventory"][item] = random.randint(0, MAXIMUM)
    return True


MUTATORS: Final[tuple[Mutator, ...]] = (
    player_moves,
    nothing_happens,
    other_item,
    other_tool,
    other_placed,
    other_remains,
    works_anyway,
    costs_nothing,
    player_health,
    object_health,
    object_place,
    other_inventory,
)


def distractors(
    before: StateDocument, after: StateDocument, action: str, most: int, random: Random
) -> list[StateDocument]:
    """Mutated next states, none of them the true one, and no two alike.

    Args:
        before: The state before.
        after: The true next state.
        action: The action's name.
        most: At most so many.
        random: What they are drawn by.
    """
    found: list[StateDocument] = []
    for mutate in MUTATORS:
        mutated = copied(after)
        if mutate(before, mutated, action, random) and mutated not in (after, *found):
            found.append(mutated)
    return found[:most]


def _front(state: StateDocument) -> str:
    """The material that the player faces."""
    x, y = faced(state)
    inside = 0 <= x < SIDE and 0 <= y < SIDE
    return str(state["map"][x][y]) if inside else "none"


def _gain(state: StateDocument, item: str) -> bool:
    state["inventory"][item] += 1
    return True


def _put(before: StateDocument, state: StateDocument, thing: str) -> bool:
    """Put a material, or a plant, on the cell that was faced; whatever stood there is gone."""
    x, y = faced(before)
    if not (0 <= x < SIDE and 0 <= y < SIDE):
        return False
    state["objects"] = [each for each in state["objects"] if (each["x"], each["y"]) != (x, y)]
    if thing != "plant":
        state["map"][x][y] = thing
        return True
    plant = {"kind": "plant", "x": x, "y": y, "health": 1, "cooldown": 0, "reload": 0, "grown": 0}
    state["objects"].append(plant | {"facing_x": 0, "facing_y": 0, "arrow_factor": 0})
    return True
