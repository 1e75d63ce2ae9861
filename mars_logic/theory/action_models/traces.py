"""Records in the words of other programs: traces of AMLGym, and logs of agents that read text.

Both are turned into the objects of records as JSON (``files``), which checks them.

A trace holds states as propositions and actions between them, each of which succeeded. A log has an
object a line, with ``observation``, in the words of Mars, and the ``action`` that was chosen then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from mars_logic.errors import InputError
from mars_logic.system.files import read_text
from mars_logic.system.json_files import value_of
from mars_logic.theory.action_models import action_goals
from mars_logic.theory.action_models.learner_tasks import condition_of
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.fields import shown

TRACE: Final = "(:trajectory"
"""How a trace begins."""
_PART: Final = re.compile(r"\s*\(:(state|action)\s*((?:\([^()]*\)\s*)*)\)\s*")
_ATOM: Final = re.compile(r"\(\s*([^()]*?)\s*\)")
_DOMAIN: Final = re.compile(r"\(\s*define\s*\(\s*domain\s+([\w-]+)")
_LONGEST_DOMAIN: Final = 1_000_000
_EMPTY: Final = "none()"

Row = dict[str, Any]


# --- Traces ---------------------------------------------------------------------------------------


def trace_dynamics(path: Path) -> names.Dynamics:
    """The dialect that the domain beside a trace is named after; Crafter's without one."""
    domain = path.with_name("domain.pddl")
    if not domain.is_file():
        return "crafter"
    found = _DOMAIN.search(read_text(domain, "a domain in PDDL", _LONGEST_DOMAIN))
    return "mars" if found and found[1] == "mars" else "crafter"


def trace_rows(path: Path, text: str, dynamics: names.Dynamics) -> list[Row]:
    """The records of a trace.

    Raises:
        InputError: It is none, or its actions or propositions are not those of exported tasks.
    """
    at, end = text.index(TRACE) + len(TRACE), text.rstrip().removesuffix(")")
    parts: list[tuple[str, list[str], int]] = []
    while at < len(end) and end[at:].strip():
        line = text.count("\n", 0, at) + 1
        match = _PART.match(end, at)
        wanted = "action" if len(parts) % 2 else "state"
        if match is None or match[1] != wanted:
            found = shown(end[at : at + 40].split("\n")[0])
            raise InputError(
                f"{path}:{line}: trajectory: {found} is no {wanted}; allowed: {_TRACE}"
            )
        parts.append((match[1], _ATOM.findall(match[2]), line))
        at = match.end()
    if len(parts) % 2 == 0:
        raise InputError(f"{path}:1: trajectory: it does not end with a state; allowed: {_TRACE}")
    rows = []
    for number in range(1, len(parts), 2):
        action = _trace_action(path, parts[number], dynamics)
        before, after = (_trace_state(path, parts[number + step]) for step in (-1, 1))
        rows.append(
            {"action": action, "success": True, "init_state": before, "resulting_state": after}
        )
    return rows


_TRACE: Final = "states and actions by turns, as AMLGym writes them"


def _trace_action(path: Path, part: tuple[str, list[str], int], dynamics: names.Dynamics) -> str:
    _, atoms, line = part
    if len(atoms) != 1 or atoms[0] not in action_goals.goals(dynamics):
        known = ", ".join(action_goals.goals(dynamics))
        raise InputError(
            f"{path}:{line}: action: {shown(' '.join(atoms))} is no action of a world, so that it "
            f"tells nothing of one; allowed: {known}"
        )
    return atoms[0] if atoms[0] != action_goals.MOVE else "move_left"


def _trace_state(path: Path, part: tuple[str, list[str], int]) -> Row:
    """A state as records have it; what is not told of is at its best, or not there."""
    _, atoms, line = part
    amounts: dict[str, int] = {}
    near, face = [], _EMPTY
    for atom in atoms:
        condition = condition_of(atom)
        if condition is None:
            raise InputError(
                f"{path}:{line}: state: {shown(atom)} is not told of worlds; allowed: "
                "faces_tree, near_table, has_wood_1, lacks_energy_1 and the like"
            )
        kind, what, amount = condition
        if kind == "faces":
            face = f"{what}()" if what in names.MATERIALS else f"none({what})"
        elif kind == "near":
            near.append(f"{what}()")
        elif kind == "has":
            amounts[what] = max(amount, amounts.get(what, 0))
        else:
            amounts[what] = min(MAXIMUM - amount, amounts.get(what, MAXIMUM))
    around = [*near, *[near[0] if near else _EMPTY] * 8][:8]
    return _row(amounts, face, [*around[2:4], "none(player)", *around[4:8]], around[:2])


def _row(amounts: Mapping[str, int], face: str, others: list[str], sides: list[str]) -> Row:
    """A state: ``sides`` are the cells left and above, ``others`` the rest row by row."""
    left, above = sides
    top_left, top_right, own, right, *below = others
    return {
        "attributes": {vital: amounts.get(vital, MAXIMUM) for vital in names.VITALS},
        "tools": {name: amounts[name] for name in names.TOOLS if name in amounts},
        "materials": {name: amounts[name] for name in names.RESOURCES if name in amounts},
        "face": face,
        "nearby": [[top_left, above, top_right], [left, own, right], below],
    }


