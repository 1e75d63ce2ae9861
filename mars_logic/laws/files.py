"""Records in files: JSON as this project writes it, and the paper's own layout (appendix D.2).

A record is an object with ``action``, ``init_state`` and ``resulting_state``, and ``success`` if
it is labelled. The paper's layout is the same with the names of the fields before their values; a
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

from mars_logic.data import load
from mars_logic.errors import InputError
from mars_logic.laws import goals as goals_
from mars_logic.laws.records import FAILED, SILENT, SUCCEEDED, Records
from mars_logic.laws.states import States
from mars_logic.laws.success import Circumstances, judge
from mars_logic.world import names
from mars_logic.world.fields import nearest

SCHEMA: Final = "mars-logic records 1"
_TRAJECTORIES: Final = (".npz", ".parquet")
_TEXTS: Final = (".json", ".txt")
_MAX_BYTES: Final = 100_000_000
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
    known = goals_.goals(records.dynamics)
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
    action = names.ACTIONS[records.action[i]] if goal == goals_.MOVE else goal
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
            inside = sorted(each for each in path.iterdir() if each.suffix in suffixes)
        if not inside:
            allowed = ", ".join(f"*{suffix}" for suffix in suffixes)
            raise InputError(f"{path}:1: folder: there are no records; allowed: {allowed} in it")
        yield from inside


def _file(path: Path) -> Records:
    if path.suffix in _TRAJECTORIES:
        return Records.of(load(path))
    text = _text(path)
    if text.lstrip()[:1] in ("{", "["):
        dynamics, rows = _json(path, text)
    else:
        dynamics, rows = "crafter", list(_paper(path, text))
    if not rows:
        raise InputError(f"{path}:1: records: there are none; allowed: at least one")
    return _records(path, dynamics, rows)


def _text(path: Path) -> str:
    if path.exists() and not path.is_file():
        raise InputError(f"{path}:1: file: this is no regular file; allowed: a file of records")
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InputError(
                f"{path}:1: file: it is too large; allowed: at most {_MAX_BYTES:,} bytes"
            )
        return path.read_text(encoding="utf-8")
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise InputError(f"{path}:1: file: {what}; allowed: a file of records") from None
    except UnicodeDecodeError:
        raise InputError(
            f"{path}:1: file: this is no text; allowed: records as JSON or as in the paper, or a "
            f"trajectory ({', '.join(_TRAJECTORIES)})"
        ) from None


def _json(path: Path, text: str) -> tuple[names.Dynamics, list[Any]]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        too_deep = isinstance(error, RecursionError)
        what = "it is nested too deeply" if too_deep else getattr(error, "msg", str(error))
        raise InputError(
            f"{path}:{line}: file: no JSON: {what}; allowed: records as JSON"
        ) from None
    if isinstance(document, list):
        return "crafter", document
    if not isinstance(document.get("records"), list):
        raise InputError(f"{path}:1: records: it is missing; allowed: a list of records")
    if document.get("schema", SCHEMA) != SCHEMA:
        raise InputError(f"{path}:1: schema: {document['schema']!r}; allowed: {SCHEMA!r}")
    dynamics = document.get("dynamics", "crafter")
    if dynamics not in names.DYNAMICS:
        allowed = ", ".join(names.DYNAMICS)
        raise InputError(f"{path}:1: dynamics: {dynamics!r}; allowed: {allowed}")
    return dynamics, document["records"]


def _paper(path: Path, text: str) -> Iterator[dict[str, Any]]:
    """Records in the paper's layout: names before values; each begins with its action."""
    decoder = json.JSONDecoder()
    at, row = 0, dict[str, Any]()
    while text[at:].strip():
        line = text.count("\n", 0, at + len(text[at:]) - len(text[at:].lstrip())) + 1
        match = _FIELD.match(text, at)
        if not match:
            allowed = "action, init_state, resulting_state, success"
            word = text[at:].split(maxsplit=1)[0][:40]
            raise InputError(f"{path}:{line}: record: {word!r} is no field; allowed: {allowed}")
        field, at = match[1], match.end()
        if field == "action" and row:
            yield row
            row = {}
        if text[at : at + 1] == "{":
            try:
                row[field], at = decoder.raw_decode(text, at)
            except ValueError as error:
                line = getattr(error, "lineno", line)
                what = getattr(error, "msg", str(error))
                raise InputError(
                    f"{path}:{line}: {field}: no JSON: {what}; allowed: a state as JSON"
                ) from None
        else:
            end = text.find("\n", at)
            word = text[at : end if end >= 0 else len(text)].strip()
            at += len(text[at:]) if end < 0 else end - at
            row[field] = {"true": True, "false": False}.get(word.lower(), word)
    if row:
        yield row


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
            f"{self.path}: record {self.record}: {self.field}: {problem}; allowed: {allowed}"
        )


