"""The simulator's side: one phase of a step, played with every kind of random number.

This module alone knows how the kernels are called and how their records are laid out. A phase is
an update of the player or of one thing; it is played on a copy of a record whose random stream has
been set by hand, once for each sequence of representatives of what may be drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mars_logic import World
from mars_logic.compiled.kernel import kernel
from mars_logic.logic.situation import FactState, NearbyThing, Player
from mars_logic.sim import OBJECTS
from mars_logic.sim.added_needs import grow_added_needs
from mars_logic.sim.board import distance, distance_of, forget_removed, is_wide, material_at
from mars_logic.sim.cell_changes import change_cell
from mars_logic.sim.creatures import update_thing
from mars_logic.sim.layout import BORDER, REMOVED
from mars_logic.sim.needs import clamp_inventory
from mars_logic.sim.player import update_player
from mars_logic.sim.state import materials_of, write_materials
from mars_logic.world.dialect import AREA
from mars_logic.world.vocabulary import REMAINS, Vocabulary

Record = Any
"""An array of one record of ``layout.env_dtype``."""

PLAYER = -1
"""Stands for the player where a thing's position in the order of creation is expected."""

CELL = -2
"""The same for a cell that may change; in place of an action stands :func:`code_of_cell`."""

_MOST_WORDS = 16
_MIDDLE = (1 << 31) - 1
_COUNTERS = ("hunger", "thirst", "fatigue", "recover")
_OF_THINGS = ("things", "thing_x", "thing_y")


# - Random numbers set by hand


def words_of(number: float) -> list[int]:
    """The two words that ``uniform`` turns into a number in [0, 1), exact to 53 bits."""
    bits = int(number * 2**53)
    return [(bits >> 26) << 5, (bits & (2**26 - 1)) << 6]


def untemper(words: np.ndarray) -> np.ndarray:
    """The state words from which the Mersenne Twister makes these, which it hands out."""
    words = words.astype(np.uint64)
    words ^= words >> 18
    words ^= (words << 15) & 0xEFC60000
    result = words.copy()
    for _ in range(5):  # each round settles seven more of the lower bits
        result = words ^ ((result << 7) & 0x9D2C5680)
    words = result.copy()
    for _ in range(3):  # each round settles eleven more of the upper bits
        result = words ^ (result >> 11)
    return result.astype(np.uint32)


_DAY = 0.75


@kernel
def _change(env: Any, rules: Any, code: int) -> None:
    x, y = code // AREA % AREA, code % AREA
    daylight = 0.25 if code >= AREA * AREA else _DAY
    if distance(env, x, y) < rules.horizon and rules.changing[material_at(env, x, y)]:
        change_cell(env, rules, env.marks.copy(), x, y, daylight)


@kernel
def _update(env: Any, rules: Any, who: int, action: int, daylight: float) -> None:
    """The phase of one step that belongs to the player, a thing, or a cell that may change."""
    if who == CELL:
        if is_wide(env):
            _change(env, rules, action)
    elif who < 0:
        update_player(env, rules, action)
        if is_wide(env) and rules.num_needs > 0:
            env.step += 1
            grow_added_needs(env, rules, daylight)
            env.step -= 1
    elif distance_of(env, who) < rules.horizon:
        update_thing(env, rules, who, daylight)


@kernel
def step_by_phases(envs: Any, rules: Any, action: int) -> None:
    """All phases of a step in which no chunks are balanced, one after the other."""
    env = envs[0]
    acting = env.num_things
    for who in range(-1, acting):
        _update(env, rules[0], who, action, _DAY)
    forget_removed(env)
    env.player.unlocked = False  # an achievement has been paid
    if not rules[0].surplus_lasts:
        clamp_inventory(env.player)


@kernel
def _play(
    envs: Any, rules: Any, base: Any, words: Any, who: int, action: int, daylight: float
) -> None:
    """Play one phase on a copy of the record for each row of words."""
    for i in range(len(words)):
        envs[i] = base[0]
        for j in range(words.shape[1]):
            envs[i].stream.words[j] = words[i, j]
        envs[i].stream.position = 0
        _update(envs[i], rules[0], who, action, daylight)


