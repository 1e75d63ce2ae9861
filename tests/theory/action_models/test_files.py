"""Records in files: both layouts, and what is wrong with them."""

from __future__ import annotations

import copy
import json
import os
import time

import numpy as np
import pytest

from mars_logic.data import file_name, save
from mars_logic.errors import InputError
from mars_logic.play.recording import record
from mars_logic.sim import Simulator
from mars_logic.theory.action_models import Records, learn, read, write
from mars_logic.world.load import load_world
from tests.theory.play import Busy

STATE = {
    "attributes": {"health": 9, "food": 8, "drink": 7, "energy": 7},
    "tools": {},
    "materials": {"sapling": 1},
    "face": "tree()",
    "nearby": [
        ["grass()", "tree()", "grass()"],
        ["grass()", "grass(player)", "grass()"],
        ["grass(cow)", "grass()", "grass()"],
    ],
}
AFTER = STATE | {"materials": {"sapling": 1, "wood": 1}, "face": "grass()"}
RECORD = {"action": "collect_wood", "init_state": STATE, "resulting_state": AFTER}


def paper(row: dict) -> str:
    """A record in the layout of the paper."""
    states = (f"{name}:\n{json.dumps(row[name], indent=2)}\n" for name in list(row)[1:])
    return f"action: {row['action']}\n\n" + "\n".join(states)


@pytest.mark.slow
def test_records_survive_a_file(chosen: Records, tmp_path):
    path = tmp_path / "records.json"
    path.write_text(write(chosen), encoding="utf-8")
    again = read([path])
    assert again.dynamics == chosen.dynamics and again.chosen.all()
    assert np.array_equal(again.outcome, chosen.outcome)
    for mine, other in ((again.before, chosen.before), (again.after, chosen.after)):
        assert np.array_equal(mine.amounts(), other.amounts())
        assert np.array_equal(mine.target, other.target)
        assert np.array_equal(mine.inventory, other.inventory)


def test_the_papers_layout(tmp_path):
    failed = RECORD | {"resulting_state": STATE}
    path = tmp_path / "records.txt"
    path.write_text("\n".join(map(paper, (RECORD, failed, RECORD))), encoding="utf-8")
    records = read([path])
    assert records.dynamics == "crafter" and not records.chosen.any()
    assert records.of_goal("collect_wood").tolist() == [1, 0, 1]
    assert (records.of_goal("eat_cow") == -1).all()
    law = learn(records)["collect_wood"]
    assert law.branches[0].effects.gains == {"wood": 1} and law.branches[0].effects.left == "grass"


def test_a_label_that_its_states_contradict_does_not_count(tmp_path):
    path = tmp_path / "records.json"
    path.write_text(json.dumps([RECORD | {"success": False}, RECORD]), encoding="utf-8")
    records = read([path])
    assert records.of_goal("collect_wood").tolist() == [-1, 1]
    assert records.disputed.sum(axis=1).tolist() == [1, 0]


def test_do_is_judged_by_all_that_it_may_be_for(tmp_path):
    path = tmp_path / "records.json"
    rows = [RECORD | {"action": "do"}]
    path.write_text(json.dumps({"dynamics": "mars", "records": rows}), encoding="utf-8")
    records = read([path])
    assert records.of_goal("collect_wood").tolist() == [1]
    assert records.of_goal("collect_stone").tolist() == [0]
    assert records.of_goal("kill_cow").tolist() == [0]


def test_names_of_the_other_dialect_will_do(tmp_path):
    path = tmp_path / "records.json"
    path.write_text(
        json.dumps({"dynamics": "mars", "records": [RECORD | {"action": "eat_cow"}]}),
        encoding="utf-8",
    )
    assert read([path]).of_goal("kill_cow").tolist() == [0]


def test_folders_and_trajectories(tmp_path):
    simulator = Simulator(load_world("default"), length=60)
    _, trajectory = record(Busy(), simulator, 0, agent_name="test")
    save(trajectory, tmp_path / file_name(trajectory.about))
    rows = {"dynamics": "mars", "records": [RECORD]}
    (tmp_path / "more.json").write_text(json.dumps(rows), encoding="utf-8")
    assert len(read([tmp_path])) == len(trajectory) + 1
    (tmp_path / "other.json").write_text(json.dumps([RECORD]), encoding="utf-8")
    with pytest.raises(InputError, match="dialects differ"):
        read([tmp_path])