# --- Logs -----------------------------------------------------------------------------------------

_ON: Final = re.compile(r"I am on the (\S+)\.")
_FRONT: Final = re.compile(r"(\S+) is in front of me\.")
_SEEN: Final = re.compile(r"<((?:[\w-]+\(-?\d+, -?\d+\)(?:, )?)+)>")
_CELL: Final = re.compile(r"([\w-]+)\((-?\d+), (-?\d+)\)")
_AMOUNTS: Final = re.compile(r"My (?:status|inventory): <([^<>]*)>")
_AMOUNT: Final = re.compile(r"(\w+): (\d)(?:/\d)?")
_SLEEPS: Final = "I am sleeping, and will not be able take actions until energy is full."
_OTHERS: Final = re.compile(
    r"I took action \S+\.|I see: \(object with coordinate\)|I died\.|I have nothing in your "
    r"inventory\.|" + re.escape(_SLEEPS)
)
_MARS: Final = "an observation in the words of Mars, as `mars-logic render --text` has them"
_PLACES: Final = tuple((x, y) for y in (1, 0, -1) for x in (-1, 0, 1))
"""The cells around the player, row by row, in steps to the right and up."""


def log_rows(path: Path, text: str) -> tuple[names.Dynamics, list[Row]]:
    """The dialect of a log, and its records: each line with the one that follows it.

    Raises:
        InputError: A line is no object, lacks something, or its observation does not tell what is
            faced, nearby and held.
    """
    lines = [
        (number, value_of(line, f"{path}:{number}", "an observation and an action as JSON"))
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]
    dynamics: names.Dynamics = "crafter"
    moments: list[tuple[int, Row, Any, Any]] = []
    for number, data in lines:
        if not isinstance(data, dict) or not isinstance(data.get("observation"), str):
            raise InputError(f"{path}:{number}: observation: it is missing; allowed: {_MARS}")
        if data.get("dynamics", dynamics) not in names.DYNAMICS:
            allowed = ", ".join(names.DYNAMICS)
            found = shown(data["dynamics"])
            raise InputError(f"{path}:{number}: dynamics: {found}; allowed: {allowed}")
        dynamics = data.get("dynamics", dynamics)
        state = _told_state(data["observation"], f"{path}:{number}")
        moments.append((number, state, data.get("action"), data.get("episode")))
    return dynamics, [*_pairs(moments)]


def _pairs(moments: list[tuple[int, Row, Any, Any]]) -> Iterator[Row]:
    """Records: of what is made beside something that hides the ground, nothing is known."""
    for (_, before, action, episode), (_, after, _, then) in pairwise(moments):
        hidden = {before["nearby"][0][1], before["nearby"][1][0]}
        makes = str(action).startswith("make_") and any(cell.startswith("none(") for cell in hidden)
        if action is not None and episode == then and not makes:
            yield {"action": action, "init_state": before, "resulting_state": after}


def _told_state(text: str, place: str) -> Row:
    """What an observation tells.

    Raises:
        InputError: A line of it is not read, or something is not told.
    """
    amounts = dict.fromkeys(names.ITEMS, 0)
    cells: dict[tuple[int, int], str] = {}
    face, ground, sleeping, status = "", "", False, False
    for line in filter(None, map(str.strip, text.split("\n"))):
        if match := _ON.fullmatch(line):
            ground = match[1]
        elif match := _FRONT.fullmatch(line):
            face = _looks(match[1])
        elif match := _SEEN.fullmatch(line):
            told = _CELL.findall(match[1])
            cells |= {(int(x), int(y)): _looks(what) for what, x, y in told}
        elif match := _AMOUNTS.fullmatch(line):
            given = {name: int(n) for name, n in _AMOUNT.findall(match[1])}
            status = status or set(names.VITALS) <= set(given)
            amounts |= given
        elif _OTHERS.fullmatch(line) is None:
            found = f"{shown(line[:60])} is not read"
            raise InputError(f"{place}: observation: {found}; allowed: {_MARS}")
        sleeping |= line == _SLEEPS
    cells[0, 0] = f"{ground}(player)"
    missing = [each for each in _PLACES if each not in cells]
    if missing or not (face and ground and status):
        raise InputError(
            f"{place}: observation: it does not tell the cells around the player, what is faced, "
            f"and status; allowed: {_MARS}"
        )
    unknown = [name for name in amounts if name not in names.ITEMS]
    if unknown:
        allowed = ", ".join(names.ITEMS)
        raise InputError(
            f"{place}: observation: there is no {shown(unknown[0])}; allowed: {allowed}"
        )
    others = [cells[at] for at in _PLACES if at not in ((-1, 0), (0, 1))]
    state = _row(amounts, face, others, [cells[-1, 0], cells[0, 1]])
    return state | {"sleeping": sleeping}


def _looks(kind: str) -> str:
    """What is told of a cell, as records have it: what stands there hides the material."""
    if kind == "boundary":
        return _EMPTY
    return f"{kind}()" if kind in names.MATERIALS else f"none({kind})"
