"""Records in files: JSON as this project writes it, and the paper's own layout (appendix D.2).

A record is an object with ``action``, ``init_state`` and ``resulting_state``, and ``success`` if
it is labelled. Traces and logs are read by ``traces``.

The paper's layout is the same with the names of the fields before their values; a
file of it holds any number of records one after another. See docs/laws.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from mars_logic.data.store import load
from mars_logic.errors import InputError
from mars_logic.system.files import read_text
from mars_logic.system.json_files import value_of
from mars_logic.theory.action_models import action_goals
from mars_logic.theory.action_models.records import FAILED, SILENT, SUCCEEDED, Records
from mars_logic.theory.action_models.states import States
from mars_logic.theory.action_models.success import Circumstances, judge
from mars_logic.theory.action_models.traces import TRACE, log_rows, trace_dynamics, trace_rows
from mars_logic.world import names
from mars_logic.world.dialect import MAXIMUM
from mars_logic.world.fields import nearest, shown

SCHEMA: Final = "mars-logic records 1"
_TRAJECTORIES: Final = (".npz", ".parquet")
_TEXTS: Final = (".json", ".jsonl", ".txt", "_traj", ".traj")
_MAX_BYTES: Final = 20_000_000
"""Some 20,000 records; as objects of Python's, JSON takes up to thirty times as much."""
_ALLOWED: Final = (
    "records as JSON or as in the paper, a log (.jsonl), a trace, or a trajectory (.npz, .parquet)"
)
_QUOTED: Final = 40
"""Letters that a message repeats."""
_BLANKS: Final = re.compile(r"\s*")
_DECODER: Final = json.JSONDecoder()
_TOOLS, _MATERIALS = names.TOOLS, names.RESOURCES
_FIELD = re.compile(r"\s*(action|init_state|resulting_state|success)\s*:\s*")
_CELL = re.compile(r"([a-z]+)\(([a-z_\-]*)\)")
_SLEEPER: Final = ("player-sleep", "player_sleep", "player_sleeping")


def read(paths: list[Path]) -> Records:
    """All records of some files and folders: trajectories, and records as text.

    Raises:
        InputError: A file is missing or wrong; the message names file, record and field.
    """
    return Records.join([_file(path) for path in _found(paths)])


def write(records: Records) -> str:
    """Labelled records as JSON, each of one goal; those that are silent are left out."""
    known = action_goals.goals(records.dynamics)
    rows = [
        json.dumps(_row(records, i, goal, bool(records.outcome[i, column])))
        for i in range(len(records))
        for column, goal in enumerate(known)
        if records.outcome[i, column] != SILENT
    ]
    head = f'{{"schema": "{SCHEMA}", "dynamics": "{records.dynamics}", "records": [\n'
    return head + ",\n".join(rows) + "\n]}\n"


# --- Writing ------------------------------------------------------------------------------------


def _row(records: Records, i: int, goal: str, success: bool) -> dict[str, Any]:
    action = names.ACTIONS[records.action[i]] if goal == action_goals.MOVE else goal
    return {
        "action": "sleep" if goal == "wake_up" else action,
        "success": success,
        "init_state": _state_json(records.before, i),
        "resulting_state": _state_json(records.after, i),
    }


def _state_json(states: States, i: int) -> dict[str, Any]:
    amounts = dict(zip(names.ITEMS, states.inventory[i].tolist(), strict=True))
    return {
        "attributes": {vital: amounts[vital] for vital in names.VITALS},
        "tools": {tool: amounts[tool] for tool in _TOOLS if amounts[tool]},
        "materials": {item: amounts[item] for item in _MATERIALS if amounts[item]},
        "face": _cell_text(states.material[i], states.object[i]),
        "nearby": [
            [_cell_text(states.materials[i, x, y], states.objects[i, x, y]) for x in range(3)]
            for y in range(3)
        ],
        "sleeping": bool(states.sleeping[i]),
    }


def _cell_text(material: np.uint8, object_: np.uint8) -> str:
    thing = names.LOOKS[object_] if object_ else ""
    return f"{names.MATERIALS[material]}({thing})"


# --- Finding and parsing ------------------------------------------------------------------------


def _found(paths: list[Path]) -> Iterator[Path]:
    suffixes = (*_TRAJECTORIES, *_TEXTS)
    for path in paths:
        inside = [path]
        if path.is_dir():
            inside = sorted(each for each in path.iterdir() if each.name.endswith(suffixes))
        if not inside:
            allowed = ", ".join(f"*{suffix}" for suffix in suffixes)
            raise InputError(f"{path}:1: folder: there are no records; allowed: {allowed} in it")
        yield from inside


def _file(path: Path) -> Records:
    if path.suffix in _TRAJECTORIES:
        return Records.of(load(path))
    text = read_text(path, _ALLOWED, _MAX_BYTES)
    if path.suffix == ".jsonl":
        dynamics, rows = log_rows(path, text)
    elif text.lstrip().startswith(TRACE):
        dynamics = trace_dynamics(path)
        rows = trace_rows(path, text, dynamics)
    elif text.lstrip()[:1] in ("{", "["):
        dynamics, rows = _json(path, text)
    else:
        dynamics, rows = "crafter", list(_paper(path, text))
    if not rows:
        raise InputError(f"{path}:1: records: there are none; allowed: at least one")
    return _records(path, dynamics, rows)