def changed(*path: str | int, to: object) -> dict:
    row = copy.deepcopy(RECORD)
    at = row
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = to
    return row


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (changed("action", to="colect_wood"), "action: .*did you mean 'collect_wood'"),
        (changed("action", to=3), "action: there is no action 3"),
        (changed("success", to="yes"), "success: 'yes'; allowed: true, false"),
        (changed("action", to="do") | {"success": True}, "action: 'do' has several goals"),
        (changed("init_state", to=None), "init_state: it is missing"),
        (changed("init_state", "face", to="treee()"), "init_state.face: .*did you mean 'tree'"),
        (changed("init_state", "face", to="tree"), "init_state.face: 'tree' is no cell"),
        (changed("init_state", "face", to="grass(cows)"), "there is no object 'cows'"),
        (changed("init_state", "nearby", 0, to=["grass()"]), "nearby: these are not 3 rows"),
        (changed("init_state", "nearby", 2, 1, to="x()"), "nearby.3.2: there is no material 'x'"),
        (changed("resulting_state", "materials", to={"wod": 1}), "materials.wod: .*'wood'"),
        (changed("resulting_state", "materials", to={"wood": 10}), "wood: 10; allowed: a whole"),
        (changed("resulting_state", "attributes", to={"food": 1}), "attributes.health: it is mis"),
        (changed("resulting_state", "sleeping", to=1), "sleeping: 1; allowed: true, false"),
        ([], "record: it is no object"),
    ],
)
def test_what_is_wrong_is_named(row, message, tmp_path):
    path = tmp_path / "records.json"
    path.write_text(json.dumps([RECORD, row]), encoding="utf-8")
    with pytest.raises(InputError, match=f"records.json:1: record 2: .*{message}"):
        read([path])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "records: there are none"),
        ("{}", "records: it is missing"),
        ('{"records": [], "dynamics": "chess"}', "dynamics: 'chess'; allowed: crafter, mars"),
        ('{"records": [], "schema": "mars-logic records 2"}', "schema: "),
        ("[{]", ":1: file: no JSON"),
        ("", "records: there are none"),
        ("action: collect_wood\ninit_sate: {}", ":2: record: 'init_sate:' is no field"),
        ("action: collect_wood\ninit_state:\n{\n  'x'\n}", ":4: init_state: no JSON"),
        ("[" * 100_000, ":1: file: no JSON: it is nested too deeply"),
        ("[" + "9" * 100_000 + "]", ":1: file: no JSON"),
        ("action: do\ninit_state: " + '{"a":' * 100_000, ":2: init_state: .*nested too deeply"),
        ('[{"action": "' + "x" * 100_000 + '"}]', "record 1: action: there is no action 'xxx"),
    ],
)
def test_files_that_are_none(text, message, tmp_path):
    path = tmp_path / "records.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read([path])


def test_files_that_cannot_be_read(tmp_path):
    for path, message in (
        (tmp_path / "missing.json", "no such file"),
        (tmp_path, "there are no records"),
    ):
        with pytest.raises(InputError, match=message):
            read([path])
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(InputError, match="this is not a regular file"):
        read([tmp_path / "pipe.json"])
    (tmp_path / "x.json").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="this is not text"):
        read([tmp_path / "x.json"])


def test_the_papers_layout_is_read_in_linear_time(tmp_path):
    """Twice the records take about twice the time, not four times."""
    one = "".join(
        f"{field}: {value if isinstance(value, str) else json.dumps(value)}\n"
        for field, value in RECORD.items()
        if field != "success"
    )
    path = tmp_path / "records.txt"
    seconds = []
    for number in (1_500, 6_000):
        path.write_text(one * number, encoding="utf-8")
        tries = []
        for _ in range(3):
            began = time.process_time()
            assert len(read([path])) == number
            tries.append(time.process_time() - began)
        seconds.append(min(tries))
    assert seconds[1] < 4 * 2.5 * seconds[0], "quadratic time is 16 times as long"


def test_large_files_are_refused(tmp_path):
    path = tmp_path / "records.json"
    path.write_bytes(b" " * 20_000_001)
    with pytest.raises(InputError, match="too large; allowed: at most 20,000,000 bytes"):
        read([path])