def play(
    rules: Any, record: Record, who: int, action: int, drawn: Sequence[list[int]]
) -> tuple[Any, Any]:
    """The records after a phase, and how many words each drew, for several sequences of words."""
    words = np.full((len(drawn), _MOST_WORDS), _MIDDLE, np.uint32)
    for row, sequence in zip(words, drawn, strict=True):
        row[: len(sequence)] = sequence
    envs = np.empty(len(drawn), record.dtype)
    daylight = 0.25 if is_dark(record) else _DAY
    _play(envs, rules, record, untemper(words), who, action, daylight)
    return envs, envs["stream"]["position"]


def is_dark(record: Record) -> bool:
    """Whether a phase is played at night: in every other week of steps."""
    return int(record[0]["step"]) // 7 % 2 == 1


def explore(
    rules: Any, record: Record, who: int, numbers: Sequence[float], action: int = 0
) -> list[Record]:
    """All records that a phase leads to, over sequences of representatives of what it draws.

    A phase draws numbers in [0, 1), two words each, and at most one direction, one word, as the
    last. So a phase that wants one word more than it has been given draws a direction.

    Args:
        rules: The compiled rules.
        record: The state before.
        who: PLAYER, or the number of a thing.
        numbers: Representatives of the numbers in [0, 1): at least one between any two thresholds.
        action: What the player is told to do.
    """
    ends = []
    pairs = [words_of(number) for number in numbers]
    frontier: list[list[int]] = [[]]
    while frontier:
        envs, counts = play(rules, record, who, action, frontier)
        longer = []
        for i, sequence in enumerate(frontier):
            missing = int(counts[i]) - len(sequence)
            if missing <= 0:
                ends.append(envs[i : i + 1])
            elif missing == 1:
                longer += [[*sequence, word] for word in range(4)]
            else:
                longer += [sequence + pair for pair in pairs]
        frontier = longer
    return _distinct(ends)


def _distinct(records: list[Record]) -> list[Record]:
    """The records that differ in anything but the random stream."""
    found = {}
    for record in records:
        env = record[0]
        number = env["num_things"]
        parts = (
            env["cells"],
            env["marks"],
            env["player"],
            *(env[name][:number] for name in _OF_THINGS),
        )
        found[b"".join(part.tobytes() for part in parts)] = record
    return list(found.values())


# - Records as plain data


def state_of(words: Vocabulary, record: Record, around: tuple[int, int]) -> FactState:
    """The state that a record holds, with the things on and beside a cell."""
    env = record[0]
    player = env["player"]
    things, xs, ys = (env[name][: env["num_things"]] for name in _OF_THINGS)
    beside = (abs(xs - around[0]) <= 2) & (abs(ys - around[1]) <= 2) & (things["chunk"] != REMOVED)
    return FactState(
        materials=materials_of(env),
        player=Player(
            cell=(int(player["x"]), int(player["y"])),
            facing=(int(player["facing_x"]), int(player["facing_y"])),
            inventory=dict(zip(words.items, player["inventory"].tolist(), strict=not words.wide)),
            last_health=int(player["wake_health"]),
            counters={counter: float(player[counter]) for counter in _COUNTERS},
            sleeping=bool(player["sleeping"]),
            in_bed=bool(player["in_bed"]),
            boss=bool(player["boss"]),
            gone=bool(player["gone"]),
        ),
        things={(int(xs[i]), int(ys[i])): _thing(words, things[i]) for i in np.flatnonzero(beside)},
        marks=env["marks"][BORDER:-BORDER, BORDER:-BORDER] if words.traced else None,
        words=words,
    )


def _thing(words: Vocabulary, thing: Any) -> NearbyThing:
    return NearbyThing(
        kind=words.objects[thing["kind"]],
        health=int(thing["health"]),
        cooldown=int(thing["cooldown"]),
        reload=int(thing["reload"]),
        age=int(thing["grown"]),
        factor=int(thing["arrow_factor"]),
        flies=(int(thing["facing_x"]), int(thing["facing_y"])),
    )


def code_of_cell(cell: tuple[int, int], *, dark: bool) -> int:
    """A cell and the time of day as one number."""
    return cell[0] * AREA + cell[1] + dark * AREA * AREA