def _json(path: Path, text: str) -> tuple[names.Dynamics, list[Any]]:
    document = value_of(text, f"{path}:1", "records as JSON")
    if isinstance(document, list):
        return "crafter", document
    if not isinstance(document.get("records"), list):
        raise InputError(f"{path}:1: records: it is missing; allowed: a list of records")
    if document.get("schema", SCHEMA) != SCHEMA:
        raise InputError(f"{path}:1: schema: {shown(document['schema'])}; allowed: {SCHEMA!r}")
    dynamics = document.get("dynamics", "crafter")
    if dynamics not in names.DYNAMICS:
        allowed = ", ".join(names.DYNAMICS)
        raise InputError(f"{path}:1: dynamics: {shown(dynamics)}; allowed: {allowed}")
    return dynamics, document["records"]


def _paper(path: Path, text: str) -> Iterator[dict[str, Any]]:
    """Records in the paper's layout: names before values; each begins with its action."""
    row = dict[str, Any]()
    at, line, counted = _past_blanks(text, 0), 1, 0
    while at < len(text):
        line += text.count("\n", counted, at)
        counted = at
        match = _FIELD.match(text, at)
        if not match:
            allowed = "action, init_state, resulting_state, success"
            word = text[at : at + _QUOTED].split(maxsplit=1)[0]
            raise InputError(f"{path}:{line}: record: {word!r} is no field; allowed: {allowed}")
        field, at = match[1], match.end()
        if field == "action" and row:
            yield row
            row = {}
        row[field], at = _value(path, line, field, text, at)
        at = _past_blanks(text, at)
    if row:
        yield row


def _value(path: Path, line: int, field: str, text: str, at: int) -> tuple[Any, int]:
    """The object or word behind a field's name, and where it ends."""
    if not text.startswith("{", at):
        end = text.find("\n", at)
        end = end if end >= 0 else len(text)
        word = text[at:end].strip()
        return {"true": True, "false": False}.get(word.lower(), word), end
    try:
        return _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", line)
        raise InputError(
            f"{path}:{line}: {field}: no JSON: {_what(error)}; allowed: a state as JSON"
        ) from None