def _records(path: Path, dynamics: names.Dynamics, rows: list[Any]) -> Records:
    known = goals_.goals(dynamics)
    befores, afters, actions, wanted, labels, shown = [], [], [], [], [], []
    for number, row in enumerate(rows, 1):
        place = _Place(path, number)
        if not isinstance(row, dict):
            place.within("record").refuse("it is no object", "action, init_state, resulting_state")
        action, goal = _action(place.within("action"), row.get("action"), dynamics)
        label = row.get("success")
        if label is not None and not isinstance(label, bool):
            place.within("success").refuse(f"{label!r}", "true, false")
        if label is not None and goal is None:
            place.within("action").refuse(
                f"{action!r} has several goals, so that a label means nothing",
                "the name of an achievement, or no label",
            )
        befores.append(_state(place.within("init_state"), row.get("init_state")))
        afters.append(_state(place.within("resulting_state"), row.get("resulting_state")))
        actions.append(names.ACTIONS.index(action))
        wanted.append(-1 if goal is None else known.index(goal))
        labels.append(SILENT if label is None else int(label))
        shown.append(isinstance(row["resulting_state"].get("sleeping"), bool))
    before, after = States.join(befores), States.join(afters)
    codes = np.array(actions, np.uint8)
    outcome = judge(dynamics, before, codes, after, Circumstances.unknown(len(rows)))
    outcome[~np.array(shown), known.index("wake_up")] = SILENT
    outcome[:, known.index(goals_.MOVE)] = SILENT
    _label(outcome, np.array(wanted), np.array(labels), before.free)
    return Records(dynamics, before, codes, after, outcome, np.array(labels) != SILENT)


def _label(
    outcome: NDArray[np.int8],
    wanted: NDArray[np.int64],
    labels: NDArray[np.int64],
    free: NDArray[np.bool_],
) -> None:
    """What a label says counts, and of an action with one goal nothing else."""
    for i in np.flatnonzero(wanted >= 0):
        judged = outcome[i, wanted[i]]
        outcome[i] = SILENT
        said = labels[i] if labels[i] != SILENT else judged
        outcome[i, wanted[i]] = said if free[i] else SILENT
    assert np.isin(outcome, (SUCCEEDED, FAILED, SILENT)).all()


def _action(place: _Place, stated: Any, dynamics: str) -> tuple[str, str | None]:
    """The game's action, and the goal if there is but one."""
    known = goals_.goals(dynamics)
    if isinstance(stated, str):
        goal = goals_.alias(stated, dynamics)
        if goal == goals_.MOVE and stated in names.ACTIONS:
            return stated, goal
        if goal in known and goal != goals_.MOVE:
            return goals_.action(goal), goal
        if stated in ("do", "noop"):
            return stated, None
    allowed = (*names.ACTIONS[:7], *known[:-1])
    hint = nearest(str(stated), allowed)
    return place.refuse(f"there is no action {stated!r}{hint}", ", ".join(allowed))


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
            where = place.within(field).within(str(item))
            if item not in items:
                where.refuse(f"there is no {item!r}{nearest(str(item), items)}", ", ".join(items))
            if type(n) is not int or not 0 <= n <= 9:
                where.refuse(f"{n!r}", "a whole number from 0 to 9")
            inventory[0, names.ITEMS.index(item)] = n
    for vital in names.VITALS:
        if vital not in (stated.get("attributes") or {}):
            place.within("attributes").within(vital).refuse("it is missing", "0 to 9")
    material, object_, _ = _cell(place.within("face"), stated.get("face"))
    materials, objects, sleeps = _around(place.within("nearby"), stated.get("nearby"))
    sleeping = stated.get("sleeping", sleeps)
    if not isinstance(sleeping, bool):
        place.within("sleeping").refuse(f"{sleeping!r}", "true, false")
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
        place.refuse(f"{stated!r} is no cell", "material(object), such as grass(cow) or tree()")
    material, thing = match.groups()
    asleep = thing in _SLEEPER
    thing = "player" if asleep else thing.replace("-", "_") or "none"
    if material not in names.MATERIALS:
        hint = nearest(material, names.MATERIALS)
        place.refuse(f"there is no material {material!r}{hint}", ", ".join(names.MATERIALS))
    if thing not in names.LOOKS:
        hint = nearest(thing, names.LOOKS)
        place.refuse(f"there is no object {thing!r}{hint}", ", ".join(names.LOOKS[1:]))
    return names.MATERIALS.index(material), names.LOOKS.index(thing), asleep