def age_of(words: Vocabulary, record: Record, cell: tuple[int, int]) -> int:
    """The age of a cell; 0 in a world without timers."""
    if not words.subjects.get("timer"):
        return 0
    ages = record[0]["marks"][AREA + 2 * BORDER :]
    return int(ages[cell[0] + BORDER, cell[1] + BORDER])


def set_age(words: Vocabulary, record: Record, cell: tuple[int, int], age: int) -> None:
    """Change the age of a cell in a world with timers."""
    if words.subjects.get("timer"):
        ages = record[0]["marks"][AREA + 2 * BORDER :]
        ages[cell[0] + BORDER, cell[1] + BORDER] = age


def cell_of(record: Record, who: int) -> tuple[int, int]:
    """Where the player or a thing is."""
    env = record[0]
    if who == PLAYER:
        return int(env["player"]["x"]), int(env["player"]["y"])
    return int(env["thing_x"][who]), int(env["thing_y"][who])


def counted(world: World, before: Record, after: Record) -> list[str]:
    """The achievements that count and are counted once more after a phase than before."""
    more = after[0]["player"]["achievements"] - before[0]["player"]["achievements"]
    assert set(more.tolist()) <= {0, 1}
    found = (world.vocabulary.achievements[number] for number in np.flatnonzero(more))
    return [name for name in found if name in world.achievements]


# - Records edited by hand: quick, since what a record derives for balancing chunks is left as it is


def set_material(
    words: Vocabulary, record: Record, cell: tuple[int, int], material: str, mark: str | None
) -> None:
    """Change the material and the mark of a cell of the map."""
    x, y = cell
    code = np.array([[words.materials.index(material)]], np.uint8)
    write_materials(record[0], slice(x, x + 1), slice(y, y + 1), code)
    if words.traced:
        kinds = words.remains if material == REMAINS else words.marks
        record[0]["marks"][x + BORDER, y + BORDER] = kinds.index(mark or kinds[0])


def is_inside(cell: tuple[int, int]) -> bool:
    """Whether a cell is on the map."""
    return 0 <= cell[0] < AREA and 0 <= cell[1] < AREA


def is_empty(record: Record, cell: tuple[int, int]) -> bool:
    """Whether there is no object on a cell of the map."""
    return bool(record[0]["cells"][cell[0] + BORDER, cell[1] + BORDER] < 16)


def put(
    record: Record, cell: tuple[int, int], thing: NearbyThing, words: Vocabulary | None = None
) -> int:
    """Put a thing on an empty cell of the map; return its number."""
    env = record[0]
    number = int(env["num_things"])
    env["num_things"] += 1
    slot = env["things"][number]
    for name in slot.dtype.names:
        slot[name] = 0
    env["thing_x"][number], env["thing_y"][number] = cell
    slot["kind"] = code = (words.objects if words else (*OBJECTS, "body")).index(thing.kind)
    slot["health"], slot["cooldown"], slot["reload"] = thing.health, thing.cooldown, thing.reload
    slot["grown"], slot["arrow_factor"] = thing.age, thing.factor
    slot["facing_x"], slot["facing_y"] = thing.flies
    env["cells"][cell[0] + BORDER, cell[1] + BORDER] |= code << 4
    return number


def clear_things(record: Record) -> None:
    """Remove everything but the player from the map."""
    env = record[0]
    player = env["player"]
    env["cells"] &= 15
    env["cells"][player["x"] + BORDER, player["y"] + BORDER] |= OBJECTS.index("player") << 4
    env["num_things"] = 0


def set_player(record: Record, player: Player) -> None:
    """Change the player, and put it on its cell, which must be empty or its own."""
    env = record[0]
    slot = env["player"]
    env["cells"][slot["x"] + BORDER, slot["y"] + BORDER] &= 15
    slot["x"], slot["y"] = player.cell
    env["cells"][slot["x"] + BORDER, slot["y"] + BORDER] |= OBJECTS.index("player") << 4
    slot["facing_x"], slot["facing_y"] = player.facing
    slot["inventory"][: len(player.inventory)] = list(player.inventory.values())
    slot["wake_health"], slot["sleeping"] = player.last_health, player.sleeping
    slot["in_bed"], slot["boss"] = player.in_bed, player.boss
    for counter in _COUNTERS:
        slot[counter] = player.counters[counter]