def _past_blanks(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    return match.end() if match else at


def _what(error: Exception) -> str:
    """The error message for invalid JSON."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(getattr(error, "msg", error))


# --- Records ------------------------------------------------------------------------------------


class _Place(NamedTuple):
    """Where in a file something is: its record, counted from 1, and its field."""

    path: Path
    record: int
    field: str = ""

    def within(self, field: str) -> _Place:
        joined = f"{self.field}.{field}" if self.field else field
        return self._replace(field=joined)

    def refuse(self, problem: str, allowed: str) -> NoReturn:
        """Raise the error."""
        raise InputError(
            f"{self.path}:1: record {self.record}: {self.field}: {problem}; allowed: {allowed}"
        )


def _records(path: Path, dynamics: names.Dynamics, rows: list[Any]) -> Records:
    known = action_goals.goals(dynamics)
    befores, afters, actions, wanted, labels, told = [], [], [], [], [], []
    for number, row in enumerate(rows, 1):
        place = _Place(path, number)
        if not isinstance(row, dict):
            place.within("record").refuse("it is no object", "action, init_state, resulting_state")
        action, goal = _action(place.within("action"), row.get("action"), dynamics)
        label = row.get("success")
        if label is not None and not isinstance(label, bool):
            place.within("success").refuse(f"{shown(label)}", "true, false")
        if label is not None and goal is None:
            place.within("action").refuse(
                f"{shown(action)} has several goals, so that a label means nothing",
                "the name of an achievement, or no label",
            )
        befores.append(_state(place.within("init_state"), row.get("init_state")))
        afters.append(_state(place.within("resulting_state"), row.get("resulting_state")))
        actions.append(names.ACTIONS.index(action))
        wanted.append(-1 if goal is None else known.index(goal))
        labels.append(SILENT if label is None else int(label))
        told.append(isinstance(row["resulting_state"].get("sleeping"), bool))
    before, after = States.join(befores), States.join(afters)
    codes = np.array(actions, np.uint8)
    outcome = judge(dynamics, before, codes, after, Circumstances.unknown(len(rows)))
    outcome[~np.array(told), known.index("wake_up")] = SILENT
    outcome[:, known.index(action_goals.MOVE)] = SILENT
    shown_by_states = _label(outcome, np.array(wanted), np.array(labels), before.free)
    chosen = np.array(labels) != SILENT
    places = np.array([f"{path} record {i + 1}" for i in range(len(rows))], np.object_)
    return Records(dynamics, before, codes, after, outcome, chosen, places, shown_by_states)


def _label(
    outcome: NDArray[np.int8],
    wanted: NDArray[np.int64],
    labels: NDArray[np.int64],
    free: NDArray[np.bool_],
) -> NDArray[np.int8]:
    """Whether a label counts; of an action with one goal nothing else does.

    Returns:
        int8[n, 23]: what the states show of the goal; where that is the opposite of the label,
        neither counts.
    """
    states = np.full_like(outcome, SILENT)
    for i in np.flatnonzero(wanted >= 0):
        judged = outcome[i, wanted[i]]
        outcome[i] = SILENT
        said = labels[i] if labels[i] != SILENT else judged
        states[i, wanted[i]] = judged if free[i] else SILENT
        if SILENT not in (said, judged) and said != judged:
            said = SILENT
        outcome[i, wanted[i]] = said if free[i] else SILENT
    assert np.isin(outcome, (SUCCEEDED, FAILED, SILENT)).all()
    return states


def _action(place: _Place, stated: Any, dynamics: str) -> tuple[str, str | None]:
    """The game's action, and the goal if there is but one."""
    known = action_goals.goals(dynamics)
    if isinstance(stated, str):
        goal = action_goals.alias(stated, dynamics)
        if goal == action_goals.MOVE and stated in names.ACTIONS:
            return stated, goal
        if goal in known and goal != action_goals.MOVE:
            return action_goals.action(goal), goal
        if stated in ("do", "noop"):
            return stated, None
    allowed = (*names.ACTIONS[:7], *known[:-1])
    hint = nearest(str(stated), allowed)
    return place.refuse(f"there is no action {shown(stated)}{hint}", ", ".join(allowed))


def _state(place: _Place, stated: Any) -> States:
    if not isinstance(stated, Mapping):
        place.refuse("it is missing or no object", "attributes, tools, materials, face, nearby")
    inventory = np.zeros((1, len(names.ITEMS)), np.uint8)
    for field, items in (
        ("attributes", names.VITALS),
        ("tools", _TOOLS),
        ("materials", _MATERIALS),
    ):
        given = stated.get(field, {})
        if not isinstance(given, Mapping):
            place.within(field).refuse("it is no object", f"amounts of {', '.join(items)}")
        for item, n in given.items():
            where = place.within(field).within(str(item)[:_QUOTED])
            if item not in items:
                where.refuse(
                    f"there is no {shown(item)}{nearest(str(item), items)}", ", ".join(items)
                )
            if type(n) is not int or not 0 <= n <= MAXIMUM:
                where.refuse(f"{shown(n)}", f"a whole number from 0 to {MAXIMUM}")
            inventory[0, names.ITEMS.index(item)] = n
    for vital in names.VITALS:
        if vital not in (stated.get("attributes") or {}):
            place.within("attributes").within(vital).refuse("it is missing", f"0 to {MAXIMUM}")
    material, object_, _ = _cell(place.within("face"), stated.get("face"))
    materials, objects, sleeps = _around(place.within("nearby"), stated.get("nearby"))
    sleeping = stated.get("sleeping", sleeps)
    if not isinstance(sleeping, bool):
        place.within("sleeping").refuse(f"{shown(sleeping)}", "true, false")
    face = np.array([[material], [object_]], np.uint8)
    return States(inventory, face[0], face[1], materials, objects, np.array([sleeping]))


def _around(place: _Place, stated: Any) -> tuple[NDArray[np.uint8], NDArray[np.uint8], bool]:
    """The 3 x 3 cells, given as rows from top to bottom; indexed [x, y] here."""
    materials, objects = np.zeros((1, 3, 3), np.uint8), np.zeros((1, 3, 3), np.uint8)
    rows = stated if isinstance(stated, list) else []
    if len(rows) != 3 or any(not isinstance(row, list) or len(row) != 3 for row in rows):
        place.refuse("these are not 3 rows of 3 cells", '[["grass()", "tree()", "grass()"], ...]')
    sleeps = False
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            where = place.within(f"{y + 1}.{x + 1}")
            materials[0, x, y], objects[0, x, y], asleep = _cell(where, cell)
            sleeps |= asleep
    return materials, objects, sleeps


def _cell(place: _Place, stated: Any) -> tuple[int, int, bool]:
    """The codes of a material and of what stands on it; and whether that is a sleeping player."""
    match = _CELL.fullmatch(stated) if isinstance(stated, str) else None
    if not match:
        place.refuse(
            f"{shown(stated)} is no cell", "material(object), such as grass(cow) or tree()"
        )
    material, thing = match.groups()
    asleep = thing in _SLEEPER
    thing = "player" if asleep else thing.replace("-", "_") or "none"
    if material not in names.MATERIALS:
        hint = nearest(material, names.MATERIALS)
        place.refuse(f"there is no material {shown(material)}{hint}", ", ".join(names.MATERIALS))
    if thing not in names.LOOKS:
        hint = nearest(thing, names.LOOKS)
        place.refuse(f"there is no object {shown(thing)}{hint}", ", ".join(names.LOOKS[1:]))
    return names.MATERIALS.index(material), names.LOOKS.index(thing), asleep
